// The functions of GLFW and OpenGL that a window needs, found at run time.
#pragma once

#define GL_GLEXT_PROTOTYPES  // declared, so that their types have names; never linked
#include <GL/glcorearb.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace kiln::cli {

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

/// Opens GLFW, once. Throws Error (unsupported) where there is none.
const Glfw& glfw();
/// The functions of the calling thread's context. Throws Error (device) for a missing one.
OpenGl find_opengl();

}  // namespace kiln::cli
