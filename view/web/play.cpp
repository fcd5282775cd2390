// SPDX-License-Identifier: MIT
// Flames to play with, for the page that renders by itself: changes by hand, drafts of them, and small pictures of
// flames by chance, of mutants and of children. All flames come and go as XML: the page keeps them, with undo.
#include <emscripten.h>

#include <algorithm>
#include <cmath>

#include "engine/io/flame/flame_link.h"
#include "engine/io/flame/flame_options.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/picture/qr_code.h"
#include "engine/live/camera_moves.h"
#include "engine/live/live_flame.h"
#include "view/web/desk.h"

namespace kiln {

Flame flame_of(std::string_view xml) {
  ReaderOptions options;
  options.approximate = true;  // what it lacks was said when its file was opened
  return parse_flames(xml, "flame", options).flames.at(0);
}

namespace {

constexpr double thumbnail_quality = 40;   // samples a pixel
constexpr std::uint64_t most_drafts = 4;   // of one tile
constexpr std::size_t palette_parts = 16;  // that are shown

PreviewRenderer& previews() {
  if (!desk.previews) desk.previews.emplace(usual_options());
  return *desk.previews;
}

std::string colors_of(const Palette& palette) {
  std::string colors;
  for (std::size_t i = 0; i < palette_parts; ++i) {
    const Rgba& c = palette[i * palette.size() / palette_parts];
    const auto byte = [](double v) { return int(std::clamp(v, 0.0, 1.0) * 255 + 0.5); };
    colors +=
        fmt::format("{}#{:02x}{:02x}{:02x}", i == 0 ? "" : ",", byte(c.r), byte(c.g), byte(c.b));
  }
  return colors;
}

/// Tells the page what it knows of the open flame.
void tell_open(Json& answer) {
  const Flame& flame = desk.open;
  answer = {{"xml", genome_xml(flame)},
            {"name", flame.name},
            {"width", flame.width},
            {"height", flame.height},
            {"quality", flame.quality},
            {"brightness", flame.brightness},
            {"gamma", flame.gamma},
            {"rotate", flame.rotate_deg},
            {"palette", colors_of(flame.palette)}};
}

void take(int index, Json& answer) {
  if (index < 0 || index >= int(desk.flames.size())) fail(ErrorKind::usage, "open a flame first");
  desk.open = desk.flames[std::size_t(index)];
  tell_open(answer);
}

/// Opens the flame of `wanted.xml`, changed by what else it says; all changes are from that flame on, so that a
/// hand that moves on does not add to what it did before.
void change(const Json& wanted, Json& answer) {
  Flame flame = flame_of(wanted.at("xml").get<std::string>());
  if (wanted.contains("brightness")) flame.brightness = wanted["brightness"];
  if (wanted.contains("gamma")) flame.gamma = wanted["gamma"];
  if (wanted.contains("hue")) turn_hues(wanted["hue"], flame);
  if (wanted.contains("palette")) flame.palette = random_palette(wanted["palette"]);
  if (wanted.contains("pan")) pan(flame, {wanted["pan"][0], wanted["pan"][1]});
  if (wanted.contains("zoom"))
    zoom(flame, wanted["zoom"][0], {wanted["zoom"][1], wanted["zoom"][2]});
  if (wanted.contains("turn")) rotate(flame, wanted["turn"].get<double>());
  if (wanted.contains("name")) flame.name = flame_name(wanted["name"].get<std::string>());
  desk.open = std::move(flame);
  tell_open(answer);
}

void tell_image(Json& answer) {
  answer["at"] = std::uintptr_t(desk.image.pixels8().data());
  answer["width"] = desk.image.width;
  answer["height"] = desk.image.height;
}

/// A picture at once, of the open flame as wide and high as it is asked for.
void sketch(double pixels, double samples, Json& answer) {
  desk.image = previews().sketch(desk.open, pixels, samples);
  tell_image(answer);
}

/// The look of the flame that mutants and children shall not be like, known until it is another.
const Look& look_of_parent(const Flame& parent) {
  static std::string known;
  static Look seen;
  std::string xml = genome_xml(parent);
  if (xml != known) {
    seen = look(parent, previews());
    known = std::move(xml);
  }
  return seen;
}

Flame draft(const Json& wanted, const Flame& parent, std::uint64_t seed) {
  if (wanted.contains("mate"))
    return bred(parent, flame_of(wanted["mate"].get<std::string>()), Breeding::any, seed);
  Mutation how;
  how.strength = wanted.value("strength", 0.5);
  return mutated(parent, how, seed);
}

/// A child with something to see that is not its parent again, if a few drafts have that.
Flame child(const Json& wanted, std::uint64_t seed) {
  const Flame parent = flame_of(wanted.at("xml").get<std::string>());
  const Taste taste = wanted.contains("mate") ? taste_of_children() : taste_of_mutants();
  const Look& before = look_of_parent(parent);
  const bool parent_is_dull = !dull(before, taste).empty();
  for (std::uint64_t attempt = 1;; ++attempt) {
    Flame flame = draft(wanted, parent, seed * most_drafts + attempt);
    Look seen = look(flame, previews());
    if (!dull(seen, taste).empty() && !parent_is_dull && frame_by_light(flame, previews()))
      seen = expose(flame, previews());
    const bool is_fine = (dull(seen, taste).empty() || parent_is_dull) &&
                         distance(seen, before) >= taste.least_distance / 2;
    if (is_fine || attempt == most_drafts) return flame;
  }
}

/// A small picture, and the flame: {"width", "seed"}, and "flame" (of that one), or of children "xml", and "mate" or
/// "strength"; of none of these: by chance.
void tile(const Json& wanted, Json& answer) {
  const std::uint64_t seed = wanted.at("seed");
  Flame flame;
  if (wanted.contains("flame")) {
    flame = flame_of(wanted["flame"].get<std::string>());
  } else if (wanted.contains("xml")) {
    flame = child(wanted, seed);
    flame.name = fmt::format("{}_{}", wanted.contains("mate") ? "child" : "mutant", seed);
  } else {
    flame = random_flame(usual_flame(), seed, previews());
  }
  flame.edits.clear();
  const double width = wanted.at("width");
  const double pixels = width * width * std::min(1.0, double(flame.height) / flame.width);
  desk.image = previews().sketch(flame, pixels, thumbnail_quality * pixels);
  answer = {{"xml", genome_xml(flame)}, {"name", flame.name}};
  tell_image(answer);
}

/// BASE#title=...&f1=... of the open flame; where it fits, its QR code: a row of 0 and 1 (dark) after the other.
void tell_link(const std::string& base, Json& answer) {
  const std::string link = flame_link(desk.open, base);
  answer = {{"link", link}};
  if (link.size() > most_qr_bytes) return;
  const QrCode code = qr_code(link);
  std::string modules;
  for (const bool is_dark : code.dark) modules += is_dark ? '1' : '0';
  answer["qr"] = {{"side", code.side}, {"modules", modules}};
}

}  // namespace
}  // namespace kiln

extern "C" {

EMSCRIPTEN_KEEPALIVE const char* kiln_take(int index) {
  return kiln::answered([&](auto& answer) { kiln::take(index, answer); });
}
EMSCRIPTEN_KEEPALIVE const char* kiln_change(const char* wanted) {
  return kiln::answered([&](auto& answer) { kiln::change(kiln::Json::parse(wanted), answer); });
}
EMSCRIPTEN_KEEPALIVE const char* kiln_sketch(double pixels, double samples) {
  return kiln::answered([&](auto& answer) { kiln::sketch(pixels, samples, answer); });
}
EMSCRIPTEN_KEEPALIVE const char* kiln_tile(const char* wanted) {
  return kiln::answered([&](auto& answer) { kiln::tile(kiln::Json::parse(wanted), answer); });
}
EMSCRIPTEN_KEEPALIVE const char* kiln_link(const char* base) {
  return kiln::answered([&](auto& answer) { kiln::tell_link(base, answer); });
}

}  // extern "C"
