// SPDX-License-Identifier: MIT
#include "tests/kernels/reference_game.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <random>
#include <type_traits>

#include "engine/model/variations.h"
#include "kernels/variations/all.h"

namespace kiln::test {
namespace {

using Generator = std::mt19937_64;

double uniform(Generator& generator) { return std::generate_canonical<double, 53>(generator); }

struct State {
  double x = 0, y = 0, z = 0, color = 0;
};

void transform(const AffineD& m, State& s) {
  const double x = s.x;
  s.x = m.a * x + m.b * s.y + m.c;
  s.y = m.d * x + m.e * s.y + m.f;
}

// ---- variations ----

/// What a struct of kernels/variations/ says of itself.
struct Kind {
  Moved (*call)(const float* members, const ExtendedArg& in);
  std::vector<float> (*prepared)(const double* parameters);
  bool (*empties)(const float* members, const ExtendedArg& in);
  bool adds, only_depth, leaves_depth, colors, comes_first, reads_sum;
  i32 restarts;
};

template <class V>
constexpr std::size_t words = sizeof(V) / sizeof(float) + 1;  // an empty struct has a byte

template <class V>
Moved call(const float* members, const ExtendedArg& in) {
  V v{};
  std::memcpy(static_cast<void*>(&v), members, sizeof v);
  return moved_by(v, in);
}

template <class V>
bool empties(const float* members, const ExtendedArg& in) {
  V v{};
  std::memcpy(static_cast<void*>(&v), members, sizeof v);
  if constexpr (empties_sum<V>) return v.empties(in);
  return false;
}

template <class V>
std::vector<float> prepared(const double* parameters) {
  std::vector<float> members(words<V>);
  if constexpr (!std::is_empty_v<V>) {
    V v;
    std::memcpy(members.data(), static_cast<const void*>(&v), sizeof v);
    for (int p = 0; p < V::info.parameter_count; ++p)
      members[std::size_t(p)] = float(parameters[p]);
    std::memcpy(static_cast<void*>(&v), members.data(), sizeof v);
    if constexpr (requires { v.prepare(); }) v.prepare();
    std::memcpy(members.data(), static_cast<const void*>(&v), sizeof v);
  }
  return members;
}

template <class... Vs>
std::vector<Kind> kinds_of(VariationList<Vs...>) {
  return {{call<Vs>, prepared<Vs>, empties<Vs>, adds_to_the_point<Vs>, only_depth<Vs>,
           leaves_depth<Vs>, changes_color<Vs>, runs_before_others<Vs>, reads_sum<Vs>,
           restarts<Vs>()}...};
}

const Kind& kind_of(int variation) {
  static const std::vector<Kind> all = kinds_of(AllVariations{});
  return all.at(std::size_t(variation));
}

struct Term {
  const Kind* kind;
  double weight;
  std::vector<float> members;
};

// ---- an xform ----

class ReferenceXform {
 public:
  explicit ReferenceXform(const Xform& xform)
      : xform_(xform), coefs_{Real(xform.coefs.a), Real(xform.coefs.d), Real(xform.coefs.b),
                              Real(xform.coefs.e), Real(xform.coefs.c), Real(xform.coefs.f)} {
    for (std::size_t v = 0; v < xform.variations.size(); ++v) {
      const bool first = kind_of(int(v)).comes_first;
      add(first ? Stage::pre : Stage::regular, int(v), xform.variations[v],
          xform.parameters.data() + variations()[v].first_parameter);
    }
    for (const StagedVariation& form : xform.staged)
      add(form.stage, form.variation, form.weight, form.parameters.data());
    const auto is_no_flatten = [](const Term& term) {
      return !(term.kind->only_depth && term.kind->restarts);
    };
    std::stable_partition(regular_.begin(), regular_.end(), is_no_flatten);
  }

  const Xform& xform() const { return xform_; }

