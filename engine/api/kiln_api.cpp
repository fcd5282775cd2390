// SPDX-License-Identifier: MIT
// Rendering and saving of the public header, in terms of the engine's own.
#include <atomic>
#include <filesystem>
#include <optional>
#include <utility>

#include "engine/animation/frame_at.h"
#include "engine/animation/frame_manifest.h"
#include "engine/api/api_impl.h"
#include "engine/base/platform/process.h"
#include "engine/base/ranks.h"
#include "engine/base/resources.h"
#include "engine/device/device.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/picture_record.h"
#include "engine/io/picture/png_writer.h"
#include "engine/io/state/state_file.h"
#include "engine/model/image.h"
#include "engine/pipeline/film_window.h"
#include "engine/pipeline/frames.h"
#include "engine/program/compile.h"
#include "engine/render/develop/hdr.h"
#include "engine/render/still.h"

namespace kiln {
namespace {

void check_format(const RenderOptions& options) {
  require(options.linear || options.bits == 8 || options.bits == 16, "bits must be 8 or 16");
}

void check_frame_options(const RenderOptions& options) {
  check_format(options);
  require(!ends_early(options) && !options.halves,
          "a frame ends with its quality; leave until_noise, time_limit_s and halves out");
}

void check_samples(const Image& image) {
  const std::size_t pixels =
      static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
  const std::size_t samples = image.bits() == 8    ? image.pixels8().size()
                              : image.bits() == 16 ? image.pixels16().size()
                                                   : image.linear().rgba.size();
  require(image.width > 0 && image.height > 0 && samples == 4 * pixels,
          "a picture needs width * height * 4 samples");
  require(image.bits() != 32 || image.linear().hits.size() == pixels,
          "a linear picture needs width * height hits");
}

void check_credits(const Credits& credits) {
  check_credit("title", credits.title);
  check_credit("author", credits.author);
  check_credit("copyright", credits.copyright);
  check_credit("source", credits.source);
}

/// Begins with what the file has, writes it every so often, and stops when it is asked to. A save
/// that fails on the way is tried again; the last one's failure is the render's.
Still kept_in(const StateFile& state, const Scene& scene, const RenderOptions& options) {
  require(!state.path.empty(), "a state file needs a name");
  Still still{scene.impl().ready(), {}, state.path};
  if (std::filesystem::exists(state.path)) still.begin = {state.path};
  still.checkpoint.ask = [stop = options.stop, every_s = state.every_s,
                          last = Clock::now()]() mutable {
    if (stop.stop_requested()) return Checkpoint::Request::stop;
    if (seconds_since(last) < every_s) return Checkpoint::Request::go_on;
    last = Clock::now();
    return Checkpoint::Request::save;
  };
  still.checkpoint.stop = options.stop;
  return still;
}

/// The remedy where a file of flames is in the way.
constexpr const char* remove_it = "remove it first";

/// Throws why the sums of this picture could not be written, with it.
[[noreturn]] void hand_over(Picture picture, const std::exception_ptr& why) {
  try {
    std::rethrow_exception(why);
  } catch (const std::exception& error) {
    throw StateNotWritten(error.what(), std::move(picture));
  }
}

}  // namespace

void describe(const Flame& flame, const RenderOptions& options, Picture& picture) {
  picture.hash = pixel_hash(picture.image);
  picture.genome = genome_xml(flame);
  RenderOptions made = options;
  made.bits = picture.image.bits();
  picture.record = render_record(flame, made, picture.statistics, picture.hash);
}

void describe_frame(const FilmKeys& keys, const FrameTime& frame, const DigestsOfFrame& digests,
                    const RenderOptions& options, Picture& picture) {
  describe(frame_at(keys, frame, MotionBlur::without).flame, options, picture);
  picture.record = frame_record(picture.record, frame, digests.frame, digests.film);
}

struct Session::Impl {
  explicit Impl(const RenderOptions& o)
      : options(o), renderer(std::make_unique<Renderer>(options)) {}
  ~Impl() {
    if (process == process_id()) return;
    // a child of fork(): its parent's GPU, or a render that another thread was at
    [[maybe_unused]] const Renderer* of_parent = renderer.release();
  }

  /// Runs `body` as the only one who uses the device: not while another thread renders, nor in what
  /// a render calls back.
  template <class Body>
  auto alone(Body body) {
    if (in_use.exchange(true))
      fail(ErrorKind::usage,
           "the session renders already: one thread at a time, and not in its own on_progress; "
           "another session renders beside it");
    const struct Leave {
      std::atomic<bool>& flag;
      ~Leave() { flag = false; }
    } leave{in_use};
    return guarded(body);
  }

