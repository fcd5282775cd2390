// SPDX-License-Identifier: MIT
// Relatives of flames: mutations of one, children of two (flock.h). A mutation draws how much everything
// changes, in a fixed order, and multiplies by its strength, so that a seed is a direction and the
// strength is how far one goes.
#include <algorithm>
#include <cmath>

#include "engine/animation/interpolate.h"
#include "engine/flock/chance.h"
#include "engine/flock/flock.h"
#include "engine/model/formula.h"
#include "engine/model/palette.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

constexpr std::size_t most_xforms = 12;  // that mutations go on adding to

class Mutator {
 public:
  Mutator(Flame& flame, const Mutation& mutation, std::uint64_t seed)
      : flame_(flame), strength_(mutation.strength), locks_(mutation.locks), chance_(seed) {}

  void run(Direction direction);

 private:
  bool is_locked(int xform) const {
    return std::find(locks_.xforms.begin(), locks_.xforms.end(), xform) != locks_.xforms.end();
  }
  /// Calls body(xform) for those that may change, the final one last.
  template <class Body>
  void each(Body body, bool also_final = true);
  double about(double value, double range) {
    return Chance::neat(value + range * strength_ * chance_.bell());
  }
  double times(double value, double range) {
    return Chance::neat(value * (1 + range * strength_ * chance_.bell()));
  }
  void any();
  void move(AffineD& m, double strength);
  void change_post();
  void change_parameters(Xform& xform);
  void change_variation_weights(Xform& xform);
  void change_variations();
  void change_chaos();
  void change_palette();
  void change_symmetry();
  void change_xforms();
  void change_lens();

  Flame& flame_;
  const double strength_;
  const Locks& locks_;
  Chance chance_;
};

template <class Body>
void Mutator::each(Body body, bool also_final) {
  for (std::size_t x = 0; x < flame_.xforms.size(); ++x)
    if (!is_locked(int(x)) && !is_of_symmetry(flame_.xforms[x])) body(flame_.xforms[x]);
  if (!also_final || !flame_.final_xform || is_locked(-1)) return;
  body(*flame_.final_xform);
  for (Xform& xform : flame_.more_finals) body(xform);
}

/// Another affine, about as far away as the strength says.
void Mutator::move(AffineD& m, double strength) {
  m = turned_by(m, 0.8 * strength * chance_.bell());
  const double size = 1 + 0.4 * strength * chance_.bell();
  for (double* number : {&m.a, &m.b, &m.d, &m.e})
    *number = *number * size + 0.12 * strength * chance_.bell();
  m.c += 0.5 * strength * chance_.bell();
  m.f += 0.5 * strength * chance_.bell();
  m = neat(m);
}

void Mutator::change_post() {
  each([&](Xform& xform) {
    if (xform.post == AffineD{}) {
      if (!chance_.happens(0.4 * strength_)) return;
      const AffineD whole = random_affine(chance_);
      xform.post = neat({1 + (whole.a - 1) * strength_, whole.d * strength_, whole.b * strength_,
                         1 + (whole.e - 1) * strength_, whole.c * strength_, whole.f * strength_});
    } else {
      move(xform.post, strength_);
    }
  });
}

/// Whole numbers, as powers are, go by whole steps, and never to 0.
void Mutator::change_parameters(Xform& xform) {
  const auto change = [&](const VariationInfo& variation, double* values) {
    for (std::size_t p = 0; p < variation.parameters.size(); ++p) {
      double& value = values[p];
      const ParameterInfo& parameter = variation.parameters[p];
      const bool whole = parameter.is_whole || value == std::floor(value);
      if (!whole) {
        value = about(times(value, 0.5), 0.15 * (parameter.high - parameter.low));
      } else if (chance_.happens(0.35 * strength_)) {
        const double step = chance_.sign();
        value += value == -step ? 2 * step : step;
      }
    }
  };
  for (std::size_t v = 0; v < xform.variations.size(); ++v) {
    if (xform.variations[v] == 0) continue;
    const VariationInfo& variation = info_of(int(v));
    change(variation, xform.parameters.data() + variation.first_parameter);
  }
  for (StagedVariation& form : xform.staged)
    if (is_formula(form.variation)) change(info_of(form.variation), form.parameters.data());
}

void Mutator::change_variation_weights(Xform& xform) {
  for (double& weight : xform.variations)
    if (weight != 0) weight = times(weight, 0.5);
}