  void apply(State& s, Random& random) const {
    s.color = xform_.color_speed * xform_.color + (1 - xform_.color_speed) * s.color;
    const double blended = s.color;
    transform(xform_.coefs, s);
    for (const Term& term : pre_) replace(term, s, s, random);
    State sum;
    sum.color = s.color;
    for (const Term& term : regular_) add_up(term, s, sum, random);
    const State point = s;
    for (const Term& term : post_) replace(term, sum, point, random);
    if (colors_) sum.color = blended + xform_.direct_color * (sum.color - blended);
    s = sum;
    if (std::isnan(s.color)) s.color = 0;
    transform(xform_.post, s);
  }

 private:
  void add(Stage stage, int variation, double weight, const double* parameters) {
    if (weight == 0) return;
    const Kind& kind = kind_of(variation);
    colors_ |= kind.colors;
    std::vector<Term>& terms = stage == Stage::pre ? pre_ : stage == Stage::post ? post_ : regular_;
    terms.push_back({&kind, weight, kind.prepared(parameters)});
  }

  ExtendedArg seen(const Term& term, const State& from, const State& point, Random& random) const {
    return ExtendedArg(Vec2{Real(from.x), Real(from.y)}, Real(from.z), Real(term.weight), coefs_,
                       random, Real(from.color), Vec3{Real(point.x), Real(point.y), Real(point.z)});
  }

  /// pre_ and post_ forms: the result takes the place of the point, or is added to it.
  void replace(const Term& term, State& s, const State& point, Random& random) const {
    const Kind& kind = *term.kind;
    const Moved out = kind.call(term.members.data(), seen(term, s, point, random));
    if (kind.adds) {
      s = {s.x + out.x, s.y + out.y, s.z + out.z, out.color};
    } else if (kind.only_depth) {
      s = {s.x, s.y, out.z, out.color};
    } else {
      s = {out.x, out.y, kind.leaves_depth ? s.z : out.z, out.color};
    }
  }

  void add_up(const Term& term, const State& s, State& sum, Random& random) const {
    State from = s;
    from.color = sum.color;
    const Kind& kind = *term.kind;
    ExtendedArg in = seen(term, from, s, random);
    if (kind.reads_sum) in.sum = {Real(sum.x), Real(sum.y), Real(sum.z)};
    const Moved out = kind.call(term.members.data(), in);
    if (kind.empties(term.members.data(), in)) sum.x = sum.y = sum.z = 0;
    if (kind.restarts & keeps_x) sum.x = 0;
    if (kind.restarts & keeps_y) sum.y = 0;
    if (kind.restarts & keeps_z) sum.z = 0;
    sum = {sum.x + out.x, sum.y + out.y, sum.z + out.z, out.color};
  }

  const Xform& xform_;
  const Affine coefs_;
  std::vector<Term> pre_, regular_, post_;
  bool colors_ = false;
};

// ---- the picture ----

class Canvas {
 public:
  explicit Canvas(const Flame& flame)
      : flame_(flame), sums_(std::size_t(flame.width) * std::size_t(flame.height)) {}

  void plot(State s, double opacity, Generator& generator) {
    look(s, generator);
    const double turn = flame_.rotate_deg * std::numbers::pi / 180;
    const double dx = s.x - flame_.center_x, dy = s.y - flame_.center_y;
    const double scale = flame_.scale * std::exp2(flame_.zoom);
    const double u = scale * (dx * std::cos(turn) - dy * std::sin(turn)) + flame_.width / 2.0;
    const double v = scale * (dx * std::sin(turn) + dy * std::cos(turn)) + flame_.height / 2.0;
    if (!(u >= 0 && u < flame_.width && v >= 0 && v < flame_.height)) return;
    auto& sum = sums_[std::size_t(v) * std::size_t(flame_.width) + std::size_t(u)];
    const Rgba color = color_at(s.color);
    const double channels[] = {color.r, color.g, color.b, 1};
    for (std::size_t c = 0; c < 4; ++c) sum[c] += channels[c] * opacity;
  }
  ReferencePicture take() { return std::move(sums_); }

