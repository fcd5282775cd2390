// SPDX-License-Identifier: MIT
// kiln for the page that renders by itself (page/worker.js): flames in, pictures that settle, a PNG as
// `kiln render` writes it. Every function gives back a JSON object, with "error" in it where
// something was wrong; what it names by address and bytes stays there until the next call. One
// thread: that of the worker, so the page stays responsive.
#include <emscripten.h>

#include <cmath>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/resources.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/picture/picture_file.h"
#include "engine/io/picture/picture_record.h"
#include "engine/io/picture/png_writer.h"
#include "engine/live/preview.h"
#include "engine/model/image.h"

namespace kiln {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t most_memory = std::uint64_t(1800) << 20;  // of the 2 GiB of the module

/// The flames that the page has open, and their picture.
struct Desk {
  std::vector<Flame> flames;
  std::optional<ProgressiveRender> render;
  Flame flame;  // that is rendered, in its size
  RenderOptions options;
  Image image;  // made last
  std::vector<std::uint8_t> shown;
  std::string png;
  std::string answer;
};
Desk desk;

RenderOptions usual_options() {
  RenderOptions options;
  options.backend = Backend::cpu;
  options.threads = 1;
  options.max_memory_bytes = most_memory;
  return options;
}

/// The answer of `work`, which fills a JSON object.
template <class Work>
const char* answered(Work work) {
  Json answer = Json::object();
  try {
    work(answer);
  } catch (const std::bad_alloc&) {
    answer = {{"error", "out of memory; a smaller picture needs less"}};
  } catch (const std::exception& error) {
    answer = {{"error", error.what()}};
  }
  desk.answer = answer.dump();
  return desk.answer.c_str();
}

void load(std::string_view bytes, const std::string& name, Json& answer) {
  ReaderOptions options;
  Json warnings = Json::array();
  options.warn = [&](const std::string& text) { warnings.push_back(text); };
  desk.flames = parse_flames(bytes, name, options).flames;
  answer["warnings"] = warnings;
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

void begin(int index, int width, double quality, int bits, Json& answer) {
  if (index < 0 || index >= int(desk.flames.size())) fail(ErrorKind::usage, "open a flame first");
  if (width < 1 || width > 20'000) fail(ErrorKind::usage, "the width must be 1 to 20000 pixels");
  if (!(quality > 0 && quality <= 1e6))
    fail(ErrorKind::usage, "the quality must be above 0, at most 1000000 samples a pixel");
  if (bits != 8 && bits != 16) fail(ErrorKind::usage, "bits must be 8 or 16");
  desk.image = {};
  desk.png = {};
  desk.flame = sized(desk.flames[std::size_t(index)], width, quality);
  desk.options = usual_options();
  desk.options.bits = bits;
  if (!desk.render) desk.render.emplace(usual_options());
  desk.render->show(desk.flame);
  answer = {{"width", desk.flame.width}, {"height", desk.flame.height}};
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
EMSCRIPTEN_KEEPALIVE const char* kiln_begin(int index, int width, double quality, int bits) {
  return kiln::answered([&](auto& answer) { kiln::begin(index, width, quality, bits, answer); });
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
