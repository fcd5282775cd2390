// SPDX-License-Identifier: MIT
// A still that is prepared before its turn: the same picture, and what is wrong with it is said when
// its turn comes.
#include <gtest/gtest.h>

#include "engine/io/flame/flame_reader.h"
#include "engine/model/image.h"
#include "engine/render/still.h"
#include "tests/cli/program.h"
#include "tests/devices.h"

namespace kiln {
namespace {

using namespace test;

Flame flame_of(const std::string& attributes = "") {
  return parse_flames(triangle(attributes), "memory", {}).flames.at(0);
}

std::string hash_of(Renderer& renderer, const RenderOptions& options, Still still) {
  return pixel_hash(render_still(renderer, options, still, nullptr).value());
}

TEST(PrepareAhead, MakesTheSamePicture) {
  for (RenderOptions options : options_of_every_device()) {
    for (const double noise : {0.0, 0.01}) {
      options.until_noise = noise;
      options.most_quality = noise > 0 ? 3000 : 0;
      Renderer renderer(options);
      const Flame flame = flame_of();
      Still ahead{flame};
      ahead.ready = prepare_ahead(flame, options);
      ASSERT_TRUE(ahead.ready.valid());
      EXPECT_EQ(hash_of(renderer, options, std::move(ahead)),
                hash_of(renderer, options, Still{flame}));
    }
  }
}

TEST(PrepareAhead, TakesLittleMemoryBesideAnotherPicture) {
  const RenderOptions options;
  Flame flame = flame_of();
  flame.width = flame.height = 4096;
  EXPECT_TRUE(prepare_ahead(flame, options).valid());
  flame.supersample = 2;
  EXPECT_FALSE(prepare_ahead(flame, options).valid());
  flame = flame_of();
  flame.estimator_radius = 65;
  EXPECT_FALSE(prepare_ahead(flame, options).valid());
}

TEST(PrepareAhead, SaysWhatIsWrongWhenItIsRendered) {
  RenderOptions options;
  options.backend = Backend::cpu;
  Flame flame = flame_of();
  flame.estimator_radius = 9;
  flame.estimator_curve = 0;
  Still ahead{flame};
  ahead.ready = prepare_ahead(flame, options);
  const auto refusal = [&](Still still, std::uint64_t most_bytes) -> std::string {
    options.max_memory_bytes = most_bytes;
    Renderer renderer(options);
    try {
      render_still(renderer, options, still, nullptr);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const std::string of_curve = refusal(Still{flame}, 0), of_memory = refusal(Still{flame}, 1000);
  EXPECT_NE(of_curve.find("estimator_curve"), std::string::npos) << of_curve;
  EXPECT_EQ(refusal(std::move(ahead), 0), of_curve);
  ahead = Still{flame};
  ahead.ready = prepare_ahead(flame, options);
  EXPECT_NE(of_memory.find("--max-memory"), std::string::npos) << of_memory;
  EXPECT_EQ(refusal(std::move(ahead), 1000), of_memory);
}

}  // namespace
}  // namespace kiln
