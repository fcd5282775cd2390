#include "tests/variations/evaluate.h"

#include <cstring>

#include "kernels/variations/all.h"

namespace kiln::test {
namespace {

template <class V>
V make_variation(const std::vector<double>& params) {
  V variation{};
  float values[V::info.parameter_count + 1] = {};
  for (int i = 0; i < V::info.parameter_count; ++i) values[i] = float(params.at(i));
  std::memcpy(static_cast<void*>(&variation), values, V::info.parameter_count * sizeof(float));
  if constexpr (requires { variation.prepare(); }) variation.prepare();
  return variation;
}

Random generator_of(std::size_t evaluation, int repeat, std::uint64_t seed) {
  const Words4 words = philox(u32(evaluation), u32(repeat), 0, 0, seed);
  return {words.w[0], words.w[1] | 1};
}

Result result_of(Vec2 p) {
  const bool good = abs(p.x) <= 1e10f && abs(p.y) <= 1e10f;
  return {p.x, p.y, !good};
}

}  // namespace

std::vector<Result> evaluate(const std::vector<Evaluation>& evaluations, int repeats,
                             std::uint64_t seed) {
  std::vector<Result> results;
  results.reserve(evaluations.size() * repeats);
  for (std::size_t i = 0; i < evaluations.size(); ++i) {
    const Evaluation& e = evaluations[i];
    const Affine& m = e.coefs;
    const Vec2 p = {fma(m.a, e.x, fma(m.b, e.y, m.c)), fma(m.d, e.x, fma(m.e, e.y, m.f))};
    dispatch<AllVariations>(e.variation, [&]<class V>(Type<V>) {
      const V variation = make_variation<V>(e.params);
      for (int r = 0; r < repeats; ++r) {
        Random random = generator_of(i, r, seed);
        results.push_back(result_of(variation(Arg{p, Real(e.weight), m, random})));
      }
    });
  }
  return results;
}

}  // namespace kiln::test
