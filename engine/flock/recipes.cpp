// SPDX-License-Identifier: MIT
// Recipes for flames by chance. One recipe for all, some xforms with any variations, makes one picture in
// three that somebody looks at twice, and they are all of one kind. Painters of flames know ways that work
// nearly always (a strong turn that a small shape follows; a root that folds the plane): each is a
// recipe here, and its numbers are drawn from where it works.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "engine/flock/chance.h"
#include "engine/flock/flock.h"
#include "engine/io/flame/xform_reader.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

class Maker {
 public:
  Maker(Flame& flame, const Wishes& wishes, Chance& chance)
      : flame_(flame), wishes_(wishes), chance_(chance) {}

  void make();

 private:
  /// A map that turns and makes smaller, at a place so far from the middle.
  AffineD placed(double size, double angle_rad, double away);
  Xform plain(double weight, double color, double color_speed);
  Xform& add(Xform xform);
  /// Adds a small xform at some place, with a shape of its own.
  void add_motif(double least, double most);

  void free();
  void spiral();
  void root();
  void bubbles();
  void gnarl();
  void halves();
  void grid();

  void add_symmetry();
  void add_lens();
  void replace_unwanted(Xform& xform);
  void fit_count();
  void spread_colors();

  Flame& flame_;
  const Wishes& wishes_;
  Chance& chance_;
  double symmetry_share_ = 0.25, lens_share_ = 0.2;
};

AffineD Maker::placed(double size, double angle_rad, double away) {
  const exact::SinCos to = exact::sincos(chance_.angle());
  const AffineD m{size, 0, 0, size, away * to.c, away * to.s};
  return turned_by(m, angle_rad);
}

Xform Maker::plain(double weight, double color, double color_speed) {
  Xform xform = empty_xform();
  xform.weight = Chance::neat(weight);
  xform.color = Chance::neat(color);
  xform.color_speed = Chance::neat(color_speed);
  return xform;
}

Xform& Maker::add(Xform xform) {
  flame_.xforms.push_back(std::move(xform));
  return flame_.xforms.back();
}

void Maker::add_motif(double least, double most) {
  Xform& xform = add(plain(1, chance_.unit(), chance_.between(0.4, 0.7)));
  xform.coefs = placed(chance_.between(least, most), chance_.angle(), chance_.between(0.3, 1.1));
  if (chance_.happens(0.3)) xform.coefs.a = -xform.coefs.a;
  add_variation(xform, good_variation(chance_, wishes_.variations), chance_.between(0.6, 1),
                chance_);
  if (chance_.happens(0.3)) xform.post = placed(chance_.between(0.4, 0.9), 0, 0.5 * chance_.unit());
}

/// Two to four of anything.
void Maker::free() {
  const int count = chance_.whole(2, 4);
  for (int x = 0; x < count; ++x) add(random_xform(chance_, wishes_.variations));
}

/// One map that turns and shrinks a little is taken most often: it draws out what the others make.
void Maker::spiral() {
  Xform& turn = add(plain(chance_.between(4, 11), chance_.unit(), chance_.between(0.02, 0.2)));
  turn.coefs = placed(chance_.between(0.86, 0.97), chance_.sign() * chance_.between(0.12, 1.4),
                      chance_.between(0, 0.25));
  add_variation(turn, "linear", 1, chance_);
  if (chance_.happens(0.3)) {
    constexpr std::array<std::string_view, 4> bends = {"spherical", "waves2", "curl", "bubble"};
    turn.variations[0] = 0.94;
    add_variation(turn, chance_.one_of(bends), 0.06, chance_);
  }
  const int motifs = chance_.whole(1, 3);
  for (int m = 0; m < motifs; ++m) add_motif(0.3, 0.75);
  symmetry_share_ = 0.1;
}

/// A root folds the plane into sectors; something small is what is seen in each.
void Maker::root() {
  constexpr std::array<std::string_view, 6> roots = {"julian", "julian",      "juliascope",
                                                     "julia",  "wedge_julia", "julian2"};
  Xform& fold = add(plain(chance_.between(1, 4), chance_.unit(), chance_.between(0.1, 0.5)));
  fold.coefs = placed(chance_.between(0.6, 1.4), chance_.angle(), chance_.between(0.1, 1));
  add_variation(fold, chance_.one_of(roots), chance_.between(0.7, 1.1), chance_);
  if (chance_.happens(0.25)) add_variation(fold, "linear", 0.2 * chance_.bell(), chance_);
  const int motifs = chance_.whole(1, 2);
  for (int m = 0; m < motifs; ++m) add_motif(0.35, 0.85);
  symmetry_share_ = 0.05;
}

