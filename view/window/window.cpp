// SPDX-License-Identifier: MIT
#include "view/window/window.h"

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cli/says/console.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/device/device_kind.h"
#include "engine/device/device_picture.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/picture/picture_format.h"
#include "engine/live/camera_moves.h"
#include "engine/live/live_flame.h"
#include "engine/model/image.h"
#include "view/server/view.h"
#include "view/window/screen.h"

namespace kiln::cli {
namespace {

// A live flame in a window of the desk: the mouse moves its camera, keys do the rest. For the main
// thread; the live flame's thread brings pictures, of which only the newest waits.

class FlameWindow {
 public:
  /// A window as large as the flame's picture, if the desk is. Throws Error (Screen).
  FlameWindow(const Flame& first, const RenderOptions& options);

  /// The place for the live flame's pixels if the GPU that renders also draws the window, else null.
  DevicePicture* place();
  /// The callbacks that the live flame calls.
  LiveFlame::Listener listener();
  /// Runs until the window is closed; `on_change` is called after each change made here.
  void run(LiveFlame& live, OnChange on_change);

 private:
  using Change = std::function<void(Flame&)>;
  using Action = void (*)(FlameWindow&);
  static const std::map<std::string, Change>& changes();  // by the names of keys
  static const std::map<std::string, Action>& actions();

  void take(const ScreenEvent& event);
  void change(std::uint64_t gesture, const Change& body);
  void select(int by);
  void play();
  void send();
  void fit();
  void show_newest();
  void show_from_gpu(double aspect);
  void show_title();
  void save_flame();
  void save_picture();
  std::string free_name(const std::string& ending) const;

  const RenderOptions options_;
  Screen screen_;
  DevicePicture place_;
  std::unique_ptr<WindowBuffer> buffer_;  // the screen's, as CUDA knows it
  std::size_t buffer_bytes_ = 0;
  LiveFlame* live_ = nullptr;
  OnChange on_change_;
  std::optional<Flame> pending_;  // changed here, and not yet an edit
  std::uint64_t gesture_ = 0;     // of that change
  std::uint64_t wheels_ = 0;      // turned, with something else between two
  LivePicture shown_;             // without its pixels
  Screen::Size size_;             // of the window, as the live flame knows it
  bool ending_ = false;

