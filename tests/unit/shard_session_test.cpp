// SPDX-License-Identifier: MIT
// The parts of a still that the library plays one by one, and the devices that share one: together
// they are the undivided picture, and their files are the program's.
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/api/kiln.h"
#include "engine/api/kiln_c.h"
#include "tests/cli/program.h"
#include "tests/devices.h"
#include "tests/slow_still.h"
#include "tests/unit/stopping.h"

namespace kiln {
namespace {

using namespace test;

void run(const ScratchFolder& folder, const std::vector<std::string>& words) {
  const Outcome outcome = run_program(words, {folder.path(), "", {}, {}});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST(ShardSession, AllOfThemAreThePicture) {
  for (RenderOptions options : options_of_every_device()) {
    const ScratchFolder folder;
    std::vector<std::string> states;
    std::uint64_t samples = 0;
    for (int number = 1; number <= 3; ++number) {
      states.push_back(folder / ("a." + std::to_string(number) + "-3.kiln"));
      Session session(options);
      samples +=
          session.render_shard(slow_triangle(), options, {states.back()}, {number, 3}).samples;
    }
    merge(states, folder / "all.kiln");
    Session session(options);
    const Picture whole = session.render(slow_triangle());
    EXPECT_LE(samples, whole.statistics.samples);
    const Scene kept = load_scenes(folder / "all.kiln").at(0);
    const Picture merged = session.grade(kept, options, folder / "all.kiln");
    EXPECT_EQ(merged.hash, whole.hash);
    EXPECT_TRUE(encode(merged) == encode(whole));
    // the program's files
    write_file(folder / "a.flame", triangle());
    run(folder, {"render", "a.flame", "--quality", many_samples, "--shard", "2/3", "--state",
                 "b.kiln", "-q"});
    EXPECT_TRUE(read_file(folder / "b.kiln") == read_file(states[1]));
    run(folder,
        {"merge", "a.1-3.kiln", "a.2-3.kiln", "a.3-3.kiln", "-o", "b.kiln", "-q", "--force"});
    EXPECT_TRUE(read_file(folder / "b.kiln") == read_file(folder / "all.kiln"));
    // parts that lack one
    merge({states[2], states[0]}, states[0]);
    EXPECT_NE(
        said(ErrorKind::input, [&] { session.grade(kept, options, states[0]); }).find("units"),
        std::string::npos);
    EXPECT_EQ(session.render(slow_triangle(), options, {states[0]}).hash, whole.hash);
  }
}

TEST(ShardSession, GoesOnWhereItWasStopped) {
  for (RenderOptions options : options_of_every_device()) {
    const ScratchFolder folder;
    Session session(options);
    std::stop_source source;
    source.request_stop();
    options.stop = source.get_token();
    const StateFile state{folder / "a.kiln", 1000};
    EXPECT_NE(said(ErrorKind::stopped,
                   [&] {
                     session.render_shard(slow_triangle(), options, state, {1, 2});
                   }),
              "");
    options.stop = {};
    const RenderStatistics first = session.render_shard(slow_triangle(), options, state, {1, 2});
    EXPECT_GT(first.earlier_samples, 0u);
    EXPECT_LE(first.earlier_samples, first.samples);  // a GPU takes up all of it at once
    session.render_shard(slow_triangle(), options, {folder / "b.kiln"}, {2, 2});
    merge({folder / "b.kiln", state.path}, folder / "all.kiln");
    EXPECT_EQ(session.grade(slow_triangle(), options, folder / "all.kiln").hash,
              session.render(slow_triangle()).hash);
  }
}

TEST(ShardSession, RefusesWhatDoesNotBelongTogether) {
  RenderOptions options = options_of_every_device().front();
  const ScratchFolder folder;
  const std::string a = folder / "a.kiln", b = folder / "b.kiln", all = folder / "all.kiln";
  Session session(options);
  const auto shard = [&](int number, int of) {
    return [&, number, of] { session.render_shard(slow_triangle(), options, {a}, {number, of}); };
  };
  for (const auto& [number, of] : {std::pair{0, 2}, {3, 2}, {1, 100'001}})
    EXPECT_NE(said(ErrorKind::usage, shard(number, of)), "") << number << "/" << of;
  options.until_noise = 0.01;
  EXPECT_NE(said(ErrorKind::usage, shard(1, 2)), "");
  options.until_noise = 0;
  EXPECT_TRUE(folder.entries().empty());
  shard(1, 2)();
  EXPECT_NE(said(ErrorKind::input, [&] { merge({a, a}, all); }).find("already"), std::string::npos);
  EXPECT_NE(said(ErrorKind::input, [&] { merge({a, b}, all); }), "");
  EXPECT_NE(said(ErrorKind::usage, [&] { merge({}, all); }), "");
  options.seed = 1;
  session.render_shard(slow_triangle(), options, {b}, {2, 2});
  EXPECT_NE(said(ErrorKind::input,
                 [&] {
                   merge({a, b}, all);
                 })
                .find("b.kiln: has another flame"),
            std::string::npos);
  options.max_memory_bytes = 1000;
  EXPECT_NE(said(ErrorKind::device, [&] { merge({a}, all, options); }), "");
  EXPECT_FALSE(std::filesystem::exists(all));
}

/// Large sums take longer to read, add and write.
TEST(ShardSession, MergingStopsWithinATenthOfASecond) {
  const ScratchFolder folder;
  Scene wide = load_scenes(source_dir() + std::string("/flames/conch.flam3")).at(0);
  wide.set_width(2560);
  wide.set_quality(3);
  RenderOptions options = options_of_every_device().front();
  std::vector<std::string> states;
  Session session(options);
  for (const int number : {1, 2}) {
    states.push_back(folder / std::to_string(number));
    session.render_shard(wide, options, {states.back()}, {number, 2});
  }
  const Stops stops = stops_of([&](const std::stop_token& stop) {
    options.stop = stop;
    std::filesystem::remove(folder / "all.kiln");
    const bool stopped =
        !said(ErrorKind::stopped, [&] { merge(states, folder / "all.kiln", options); }).empty();
    EXPECT_NE(stopped, std::filesystem::exists(folder / "all.kiln"));
    return stopped;
  });
  EXPECT_LT(stops.longest, 0.1);
  EXPECT_GE(stops.count, 3);
  testing::Test::RecordProperty("longest_s", std::to_string(stops.longest));
}

TEST(ShardSession, DevicesShareAPicture) {
  const std::vector<DeviceInfo> devices = list_devices();
  ASSERT_FALSE(devices.empty());
  EXPECT_EQ(devices.front().kind, "cpu");
  EXPECT_GT(devices.front().memory_bytes, 0u);
  RenderOptions options;
  if (devices.size() == 1) {
    EXPECT_NE(said(ErrorKind::device, [] { all_gpus(); }), "");
  } else {
    ASSERT_EQ(all_gpus().size(), devices.size() - 1);
    share_work(all_gpus(), options);
    EXPECT_EQ(options.backend, Backend::cuda);
    EXPECT_EQ(options.helpers.size(), devices.size() - 2);
    EXPECT_EQ(Session(options).render(slow_triangle()).hash, render(slow_triangle()).hash);
  }
  EXPECT_NE(said(ErrorKind::usage, [&] { share_work({}, options); }), "");
  share_work({{Backend::cpu, 0, 1}, {Backend::cpu, 0, 1}}, options);
  EXPECT_EQ(options.threads, 1);
  const Picture shared = Session(options).render(slow_triangle());
  EXPECT_EQ(shared.hash, render(slow_triangle()).hash);
  EXPECT_NE(shared.statistics.device.find(" + "), std::string::npos) << shared.statistics.device;
}

TEST(ShardSession, IsTheSameInC) {
  const ScratchFolder folder;
  const std::string a = folder / "a.kiln", b = folder / "b.kiln", all = folder / "all.kiln";
  kiln_scenes* scenes = nullptr;
  ASSERT_EQ(kiln_parse(slow_triangle().xml().c_str(), 0, nullptr, nullptr, &scenes), KILN_OK);
  kiln_options options = kiln_usual_options();
  options.backend = KILN_CPU;
  kiln_session* session = nullptr;
  ASSERT_EQ(kiln_open(&options, &session), KILN_OK) << kiln_message();
  for (const auto& [path, number] : {std::pair{&a, 1}, {&b, 2}})
    ASSERT_EQ(kiln_render_shard(session, scenes, 0, nullptr, path->c_str(), 60, number, 2),
              KILN_OK);
  EXPECT_EQ(kiln_render_shard(session, scenes, 0, nullptr, a.c_str(), 60, 3, 2), KILN_USAGE);
  const char* const states[] = {a.c_str(), b.c_str()};
  kiln_stop* stop = kiln_new_stop();
  kiln_request_stop(stop);
  options.stop = stop;
  EXPECT_EQ(kiln_merge(states, 2, all.c_str(), &options), KILN_STOPPED);
  EXPECT_EQ(kiln_merge(states, 0, all.c_str(), nullptr), KILN_USAGE);
  ASSERT_EQ(kiln_merge(states, 2, all.c_str(), nullptr), KILN_OK) << kiln_message();
  kiln_picture* picture = nullptr;
  ASSERT_EQ(kiln_grade(session, scenes, 0, nullptr, all.c_str(), &picture), KILN_OK);
  EXPECT_EQ(kiln_hash(picture), render(slow_triangle()).hash);
  kiln_device_info devices[2];
  int count = 0;
  ASSERT_EQ(kiln_list_devices(devices, 2, &count), KILN_OK);
  EXPECT_EQ(count, int(list_devices().size()));
  EXPECT_EQ(devices[0].backend, KILN_CPU);
  EXPECT_EQ(devices[0].name, list_devices().front().name);
  options.helper_count = KILN_ALL_GPUS;
  kiln_session* shared = nullptr;
  options.backend = KILN_CPU;
  EXPECT_EQ(kiln_open(&options, &shared), KILN_USAGE);
  options.backend = KILN_AUTOMATIC;
  EXPECT_EQ(kiln_open(&options, &shared), count > 1 ? KILN_OK : KILN_DEVICE);
  kiln_close(shared);
  kiln_free_picture(picture);
  kiln_free_stop(stop);
  kiln_close(session);
  kiln_free_scenes(scenes);
}

}  // namespace
}  // namespace kiln
