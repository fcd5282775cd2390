// SPDX-License-Identifier: MIT
#include "engine/io/flame/flame_parts.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include "engine/base/text.h"
#include "engine/io/flame/attribute_reader.h"
#include "engine/io/flame/attributes.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/flame_settings.h"
#include "engine/io/flame/form_place.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/flame/track_reader.h"
#include "engine/io/flame/xform_parts.h"
#include "engine/model/flame_attributes.h"
#include "engine/model/formula.h"
#include "engine/model/palette.h"
#include "engine/model/track_target.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

/// Runs `body`; what a file must not have is wrong usage here.
template <class Body>
auto refused_as_usage(Body body) {
  try {
    return body();
  } catch (const Error& error) {
    throw Error(ErrorKind::usage, error.what());
  }
}

constexpr std::size_t most_xforms_in_all = 4096, most_finals_in_all = 64,
                      most_palette_colors = 1 << 16;

/// A word that was meant for an xform: "xform0.julian", "xforms[0].julian".
[[noreturn]] void refuse_flame_part(std::string_view text) {
  if (text.starts_with("xform"))
    fail(ErrorKind::usage, "{}: parts of an xform are written xform.0.julian, xform.*.color_speed",
         printable(text));
  if (find_track_target(0, text))
    fail(ErrorKind::usage, "{0}: is of an xform; say which: xform.0.{0}, or xform.*.{0} for all",
         printable(text));
  fail(ErrorKind::usage, "a flame has no {}{}", printable(text),
       did_you_mean(text, flame_attribute_names()));
}

std::vector<double> part_numbers_in(std::string_view name, const std::string& text) {
  std::vector<double> numbers;
  for (const std::string_view word : split_at_blanks(text)) {
    const auto number = to_real(word);
    if (!number)
      fail(ErrorKind::usage, "{} is \"{}\", no number", printable(name), printable(text));
    numbers.push_back(*number);
  }
  return numbers;
}

std::string numbers_text(std::span<const double> numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : " ") + shortest(number);
  return text;
}

// ---- elements ----

/// The flame of these elements, in the flame's dialect.
Flame flame_with(const Flame& like, const std::string& elements) {
  Flame head;
  head.dialect = like.dialect;
  head.formulas = formulas_of(like);
  std::string xml = genome_xml(head);
  xml.insert(xml.rfind("</flame>"), elements);
  ReaderOptions options;
  options.unfinished = true;
  options.approximate = !like.missing.empty();
  return refused_as_usage([&] { return parse_flames(xml, "set", options).flames.at(0); });
}

Xform xform_of(const Flame& like, const std::string& element, XformRole role) {
  constexpr std::string_view usual =
      R"(<xform weight="1" color="0" linear="1" coefs="1 0 0 1 0 0"/>)";
  constexpr std::string_view usual_final =
      R"(<finalxform color="0" color_speed="0" linear="1" coefs="1 0 0 1 0 0"/>)";
  const bool is_final = role == XformRole::final;
  Flame made =
      flame_with(like, element.empty() ? std::string(is_final ? usual_final : usual) : element);
  const bool fits = made.xforms.size() + (made.final_xform ? 1 : 0) + made.more_finals.size() == 1;
  if (!fits || !made.tracks.empty())
    fail(ErrorKind::usage, "one element <{}> is wanted", is_final ? "finalxform" : "xform");
  Xform xform = made.final_xform ? std::move(*made.final_xform) : std::move(made.xforms[0]);
  if (is_final) {  // an xform becomes a final one
    xform.weight = 0;
    xform.chaos.clear();
  } else if (made.final_xform) {
    xform.weight = 1;
  }
  xform.line = 0;
  return xform;
}

void set_tracks(Flame& flame, const std::string& elements) {
  std::vector<Track> tracks = flame_with(flame, elements).tracks;
  for (Track& track : tracks) {
    if (!has_xform(flame, track.xform))
      fail(ErrorKind::usage, "the flame has no xform for the track of {}", track_label(track));
    track.line = 0;
    for (TrackKey& key : track.keys) key.line = 0;
  }
  flame.tracks = std::move(tracks);
}

/// The links in these elements, which the flame has the numbers for.
void set_links(Flame& flame, const std::string& elements) {
  std::vector<NumberLink> links = flame_with(flame, elements).links;
  for (NumberLink& link : links) link.line = 0;
  try {
    NumberLinks(links).check(flame);
  } catch (const NumberLinkError& error) {
    fail(ErrorKind::usage, "links: {}: {}", links[error.link].number, error.what);
  }
  flame.links = std::move(links);
}

// ---- numbers of the whole flame ----

