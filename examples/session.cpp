// SPDX-License-Identifier: MIT
// kiln as a library, more of it: one device for many pictures. Four brightnesses, frames of a loop,
// linear light with its hits, and a render that is stopped.
//   build-example/session examples/triangle.flame
#include <kiln.h>

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: session FILE.flame\n");
    return 2;
  }
  try {
    kiln::Scene scene = kiln::load_scenes(argv[1]).at(0);
    kiln::Session session;
    std::printf("on %s\n", session.device().c_str());
    for (const char* brightness : {"2", "4", "8", "16"}) {
      scene.set("brightness", brightness);
      kiln::save(session.render(scene), std::string("brightness_") + brightness + ".png");
    }
    kiln::SequenceOptions turn;
    turn.nframes = 24;
    const kiln::Animation loop = kiln::Animation::sequence({scene}, turn, true);
    for (int frame = 0; frame < loop.frame_count(); frame += 8)
      kiln::save(session.render(loop, frame), "frame_" + std::to_string(frame) + ".png");
    kiln::RenderOptions options;
    options.linear = true;
    const kiln::Picture picture = session.render(scene, options);
    double samples = 0;
    for (const float hits : picture.image.linear().hits) samples += hits;
    std::printf("%.0f samples in the picture\n", samples);
    std::stop_source source;
    options.stop = source.get_token();
    options.on_progress = [&](const kiln::Progress&) { source.request_stop(); };
    scene.set_quality(1e6);
    session.render(scene, options);
  } catch (const kiln::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return error.kind == kiln::ErrorKind::stopped ? 0 : static_cast<int>(error.kind);
  }
}
