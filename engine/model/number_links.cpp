// SPDX-License-Identifier: MIT
// Links between numbers (number_link.h): names and their places, the order in which they are followed, values.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <utility>

#include "engine/base/text.h"
#include "engine/model/flame.h"
#include "engine/model/formula.h"
#include "engine/model/number_formula.h"
#include "engine/model/number_link.h"
#include "engine/model/track_target.h"

namespace kiln {

/// A number by its name, and how it is read and set.
struct FoundNumber {
  NumberPlace place;
  TrackTarget target;
};

namespace {

constexpr int most_xform_number = 4096;
constexpr std::string_view xform_word = "xform", final_word = "final";

/// The xform that a name begins with, which is taken from it; track_of_flame where there is none.
int take_xform(std::string_view& name) {
  const std::size_t dot = name.find('.');
  if (dot == name.npos) return track_of_flame;
  const std::string_view owner = name.substr(0, dot);
  int xform = track_of_flame;
  if (owner == final_word) {
    xform = track_of_final;
  } else if (owner.starts_with(xform_word)) {
    const std::string_view digits = owner.substr(xform_word.size());
    int number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool is_number =
        error == std::errc() && end == digits.data() + digits.size() && !digits.starts_with('0');
    if (is_number && number >= 1 && number <= most_xform_number) xform = number - 1;
  }
  if (xform != track_of_flame) name.remove_prefix(dot + 1);
  return xform;
}

bool is_size(std::string_view name) { return name == "size" || name == "post_size"; }

/// The place that the text behind the dot says, of a target with several numbers; -2: it says none.
int numbered_part(std::string_view text, std::size_t most) {
  if (most == 2 && (text == "x" || text == "y")) return text == "y";
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number && number >= 1 && std::size_t(number) <= most && !text.starts_with('0')
             ? number - 1
             : -2;
}

/// The number of this name. `why` gets the reason where there is none.
std::optional<FoundNumber> find_number(std::string_view whole, std::string& why) {
  std::string_view name = whole;
  FoundNumber found;
  found.place.xform = take_xform(name);
  const std::size_t dot = name.find('.');
  auto target = find_track_target(found.place.xform, name.substr(0, dot));
  if (!target) {
    const bool may_be_of_xform = found.place.xform == track_of_flame && dot == name.npos &&
                                 find_track_target(0, name).has_value();
    std::vector<std::string> known = track_target_names(found.place.xform);
    why = may_be_of_xform ? fmt::format("is of an xform; say which: xform1.{}", name)
                          : fmt::format("no number of a flame has this name{}",
                                        did_you_mean(name.substr(0, dot), known));
    return {};
  }
  found.place.name = target->name;
  const bool has_part = dot != name.npos;
  if (!target->words.empty() || target->name == "hue") {
    why =
        target->name == "hue" ? "turns the palette, which follows nothing" : "is a word, no number";
    return {};
  }
  if (has_part && target->most > 1)
    found.place.part = numbered_part(name.substr(dot + 1), target->most);
  else if (has_part)
    found.place.part = -2;
  if (found.place.part == -2) {
    why = target->most == 1   ? fmt::format("{} is one number; leave .{} out", target->name,
                                            printable(name.substr(dot + 1)))
          : target->most == 2 ? "has two numbers, .x and .y"
                              : "has several numbers, .1, .2 and so on";
    return {};
  }
  if (!has_part && target->most > 1 && !is_size(target->name)) {
    why = target->most == 2 ? "has two numbers; say which, .x or .y"
                            : "has several numbers; say which, .1, .2 and so on";
    return {};
  }
  found.target = *std::move(target);
  return found;
}

double get_number(const FoundNumber& of, const Flame& flame) {
  const std::vector<double> all = of.target.get(flame);
  const std::size_t part = std::size_t(std::max(0, of.place.part));
  return part < all.size() ? all[part] : 0;
}

void set_number(const FoundNumber& of, double value, Flame& flame) {
  if (of.place.part < 0) {
    of.target.put(flame, std::vector<double>{value});
    return;
  }
  std::vector<double> all = of.target.get(flame);
  const std::size_t part = std::size_t(of.place.part);
  if (part >= all.size()) return;
  all[part] = value;
  of.target.put(flame, all);
}

bool has_number(const FoundNumber& of, const Flame& flame) {
  if (!has_xform(flame, of.place.xform)) return false;
  return of.place.part < 0 || std::size_t(of.place.part) < of.target.get(flame).size();
}

/// Whether a value of the one is a value of the other: both axes of a size are the size.
bool are_one_number(const NumberPlace& a, const NumberPlace& b) {
  return a.xform == b.xform && a.name == b.name && (a.part == b.part || a.part < 0 || b.part < 0);
}

/// Whether they are the same but for rounding; turns are the same after a whole one.
bool is_same_number(const NumberPlace& place, double a, double b) {
  double apart = a - b;
  if (place.name.ends_with("turn")) apart -= 360 * std::floor(apart / 360 + 0.5);
  return std::fabs(apart) <= 1e-9 * std::max({1.0, std::fabs(a), std::fabs(b)});
}

using PlaceNow = std::function<std::optional<std::size_t>(std::size_t)>;

/// The name with its xform's place now; nothing where that is gone.
std::optional<std::string> renumbered(std::string_view name, const PlaceNow& place_now,
                                      bool final_stays) {
  std::string_view rest = name;
  const int xform = take_xform(rest);
  if (xform == track_of_final) return final_stays ? std::optional(std::string(name)) : std::nullopt;
  if (xform < 0) return std::string(name);
  const auto now = place_now(std::size_t(xform));
  if (!now) return {};
  return fmt::format("xform{}.{}", *now + 1, rest);
}

}  // namespace

struct NumberLinks::Bound {
  std::size_t link;
  FoundNumber number;
  NumberFormula formula;
  std::vector<FoundNumber> sources;  // of the formula's names
};

bool NumberLinks::empty() const { return bound_.empty(); }

NumberLinks::NumberLinks() = default;
NumberLinks::~NumberLinks() = default;
NumberLinks::NumberLinks(NumberLinks&&) noexcept = default;
NumberLinks& NumberLinks::operator=(NumberLinks&&) noexcept = default;

std::optional<NumberPlace> number_place(std::string_view name) {
  std::string why;
  auto found = find_number(name, why);
  return found ? std::optional(std::move(found->place)) : std::nullopt;
}

std::string number_name(const NumberPlace& place) {
  std::string text;
  if (place.xform == track_of_final) text = "final.";
  if (place.xform >= 0) text = fmt::format("xform{}.", place.xform + 1);
  text += place.name;
  if (place.part < 0) return text;
  const auto target = find_track_target(place.xform, place.name);
  if (target && target->most == 2) return text + (place.part == 0 ? ".x" : ".y");
  return text + fmt::format(".{}", place.part + 1);
}

NumberLinks::NumberLinks(const std::vector<NumberLink>& links) {
  for (std::size_t i = 0; i < links.size(); ++i) {
    std::string why;
    auto number = find_number(links[i].number, why);
    if (!number) throw NumberLinkError{i, false, 0, why};
    for (const Bound& other : bound_)
      if (are_one_number(other.number.place, number->place))
        throw NumberLinkError{i, false, 0, "follows something already; a number has one formula"};
    try {
      NumberFormula formula(links[i].is);
      std::vector<FoundNumber> sources;
      for (const NumberFormula::Name& name : formula.names()) {
        auto source = find_number(name.text, why);
        if (!source)
          throw NumberLinkError{i, true, name.begin + 1,
                                fmt::format("{}: {}", printable(name.text), why)};
        sources.push_back(*std::move(source));
      }
      bound_.push_back({i, *std::move(number), std::move(formula), std::move(sources)});
    } catch (const NumberFormulaError& error) {
      throw NumberLinkError{i, true, error.column, error.what};
    }
  }
  sort();
}

/// Each behind those that it follows.
void NumberLinks::sort() {
  enum { unseen, under_way, done };
  std::vector<Bound> sorted;
  std::vector<int> state(bound_.size(), unseen);
  const std::function<void(std::size_t)> add = [&](std::size_t k) {
    if (state[k] == done) return;
    if (state[k] == under_way)
      throw NumberLinkError{bound_[k].link, true, 0,
                            "follows itself, in a circle; cut one of these links"};
    state[k] = under_way;
    for (std::size_t other = 0; other < bound_.size(); ++other)
      for (const FoundNumber& source : bound_[k].sources)
        if (are_one_number(bound_[other].number.place, source.place)) {
          add(other);
          break;
        }
    state[k] = done;
    sorted.push_back(bound_[k]);
  };
  for (std::size_t k = 0; k < bound_.size(); ++k) add(k);
  bound_ = std::move(sorted);
}

void NumberLinks::check(const Flame& flame) const {
  for (const Bound& one : bound_) {
    const auto refuse = [&](const FoundNumber& number, bool in_formula) {
      if (has_number(number, flame)) return;
      const std::string name = number_name(number.place);
      std::string what =
          number.place.xform == track_of_final
              ? fmt::format("{}: the flame has no finalxform", name)
              : fmt::format("{}: the flame has {} xforms", name, flame.xforms.size());
      throw NumberLinkError{one.link, in_formula, 0, std::move(what)};
    };
    refuse(one.number, false);
    for (const FoundNumber& source : one.sources) refuse(source, true);
  }
}

void NumberLinks::put(Flame& flame, const Hear& hear) const {
  std::vector<double> numbers;
  for (const Bound& one : bound_) {
    const auto is_there = [&](const FoundNumber& of) { return has_number(of, flame); };
    if (!is_there(one.number) || !std::all_of(one.sources.begin(), one.sources.end(), is_there))
      continue;
    numbers.clear();
    for (const FoundNumber& source : one.sources) numbers.push_back(get_number(source, flame));
    const double wanted = one.formula.value(numbers);
    if (!std::isfinite(wanted)) continue;
    const TrackTarget& target = one.number.target;
    const double low = target.above ? target.low + least_above : target.low;
    const double value = std::clamp(wanted, low, target.high);
    const double before = get_number(one.number, flame);
    if (is_same_number(one.number.place, before, value)) continue;
    set_number(one.number, value, flame);
    const double after = get_number(one.number, flame);  // whole, where it is a count
    if (hear && !is_same_number(one.number.place, before, after)) hear(one.link, before, after);
  }
}

bool NumberLinks::sets(int xform, std::string_view name) const {
  return std::any_of(bound_.begin(), bound_.end(), [&](const Bound& one) {
    return one.number.place.xform == xform && one.number.place.name == name;
  });
}

void NumberLinks::widen(Flame& flame) const {
  for (const Bound& one : bound_)
    if (has_number(one.number, flame)) one.number.target.widen(flame);
}

void follow_links(Flame& flame) {
  if (flame.links.empty()) return;
  const FormulaNames names(flame);
  try {
    NumberLinks(flame.links).put(flame);
  } catch (const NumberLinkError&) {  // who made them has heard of it
  }
}

void renumber_links(const PlaceNow& place_now, bool final_stays, std::vector<NumberLink>& links) {
  std::erase_if(links, [&](NumberLink& link) {
    const auto number = renumbered(link.number, place_now, final_stays);
    if (!number) return true;
    std::string text;
    std::size_t end = 0;
    try {
      const NumberFormula formula(link.is);
      for (const NumberFormula::Name& name : formula.names()) {
        const auto now = renumbered(name.text, place_now, final_stays);
        if (!now) return true;
        text += link.is.substr(end, name.begin - end) + *now;
        end = name.begin + name.text.size();
      }
    } catch (const NumberFormulaError&) {
      return true;
    }
    link.number = *number;
    link.is = text + link.is.substr(end);
    return false;
  });
}

}  // namespace kiln
