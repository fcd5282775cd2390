// SPDX-License-Identifier: MIT
#include "view/window/screen.h"

#include <algorithm>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/platform/process.h"

#define GL_GLEXT_PROTOTYPES  // declared, so that their types have names; never linked
#include <GL/glcorearb.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace kiln::cli {

// The functions of GLFW and OpenGL that a window needs, found at run time.

// clang-format off
#define KILN_GLFW_FUNCTIONS(X) \
  X(Init) X(Terminate) X(GetError) X(WindowHint) X(CreateWindow) X(DestroyWindow) \
  X(MakeContextCurrent) X(SwapInterval) X(SwapBuffers) X(GetProcAddress) X(PostEmptyEvent) \
  X(WaitEventsTimeout) X(WindowShouldClose) X(SetWindowTitle) X(GetWindowSize) X(GetFramebufferSize) \
  X(GetPrimaryMonitor) X(GetMonitorWorkarea) X(SetWindowUserPointer) X(GetWindowUserPointer) \
  X(SetKeyCallback) X(SetCharCallback) X(SetMouseButtonCallback) X(SetCursorPosCallback) \
  X(SetScrollCallback) X(SetFramebufferSizeCallback) X(GetKey)

#define KILN_GL_FUNCTIONS(X) \
  X(GenTextures) X(BindTexture) X(TexImage2D) X(TexSubImage2D) X(TexParameteri) X(GetTexImage) \
  X(GenFramebuffers) X(BindFramebuffer) X(FramebufferTexture2D) X(BlitFramebuffer) \
  X(ClearColor) X(Clear) X(ReadPixels) X(GenBuffers) X(DeleteBuffers) X(BindBuffer) X(BufferData)
// clang-format on

#define KILN_FUNCTION(name) decltype(&::glfw##name) name = nullptr;
struct Glfw {
  KILN_GLFW_FUNCTIONS(KILN_FUNCTION)
};
#undef KILN_FUNCTION

#define KILN_FUNCTION(name) decltype(&::gl##name) name = nullptr;
struct OpenGl {
  KILN_GL_FUNCTIONS(KILN_FUNCTION)
};
#undef KILN_FUNCTION

namespace {

/// Opens GLFW, once. Throws Error (unsupported) where there is none.
const Glfw& glfw();
/// The functions of the calling thread's context. Throws Error (device) for a missing one.
OpenGl find_opengl();

Glfw open_glfw() {
  std::string reason;
  void* const library = open_library("libglfw.so.3", reason);
  if (!library)
    fail(ErrorKind::unsupported,
         "a window needs GLFW, and that cannot be had ({}): apt install libglfw3, or leave "
         "--window out",
         reason);
  Glfw found;
  const auto find = [&]<class Function>(const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(symbol_of(library, name));
    if (!function)
      fail(ErrorKind::unsupported, "libglfw.so.3 has no {}; a window needs GLFW 3.3", name);
  };
#define KILN_FUNCTION(name) find("glfw" #name, found.name);
  KILN_GLFW_FUNCTIONS(KILN_FUNCTION)
#undef KILN_FUNCTION
  return found;
}

const Glfw& glfw() {
  static const Glfw functions = open_glfw();
  return functions;
}

OpenGl find_opengl() {
  OpenGl found;
  const auto find = [&]<class Function>(const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(glfw().GetProcAddress(name));
    if (!function)
      fail(ErrorKind::device, "this machine's OpenGL has no {}; leave --window out", name);
  };
#define KILN_FUNCTION(name) find("gl" #name, found.name);
  KILN_GL_FUNCTIONS(KILN_FUNCTION)
#undef KILN_FUNCTION
  return found;
}

/// The reason that GLFW gives for its last failure.
std::string glfw_reason() {
  const char* text = nullptr;
  glfw().GetError(&text);
  return text ? text : "no reason given";
}

/// Keys without a character of their own, and letters with Ctrl.
std::string key_name(int key, int modifiers) {
  if ((modifiers & GLFW_MOD_CONTROL) && key >= GLFW_KEY_A && key <= GLFW_KEY_Z)
    return std::string("Ctrl+") + char((modifiers & GLFW_MOD_SHIFT ? 'A' : 'a') + key - GLFW_KEY_A);
  switch (key) {
    case GLFW_KEY_ESCAPE:
      return "Escape";
    case GLFW_KEY_PAGE_UP:
      return "PageUp";
    case GLFW_KEY_PAGE_DOWN:
      return "PageDown";
    case GLFW_KEY_LEFT:
      return "Left";
    case GLFW_KEY_RIGHT:
      return "Right";
    case GLFW_KEY_UP:
      return "Up";
    case GLFW_KEY_DOWN:
      return "Down";
    default:
      return {};
  }
}

}  // namespace

struct Screen::Inside {
  /// A rectangle in the window's pixels, from its left upper corner.
  struct Place {
    int x = 0, y = 0, width = 0, height = 0;
  };

