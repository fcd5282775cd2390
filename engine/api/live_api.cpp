// SPDX-License-Identifier: MIT
// The live scene of the public header: a LiveFlame whose newest picture waits to be fetched.
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>

#include "engine/api/api_impl.h"
#include "engine/base/platform/process.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/live/live_flame.h"
#include "engine/render/still.h"

namespace kiln {
namespace {

std::vector<Flame> flames_of(const std::vector<Scene>& scenes) {
  require(!scenes.empty(), "a live scene needs a scene");
  std::vector<Flame> flames;
  for (const Scene& scene : scenes) flames.push_back(scene.impl().ready());
  return flames;
}

RenderOptions checked(const RenderOptions& options) {
  require(options.bits == 8 && !options.linear && !options.crop && options.crop_marks == 0 &&
              !options.earlyclip && !options.compat_flam3 && options.game == Game::permutation &&
              !ends_early(options) && !options.halves && !options.stages,
          "a live scene has 8 bits a channel, the quality of its flame and none of the "
          "cross-checks, nor hashes of stages");
  return options;
}

}  // namespace

struct LiveScene::Impl {
  std::mutex mutex;  // of what follows, which the live flame's thread writes
  std::condition_variable heard;
  std::optional<LivePicture> newest;
  std::string error;
  const int process = process_id();
  LiveFlame flame;  // last: its thread goes first

  Impl(const std::vector<Scene>& scenes, const RenderOptions& options)
      : flame(flames_of(scenes), {}, checked(options), listener()) {}

  LiveFlame& live() {
    require(
        process == process_id(),
        "a live scene's thread stays with the process that opened it; in a child of fork() open "
        "another");
    return flame;
  }

  LiveFlame::Listener listener() {
    LiveFlame::Listener listener;
    listener.picture = [this](LivePicture picture) {
      const std::lock_guard lock(mutex);
      newest = std::move(picture);
      error.clear();
      heard.notify_all();
    };
    listener.error = [this](std::uint64_t, const std::string& text) {
      const std::lock_guard lock(mutex);
      error = text;
      heard.notify_all();
    };
    listener.thumbnail = [](LiveThumbnail) {};
    listener.changed = [] {};
    return listener;
  }
};

LiveScene::LiveScene(const std::vector<Scene>& scenes, const RenderOptions& options)
    : impl_(guarded([&] { return std::make_unique<Impl>(scenes, options); })) {}
LiveScene::LiveScene(LiveScene&&) noexcept = default;
LiveScene& LiveScene::operator=(LiveScene&& other) noexcept {
  impl_.swap(other.impl_);
  return *this;
}
LiveScene::~LiveScene() {
  if (!impl_ || impl_->process == process_id()) return;
  [[maybe_unused]] const Impl* of_parent = impl_.release();
}

std::string LiveScene::device() const { return impl_->live().device(); }
Scene LiveScene::scene() const { return scene_of(impl_->live().flame()); }

std::uint64_t LiveScene::edit(const Scene& scene, std::uint64_t gesture) {
  return edit(scene.xml(), gesture);
}
std::uint64_t LiveScene::edit(const std::string& xml, std::uint64_t gesture) {
  return guarded([&] { return impl_->live().edit(xml, gesture).revision; });
}
std::uint64_t LiveScene::undo() { return impl_->live().undo().revision; }
std::uint64_t LiveScene::redo() { return impl_->live().redo().revision; }
std::uint64_t LiveScene::select(int index) { return impl_->live().select(index).revision; }

void LiveScene::set_effort(double pixels, double seconds) { impl_->live().view({pixels, seconds}); }

std::optional<LiveFrame> LiveScene::next_picture(double timeout_s) {
  constexpr double years_s = 1e8;  // a clock holds no infinity
  const double wait_s = timeout_s > 0 ? std::min(timeout_s, years_s) : 0;
  impl_->live();
  std::unique_lock lock(impl_->mutex);
  impl_->heard.wait_for(lock, std::chrono::duration<double>(wait_s),
                        [&] { return impl_->newest || !impl_->error.empty(); });
  if (!impl_->error.empty()) fail(ErrorKind::device, "{}", std::exchange(impl_->error, {}));
  std::optional<LivePicture> made = std::exchange(impl_->newest, std::nullopt);
  if (!made) return std::nullopt;
  LiveFrame frame;
  frame.edit = made->revision;
  frame.index = made->index;
  frame.image = std::move(made->image);
  frame.quality = made->quality;
  frame.settled = made->settled;
  frame.seconds = made->seconds;
  return frame;
}

}  // namespace kiln
