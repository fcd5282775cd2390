// SPDX-License-Identifier: MIT
// kiln as a library: load flames, change and render them, save the pictures. It needs nothing but
// the standard library and the headers of kiln/ beside it; kiln_fft.h has the FFT alone, kiln_c.h
// the same functions for C and other languages. With CMake:
//   find_package(kiln REQUIRED)
//   target_link_libraries(my_program PRIVATE kiln::kiln)      # or kiln::shared
// Complete programs are examples/render.cpp, examples/session.cpp and examples/live.cpp. The
// functions may be called from several threads at once, an object by one at a time; what they throw
// is an Error. Programs built with kiln 0.M run with every later 0.M of the same M; a new M may
// change functions and structs, and its libkiln.so has another name.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kiln/device_info.h"
#include "kiln/error.h"
#include "kiln/image.h"
#include "kiln/light.h"
#include "kiln/parts.h"
#include "kiln/points.h"
#include "kiln/render_options.h"
#include "kiln/sequence_options.h"
#include "kiln/song_tracks.h"

namespace kiln {

/// A picture and how it came to be.
struct Picture {
  Image image;
  RenderStatistics statistics;
  std::string hash;    // SHA-256 of size, depth and pixels
  std::string genome;  // the flame as XML, for save()
  std::string record;  // what it takes to make it again (JSON), for save()
};

/// The picture of a render with a state file is finished, and the file could not be written at the
/// end: the Error says why, and here is the picture.
struct StateNotWritten : Error {
  StateNotWritten(const std::string& why, Picture made)
      : Error(ErrorKind::output, why), picture(std::make_shared<Picture>(std::move(made))) {}
  std::shared_ptr<Picture> picture;
};

/// The treatment of a flame that needs a variation or setting that kiln does not have: throw an
/// Error (unsupported), or load it without, with a warning; the record of its pictures says so.
enum class Unsupported { refuse, approximate };

/// One flame. Copies are independent; two are equal where their pictures are of one flame, and name, notes
/// and edits are the same, too.
class Scene {
 public:
  /// A flame from nothing: no xforms yet, a white palette, 800 x 800 pixels.
  Scene();
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
  /// The value of <flame NAME="..."> (docs/reference/writing-flames.md), with all digits; empty if it equals
  /// the default.
  std::string attribute(const std::string& name) const;
  /// Makes <flame NAME="value"> of it, as an editor would; for "palette" the value is a number or a
  /// name in flam3's library, a file with a palette, or FILE#NUMBER. Throws Error (usage, or
  /// input for the file).
  void set(const std::string& name, const std::string& value);
  /// A palette of these colors, red green blue from 0 to 1: 1 to 65536 of them, between which it goes
  /// straight where they are not 256. Throws Error (usage).
  void set_palette(const std::vector<std::array<double, 3>>& colors);
  /// The flame as flam3 XML.
  std::string xml() const;

  // Parts by name (docs/use/objects.md): "brightness", "xform.0.julian", "xform.*.color_speed",
  // "xform.1.coefs", "final.opacity", "xform.0" (the element), "tracks", "links"; of numbers "xaos" (n x n),
  // "palette" (3 a color) and "palette_rgba" (4). kiln/parts.h has objects of them. Each function
  // throws Error (usage) with the words of the file's reader, and leaves the flame as it was then.

  /// A part as its file has it, what is usual too; set() takes these names.
  std::string get(const std::string& part) const;
  std::vector<double> numbers(const std::string& part) const;
  void set_numbers(const std::string& part, const std::vector<double>& numbers);
  /// The names of what the flame (""), an xform ("xform.0") or its variations ("xform.0.variations") have.
  std::vector<std::string> names(const std::string& of) const;
  /// The number of those called "xform", "final" or "track".
  int count(const std::string& of) const;
  /// Inserts an xform at "xform.2" or "final.0": an element <xform ...>; empty: one that moves nothing. Xaos,
  /// tracks and links stay with their xforms, as they do when one is removed or moved.
  void insert(const std::string& at, const std::string& element = "");
  void remove(const std::string& at);
  void move(const std::string& at, int to);
  /// SHA-256 of all that the flame is: equal flames have equal ones.
  std::string digest() const;
  /// XML of what flam3 3.1.1 itself can say, for flam3 and all that read its files. Whatever it does not
  /// have is an Error (unsupported), or left out with a warning.
  std::string flam3_xml(const std::function<void(const std::string&)>& warn = {},
                        Unsupported unsupported = Unsupported::refuse) const;

