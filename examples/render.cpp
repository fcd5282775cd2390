// SPDX-License-Identifier: MIT
// The smallest program that uses kiln as a library: renders the flames of a file to picture_0.png,
// picture_1.png, ...
//   cmake -G Ninja -S examples -B build-example -DCMAKE_PREFIX_PATH=$HOME/.local
//   cmake --build build-example
//   build-example/render examples/triangle.flame
// CMAKE_PREFIX_PATH: where scripts/install put kiln.
#include <kiln.h>

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: render FILE.flame\n");
    return 2;
  }
  try {
    int number = 0;
    for (kiln::Scene& scene : kiln::load_scenes(argv[1])) {
      scene.set_width(320);
      kiln::RenderOptions options;
      options.seed = 7;
      const kiln::Picture picture = kiln::render(scene, options);
      const std::string file = "picture_" + std::to_string(number++) + ".png";
      kiln::save(picture, file);
      std::printf("%s  %d x %d  %s\n", file.c_str(), picture.image.width, picture.image.height,
                  picture.hash.c_str());
    }
  } catch (const kiln::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.kind);
  }
}
