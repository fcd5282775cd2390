// SPDX-License-Identifier: MIT
// What compile() makes of a flame: shares of the xforms, fixed-point palettes, the camera; and what
// it refuses.
#include "engine/program/compile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "engine/base/error.h"
#include "tests/devices.h"
#include "tests/kernels/game.h"

namespace kiln::test {
namespace {

constexpr PlotArea any_area{1, 0, 64, 64};

Flame weighted_flame(const std::vector<double>& weights) {
  Flame flame = flame_over(64, 64, -1, -1, 32);
  for (double w : weights) flame.xforms.push_back(contraction(w, 0.5, 0, 0));
  return flame;
}

// ---- selection ----

u32 share(double s) { return u32(std::min(std::floor(s * 4294967296.0 + 0.5), 4294967295.0)); }

TEST(Compile, CumulativeSharesStartWithZeroAndAreNormalized) {
  const CompiledFlame flame = compile(weighted_flame({3, 0, 1, 4, 0}), any_area);
  EXPECT_EQ(flame.cumulative,
            (std::vector<u32>{0, share(3 / 8.0), share(3 / 8.0), share(0.5), 0xffffffffu}));
  EXPECT_EQ(flame.program.xform_count, 5);
  EXPECT_FALSE(flame.program.has_xaos);
  EXPECT_EQ(compile(weighted_flame({1e-300, 3e-300}), any_area).cumulative,
            (std::vector<u32>{0, share(0.25)}));
  EXPECT_EQ(compile(weighted_flame({1e300, 3e300}), any_area).cumulative,
            (std::vector<u32>{0, share(0.25)}));
}

TEST(Compile, XaosHasARowForEachLastXform) {
  Flame flame = weighted_flame({1, 2, 1});
  flame.xforms[0].chaos = {0, 1, 2};
  flame.xforms[1].chaos = {3};  // the others are 1
  const CompiledFlame compiled = compile(flame, any_area);
  EXPECT_TRUE(compiled.program.has_xaos);
  const std::vector<u32> expected = {0, share(0.25), share(0.75),     // none yet
                                     0, 0,           share(0.5),      // 0, 2, 2
                                     0, share(0.5),  share(5 / 6.0),  // 3, 2, 1
                                     0, share(0.25), share(0.75)};
  EXPECT_EQ(compiled.cumulative, expected);
}

TEST(Compile, ChaosOfOnesIsNoXaos) {
  Flame flame = weighted_flame({1, 2});
  flame.xforms[0].chaos = {1, 1};
  EXPECT_FALSE(compile(flame, any_area).program.has_xaos);
  EXPECT_EQ(compile(flame, any_area).cumulative.size(), 2u);
}

void expect_refused(const Flame& flame, const std::string& words) {
  try {
    compile(flame, any_area);
    ADD_FAILURE() << "accepted: " << words;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::input);
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("test.flame:7"), std::string::npos) << error.what();
  }
}

TEST(Compile, RefusesWhatCannotBeIterated) {
  expect_refused(weighted_flame({}), "no xform");
  expect_refused(weighted_flame({0, 0}), "weight");
  Flame dead_end = weighted_flame({1, 1, 0});
  dead_end.xforms[1].chaos = {0, 0, 5};  // only to an xform without weight
  expect_refused(dead_end, "xform 1");
}