std::vector<double> xaos_of(const Flame& flame) {
  const std::size_t n = flame.xforms.size();
  std::vector<double> all(n * n, 1.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < std::min(n, flame.xforms[i].chaos.size()); ++j)
      all[i * n + j] = flame.xforms[i].chaos[j];
  return all;
}

void set_xaos(Flame& flame, std::span<const double> numbers) {
  const std::size_t n = flame.xforms.size();
  if (numbers.size() != n * n)
    fail(ErrorKind::usage, "xaos of {0} xforms is a matrix of {0} x {0}, not {1} numbers", n,
         numbers.size());
  const std::vector<double> before = xaos_of(flame);
  Flame changed = flame;
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = numbers.subspan(i * n, n);
    if (std::equal(row.begin(), row.end(), before.begin() + std::ptrdiff_t(i * n))) continue;
    set_part(changed, fmt::format("xform.{}.chaos", i), numbers_text(row), "xaos");
    std::vector<double>& chaos = changed.xforms[i].chaos;
    if (std::all_of(chaos.begin(), chaos.end(), [](double c) { return c == 1; })) chaos.clear();
  }
  flame = std::move(changed);
}

std::vector<double> palette_numbers(const Flame& flame, bool with_alpha) {
  std::vector<double> numbers;
  for (const Rgba& c : flame.palette) {
    numbers.insert(numbers.end(), {c.r, c.g, c.b});
    if (with_alpha) numbers.push_back(c.a);
  }
  return numbers;
}

void set_palette_numbers(Flame& flame, std::span<const double> numbers, bool with_alpha) {
  const std::size_t width = with_alpha ? 4 : 3;
  if (numbers.empty() || numbers.size() % width != 0 ||
      numbers.size() / width > most_palette_colors)
    fail(ErrorKind::usage, "a palette has 1 to 65536 colors of {} numbers, not {} numbers in all",
         width, numbers.size());
  Palette palette(numbers.size() / width);
  for (const double level : numbers)
    if (!(level >= 0 && level <= 1))
      fail(ErrorKind::usage, "colors of a palette are from 0 to 1, not {}", shortest(level));
  for (std::size_t i = 0; i < palette.size(); ++i) {
    const auto color = numbers.subspan(i * width, width);
    palette[i] = {color[0], color[1], color[2], with_alpha ? color[3] : 1};
  }
  // a flame of flam3's dialect has 256; the others keep what they are given, if it is more
  const bool is_long = flame.dialect != Dialect::flam3 && palette.size() > 256;
  flame.palette = is_long ? palette : stretched(palette, 256);
}

// ---- the list of xforms ----

/// Gives every xform's chaos, every track and every link what `place_now` says of a number before; nothing: it is gone.
void renumber(Flame& flame, std::size_t count_now,
              const std::function<std::optional<std::size_t>(std::size_t)>& place_now) {
  for (Xform& xform : flame.xforms) {
    if (xform.chaos.empty()) continue;
    std::vector<double> chaos(count_now, 1.0);
    std::size_t said = 0;
    for (std::size_t j = 0; j < xform.chaos.size(); ++j) {
      const auto now = place_now(j);
      if (!now || *now >= count_now) continue;
      chaos[*now] = xform.chaos[j];
      said = std::max(said, *now + 1);
    }
    chaos.resize(said);
    xform.chaos = std::move(chaos);
  }
  std::erase_if(flame.tracks, [&](Track& track) {
    if (track.xform < 0) return false;
    const auto now = place_now(std::size_t(track.xform));
    if (now) track.xform = int(*now);
    return !now;
  });
  renumber_links(place_now, true, flame.links);
}

std::vector<Xform> taken_finals(Flame& flame) {
  std::vector<Xform> all;
  if (flame.final_xform) all.push_back(std::move(*flame.final_xform));
  std::move(flame.more_finals.begin(), flame.more_finals.end(), std::back_inserter(all));
  return all;
}

void put_finals(std::vector<Xform> all, Flame& flame) {
  flame.final_xform.reset();
  flame.more_finals.clear();
  if (all.empty()) {
    std::erase_if(flame.tracks, [](const Track& t) { return t.xform == track_of_final; });
    renumber_links([](std::size_t i) { return std::optional(i); }, false, flame.links);
    return;
  }
  flame.final_xform = std::move(all.front());
  flame.more_finals.assign(std::make_move_iterator(all.begin() + 1),
                           std::make_move_iterator(all.end()));
}

PartName list_part(std::string_view at) {
  const PartName part = part_name(at);
  if (part.of == PartName::Of::flame || !part.name.empty() || part.index == PartName::every)
    fail(ErrorKind::usage, "{}: is no place of an xform, such as xform.2 or final.0",
         printable(at));
  return part;
}