  bool is_begun = false;  // GLFW
  GLFWwindow* window = nullptr;
  OpenGl gl;
  GLuint texture = 0, framebuffer = 0;  // the framebuffer has the texture
  GLuint buffer = 0;                    // of pixels that are made on the GPU
  Size size;                            // of the texture
  double aspect = 1;
  bool changed = true;  // since it was drawn
  std::vector<ScreenEvent> events;
  int button = -1, press = 0;  // that is held, and of how many presses
  PictureShare mouse;          // as of the last event: where it is now may be further on

  ~Inside() {
    if (window) glfw().DestroyWindow(window);
    if (is_begun) glfw().Terminate();
  }

  void open(Size wanted, const std::string& title);
  void listen();
  void make_texture();
  Place place() const;
  PictureShare share(double x, double y) const;
  void put(const std::string& key) {
    if (key.empty()) return;
    events.emplace_back();
    events.back().key = key;
  }
  void on_button(int number, bool down);
  void on_move(double x, double y);
  void on_wheel(double steps);
  void put_pixels(Size of_picture, const void* rgba);
  void blit();

  static Inside& of(GLFWwindow* window) {
    return *static_cast<Inside*>(glfw().GetWindowUserPointer(window));
  }
};

void Screen::Inside::open(Size wanted, const std::string& title) {
  is_begun = glfw().Init() == GLFW_TRUE;
  if (!is_begun)
    fail(ErrorKind::device,
         "no window: {}; on a machine without a desk, kiln view without --window serves a page",
         glfw_reason());
  glfw().WindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfw().WindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfw().WindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfw().WindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  double share = 1;
  if (GLFWmonitor* monitor = glfw().GetPrimaryMonitor()) {
    int x = 0, y = 0, width = 0, height = 0;
    glfw().GetMonitorWorkarea(monitor, &x, &y, &width, &height);
    if (width > 0 && height > 0)
      share = std::min({1.0, double(width) / wanted.width, double(height) / wanted.height});
  }
  window = glfw().CreateWindow(std::max(64, int(wanted.width * share)),
                               std::max(64, int(wanted.height * share)), title.c_str(), nullptr,
                               nullptr);
  if (!window)
    fail(ErrorKind::device,
         "no window with OpenGL 3.3: {}; kiln view without --window serves a page", glfw_reason());
  glfw().MakeContextCurrent(window);
  glfw().SwapInterval(1);
  gl = find_opengl();
  gl.ClearColor(0, 0, 0, 1);
}

void Screen::Inside::listen() {
  glfw().SetWindowUserPointer(window, this);
  glfw().SetCharCallback(window, [](GLFWwindow* from, unsigned character) {
    if (character < 128) of(from).put(std::string(1, char(character)));
  });
  glfw().SetKeyCallback(window, [](GLFWwindow* from, int key, int, int action, int modifiers) {
    if (action != GLFW_RELEASE) of(from).put(key_name(key, modifiers));
  });
  glfw().SetMouseButtonCallback(window, [](GLFWwindow* from, int button, int action, int) {
    of(from).on_button(button, action == GLFW_PRESS);
  });
  glfw().SetCursorPosCallback(window,
                              [](GLFWwindow* from, double x, double y) { of(from).on_move(x, y); });
  glfw().SetScrollCallback(
      window, [](GLFWwindow* from, double, double steps) { of(from).on_wheel(steps); });
  glfw().SetFramebufferSizeCallback(window,
                                    [](GLFWwindow* from, int, int) { of(from).changed = true; });
}

void Screen::Inside::make_texture() {
  gl.GenTextures(1, &texture);
  gl.BindTexture(GL_TEXTURE_2D, texture);
  gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);  // no smaller ones
  gl.GenFramebuffers(1, &framebuffer);
}

/// The picture as large as there is room for, in the middle.
Screen::Inside::Place Screen::Inside::place() const {
  int width = 0, height = 0;
  glfw().GetFramebufferSize(window, &width, &height);
  Place place;
  place.height = std::max(1, std::min(height, int(width / aspect + 0.5)));
  place.width = std::max(1, std::min(width, int(place.height * aspect + 0.5)));
  place.x = (width - place.width) / 2;
  place.y = (height - place.height) / 2;
  return place;
}

/// The share of a point in the units of the mouse, which on some desks are not pixels.
PictureShare Screen::Inside::share(double x, double y) const {
  int width = 0, height = 0, pixels_wide = 0, pixels_high = 0;
  glfw().GetWindowSize(window, &width, &height);
  glfw().GetFramebufferSize(window, &pixels_wide, &pixels_high);
  const Place at = place();
  return {(x * pixels_wide / std::max(1, width) - at.x) / at.width,
          (y * pixels_high / std::max(1, height) - at.y) / at.height};
}

void Screen::Inside::on_button(int number, bool down) {
  if (!down && number == button) button = -1;
  if (!down) return;
  button = number;
  ++press;
}