TEST(Compile, SamplesFollowQualityZoomAndPasses) {
  Flame flame = weighted_flame({1});
  flame.quality = 10;
  EXPECT_EQ(compile(flame, any_area).sample_count, 40'960u);
  flame.zoom = 1.5;  // 8 times as many
  EXPECT_NEAR(double(compile(flame, any_area).sample_count), 327'680.0, 1);
  flame.zoom = 0;
  flame.passes = 3;
  EXPECT_EQ(compile(flame, any_area).sample_count, 13'653u);
}

// ---- xforms ----

TEST(Compile, KeepsWeightedVariationsAndRunsPreBlurFirst) {
  Flame flame = weighted_flame({1});
  Xform& xform = flame.xforms[0];
  const auto weight_of = [&](const char* name) -> double& {
    return xform.variations[std::size_t(*find_variation(name))];
  };
  weight_of("linear") = 0.25;
  weight_of("curl") = -0.5;
  weight_of("pre_blur") = 0.125;
  xform.parameters[std::size_t(*find_parameter("curl_c1"))] = 0.75;
  xform.color = 0.75;
  xform.color_speed = 0.25;
  CompiledFlame compiled = compile(flame, any_area);
  ASSERT_EQ(compiled.xforms[0].term_count, 3);
  const char* names[] = {"pre_blur", "linear", "curl"};
  const float weights[] = {0.125f, 0.25f, -0.5f};
  for (int t = 0; t < 3; ++t) {
    const VariationTerm& term = compiled.terms[std::size_t(compiled.xforms[0].first_term + t)];
    EXPECT_EQ(term.variation, *find_variation(names[t]));
    EXPECT_EQ(term.weight, weights[t]);
    if (t == 2) {
      EXPECT_EQ(compiled.parameters[std::size_t(term.parameters)], 0.75f);
    }
  }
  EXPECT_EQ(compiled.xforms[0].color_pull, 0.1875f);
  EXPECT_EQ(compiled.xforms[0].color_keep, 0.75f);
  EXPECT_TRUE(compiled.xforms[0].draws_random);  // pre_blur does
  EXPECT_FALSE(compiled.xforms[0].has_post);
  weight_of("pre_blur") = 0;
  xform.post.c = 1e-3;
  compiled = compile(flame, any_area);
  EXPECT_EQ(compiled.xforms[0].term_count, 2);
  EXPECT_FALSE(compiled.xforms[0].draws_random);
  EXPECT_TRUE(compiled.xforms[0].has_post);
}

/// Twelve functions of Fractorium are three formulas: kernels have no more code than that.
TEST(Compile, VariationsOfOneFormulaRunOneCode) {
  const auto code_of = [](const char* name) {
    Flame flame = weighted_flame({1});
    Xform& xform = flame.xforms[0];
    xform.variations.assign(std::size_t(variation_count()), 0.0);
    xform.variations[std::size_t(*find_variation(name))] = 1;
    const CompiledFlame compiled = compile(flame, any_area);
    return compiled.terms.at(std::size_t(compiled.xforms[0].first_term)).variation;
  };
  const std::vector<std::vector<const char*>> formulas = {
      {"ember_sin", "ember_cos", "ember_sinh", "ember_cosh"},
      {"ember_tan", "ember_cot", "ember_tanh", "ember_coth"},
      {"ember_sec", "ember_csc", "ember_sech", "ember_csch"}};
  for (const auto& names : formulas)
    for (const char* name : names) EXPECT_EQ(code_of(name), *find_variation(names[0])) << name;
  EXPECT_EQ(code_of("sin"), *find_variation("sin"));
}

/// One flame at all time samples, which might have had what `bound` has.
class Bounded : public TimeSampleSource {
 public:
  Bounded(const Flame& flame, const Flame& bound) : flame_(flame), bound_(bound) {}
  std::vector<const Flame*> bounds() override { return {&bound_}; }
  void visit(const std::function<void(const Flame&)>& see) override {
    for (int i = 0; i < 2; ++i) see(flame_);
  }

 private:
  const Flame &flame_, &bound_;
};

TEST(Compile, KeepsNothingThatNoMomentHas) {
  const Flame flame = weighted_flame({1, 2});
  Flame bound = weighted_flame({1, 2, 3});
  bound.xforms[0].variations[std::size_t(*find_variation("curl"))] = 1;
  bound.xforms[1].chaos = {1, 0.5};
  bound.xforms[1].post.c = 1;
  bound.final_xform = bound.xforms[0];
  Bounded source(flame, bound);
  int seen = 0;
  const CompiledTimeSamples got =
      compile_time_samples(source, {1, 1}, [&](const Flame&) { ++seen; });
  const CompiledFlame expected = compile(flame, TimeSamples{{&flame, &flame}, {1, 1}}, any_area);
  EXPECT_EQ(seen, 2);
  EXPECT_EQ(got.flame.program.xform_count, 2);
  EXPECT_FALSE(got.flame.program.has_final);
  EXPECT_FALSE(got.flame.program.has_xaos);
  EXPECT_EQ(got.flame.terms.size(), expected.terms.size());
  EXPECT_EQ(got.flame.parameters, expected.parameters);
  EXPECT_EQ(got.flame.cumulative, expected.cumulative);
  ASSERT_EQ(got.flame.xforms.size(), 4u);
  for (const XformData& xform : got.flame.xforms) EXPECT_FALSE(xform.has_post);
}

// ---- palettes ----

double visibility(double opacity) { return opacity > 0 ? std::pow(10, std::log2(opacity)) : 0; }

Palette random_palette(unsigned seed, bool integers, bool alpha) {
  std::mt19937 twister(seed);
  const auto channel = [&] {
    return integers ? (twister() % 256) / 255.0 : twister() / 4294967296.0;
  };
  Palette palette;
  for (Rgba& c : palette) {
    c = {channel(), channel(), channel(), 1};
    if (alpha) c.a = channel();
  }
  return palette;
}

Flame visible_flame(const std::vector<double>& opacities, const Palette& palette) {
  Flame flame = weighted_flame(std::vector<double>(opacities.size(), 1.0));
  for (std::size_t i = 0; i < opacities.size(); ++i) flame.xforms[i].opacity = opacities[i];
  flame.palette = palette;
  return flame;
}

TEST(Compile, IntegerPalettesAreExact) {
  for (const bool alpha : {false, true}) {
    const Flame flame = visible_flame({1, 1, 1}, random_palette(1, true, alpha));
    const CompiledFlame compiled = compile(flame, any_area);
    EXPECT_EQ(compiled.unit, 1);
    EXPECT_EQ(bool(compiled.table.opaque), !alpha);
    EXPECT_FALSE(compiled.table.wide);
    EXPECT_EQ(compiled.largest_increment, 255u);
    EXPECT_EQ(compiled.program.color.bits, 8);
    ASSERT_EQ(compiled.hits, std::vector<u32>{255});
    ASSERT_EQ(compiled.palette.size(), 256u);
    for (std::size_t i = 0; i < 256; ++i) {
      const Rgba& c = flame.palette[i];
      const double channels[] = {c.r, c.g, c.b, alpha ? c.a : 1};
      for (int k = 0; k < 4; ++k)
        ASSERT_EQ(compiled.palette[i].v[k], std::lround(channels[k] * 255)) << i << " " << k;
    }
  }
}

TEST(Compile, PaletteRowsFollowTheOpacities) {
  const CompiledFlame compiled =
      compile(visible_flame({1, 0.5, 0, 1, 0.5, 2}, random_palette(1, true, false)), any_area);
  const auto row = [&](std::size_t f) { return compiled.xforms[f].palette_row; };
  EXPECT_EQ(compiled.hits.size(), 3u);
  EXPECT_EQ(compiled.palette.size(), 3u * 256);
  EXPECT_EQ(row(0), row(3));
  EXPECT_EQ(row(1), row(4));
  EXPECT_EQ(row(2), -1);
  EXPECT_NE(row(0), row(1));
  EXPECT_NE(row(0), row(5));
  for (std::size_t f : {0u, 1u, 5u}) {
    const double opacities[] = {1, 0.5, 0, 1, 0.5, 2};
    EXPECT_NEAR(compiled.hits[std::size_t(row(f))] * compiled.unit, 255 * visibility(opacities[f]),
                0.5 * compiled.unit);
  }
  EXPECT_EQ(compile(visible_flame({0, 0}, random_palette(1, true, false)), any_area).hits.size(),
            1u);
}

/// Fixed point is right to a thousandth of a hit of its class. Where opacities of one flame lie so
/// far apart that 32 bits do not reach, to 2^-30 of the strongest hit.
TEST(Compile, FixedPointIsRightToAThousandthOfAHit) {
  const Palette palette = random_palette(2, false, true);
  for (const std::vector<double>& opacities : std::vector<std::vector<double>>{{1},
                                                                               {0.5},
                                                                               {0.1},
                                                                               {0.01},
                                                                               {1, 0.02},
                                                                               {0.03, 0.5, 1.5},
                                                                               {10},
                                                                               {1, 10},
                                                                               {30},
                                                                               {100},
                                                                               {0.1, 30},
                                                                               {1, 0.005}}) {
    const CompiledFlame compiled = compile(visible_flame(opacities, palette), any_area);
    const double strongest =
        255 * visibility(*std::max_element(opacities.begin(), opacities.end()));
    double largest = 0;
    for (std::size_t f = 0; f < opacities.size(); ++f) {
      const double hit = 255 * visibility(opacities[f]),
                   tolerance = std::max(1e-3 * hit, strongest * 0x1p-30);
      const std::size_t row = std::size_t(compiled.xforms[f].palette_row);
      EXPECT_NEAR(compiled.hits[row] * compiled.unit, hit, tolerance) << opacities[f];
      for (std::size_t i = 0; i < 256; ++i) {
        const double channels[] = {palette[i].r, palette[i].g, palette[i].b, palette[i].a};
        for (int k = 0; k < 4; ++k) {
          ASSERT_NEAR(compiled.palette[row * 256 + i].v[k] * compiled.unit, channels[k] * hit,
                      tolerance)
              << opacities[f];
        }
      }
      largest = std::max(largest, double(compiled.hits[row]));
    }
    EXPECT_EQ(double(compiled.largest_increment), largest);  // no channel is above a hit
    EXPECT_EQ(bool(compiled.table.wide), largest > 65535);
    EXPECT_EQ(std::exp2(std::round(std::log2(compiled.unit))), compiled.unit);
  }
  EXPECT_TRUE(compile(visible_flame({1, 10}, random_palette(2, true, false)), any_area).table.wide);
  EXPECT_FALSE(
      compile(visible_flame({1, 0.5}, random_palette(2, true, false)), any_area).table.wide);
}

/// flam3's lookup (flam3-pipeline.md section 7), in double.
std::array<double, 5> flam3_increment(const Flame& flame, double color, double opacity) {
  const double t = color * 256, vis = visibility(opacity);
  const auto entry = [&](int i) {
    const Rgba& c = flame.palette[std::size_t(std::clamp(i, 0, 255))];
    return std::array<double, 4>{c.r, c.g, c.b, c.a};
  };
  std::array<double, 4> c = entry(int(std::clamp(std::trunc(t), -1.0, 256.0)));
  if (flame.palette_mode == PaletteMode::linear && t >= 0 && t < 255) {
    const double fraction = t - std::floor(t);
    for (std::size_t k = 0; k < 4; ++k)
      c[k] = (1 - fraction) * entry(int(t))[k] + fraction * entry(int(t) + 1)[k];
  }
  return {c[0] * 255 * vis, c[1] * 255 * vis, c[2] * 255 * vis, c[3] * 255 * vis, 255 * vis};
}

/// A pixel for each color: what its samples add, on the device.
void expect_increments(Device& device, PaletteMode mode, const Palette& palette,
                       const std::vector<double>& opacities) {
  const double colors[] = {0,         1,          -0.3,        1.7,           0.5,
                           1e9,       -1e9,       255 / 256.0, 254.999 / 256, 0.49999997,
                           1 / 256.0, 0.99609374, 0.123456,    0.777,         0.3};
  constexpr int count = int(std::size(colors)) + 30;
  Flame flame = flame_over(count, 1, 0, 0, 1);
  std::mt19937 twister(8);
  for (int i = 0; i < count; ++i) {
    Xform xform = linear_xform(1, {0, 0, 0, 0, i + 0.5, 0.5});
    xform.color = i < int(std::size(colors)) ? colors[i] : twister() / 4294967296.0;
    xform.color_speed = 1;
    flame.xforms.push_back(xform);
  }
  constexpr std::uint64_t samples = 30'000;
  const Histogram visits = play(device, flame, samples);  // white: how often each pixel is met
  flame.palette = palette;
  flame.palette_mode = mode;
  for (std::size_t i = 0; i < flame.xforms.size(); ++i)
    flame.xforms[i].opacity = opacities[i % opacities.size()];
  Player player(device, flame, samples);
  const Histogram histogram = player.play(0);
  const int index_steps = 1 << player.flame().table.fraction_bits;
  for (std::size_t i = 0; i < std::size_t(count); ++i) {
    const double color = double(float(flame.xforms[i].color)), opacity = flame.xforms[i].opacity;
    const std::array<double, 5> expected = flam3_increment(flame, color, opacity);
    const double hit = expected[4], n = visits.hits(i);
    ASSERT_GT(n, 100) << i;
    for (int k = 0; k < histogram.channels; ++k) {
      const double want = expected[std::size_t(histogram.channels == 4 && k == 3 ? 4 : k)];
      // linear palettes have index_steps places between two entries, which may be 255 apart
      double tolerance = player.flame().unit == 1 ? 1e-9 * hit : 0.51 * player.flame().unit;
      if (mode == PaletteMode::linear)
        tolerance += 0.51 / index_steps * hit + 0.51 * player.flame().unit;
      ASSERT_NEAR(histogram.value(i, k) / n, want, tolerance)
          << "color " << color << " channel " << k << " opacity " << opacity;
    }
  }
}

TEST_ON_EVERY_DEVICE(Compile, SamplesAddTheirPaletteEntry) {
  for (const bool alpha : {false, true}) {
    for (const PaletteMode mode : {PaletteMode::step, PaletteMode::linear}) {
      expect_increments(device, mode, random_palette(3, true, alpha), {1});
      expect_increments(device, mode, random_palette(4, false, alpha), {1, 0.5, 2});
      expect_increments(device, mode, random_palette(5, true, alpha), {1, 0.1, 10, 0.3});  // wide
      std::vector<double> many;
      for (int i = 0; i < 45; ++i) many.push_back(0.1 + i / 50.0);
      expect_increments(device, mode, random_palette(6, true, alpha), many);
    }
  }
}

// ---- camera ----

TEST(Compile, CameraFollowsThePictureItself) {
  std::mt19937 twister(12);
  const auto u = [&](double low, double high) {
    return low + (high - low) * (twister() / 4294967296.0);
  };
  for (int trial = 0; trial < 200; ++trial) {
    Flame flame = weighted_flame({1});
    flame.width = int(u(1, 2000));
    flame.height = int(u(1, 2000));
    flame.center_x = u(-3, 3);
    flame.center_y = u(-3, 3);
    flame.scale = std::exp(u(0, 8));
    flame.zoom = trial % 3 == 0 ? 0 : u(-2, 4);
    flame.rotate_deg = trial % 4 == 0 ? 90.0 * (trial % 16) / 4 : u(-720, 720);
    flame.pixel_aspect = trial % 2 == 0 ? 1 : u(0.5, 2);
    PlotArea area;
    area.supersample = 1 + trial % 4;
    area.gutter = trial % 5 == 0 ? 0 : int(u(0, 40));
    area.width = area.supersample * flame.width + 2 * area.gutter;
    area.height = area.supersample * flame.height + 2 * area.gutter;
    const Program program = compile(flame, area).program;
    EXPECT_EQ(program.width, area.width);
    EXPECT_EQ(program.height, area.height);
    const Tiling& tiling = program.tiling;
    EXPECT_GE(tiling.x_bits, 6);
    EXPECT_GE(tiling.y_bits, 6);
    EXPECT_EQ(tiling.tiles_x, (area.width + tiling.columns() - 1) / tiling.columns());
    EXPECT_EQ(tiling.tile_count,
              tiling.tiles_x * ((area.height + tiling.rows() - 1) / tiling.rows()));

    const double ppy = flame.scale * std::exp2(flame.zoom), ppx = ppy / flame.pixel_aspect;
    const double os = area.supersample, angle = flame.rotate_deg * M_PI / 180;
    const double left = flame.center_x - flame.width / (2 * ppx) - area.gutter / (os * ppx);
    const double top = flame.center_y - flame.height / (2 * ppy) - area.gutter / (os * ppy);
    for (int point = 0; point < 10; ++point) {
      const double x = flame.center_x + u(-1, 1) * flame.width / ppx,
                   y = flame.center_y + u(-1, 1) * flame.height / ppy;
      const double dx = x - flame.center_x, dy = y - flame.center_y;
      const double turned_x = dx * std::cos(angle) - dy * std::sin(angle) + flame.center_x;
      const double turned_y = dx * std::sin(angle) + dy * std::cos(angle) + flame.center_y;
      const Affine& m = program.raster_from_flame;
      const double column = double(m.a) * x + double(m.b) * y + double(m.c),
                   row = double(m.d) * x + double(m.e) * y + double(m.f);
      const double rounding =
          2e-7 * (os * ppy * 2 * (std::fabs(x) + std::fabs(y) + 6) + area.width + area.height);
      ASSERT_NEAR(column, (turned_x - left) * os * ppx, rounding) << trial;
      ASSERT_NEAR(row, (turned_y - top) * os * ppy, rounding) << trial;
    }
  }
}

/// Row 0 is the smallest y, and a positive angle turns clockwise on screen.
TEST(Compile, CameraHasFlam3sOrientation) {
  Flame flame = weighted_flame({1});
  const auto pixel = [&](double x, double y) {
    const Affine m = compile(flame, any_area).program.raster_from_flame;
    return std::pair(int(std::floor(m.a * Real(x) + m.b * Real(y) + m.c)),
                     int(std::floor(m.d * Real(x) + m.e * Real(y) + m.f)));
  };
  EXPECT_EQ(pixel(-0.99, -0.99), std::pair(0, 0));
  EXPECT_EQ(pixel(0.99, -0.99), std::pair(63, 0));
  EXPECT_EQ(pixel(-0.99, 0.99), std::pair(0, 63));
  flame.rotate_deg = 90;
  EXPECT_EQ(pixel(-0.99, -0.99), std::pair(63, 0));  // top left goes to top right
}

TEST(Compile, SaysWhenPixelsAreFinerThanFloat) {
  Flame flame = weighted_flame({1});
  flame.xforms[0].variations[std::size_t(find_variation("waves").value())] = 0.1;  // not in double
  flame.center_x = 1;
  const auto resolution = [&] { return resolution_of(compile(flame, any_area)); };
  EXPECT_EQ(resolution(), Resolution::whole);
  EXPECT_EQ(resolution_warning(compile(flame, any_area)), "");
  EXPECT_NEAR(compile(flame, any_area).pixel_pitch, 1 / 32.0, 1e-12);
  flame.scale = 9.9e5;  // a millionth of the distance
  EXPECT_EQ(resolution(), Resolution::whole);
  flame.scale = 1.01e6;
  EXPECT_EQ(resolution(), Resolution::soft);
  flame.scale = 8.3e6;  // 2^-23 of it
  EXPECT_EQ(resolution(), Resolution::soft);
  flame.scale = 8.5e6;
  EXPECT_EQ(resolution(), Resolution::blocks);
  EXPECT_NE(resolution_warning(compile(flame, any_area)).find("expect blocks"), std::string::npos);
  flame.scale = 5e5;
  flame.zoom = 10;  // 64 buckets are hardly more than a step
  EXPECT_EQ(resolution(), Resolution::blocks);
  flame.zoom = 13;
  EXPECT_EQ(resolution(), Resolution::black);
  EXPECT_NE(resolution_warning(compile(flame, any_area)).find("expect black"), std::string::npos);
}

/// A picture near the origin has as few digits as what points come from.
TEST(Compile, PointsAreRoundedWhereAffineMapsTakeThem) {
  Flame flame = weighted_flame({1});
  flame.scale = 1e7;
  const auto fine = [&] { return compile(flame, any_area).program.fine != 0; };
  EXPECT_FALSE(fine());  // what lies about the origin and is only scaled keeps all its digits
  for (double AffineD::*moved : {&AffineD::c, &AffineD::f}) {
    Flame still = flame;
    for (AffineD XformValues::*map : {&XformValues::coefs, &XformValues::post}) {
      flame = still;
      flame.xforms[0].*map.*moved = -5;
      EXPECT_TRUE(fine());
      flame.scale = 1.9e5;  // a millionth of 5
      EXPECT_FALSE(fine());
      flame.scale = 2.1e5;
      EXPECT_TRUE(fine());
      flame.xforms[0].weight = 0;
      flame.xforms.push_back(contraction(1, 0.5, 0, 0));
      EXPECT_FALSE(fine()) << "it is never drawn";
      flame.final_xform = contraction(0, 1, 5, 0);
      EXPECT_TRUE(fine());
    }
    flame = still;
  }
  flame.center_y = 1000.4;
  flame.scale = 40000;
  EXPECT_TRUE(fine()) << "y counts as x does";
}

/// A film that comes out of the deep has its deep moments in double.
TEST(Compile, ADeepMomentIsNotForgottenByTheNext) {
  Flame deep = weighted_flame({1});
  deep.center_x = 1;
  Flame flat = deep;
  deep.scale = 1e7;
  TimeSamples both;
  both.weights = {1, 1};
  both.flames = {&deep, &flat};
  EXPECT_TRUE(compile(flat, both, any_area).program.fine);
  both.flames = {&flat, &deep};
  EXPECT_TRUE(compile(flat, both, any_area).program.fine);
  both.flames = {&flat, &flat};
  EXPECT_FALSE(compile(flat, both, any_area).program.fine);
}

/// Records hold a pixel of its tile and a color; larger tiles must leave the color its bits.
TEST(Compile, TilesGrowWithThePictureAsFarAsTheirRecordsAllow) {
  Flame flame = weighted_flame({1});
  const auto tiling = [&](int width, int height) {
    flame.width = width;
    flame.height = height;
    return compile(flame, PlotArea{1, 0, width, height}).program.tiling;
  };
  const auto bits = [](const Tiling& t) { return std::pair(t.x_bits, t.y_bits); };
  EXPECT_EQ(bits(tiling(1920, 1080)), std::pair(6, 6));
  EXPECT_EQ(bits(tiling(2560, 1440)), std::pair(7, 6));
  EXPECT_EQ(bits(tiling(3840, 2160)), std::pair(7, 7));
  EXPECT_EQ(bits(tiling(7680, 4320)), std::pair(7, 7));
  flame.palette_mode = PaletteMode::linear;  // needs more than 8 bits of color
  EXPECT_EQ(bits(tiling(7680, 4320)), std::pair(7, 6));
}

}  // namespace
}  // namespace kiln::test
