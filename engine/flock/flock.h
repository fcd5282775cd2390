// SPDX-License-Identifier: MIT
// A flock: flames by chance, children of one flame or of two, and the look that is worth keeping.
// The same seed gives the same flame on every machine and device.
//
//   random_draft    a flame made by one of several recipes (recipes.cpp): not looked at yet
//   mutated         a flame a little changed, in one direction or in all
//   bred            a child of two flames
//   PreviewRenderer, look, Taste    small pictures, what is measured on them, what is dull
//   random_flame    drafts, framed and exposed by their light, until one is worth a look
//   Flock           many of them, on all cores
//
// A draft costs nothing; to look at one costs two to four pictures of 96 x 96 (36 ms on a core). Of
// drafts two in three are worth keeping, so the first is often the last.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/api/kiln/image.h"
#include "engine/api/kiln/render_options.h"
#include "engine/model/flame.h"
#include "engine/render/renderer.h"

namespace kiln {

class DevicePicture;

// ---- what is made, not looked at ----

/// Limits for flames made by chance.
struct Wishes {
  std::vector<int> variations;    // only these; empty: those of the recipes
  std::vector<int> without;       // none of these
  int least_xforms = 0;           // 0: as the recipe has it
  int most_xforms = 0;            // 0: no limit
  std::optional<int> symmetry;    // a kind of <symmetry>, 1: none; nothing: by chance
  std::vector<Palette> palettes;  // one of these; empty: made by chance
};

/// A flame with the size, quality and look of `like`.
Flame random_draft(const Flame& like, std::uint64_t seed, const Wishes& wishes = {});

/// 256 colors of whole bytes: a few hues that go together, from dark to light and back.
Palette random_palette(std::uint64_t seed);

/// The parts of a flame that stay when it changes.
struct Locks {
  bool palette = false;     // and the xforms' colors
  bool camera = false;      // center, scale and rotation; for those who frame the child anew
  std::vector<int> xforms;  // numbers; -1: the final one
};

/// The part of a flame that changes.
enum class Direction {
  any,         // a little of all that follows
  affine,      // where xforms put things
  post,        // post affines, also new ones
  variations,  // their weights, and others
  parameters,  // of variations
  weights,     // how often xforms are taken, and xaos
  colors,      // of xforms
  palette,     // another one, or other hues
  symmetry,    // another one, or none
  xforms,      // one more or one less
  lens,        // the final xform, also a new one
};
/// The names of all directions, in their order; Direction(i) has name i.
constexpr std::array<std::string_view, 11> direction_names = {
    "any",    "affine",  "post",     "variations", "parameters", "weights",
    "colors", "palette", "symmetry", "xforms",     "lens"};

struct Mutation {
  double strength = 0.5;  // 0: nothing changes; 1: much
  Direction direction = Direction::any;
  Locks locks = {};
};

/// The flame changed; at strength 0 the same one.
Flame mutated(const Flame& flame, const Mutation& mutation, std::uint64_t seed);

/// The way in which a child comes of two flames.
enum class Breeding {
  any,          // one of those that follow
  alternate,    // each xform from the one or the other
  interpolate,  // a flame on the way between them
  unite,        // the xforms of both
  graft,        // the affines of the first, the variations of the second
};
constexpr std::array<std::string_view, 5> breeding_names = {"any", "alternate", "interpolate",
                                                            "unite", "graft"};

/// A child with the size, quality, look and camera of `first`; its palette is of the one or the other.
Flame bred(const Flame& first, const Flame& second, Breeding how, std::uint64_t seed);

// ---- what becomes of a flame by rule ----

/// All xforms turned, as a loop of an animation does.
Flame turned_flame(const Flame& flame, double degrees);
/// A flame on the way from one to the other; 0: the first, 1: the second.
Flame flame_between(const Flame& first, const Flame& second, double share);
/// The flame whose picture is this one's in a mirror, left for right or top for bottom: a final transform turns
/// over what all others have drawn. Another draw of the same light, so the grain is another.
Flame mirrored(const Flame& flame, bool top_to_bottom);

/// The flame with <symmetry kind="..."/> in place of another symmetry; 1: without any.
Flame with_symmetry(const Flame& flame, int kind);
/// Flames whose pictures, one below the other, are the flame's. Throws Error (usage) for fewer rows than
/// strips.
std::vector<Flame> strips(const Flame& flame, int count);
/// A flame for each xform with only its points seen: one upon the other they are the flame.
std::vector<Flame> layers(const Flame& flame);
/// A flame for each xform, without that one; none if it is the only one.
std::vector<Flame> each_without(const Flame& flame);

// ---- looking ----

/// The flame as a picture of about so many pixels, never more than it has itself, made of about so
/// many samples: its framing and its look, one bucket a pixel.
Flame reduced(const Flame& flame, double pixels, double samples);

/// Quick pictures: of a flame that moves under somebody's hand, and the small ones to choose from.
class PreviewRenderer {
 public:
  explicit PreviewRenderer(const RenderOptions& options) : options_(options), renderer_(options) {}

  /// 8 bits a channel; without its pixels if there is a place for them. Cleaned, if the flame is, where
  /// `clumps` is above 0 (PreparedFrame::clumps). Throws Error.
  Image sketch(const Flame& flame, double pixels, double samples, DevicePicture* place = nullptr,
               double clumps = 0);
  /// Makes it with equal bits on every machine, for callers that decide by what is seen.
  Image study(const Flame& flame, double pixels, double samples);
  /// The statistics of the last picture.
  const RenderStatistics& statistics() const { return statistics_; }
  std::string device() const { return renderer_.device(); }

