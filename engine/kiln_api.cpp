// The public header's functions, in terms of the engine's own. Engine types stay behind
// Scene::Content, engine errors become Failure.
#include <new>
#include <optional>

#include "engine/base/error.h"
#include "engine/io/flame_reader.h"
#include "engine/io/genome_writer.h"
#include "engine/io/png_writer.h"
#include "engine/kiln.h"
#include "engine/render/renderer.h"

namespace kiln {

struct Scene::Content {
  Flame flame;
};

namespace {

/// Calls `body` and turns what the engine throws into a Failure.
template <class Body>
auto guarded(Body body) {
  try {
    return body();
  } catch (const Error& error) {
    throw Failure(static_cast<int>(error.kind), error.what());
  } catch (const std::bad_alloc&) {
    throw Failure(static_cast<int>(ErrorKind::device),
                  "out of memory; a smaller picture needs less");
  }
}

RenderOptions engine_options(const Settings& settings) {
  RenderOptions options;
  options.seed = settings.seed;
  options.threads = settings.threads;
  options.backend = settings.where == Where::cuda  ? Backend::cuda
                    : settings.where == Where::cpu ? Backend::cpu
                                                   : Backend::automatic;
  options.device = settings.cuda_device;
  options.bits = settings.bits;
  options.transparent = settings.transparent;
  options.earlyclip = settings.earlyclip;
  options.compat_flam3 = settings.compat_flam3;
  options.max_memory_bytes = settings.max_memory_bytes;
  if (settings.on_progress) {
    options.on_progress = [report = settings.on_progress](const Progress& progress) {
      report(progress.done);
    };
  }
  return options;
}

void check(bool holds, const char* what) {
  if (!holds) throw Failure(static_cast<int>(ErrorKind::usage), what);
}

ReaderOptions reader_options(const std::function<void(const std::string&)>& warn,
                             Unsupported unsupported) {
  ReaderOptions options;
  options.approximate = unsupported == Unsupported::approximate;
  options.warn = warn ? warn : [](const std::string&) {};
  return options;
}

/// Whether alpha is full everywhere, so that a file need not hold it.
bool is_opaque(const Image& image) {
  for (std::size_t i = 3; i < image.pixels8.size(); i += 4)
    if (image.pixels8[i] != 0xff) return false;
  for (std::size_t i = 3; i < image.pixels16.size(); i += 4)
    if (image.pixels16[i] != 0xffff) return false;
  return true;
}

constexpr int side_max = 1'000'000;  // as in the command line and the reader

}  // namespace

Scene::Scene(std::unique_ptr<Content> content) : content_(std::move(content)) {}
Scene::Scene(const Scene& other) : content_(std::make_unique<Content>(*other.content_)) {}
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(Scene other) noexcept {
  content_.swap(other.content_);
  return *this;
}
Scene::~Scene() = default;

std::string Scene::name() const { return content_->flame.name; }
int Scene::width() const { return content_->flame.width; }
int Scene::height() const { return content_->flame.height; }
double Scene::quality() const { return content_->flame.quality; }
std::string Scene::xml() const { return genome_xml(content_->flame); }

void Scene::set_width(int pixels) {
  Flame& flame = content_->flame;
  const double factor = static_cast<double>(pixels) / flame.width;
  const double height = flame.height * factor + 0.5;
  check(pixels >= 1 && pixels <= side_max && height < side_max + 1.0,
        "the width must be 1 to 1000000 pixels");
  flame.width = pixels;
  flame.height = height < 1 ? 1 : static_cast<int>(height);
  flame.scale *= factor;
}

void Scene::set_quality(double samples_per_pixel) {
  check(samples_per_pixel > 0 && samples_per_pixel <= 1e9,
        "the quality must be above 0, at most 1e9");
  content_->flame.quality = samples_per_pixel;
}

std::vector<Scene> load_scenes(const std::string& path,
                               const std::function<void(const std::string&)>& warn,
                               Unsupported unsupported) {
  return guarded([&] {
    std::vector<Scene> scenes;
    for (Flame& flame : read_flames(path, reader_options(warn, unsupported)).flames) {
      scenes.push_back(Scene(std::make_unique<Scene::Content>(Scene::Content{std::move(flame)})));
    }
    return scenes;
  });
}

std::vector<Scene> parse_scenes(const std::string& xml,
                                const std::function<void(const std::string&)>& warn,
                                Unsupported unsupported) {
  return guarded([&] {
    std::vector<Scene> scenes;
    for (Flame& flame : parse_flames(xml, "memory", reader_options(warn, unsupported)).flames) {
      scenes.push_back(Scene(std::make_unique<Scene::Content>(Scene::Content{std::move(flame)})));
    }
    return scenes;
  });
}

Picture render(const Scene& scene, const Settings& settings) {
  check(settings.bits == 8 || settings.bits == 16, "bits must be 8 or 16");
  return guarded([&] {
    const RenderOptions options = engine_options(settings);
    RenderStatistics statistics;
    Image image = render(scene.content_->flame, options, &statistics);
    Picture picture;
    picture.hash = pixel_hash(image);
    picture.genome = genome_xml(scene.content_->flame);
    picture.record = render_record(scene.content_->flame, options, statistics, picture.hash);
    picture.width = image.width;
    picture.height = image.height;
    picture.bits = image.bits;
    picture.samples8 = std::move(image.pixels8);
    picture.samples16 = std::move(image.pixels16);
    picture.samples_recorded = statistics.samples;
    picture.device = statistics.device;
    return picture;
  });
}

void save(const Picture& picture, const std::string& path) {
  const std::size_t samples =
      static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height) * 4;
  check(picture.width > 0 && picture.height > 0 && (picture.bits == 8 || picture.bits == 16) &&
            (picture.bits == 8 ? picture.samples8.size() : picture.samples16.size()) == samples,
        "a picture needs width * height * 4 samples");
  guarded([&] {
    Image image;
    image.width = picture.width;
    image.height = picture.height;
    image.bits = picture.bits;
    image.pixels8 = picture.samples8;
    image.pixels16 = picture.samples16;
    image.opaque = is_opaque(image);
    write_png(path, image, picture_texts(picture.genome, picture.record),
              AtomicFile::Existing::replace, 0);
    return 0;
  });
}

const char* version() { return KILN_VERSION; }

}  // namespace kiln
