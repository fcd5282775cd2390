// SPDX-License-Identifier: MIT
// A still that the library keeps in a state file: stopped, gone on with, taken further and graded it
// is the undisturbed picture to the last byte, and its file is the program's.
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/api/kiln.h"
#include "engine/api/kiln_c.h"
#include "tests/cli/program.h"
#include "tests/devices.h"
#include "tests/slow_still.h"

namespace kiln {
namespace {

using namespace test;

TEST(KeptSession, GoesOnWhereItWasStopped) {
  for (RenderOptions options : options_of_every_device()) {
    const ScratchFolder folder;
    const StateFile state{folder / "a.kiln", 1000};
    Session session(options);
    Scene scene = slow_triangle();
    const Picture whole = session.render(scene);
    std::stop_source source;
    source.request_stop();
    options.stop = source.get_token();
    EXPECT_NE(
        said(ErrorKind::stopped, [&] { session.render(scene, options, state); }).find("a.kiln"),
        std::string::npos);
    EXPECT_EQ(folder.entries(), std::vector<std::string>{"a.kiln"});
    options.stop = {};
    const Picture rest = session.render(scene, options, state);
    EXPECT_GT(rest.statistics.earlier_samples, 0u);
    EXPECT_LT(rest.statistics.earlier_samples, rest.statistics.samples);
    EXPECT_TRUE(encode(rest) == encode(whole));
    scene.set("quality", "100000");
    const Picture further = session.render(scene, options, state);
    constexpr std::uint64_t unit = 2048 * 1024;
    EXPECT_EQ(further.statistics.earlier_samples, rest.statistics.samples / unit * unit);
    EXPECT_TRUE(encode(further) == encode(session.render(scene)));
  }
}

TEST(KeptSession, GivesFinishedSumsAnotherLook) {
  for (const RenderOptions& options : options_of_every_device()) {
    const ScratchFolder folder;
    const StateFile state{folder / "a.kiln"};
    Session session(options);
    session.render(slow_triangle(), options, state);
    Scene scene = load_scenes(state.path).at(0);
    scene.set("brightness", "9");
    RenderOptions deep = options;
    deep.bits = 16;
    const Picture graded = session.grade(scene, deep, state.path);
    EXPECT_TRUE(encode(graded) == encode(session.render(scene, deep)));
    const Outcome program = run_program(
        {"grade", "a.kiln", "-o", "a.png", "--brightness", "9", "--bits", "16", "--quiet"},
        {folder.path(), "", {}, {}});
    EXPECT_EQ(program.code, 0) << program.err;
    EXPECT_TRUE(read_file(folder / "a.png") == encode(graded));
  }
}

TEST(KeptSession, RefusesOtherSumsAndNamesTheirFile) {
  RenderOptions options = options_of_every_device().front();
  const ScratchFolder folder;
  const StateFile state{folder / "a.kiln"};
  Session session(options);
  session.render(slow_triangle(), options, state);
  const std::string before = read_file(state.path);
  options.seed = 1;
  const std::string other =
      said(ErrorKind::usage, [&] { session.render(slow_triangle(), options, state); });
  EXPECT_EQ(other.rfind(state.path + ": the state is of another flame, seed", 0), 0u) << other;
  options.seed = 0;
  Scene more = slow_triangle();
  more.set("quality", "100000");
  const std::string missing =
      said(ErrorKind::input, [&] { session.grade(more, options, state.path); });
  EXPECT_EQ(missing.rfind(state.path + ": units ", 0), 0u) << missing;
  EXPECT_EQ(read_file(state.path), before);
  EXPECT_NE(said(ErrorKind::input, [&] { session.grade(more, options, folder / "b.kiln"); }), "");
  EXPECT_NE(said(ErrorKind::usage, [&] { session.render(more, options, StateFile{}); }), "");
  write_file(state.path, before.substr(0, before.size() / 2));
  EXPECT_NE(said(ErrorKind::input, [&] { session.render(more, options, state); }), "");
}

TEST(KeptSession, SeveralDevicesMakeThePictureOfOne) {
  for (RenderOptions options : options_of_every_device()) {
    const Picture one = Session(options).render(slow_triangle());
    options.helpers = {{options.backend, 0, options.threads}};
    Session session(options);
    const Picture shared = session.render(slow_triangle());
    EXPECT_EQ(shared.hash, one.hash);
    EXPECT_NE(shared.statistics.device, one.statistics.device);
    const ScratchFolder folder;
    EXPECT_EQ(session.render(slow_triangle(), options, {folder / "a.kiln"}).hash, one.hash);
    EXPECT_EQ(session.grade(slow_triangle(), options, folder / "a.kiln").hash, one.hash);
  }
}

/// There is no folder for it.
TEST(KeptSession, APictureWhoseStateCannotBeWrittenIsHandedOver) {
  const ScratchFolder folder;
  const std::string state = folder / "gone/a.kiln";
  RenderOptions options;
  options.backend = Backend::cpu;
  const Scene scene = parse_scenes(triangle()).at(0);
  const std::string whole = render(scene, options).hash;
  try {
    Session(options).render(scene, options, {state, 1e6});
    ADD_FAILURE() << "it was written";
  } catch (const StateNotWritten& unsaved) {
    EXPECT_EQ(unsaved.kind, ErrorKind::output);
    EXPECT_NE(std::string(unsaved.what()).find("a.kiln"), std::string::npos) << unsaved.what();
    EXPECT_EQ(unsaved.picture->hash, whole);
  }
  kiln_scenes* scenes = nullptr;
  kiln_session* session = nullptr;
  kiln_picture* picture = nullptr;
  ASSERT_EQ(kiln_parse(scene.xml().c_str(), 0, nullptr, nullptr, &scenes), KILN_OK);
  kiln_options of_c = kiln_usual_options();
  of_c.backend = KILN_CPU;
  ASSERT_EQ(kiln_open(&of_c, &session), KILN_OK);
  EXPECT_EQ(kiln_render_kept(session, scenes, 0, nullptr, state.c_str(), 1e6, &picture),
            KILN_OUTPUT);
  ASSERT_NE(picture, nullptr);
  EXPECT_EQ(kiln_hash(picture), whole);
  kiln_free_picture(picture);
  kiln_close(session);
  kiln_free_scenes(scenes);
}

/// The same through kiln_c.h, on the CPU.
TEST(KeptSession, IsTheSameInC) {
  const ScratchFolder folder;
  const std::string state = folder / "a.kiln";
  kiln_scenes* scenes = nullptr;
  ASSERT_EQ(kiln_parse(slow_triangle().xml().c_str(), 0, nullptr, nullptr, &scenes), KILN_OK);
  kiln_options options = kiln_usual_options();
  options.backend = KILN_CPU;
  options.threads = 1;
  const int helper = 0;
  options.helpers = &helper;
  options.helper_count = 1;
  kiln_session* session = nullptr;
  kiln_picture *shared = nullptr, *kept = nullptr, *graded = nullptr;
  ASSERT_EQ(kiln_open(&options, &session), KILN_OK) << kiln_message();
  ASSERT_EQ(kiln_render(session, scenes, 0, nullptr, &shared), KILN_OK) << kiln_message();
  ASSERT_EQ(kiln_render_kept(session, scenes, 0, nullptr, state.c_str(), 60, &kept), KILN_OK);
  EXPECT_STREQ(kiln_hash(kept), kiln_hash(shared));
  kiln_free_picture(kept);
  std::filesystem::remove(state);
  kiln_close(session);
  options.helper_count = 0;
  ASSERT_EQ(kiln_open(&options, &session), KILN_OK) << kiln_message();
  kiln_stop* stop = kiln_new_stop();
  kiln_request_stop(stop);
  options.stop = stop;
  EXPECT_EQ(kiln_render_kept(session, scenes, 0, &options, state.c_str(), 60, &kept), KILN_STOPPED);
  ASSERT_EQ(kiln_render_kept(session, scenes, 0, nullptr, state.c_str(), 60, &kept), KILN_OK);
  ASSERT_EQ(kiln_grade(session, scenes, 0, nullptr, state.c_str(), &graded), KILN_OK);
  const std::string one = render(slow_triangle()).hash;
  for (const kiln_picture* picture : {shared, kept, graded}) EXPECT_EQ(kiln_hash(picture), one);
  for (kiln_picture* picture : {shared, kept, graded}) kiln_free_picture(picture);
  kiln_free_stop(stop);
  kiln_close(session);
  kiln_free_scenes(scenes);
}

}  // namespace
}  // namespace kiln
