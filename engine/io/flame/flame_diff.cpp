// SPDX-License-Identifier: MIT
#include "engine/io/flame/flame_diff.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/base/text.h"
#include "engine/io/flame/attributes.h"
#include "engine/io/flame/dialect.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/flame/track_reader.h"
#include "engine/model/flame_attributes.h"
#include "engine/model/formula.h"

namespace kiln {
namespace {

constexpr double least_alike = 0.3;  // of two xforms that are one, changed: the share that agrees
constexpr std::size_t most_compared = 512;  // of xforms that are compared with each other

// ---- attributes ----

std::string attribute_in(const Flame& flame, const FlameAttribute& row) {
  const std::string text = attribute_text(flame, row.name);
  return text.empty() ? value_text(row, flame) : text;
}

std::vector<PartChange> attribute_changes(const Flame& a, const Flame& b) {
  std::vector<PartChange> changes;
  for (const FlameAttribute& row : flame_attributes()) {
    if (row.name == "version" || row.has(FlameAttribute::only_read)) continue;
    const std::string in_a = attribute_in(a, row), in_b = attribute_in(b, row);
    if (in_a == in_b) continue;
    const bool is_seen = row.has(FlameAttribute::sums) || row.has(FlameAttribute::look) ||
                         row.name == dialect_attribute;
    changes.push_back({std::string(row.name), in_a, in_b, is_seen});
  }
  if (a.pixel_aspect != b.pixel_aspect)
    changes.push_back({"pixel aspect", shortest(a.pixel_aspect), shortest(b.pixel_aspect), true});
  return changes;
}

// ---- xforms ----

using Texts = std::map<std::string, std::string>;

/// The attributes of an xform but for chaos, which names others by their numbers; its motions among them.
Texts texts_of(const Xform& xform, bool is_final) {
  Texts texts;
  for (const auto& [name, text] : xform_attributes(xform, is_final))
    if (name != "chaos") texts.emplace(name, text);
  if (!xform.motions.empty()) {
    Xform moving;
    moving.motions = xform.motions;
    texts.emplace("motion", xform_xml(moving, is_final));
  }
  return texts;
}

/// Texts that agree count 1, numbers that are near each other almost.
double agreement(const std::string& a, const std::string& b) {
  if (a == b) return 1;
  const auto words_a = split_at_blanks(a), words_b = split_at_blanks(b);
  if (words_a.empty() || words_a.size() != words_b.size()) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < words_a.size(); ++i) {
    const auto x = to_real(words_a[i]), y = to_real(words_b[i]);
    if (!x || !y) return 0;
    const double size = std::max({std::fabs(*x), std::fabs(*y), 0.1});
    sum += std::max(0.0, 1 - std::fabs(*x - *y) / size);
  }
  return 0.9 * sum / double(words_a.size());
}

/// The likeness of two xforms, 0 to 1: coefs count most, then variations; weights and colors little.
double likeness(const Texts& a, const Texts& b) {
  const auto weight_of = [](const std::string& name) {
    if (name == "coefs") return 4.0;
    return name == "weight" || name == "color" || name == "color_speed" || name == "opacity" ||
                   name == "animate"
               ? 0.3
               : 2.0;
  };
  double sum = 0, all = 0;
  for (const auto& [name, text] : a) {
    all += weight_of(name);
    const auto other = b.find(name);
    if (other != b.end()) sum += weight_of(name) * agreement(text, other->second);
  }
  for (const auto& [name, text] : b)
    if (!a.contains(name)) all += weight_of(name);
  return all > 0 ? sum / all : 1;
}

/// Finds for each xform of a the one of b that it is, or -1: equal ones first, in their places where they can be, then
/// the pairs that are most alike.
std::vector<int> matches(const std::vector<Texts>& a, const std::vector<Texts>& b) {
  std::vector<int> match(a.size(), -1);
  std::vector<bool> taken(b.size(), false);
  const auto take = [&](std::size_t i, std::size_t j) {
    match[i] = int(j);
    taken[j] = true;
  };
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (a[i] == b[i]) take(i, i);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size() && match[i] < 0; ++j)
      if (!taken[j] && a[i] == b[j]) take(i, j);
  if (std::max(a.size(), b.size()) > most_compared) {
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
      if (match[i] < 0 && !taken[i]) take(i, i);
    return match;
  }
  struct Pair {
    double alike;
    std::size_t a, b;
  };
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j)
      if (match[i] < 0 && !taken[j])
        pairs.push_back({likeness(a[i], b[j]) + (i == j ? 1e-6 : 0), i, j});
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& x, const Pair& y) { return x.alike > y.alike; });
  for (const Pair& pair : pairs)
    if (pair.alike >= least_alike && match[pair.a] < 0 && !taken[pair.b]) take(pair.a, pair.b);
  return match;
}

