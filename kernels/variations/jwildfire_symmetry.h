// SPDX-License-Identifier: MIT
// JWildfire's symmetry groups of bands and of nets in the plane: one of a group's copies, by chance.
// All run one formula; what a group is, is the numbers of its maps.
#pragma once

#include "kernels/variations/extended.h"

KILN_BEGIN

/// A group; its parameters are whole tenths at first.
template <int A = 0, int B = 0, int C = 0, int D = 0, int E = 0>
struct CrystalGroup {
  static constexpr bool random_draws = true;
  static constexpr bool weighs_depth = true;
  float a = Real(A) / 10, b = Real(B) / 10, c = Real(C) / 10, d = Real(D) / 10, e = Real(E) / 10;
  float begin = 0, count = 0;                            // of its maps in the table
  float before = 0;                                      // added to both coordinates first
  float right = 0, more_right = 0, up = 0, more_up = 0;  // shifts, which maps take with either sign

  KILN_FN void choose(int first, int maps, Real moved, Real x, Real more_x, Real y, Real more_y) {
    begin = Real(first);
    count = Real(maps);
    before = moved;
    right = x;
    more_right = more_x;
    up = y;
    more_up = more_y;
  }
  /// A map as bits: four coefficients of 3, two shifts in halves of 4, four signs of 2.
  KILN_FN static u32 map_of(i32 place) {
    constexpr u32 maps[] = {
        0x4442603u, 0x6644603u, 0x4442603u, 0x6664e03u, 0x4432603u, 0x6656e07u, 0x4432603u,
        0x6656607u, 0x4432603u, 0x6652e03u, 0x4432603u, 0x6636607u, 0x4452e03u, 0x6656e07u,
        0x4430603u, 0x6638607u, 0x6654e03u, 0x4454e07u, 0x4444603u, 0x6644603u, 0x4444603u,
        0x6644e03u, 0x4444603u, 0x6644e07u, 0x2010603u, 0x0234e07u, 0x8854e03u, 0xaa38607u,
        0x6030603u, 0x4234e07u, 0x4834e03u, 0x6a38607u, 0x2444603u, 0x0444e03u, 0xa644603u,
        0x8644e03u, 0x6444603u, 0x4644e03u, 0x0042e03u, 0x2246607u, 0x0246e07u, 0x2042603u,
        0x8842e03u, 0xaa46607u, 0x8a46e07u, 0xa842603u, 0x4644e03u, 0x6444607u, 0x4444e07u,
        0x6644603u, 0x4444e07u, 0x44441d8u, 0x66440f8u, 0x6644603u, 0xaa44603u, 0x8844e07u,
        0x8a441d8u, 0xa8440f8u, 0x2044607u, 0x00441f8u, 0x22440d8u, 0x0244e03u, 0x6644603u,
        0x4444e07u, 0x46441d8u, 0x64440f8u, 0x6444607u, 0x44441f8u, 0x66440d8u, 0x4644e03u,
        0x4444e03u, 0x44443b5u, 0x4444295u, 0x6644e03u, 0x66443b5u, 0x6644295u, 0x4444603u,
        0x4444e03u, 0x4444ab5u, 0x4444b95u, 0x44443b5u, 0x4444295u, 0x6644603u, 0x6644e03u,
        0x6644ab5u, 0x6644b95u, 0x66443b5u, 0x6644295u, 0x44441d8u, 0x44441f8u, 0x444446au,
        0x4444c4au, 0x4444c6eu, 0x444444eu, 0x66441d8u, 0x66441f8u, 0x664446au, 0x6644c4au,
        0x6644c6eu, 0x664444eu, 0x4444603u, 0x44442b1u, 0x4444ab5u, 0x4444e07u, 0x4444b95u,
        0x4444391u, 0x6644603u, 0x66442b1u, 0x6644ab5u, 0x6644e07u, 0x6644b95u, 0x6644391u,
        0x4444603u, 0x4444e03u, 0x44442b1u, 0x4444a91u, 0x4444ab5u, 0x4444295u, 0x4444e07u,
        0x4444607u, 0x4444b95u, 0x44443b5u, 0x4444391u, 0x4444bb1u, 0x6644603u, 0x6644e03u,
        0x66442b1u, 0x6644a91u, 0x6644ab5u, 0x6644295u, 0x6644e07u, 0x6644607u, 0x6644b95u,
        0x66443b5u, 0x6644391u, 0x6644bb1u};
    return maps[place];
  }
  KILN_FN static Real coefficient(u32 bits) {
    const u32 kind = bits & 3u;  // 0.866: JWildfire's half root of 3
    const Real size = kind == 0   ? Real(0)
                      : kind == 1 ? Real(0.5)
                      : kind == 2 ? Real(0.866)
                                  : Real(1);
    return (bits & 4u) != 0 ? -size : size;
  }
  KILN_FN static Real shift(u32 halves, u32 signs, Real first, Real second) {
    const Real start = Real(i32(halves & 15u) - 4) / 2;
    const Real one = Real(i32(signs & 3u) - 1), two = Real(i32(signs >> 2 & 3u) - 1);
    return fma(one, first, fma(two, second, start));
  }
  KILN_FN Vec2 operator()(const Arg& in) const {
    const u32 m = map_of(int_from(begin + floor(in.rng.uniform() * count)));
    const Real x = in.p.x + before, y = in.p.y + before;
    const Real dx = shift(m >> 12, m >> 20, right, more_right);
    const Real dy = shift(m >> 16, m >> 24, up, more_up);
    return Vec2{fma(coefficient(m), x, fma(coefficient(m >> 3), y, dx)),
                fma(coefficient(m >> 6), x, fma(coefficient(m >> 9), y, dy))} *
           in.weight;
  }
};

