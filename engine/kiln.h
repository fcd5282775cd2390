// kiln as a library: load flames, render them, save the pictures. It needs nothing but the standard
// library and the headers of kiln/ beside it; kiln_fft.h has the FFT alone. With CMake:
//   find_package(kiln REQUIRED)
//   target_link_libraries(my_program PRIVATE kiln::kiln)
// A complete program is examples/render.cpp. The functions may be called from several threads at
// once; what they throw is an Error.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kiln/error.h"
#include "kiln/image.h"
#include "kiln/render_options.h"

namespace kiln {

/// A picture and how it came to be.
struct Picture {
  Image image;
  RenderStatistics statistics;
  std::string hash;    // SHA-256 of size, depth and pixels
  std::string genome;  // the flame as XML, for save()
  std::string record;  // what it takes to make it again (JSON), for save()
};

/// What to do with a flame that needs a variation or setting that kiln does not have: throw an
/// Error (unsupported), or load it without, with a warning; the record of its pictures says so.
enum class Unsupported { refuse, approximate };

/// One flame, ready to render. Copies are independent.
class Scene {
 public:
  Scene(const Scene&);
  Scene(Scene&&) noexcept;
  Scene& operator=(Scene) noexcept;
  ~Scene();

  std::string name() const;
  int width() const;
  int height() const;
  double quality() const;  // samples per pixel

  /// A new width in pixels with the same framing; the height follows.
  void set_width(int pixels);
  void set_quality(double samples_per_pixel);
  /// The flame as flam3 XML.
  std::string xml() const;

 private:
  struct Content;
  explicit Scene(std::unique_ptr<Content> content);
  std::unique_ptr<Content> content_;
  friend std::vector<Scene> load_scenes(const std::string&,
                                        const std::function<void(const std::string&)>&,
                                        Unsupported);
  friend std::vector<Scene> parse_scenes(const std::string&,
                                         const std::function<void(const std::string&)>&,
                                         Unsupported);
  friend Picture render(const Scene&, const RenderOptions&);
};

/// The flames of a file: .flam3, .flame, or a PNG that carries its genome; "-" is standard input.
/// `warn` gets what is odd about the file, one line each.
std::vector<Scene> load_scenes(const std::string& path,
                               const std::function<void(const std::string&)>& warn = {},
                               Unsupported unsupported = Unsupported::refuse);

/// The same for XML that is in memory.
std::vector<Scene> parse_scenes(const std::string& xml,
                                const std::function<void(const std::string&)>& warn = {},
                                Unsupported unsupported = Unsupported::refuse);

/// Throws Error (usage) for options that contradict each other or the scene.
Picture render(const Scene& scene, const RenderOptions& options = {});

/// Writes a PNG with the genome in it, whole or not at all.
void save(const Picture& picture, const std::string& path);

/// "0.1.0"
const char* version();

}  // namespace kiln