std::vector<PartChange> text_changes(const Texts& a, const Texts& b) {
  std::vector<PartChange> changes;
  const auto add = [&](const std::string& name, const std::string& in_a, const std::string& in_b) {
    const bool is_seen =
        name != "name" && name != "kiln_opacity" && name != "animate" && name != "motion";
    changes.push_back({name, in_a, in_b, is_seen});
  };
  for (const auto& [name, text] : a) {
    const auto other = b.find(name);
    if (other == b.end() || other->second != text)
      add(name, text, other == b.end() ? "" : other->second);
  }
  for (const auto& [name, text] : b)
    if (!a.contains(name)) add(name, "", text);
  return changes;
}

double chaos_of(const Flame& flame, int from, int to) {
  const std::vector<double>& row = flame.xforms[std::size_t(from)].chaos;
  return std::size_t(to) < row.size() ? row[std::size_t(to)] : 1;
}

/// Adds what differs in the ways from xform i of a, as far as both flames have them.
void add_chaos(const Flame& a, const Flame& b, const std::vector<int>& match, int i,
               std::vector<PartChange>& changes) {
  for (int j = 0; j < int(match.size()); ++j) {
    if (match[std::size_t(j)] < 0) continue;
    const double x = chaos_of(a, i, j),
                 y = chaos_of(b, match[std::size_t(i)], match[std::size_t(j)]);
    if (x != y)
      changes.push_back({fmt::format("chaos to xform.{}", j), shortest(x), shortest(y), true});
  }
}

void add_xforms(const Flame& a, const Flame& b, FlameDiff& diff) {
  std::vector<Texts> in_a, in_b;
  for (const Xform& xform : a.xforms) in_a.push_back(texts_of(xform, false));
  for (const Xform& xform : b.xforms) in_b.push_back(texts_of(xform, false));
  const std::vector<int> match = matches(in_a, in_b);
  std::vector<bool> met(in_b.size(), false);
  for (std::size_t i = 0; i < in_a.size(); ++i) {
    if (match[i] < 0) {
      diff.xforms.push_back({int(i), {}, false, {}});
      continue;
    }
    const std::size_t j = std::size_t(match[i]);
    met[j] = true;
    XformChange change{int(i), int(j), false, text_changes(in_a[i], in_b[j])};
    add_chaos(a, b, match, int(i), change.changes);
    if (i != j || !change.changes.empty()) diff.xforms.push_back(std::move(change));
  }
  for (std::size_t j = 0; j < in_b.size(); ++j)
    if (!met[j]) diff.xforms.push_back({{}, int(j), false, {}});
}

std::vector<const Xform*> final_pointers(const Flame& flame) {
  std::vector<const Xform*> all;
  if (flame.final_xform) all.push_back(&*flame.final_xform);
  for (const Xform& xform : flame.more_finals) all.push_back(&xform);
  return all;
}

