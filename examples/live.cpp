// SPDX-License-Identifier: MIT
// kiln as a library: a scene that is changed while one watches. Ten edits in a row as a slider makes
// them, the pictures that come meanwhile, and the finished one, which is the one of render().
//   build-example/live examples/triangle.flame
#include <kiln.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: live FILE.flame\n");
    return 2;
  }
  try {
    kiln::LiveScene live(kiln::load_scenes(argv[1]));
    std::printf("on %s\n", live.device().c_str());
    std::uint64_t last = 0;
    for (int i = 1; i <= 10; ++i) {
      kiln::Scene scene = live.scene();
      scene.set("rotate", std::to_string(3 * i));
      last = live.edit(scene, /*gesture=*/1);  // one step of undo, all ten
      live.next_picture(0.05);                 // what a window would show now
    }
    while (const std::optional<kiln::LiveFrame> frame = live.next_picture(60)) {
      std::printf("edit %d: %d x %d, quality %.1f%s\n", static_cast<int>(frame->edit),
                  frame->image.width, frame->image.height, frame->quality,
                  frame->settled ? ", finished" : "");
      if (!frame->settled || frame->edit != last) continue;
      return frame->image.pixels8() == kiln::render(live.scene()).image.pixels8() ? 0 : 1;
    }
    return 1;
  } catch (const kiln::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.kind);
  }
}