  /// The picture of a still; a shard gives its statistics alone.
  Picture render(Still still, RenderOptions asked) {
    check_format(asked);
    // sums are whole between what the device takes up, not within
    if (!still.state.empty()) asked.stop = {};
    renderer->change(asked);
    Picture picture;
    std::optional<Image> image = render_still(*renderer, asked, still, &picture.statistics);
    if (still.checkpoint.stopped)
      fail(ErrorKind::stopped, "stopped; the same call goes on with what {} has", still.state);
    if (!image) return picture;
    picture.image = std::move(*image);
    describe(still.flame, asked, picture);
    if (still.checkpoint.unsaved) hand_over(std::move(picture), still.checkpoint.unsaved);
    return picture;
  }

  const RenderOptions options;
  std::unique_ptr<Renderer> renderer;
  std::atomic<bool> in_use = false;
  const int process = process_id();
};

Session::Session(const RenderOptions& options)
    : impl_(guarded([&] {
        check_format(options);
        return std::make_unique<Impl>(options);
      })) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

std::string Session::device() const { return impl_->renderer->device(); }

Picture Session::render(const Scene& scene) { return render(scene, impl_->options); }
Picture Session::render(const Scene& scene, const RenderOptions& options) {
  return impl_->alone([&] { return impl_->render({scene.impl().ready()}, options); });
}

Picture Session::render(const Animation& animation, int frame) {
  return render(animation, frame, impl_->options);
}
Picture Session::render(const Animation& animation, int frame, const RenderOptions& options) {
  return impl_->alone([&] {
    check_frame_options(options);
    impl_->renderer->change(options);
    const FrameTime& time = frame_of(animation, frame);
    const FilmKeys& keys = animation.impl().frames.keys;
    Picture picture;
    Renderer& renderer = *impl_->renderer;
    FilmWindows windows(animation.impl().frames,
                        [&](const Frame& one) { return renderer.prepare(one); });
    picture.image = renderer.render(windows.of(time), &picture.statistics);
    const FrameDigests digests(animation.impl().frames, options);
    describe_frame(keys, time, {digests.of(time), digests.of_film()}, options, picture);
    return picture;
  });
}

Picture Session::render(const Scene& scene, const RenderOptions& options, const StateFile& state) {
  return impl_->alone([&] { return impl_->render(kept_in(state, scene, options), options); });
}

RenderStatistics Session::render_shard(const Scene& scene, const RenderOptions& options,
                                       const StateFile& state, const Shard& shard) {
  constexpr int most = 100'000;  // as in the command line
  require(shard.number >= 1 && shard.number <= shard.of && shard.of <= most,
          "a shard is the I-th of N parts, I from 1 to N and N at most 100000");
  require(!ends_early(options),
          "a shard has no noise and no time of its own; leave until_noise and time_limit_s out");
  return impl_->alone([&] {
    Still still = kept_in(state, scene, options);
    still.checkpoint.shard = shard;
    return impl_->render(std::move(still), options).statistics;
  });
}

Picture Session::grade(const Scene& scene, const RenderOptions& options,
                       const std::string& state_path) {
  return impl_->alone([&] {
    RenderOptions of_look = options;  // nothing is played that could end early
    of_look.until_noise = of_look.most_quality = of_look.time_limit_s = 0;
    Still still{scene.impl().ready(), {state_path}};
    still.checkpoint.regrade = true;
    return impl_->render(std::move(still), of_look);
  });
}

void merge(const std::vector<std::string>& states, const std::string& path,
           const RenderOptions& options) {
  require(!states.empty() && !path.empty(), "there is nothing to merge, or no file for it");
  check_keeps_flames(path, "the merged state", remove_it);
  guarded([&] {
    write_state(path, read_sums(states, options.max_memory_bytes, options.stop),
                AtomicFile::Existing::replace, options.stop);
  });
}

std::vector<HelpingDevice> all_gpus() {
  std::vector<HelpingDevice> list;
  for (const DeviceInfo& gpu : list_cuda_devices()) list.push_back({Backend::cuda, gpu.index, 0});
  if (list.empty())
    fail(ErrorKind::device,
         "all GPUs: no CUDA device is here; leave that out to render on the CPU");
  return list;
}

void share_work(const std::vector<HelpingDevice>& devices, RenderOptions& options) {
  require(!devices.empty(), "nobody is there to share the work");
  const HelpingDevice& first = devices.front();
  options.backend = first.backend;
  options.device = first.device;
  if (first.backend == Backend::cpu) options.threads = first.threads;
  options.helpers.assign(devices.begin() + 1, devices.end());
}

void choose_gpu_of_rank(RenderOptions& options) {
  if (options.backend == Backend::cpu) return;
  const std::vector<DeviceInfo> gpus = list_cuda_devices();
  if (gpus.size() > 1)
    options.device = gpus[static_cast<std::size_t>(Ranks::local_rank()) % gpus.size()].index;
}

void see_devices_of(const RenderOptions& options) {
  if (options.backend == Backend::cpu) return;
  std::vector<int> gpus = {options.device};
  for (const HelpingDevice& helper : options.helpers) gpus.push_back(helper.device);
  see_cuda_devices(gpus);
}

void warm_kernels(
    const Flame& flame, const std::vector<int>& archs,
    const std::function<void(bool moving, int arch, const std::optional<WarmedKernel>&)>& say) {
  const CompiledFlame compiled = compile(flame, PlotArea{1, 0, flame.width, flame.height});
  for (const int arch : archs)
    for (const bool moving : {false, true}) say(moving, arch, warm_kernel(compiled, moving, arch));
}

Picture render(const Scene& scene, const RenderOptions& options) {
  return Session(options).render(scene);
}

void render_frames(const Animation& animation, const std::vector<int>& frames,
                   const RenderOptions& options,
                   const std::function<void(int frame, Picture picture)>& take) {
  check_frame_options(options);
  const FilmKeys& keys = animation.impl().frames.keys;
  std::vector<FrameTime> times;
  for (const int frame : frames) times.push_back(frame_of(animation, frame));
  guarded([&] {
    const FrameDigests digests(animation.impl().frames, options);
    FrameWork work;
    work.film = &animation.impl().frames;
    work.count = static_cast<int>(frames.size());
    work.frame = [&](int i) { return times[std::size_t(i)]; };
    work.encode = [&](int i, RenderedFrame made) {
      const FrameTime& time = times[std::size_t(i)];
      Picture picture{std::move(made.image), made.statistics, {}, {}, {}};
      describe_frame(keys, time, {digests.of(time), digests.of_film()}, options, picture);
      return [&take, frame = frames[std::size_t(i)], picture = std::move(picture)]() mutable {
        take(frame, std::move(picture));
      };
    };
    if (const auto trouble = make_frames(work, options)) std::rethrow_exception(trouble->reason);
  });
}

std::shared_ptr<const PointSpread> load_point_spread(const std::string& option) {
  return guarded([&] { return std::make_shared<const PointSpread>(read_point_spread(option)); });
}

std::string encode(const Picture& picture, ExrPrecision precision) {
  return encode(picture, Credits{}, precision);
}

std::string encode(const Picture& picture, const Credits& credits, ExrPrecision precision) {
  check_samples(picture.image);
  check_credits(credits);
  return guarded([&] {
    return format_for(picture.image)
        .bytes(picture.image, picture_texts(picture.genome, picture.record, credits),
               {.threads = 0, .exr = {precision}});
  });
}

void develop_hdr(const Flame& flame, const std::optional<Window>& window, Image& image,
                 Saving& saving) {
  if (!(saving.exr.hdr_peak > 0) || image.bits() != 32) return;
  LightLevels levels;
  image = hdr_picture(image, flame, saving.exr.hdr_peak, window, levels);
  saving.brightest = levels.brightest;
  saving.brightest_mean = levels.brightest_frame;
}

void write_picture(const Picture& picture, const std::string& path, const Saving& saving) {
  format_for(picture.image, path)
      .write(path, picture.image, picture_texts(picture.genome, picture.record, saving.credits),
             saving);
}

std::string picture_bytes(const Picture& picture, const std::string& path, const Saving& saving) {
  return format_for(picture.image, path)
      .bytes(picture.image, picture_texts(picture.genome, picture.record, saving.credits), saving);
}

void save(const Picture& picture, const std::string& path, ExrPrecision precision) {
  save(picture, path, Credits{}, precision);
}

void save(const Picture& picture, const std::string& path, const Credits& credits,
          ExrPrecision precision) {
  check_credits(credits);
  const Image& image = picture.image;
  check_samples(image);
  require(image.bits() != 32 || format_named(path).has_floats,
          "only OpenEXR and TIFF have linear light; render without it, or name the file .exr");
  require(image.bits() == 32 || !format_named(path).linear,
          "OpenEXR has linear light only; render with it (linear), or name the file .png");
  check_picture_name(path, Ending::needed);
  check_keeps_flames(path, "the picture", remove_it);
  guarded([&] { check_fits(path, image.width, image.height, image.bits(), !image.opaque); });
  guarded([&] {
    write_picture(picture, path, {.threads = 0, .exr = {precision}, .credits = credits});
  });
}

const char* version() { return KILN_VERSION; }

}  // namespace kiln