 private:
  /// Through the camera of depth.
  void look(State& s, Generator& generator) const {
    const DepthCamera& c = flame_.depth_camera;
    const double sin_q = std::sin(c.yaw_rad), cos_q = std::cos(c.yaw_rad),
                 sin_p = std::sin(c.pitch_rad), cos_p = std::cos(c.pitch_rad);
    double across = s.x * cos_q + s.y * sin_q;
    const double h = s.y * cos_q - s.x * sin_q, height = s.z - c.z;
    double up = h * cos_p - height * sin_p;
    const double toward = h * sin_p + height * cos_p;
    const bool shows = c.pitch_rad != 0 || c.perspective != 0 || c.blur != 0;
    if (c.blur != 0) {
      const double t = 2 * std::numbers::pi * uniform(generator);
      const double k = uniform(generator) * 0.1 * c.blur * toward;
      across += k * std::cos(t);
      up += k * std::sin(t);
    }
    const double distance = shows ? 1 - c.perspective * toward : 1;
    s.x = across / distance;
    s.y = shows ? up / distance : h;
  }

  Rgba color_at(double coordinate) const {
    const Palette& palette = flame_.palette;
    const double t = std::clamp(coordinate, 0.0, 1.0) * double(palette.size() - 1);
    const auto below = std::size_t(t);
    const double mix = flame_.palette_mode == PaletteMode::linear ? t - double(below) : 0;
    const Rgba &a = palette[below], &b = palette[std::min(below + 1, palette.size() - 1)];
    return {a.r + mix * (b.r - a.r), a.g + mix * (b.g - a.g), a.b + mix * (b.b - a.b), 1};
  }

  const Flame& flame_;
  ReferencePicture sums_;
};

std::size_t next_xform(const Flame& flame, std::size_t last, Generator& generator) {
  const auto share = [&](std::size_t f) {
    const std::vector<double>& chaos = flame.xforms[last].chaos;
    return flame.xforms[f].weight * (f < chaos.size() ? chaos[f] : 1);
  };
  double sum = 0;
  for (std::size_t f = 0; f < flame.xforms.size(); ++f) sum += share(f);
  double left = uniform(generator) * sum;
  for (std::size_t f = 0; f < flame.xforms.size(); ++f)
    if ((left -= share(f)) < 0) return f;
  return 0;  // a row of zeros
}

bool is_bad(const State& s) { return !(std::abs(s.x) <= 1e10 && std::abs(s.y) <= 1e10); }

}  // namespace

ReferencePicture play_reference(const Flame& flame, std::uint64_t samples, std::uint64_t seed) {
  Generator generator(seed);
  Random random{u32(generator()), u32(generator()) | 1};
  std::vector<ReferenceXform> xforms(flame.xforms.begin(), flame.xforms.end());
  std::vector<ReferenceXform> final_xform;
  if (flame.final_xform) final_xform.emplace_back(*flame.final_xform);
  Canvas canvas(flame);
  constexpr std::uint64_t unseen = 100, seen_at_once = 400;  // kiln begins at many places too
  const auto anywhere = [&](double color) {
    return State{2 * uniform(generator) - 1, 2 * uniform(generator) - 1, 0, color};
  };
  State s = anywhere(uniform(generator));
  std::size_t last = 0;
  for (std::uint64_t step = 0, left = samples; left > 0; ++step) {
    if (step % (unseen + seen_at_once) == 0) s = anywhere(uniform(generator));
    for (int attempt = 0; attempt < 5; ++attempt) {
      const std::size_t next = next_xform(flame, last, generator);
      xforms[next].apply(s, random);
      const bool bad = is_bad(s);
      if (bad) s = anywhere(s.color);
      if (!bad || attempt == 4) last = next;
      if (!bad) break;
    }
    if (step % (unseen + seen_at_once) < unseen) continue;
    --left;
    State seen = s;
    if (!final_xform.empty() && uniform(generator) < final_xform[0].xform().opacity)
      final_xform[0].apply(seen, random);
    if (is_bad(seen)) seen = anywhere(seen.color);
    canvas.plot(seen, flame.xforms[last].opacity, generator);
  }
  return canvas.take();
}

}  // namespace kiln::test
