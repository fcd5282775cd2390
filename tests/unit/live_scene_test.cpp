// SPDX-License-Identifier: MIT
// The live scene as a program that includes engine/api/kiln.h alone meets it.
#include <gtest/gtest.h>

#include <functional>

#include "engine/api/kiln.h"
#include "engine/api/kiln_c.h"
#include "tests/cli/program.h"
#include "tests/devices.h"
#include "tests/slow_still.h"

namespace kiln {
namespace {

std::vector<Scene> two_scenes() {
  return parse_scenes("<flames>" + test::triangle("name=\"a\"") +
                      test::triangle("name=\"b\" brightness=\"9\"") + "</flames>");
}

/// The finished picture of an edit.
LiveFrame settled(LiveScene& live, std::uint64_t edit) {
  while (std::optional<LiveFrame> frame = live.next_picture(60))
    if (frame->settled && frame->edit == edit) return *frame;
  ADD_FAILURE() << "no finished picture of edit " << edit;
  return {};
}

std::string refusal(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(LiveScene, settles_to_the_picture_of_a_render) {
  for (const RenderOptions& options : test::options_of_every_device()) {
    LiveScene live(two_scenes(), options);
    EXPECT_EQ(live.device(), Session(options).device());
    Scene scene = live.scene();
    for (const char* brightness : {"2", "6", "7"}) {
      scene.set("brightness", brightness);
      live.edit(scene, 5);
    }
    scene.set("rotate", "20");
    const std::uint64_t turned = live.edit(scene);
    const LiveFrame frame = settled(live, turned);
    EXPECT_EQ(frame.image.pixels8(), render(scene, options).image.pixels8());
    EXPECT_EQ(frame.quality, scene.quality());
    EXPECT_EQ(live.scene().xml(), scene.xml());
    EXPECT_FALSE(live.next_picture(0));  // after the finished one none comes
  }
}

/// The shape of pixels is in the record of a picture and in no text of a flame.
TEST(LiveScene, pixels_keep_their_shape_through_edits_and_undo) {
  const test::ScratchFolder folder;
  test::write_file(folder / "a.flame", test::triangle());
  ASSERT_EQ(test::run_program({"render", "a.flame", "-o", "a.png", "--pixel-aspect", "2", "-q"},
                              {folder.path(), "", {}, {}})
                .code,
            0);
  const RenderOptions options = test::options_of_every_device()[0];
  Scene scene = load_scenes(folder / "a.png").at(0);
  const Image first = render(scene, options).image;
  LiveScene live({scene}, options);
  scene.set("brightness", "9");
  const std::uint64_t edit = live.edit(scene);
  EXPECT_EQ(settled(live, edit).image.pixels8(), render(scene, options).image.pixels8());
  EXPECT_EQ(settled(live, live.undo()).image.pixels8(), first.pixels8());
  EXPECT_EQ(settled(live, live.redo()).image.pixels8(), render(scene, options).image.pixels8());
}

#if !defined(__SANITIZE_THREAD__)  // it ends such a child
TEST(LiveScene, stays_with_its_process) {
  LiveScene live(two_scenes(), test::options_of_every_device()[0]);
  settled(live, live.select(1));
  EXPECT_EQ(test::status_of_child([&] {
              const auto says = [](const auto& body) {
                return test::said(ErrorKind::usage, body).find("fork") != std::string::npos;
              };
              const bool told = says([&] { live.next_picture(60); }) &&
                                says([&] { live.undo(); }) && says([&] { live.scene(); });
              { const LiveScene gone = std::move(live); }  // nobody waits for its thread
              return told;
            }),
            0);
  settled(live, live.select(0));
}
#endif

TEST(LiveScene, undoes_redoes_and_opens_another) {
  const RenderOptions options = test::options_of_every_device()[0];
  LiveScene live(two_scenes(), options);
  const std::string first = live.scene().xml();
  Scene scene = live.scene();
  for (const char* gamma : {"2", "3"}) {
    scene.set("gamma", gamma);
    live.edit(scene, 1);
  }
  live.undo();
  EXPECT_EQ(live.scene().xml(), first);
  live.redo();
  EXPECT_EQ(live.scene().attribute("gamma"), "3");
  const LiveFrame other = settled(live, live.select(1));
  EXPECT_EQ(other.index, 1);
  EXPECT_EQ(other.image.pixels8(), render(two_scenes().at(1), options).image.pixels8());
  EXPECT_EQ(live.scene().name(), "b");
}

/// The same through kiln_c.h.
TEST(LiveScene, IsTheSameInC) {
  kiln_scenes *scenes = nullptr, *open = nullptr;
  const std::string xml =
      "<flames>" + test::triangle() + test::triangle("gamma=\"2\"") + "</flames>";
  ASSERT_EQ(kiln_parse(xml.c_str(), 0, nullptr, nullptr, &scenes), KILN_OK) << kiln_message();
  kiln_options options = kiln_usual_options();
  options.backend = KILN_CPU;
  options.threads = 2;
  options.bits = 16;
  kiln_live* live = nullptr;
  EXPECT_EQ(kiln_open_live(scenes, &options, &live), KILN_USAGE);
  options.bits = 8;
  ASSERT_EQ(kiln_open_live(scenes, &options, &live), KILN_OK) << kiln_message();
  EXPECT_EQ(std::string(kiln_live_device(live)).substr(0, 3), "cpu");
  const auto settled = [&](std::uint64_t edit) -> Bytes {
    kiln_live_frame frame{};
    for (kiln_picture* picture = nullptr;; kiln_free_picture(picture)) {
      if (kiln_live_next(live, 1e12, &frame, &picture) != KILN_OK || !picture) return {};
      if (!frame.settled || frame.edit != edit) continue;
      const auto* pixels = static_cast<const std::uint8_t*>(kiln_pixels(picture));
      Bytes bytes(pixels, pixels + 4 * kiln_width(picture) * kiln_height(picture));
      kiln_free_picture(picture);
      return bytes;
    }
  };
  const auto rendered = [](const char* text) {
    return render(parse_scenes(text).at(0)).image.pixels8();
  };
  std::uint64_t edit = 0;
  kiln_live_set_effort(live, 1000, 0.01);
  EXPECT_EQ(kiln_live_select(live, 2, nullptr), KILN_USAGE);
  ASSERT_EQ(kiln_live_select(live, 1, &edit), KILN_OK) << kiln_message();
  EXPECT_EQ(settled(edit), rendered(test::triangle("gamma=\"2\"").c_str()));
  EXPECT_EQ(kiln_live_edit_xml(live, "<flame/>", 0, &edit), KILN_INPUT);
  ASSERT_EQ(kiln_live_edit_xml(live, test::triangle("rotate=\"20\"").c_str(), 0, &edit), KILN_OK);
  EXPECT_EQ(settled(edit), rendered(test::triangle("rotate=\"20\"").c_str()));
  ASSERT_EQ(kiln_live_edit(live, scenes, 0, 0, nullptr), KILN_OK) << kiln_message();
  ASSERT_EQ(kiln_live_undo(live, nullptr), KILN_OK) << kiln_message();
  ASSERT_EQ(kiln_live_redo(live, &edit), KILN_OK) << kiln_message();
  EXPECT_EQ(settled(edit), rendered(test::triangle().c_str()));
  const char* value = nullptr;
  ASSERT_EQ(kiln_live_scene(live, &open), KILN_OK) << kiln_message();
  ASSERT_EQ(kiln_attribute(open, 0, "gamma", &value), KILN_OK) << kiln_message();
  EXPECT_EQ(value, parse_scenes(test::triangle()).at(0).attribute("gamma"));
  kiln_free_scenes(open);
  kiln_close_live(live);
  kiln_free_scenes(scenes);
}

TEST(LiveScene, refuses_what_it_cannot_show) {
  const RenderOptions usual = test::options_of_every_device()[0];
  EXPECT_NE(refusal([&] { LiveScene({}, usual); }), "");
  RenderOptions linear = usual, deep = usual;
  linear.linear = true;
  deep.bits = 16;
  for (const RenderOptions& options : {linear, deep})
    EXPECT_NE(refusal([&] { LiveScene(two_scenes(), options); }), "");
  RenderOptions small = usual;
  small.max_memory_bytes = 40 << 20;
  LiveScene live(two_scenes(), small);
  const std::string before = live.scene().xml();
  EXPECT_NE(refusal([&] { live.edit("<flame/>"); }), "");
  EXPECT_NE(refusal([&] { live.select(2); }), "");
  EXPECT_EQ(live.scene().xml(), before);
  Scene large = live.scene();
  large.set("size", "3000 3000");
  live.edit(large);
  const std::string said = refusal([&] {
    while (live.next_picture(60)) continue;
  });
  EXPECT_NE(said.find("3000x3000"), std::string::npos) << said;
}

}  // namespace
}  // namespace kiln
