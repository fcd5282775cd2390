// SPDX-License-Identifier: MIT
// The library does what the program does: its files are the program's, byte for byte, a session
// serves many pictures, and a render that is asked to stop stops.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

#include "engine/api/kiln.h"
#include "engine/io/picture/exr.h"
#include "tests/cli/program.h"
#include "tests/devices.h"
#include "tests/slow_still.h"
#include "tests/unit/stopping.h"

namespace kiln {
namespace {

using namespace test;
using std::chrono::milliseconds;

Scene triangle_scene(const std::string& attributes = "") {
  return parse_scenes(triangle(attributes)).at(0);
}

/// The file that `kiln render` makes of the triangle.
std::string file_of_program(std::vector<std::string> options, const std::string& name = "a.png") {
  const ScratchFolder folder;
  write_file(folder / "a.flame", triangle());
  options.insert(options.begin(), {"render", "a.flame", "-o", name, "--quiet"});
  EXPECT_EQ(run_program(options, {folder.path(), "", {}, {}}).code, 0);
  return read_file(folder / name);
}

/// A session on each device that there is.
std::vector<Session> sessions() {
  std::vector<Session> all;
  for (const RenderOptions& options : options_of_every_device()) all.emplace_back(options);
  return all;
}

/// The options of a session from sessions().
RenderOptions options_of(const Session& session) {
  RenderOptions options;
  const bool cpu = session.device().starts_with("cpu");
  options.backend = cpu ? Backend::cpu : Backend::cuda;
  options.threads = cpu ? 2 : 0;
  return options;
}

TEST(Session, HasAsManyThreadsAsTheProgramMayHave) {
  for (const int threads : {-1, 4097, 1'000'000'000}) {
    RenderOptions options;
    options.backend = Backend::cpu;
    options.threads = threads;
    EXPECT_THROW(Session{options}, Error) << threads;
    options.helpers = {{Backend::cpu, 0, std::exchange(options.threads, 1)}};
    EXPECT_THROW(Session{options}, Error) << threads;
  }
}

TEST(Session, MakesTheFilesOfTheProgram) {
  for (Session& session : sessions()) {
    RenderOptions options = options_of(session);
    EXPECT_TRUE(encode(session.render(triangle_scene(), options)) == file_of_program({}));
    options.bits = 16;
    options.transparent = true;
    options.seed = 5;
    options.crop = Window{3, 2, 20, 10};
    EXPECT_TRUE(
        encode(session.render(triangle_scene(), options)) ==
        file_of_program({"--bits", "16", "--transparent", "--seed", "5", "--crop", "3,2,20x10"}));
    if (!exr_supported()) continue;
    options = options_of(session);
    options.linear = true;
    const Picture linear = session.render(triangle_scene(), options);
    EXPECT_EQ(linear.image.linear().hits.size(), 32u * 24);
    EXPECT_TRUE(encode(linear) == file_of_program({}, "a.exr"));
    EXPECT_TRUE(encode(linear, ExrPrecision::single_float) ==
                file_of_program({"--exr", "float"}, "a.exr"));
  }
}

TEST(Session, AttributesAreThoseOfTheFile) {
  Scene scene = triangle_scene();
  EXPECT_EQ(scene.attribute("gamma"), "4");
  EXPECT_EQ(scene.attribute("kiln_bloom"), "");
  scene.set("gamma", "2.5");
  scene.set("kiln_bloom", "0.25 4");
  EXPECT_EQ(scene.attribute("gamma"), "2.5");
  EXPECT_EQ(scene.attribute("kiln_bloom"), "0.25 4 0");
  EXPECT_TRUE(encode(render(scene)) == file_of_program({"--gamma", "2.5", "--bloom", "0.25,4%"}));
  const std::string palettes = source_dir() + std::string("/flames/palettes.xml#dusk");
  scene = triangle_scene();
  scene.set("palette", palettes);
  EXPECT_EQ(render(scene).hash.size(), 64u);
  EXPECT_NE(render(scene).hash, render(triangle_scene()).hash);
}

TEST(Session, RefusesWhatTheProgramRefuses) {
  const auto refusal = [](const std::string& name, const std::string& value) -> std::string {
    Scene scene = triangle_scene();
    const std::string before = scene.xml();
    try {
      scene.set(name, value);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, name == "palette" ? ErrorKind::input : ErrorKind::usage);
      EXPECT_EQ(scene.xml(), before);
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal("gama", "3").find("did you mean \"gamma\""), std::string::npos);
  EXPECT_NE(refusal("gamma", "much"), "");
  EXPECT_NE(refusal("palette", "no-such-file.xml#1"), "");
  EXPECT_NE(refusal("soloxform", "0"), "");
  Session session(options_of(sessions().front()));
  RenderOptions other = options_of(session);
  other.threads = 1;
  EXPECT_THROW(session.render(triangle_scene(), other), Error);
  const Animation animation(parse_scenes(two_keys()));
  EXPECT_THROW(session.render(animation, animation.frame_count()), Error);
  EXPECT_THROW(session.render(animation, -1), Error);
}

TEST(Session, FramesAreThoseOfTheProgram) {
  const ScratchFolder folder;
  write_file(folder / "keys.flame", two_keys());
  const std::vector<std::string> common = {"--quiet", "--frames", "0-3", "--temporal-samples", "3"};
  const auto animate = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"animate", "keys.flame"});
    options.insert(options.end(), common.begin(), common.end());
    EXPECT_EQ(run_program(options, {folder.path(), "", {}, {}}).code, 0);
  };
  animate({"-o", "key-#.png"});
  animate({"-o", "turn-#.png", "--sequence", "--loop", "--nframes", "4", "--stagger", "0.5"});
  std::vector<Scene> scenes = load_scenes(folder / "keys.flame");
  for (Scene& scene : scenes) scene.set("temporal_samples", "3");
  const Animation keys(scenes);
  SequenceOptions sequence;
  sequence.nframes = 4;
  sequence.stagger = 0.5;
  const Animation turn = Animation::sequence(scenes, sequence, true);
  EXPECT_EQ(keys.frame_count(), 10);
  EXPECT_EQ(turn.frame_count(), 16);
  EXPECT_EQ(turn.time(3), 3);
  EXPECT_EQ(turn.scene(3).attribute("time"), "3");
  for (Session& session : sessions()) {
    for (int frame = 0; frame < 4; ++frame) {
      const std::string number = std::to_string(frame) + ".png";
      EXPECT_TRUE(encode(session.render(keys, frame)) == read_file(folder / ("key-" + number)));
      EXPECT_TRUE(encode(session.render(turn, frame)) == read_file(folder / ("turn-" + number)));
    }
  }
  std::vector<RenderOptions> ways = options_of_every_device();
  for (const int threads : {1, 2})
    (ways.emplace_back().backend = Backend::cpu, ways.back().threads = threads);
  share_work({{Backend::cpu, 0, 1}, {Backend::cpu, 0, 1}}, ways.back());
  for (const RenderOptions& options : ways) {
    std::vector<int> got;
    render_frames(turn, {3, 0, 2}, options, [&](int frame, const Picture& picture) {
      const std::string name = "turn-" + std::to_string(frame) + ".png";
      EXPECT_TRUE(encode(picture) == read_file(folder / name)) << name;
      got.push_back(frame);
    });
    EXPECT_EQ(got, (std::vector{3, 0, 2}));
  }
}