/// Changes weights, adds variations, and puts others in the place of one.
void Mutator::change_variations() {
  each([&](Xform& xform) {
    change_variation_weights(xform);
    if (chance_.happens(0.5 * strength_)) {
      add_variation(xform, good_variation(chance_), chance_.between(0.1, 0.6), chance_);
    } else if (chance_.happens(0.6 * strength_)) {
      for (double& weight : xform.variations) weight = 0;
      add_variation(xform, good_variation(chance_), chance_.between(0.6, 1), chance_);
    }
  });
}

void Mutator::change_chaos() {
  each([&](Xform& xform) { xform.weight = std::max(0.0, times(xform.weight, 1.2)); }, false);
  if (flame_.xforms.size() < 3 || !chance_.happens(0.3 * strength_)) return;
  const std::size_t from = chance_.below(flame_.xforms.size());
  const std::size_t to = chance_.below(flame_.xforms.size());
  if (is_locked(int(from))) return;
  std::vector<double>& chaos = flame_.xforms[from].chaos;
  chaos.resize(flame_.xforms.size(), 1);
  chaos[to] = chance_.between(0, 2);
}

void Mutator::change_palette() {
  if (locks_.palette) return;
  if (chance_.happens(0.4 * strength_)) {
    flame_.palette = random_palette(std::uint64_t(chance_.unit() * 0x1p52));
  } else {
    flame_.palette = turned(flame_.palette, 0.5 * strength_ * chance_.bell());
  }
}

void Mutator::change_symmetry() {
  if (!locks_.xforms.empty()) return;  // their numbers would change
  constexpr std::array<int, 11> kinds = {-3, -2, -1, -1, 1, 2, 2, 3, 4, 5, 6};
  flame_ = with_symmetry(flame_, chance_.one_of(kinds));
}

void Mutator::change_xforms() {
  const bool grows = chance_.happens(0.6);
  if (grows && flame_.xforms.size() < most_xforms) {
    flame_.xforms.push_back(random_xform(chance_));
    flame_.xforms.back().weight = Chance::neat(flame_.xforms.back().weight * strength_);
  } else if (!grows && flame_.xforms.size() > 2) {
    const std::size_t gone = chance_.below(flame_.xforms.size());
    const bool is_last_locked =
        !locks_.xforms.empty() && *std::max_element(locks_.xforms.begin(), locks_.xforms.end()) >=
                                      int(gone);  // their numbers would change
    if (!is_last_locked) remove_xform(flame_, gone);
  }
}

void Mutator::change_lens() {
  if (is_locked(-1)) return;
  if (!flame_.final_xform || chance_.happens(0.3 * strength_)) {
    flame_.final_xform = random_lens(chance_);
  } else {
    move(flame_.final_xform->coefs, strength_);
    change_variation_weights(*flame_.final_xform);
    change_parameters(*flame_.final_xform);
  }
}

/// Every xform a little; rarely what changes the whole picture.
void Mutator::any() {
  each([&](Xform& xform) {
    if (chance_.happens(0.7)) move(xform.coefs, strength_);
    if (xform.post != AffineD{} && chance_.happens(0.5)) move(xform.post, strength_ / 2);
    if (chance_.happens(0.5)) {
      change_variation_weights(xform);
      change_parameters(xform);
      if (chance_.happens(0.3 * strength_))
        add_variation(xform, good_variation(chance_), chance_.between(0.1, 0.6), chance_);
    }
    if (chance_.happens(0.3)) xform.weight = std::max(0.0, times(xform.weight, 1));
    if (!locks_.palette && chance_.happens(0.3)) xform.color = about(xform.color, 0.3);
  });
  if (chance_.happens(0.35 * strength_)) change_xforms();
  if (chance_.happens(0.4 * strength_)) change_palette();
  if (chance_.happens(0.1 * strength_)) change_lens();
}

void Mutator::run(Direction direction) {
  switch (direction) {
    case Direction::any:
      return any();
    case Direction::affine:
      return each([&](Xform& xform) { move(xform.coefs, strength_); });
    case Direction::post:
      return change_post();
    case Direction::variations:
      return change_variations();
    case Direction::parameters:
      return each([&](Xform& xform) { change_parameters(xform); });
    case Direction::weights:
      return change_chaos();
    case Direction::colors:
      if (locks_.palette) return;
      return each([&](Xform& xform) {
        xform.color = about(xform.color, 0.6);
        xform.color_speed = std::clamp(about(xform.color_speed, 0.4), 0.0, 1.0);
      });
    case Direction::palette:
      return change_palette();
    case Direction::symmetry:
      return change_symmetry();
    case Direction::xforms:
      return change_xforms();
    case Direction::lens:
      return change_lens();
  }
}