  struct Impl;  // the library's own
  explicit Scene(std::unique_ptr<Impl> impl);
  Impl& impl() { return *impl_; }
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

inline bool operator==(const Scene& a, const Scene& b) { return a.digest() == b.digest(); }
inline bool operator!=(const Scene& a, const Scene& b) { return !(a == b); }

/// Names what differs between two flames, a line each: "gamma: 4, then 3", "xform 2: julian: 1, then 0.5";
/// xforms are matched by likeness. None: their pictures are the same. As JSON: that of kiln diff --json.
std::vector<std::string> differences(const Scene& a, const Scene& b);
std::string differences_json(const Scene& a, const Scene& b);

/// The flames of a file: .flam3, .flame, or a picture that carries its genome; "-" is standard
/// input. `warn` gets what is odd about the file, one line each.
std::vector<Scene> load_scenes(const std::string& path,
                               const std::function<void(const std::string&)>& warn = {},
                               Unsupported unsupported = Unsupported::refuse);

/// Reads the flames of XML that is in memory, as load_scenes() reads those of a file.
std::vector<Scene> parse_scenes(const std::string& xml,
                                const std::function<void(const std::string&)>& warn = {},
                                Unsupported unsupported = Unsupported::refuse);

// Flames by chance (docs/use/flock.md): each worth a look, unlike those before it, and the same for a seed on
// every machine. Of the options the device and its threads count.

std::vector<Scene> random_scenes(int count, std::uint64_t seed = 0,
                                 const RenderOptions& options = {});
/// Flames like one. `strength` 0..1; `direction` and `method`: as those of kiln mutate and kiln breed.
/// Throws Error (usage).
std::vector<Scene> mutants(const Scene& scene, int count, std::uint64_t seed = 0,
                           double strength = 0.5, const std::string& direction = "any",
                           const RenderOptions& options = {});
/// Flames bred each from two of the parents.
std::vector<Scene> children(const std::vector<Scene>& parents, int count, std::uint64_t seed = 0,
                            const std::string& method = "any", const RenderOptions& options = {});

/// Key flames and the frames between them.
class Animation {
 public:
  /// The frames of `kiln animate`: keys of increasing `time`, a frame at every `step` from the time
  /// of the first to that of the last less 1. All get the size of the first.
  explicit Animation(const std::vector<Scene>& keys, double step = 1);
  /// The frames of `kiln animate --sequence`: each flame turns, then becomes the next; with `loop`
  /// the last becomes the first again.
  static Animation sequence(const std::vector<Scene>& flames, const SequenceOptions& options = {},
                            bool loop = false);
  Animation(Animation&&) noexcept;
  Animation& operator=(Animation&&) noexcept;
  ~Animation();

  int frame_count() const;
  /// The number of frame 0 ... frame_count() - 1, as file names have it, and its time.
  int number(int frame) const;
  double time(int frame) const;
  /// The flame at the frame's time.
  Scene scene(int frame) const;

  struct Impl;  // the library's own
  const Impl& impl() const { return *impl_; }