void Screen::Inside::on_move(double x, double y) {
  const PictureShare from = std::exchange(mouse, share(x, y));
  if (button < 0) return;
  const bool shift = glfw().GetKey(window, GLFW_KEY_LEFT_SHIFT) == GLFW_PRESS ||
                     glfw().GetKey(window, GLFW_KEY_RIGHT_SHIFT) == GLFW_PRESS;
  ScreenEvent event;
  event.kind = shift || button == GLFW_MOUSE_BUTTON_RIGHT ? ScreenEvent::Kind::turn
                                                          : ScreenEvent::Kind::drag;
  event.from = from;
  event.to = mouse;
  event.press = press;
  events.push_back(event);
}

void Screen::Inside::on_wheel(double steps) {
  ScreenEvent event;
  event.kind = ScreenEvent::Kind::wheel;
  event.from = mouse;
  event.steps = steps;
  events.push_back(event);
}

/// The texture's first row is the picture's top, which OpenGL counts from below.
void Screen::Inside::blit() {
  int width = 0, height = 0;
  glfw().GetFramebufferSize(window, &width, &height);
  gl.BindFramebuffer(GL_FRAMEBUFFER, 0);
  gl.Clear(GL_COLOR_BUFFER_BIT);
  if (size.width == 0) return;
  const Place at = place();
  gl.BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  const bool same = at.width == size.width && at.height == size.height;
  gl.BlitFramebuffer(0, 0, size.width, size.height, at.x, height - at.y, at.x + at.width,
                     height - at.y - at.height, GL_COLOR_BUFFER_BIT, same ? GL_NEAREST : GL_LINEAR);
}

Screen::Screen(Size picture, const std::string& title) : inside_(std::make_unique<Inside>()) {
  inside_->aspect = double(picture.width) / picture.height;
  inside_->open(picture, title);
  inside_->make_texture();
  inside_->listen();
}
Screen::~Screen() = default;

std::vector<ScreenEvent> Screen::wait() {
  // not for ever: in GLFW 3.3 another thread's wake() can come while X11's events are on the way
  // into their queue, and is then not noticed
  glfw().WaitEventsTimeout(0.05);
  return std::exchange(inside_->events, {});
}
void Screen::wake() { glfw().PostEmptyEvent(); }
bool Screen::is_closed() const { return glfw().WindowShouldClose(inside_->window); }
void Screen::title(const std::string& text) {
  glfw().SetWindowTitle(inside_->window, text.c_str());
}

Screen::Size Screen::size() const {
  Size size;
  glfw().GetFramebufferSize(inside_->window, &size.width, &size.height);
  return size;
}

/// `rgba`: null for those of the buffer that is bound.
void Screen::Inside::put_pixels(Size of_picture, const void* rgba) {
  const auto [width, height] = of_picture;
  if (width == size.width && height == size.height) {
    gl.TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
  } else {
    gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    gl.BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    gl.FramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    size = of_picture;
  }
  changed = true;
}

void Screen::show(const Image& image, double aspect) {
  inside_->aspect = aspect;
  inside_->put_pixels({image.width, image.height}, image.pixels8().data());
}

unsigned Screen::buffer(std::size_t bytes) {
  const OpenGl& gl = inside_->gl;
  if (inside_->buffer) gl.DeleteBuffers(1, &inside_->buffer);
  gl.GenBuffers(1, &inside_->buffer);
  gl.BindBuffer(GL_PIXEL_UNPACK_BUFFER, inside_->buffer);
  gl.BufferData(GL_PIXEL_UNPACK_BUFFER, GLsizeiptr(bytes), nullptr, GL_STREAM_DRAW);
  gl.BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  return inside_->buffer;
}

void Screen::show_buffer(Size size, double aspect) {
  inside_->aspect = aspect;
  inside_->gl.BindBuffer(GL_PIXEL_UNPACK_BUFFER, inside_->buffer);
  inside_->put_pixels(size, nullptr);
  inside_->gl.BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
}

void Screen::draw() {
  if (!std::exchange(inside_->changed, false)) return;
  inside_->blit();
  glfw().SwapBuffers(inside_->window);
}

Image Screen::picture() const {
  Image image;
  image.width = inside_->size.width;
  image.height = inside_->size.height;
  Bytes& pixels =
      image.pixels.emplace<Bytes>(std::size_t(image.width) * std::size_t(image.height) * 4);
  inside_->gl.GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
  return image;
}

Image Screen::drawn() {
  inside_->blit();
  const Inside::Place at = inside_->place();
  Image image;
  image.width = at.width;
  image.height = at.height;
  Bytes& pixels =
      image.pixels.emplace<Bytes>(std::size_t(image.width) * std::size_t(image.height) * 4);
  inside_->gl.BindFramebuffer(GL_READ_FRAMEBUFFER, 0);
  inside_->gl.ReadPixels(at.x, size().height - at.y - at.height, at.width, at.height, GL_RGBA,
                         GL_UNSIGNED_BYTE, pixels.data());
  const std::size_t row = std::size_t(image.width) * 4;
  for (int top = 0, bottom = image.height - 1; top < bottom; ++top, --bottom)
    std::swap_ranges(pixels.begin() + top * row, pixels.begin() + (top + 1) * row,
                     pixels.begin() + bottom * row);
  return image;
}

}  // namespace kiln::cli
