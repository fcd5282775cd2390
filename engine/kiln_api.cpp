// Rendering and saving of the public header, in terms of the engine's own.
#include <filesystem>
#include <optional>
#include <utility>

#include "engine/animation/frame_at.h"
#include "engine/animation/frame_record.h"
#include "engine/api_content.h"
#include "engine/base/available_memory.h"
#include "engine/base/clock.h"
#include "engine/io/exr_writer.h"
#include "engine/io/genome_writer.h"
#include "engine/io/png_writer.h"
#include "engine/io/point_spread_reader.h"
#include "engine/io/state_reader.h"
#include "engine/io/state_writer.h"
#include "engine/model/pixel_hash.h"
#include "engine/render/prepared_frame.h"
#include "engine/render/renderer.h"

namespace kiln {
namespace {

void check_format(const RenderOptions& options) {
  check(options.linear || options.bits == 8 || options.bits == 16, "bits must be 8 or 16");
}

void check_samples(const Image& image) {
  const std::size_t pixels =
      static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
  const std::size_t samples = image.bits() == 8    ? image.pixels8().size()
                              : image.bits() == 16 ? image.pixels16().size()
                                                   : image.linear().rgba.size();
  check(image.width > 0 && image.height > 0 && samples == 4 * pixels,
        "a picture needs width * height * 4 samples");
  check(image.bits() != 32 || image.linear().hits.size() == pixels,
        "a linear picture needs width * height hits");
}

/// The hash, genome and record of a picture that is rendered.
void describe(const Flame& flame, const RenderOptions& options, Picture& picture) {
  picture.hash = pixel_hash(picture.image);
  picture.genome = genome_xml(flame);
  RenderOptions made = options;
  made.bits = picture.image.bits();
  picture.record = render_record(flame, made, picture.statistics, picture.hash);
}

SavedSums sums_of(const std::string& path, const RenderOptions& options) {
  const std::uint64_t limit = options.max_memory_bytes;
  return read_state(path, limit ? limit : available_memory_bytes());
}

/// Begins with what the file has, writes it every so often, and stops when it is asked to. A save
/// that fails on the way is tried again; the last one's failure is the render's.
Keeping keeping_in(const StateFile& state, const Flame& flame, const RenderOptions& options) {
  Keeping keeping;
  if (std::filesystem::exists(state.path)) keeping.sums = sums_of(state.path, options);
  keeping.sums.genome = genome_xml(flame);
  keeping.sums.record = render_record(flame, options, RenderStatistics{}, "");
  keeping.ask = [stop = options.stop, every_s = state.every_s, last = Clock::now()]() mutable {
    if (stop.stop_requested()) return Keeping::Wish::stop;
    if (seconds_since(last) < every_s) return Keeping::Wish::go_on;
    last = Clock::now();
    return Keeping::Wish::save;
  };
  keeping.save = [path = state.path](const SavedSums& sums) { write_state(path, sums); };
  return keeping;
}

/// The picture of sums that the file at `path` keeps. Errors about what it brought name it.
Picture picture_of(const std::string& path, Keeping& keeping, const Flame& flame,
                   const RenderOptions& options, Renderer& renderer) {
  Frame frame{flame, {}, {}, 0};
  const bool is_begun = !keeping.sums.shape.digest.empty();
  if (is_begun) frame.gutter = int(keeping.sums.shape.gutter);
  Picture picture;
  std::optional<Image> image;
  try {
    image = renderer.render(prepare(frame, options), keeping, &picture.statistics);
  } catch (const Error& error) {
    const bool is_of_file = error.kind == ErrorKind::usage || error.kind == ErrorKind::input;
    if (!is_begun || !is_of_file) throw;
    fail(error.kind, "{}: {}", path, error.what());
  }
  if (!image) fail(ErrorKind::stopped, "stopped; the same call goes on with what {} has", path);
  picture.image = std::move(*image);
  describe(flame, options, picture);
  return picture;
}

}  // namespace

struct Session::Content {
  RenderOptions options;
  Renderer renderer;
};

Session::Session(const RenderOptions& options)
    : content_(guarded([&] {
        check_format(options);
        return std::make_unique<Content>(Content{options, Renderer(options)});
      })) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

std::string Session::device() const { return content_->renderer.device(); }

Picture Session::render(const Scene& scene) { return render(scene, content_->options); }
Picture Session::render(const Scene& scene, const RenderOptions& options) {
  return guarded([&] {
    check_format(options);
    content_->renderer.change(options);
    const Flame& flame = scene.content().flame;
    Picture picture;
    picture.image = content_->renderer.render(Frame{flame, {}, {}, 0}, &picture.statistics);
    describe(flame, options, picture);
    return picture;
  });
}

Picture Session::render(const Animation& animation, int frame) {
  return render(animation, frame, content_->options);
}
Picture Session::render(const Animation& animation, int frame, const RenderOptions& options) {
  return guarded([&] {
    check_format(options);
    content_->renderer.change(options);
    const FrameTime& time = frame_of(animation, frame);
    const std::vector<Flame>& keys = animation.content().frames.keys;
    Picture picture;
    picture.image = content_->renderer.render(frame_at(keys, time), &picture.statistics);
    describe(frame_at(keys, time, MotionBlur::without).flame, options, picture);
    const std::string digest = frame_digest(animation_digest(keys, options), time);
    picture.record = frame_record(picture.record, time, digest);
    return picture;
  });
}

Picture Session::render(const Scene& scene, const RenderOptions& options, const StateFile& state) {
  return guarded([&] {
    check_format(options);
    check(!state.path.empty(), "a state file needs a name");
    const Flame& flame = scene.content().flame;
    Keeping keeping = keeping_in(state, flame, options);
    RenderOptions unwatched =
        options;  // sums are whole between what the device takes up, not within
    unwatched.stop = {};
    content_->renderer.change(unwatched);
    return picture_of(state.path, keeping, flame, unwatched, content_->renderer);
  });
}

Picture Session::grade(const Scene& scene, const RenderOptions& options,
                       const std::string& state_path) {
  return guarded([&] {
    check_format(options);
    content_->renderer.change(options);
    Keeping keeping;
    keeping.sums = sums_of(state_path, options);
    keeping.only_look = true;
    return picture_of(state_path, keeping, scene.content().flame, options, content_->renderer);
  });
}

Picture render(const Scene& scene, const RenderOptions& options) {
  return Session(options).render(scene);
}

std::shared_ptr<const PointSpread> load_point_spread(const std::string& option) {
  return guarded([&] { return std::make_shared<const PointSpread>(read_point_spread(option)); });
}

std::string encode(const Picture& picture, ExrPrecision precision) {
  check_samples(picture.image);
  return guarded([&] {
    const std::vector<PngText> texts = picture_texts(picture.genome, picture.record);
    return picture.image.bits() == 32 ? exr_bytes(picture.image, precision, texts)
                                      : png_bytes(picture.image, texts);
  });
}

void save(const Picture& picture, const std::string& path, ExrPrecision precision) {
  const Image& image = picture.image;
  check_samples(image);
  check(image.bits() != 32 || path.ends_with(".exr"),
        "a PNG has no linear light; render without it, or name the file .exr");
  guarded([&] {
    const std::vector<PngText> texts = picture_texts(picture.genome, picture.record);
    if (image.bits() == 32) {
      write_exr(path, image, precision, texts);
    } else {
      write_png(path, image, texts, AtomicFile::Existing::replace, 0);
    }
  });
}

const char* version() { return KILN_VERSION; }

}  // namespace kiln