struct SymBg1 : CrystalGroup<> {
  static constexpr auto info = describe("sym_bg1", "sym_bg1_stepx", "sym_bg1_stepy");
  KILN_DRAWN({0.3, 1.5}, {0.3, 1.5});
  KILN_FN void prepare() { choose(0, 2, 0, a / 2, 0, b / 2, 0); }
};
struct SymBg2 : CrystalGroup<> {
  using Formula = SymBg1;
  static constexpr auto info = describe("sym_bg2", "sym_bg2_stepx", "sym_bg2_stepy");
  KILN_DRAWN({0.3, 1.5}, {0.3, 1.5});
  KILN_FN void prepare() { choose(2, 2, 0, a / 2, 0, b / 2, 0); }
};
struct SymBg3 : CrystalGroup<> {
  using Formula = SymBg1;
  static constexpr auto info = describe("sym_bg3", "sym_bg3_stepx", "sym_bg3_stepy");
  KILN_DRAWN({0.3, 1.5}, {0.3, 1.5});
  KILN_FN void prepare() { choose(4, 2, 0, a / 2, 0, b / 2, 0); }
};
struct SymBg4 : CrystalGroup<> {
  using Formula = SymBg1;
  static constexpr auto info = describe("sym_bg4", "sym_bg4_stepx", "sym_bg4_stepy");
  KILN_DRAWN({0.3, 1.5}, {0.3, 1.5});
  KILN_FN void prepare() { choose(6, 2, 0, a / 2, 0, b / 2, 0); }
};
struct SymBg5 : CrystalGroup<> {
  using Formula = SymBg1;
  static constexpr auto info = describe("sym_bg5", "sym_bg5_stepx", "sym_bg5_stepy");
  KILN_DRAWN({0.3, 1.5}, {0.3, 1.5});
  KILN_FN void prepare() { choose(8, 2, 0, a / 2, 0, b / 2, 0); }
};
struct SymBg6 : CrystalGroup<> {
  using Formula = SymBg1;
  static constexpr auto info = describe("sym_bg6", "sym_bg6_stepx", "sym_bg6_stepy");
  KILN_DRAWN({0.3, 1.5}, {0.3, 1.5});
  KILN_FN void prepare() { choose(10, 4, 0, a / 2, 0, b / 2, 0); }
};
struct SymBg7 : CrystalGroup<> {
  using Formula = SymBg1;
  static constexpr auto info = describe("sym_bg7", "sym_bg7_stepx", "sym_bg7_stepy");
  KILN_DRAWN({0.3, 1.5}, {0.3, 1.5});
  KILN_FN void prepare() { choose(14, 4, 0, a / 2, 0, b / 2, 0); }
};
struct SymNg1 : CrystalGroup<5, 5> {
  using Formula = SymBg1;
  static constexpr auto info = describe("sym_ng1", "sym_ng1_stepx", "sym_ng1_stepy");
  KILN_DRAWN({0.3, 1.5}, {0.3, 1.5});
  KILN_FN void prepare() { choose(18, 2, 0, a / 2, 0, b / 2, 0); }
};
struct SymNg2 : CrystalGroup<20, 20> {
  using Formula = SymBg1;
  static constexpr auto info = describe("sym_ng2", "sym_ng2_stepx", "sym_ng2_stepy");
  KILN_DRAWN({0.3, 1.5}, {0.3, 1.5});
  KILN_FN void prepare() { choose(20, 2, 0, a / 2, 0, b / 2, 0); }
};
struct SymNg3 : CrystalGroup<5, 0, 20> {
  using Formula = SymBg1;
  static constexpr auto info = describe("sym_ng3", "sym_ng3_sepx", "sym_ng3_sepy", "sym_ng3_step");
  KILN_DRAWN({0.1, 0.6}, {0.1, 0.6}, {0.3, 1.5});
  KILN_FN void prepare() { choose(22, 2, 0, a + c / 2, 0, b + c / 2, 0); }
};
struct SymNg4 : CrystalGroup<> {
  using Formula = SymBg1;
  static constexpr auto info =
      describe("sym_ng4", "sym_ng4_sepx", "sym_ng4_sepy", "sym_ng4_stepx", "sym_ng4_stepy");
  KILN_DRAWN({0.1, 0.6}, {0.1, 0.6}, {0.3, 1.5}, {0.3, 1.5});
  KILN_FN void prepare() { choose(24, 4, 0, a / 2, c / 2, b / 2, d / 2); }
};
struct SymNg5 : CrystalGroup<> {
  using Formula = SymBg1;
  static constexpr auto info = describe("sym_ng5", "sym_ng5_sepx", "sym_ng5_sepy", "sym_ng5_stepx");
  KILN_DRAWN({0.1, 0.6}, {0.1, 0.6}, {0.3, 1.5});
  KILN_FN void prepare() { choose(28, 4, 0, a, c / 2, b, 0); }
};
struct SymNg6 : CrystalGroup<1, 10, 10> {
  using Formula = SymBg1;
  static constexpr auto info =
      describe("sym_ng6", "sym_ng6_sepy", "sym_ng6_stepx", "sym_ng6_stepy");
  KILN_DRAWN({0.1, 0.6}, {0.3, 1.5}, {0.3, 1.5});
  KILN_FN void prepare() { choose(32, 4, 0, b / 2, 0, a / 2, c / 2); }
};
struct SymNg7 : CrystalGroup<> {
  using Formula = SymBg1;
  static constexpr auto info = describe("sym_ng7", "sym_ng7_sepx", "sym_ng7_sepy");
  KILN_DRAWN({0.1, 0.6}, {0.1, 0.6});
  KILN_FN void prepare() { choose(36, 2, 0, a / 2, 0, b / 2, 0); }
};
struct SymNg8 : CrystalGroup<> {
  using Formula = SymBg1;
  static constexpr auto info =
      describe("sym_ng8", "sym_ng8_sepx", "sym_ng8_sepy", "sym_ng8_skewx", "sym_ng8_skewy");
  KILN_DRAWN({0.1, 0.6}, {0.1, 0.6}, {0.1, 0.6}, {0.1, 0.6});
  KILN_FN void prepare() { choose(38, 8, 0, a / 2, c / 2, b / 2, d / 2); }
};
struct SymNg9 : CrystalGroup<> {
  using Formula = SymBg1;
  static constexpr auto info = describe("sym_ng9", "sym_ng9_sepx", "sym_ng9_sepy");
  KILN_DRAWN({0.1, 0.6}, {0.1, 0.6});
  KILN_FN void prepare() { choose(46, 4, 0, a / 2, 0, b / 2, 0); }
};
struct SymNg10 : CrystalGroup<> {
  using Formula = SymBg1;
  static constexpr auto info =
      describe("sym_ng10", "sym_ng10_space", "sym_ng10_spacex", "sym_ng10_spacey");
  KILN_DRAWN({0, 0.3}, {0.1, 0.6}, {0.1, 0.6});
  KILN_FN void prepare() { choose(50, 4, a, b / 2, 0, c / 2, 0); }
};
struct SymNg11 : CrystalGroup<0, 0, 0, 15, 15> {
  using Formula = SymBg1;
  static constexpr auto info = describe("sym_ng11", "sym_ng11_space", "sym_ng11_spacex",
                                        "sym_ng11_spacey", "sym_ng11_stepx", "sym_ng11_stepy");
  KILN_DRAWN({0, 0.3}, {0.1, 0.6}, {0.1, 0.6}, {0.3, 1.5}, {0.3, 1.5});
  KILN_FN void prepare() { choose(54, 8, a, b, d / 2, c, e / 2); }
};
struct SymNg12 : CrystalGroup<> {
  using Formula = SymBg1;
  static constexpr auto info =
      describe("sym_ng12", "sym_ng12_space", "sym_ng12_spacex", "sym_ng12_spacey");
  KILN_DRAWN({0, 0.3}, {0.1, 0.6}, {0.1, 0.6});
  KILN_FN void prepare() { choose(62, 8, a, b, 0, c, 0); }
};
struct SymNg13 : CrystalGroup<> {
  using Formula = SymBg1;
  static constexpr auto info =
      describe("sym_ng13", "sym_ng13_radius", "sym_ng13_stepx", "sym_ng13_stepy");
  KILN_DRAWN({0, 0.3}, {0.3, 1.5}, {0.3, 1.5});
  KILN_FN void prepare() {
    choose(70, 6, abs(a) * Real(0.70710678118654752440), b / 2, 0, c / 2, 0);
  }
};
struct SymNg14 : CrystalGroup<> {
  using Formula = SymBg1;
  static constexpr auto info =
      describe("sym_ng14", "sym_ng14_radius", "sym_ng14_stepx", "sym_ng14_stepy");
  KILN_DRAWN({0, 0.3}, {0.3, 1.5}, {0.3, 1.5});
  KILN_FN void prepare() {
    choose(76, 12, abs(a) * Real(0.70710678118654752440), b / 2, 0, c / 2, 0);
  }
};
struct SymNg15 : CrystalGroup<> {
  using Formula = SymBg1;
  static constexpr auto info =
      describe("sym_ng15", "sym_ng15_radius", "sym_ng15_stepx", "sym_ng15_stepy");
  KILN_DRAWN({0, 0.3}, {0.3, 1.5}, {0.3, 1.5});
  KILN_FN void prepare() {
    choose(88, 12, abs(a) * Real(0.70710678118654752440), b / 2, 0, c / 2, 0);
  }
};
struct SymNg16 : CrystalGroup<> {
  using Formula = SymBg1;
  static constexpr auto info =
      describe("sym_ng16", "sym_ng16_radius", "sym_ng16_stepx", "sym_ng16_stepy");
  KILN_DRAWN({0, 0.3}, {0.3, 1.5}, {0.3, 1.5});
  KILN_FN void prepare() {
    choose(100, 12, abs(a) * Real(0.70710678118654752440), b / 2, 0, c / 2, 0);
  }
};
struct SymNg17 : CrystalGroup<> {
  using Formula = SymBg1;
  static constexpr auto info =
      describe("sym_ng17", "sym_ng17_radius", "sym_ng17_stepx", "sym_ng17_stepy");
  KILN_DRAWN({0, 0.3}, {0.3, 1.5}, {0.3, 1.5});
  KILN_FN void prepare() {
    choose(112, 24, abs(a) * Real(0.70710678118654752440), b / 2, 0, c / 2, 0);
  }
};

using JWildfireSymmetry =
    VariationList<SymBg1, SymBg2, SymBg3, SymBg4, SymBg5, SymBg6, SymBg7, SymNg1, SymNg2, SymNg3,
                  SymNg4, SymNg5, SymNg6, SymNg7, SymNg8, SymNg9, SymNg10, SymNg11, SymNg12,
                  SymNg13, SymNg14, SymNg15, SymNg16, SymNg17>;

KILN_END