TEST(Session, ManyFramesEndWithWhatGoesWrong) {
  const Animation keys(parse_scenes(two_keys()));
  RenderOptions options;
  options.backend = Backend::cpu;
  for (const int threads : {1, 2}) {
    options.threads = threads;
    std::vector<int> got;
    const auto all = [&](const std::vector<int>& frames, const RenderOptions& asked) {
      render_frames(keys, frames, asked, [&](int frame, const Picture&) {
        got.push_back(frame);
        if (frame == 2) throw std::runtime_error("enough");
      });
    };
    EXPECT_THROW(all({0, 1, 2, 3, 4}, options), std::runtime_error);
    EXPECT_EQ(got, (std::vector{0, 1, 2}));
    got.clear();
    EXPECT_THROW(all({0, 10}, options), Error);  // there is no frame 10
    std::stop_source stop;
    RenderOptions stopped = options;
    stopped.stop = stop.get_token();
    stop.request_stop();
    EXPECT_THROW(all({0, 1}, stopped), Error);
    EXPECT_TRUE(got.empty());
    all({}, options);
  }
}

TEST(Session, SavesLinearLightAsOpenExrOnly) {
  const ScratchFolder folder;
  RenderOptions options;
  options.linear = true;
  const Picture picture = render(triangle_scene(), options);
  EXPECT_THROW(save(picture, folder / "a.png"), Error);
  EXPECT_TRUE(folder.entries().empty());
  if (!exr_supported()) return;
  save(picture, folder / "a.exr");
  EXPECT_TRUE(read_file(folder / "a.exr") == encode(picture));
}