void set_part_alone(Flame& flame, std::string_view name, std::string_view text,
                    const std::string& place) {
  const FormulaNames scope(flame);
  const PartName part = part_name(name);
  if (part.of == PartName::Of::flame) {
    if (name == "tracks") return set_tracks(flame, std::string(text));
    if (name == "links") return set_links(flame, std::string(text));
    if (name == "markers") {
      flame.markers = flame_with(flame, std::string(text)).markers;
      return;
    }
    if (name == "xaos" || name == "palette" || name == "palette_rgba")
      return set_part_numbers(flame, name, part_numbers_in(name, std::string(text)));
    if (!find_flame_attribute(name)) refuse_flame_part(name);
    DeferredAttributes deferred;
    Flame changed = flame;
    apply_settings({parse_setting(place, std::string(name) + "=" + std::string(text))}, changed,
                   deferred);
    flame = std::move(changed);
    return;
  }
  if (part.name.empty()) {
    xform_at(flame, part) = xform_of(flame, std::string(text), part.role());
    return renumber(flame, flame.xforms.size(), [](std::size_t i) { return std::optional(i); });
  }
  set_xform_part(flame, part, text, place);
}

}  // namespace

std::string part_text(const Flame& flame, std::string_view name) {
  const FormulaNames scope(flame);
  const PartName part = part_name(name);
  if (part.of != PartName::Of::flame) return xform_part_text(flame, part);
  if (name == "xaos") return numbers_text(xaos_of(flame));
  if (name == "palette") return numbers_text(palette_numbers(flame, false));
  if (name == "palette_rgba") return numbers_text(palette_numbers(flame, true));
  if (name == "tracks") {
    std::string xml;
    for (const Track& track : flame.tracks) xml += track_xml(track);
    return xml;
  }
  if (name == "markers") return markers_xml(flame);
  if (name == "links") return links_xml(flame);
  const FlameAttribute* const row = find_flame_attribute(name);
  if (!row) refuse_flame_part(name);
  const std::string text = attribute_text(flame, name);
  return text.empty() ? value_text(*row, flame) : text;
}

void set_part(Flame& flame, std::string_view name, std::string_view text,
              const std::string& place) {
  set_part_alone(flame, name, text, place);
  follow_links(flame);
}

std::vector<double> part_numbers(const Flame& flame, std::string_view name) {
  if (name == "xaos") return xaos_of(flame);
  if (name == "palette" || name == "palette_rgba") return palette_numbers(flame, name != "palette");
  const PartName part = part_name(name);
  if (part.of == PartName::Of::xform && part.name == "chaos") {
    const std::size_t n = flame.xforms.size();
    std::vector<double> row = xform_at(flame, part).chaos;
    row.resize(n, 1.0);
    return row;
  }
  return part_numbers_in(name, part_text(flame, name));
}

void set_part_numbers(Flame& flame, std::string_view name, std::span<const double> numbers) {
  if (name == "xaos") {
    set_xaos(flame, numbers);
    return follow_links(flame);
  }
  if (name == "palette" || name == "palette_rgba")
    return set_palette_numbers(flame, numbers, name != "palette");
  if (part_name(name).name == "chaos" &&
      part_name(name).index != PartName::every) {  // a row that is there may leave out what is 1
    const std::vector<double> before = part_numbers(flame, name);
    if (std::equal(before.begin(), before.end(), numbers.begin(), numbers.end())) return;
  }
  set_part(flame, name, numbers_text(numbers));
}

std::vector<std::string> part_names(const Flame& flame, std::string_view of) {
  const FormulaNames scope(flame);
  std::vector<std::string> names;
  const PartName part = part_name(of);
  if (part.of == PartName::Of::flame) {
    if (!of.empty()) refuse_flame_part(of);
    for (const FlameAttribute& row : flame_attributes())
      if (!value_text(row, flame).empty()) names.emplace_back(row.name);
    return names;
  }
  const Xform& xform = xform_at(flame, part);
  if (part.name == "variations") return form_names(xform);
  if (!part.name.empty()) {
    if (auto parameters = form_parameters(part.name)) return *std::move(parameters);
    return xform_part_text(flame, part), names;  // whose name is wrong
  }
  for (const auto& [name, text] : xform_attributes(xform, part.of == PartName::Of::final))
    names.push_back(name);
  return names;
}

std::vector<std::string> xform_number_names() {
  std::vector<std::string> names = track_target_names(0);
  std::erase_if(names, [](const std::string& name) {
    return find_form(name).has_value() || find_form_parameter(name).has_value();
  });
  return names;
}