/// Final xforms work one after the other, so they are compared by their places.
void add_finals(const Flame& a, const Flame& b, FlameDiff& diff) {
  const auto in_a = final_pointers(a), in_b = final_pointers(b);
  for (std::size_t i = 0; i < std::max(in_a.size(), in_b.size()); ++i) {
    XformChange change;
    change.is_final = true;
    if (i < in_a.size()) change.a = int(i);
    if (i < in_b.size()) change.b = int(i);
    if (change.a && change.b) {
      change.changes = text_changes(texts_of(*in_a[i], true), texts_of(*in_b[i], true));
      if (change.changes.empty()) continue;
    }
    diff.xforms.push_back(std::move(change));
  }
}

// ---- palette and tracks ----

std::optional<PartChange> palette_change(const Palette& a, const Palette& b) {
  if (a == b) return {};
  if (a.size() != b.size())
    return PartChange{"palette", fmt::format("{} colors", a.size()),
                      fmt::format("{} colors", b.size()), true};
  constexpr double rounding = 1e-9;  // of decimals that were written and read
  std::size_t count = 0;
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double apart = std::max({std::fabs(a[i].r - b[i].r), std::fabs(a[i].g - b[i].g),
                                   std::fabs(a[i].b - b[i].b), std::fabs(a[i].a - b[i].a)});
    count += apart > rounding;
    most = std::max(most, apart);
  }
  if (count == 0) return {};
  return PartChange{"palette", fmt::format("{} colors", a.size()),
                    fmt::format("{} of them others, by up to {:.3f}", count, most), true};
}

std::vector<PartChange> track_changes(const Flame& a, const Flame& b) {
  std::map<std::string, PartChange> all;
  const auto add = [&](const Flame& flame, std::string PartChange::*side) {
    const FormulaNames names(flame);
    for (const Track& track : flame.tracks) {
      PartChange& change = all[track_label(track)];
      change.name = track_label(track);
      change.is_seen = false;  // in a still
      change.*side += track_xml(track);
    }
  };
  add(a, &PartChange::a);
  add(b, &PartChange::b);
  std::vector<PartChange> changes;
  for (const auto& [name, change] : all)
    if (change.a != change.b) changes.push_back(change);
  return changes;
}

// ---- formulas ----

void add_formulas(const Flame& a, const Flame& b, FlameDiff& diff) {
  std::map<std::string, PartChange> all;
  const auto add = [&](const Flame& flame, std::string PartChange::*side) {
    Flame used = flame;
    used.formulas.clear();
    const std::vector<int> in_use = formulas_of(used);
    for (const int formula : formulas_of(flame)) {
      Flame alone;
      alone.formulas = {formula};
      const bool is_used = std::find(in_use.begin(), in_use.end(), formula) != in_use.end();
      const std::string name = "variation " + info_of(formula).name;
      PartChange& change = all.try_emplace(name, PartChange{name, "", "", false}).first->second;
      change.is_seen = change.is_seen || is_used;
      change.*side += formula_elements(alone);
    }
  };
  add(a, &PartChange::a);
  add(b, &PartChange::b);
  for (const auto& [name, change] : all)
    if (change.a != change.b) diff.attributes.push_back(change);
}

// ---- words ----

std::string shown_text(const std::string& text) {
  constexpr std::size_t most_bytes = 80;
  return text.empty() ? "none" : printable(text, most_bytes);
}

std::string change_line(const std::string& owner, const PartChange& change) {
  return fmt::format("{}{}: {}, then {}{}", owner, printable(change.name), shown_text(change.a),
                     shown_text(change.b), change.is_seen ? "" : " (not seen in a still)");
}

std::string xform_name(const XformChange& change, int number) {
  return fmt::format("{}.{}", change.is_final ? "final" : "xform", number);
}

