// SPDX-License-Identifier: MIT
// A still that was stopped, taken further, shared out or begun on another device is the still that
// was rendered in one go, to the last bit; so is another look of its sums.
#include "engine/render/accumulate/checkpointed_game.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <stop_token>

#include "engine/base/error.h"
#include "engine/io/state/state_file.h"
#include "engine/render/renderer.h"
#include "tests/devices.h"
#include "tests/kernels/game.h"

namespace kiln::test {
namespace {

constexpr double quality_of_a_unit = 512;  // of 64 x 64 pixels

/// Three contractions and now and then a bad value; `units` may be broken.
Flame triangle(double units) {
  Flame flame = flame_over(64, 64, -1, -1, 32);
  number_palette(flame);
  flame.quality = units * quality_of_a_unit;
  flame.estimator_radius = 3;
  for (const double x : {-0.5, 0.0, 0.5}) {
    flame.xforms.push_back(contraction(1, 0.5, x, x * x));
    flame.xforms.back().color = x + 0.5;
  }
  flame.xforms.push_back(bad_xform(0.01));
  return flame;
}

/// `chains`: pools that go on, as flames have them that settle slowly; 0: none.
PreparedFrame prepared(const Flame& flame, const RenderOptions& options, std::uint32_t chains,
                       int gutter = -1) {
  Frame frame{flame, {}, {}, 0};
  frame.gutter = gutter;
  PreparedFrame ready = prepare(frame, options);
  ready.compiled.chains = chains;
  return ready;
}

RenderOptions options_of(Backend backend) {
  RenderOptions options;
  options.backend = backend;
  options.threads = 2;
  options.seed = 3;
  options.bits = 16;
  return options;
}

struct Made {
  std::optional<Image> image;
  RenderStatistics statistics;
  std::string state;  // as a file
  bool stopped = false;
};

std::optional<Image> render(const PreparedFrame& frame, const RenderOptions& options,
                            Checkpoint& checkpoint, RenderStatistics* statistics = nullptr) {
  return Renderer(options).make({.frame = &frame, .checkpoint = &checkpoint}, statistics);
}

Made whole(const Flame& flame, const RenderOptions& options, std::uint32_t chains) {
  Made made;
  made.image = Renderer(options).render(prepared(flame, options, chains), &made.statistics);
  return made;
}

SavedSums read(const std::string& state) {
  std::string_view rest = std::string_view(state).substr(state_signature.size());
  const ReadBytes bytes = [&](char* buffer, std::size_t count) {
    const std::size_t got = rest.copy(buffer, count);
    rest.remove_prefix(got);
    return got;
  };
  return read_state(bytes, "test.kiln", 1 << 28);
}

/// Goes on from `state` (empty: from nothing) and stops after so many launches (0: never).
Made kept(const Flame& flame, const RenderOptions& options, std::uint32_t chains,
          const std::string& state, int launches, Shard shard = {}, std::uint32_t halves = 0) {
  Made made;
  Checkpoint checkpoint;
  if (!state.empty()) checkpoint.sums = read(state);
  checkpoint.sums.shape.halves = halves;
  checkpoint.shard = shard;
  checkpoint.ask = [&] {
    if (launches > 0 && --launches == 0) return Checkpoint::Request::stop;
    return launches % 2 ? Checkpoint::Request::save : Checkpoint::Request::go_on;
  };
  checkpoint.save = [&](const SavedSums& sums) { made.state = state_bytes(sums); };
  made.image = render(prepared(flame, options, chains), options, checkpoint, &made.statistics);
  made.stopped = checkpoint.stopped;
  return made;
}

void expect_same(const Made& made, const Made& expected) {
  ASSERT_TRUE(made.image && expected.image);
  EXPECT_EQ(made.image->pixels16(), expected.image->pixels16());
  EXPECT_EQ(made.statistics.samples, expected.statistics.samples);
  EXPECT_EQ(made.statistics.bad_values, expected.statistics.bad_values);
  EXPECT_GT(expected.statistics.bad_values, 0u);
}

std::vector<Backend> backends() {
  std::vector<Backend> all = {Backend::cpu};
  if (open_cuda(0, false)) all.push_back(Backend::cuda);
  return all;
}

constexpr std::uint32_t some_chains[] = {0, 4};

TEST(CheckpointedGame, stopped_after_every_launch_and_gone_on) {
  for (const Backend backend : backends()) {
    const RenderOptions options = options_of(backend);
    for (const std::uint32_t chains : some_chains) {
      const Flame flame = triangle(19.5);
      const Made expected = whole(flame, options, chains);
      Made made;
      int stops = 0;
      do {
        made = kept(flame, options, chains, made.state, 1);
        stops += made.stopped;
        EXPECT_NE(made.stopped, made.image.has_value());
      } while (made.stopped && stops < 100);
      EXPECT_GE(stops, 1);
      expect_same(made, expected);
      expect_same(kept(flame, options, chains, "", 0), expected);
    }
  }
}

TEST(CheckpointedGame, several_devices_stop_save_and_go_on) {
  const RenderOptions alone = options_of(Backend::cpu);
  RenderOptions team = alone;
  team.threads = 1;
  team.helpers = {{Backend::cpu, 0, 1}, {Backend::cpu, 0, 1}};
  for (const std::uint32_t chains : some_chains) {
    const Flame flame = triangle(49.5);
    const Made expected = whole(flame, alone, chains);
    for (const std::uint32_t halves : {0, 1}) {
      Made made;
      int stops = 0;
      do {  // begun by several, gone on by one, and so on
        made = kept(flame, stops % 2 ? alone : team, chains, made.state, 1, {}, halves);
        stops += made.stopped;
      } while (made.stopped && stops < 100);
      EXPECT_GE(stops, 2);
      expect_same(made, expected);
      const Made saved = kept(flame, team, chains, "", 0, {}, halves);
      expect_same(saved, expected);
      EXPECT_EQ(read(saved.state).done, UnitSet({0, 49}));
      const Made fewer = kept(triangle(8), team, chains, "", 0, {}, halves);  // in one go
      expect_same(kept(flame, alone, chains, fewer.state, 0, {}, halves), expected);
      setenv("KILN_TEST_LOSE_HELPER", "2:1", 1);
      const Made lost = kept(flame, team, chains, "", 0, {}, halves);
      unsetenv("KILN_TEST_LOSE_HELPER");
      expect_same(lost, expected);
      EXPECT_NE(lost.statistics.warning.find("is lost"), std::string::npos);
    }
  }
}

TEST(CheckpointedGame, several_devices_stop_at_the_noise_of_one) {
  RenderOptions alone = options_of(Backend::cpu);
  alone.until_noise = 0.02;
  RenderOptions team = alone;
  team.helpers = {{Backend::cpu, 0, 1}};
  const Flame flame = triangle(200);
  const Made expected = kept(flame, alone, 0, "", 0, {}, 1),
             shared = kept(flame, team, 0, "", 0, {}, 1);
  expect_same(shared, expected);
  EXPECT_EQ(shared.statistics.ended_by, "noise");
  EXPECT_EQ(shared.statistics.noise, expected.statistics.noise);
}

/// Only while noise is measured does the token stop it.
TEST(CheckpointedGame, stopped_amid_a_probe_and_gone_on) {
  for (const Backend backend : backends()) {
    RenderOptions options = options_of(backend);
    options.until_noise = 0.02;
    const Flame flame = triangle(200);
    const Made expected = kept(flame, options, 0, "", 0, {}, 1);
    std::stop_source stop;
    stop.request_stop();
    std::string state;
    Checkpoint checkpoint;
    checkpoint.sums.shape.halves = 1;
    checkpoint.stop = stop.get_token();
    checkpoint.save = [&](const SavedSums& sums) { state = state_bytes(sums); };
    EXPECT_FALSE(render(prepared(flame, options, 0), options, checkpoint));
    EXPECT_TRUE(checkpoint.stopped);
    ASSERT_FALSE(state.empty());
    EXPECT_EQ(read(state).done.count(), read(state).next_look);
    const Made resumed = kept(flame, options, 0, state, 0, {}, 1);
    expect_same(resumed, expected);
    EXPECT_EQ(resumed.statistics.noise, expected.statistics.noise);
  }
}

TEST(CheckpointedGame, taken_to_a_higher_quality) {
  for (const std::uint32_t chains : some_chains) {
    const RenderOptions options = options_of(Backend::cpu);
    const Made first = kept(triangle(5.25), options, chains, "", 0);
    const Made better = kept(triangle(11.75), options, chains, first.state, 0);
    expect_same(better, whole(triangle(11.75), options, chains));
    EXPECT_EQ(better.statistics.earlier_samples, 5 * unit_samples);
    EXPECT_THROW(kept(triangle(4), options, chains, first.state, 0), Error);
    expect_same(kept(triangle(5), options, chains, first.state, 0),
                whole(triangle(5), options, chains));
  }
}

TEST(CheckpointedGame, begun_on_one_device_and_ended_on_another) {
  const std::vector<Backend> all = backends();
  if (all.size() < 2) GTEST_SKIP() << "no CUDA device";
  for (const std::uint32_t chains : some_chains) {
    const Flame flame = triangle(40.5);
    const Made expected = whole(flame, options_of(Backend::cpu), chains);
    for (const Backend first : all) {
      const Backend second = first == Backend::cpu ? Backend::cuda : Backend::cpu;
      const Made begun = kept(triangle(8), options_of(first), chains, "", 0);
      expect_same(kept(flame, options_of(second), chains, begun.state, 0), expected);
    }
  }
}

TEST(CheckpointedGame, shares_together_are_the_picture) {
  const RenderOptions options = options_of(Backend::cpu);
  for (const std::uint32_t chains : some_chains) {
    const Flame flame = triangle(13.5);
    SavedSums all;
    for (int number = 1; number <= 3; ++number) {
      const Made part = kept(flame, options, chains, "", 0, {number, 3});
      EXPECT_FALSE(part.image);
      if (number == 1)
        all = read(part.state);
      else
        add_sums(read(part.state), "part", all);
    }
    EXPECT_EQ(all.done, UnitSet({0, 13}));
    expect_same(kept(flame, options, chains, state_bytes(all), 0), whole(flame, options, chains));
  }
}

TEST(CheckpointedGame, shares_leave_nothing_out) {
  for (const std::uint64_t units : {0, 1, 3, 100, 256, 257, 1000}) {
    for (const std::uint64_t chains : {0, 256}) {
      for (const int of : {1, 2, 3, 7, 300}) {
        UnitSet all;
        std::uint64_t count = 0;
        for (int number = 1; number <= of; ++number) {
          const UnitSet shard = units_of_shard(units, chains, {number, of});
          count += shard.count();
          all.add(shard);
        }
        EXPECT_EQ(count, units);
        EXPECT_TRUE(all.contains({0, units}));
      }
    }
  }
}

TEST(CheckpointedGame, halves_are_the_picture_together) {
  const RenderOptions options = options_of(Backend::cpu);
  for (const std::uint32_t chains : some_chains) {
    const Flame flame = triangle(9.5);
    const Made made = kept(flame, options, chains, "", 0, {}, 1);
    expect_same(made, whole(flame, options, chains));
    const SavedSums halves = read(made.state),
                    one = read(kept(flame, options, chains, "", 0).state);
    ASSERT_EQ(halves.histograms.size(), 2u);
    std::uint64_t odd = 0;
    for (std::size_t i = 0; i < one.histograms[0].size(); ++i) {
      ASSERT_EQ(halves.histograms[0][i] + halves.histograms[1][i], one.histograms[0][i]);
      if (i % 4 == 3) odd += halves.histograms[1][i];
    }
    EXPECT_GT(odd, 0u);
    const Made stopped = kept(flame, options, chains, "", 1, {}, 1);
    expect_same(kept(flame, options, chains, stopped.state, 0, {}, 1),
                whole(flame, options, chains));
  }
}

/// What plays nothing and has the flame's look.
Made look(const Flame& flame, const RenderOptions& options, const std::string& state) {
  Made made;
  Checkpoint checkpoint;
  checkpoint.sums = read(state);
  checkpoint.regrade = true;
  const int gutter = int(checkpoint.sums.shape.gutter);
  made.image = render(prepared(flame, options, 0, gutter), options, checkpoint, &made.statistics);
  return made;
}

TEST(CheckpointedGame, another_look_is_a_render_with_it) {
  RenderOptions options = options_of(Backend::cpu);
  const Flame flame = triangle(3.5);
  const std::string state = kept(flame, options, 0, "", 0).state;
  Flame other = flame;
  other.brightness = 9;
  other.gamma = 2;
  other.vibrancy = 0.3;
  other.background = {0.1, 0.2, 0.3};
  other.filter_shape = FilterShape::mitchell;
  other.estimator_minimum = 1;
  other.effects.bloom.strength = 0.3;
  options.transparent = true;
  options.crop = Window{5, 6, 20, 30};
  expect_same(look(other, options, state), whole(other, options, 0));
}

TEST(CheckpointedGame, a_look_that_reaches_less_far_takes_the_same_sums) {
  const RenderOptions options = options_of(Backend::cpu);
  const Flame flame = triangle(3.5);
  const std::string state = kept(flame, options, 0, "", 0).state;
  Flame other = flame;
  other.estimator_radius = 0;
  const Made made = look(other, options, state), expected = whole(other, options, 0);
  ASSERT_TRUE(made.image);
  double difference = 0;  // points at the edges of buckets fall into their neighbors
  for (std::size_t i = 0; i < expected.image->pixels16().size(); ++i)
    difference += std::abs(double(made.image->pixels16()[i]) - expected.image->pixels16()[i]);
  EXPECT_LT(difference / double(expected.image->pixels16().size()), 65535 * 0.002);
  other.estimator_radius = 7;
  EXPECT_THROW(look(other, options, state), Error);
}

/// The last state that is saved where launch number `launch` fails when its pools have moved, ""
/// where there is none, and nothing where there is no such launch.
std::optional<std::string> state_of_failed(const Flame& flame, const RenderOptions& options,
                                           std::uint32_t chains, std::uint32_t halves, int launch) {
  std::string state;
  Checkpoint checkpoint;
  checkpoint.sums.shape.halves = halves;
  checkpoint.ask = [] { return Checkpoint::Request::save; };
  checkpoint.save = [&](const SavedSums& sums) { state = state_bytes(sums); };
  setenv("KILN_TEST_FAIL_GAME", (std::to_string(launch) + ",amid").c_str(), 1);
  bool has_failed = false;
  try {
    render(prepared(flame, options, chains), options, checkpoint);
  } catch (const Error&) {
    has_failed = true;
  }
  unsetenv("KILN_TEST_FAIL_GAME");
  return has_failed ? std::optional(state) : std::nullopt;
}

TEST(CheckpointedGame, nothing_of_a_launch_that_failed_is_kept) {
  for (const Backend backend : backends()) {
    const RenderOptions options = options_of(backend);
    const Flame flame = triangle(11.5);
    for (const std::uint32_t chains : some_chains) {
      for (const std::uint32_t halves : {0, 1}) {
        const Made expected = whole(flame, options, chains);  // launches count anew
        int failures = 0, states = 0;
        while (const auto state = state_of_failed(flame, options, chains, halves, failures + 1)) {
          ++failures;
          states += !state->empty();
          expect_same(kept(flame, options, chains, *state, 0, {}, halves), expected);
        }
        EXPECT_GE(failures, chains > 0 ? 3 : 1);
        EXPECT_EQ(states, failures - 1 - int(halves)) << "none before the first launches end";
      }
    }
  }
}

TEST(CheckpointedGame, sums_of_other_pictures_are_refused) {
  const RenderOptions options = options_of(Backend::cpu);
  const Flame flame = triangle(2.5);
  const std::string state = kept(flame, options, 0, "", 0).state;
  const auto refused = [&](const Flame& other, const RenderOptions& with) {
    try {
      kept(other, with, 0, state, 0);
      return false;
    } catch (const Error& error) {
      return error.kind == ErrorKind::usage;
    }
  };
  EXPECT_FALSE(refused(flame, options));
  RenderOptions seed = options;
  seed.seed = 4;
  EXPECT_TRUE(refused(flame, seed));
  RenderOptions compat = options;
  compat.compat_flam3 = true;
  EXPECT_TRUE(refused(flame, compat));
  for (void (*change)(Flame&) :
       {+[](Flame& f) { f.xforms[1].coefs.c += 1e-6; }, +[](Flame& f) { f.xforms[1].weight = 1.5; },
        +[](Flame& f) { f.xforms[2].color = 0.3; }, +[](Flame& f) { f.palette[7].g = 1; },
        +[](Flame& f) { f.center_x = 0.01; }, +[](Flame& f) { f.width = 65; },
        +[](Flame& f) { f.supersample = 2; }, +[](Flame& f) { f.passes = 2; }}) {
    Flame other = flame;
    change(other);
    EXPECT_TRUE(refused(other, options));
  }
  RenderOptions game = options;
  game.game = Game::divergent;
  EXPECT_TRUE(refused(flame, game));
}

/// Kernels look up tables by what a pool says.
TEST(CheckpointedGame, pools_that_cannot_be_are_refused) {
  const RenderOptions options = options_of(Backend::cpu);
  SavedSums sums = read(kept(triangle(5), options, 4, "", 0).state);
  Point point{0.5f, 0.5f, 0, 5};  // four xforms: the last one is at most 4
  std::memcpy(sums.pools[1].data() + 100 * sizeof point, &point, sizeof point);
  EXPECT_THROW(kept(triangle(9), options, 4, state_bytes(sums), 0), Error);
  point.meta = 4;
  std::memcpy(sums.pools[1].data() + 100 * sizeof point, &point, sizeof point);
  EXPECT_TRUE(kept(triangle(9), options, 4, state_bytes(sums), 0).image);
  point.x = NAN;
  std::memcpy(sums.pools[1].data() + 100 * sizeof point, &point, sizeof point);
  EXPECT_THROW(kept(triangle(9), options, 4, state_bytes(sums), 0), Error);
}

TEST(CheckpointedGame, one_thread_writes_a_state_when_it_is_due) {
  RenderOptions options = options_of(Backend::cpu);
  options.threads = 1;
  Checkpoint checkpoint;
  int asked = 0, saved = 0;
  checkpoint.ask = [&] {
    EXPECT_EQ(saved, asked);
    ++asked;
    return Checkpoint::Request::save;
  };
  checkpoint.save = [&](const SavedSums&) { ++saved; };
  EXPECT_TRUE(render(prepared(triangle(9), options, 0), options, checkpoint));
  EXPECT_GT(asked, 1);
}

TEST(CheckpointedGame, a_request_to_save_during_a_save_is_kept) {
  const RenderOptions options = options_of(Backend::cpu);
  Checkpoint checkpoint;
  std::atomic<int> asked = 0, saves = 0;
  checkpoint.ask = [&] {
    return ++asked <= 2 ? Checkpoint::Request::save : Checkpoint::Request::go_on;
  };
  checkpoint.save = [&](const SavedSums&) {
    for (++saves; asked < 3;) continue;
  };
  EXPECT_TRUE(render(prepared(triangle(80), options, 0), options, checkpoint));
  EXPECT_EQ(saves, 3);  // both, and the last one
}

TEST(CheckpointedGame, a_save_that_fails_in_mid_render_is_a_warning) {
  const RenderOptions options = options_of(Backend::cpu);
  Checkpoint checkpoint;
  int saves = 0, warnings = 0;
  checkpoint.ask = [] { return Checkpoint::Request::save; };
  checkpoint.save = [&](const SavedSums&) {
    if (++saves == 1) fail(ErrorKind::output, "the disk is full");
  };
  checkpoint.warn = [&](const std::string& text) { warnings += text == "the disk is full"; };
  EXPECT_TRUE(render(prepared(triangle(20), options, 0), options, checkpoint));
  EXPECT_EQ(warnings, 1);
  EXPECT_GT(saves, 1);
  checkpoint = {};
  checkpoint.save = [](const SavedSums&) { fail(ErrorKind::output, "the disk is full"); };
  EXPECT_TRUE(render(prepared(triangle(20), options, 0), options, checkpoint));
  EXPECT_THROW(std::rethrow_exception(checkpoint.unsaved), Error);
}

}  // namespace
}  // namespace kiln::test