/// Stops renders of the scene at moments all over their time. What each of the two threads still does is no more than it can in
/// a tenth of a second.
void expect_stops(Session& session, const Scene& scene) {
  const std::string whole = session.render(scene).hash;  // a device's first one takes longer
  const Stops stops = stops_of([&](const std::stop_token& stop) {
    RenderOptions options = options_of(session);
    options.stop = stop;
    return !said(ErrorKind::stopped, [&] { session.render(scene, options); }).empty();
  });
  EXPECT_LT(stops.longest, 0.1 * 2) << session.device() << ", " << scene.name();
  // while a GPU plays, this process takes next to no seconds by which moments could be told
  EXPECT_GE(stops.count, session.device().starts_with("cpu") ? 4 : 1);
  EXPECT_EQ(session.render(scene).hash, whole);
  testing::Test::RecordProperty("longest_s", std::to_string(stops.longest));
}

TEST(Session, StopsWithinATenthOfASecond) {
  const std::string flames = source_dir() + std::string("/flames/");
  for (Session& session : sessions()) {
    Scene slow = load_scenes(flames + "conch.flam3").at(0);  // six xforms, much to iterate
    slow.set_width(640);
    slow.set_quality(60);
    expect_stops(session, slow);
    Scene deep = load_scenes(flames + "wild/harbour.flame").at(0);
    deep.set_width(320);
    deep.set_quality(50);
    expect_stops(session, deep);
    Scene wide = load_scenes(flames + "halo.flam3").at(0);  // little to iterate, much to estimate
    wide.set_width(1920);
    wide.set("kiln_bloom", "0.2");
    expect_stops(session, wide);
  }
}

#if !defined(__SANITIZE_THREAD__)  // it ends such a child
TEST(Session, RendersInAChildOfFork) {
  for (Session& session : sessions()) {
    const bool cpu = session.device().starts_with("cpu");
    const std::string whole = session.render(triangle_scene()).hash;
    EXPECT_EQ(status_of_child([&] {
                if (!cpu)
                  return said(ErrorKind::device, [&] {
                           session.render(triangle_scene());
                         }).find("spawn") != std::string::npos;
                const std::string same = session.render(triangle_scene()).hash;
                {
                  const Session gone = std::move(session);
                }  // nobody waits for the parent's threads
                return same == whole;
              }),
              0)
        << session.device();
    EXPECT_EQ(session.render(triangle_scene()).hash, whole);
  }
}

/// A child that begins while another thread renders is told so, and can open a session of its own.
TEST(Session, OfAnotherThreadIsInUseInAChildOfFork) {
  RenderOptions options = options_of(sessions().front());
  Session session(options);
  const std::string whole = session.render(triangle_scene()).hash;
  std::atomic<bool> renders = false;
  std::stop_source stop;
  RenderOptions endless = options;
  endless.on_progress = [&](const Progress&) { renders = true; };
  endless.stop = stop.get_token();
  Scene scene = triangle_scene();
  scene.set("quality", "1e8");
  std::jthread other([&] { EXPECT_THROW(session.render(scene, endless), Error); });
  while (!renders) std::this_thread::sleep_for(milliseconds(1));
  EXPECT_NE(said(ErrorKind::usage, [&] { session.render(triangle_scene()); }), "");
  EXPECT_EQ(status_of_child([&] {
              const bool told =
                  !said(ErrorKind::usage, [&] { session.render(triangle_scene()); }).empty();
              { const Session gone = std::move(session); }
              return told && Session(options).render(triangle_scene()).hash == whole;
            }),
            0);
  stop.request_stop();
}
#endif

TEST(Session, OnAnotherGpuServesAnotherThread) {
  if (list_cuda_devices().size() < 2) GTEST_SKIP() << "no second GPU";
  RenderOptions options;
  options.backend = Backend::cuda;
  Session first(options);
  options.device = 1;
  Session second(options);
  Picture here, there;
  std::jthread([&] { there = second.render(triangle_scene()); }).join();
  here = first.render(triangle_scene());  // the thread opened the second one last
  EXPECT_EQ(here.hash, there.hash);
}

TEST(Session, ThatWasAskedBeforeRendersNothing) {
  std::stop_source source;
  source.request_stop();
  RenderOptions options;
  options.stop = source.get_token();
  EXPECT_THROW(render(triangle_scene(), options), Error);
}

}  // namespace
}  // namespace kiln
