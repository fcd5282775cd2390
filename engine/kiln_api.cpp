// The public header's functions, in terms of the engine's own. Engine types stay behind
// Scene::Content.
#include <new>
#include <optional>

#include "engine/base/error.h"
#include "engine/io/flame_reader.h"
#include "engine/io/genome_writer.h"
#include "engine/io/png_writer.h"
#include "engine/kiln.h"
#include "engine/model/pixel_hash.h"
#include "engine/render/renderer.h"

namespace kiln {

struct Scene::Content {
  Flame flame;
};

namespace {

/// Calls `body`; memory that runs out is an Error as all else is.
template <class Body>
auto guarded(Body body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    fail(ErrorKind::device, "out of memory; a smaller picture needs less");
  }
}

void check(bool holds, const char* what) {
  if (!holds) fail(ErrorKind::usage, "{}", what);
}

ReaderOptions reader_options(const std::function<void(const std::string&)>& warn,
                             Unsupported unsupported) {
  ReaderOptions options;
  options.approximate = unsupported == Unsupported::approximate;
  options.warn = warn ? warn : [](const std::string&) {};
  return options;
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

Picture render(const Scene& scene, const RenderOptions& options) {
  check(options.linear || options.bits == 8 || options.bits == 16, "bits must be 8 or 16");
  return guarded([&] {
    const Flame& flame = scene.content_->flame;
    Picture picture;
    picture.image = render(flame, options, &picture.statistics);
    picture.hash = pixel_hash(picture.image);
    picture.genome = genome_xml(flame);
    RenderOptions made = options;
    made.bits = picture.image.bits();
    picture.record = render_record(flame, made, picture.statistics, picture.hash);
    return picture;
  });
}

void save(const Picture& picture, const std::string& path) {
  const Image& image = picture.image;
  check(image.bits() != 32, "a PNG has no linear light; render without it");
  const std::size_t samples =
      static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 4;
  check(image.width > 0 && image.height > 0 &&
            (image.bits() == 8 ? image.pixels8().size() : image.pixels16().size()) == samples,
        "a picture needs width * height * 4 samples");
  guarded([&] {
    write_png(path, image, picture_texts(picture.genome, picture.record),
              AtomicFile::Existing::replace, 0);
  });
}

const char* version() { return KILN_VERSION; }

}  // namespace kiln
