// kiln as a library: load flames, render them, save the pictures. It needs nothing but the standard
// library; kiln_fft.h, the other header that is installed, has the FFT alone. With CMake:
//   find_package(kiln REQUIRED)
//   target_link_libraries(my_program PRIVATE kiln::kiln)
// A complete program is examples/render.cpp. The functions may be called from several threads at
// once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace kiln {

/// What every function throws; `code` is the exit code of the command line program (docs/cli.md): 2
/// wrong usage, 3 bad input, 4 unsupported input, 5 output cannot be written, 6 memory or device.
struct Failure : std::runtime_error {
  Failure(int exit_code, const std::string& message)
      : std::runtime_error(message), code(exit_code) {}
  int code;
};

enum class Where { automatic, cpu, cuda };

/// How to render. The same scene, seed and depth give the same pixels on every device and with any
/// number of threads.
struct Settings {
  std::uint64_t seed = 0;
  Where where = Where::automatic;  // automatic: a CUDA device if there is one
  int cuda_device = 0;
  int threads = 0;                          // 0: all cores
  int bits = 8;                             // 8 or 16 bits a channel
  bool transparent = false;                 // alpha instead of the background colour
  bool earlyclip = false;                   // flam3's earlyclip
  bool compat_flam3 = false;                // keep also the behaviour of flam3 that kiln corrects
  std::uint64_t max_memory_bytes = 0;       // 0: no limit
  std::function<void(double)> on_progress;  // share of the work done, 0..1, from the calling thread
};

/// RGBA with straight alpha; row 0 is the top.
struct Picture {
  int width = 0, height = 0;
  int bits = 8;  // 8: samples8 holds [height, width, 4]; 16: samples16 does
  std::vector<std::uint8_t> samples8;
  std::vector<std::uint16_t> samples16;
  std::uint64_t samples_recorded = 0;  // points that the chaos game recorded
  std::string device;                  // what rendered it
  std::string hash;                    // SHA-256 of size, depth and pixels
  std::string genome;                  // the flame as XML, for save()
  std::string record;                  // what it takes to make it again (JSON), for save()
};

/// What to do with a flame that needs a variation or setting that kiln does not have: throw a
/// Failure (code 4), or load it without, with a warning; the record of its pictures says so.
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
  friend Picture render(const Scene&, const Settings&);
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

Picture render(const Scene& scene, const Settings& settings = {});

/// Writes a PNG with the genome in it, whole or not at all.
void save(const Picture& picture, const std::string& path);

/// "0.1.0"
const char* version();

}  // namespace kiln
