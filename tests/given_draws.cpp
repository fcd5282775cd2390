// SPDX-License-Identifier: MIT
#include "tests/given_draws.h"

#include <cmath>
#include <cstring>
#include <limits>

#ifdef KILN_IN_DOUBLE
#define float double
#endif
#include "kernels/extended_xform.h"
#include "kernels/variations/basic.h"
#include "kernels/variations/jwildfire.h"

KILN_BEGIN
namespace {

struct OneLane {
  template <class T>
  struct Lanes {
    T v;
    T& operator[](int) { return v; }
    const T& operator[](int) const { return v; }
  };
  template <class Body>
  void each(Body&& body) const {
    body(0);
  }
};
using Number = OneLane::Lanes<Real>;

struct Draws {
  Random random;
  Random get(int) const { return random; }
  void set(int, const Random& r) { random = r; }
};

template <class V>
V prepared(const std::vector<double>& parameters) {
  V v;
  if constexpr (V::info.parameter_count > 0) {
    float members[sizeof(V) / sizeof(float)];
    std::memcpy(members, static_cast<const void*>(&v), sizeof v);
    for (int p = 0; p < V::info.parameter_count; ++p)
      if (const double given = parameters[std::size_t(p)]; !std::isnan(given))
        members[p] = float(given);
    std::memcpy(static_cast<void*>(&v), members, sizeof v);
  }
  if constexpr (requires { v.prepare(); }) v.prepare();
  return v;
}

struct State {
  ExtendedLanes<Number> lanes;
  Number color;
  Draws draws;
  bool keeps_depth;
};

template <class V>
void apply(const test::GivenForm& form, State& s) {
  const V v = prepared<V>(form.parameters);
  const bool flat = !s.keeps_depth && form.stage == stage_regular && form.variation >= 0 &&
                    weighs_depth<V> && !gives_depth<V>;
  apply_term(OneLane{}, form_at<V>(form.stage) | (flat ? adds_no_z : 0), Real(form.weight),
             Affine{}, s.lanes, s.color, s.draws, [&](auto&& run_it) { run_it(v); });
}

template <class... Vs>
void apply_of(VariationList<Vs...>, const test::GivenForm& form, State& s) {
  using Apply = void (*)(const test::GivenForm&, State&);
  static constexpr Apply table[] = {apply<Vs>...};
  table[form.variation](form, s);
}

}  // namespace
KILN_END

namespace kiln::test {

GivenPlace KILN_OF_ISA(made_)(const std::vector<GivenForm>& forms, bool keeps_depth, GivenPlace at,
                              const std::vector<std::uint32_t>& draws) {
  State s{};
  s.keeps_depth = keeps_depth;
  s.draws.random = {draws.data(), draws.data() + draws.size()};
  s.color.v = Real(at.color);
  Number x{Real(at.x)}, y{Real(at.y)}, z{Real(at.z)};
  begin_terms<true>(OneLane{}, Affine{}, x, y, z, s.color, s.lanes);
  for (const i32 stage : {stage_pre, stage_regular, stage_post}) {
    for (const GivenForm& form : forms) {
      if (form.stage != stage) continue;
      if (form.variation < 0)
        apply<Linear>(form, s);
      else
        apply_of(JWildfireVariations{}, form, s);
    }
  }
  end_terms(OneLane{}, s.lanes, x, y, z);
  return {double(x.v), double(y.v), double(z.v), double(s.lanes.direct.v),
          s.lanes.mark.v == mark_of_hidden};
}

}  // namespace kiln::test
