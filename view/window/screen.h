// SPDX-License-Identifier: MIT
// A window that shows a picture and hears mouse and keys: GLFW 3 and OpenGL 3.3. GLFW is opened at
// run time, and OpenGL through it, so that kiln starts on servers without either and its packages
// need neither.
//
// The picture is a texture of its own size; showing it is one glBlitFramebuffer, which scales where
// the window is not as large, so that there are no shaders. For the main thread, wake() apart.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/api/kiln/image.h"
#include "engine/live/camera_moves.h"
#include "engine/live/live_flame.h"

namespace kiln::cli {

struct ScreenEvent {
  enum class Kind { key, drag, turn, wheel };  // turn: a drag with Shift or the right button
  Kind kind = Kind::key;
  std::string key;        // "b", "B", "Ctrl+z", "PageUp", "Left"
  PictureShare from, to;  // of a drag; the wheel's place is `from`
  double steps = 0;       // of the wheel, up is positive
  int press = 0;          // number of the drag's button press, from 1
};

class Screen {
 public:
  struct Size {
    int width = 0, height = 0;
  };

  /// A window for pictures of this size, smaller where the desk is. Throws Error: unsupported
  /// without GLFW, device without a desk or OpenGL 3.3.
  Screen(Size picture, const std::string& title);
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  /// Sleeps until something happens, wake() is called, or a twentieth of a second has passed; what
  /// happened.
  std::vector<ScreenEvent> wait();
  /// Wakes wait(), from any thread.
  static void wake();
  bool is_closed() const;
  /// Pixels of the window.
  Size size() const;
  void title(const std::string& text);

  /// The picture from now on, 8 bits a channel; `aspect`: width / height as it shall look.
  void show(const Image& image, double aspect);
  /// A pixel buffer of OpenGL with so much room, for who fills it without the host; its number. The
  /// one before is gone.
  unsigned buffer(std::size_t bytes);
  /// The picture that the buffer holds.
  void show_buffer(Size size, double aspect);
  /// Draws if the picture or the window changed since.
  void draw();

  /// The picture as OpenGL has it.
  Image picture() const;
  /// The picture as the window shows it: with its own pixels where it is as large.
  Image drawn();

 private:
  struct Inside;
  const std::unique_ptr<Inside> inside_;
};

}  // namespace kiln::cli