 private:
  RenderOptions options_;
  Renderer renderer_;
  RenderStatistics statistics_;
};

/// Measures of a small picture.
struct Look {
  double brightness = 0;  // mean light of all pixels, 0..1
  double used = 0;        // share of pixels with light
  double white = 0;       // share of pixels that are burnt out
  double lit = 0;         // mean light of those with light
  double detail = 0;      // how much light changes from one patch to the next, 0..1
  double dust = 0;        // how much it changes from pixel to pixel beside that
  int colors = 0;         // that cover a part that is seen
  double bad = 0;         // share of the samples that left the range of numbers
  /// Light and hue of 8 x 8 patches, for distances between looks.
  std::array<std::array<float, 3>, 64> patches{};
};
Look look_of(const Image& image, const RenderStatistics& statistics);

/// The distance of two looks: 0 the same picture, 1 nothing in common.
double distance(const Look& a, const Look& b);

/// The limits of a look that is worth a picture.
struct Taste {
  double least_brightness = 0.02, most_brightness = 0.6;
  double least_used = 0.2;
  double most_white = 0.12;
  double least_detail = 0.021;
  double most_dust = 0.55;
  int least_colors = 5;
  double most_bad = 0.03;        // of a preview; a large picture of it has the same within a tenth
  double least_distance = 0.08;  // from those before
};
/// The taste for mutants, which are like their parent.
Taste taste_of_mutants();
/// The taste for children, of which many of one pair would look like its way from one to the other.
Taste taste_of_children();
/// Size, quality and look of random flames where nobody says it.
Flame usual_flame();
/// The reason why a look is not worth a picture: "empty", "dark", "white", "flat", "dusty", "gray",
/// "lost points"; empty: it is worth one.
std::string_view dull(const Look& look, const Taste& taste);

/// The look of a small picture of the flame.
Look look(const Flame& flame, PreviewRenderer& renderer);

/// Puts all of the flame that shines into the picture; whether there was something to see.
bool frame_by_light(Flame& flame, PreviewRenderer& renderer);
/// Does the same for any flame: its turn, depth and zoom stay, and it may lie far from the origin.
bool fit_by_light(Flame& flame, PreviewRenderer& renderer);
/// Brightness by which what is lit is neither dim nor burnt out. The look with it.
Look expose(Flame& flame, PreviewRenderer& renderer);

/// A flame that is worth a look, framed and exposed. Where a hundred drafts are all dull, the best of
/// them.
Flame random_flame(const Flame& like, std::uint64_t seed, PreviewRenderer& renderer,
                   const Wishes& wishes = {}, const Taste& taste = {});

// ---- many ----

/// The names of a flock's flames, each by its place from 0: known before they are made.
std::string name_of_random(std::uint64_t seed, int place);
std::string name_of_mutant(const Flame& parent, int place);
std::string name_of_child(const Flame& first, const Flame& second, int place);
/// The two of so many flames, two at least, that are the parents of the child of a place.
std::array<std::size_t, 2> parents_of_child(std::size_t flames, std::uint64_t seed, int place);

/// Flames that are made on all cores, each worth a look and unlike those before it, with a name and a
/// history.
class Flock {
 public:
  /// A flame that was kept.
  struct Member {
    Flame flame;
    Look look;
    int tried = 0;                                // drafts until it came
    std::string_view dull_by;                     // why it is dull: nothing better came
    std::array<std::size_t, 2> parents = {0, 0};  // of a child of two
  };
  /// Drafts that were dull, by the reason; "like another" for those too near to one before.
  using Reasons = std::map<std::string_view, int>;

  /// Opens renderers with these options, except the seed. Throws Error (device).
  explicit Flock(const RenderOptions& options, const Taste& taste = {});
  ~Flock();

  /// `count` new flames. `progress` hears how many there are, and may throw.
  std::vector<Member> random(const Flame& like, std::uint64_t seed, int count, const Wishes& wishes,
                             const std::function<void(int)>& progress = {});
  /// Children of one, with its camera unless nothing is seen by it.
  std::vector<Member> mutations(const Flame& parent, const Mutation& mutation, std::uint64_t seed,
                                int count, const std::function<void(int)>& progress = {});
  /// Children of two of these each, which are two at least, with a camera of their own.
  std::vector<Member> children(const std::vector<Flame>& parents, Breeding how, std::uint64_t seed,
                               int count, const std::function<void(int)>& progress = {});
  const Reasons& reasons() const { return reasons_; }

 private:
  struct Plan;
  struct Place;
  std::vector<Member> fill(const Plan& plan, int count, const std::function<void(int)>& progress);

  const Taste taste_;
  std::vector<RenderOptions> options_;                       // of as many as help (previews.h)
  std::vector<std::unique_ptr<PreviewRenderer>> renderers_;  // those that are open
  Reasons reasons_;
};

// ---- walls of many ----

/// An order in which neighbors look alike: from each on to the nearest of those that are left.
std::vector<std::size_t> by_likeness(const std::vector<Look>& looks);

/// The index, for each look, of the first one before it that is at most so far away; else its own.
std::vector<std::size_t> first_like(const std::vector<Look>& looks, double most_distance);

// ---- where flames come from ----

/// A flame that another was made of.
struct Parent {
  const Flame& flame;
  std::string file;  // empty: that it was read from
};

/// Writes into the history of a flame what was done to make it, as flam3-genome's <edit> does, with the
/// histories of its parents inside. Without the date, so that a seed gives the same bytes.
void note_edit(Flame& flame, std::string_view action, const std::vector<Parent>& parents);

}  // namespace kiln
