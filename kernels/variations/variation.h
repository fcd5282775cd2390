// SPDX-License-Identifier: MIT
// The contract of a variation and the list machinery around it. A variation is one struct: see any
// family file beside this one.
//
//   struct Curl {
//     // XML names: the variation, its parameters
//     static constexpr auto info = describe("curl", "curl_c1", "curl_c2");
//     KILN_DRAWN({0.2, 1}, {0, 0.5});                       // what they are by chance
//     float c1 = 1, c2 = 0;                                 // parameters in that order, defaults
//     float derived = 0;                                    // derived numbers, filled by prepare()
//     KILN_FN void prepare() { ... }                        // optional: once a flame, on the host
//     KILN_FN Vec2 operator()(const Arg& in) const { ... }  // the contribution, weight included
//   };
//
// All members are floats. random_draws = true marks a struct that draws from in.rng.
// runs_before_others = true: the struct displaces the point before the others see it (pre_blur); it
// returns the displaced point. `using Formula = Curl;` in a struct that derives from Curl: it is
// Curl's formula with other derived numbers, which kernels compile once for both.
//
// What variations beyond flam3's may be besides, in three dimensions, in their pre_ and post_ forms
// and with colors, stands in kernels/variations/extended.h.
#pragma once

#include "kernels/math.h"
#include "kernels/platform.h"
#include "kernels/random.h"

KILN_BEGIN

constexpr Real eps = Real(1e-10);  // flam3's EPS

/// The input of a variation: the point after the affine (and pre_blur), its weight, the xform's own
/// affine, its lane's generator.
struct Arg {
  Vec2 p;
  Real weight;
  const Affine& affine;
  Random& rng;

  KILN_FN Real r2() const { return p.x * p.x + p.y * p.y; }
  KILN_FN Real r() const { return sqrt(r2()); }
  /// flam3's theta: from the +y axis, x first
  KILN_FN Real theta() const { return atan2(p.x, p.y); }
  /// the usual polar angle
  KILN_FN Real phi() const { return atan2(p.y, p.x); }
  /// by division: NaN at the origin, as in flam3
  KILN_FN Real sin_theta() const { return p.x / r(); }
  KILN_FN Real cos_theta() const { return p.y / r(); }
};

/// Names of a variation and of its parameters, as written in the XML.
template <int N>
struct Description {
  const char* name;
  const char* parameters[N == 0 ? 1 : N];
  static constexpr int parameter_count = N;
};

template <class... Names>
constexpr Description<int(sizeof...(Names))> describe(const char* name, Names... parameters) {
  return {name, {parameters...}};
}

/// The range of a parameter in a flame made by chance (engine/flock/): anything from low to high,
/// perhaps whole, perhaps negated. The range makes something with the others of its variation: no
/// map of it sends all points to one place or to none.
struct Drawn {
  double low, high;
  bool is_whole = false, has_either_sign = false;
};
constexpr Drawn always(double value) { return {value, value}; }
constexpr Drawn whole(double low, double high) { return {low, high, true}; }
constexpr Drawn either_sign(double low, double high) { return {low, high, false, true}; }
constexpr Drawn whole_of_either_sign(double low, double high) { return {low, high, true, true}; }

/// The range of each parameter of a variation. NVRTC would put those of all variations into every
/// flame's own kernel, which needs none.
#if defined(__CUDACC_RTC__)
#define KILN_DRAWN(...) static_assert(true)
#else
#define KILN_DRAWN(...) static constexpr Drawn drawn[] = {__VA_ARGS__}
#endif

template <class T>
struct Type {
  using type = T;
};

template <class... Vs>
struct VariationList {
  static constexpr int size = int(sizeof...(Vs));
};

template <class... As, class... Bs>
VariationList<As..., Bs...> joined(VariationList<As...>, VariationList<Bs...>);
/// The variations of one list, then those of the other.
template <class A, class B>
using Joined = decltype(joined(A{}, B{}));

/// The I-th of a list. Eight steps at a time: nvcc follows 200 templates into each other, no more.
template <int I, class List>
struct VariationAt;
template <int I, class V, class... Rest>
requires(I > 0 && I < 8) struct VariationAt<I, VariationList<V, Rest...>>
    : VariationAt<I - 1, VariationList<Rest...>> {
};
template <int I, class A, class B, class C, class D, class E, class F, class G, class H,
          class... Rest>
requires(I >= 8) struct VariationAt<I, VariationList<A, B, C, D, E, F, G, H, Rest...>>
    : VariationAt<I - 8, VariationList<Rest...>> {
};
template <class V, class... Rest>
struct VariationAt<0, VariationList<V, Rest...>> {
  using type = V;
};

template <class V>
constexpr bool has_formula_of_another = requires {
  typename V::Formula;
};
template <class A, class B>
constexpr bool is_same_type = false;
template <class A>
constexpr bool is_same_type<A, A> = true;

/// The place of V in the list. No fold: clang nests 256 at most.
template <class V, class... Vs>
constexpr int place_of(VariationList<Vs...>) {
  const bool is_here[] = {is_same_type<V, Vs>..., true};
  int place = 0;
  while (!is_here[place]) ++place;
  return place;
}
/// The place of the variation whose code V runs, itself at `own_place`.
template <class V, class List>
constexpr int place_of_formula(int own_place) {
  if constexpr (has_formula_of_another<V>) {
    static_assert(sizeof(V) == sizeof(typename V::Formula), "derived numbers are the formula's");
    return place_of<typename V::Formula>(List{});
  } else {
    return own_place;
  }
}

/// Calls body(Type<V>{}) for the id-th variation of the list, found by halving the list: log2(size)
/// uniform branches. The id is that of a formula.
template <class List, int Begin = 0, int End = List::size, class Body>
KILN_FN void dispatch(int id, Body&& body) {
  if constexpr (End - Begin == 1) {
    using V = typename VariationAt<Begin, List>::type;
    if constexpr (!has_formula_of_another<V>) body(Type<V>{});
  } else {
    constexpr int middle = Begin + (End - Begin) / 2;
    if (id < middle) {
      dispatch<List, Begin, middle>(id, static_cast<Body&&>(body));
    } else {
      dispatch<List, middle, End>(id, static_cast<Body&&>(body));
    }
  }
}

template <class V>
constexpr bool runs_before_others = requires {
  requires V::runs_before_others;
};
template <class V>
constexpr bool draws_random = requires {
  requires V::random_draws;
};

KILN_END
