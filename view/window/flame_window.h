// A live flame in a window of the desk: the mouse moves its camera, keys do the rest. For the main
// thread; the live flame's thread brings pictures, of which only the newest waits.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/device/device_picture.h"
#include "engine/device/window_buffer.h"
#include "engine/live/live_flame.h"
#include "view/server/view.h"
#include "view/window/screen.h"

namespace kiln::cli {

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

}  // namespace kiln::cli
