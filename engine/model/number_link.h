// SPDX-License-Identifier: MIT
// Numbers of a flame that follow others of the same flame: "xform2.turn" is "xform1.turn + 72". Names of
// numbers are those of tracks (track_target.h) behind the xform that they are of: "brightness", "center.x",
// "xform2.turn" (xforms count from 1), "final.opacity". Of several numbers one is named by its place: x and y of a
// pair, else 1, 2, 3 as in "xform1.chaos.3"; size alone is that of both axes, which keep their shape.
//
// A link is evaluated wherever a flame is whole: when its file is read, and at each time of a film behind the tracks
// (engine/animation/film.h), so that a track may move what others follow. A value that is there already, but for
// rounding, is not written again: flames that are read and written stay the same to the last bit.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

struct Flame;
struct TrackTarget;

struct NumberLink {
  std::string number;  // that follows: "xform2.turn"
  std::string is;      // what it is: "xform1.turn + 72" (number_formula.h)
  int line = 0;        // of the file, 0 where there is none
  bool operator==(const NumberLink& other) const {
    return number == other.number && is == other.is;
  }
};

constexpr std::size_t most_links = 256;               // of a flame
constexpr std::size_t most_number_link_bytes = 1000;  // of a formula

/// The reason why a list of links cannot be followed.
struct NumberLinkError {
  std::size_t link = 0;  // its place in the list
  bool in_formula = false;
  std::size_t column = 0;  // of the formula, from 1; 0: all of it
  std::string what;
};

/// The place of a number in a flame.
struct NumberPlace {
  int xform = -1;  // as Track has it
  std::string name;
  int part = -1;  // of several numbers; -1: the only one, or the size of both axes
  bool operator==(const NumberPlace&) const = default;
};

/// Finds a number; nothing where no flame has one of this name. Formulas count that are in scope (FormulaNames).
std::optional<NumberPlace> number_place(std::string_view name);
/// The name as files have it.
std::string number_name(const NumberPlace& place);

/// Links that are ready to be followed, each after those that it follows.
class NumberLinks {
 public:
  NumberLinks();
  /// Throws NumberLinkError for names that nothing has, for what is no formula, for a number with two links, and where
  /// numbers follow each other in a circle.
  explicit NumberLinks(const std::vector<NumberLink>& links);
  ~NumberLinks();
  NumberLinks(NumberLinks&&) noexcept;
  NumberLinks& operator=(NumberLinks&&) noexcept;

  bool empty() const;
  /// Throws NumberLinkError where a link names an xform that the flame has not.
  void check(const Flame& flame) const;

  /// Called for a number that was another one: link, value before and after.
  using Hear = std::function<void(std::size_t link, double before, double after)>;
  /// Puts the values into the flame, each within what the number may be; a link stays out where the flame has not got
  /// its numbers, or its formula has no finite value there.
  void put(Flame& flame, const Hear& hear = {}) const;
  /// Whether a link sets what a track of this name moves.
  bool sets(int xform, std::string_view name) const;
  /// Gives the flame all that any value of its links can need of a program.
  void widen(Flame& flame) const;

 private:
  struct Bound;
  void sort();
  std::vector<Bound> bound_;  // in the order in which they are followed
};

/// Follows the flame's own links. What cannot be followed stays out.
void follow_links(Flame& flame);

/// Gives the numbers of xforms in the names of links the places that `place_now` says, from 0; links that name one that
/// is gone go, too. `final_stays`: whether there is a final xform.
void renumber_links(const std::function<std::optional<std::size_t>(std::size_t)>& place_now,
                    bool final_stays, std::vector<NumberLink>& links);

}  // namespace kiln