/// Inversions: circles in circles.
void Maker::bubbles() {
  // taken more often than the others it sends most points far out: fog
  Xform& inversion =
      add(plain(chance_.between(0.6, 1.4), chance_.unit(), chance_.between(0.2, 0.5)));
  inversion.coefs = placed(chance_.between(0.7, 1.3), chance_.angle(), chance_.between(0.3, 1));
  add_variation(inversion, "spherical", chance_.between(0.6, 1), chance_);
  constexpr std::array<std::string_view, 8> rounds = {"bubble", "linear", "loonie", "scry",
                                                      "linear", "julian", "disc",   "curl"};
  const int count = chance_.whole(1, 2);
  for (int x = 0; x < count; ++x) {
    Xform& round = add(plain(1, chance_.unit(), 0.5));
    round.coefs = placed(chance_.between(0.4, 1), chance_.angle(), chance_.between(0.2, 1));
    add_variation(round, chance_.one_of(rounds), chance_.between(0.5, 0.9), chance_);
  }
  if (chance_.happens(0.4)) add_motif(0.2, 0.5);
}

/// A map near the identity with waves: whoever follows it from a small shape draws strands.
void Maker::gnarl() {
  constexpr std::array<std::string_view, 5> waves = {"waves2", "popcorn2", "waves22", "cell",
                                                     "auger"};
  Xform& stream = add(plain(chance_.between(12, 30), chance_.unit(), chance_.between(0.01, 0.06)));
  stream.coefs = placed(chance_.between(0.94, 0.985), chance_.sign() * chance_.between(0.05, 0.5),
                        chance_.between(0.05, 0.4));
  add_variation(stream, "linear", 1, chance_);
  add_variation(stream, chance_.one_of(waves), chance_.between(0.02, 0.2), chance_);
  constexpr std::array<std::string_view, 7> shapes = {"bubble", "circlesplit", "pie", "julian",
                                                      "rings2", "loonie",      "ngon"};
  Xform& seed = add(plain(1, chance_.unit(), chance_.between(0.5, 0.9)));
  seed.coefs = placed(chance_.between(0.3, 1), chance_.angle(), chance_.between(0.2, 1));
  add_variation(seed, chance_.one_of(shapes), chance_.between(0.2, 0.7), chance_);
  if (chance_.happens(0.5)) add_motif(0.2, 0.6);
  symmetry_share_ = 0.05;
  lens_share_ = 0.1;
}

/// The plane folded at an axis, mirrored, and folded again.
void Maker::halves() {
  constexpr std::array<std::string_view, 6> folds = {"elliptic", "bipolar",   "foci",
                                                     "edisc",    "hypertile", "loonie"};
  Xform& fold = add(plain(chance_.between(1, 3), chance_.unit(), chance_.between(0.2, 0.5)));
  fold.coefs = placed(chance_.between(0.7, 1.4), chance_.whole(0, 3) * exact::pi / 2,
                      chance_.between(0, 0.8));
  add_variation(fold, chance_.one_of(folds), chance_.between(0.7, 1.1), chance_);
  Xform& apart = add(plain(1, chance_.unit(), 0.5));
  apart.coefs = placed(chance_.between(0.5, 0.9), chance_.angle(), chance_.between(0.2, 0.8));
  add_variation(apart, "splits", chance_.between(0.6, 1), chance_);
  if (chance_.happens(0.6)) add_motif(0.3, 0.7);
}

/// Copies of a small thing at the corners of a polygon, and what one of them becomes.
void Maker::grid() {
  const int corners = chance_.whole(3, 6);
  const double away = chance_.between(0.5, 1);
  // copies of this size fill about as much as the whole
  const double size = std::sqrt(chance_.between(0.7, 1.3) / corners);
  const double turn = chance_.happens(0.5) ? 0 : 0.6 * chance_.bell();
  const double first = chance_.angle();
  const int variation = good_variation(chance_, wishes_.variations);
  Xform like = plain(1, 0, 0.5);
  add_variation(like, variation, chance_.between(0.7, 1), chance_);
  for (int c = 0; c < corners; ++c) {
    const exact::SinCos at = exact::sincos(first + exact::two_pi * c / corners);
    Xform xform = like;
    xform.color = Chance::neat(double(c) / corners);
    xform.coefs = turned_by({size, 0, 0, size, 0, 0}, turn);
    xform.post = neat({1, 0, 0, 1, away * at.c, away * at.s});
    add(xform);
  }
  if (chance_.happens(0.7)) add(random_xform(chance_, wishes_.variations)).weight = 2;
  symmetry_share_ = 0;
  lens_share_ = 0.35;
}

