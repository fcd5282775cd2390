// SPDX-License-Identifier: MIT
// The part of the protocol that is about finding flames: small pictures of mutations and children, of
// flames that a page thinks of, and palettes of files.
#include <algorithm>
#include <array>
#include <random>
#include <string_view>
#include <utility>

#include "engine/io/flame/flame_options.h"
#include "engine/io/flame/palette_library.h"
#include "view/server/flame_folder.h"
#include "view/server/live_protocol.h"

namespace kiln::cli {
namespace {

constexpr double most_seed = 0x1p53;

/// The index of the word that a page says, of these; 0 if it says none.
template <std::size_t count>
std::size_t word_of(const nlohmann::json& body, const char* key,
                    const std::array<std::string_view, count>& words) {
  const auto found = body.find(key);
  if (found == body.end()) return 0;
  if (found->is_string()) {
    const auto word = std::find(words.begin(), words.end(), found->get<std::string>());
    if (word != words.end()) return std::size_t(word - words.begin());
  }
  std::vector<std::string> all(words.begin(), words.end());
  fail(ErrorKind::usage, "mutate: \"{}\" is one of {}", key, kiln::joined(all, ", "));
}

/// {"palette": true, "camera": true, "xforms": [0, 2]}
Locks locks_of(const nlohmann::json& body) {
  constexpr std::size_t most_xforms = 1000;
  const auto found = body.find("locks");
  Locks locks;
  if (found == body.end()) return locks;
  if (!found->is_object()) fail(ErrorKind::usage, "mutate: \"locks\" is an object");
  for (const auto& [key, value] : found->items()) {
    if (value.is_boolean() && key == "palette") {
      locks.palette = value.get<bool>();
    } else if (value.is_boolean() && key == "camera") {
      locks.camera = value.get<bool>();
    } else if (value.is_array() && key == "xforms" && value.size() <= most_xforms) {
      for (const auto& number : value) {
        if (!number.is_number_integer())
          fail(ErrorKind::usage, "mutate: \"xforms\" of \"locks\" are numbers, -1 the final one");
        locks.xforms.push_back(int(std::clamp<std::int64_t>(number.get<std::int64_t>(), -1, 1000)));
      }
    } else {
      fail(ErrorKind::usage,
           "mutate: \"locks\" has \"palette\" and \"camera\", true or false, and \"xforms\", a "
           "list");
    }
  }
  return locks;
}

/// Whether palettes of a file are those of its flames: it is a picture or has a <flame>.
bool has_flames(const std::string& bytes) {
  return bytes.starts_with("\x89PNG") || bytes.find("<flame") != bytes.npos;
}

constexpr int most_palette_side = 256;  // of a picture whose colors are wanted, in pixels

/// A picture that a page has made small: rows of RGBA.
Image picture_of(int width, const std::string& rgba) {
  Image image;
  image.width = width;
  image.height = int(rgba.size() / 4) / width;
  if (image.height == 0 || image.height > most_palette_side ||
      rgba.size() != std::size_t(width) * std::size_t(image.height) * 4)
    fail(ErrorKind::usage, "palettes: \"pixels\" are up to {} rows of RGBA", most_palette_side);
  image.pixels = Bytes(rgba.begin(), rgba.end());
  return image;
}

/// The palettes as PaletteLibrary::json() writes those of a library, numbered in this order.
std::string palettes_json_of(const std::vector<std::pair<std::string, Palette>>& named) {
  JsonArray all;
  int number = 0;
  for (const auto& [name, palette] : named) {
    std::string hex;
    for (const Rgba& color : resampled(palette)) {
      for (const double part : {color.r, color.g, color.b})
        hex += fmt::format("{:02X}", int(std::clamp(part, 0.0, 1.0) * 255 + 0.5));
    }
    all.add_json(JsonObject().add("name", name).add("number", number++).add("colors", hex).text());
  }
  return all.text();
}

}  // namespace

/// The number that a page gives to what it wants; 0: none.
std::uint64_t LiveProtocol::wish_of(const Message& message) {
  return std::uint64_t(message.number("number", 0, 0x1p53, 0));
}

/// A flame that a page has, as it is read from a file.
Flame LiveProtocol::flame_of(const std::string& xml) const {
  FlameFile file = parse_flames(xml, "flame", reader_);
  if (file.flames.size() != 1)
    fail(ErrorKind::input, "{} flames where one is wanted", file.flames.size());
  return std::move(file.flames[0]);
}

/// The flame to breed with: one of the page's own, or an open one by its number.
Flame LiveProtocol::mate_of(const Message& message, const LiveFlame& live) const {
  const auto mate = message.body.find("mate");
  if (mate->is_string()) return flame_of(mate->get<std::string>());
  const int index = int(message.number("mate", 0, 1e6));
  const std::string xml = live.xml_of(index);
  if (!xml.empty()) return flame_of(xml);
  const int all = int(live.names().size());
  int open = 0;
  for (int i = 0; i < all; ++i) open += !live.xml_of(i).empty();
  fail(ErrorKind::usage, "mutate: \"mate\": there is no flame {}; {} {} open, counted from 0",
       index, open, open == 1 ? "is" : "are");
}

void LiveProtocol::on_mutate(const Message& message) {
  const Easel& easel = *clients_.at(message.client)->easel;
  LiveFlame::Mutations wanted;
  wanted.count = int(message.number("count", 1, LiveFlame::most_mutations, 12));
  wanted.width = int(message.number("width", 16, LiveFlame::most_thumbnail_width, 200));
  wanted.like.strength = message.number("strength", 0, 1, 0.5);
  wanted.like.direction = Direction(word_of(message.body, "direction", direction_names));
  wanted.like.locks = locks_of(message.body);
  wanted.random = message.flag("random");
  wanted.parent_first = message.flag("parent");
  wanted.seed = std::uint64_t(message.number("seed", 1, most_seed, 1 + std::random_device()()));
  wanted.breeding = Breeding(word_of(message.body, "breeding", breeding_names));
  if (message.has("mate")) wanted.mate = std::make_shared<Flame>(mate_of(message, *easel.live));
  const std::uint64_t wish = wish_of(message), set = easel.live->mutate(wanted, message.client);
  server_.send_text(message.client, JsonObject()
                                        .add("type", "mutations")
                                        .add("set", set)
                                        .add("count", wanted.count)
                                        .add("seed", wanted.seed)
                                        .add("number", wish)
                                        .text());
}

/// Small pictures of flames that a page thinks of.
void LiveProtocol::on_pictures(const Message& message) {
  const auto given = message.body.find("flames");
  if (given == message.body.end() || !given->is_array() ||
      given->size() > LiveFlame::most_mutations)
    fail(ErrorKind::usage, "pictures: \"flames\" is a list of at most {}",
         LiveFlame::most_mutations);
  std::vector<Flame> flames;
  for (const auto& xml : *given) {
    if (!xml.is_string()) fail(ErrorKind::usage, "pictures: \"flames\" is a list of texts");
    flames.push_back(flame_of(xml.get<std::string>()));
  }
  const int count = int(flames.size());
  const std::uint64_t wish = wish_of(message);
  const std::uint64_t set =
      clients_.at(message.client)
          ->easel->live->picture_these(
              std::move(flames),
              int(message.number("width", 16, LiveFlame::most_thumbnail_width, 96)),
              message.client);
  server_.send_text(message.client, JsonObject()
                                        .add("type", "pictures")
                                        .add("set", set)
                                        .add("count", count)
                                        .add("number", wish)
                                        .text());
}

/// The palettes of a file that a page sends; of a picture that has no flame, of its colors.
void LiveProtocol::on_palettes(const Message& message) {
  const std::optional<std::string> bytes = uploaded(message, most_opened_bytes);
  if (!bytes) return;
  const std::string name = message.text("name");
  std::optional<Image> picture;
  if (message.has("pixels"))
    picture = picture_of(int(message.number("width", 1, most_palette_side)),
                         from_base64(message.text("pixels")));
  const auto warn = [&](const std::string& text) { tell(message.client, "warning", text); };
  const auto of_flames = [&] {
    std::vector<std::pair<std::string, Palette>> named;
    for (const Flame& flame : flames_in(*bytes, name, reader_, warn))
      named.emplace_back(flame.name, flame.palette);
    return palettes_json_of(named);
  };
  const auto of_picture = [&] {
    return palettes_json_of(
        {{"from dark to light", palette_of_picture(*picture, ColorOrder::light)},
         {"like beside like", palette_of_picture(*picture, ColorOrder::way)}});
  };
  const auto found = [&] {
    if (!has_flames(*bytes))
      return picture ? of_picture() : PaletteLibrary::read(*bytes, name).json();
    if (!picture) return of_flames();
    try {
      return of_flames();
    } catch (const Error&) {
      return of_picture();
    }
  };
  server_.send_text(
      message.client,
      JsonObject().add("type", "palettes").add("name", name).add_json("palettes", found()).text());
}

}  // namespace kiln::cli