  std::mutex mutex_;  // of what follows, which the live flame's thread writes
  std::optional<LivePicture> newest_;
  std::vector<std::string> errors_;
};

constexpr double step = 1.1;          // of a key or a notch of the wheel
constexpr double shift_share = 0.03;  // of an arrow key: of the picture
constexpr double turn_degrees = 5, seconds_a_key = 4, mutation = 0.5;
constexpr double budget_s = 0.033;  // of a picture while things move
constexpr PictureShare middle{0.5, 0.5};
constexpr std::uint64_t own_gesture = std::uint64_t(1) << 60;  // pages count from 1

constexpr char help[] = R"(  drag, arrows             move
  wheel, i o, + -          closer, further away
  Shift or right drag, [ ] turn
  b B, g G, v V            more and less brightness, gamma, vibrancy
  PageUp, PageDown         previous, next flame
  m, r                     a mutation of the flame, a random flame
  z Z                      undo, redo
  Space                    play the film, or the flames as its keys; stop
  s, S                     save the flame, the finished picture
  Escape                   end
)";

double aspect_of(const Flame& flame) { return flame.width * flame.pixel_aspect / flame.height; }

/// The changes that keys make to the flame; of two names the second is for other keyboards.
const std::map<std::string, FlameWindow::Change>& FlameWindow::changes() {
  const auto times = [](double Flame::*number, double factor) {
    return [=](Flame& flame) { flame.*number *= factor; };
  };
  const auto panned = [](double x, double y) {
    return [=](Flame& flame) { pan(flame, {x * shift_share, y * shift_share}); };
  };
  const Change closer = [](Flame& flame) { zoom(flame, step, middle); };
  const Change away = [](Flame& flame) { zoom(flame, 1 / step, middle); };
  static const std::map<std::string, Change> all = {
      {"b", times(&Flame::brightness, step)},
      {"B", times(&Flame::brightness, 1 / step)},
      {"g", times(&Flame::gamma, step)},
      {"G", times(&Flame::gamma, 1 / step)},
      {"v", times(&Flame::vibrancy, step)},
      {"V", times(&Flame::vibrancy, 1 / step)},
      {"i", closer},
      {"+", closer},
      {"o", away},
      {"-", away},
      {"[", [](Flame& flame) { rotate(flame, -turn_degrees); }},
      {"]", [](Flame& flame) { rotate(flame, turn_degrees); }},
      {"Left", panned(1, 0)},  // the camera follows the arrow
      {"Right", panned(-1, 0)},
      {"Up", panned(0, 1)},
      {"Down", panned(0, -1)},
      {"m", [](Flame& flame) { flame = mutated(flame, {mutation}, std::random_device()()); }},
  };
  return all;
}

/// The other actions of keys.
const std::map<std::string, FlameWindow::Action>& FlameWindow::actions() {
  static const std::map<std::string, Action> all = {
      {"PageDown", [](FlameWindow& window) { window.select(1); }},
      {"PageUp", [](FlameWindow& window) { window.select(-1); }},
      {"r", [](FlameWindow& window) { window.live_->randomize(std::random_device()()); }},
      {"z", [](FlameWindow& window) { window.on_change_(window.live_->undo()); }},
      {"Ctrl+z", [](FlameWindow& window) { window.on_change_(window.live_->undo()); }},
      {"Z", [](FlameWindow& window) { window.on_change_(window.live_->redo()); }},
      {"Ctrl+y", [](FlameWindow& window) { window.on_change_(window.live_->redo()); }},
      {" ", [](FlameWindow& window) { window.play(); }},
      {"s", [](FlameWindow& window) { window.save_flame(); }},
      {"S", [](FlameWindow& window) { window.save_picture(); }},
      {"?", [](FlameWindow&) { print("{}", help); }},
      {"Escape", [](FlameWindow& window) { window.ending_ = true; }},
  };
  return all;
}

FlameWindow::FlameWindow(const Flame& first, const RenderOptions& options)
    : options_(options),
      screen_({int(first.height * aspect_of(first) + 0.5), first.height}, "kiln") {}

DevicePicture* FlameWindow::place() {
  return options_.backend != Backend::cpu && draws_windows(options_.device) ? &place_ : nullptr;
}

LiveFlame::Listener FlameWindow::listener() {
  LiveFlame::Listener listener;
  listener.picture = [this](LivePicture picture) {
    const std::lock_guard lock(mutex_);
    newest_ = std::move(picture);
    Screen::wake();
  };
  listener.error = [this](std::uint64_t, const std::string& text) {
    const std::lock_guard lock(mutex_);
    errors_.push_back(text);
    Screen::wake();
  };
  listener.thumbnail = [](LiveThumbnail) {};
  listener.changed = [] {};
  return listener;
}

void FlameWindow::run(LiveFlame& live, OnChange on_change) {
  live_ = &live;
  on_change_ = std::move(on_change);
  while (!ending_ && !screen_.is_closed()) {
    fit();
    for (const ScreenEvent& event : screen_.wait()) {
      try {
        take(event);
      } catch (const Error& error) {
        say("kiln: {}\n", error.what());
      }
    }
    send();
    show_newest();
    screen_.draw();
  }
}

void FlameWindow::take(const ScreenEvent& event) {
  using Kind = ScreenEvent::Kind;
  if (event.kind != Kind::wheel) ++wheels_;
  if (event.kind == Kind::wheel) {
    change(own_gesture + 2 * wheels_, [&](Flame& flame) {
      for (double left = event.steps; left > 0; left -= 1) zoom(flame, step, event.from);
      for (double left = event.steps; left < 0; left += 1) zoom(flame, 1 / step, event.from);
    });
  } else if (event.kind != Kind::key) {
    change(own_gesture + 2 * std::uint64_t(event.press) + 1, [&](Flame& flame) {
      if (event.kind == Kind::turn) return rotate(flame, event.from, event.to);
      pan(flame, {event.to.x - event.from.x, event.to.y - event.from.y});
    });
  } else if (const auto found = changes().find(event.key); found != changes().end()) {
    change(0, found->second);
    send();
  } else if (const auto other = actions().find(event.key); other != actions().end()) {
    send();
    other->second(*this);
  }
}

/// Changes in a row of one gesture, unless it is 0, become one edit before the next picture, and one
/// step of undo.
void FlameWindow::change(std::uint64_t gesture, const Change& body) {
  if (pending_ && gesture != gesture_) send();
  if (!pending_) pending_ = live_->flame();
  gesture_ = gesture;
  body(*pending_);
}

void FlameWindow::select(int by) {
  const int count = int(live_->names().size());
  int index = live_->state().index;
  do index = (index + by + count) % count;
  while (live_->xml_of(index).empty());  // a page has closed it
  on_change_(live_->select(index));
}

/// The film that the flame is a moment of, or all flames as keys.
void FlameWindow::play() {
  const LiveFlame::State state = live_->state();
  if (!state.place.film || state.playing)
    return on_change_(live_->play(state.playing ? 0 : seconds_a_key));
  const double first = state.place.film->keys[0].time;
  on_change_(live_->play({state.place.time, first, first + frames_of(*state.place.film)}));
}

void FlameWindow::send() {
  if (!pending_) return;
  const Flame flame = *std::exchange(pending_, std::nullopt);
  try {
    on_change_(live_->edit(genome_xml(flame), gesture_));
  } catch (const Error& error) {
    say("kiln: {}\n", error.what());
  }
}

/// Limits pictures to the pixels that the window shows, while things move.
void FlameWindow::fit() {
  const Screen::Size size = screen_.size();
  if (size.width == size_.width && size.height == size_.height) return;
  size_ = size;
  live_->view({double(size.width) * size.height, budget_s});
}

void FlameWindow::show_newest() {
  std::optional<LivePicture> picture;
  {
    const std::lock_guard lock(mutex_);
    for (const std::string& error : std::exchange(errors_, {})) say("kiln: {}\n", error);
    picture = std::exchange(newest_, std::nullopt);
  }
  if (!picture) return;
  shown_ = std::move(*picture);
  const double aspect = aspect_of(*shown_.flame);
  if (shown_.image.pixels8().empty()) {
    show_from_gpu(aspect);
  } else {
    screen_.show(shown_.image, aspect);
  }
  shown_.image.pixels = Bytes();
  show_title();
  static const bool is_tested = std::getenv("KILN_TEST_WINDOW") != nullptr;
  if (!is_tested || !shown_.settled) return;
  print("settled {} {} bytes came from the device\n", pixel_hash(screen_.drawn()),
        LiveFlame::bytes_from_devices());
  std::fflush(stdout);
}

/// The newest, which may be newer than what the live flame said last.
void FlameWindow::show_from_gpu(double aspect) {
  place_.read([&](const void* rgba, int width, int height) {
    const std::size_t bytes = std::size_t(width) * std::size_t(height) * 4;
    if (bytes > buffer_bytes_) {
      buffer_.reset();
      buffer_ = open_window_buffer(options_.device, screen_.buffer(bytes));
      buffer_bytes_ = bytes;
    }
    buffer_->fill(rgba, bytes);
    screen_.show_buffer({width, height}, aspect);
  });
}

void FlameWindow::show_title() {
  const std::size_t flames = live_->names().size();
  std::string name = shown_.flame->name.empty() ? "flame" : printable_whole(shown_.flame->name);
  if (flames > 1) name += fmt::format(" ({} of {})", shown_.index + 1, flames);
  screen_.title(fmt::format("{} - quality {:.{}f} of {:g}{}, {:.1f} ms - kiln", name,
                            shown_.quality, shown_.quality < 10 ? 1 : 0, shown_.flame->quality,
                            shown_.settled ? ", finished" : "", 1000 * shown_.seconds));
}

/// A name for a new file: none has it yet.
std::string FlameWindow::free_name(const std::string& ending) const {
  const std::string name = live_->state().name;
  const std::string stem = safe_file_name(name.empty() ? "flame" : name);
  for (int number = 1;; ++number) {
    const std::string path =
        number == 1 ? stem + ending : fmt::format("{}-{}{}", stem, number, ending);
    if (!std::filesystem::exists(path)) return path;
  }
}

void FlameWindow::save_flame() {
  const std::string path = free_name(".flam3");
  const auto film = live_->state().place.film;
  write_flames(path, film ? film->keys : std::vector{live_->flame()}, AtomicFile::Existing::keep);
  print("{}\n", path);
  std::fflush(stdout);
}

void FlameWindow::save_picture() {
  if (!shown_.settled || shown_.revision != live_->state().revision)
    fail(ErrorKind::usage, "the picture is not finished yet; save it when the title says so");
  Image image = screen_.picture();
  image.opaque = shown_.image.opaque;
  image.pixel_aspect = shown_.image.pixel_aspect;
  const std::string path = free_name(std::string(format_for(false).ending));
  format_for(false).write(path, image, texts_of(shown_, options_, pixel_hash(image)),
                          {AtomicFile::Existing::keep, 0});
  print("{}\n", path);
  std::fflush(stdout);
}

}  // namespace

void check_window_is_built() {}

void view_in_window(std::vector<Flame> flames, const ReaderOptions& reader,
                    const RenderOptions& options, const ViewSettings* page,
                    const std::function<void(const std::string&)>& note) {
  FlameWindow window(flames.at(0), options);
  if (page) {  // which needs the pixels on the host
    const Companion companion{window.listener(), [&](LiveFlame& live, const OnChange& on_change) {
                                window.run(live, on_change);
                              }};
    view(std::move(flames), reader, options, *page, &companion);
    return;
  }
  DevicePicture* const place = window.place();
  LiveFlame live(shelf_of(documents_of(std::move(flames), note), reader), 0, reader, options,
                 window.listener(), place);
  if (!place && is_gpu(live.device()))
    note("the GPU that renders does not draw this window: pictures go through the host's memory");
  window.run(live, [](const LiveFlame::State&) {});
}

}  // namespace kiln::cli