 private:
  explicit Animation(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// A file that keeps the sums of a still (docs/reference/kiln-file.md), before brightness, gamma and all else
/// of the look. load_scenes() reads the flame out of it.
struct StateFile {
  std::string path;
  double every_s = 60;  // between two times that it is written while the picture is made
};

/// Every device that can render here, the CPU first, as `kiln devices` lists them.
std::vector<DeviceInfo> list_devices();
/// Every GPU. Throws Error (device) where there is none.
std::vector<HelpingDevice> all_gpus();
/// The first of the devices makes the pictures of these options, the others help with each: the same
/// pictures, sooner. Throws Error (usage) for an empty list.
void share_work(const std::vector<HelpingDevice>& devices, RenderOptions& options);

/// Renders picture after picture on one device and keeps it, with its memory and the kernels that
/// it compiled. One render at a time: another one, from another thread as from its own on_progress,
/// throws Error (usage). In a child of fork() one on the CPU renders as before; a GPU that the parent
/// has used is an Error (device) there.
class Session {
 public:
  /// Opens the device that the options name. Throws Error (device, or usage for threads beyond 4096).
  explicit Session(const RenderOptions& options = {});
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  /// "cpu (x86-64-v3, 2 threads)" or "cuda 0 (NVIDIA H200)"
  std::string device() const;
  /// Renders with the session's options, or others of the same backend, devices and threads. An
  /// Error, also that of a stopped render, leaves the next render as if nothing had been.
  Picture render(const Scene& scene);
  Picture render(const Scene& scene, const RenderOptions& options);
  /// A frame with its motion blur: the file of `kiln animate` to the last byte. One that is cleaned takes the
  /// four around it, which are played for each call; render_frames() plays them once.
  Picture render(const Animation& animation, int frame);
  Picture render(const Animation& animation, int frame, const RenderOptions& options);
  /// Renders a still that begins with the sums of the file, if it exists, and saves its sums there.
  /// When it is stopped (after what the device has taken up, a second at most as a rule), the same
  /// call goes on; with a higher quality it goes further. Throws Error (usage) for sums of another
  /// flame or seed, and StateNotWritten.
  Picture render(const Scene& scene, const RenderOptions& options, const StateFile& state);
  /// One part of the same still's work, for another machine to make the others: its sums go into the
  /// file, which the same call goes on with; merge() puts all shards together. Not with until_noise
  /// or time_limit_s. Throws as render() with a state file does, and Error (usage) for a shard that
  /// is not 1 to `of`, at most 100000.
  RenderStatistics render_shard(const Scene& scene, const RenderOptions& options,
                                const StateFile& state, const Shard& shard);
  /// The picture of finished sums with another look: brightness, gamma, filter, bits, crop, ... The
  /// scene is that of the file, or as like it as sums ask for. Throws Error (input) where samples
  /// are missing.
  Picture grade(const Scene& scene, const RenderOptions& options, const std::string& state_path);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Puts shards of one still together: the sums of all these state files as the file `path`, which
/// may be one of them. grade() makes its picture where none is missing. Of the options `stop`, which
/// is heard within about 0.1 s for each GB of sums, and max_memory_bytes count. Throws Error (input) for states of
/// different stills, with different looks, or with the same units twice.
void merge(const std::vector<std::string>& states, const std::string& path,
           const RenderOptions& options = {});

/// A session for one picture. Throws Error (usage) for options that contradict each other or the
/// scene.
Picture render(const Scene& scene, const RenderOptions& options = {});

/// Frames of an animation as Session::render() makes them, sooner: the next ones are prepared and the
/// last ones described beside those that are rendered, and each device that shares the work
/// (share_work) makes frames of its own, of those that are cleaned runs of neighbors. `take` gets them in
/// the order of the list, from the thread that calls. Throws the first frame's Error, when `take` had
/// those before it, and what `take` throws; on_progress is not called.
void render_frames(const Animation& animation, const std::vector<int>& frames,
                   const RenderOptions& options,
                   const std::function<void(int frame, Picture picture)>& take);

/// The most pixels a side of a small picture, as of kiln sheet.
constexpr int most_preview_side = 2000;

/// Small pictures of many scenes beside each other, thousands of them in the time that few renders take: the
/// pixels of `kiln render --width W --height H --quality Q`, which sees as much of a scene's width as it
/// says. `take` gets them in the order of the list, from the thread that calls; for a scene without a
/// picture, an image without pixels and why. No more of them are there at a time than some for each thread.
/// Throws Error (usage for a size or options that no picture has; stopped), and what `take` throws;
/// on_progress is not called.
void previews(const std::vector<Scene>& scenes, int width, int height, double quality,
              const RenderOptions& options,
              const std::function<void(int index, Image image, const std::string& failure)>& take);

/// A picture of a live scene.
struct LiveFrame {
  Image image;  // 8 bits a channel; while the scene changes smaller, where that is faster
  std::uint64_t edit = 0;  // that it shows: the number that edit(), undo() ... gave
  int index = 0;           // of the scene
  double quality = 0;      // samples per pixel so far
  bool settled = false;    // the picture of render(), to the last bit: no other comes
  double seconds = 0;      // that it took, or its last step
};

/// Scenes that are edited while a thread of its own makes pictures of the open one, as `kiln view`
/// does: quick ones at once, then better ones up to the finished one (docs/use/live.md). All functions
/// may be called from several threads, and throw Error (usage) in a child of fork().
class LiveScene {
 public:
  /// Opens the device and the first scene. Throws Error (device, or usage for no scenes, and for
  /// options beside 8 bits).
  explicit LiveScene(const std::vector<Scene>& scenes, const RenderOptions& options = {});
  LiveScene(LiveScene&&) noexcept;
  LiveScene& operator=(LiveScene&&) noexcept;
  /// Stops.
  ~LiveScene();

  std::string device() const;
  /// The open scene as it is now.
  Scene scene() const;
  /// Replaces the open scene; a scene that another edit overtakes is never rendered. Edits in a row
  /// of one `gesture`, unless it is 0, are one step of undo. Returns the edit's number, which its
  /// pictures carry. Throws Error (input) with what is wrong with the scene.
  std::uint64_t edit(const Scene& scene, std::uint64_t gesture = 0);
  std::uint64_t edit(const std::string& xml, std::uint64_t gesture = 0);
  /// undo() and redo() return the revision that is shown afterwards.
  std::uint64_t undo();
  std::uint64_t redo();
  /// Opens scene 0, 1 ..., each with edits of its own. Throws Error (usage).
  std::uint64_t select(int index);
  /// Sets the most pixels of a picture while the scene changes, and the seconds that it may take.
  void set_effort(double pixels, double seconds);

  /// The newest picture that was not fetched, as soon as there is one; nothing after the time, as
  /// always when the settled one was fetched. Throws Error (device) if the scene has no picture.
  std::optional<LiveFrame> next_picture(double timeout_s);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Loads RenderOptions::psf from "FILE.png[,STRENGTH[,SIZE%]]" (docs/use/effects.md).
std::shared_ptr<const PointSpread> load_point_spread(const std::string& option);

/// The picture's file with the genome in it: an OpenEXR of linear light, else a PNG.
std::string encode(const Picture& picture, ExrPrecision precision = ExrPrecision::half_float);

/// Writes that file whole or not at all. The path decides on its format: .exr for a linear picture,
/// for any other .png, .jpg or .ppm. A file of flames is not replaced.
void save(const Picture& picture, const std::string& path,
          ExrPrecision precision = ExrPrecision::half_float);

/// Both also write the credits into the file, which has none otherwise.
std::string encode(const Picture& picture, const Credits& credits,
                   ExrPrecision precision = ExrPrecision::half_float);
void save(const Picture& picture, const std::string& path, const Credits& credits,
          ExrPrecision precision = ExrPrecision::half_float);

/// Points of a flame in memory, or in a file that ends in .ply or .csv ("-": a PLY to standard output). The same
/// options give the same points everywhere. Throws Error (usage; input where the flame shows no point).
Points points(const Scene& scene, const PointOptions& options = {});
void save_points(const Scene& scene, const std::string& path, const PointOptions& options = {});

/// Finds the xforms that made the light in a place of the picture, and the ways of two by which it came. Throws Error
/// (usage: a place outside of the picture).
LightAt light_at(const Scene& scene, const LightOptions& options);

/// Listens to a song, or the sound of a film, by the program ffmpeg: loudness, bands, onsets, tempo and beats (docs/use/music.md).
/// The same samples give the same numbers everywhere. Throws Error (input: it is not there or no sound; output: there is
/// no ffmpeg; usage).
SongTracks listen(const std::string& path, const ListenOptions& options = {});

/// "0.2.0"
const char* version();

}  // namespace kiln