int part_count(const Flame& flame, std::string_view of) {
  if (of == "xform") return int(flame.xforms.size());
  if (of == "final") return flame.final_xform ? 1 + int(flame.more_finals.size()) : 0;
  if (of == "track") return int(flame.tracks.size());
  fail(ErrorKind::usage, "{}: xform, final and track are counted", printable(of));
}

void insert_part(Flame& flame, std::string_view at, const std::string& element) {
  const FormulaNames scope(flame);
  const PartName part = list_part(at);
  Xform xform = xform_of(flame, element, part.role());
  const bool is_final = part.of == PartName::Of::final;
  const std::size_t place = std::size_t(part.index);
  const std::size_t count = std::size_t(part_count(flame, is_final ? "final" : "xform"));
  if (place > count)
    fail(ErrorKind::usage, "there is no place {}: {} follow each other from 0 to {}",
         part.owner(part.index), is_final ? "final xforms" : "xforms", count);
  if (count >= (is_final ? most_finals_in_all : most_xforms_in_all))
    fail(ErrorKind::usage, "a flame has at most {} of them",
         is_final ? most_finals_in_all : most_xforms_in_all);
  if (!is_final) {
    renumber(flame, count + 1, [&](std::size_t i) { return std::optional(i + (i >= place)); });
    if (xform.chaos.size() > count + 1) xform.chaos.resize(count + 1);
    flame.xforms.insert(flame.xforms.begin() + std::ptrdiff_t(place), std::move(xform));
    return;
  }
  if (count > 0 && flame.dialect != Dialect::jwildfire)
    fail(ErrorKind::usage,
         "a flame has one final xform at most (several in JWildfire's dialect alone); change or "
         "remove final.0");
  std::vector<Xform> all = taken_finals(flame);
  all.insert(all.begin() + std::ptrdiff_t(place), std::move(xform));
  put_finals(std::move(all), flame);
}

void remove_part(Flame& flame, std::string_view at) {
  const FormulaNames scope(flame);
  if (const PartName form = part_name(at); !form.name.empty() && form.of != PartName::Of::flame) {
    if (!remove_form(xform_at(flame, form), form.name))
      fail(ErrorKind::usage, "{}: the xform does not use it", printable(at));
    return;
  }
  const PartName part = list_part(at);
  xform_at(flame, part);
  const std::size_t place = std::size_t(part.index);
  if (part.of == PartName::Of::final) {
    std::vector<Xform> all = taken_finals(flame);
    all.erase(all.begin() + std::ptrdiff_t(place));
    return put_finals(std::move(all), flame);
  }
  flame.xforms.erase(flame.xforms.begin() + std::ptrdiff_t(place));
  renumber(flame, flame.xforms.size(), [&](std::size_t i) {
    return i == place ? std::nullopt : std::optional(i - (i > place));
  });
}

void move_part(Flame& flame, std::string_view at, int to) {
  const PartName part = list_part(at);
  xform_at(flame, part);
  const bool is_final = part.of == PartName::Of::final;
  const std::size_t count = std::size_t(part_count(flame, is_final ? "final" : "xform"));
  if (to < 0 || std::size_t(to) >= count)
    fail(ErrorKind::usage, "there is no place {}: the flame has {} of them", part.owner(to), count);
  std::vector<Xform> all = is_final ? taken_finals(flame) : std::move(flame.xforms);
  const std::size_t from = std::size_t(part.index), goal = std::size_t(to);
  Xform moved = std::move(all[from]);
  all.erase(all.begin() + std::ptrdiff_t(from));
  all.insert(all.begin() + std::ptrdiff_t(goal), std::move(moved));
  if (is_final) return put_finals(std::move(all), flame);
  flame.xforms = std::move(all);
  renumber(flame, count, [&](std::size_t i) -> std::optional<std::size_t> {
    if (i == from) return goal;
    if (from < goal && i > from && i <= goal) return i - 1;
    if (goal < from && i >= goal && i < from) return i + 1;
    return i;
  });
}

Flame empty_flame() {
  Flame flame;
  flame.width = flame.height = 800;
  flame.scale = 200;
  flame.quality = 200;
  flame.filter_radius_px = 0.6;
  flame.palette_mode = PaletteMode::linear;
  flame.palette.fill({1, 1, 1, 1});
  return flame;
}

Flame settled(const Flame& flame) {
  ReaderOptions options;
  options.approximate = !flame.missing.empty();
  Flame read =
      parse_flames(genome_xml(flame), flame.source.empty() ? "flame" : flame.source, options)
          .flames.at(0);
  Flame result = flame;
  result.xforms = std::move(read.xforms);
  result.final_xform = std::move(read.final_xform);
  result.more_finals = std::move(read.more_finals);
  return result;
}

}  // namespace kiln