void add_xform_words(const XformChange& change, std::vector<std::string>& lines) {
  if (!change.b)
    return lines.push_back(
        fmt::format("{}: nothing like it in the second", xform_name(change, *change.a)));
  if (!change.a)
    return lines.push_back(fmt::format("{} of the second: nothing like it in the first",
                                       xform_name(change, *change.b)));
  const std::string name = xform_name(change, *change.a);
  if (*change.a != *change.b)
    lines.push_back(fmt::format("{}: is {} in the second", name, xform_name(change, *change.b)));
  for (const PartChange& part : change.changes) {
    if (part.name.starts_with("chaos to") || part.name == "motion")
      lines.push_back(part.name == "motion" ? name + ": its motions differ (not seen in a still)"
                                            : change_line(name + ": ", part));
    else
      lines.push_back(change_line(name + ".", part));
  }
}

std::string change_json(const PartChange& change) {
  return JsonObject()
      .add("name", change.name)
      .add("a", change.a)
      .add("b", change.b)
      .add("seen", change.is_seen)
      .text();
}

std::string changes_json(const std::vector<PartChange>& changes) {
  JsonArray array;
  for (const PartChange& change : changes) array.add_json(change_json(change));
  return array.text();
}

}  // namespace

bool FlameDiff::looks_same() const {
  const auto is_unseen = [](const PartChange& change) { return !change.is_seen; };
  return !palette && std::all_of(attributes.begin(), attributes.end(), is_unseen) &&
         std::all_of(xforms.begin(), xforms.end(), [&](const XformChange& change) {
           return change.a == change.b &&
                  std::all_of(change.changes.begin(), change.changes.end(), is_unseen);
         });
}

FlameDiff diff_flames(const Flame& a, const Flame& b) {
  FlameDiff diff;
  diff.attributes = attribute_changes(a, b);
  const auto song_of = [](const Flame& flame) {
    return flame.sound ? sound_xml(*flame.sound) : "";
  };
  if (song_of(a) != song_of(b))
    diff.attributes.push_back({"kiln_sound", song_of(a), song_of(b), false});
  if (a.markers != b.markers)
    diff.attributes.push_back({"kiln_marker", markers_xml(a), markers_xml(b), false});
  if (a.links != b.links)
    diff.attributes.push_back({"kiln_link", links_xml(a), links_xml(b), false});
  add_formulas(a, b, diff);
  add_xforms(a, b, diff);
  add_finals(a, b, diff);
  diff.palette = palette_change(a.palette, b.palette);
  diff.tracks = track_changes(a, b);
  diff.other_history = a.edits != b.edits;
  return diff;
}

std::vector<std::string> in_words(const FlameDiff& diff) {
  std::vector<std::string> lines;
  for (const PartChange& change : diff.attributes) lines.push_back(change_line("", change));
  for (const XformChange& change : diff.xforms) add_xform_words(change, lines);
  if (diff.palette) lines.push_back(change_line("", *diff.palette));
  for (const PartChange& change : diff.tracks)
    lines.push_back(fmt::format("track of {}: {}", printable(change.name),
                                change.a.empty()   ? "only in the second"
                                : change.b.empty() ? "only in the first"
                                                   : "other keys"));
  if (diff.other_history) lines.push_back("edits: another history (not seen in a still)");
  return lines;
}

std::string diff_json(const FlameDiff& diff) {
  JsonArray xforms;
  for (const XformChange& change : diff.xforms) {
    const auto number = [](const std::optional<int>& n) { return n ? std::to_string(*n) : "null"; };
    xforms.add_json(JsonObject()
                        .add("final", change.is_final)
                        .add_json("a", number(change.a))
                        .add_json("b", number(change.b))
                        .add_json("changes", changes_json(change.changes))
                        .text());
  }
  JsonArray words;
  for (const std::string& line : in_words(diff)) words.add_json(json_string(line));
  return JsonObject()
      .add("same", diff.is_same())
      .add("looks_same", diff.looks_same())
      .add_json("words", words.text())
      .add_json("attributes", changes_json(diff.attributes))
      .add_json("xforms", xforms.text())
      .add_json("palette", diff.palette ? change_json(*diff.palette) : "null")
      .add_json("tracks", changes_json(diff.tracks))
      .add("other_history", diff.other_history)
      .text();
}

}  // namespace kiln
