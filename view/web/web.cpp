// SPDX-License-Identifier: MIT
// kiln for the page that renders by itself (page/worker.js): flames in, pictures that settle, a PNG as
// `kiln render` writes it. How functions answer is in desk.h. One thread: that of the worker, so the
// page stays responsive.
#include <emscripten.h>

#include <cmath>
#include <string>

#include "engine/base/resources.h"
#include "engine/io/file/link_text.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/picture/picture_file.h"
#include "engine/io/picture/picture_record.h"
#include "engine/io/picture/png_writer.h"
#include "view/web/desk.h"

namespace kiln {

Desk desk;

namespace {

void load(std::string_view bytes, const std::string& name, Json& answer) {
  ReaderOptions options;
  Json warnings = Json::array();
  options.warn = [&](const std::string& text) { warnings.push_back(text); };
  desk.flames = parse_flames(bytes, name, options).flames;
  desk.open = desk.flames.at(0);
  answer["warnings"] = warnings;
  if (is_link(bytes)) answer["title"] = link_title(bytes);
  for (const Flame& flame : desk.flames)
    answer["flames"].push_back({{"name", flame.name},
                                {"width", flame.width},
                                {"height", flame.height},
                                {"quality", flame.quality}});
}

/// The flame with --width and --quality of kiln render: the framing stays, the height follows.
Flame sized(Flame flame, int width, double quality) {
  const double factor = double(width) / flame.width;
  flame.height = std::max(1, int(std::floor(flame.height * factor + 0.5)));
  flame.width = width;
  flame.scale *= factor;
  flame.quality = quality;
  return flame;
}

/// A width that surely fits, of a picture that is too large by this message, which proposes a --scale that
/// may do.
int width_that_fits(const std::string& refusal, int width) {
  constexpr std::string_view option = "--scale ";
  constexpr double surely = 0.85;
  const std::size_t at = refusal.find(option);
  const double scale =
      at == std::string::npos ? 0 : std::atof(refusal.c_str() + at + option.size());
  return int(width * scale * surely / 100) * 100;
}

void begin(int width, double quality, int bits, Json& answer) {
  if (desk.open.xforms.empty()) fail(ErrorKind::usage, "open a flame first");
  if (width < 1 || width > 20'000)
    fail(ErrorKind::usage, "Width must be a whole number from 1 to 20000 pixels");
  if (!(quality > 0 && quality <= 1e6))
    fail(ErrorKind::usage, "Quality must be above 0, at most 1000000 samples a pixel");
  if (bits != 8 && bits != 16) fail(ErrorKind::usage, "Colors must be 8 or 16 bits");
  desk.image = {};
  desk.png = {};
  desk.flame = sized(desk.open, width, quality);
  desk.options = usual_options();
  desk.options.bits = bits;
  if (!desk.render) desk.render.emplace(usual_options());
  try {
    desk.render->show(desk.flame);
  } catch (const Error& error) {
    const int fits = width_that_fits(error.what(), width);
    const auto [w, h] = std::pair(desk.flame.width, desk.flame.height);
    desk.flame.width = 0;  // nothing is rendered
    if (error.kind != ErrorKind::device || fits < 1) throw;
    fail(ErrorKind::device,
         "{} by {} pixels need more memory than the {} MB that a browser has for them: at most "
         "about {} wide here; the program renders any size",
         w, h, most_memory >> 20, fits);
  }
  answer = {{"width", desk.flame.width},
            {"height", desk.flame.height},
            {"done", std::min(1.0, desk.render->quality() / desk.flame.quality)}};
}

ProgressiveRender& render() {
  if (!desk.render || desk.flame.width == 0) fail(ErrorKind::usage, "open a flame first");
  return *desk.render;
}

void step(double milliseconds, Json& answer) {
  const auto start = Clock::now();
  const double before = render().quality();
  render().grow(desk.flame.quality, [&] { return seconds_since(start) * 1000 >= milliseconds; });
  answer = {{"done", render().quality() / desk.flame.quality},
            {"complete", render().complete()},
            {"grown", render().quality() - before},
            {"seconds", seconds_since(start)}};
}

/// Four bytes a pixel, as canvases have them.
const std::vector<std::uint8_t>& shown() {
  if (desk.image.bits() == 8) return desk.image.pixels8();
  desk.shown.clear();
  for (const std::uint16_t sample : desk.image.pixels16())
    desk.shown.push_back(std::uint8_t(sample >> 8));
  return desk.shown;
}

void picture(Json& answer) {
  const bool settled = render().complete();
  desk.image = render().picture(nullptr, settled ? desk.options.bits : 8);
  answer = {{"at", std::uintptr_t(shown().data())},
            {"width", desk.image.width},
            {"height", desk.image.height},
            {"settled", settled},
            {"samples", render().statistics().samples}};
  if (settled) answer["hash"] = pixel_hash(desk.image);
}

void png(Json& answer) {
  if (!render().complete() || desk.image.width == 0)
    fail(ErrorKind::usage, "the picture is not finished; wait until it has settled");
  const std::string record =
      render_record(desk.flame, desk.options, render().statistics(), pixel_hash(desk.image));
  desk.png = png_bytes(desk.image, picture_texts(genome_xml(desk.flame), record));
  answer = {{"at", std::uintptr_t(desk.png.data())}, {"bytes", desk.png.size()}};
}

}  // namespace
}  // namespace kiln

extern "C" {

EMSCRIPTEN_KEEPALIVE const char* kiln_load(const char* bytes, int count, const char* name) {
  return kiln::answered([&](auto& answer) {
    kiln::load({bytes, std::size_t(count)}, name, answer);
  });
}
/// Begins the picture of the open flame; samples that are there serve it if they can.
EMSCRIPTEN_KEEPALIVE const char* kiln_begin(int width, double quality, int bits) {
  return kiln::answered([&](auto& answer) { kiln::begin(width, quality, bits, answer); });
}
/// Plays for so long, about.
EMSCRIPTEN_KEEPALIVE const char* kiln_step(double milliseconds) {
  return kiln::answered([&](auto& answer) { kiln::step(milliseconds, answer); });
}
/// Makes the picture of the samples so far; once it is finished, that of kiln render.
EMSCRIPTEN_KEEPALIVE const char* kiln_picture() {
  return kiln::answered([](auto& answer) { kiln::picture(answer); });
}
EMSCRIPTEN_KEEPALIVE const char* kiln_png() {
  return kiln::answered([](auto& answer) { kiln::png(answer); });
}

}  // extern "C"
