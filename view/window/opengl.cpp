#include "view/window/opengl.h"

#include <dlfcn.h>

#include "engine/base/error.h"

namespace kiln::cli {
namespace {

Glfw open_glfw() {
  void* const library = dlopen("libglfw.so.3", RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    const char* const reason = dlerror();
    fail(ErrorKind::unsupported,
         "a window needs GLFW, and that cannot be had ({}): apt install libglfw3, or leave "
         "--window out",
         reason ? reason : "no libglfw.so.3");
  }
  Glfw found;
  const auto find = [&]<class Function>(const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(dlsym(library, name));
    if (!function)
      fail(ErrorKind::unsupported, "libglfw.so.3 has no {}; a window needs GLFW 3.3", name);
  };
#define KILN_FUNCTION(name) find("glfw" #name, found.name);
  KILN_GLFW_FUNCTIONS(KILN_FUNCTION)
#undef KILN_FUNCTION
  return found;
}

}  // namespace

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

}  // namespace kiln::cli
