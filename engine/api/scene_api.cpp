// SPDX-License-Identifier: MIT
// Flames and animations of the public header, in terms of the engine's own.
#include <algorithm>

#include "engine/animation/frame_at.h"
#include "engine/api/api_impl.h"
#include "engine/base/text.h"
#include "engine/flock/flock.h"
#include "engine/flock/previews.h"
#include "engine/io/flame/flame_options.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/for_flam3.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/flame/palette_library.h"
#include "engine/model/palette.h"
#include "engine/sound/song.h"

namespace kiln {
namespace {

constexpr int side_max = 1'000'000;  // as in the command line and the reader

ReaderOptions reader_options(const std::function<void(const std::string&)>& warn,
                             Unsupported unsupported) {
  ReaderOptions options;
  options.approximate = unsupported == Unsupported::approximate;
  options.warn = warn ? warn : [](const std::string&) {};
  return options;
}

std::vector<Scene> scenes_of(FlameFile file) {
  std::vector<Scene> scenes;
  for (Flame& flame : file.flames) scenes.push_back(scene_of(std::move(flame)));
  return scenes;
}

std::vector<Flame> flames_of(const std::vector<Scene>& scenes) {
  std::vector<Flame> flames;
  for (const Scene& scene : scenes) flames.push_back(scene.impl().ready());
  return flames;
}

/// Gives all keys the size of the first, and leaves their scales as they are, as flam3 does.
/// The film's song is heard.
std::vector<Flame> keys_of(const std::vector<Scene>& scenes) {
  std::vector<Flame> keys = flames_of(scenes);
  for (Flame& key : keys) {
    key.width = keys.front().width;
    key.height = keys.front().height;
  }
  hear_song(keys);
  return keys;
}

/// The palette that is asked for; a message does not speak of the program's option.
Palette palette_for(const std::string& wanted) {
  try {
    return chosen_palette(wanted, 0, "");
  } catch (const Error& error) {
    const std::string_view text = error.what();
    throw Error(error.kind, std::string(text.substr(text.starts_with("--palette ") ? 2 : 0)));
  }
}

}  // namespace

Scene::Scene(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Scene::Scene(const Scene& other) : impl_(std::make_unique<Impl>(*other.impl_)) {}
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(Scene other) noexcept {
  impl_.swap(other.impl_);
  return *this;
}
Scene::~Scene() = default;

std::string Scene::name() const { return impl_->flame.name; }
int Scene::width() const { return impl_->flame.width; }
int Scene::height() const { return impl_->flame.height; }
double Scene::quality() const { return impl_->flame.quality; }
std::string Scene::xml() const { return genome_xml(impl_->flame); }
std::string Scene::flam3_xml(const std::function<void(const std::string&)>& warn,
                             Unsupported unsupported) const {
  const ReaderOptions options = reader_options(warn, unsupported);
  return genome_xml(flame_for_flam3(impl_->ready(), options.approximate, options.warn));
}

void Scene::set_width(int pixels) {
  Flame& flame = impl_->flame;
  const double factor = static_cast<double>(pixels) / flame.width;
  const double height = flame.height * factor + 0.5;
  require(pixels >= 1 && pixels <= side_max && height < side_max + 1.0,
          "the width must be 1 to 1000000 pixels");
  flame.width = pixels;
  flame.height = height < 1 ? 1 : static_cast<int>(height);
  flame.scale *= factor;
}

void Scene::set_quality(double samples_per_pixel) {
  require(samples_per_pixel > 0 && samples_per_pixel <= 1e9,
          "the quality must be above 0, at most 1e9");
  impl_->flame.quality = samples_per_pixel;
}

std::string Scene::attribute(const std::string& name) const {
  return attribute_text(impl_->flame, name);
}

void Scene::set(const std::string& name, const std::string& value) {
  require(name != "soloxform", "soloxform acts when a file is read; write it into the XML");
  guarded([&] {
    Flame& flame = impl_->flame;
    if (name == "palette") {
      flame.palette = palette_for(value);
      return;
    }
    const bool is_of_xform = AttributeSetting{name, ""}.is_of_xform();
    const bool is_links = name == "links";
    if (is_of_xform || is_links || name == "tracks" || name == "xaos" || name == "palette_rgba") {
      set_part(flame, name, value);
      impl_->edited |= is_of_xform || is_links || name == "xaos";
      return;
    }
    DeferredAttributes deferred;
    Flame changed = flame;  // a value that contradicts others leaves the flame as it was
    apply_settings({parse_setting("set", name + "=" + value)}, changed, deferred);
    follow_links(changed);
    impl_->edited |= !changed.links.empty();
    flame = std::move(changed);
  });
}

void Scene::set_palette(const std::vector<std::array<double, 3>>& colors) {
  constexpr std::size_t most_colors = 1 << 16;
  require(!colors.empty() && colors.size() <= most_colors, "a palette has 1 to 65536 colors");
  Palette palette(colors.size());
  for (std::size_t i = 0; i < colors.size(); ++i) {
    for (const double level : colors[i])
      require(level >= 0 && level <= 1, "colors of a palette are from 0 to 1");
    palette[i] = {colors[i][0], colors[i][1], colors[i][2], 1};
  }
  impl_->flame.palette = stretched(palette, Palette().size());
}

std::vector<Scene> load_scenes(const std::string& path,
                               const std::function<void(const std::string&)>& warn,
                               Unsupported unsupported) {
  return guarded([&] { return scenes_of(read_flames(path, reader_options(warn, unsupported))); });
}

std::vector<Scene> parse_scenes(const std::string& xml,
                                const std::function<void(const std::string&)>& warn,
                                Unsupported unsupported) {
  return guarded(
      [&] { return scenes_of(parse_flames(xml, "memory", reader_options(warn, unsupported))); });
}

Animation::Animation(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Animation::Animation(const std::vector<Scene>& keys, double step)
    : impl_(guarded([&] {
        return std::make_unique<Impl>(Impl{between_keys(keys_of(keys), {{}, {}, step})});
      })) {}
Animation Animation::sequence(const std::vector<Scene>& flames, const SequenceOptions& options,
                              bool loop) {
  return guarded([&] {
    return Animation(
        std::make_unique<Impl>(Impl{in_sequence(flames_of(flames), options, loop, {})}));
  });
}
Animation::Animation(Animation&&) noexcept = default;
Animation& Animation::operator=(Animation&&) noexcept = default;
Animation::~Animation() = default;

int Animation::frame_count() const { return static_cast<int>(impl_->frames.frames.size()); }
int Animation::number(int frame) const { return frame_of(*this, frame).number; }
double Animation::time(int frame) const { return frame_of(*this, frame).time; }
Scene Animation::scene(int frame) const {
  return guarded([&] {
    return scene_of(
        frame_at(impl_->frames.keys, frame_of(*this, frame), MotionBlur::without).flame);
  });
}

const FrameTime& frame_of(const Animation& animation, int frame) {
  const std::vector<FrameTime>& frames = animation.impl().frames.frames;
  if (frame < 0 || frame >= animation.frame_count())
    fail(ErrorKind::usage, "there is no frame {}: the animation has {}", frame, frames.size());
  return frames[static_cast<std::size_t>(frame)];
}

namespace {

constexpr int most_members = 1'000'000;

std::vector<Scene> scenes_of(std::vector<Flock::Member> members) {
  std::vector<Scene> scenes;
  for (Flock::Member& member : members) scenes.push_back(scene_of(std::move(member.flame)));
  return scenes;
}

/// The index of a name among all of its kind. Throws Error (usage).
template <class Names>
std::size_t place_among(const Names& names, const char* what, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    fail(ErrorKind::usage, "\"{}\" is no {}; take one of {}", printable_whole(name), what,
         joined({names.begin(), names.end()}, ", "));
  return std::size_t(found - names.begin());
}

}  // namespace

std::vector<Scene> random_scenes(int count, std::uint64_t seed, const RenderOptions& options) {
  require(count >= 0 && count <= most_members, "count must be 0 to 1000000");
  return guarded([&] { return scenes_of(Flock(options).random(usual_flame(), seed, count, {})); });
}

std::vector<Scene> mutants(const Scene& scene, int count, std::uint64_t seed, double strength,
                           const std::string& direction, const RenderOptions& options) {
  require(count >= 0 && count <= most_members, "count must be 0 to 1000000");
  require(strength >= 0 && strength <= 1, "strength must be 0 to 1");
  Mutation mutation{strength, Direction(place_among(direction_names, "direction", direction)), {}};
  return guarded([&] {
    return scenes_of(
        Flock(options, taste_of_mutants()).mutations(scene.impl().ready(), mutation, seed, count));
  });
}

std::vector<Scene> children(const std::vector<Scene>& parents, int count, std::uint64_t seed,
                            const std::string& method, const RenderOptions& options) {
  require(count >= 0 && count <= most_members, "count must be 0 to 1000000");
  require(parents.size() > 1, "children have two parents at least");
  const auto how = Breeding(place_among(breeding_names, "method", method));
  std::vector<Flame> flames;
  for (const Scene& parent : parents) flames.push_back(parent.impl().ready());
  return guarded([&] {
    return scenes_of(Flock(options, taste_of_children()).children(flames, how, seed, count));
  });
}

void previews(const std::vector<Scene>& scenes, int width, int height, double quality,
              const RenderOptions& options,
              const std::function<void(int index, Image image, const std::string& failure)>& take) {
  require(width >= 1 && width <= most_preview_side && height >= 1 && height <= most_preview_side,
          "width and height of a small picture must be 1 to 2000 pixels; a larger one is rendered");
  require(quality > 0 && quality <= 1e9, "the quality must be above 0, at most 1e9");
  require(options.linear || options.bits == 8 || options.bits == 16, "bits must be 8 or 16");
  require(options.until_noise == 0 && options.time_limit_s == 0 && !options.halves,
          "a preview ends with its quality; leave until_noise, time_limit_s and halves out");
  require(options.crop_marks == 0, "a preview has no crop marks");
  RenderOptions own = options;
  own.on_progress = nullptr;
  own.on_rows = nullptr;
  Previews::Steps steps;
  steps.count = scenes.size();
  steps.flame = [&](std::size_t place) {
    Scene scene = scenes[place];
    scene.set_width(width);
    Flame flame = scene.impl().ready();
    flame.height = height;
    flame.quality = quality;
    return flame;
  };
  steps.take = [&](std::size_t place, Preview preview) {
    take(int(place), std::move(preview.image), preview.failure ? preview.failure->what() : "");
  };
  guarded([&] { Previews(own).make(steps); });
}

}  // namespace kiln
