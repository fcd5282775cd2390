// SPDX-License-Identifier: MIT
#include "cli/report/sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include "cli/report/compare_report.h"
#include "cli/report/embedded_file.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/model/image.h"
#include "engine/model/palette.h"
#include "engine/model/variations.h"

namespace kiln::cli {
namespace {

constexpr double same_look = 0.02, near_look = 0.08;  // distances

/// A key by the color of all light together: gray ones first, then by hue.
double color_key(const Look& look) {
  Rgba sum{0, 0, 0, 1};
  for (const auto& patch : look.patches) {
    sum.r += double(patch[0]) / 64;
    sum.g += double(patch[1]) / 64;
    sum.b += double(patch[2]) / 64;
  }
  const Hsv hsv = hsv_from_rgb(sum);
  return hsv.s < 0.15 ? hsv.v - 1 : hsv.h;
}

std::vector<Look> looks_of(const std::vector<SheetEntry>& entries) {
  std::vector<Look> looks;
  for (const SheetEntry& entry : entries) looks.push_back(entry.look);
  return looks;
}

/// The part of a flame's XML that makes the picture, without name and history.
std::string picture_xml(Flame flame) {
  flame.name = flame.nick = flame.url = flame.edits = "";
  flame.time = 0;
  return genome_xml(flame);
}

}  // namespace

std::vector<Twin> twins_of(const std::vector<SheetEntry>& entries) {
  const std::vector<Look> looks = looks_of(entries);
  const std::vector<std::size_t> near = first_like(looks, near_look);
  std::vector<Twin> twins;
  std::map<std::string, std::size_t> first_of;  // of each picture's XML
  for (std::size_t e = 0; e < entries.size(); ++e) {
    Twin twin{near[e], ""};
    const auto [same, is_new] = first_of.emplace(picture_xml(entries[e].flame), e);
    if (!is_new)  // which says more than that another one, before both, is nearly like it
      twin = {same->second, "the same flame as"};
    else if (near[e] != e)
      twin.how =
          distance(looks[e], looks[near[e]]) <= same_look ? "looks like" : "nearly looks like";
    twins.push_back(twin);
  }
  return twins;
}

namespace {

std::string entry_json(const SheetEntry& entry, const Twin& twin, std::size_t number) {
  JsonArray names;
  for (const std::string& name : used_variations(entry.flame)) names.add_json(json_string(name));
  JsonObject json;
  json.add("name", entry.flame.name)
      .add("file", entry.file)
      .add("index", entry.flame.index)
      .add("width", entry.flame.width)
      .add("height", entry.flame.height)
      .add("xforms", int(entry.flame.xforms.size()))
      .add("quality", entry.flame.quality)
      .add_json("variations", names.text())
      .add("light", entry.look.brightness)
      .add("hue", color_key(entry.look));
  if (twin.of != number) json.add("twin", int(twin.of)).add("how", twin.how);
  json.add("xml", genome_xml(entry.flame)).add("png", base64(entry.png));
  return json.text();
}

/// JSON inside of a script element: nothing in it may end that.
std::string for_script(const std::string& json) {
  std::string safe;
  for (const char c : json) c == '<' ? safe += "\\u003c" : safe += c;
  return safe;
}

}  // namespace

std::vector<std::size_t> sheet_order(const std::vector<SheetEntry>& entries, std::string_view by) {
  if (by == "similarity") return by_likeness(looks_of(entries));
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  const auto sort_by = [&](auto key) {
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return key(entries[a]) < key(entries[b]);
    });
  };
  if (by == "name") sort_by([](const SheetEntry& e) { return e.flame.name; });
  if (by == "brightness") sort_by([](const SheetEntry& e) { return -e.look.brightness; });
  if (by == "color") sort_by([](const SheetEntry& e) { return color_key(e.look); });
  if (by == "xforms") sort_by([](const SheetEntry& e) { return e.flame.xforms.size(); });
  return order;
}

Image sheet_picture(const std::vector<SheetEntry>& entries, const std::vector<std::size_t>& order,
                    int width, int height, int columns) {
  constexpr int gap = 6;
  constexpr double most_pixels = 400e6;
  const int rows = int((order.size() + std::size_t(columns) - 1) / std::size_t(columns));
  const double all = (double(width) + gap) * columns * ((double(height) + gap) * rows);
  if (all > most_pixels)
    fail(ErrorKind::usage,
         "{} pictures of {} x {} are {:.0f} million pixels; choose a smaller --size, or write a "
         "page: -o sheet.html",
         order.size(), width, height, all / 1e6);
  Image sheet;
  sheet.width = columns * (width + gap) + gap;
  sheet.height = rows * (height + gap) + gap;
  sheet.opaque = true;
  Bytes& pixels = sheet.pixels8();
  pixels.assign(std::size_t(sheet.width) * std::size_t(sheet.height) * 4, 24);
  for (std::size_t i = 3; i < pixels.size(); i += 4) pixels[i] = 255;
  for (std::size_t place = 0; place < order.size(); ++place) {
    const Image& image = entries[order[place]].image;
    const int column = int(place % std::size_t(columns)), row = int(place / std::size_t(columns));
    const int left = gap + column * (width + gap) + (width - image.width) / 2;
    const int top = gap + row * (height + gap) + (height - image.height) / 2;
    for (int y = 0; y < image.height; ++y)
      std::copy_n(image.pixels8().begin() + std::ptrdiff_t(y) * image.width * 4, image.width * 4,
                  pixels.begin() + (std::ptrdiff_t(top + y) * sheet.width + left) * 4);
  }
  return sheet;
}

std::string sheet_page(const std::string& title, const std::vector<SheetEntry>& entries,
                       const std::vector<std::size_t>& order, std::string_view by) {
  const std::vector<Twin> twins = twins_of(entries);
  const std::vector<std::size_t> alike = sheet_order(entries, "similarity");
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<header></header>\n"
      "<main></main>\n<footer></footer>\n",
      html(title), report_file("sheet.css"));
  text += "<script type=\"application/json\" id=\"flames\">\n[";
  for (std::size_t e = 0; e < entries.size(); ++e)
    text += (e == 0 ? "\n" : ",\n") + for_script(entry_json(entries[e], twins[e], e));
  const auto numbers = [](const std::vector<std::size_t>& list) {
    std::string all;
    for (const std::size_t number : list) all += (all.empty() ? "" : ",") + std::to_string(number);
    return "[" + all + "]";
  };
  text += "\n]</script>\n<script type=\"application/json\" id=\"orders\">";
  text += JsonObject()
              .add("first", by)
              .add_json("order", numbers(order))
              .add_json("similarity", numbers(alike))
              .text();
  return text + "</script>\n<script>" + report_file("sheet.js") + "</script>\n</body>\n</html>\n";
}

}  // namespace kiln::cli