void Maker::add_symmetry() {
  int kind = 1;
  if (wishes_.symmetry) {
    kind = *wishes_.symmetry;
  } else if (chance_.happens(symmetry_share_)) {
    constexpr std::array<int, 9> kinds = {-1, -1, 2, 2, 3, 4, 5, 6, -2};
    kind = chance_.one_of(kinds);
  }
  if (kind == 1 || kind == 0) return;
  double weight = 0;
  for (const Xform& xform : flame_.xforms) weight += xform.weight;
  const std::size_t before = flame_.xforms.size();
  append_symmetry(kind, flame_);
  // as often as the others together, however many there are
  const double each = weight / double(flame_.xforms.size() - before);
  for (std::size_t x = before; x < flame_.xforms.size(); ++x)
    flame_.xforms[x].weight = Chance::neat(each);
}

void Maker::add_lens() {
  if (chance_.happens(lens_share_)) flame_.final_xform = random_lens(chance_, wishes_.variations);
}

/// Replaces unwanted variations by others of the same weight.
void Maker::replace_unwanted(Xform& xform) {
  const auto is_unwanted = [&](int variation) {
    return std::find(wishes_.without.begin(), wishes_.without.end(), variation) !=
           wishes_.without.end();
  };
  for (const int variation : wishes_.without) {
    const double weight = std::exchange(xform.variations[std::size_t(variation)], 0);
    if (weight == 0) continue;
    int other = variation;
    for (int t = 0; t < 100 && is_unwanted(other); ++t)
      other = good_variation(chance_, wishes_.variations);
    if (!is_unwanted(other)) add_variation(xform, other, weight, chance_);
  }
}

void Maker::fit_count() {
  const auto most = std::size_t(wishes_.most_xforms);
  while (most > 0 && flame_.xforms.size() > most) flame_.xforms.pop_back();
  while (flame_.xforms.size() < std::size_t(wishes_.least_xforms)) add_motif(0.3, 0.7);
}

/// Neighbors in the list are not neighbors in the palette by chance alone.
void Maker::spread_colors() {
  const auto count = double(flame_.xforms.size());
  const double first = chance_.unit();
  for (std::size_t x = 0; x < flame_.xforms.size(); ++x) {
    const double at = first + (double(x) + 0.5 * chance_.bell()) / count;
    flame_.xforms[x].color = Chance::neat(at - std::floor(at));
  }
}

void Maker::make() {
  struct Recipe {
    double share;
    void (Maker::*make)();
  };
  constexpr std::array<Recipe, 7> recipes = {{{3, &Maker::free},
                                              {2.5, &Maker::spiral},
                                              {3, &Maker::root},
                                              {1, &Maker::bubbles},
                                              {2, &Maker::gnarl},
                                              {1.5, &Maker::halves},
                                              {1.5, &Maker::grid}}};
  double all = 0;
  for (const Recipe& recipe : recipes) all += recipe.share;
  double at = all * chance_.unit();
  const Recipe* chosen = &recipes[0];
  for (const Recipe& recipe : recipes) {
    chosen = &recipe;
    if ((at -= recipe.share) < 0) break;
  }
  // the other recipes have variations of their own
  (this->*(wishes_.variations.empty() ? chosen->make : &Maker::free))();
  fit_count();
  spread_colors();
  add_lens();
  for (Xform& xform : flame_.xforms) replace_unwanted(xform);
  if (flame_.final_xform) replace_unwanted(*flame_.final_xform);
  std::optional<Xform> lens = std::exchange(flame_.final_xform, std::nullopt);
  add_symmetry();  // sorts a final xform among its own
  flame_.final_xform = std::move(lens);
}

}  // namespace

Flame usual_flame() {
  Flame flame;
  flame.width = flame.height = 800;
  flame.scale = 200;
  flame.quality = 200;
  flame.filter_radius_px = 0.6;
  flame.palette_mode = PaletteMode::linear;
  flame.xforms.push_back(empty_xform());
  flame.xforms[0].weight = flame.xforms[0].variations[0] = 1;
  return flame;
}

Flame random_draft(const Flame& like, std::uint64_t seed, const Wishes& wishes) {
  Chance chance(seed);
  Flame flame = like;
  flame.nick = flame.url = flame.edits = "";
  flame.hue = 0;
  flame.depth_camera = {};
  flame.palette = wishes.palettes.empty() ? random_palette(std::uint64_t(chance.unit() * 0x1p52))
                                          : chance.one_of(wishes.palettes);
  flame.palette_mode = PaletteMode::linear;
  flame.final_xform.reset();
  flame.more_finals.clear();
  flame.xforms.clear();
  Maker(flame, wishes, chance).make();
  return flame;
}

}  // namespace kiln