void take_finals(const Flame& from, Flame& child) {
  child.final_xform = from.final_xform;
  child.more_finals = from.more_finals;
}

/// Each xform of the one or the other, and some of both; where only one has an xform of that number,
/// perhaps that.
void alternate(const Flame& first, const Flame& second, Chance& chance, Flame& child) {
  const std::array<const Flame*, 2> parents = {&first, &second};
  std::vector<std::size_t> of;  // which parent
  std::array<int, 2> taken = {0, 0};
  for (std::size_t x = 0; x < std::max(first.xforms.size(), second.xforms.size()); ++x) {
    of.push_back(chance.happens(0.5) ? 1 : 0);
    taken[of[x]] += x < parents[of[x]]->xforms.size();
  }
  const std::size_t any = chance.below(std::min(first.xforms.size(), second.xforms.size()));
  if (taken[0] == 0 || taken[1] == 0) of[any] = 1 - of[any];
  child.xforms.clear();
  for (std::size_t x = 0; x < of.size(); ++x) {
    if (x >= parents[of[x]]->xforms.size()) continue;
    child.xforms.push_back(parents[of[x]]->xforms[x]);
    child.xforms.back().chaos.clear();  // it spoke of other numbers
  }
  take_finals(*parents[chance.below(2)], child);
}

void make_neat(Xform& xform) {
  for (double* number :
       {&xform.weight, &xform.color, &xform.color_speed, &xform.opacity, &xform.animate})
    *number = Chance::neat(*number);
  for (std::vector<double>* list : {&xform.variations, &xform.parameters, &xform.chaos})
    for (double& number : *list) number = Chance::neat(number);
  xform.coefs = neat(xform.coefs);
  xform.post = neat(xform.post);
}

void interpolated(const Flame& first, const Flame& second, Chance& chance, Flame& child) {
  std::vector<Flame> keys = {first, second};
  keys[0].time = 0;
  keys[1].time = 1;
  Flame between = interpolate(keys, chance.between(0.25, 0.75));
  child.xforms = std::move(between.xforms);
  take_finals(between, child);
  child.palette = std::move(between.palette);
  for (Xform& xform : child.xforms) make_neat(xform);
  if (child.final_xform) make_neat(*child.final_xform);
  for (Xform& xform : child.more_finals) make_neat(xform);
}

/// The xforms of one leave those of the other alone but for chance.
void unite(const Flame& first, const Flame& second, Flame& child) {
  const std::size_t count = first.xforms.size();
  for (Xform& xform : child.xforms)
    if (!xform.chaos.empty()) xform.chaos.resize(count, 1);
  for (Xform xform : second.xforms) {
    if (!xform.chaos.empty()) xform.chaos.insert(xform.chaos.begin(), count, 1);
    child.xforms.push_back(std::move(xform));
  }
  if (!child.final_xform) take_finals(second, child);
}

void graft(const Flame& second, Flame& child) {
  for (std::size_t x = 0; x < child.xforms.size(); ++x) {
    const Xform& other = second.xforms[x % second.xforms.size()];
    child.xforms[x].variations = other.variations;
    child.xforms[x].parameters = other.parameters;
    child.xforms[x].staged = other.staged;
  }
}

/// The flame without the film that it may be: its tracks name xforms that may go or become others.
Flame as_still(const Flame& flame) {
  Flame still = flame;
  still.leave_film();
  still.links.clear();
  still.easing = {};
  return still;
}

}  // namespace

Flame mutated(const Flame& flame, const Mutation& mutation, std::uint64_t seed) {
  Flame child = as_still(flame);
  if (mutation.strength > 0) Mutator(child, mutation, seed).run(mutation.direction);
  if (child.xforms.size() == flame.xforms.size()) {
    child.links = flame.links;
    follow_links(child);
  }
  return child;
}

Flame bred(const Flame& first, const Flame& second, Breeding how, std::uint64_t seed) {
  Chance chance(seed);
  Flame child = as_still(first);
  const int drawn = chance.whole(1, int(breeding_names.size()) - 1);
  if (first.xforms.empty() || second.xforms.empty()) return child;
  if (chance.happens(0.5)) child.palette = second.palette;
  switch (how == Breeding::any ? Breeding(drawn) : how) {
    case Breeding::any:
    case Breeding::alternate:
      alternate(first, second, chance, child);
      break;
    case Breeding::interpolate:
      interpolated(first, second, chance, child);
      break;
    case Breeding::unite:
      unite(first, second, child);
      break;
    case Breeding::graft:
      graft(second, child);
      break;
  }
  return child;
}

}  // namespace kiln
