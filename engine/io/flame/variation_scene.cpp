// SPDX-License-Identifier: MIT
// Scenes of the pictures that pages of variations have (variations.h), as flames.
#include <algorithm>
#include <locale>
#include <sstream>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

constexpr int side_px = 256;
constexpr double grid_scale = 64, copies_scale = 52;  // pixels to a unit: the whole picture

struct SceneWord {
  std::string name, value;
};

/// The words of a scene's line.
struct SceneLine {
  bool copies = false, tilted = false;
  double zoom = 1, size = 1;
  std::string at = "0 0";             // where the grid's middle is
  std::vector<SceneWord> attributes;  // of the variation's xform
};

[[noreturn]] void refuse(const VariationNote& note, const std::string& word) {
  fail(ErrorKind::input,
       "{}: {}: \"{}\" says nothing of a scene; engine/model/variations.h lists "
       "the words",
       note.place, note.name, word);
}

double number_of(const VariationNote& note, const SceneWord& word) {
  std::istringstream in(word.value);
  in.imbue(std::locale::classic());
  double value = 0;
  if (!(in >> value) || !in.eof() || value <= 0) refuse(note, word.name + "=" + word.value);
  return value;
}

SceneWord split_word(const std::string& word) {
  const std::size_t equals = word.find('=');
  SceneWord split{word.substr(0, equals),
                  equals == std::string::npos ? "" : word.substr(equals + 1)};
  std::replace(split.value.begin(), split.value.end(), ',', ' ');
  return split;
}

void read_word(const VariationNote& note, const SceneWord& word, SceneLine& scene) {
  if (word.name == "copies") {
    scene.copies = true;
  } else if (word.name == "tilted") {
    scene.tilted = true;
  } else if (word.name == "zoom") {
    scene.zoom = number_of(note, word);
  } else if (word.name == "size") {
    scene.size = number_of(note, word);
  } else if (word.name == "at") {
    scene.at = word.value;
  } else if (word.name != "grid") {
    refuse(note, word.name);
  }
}

SceneLine read_scene(const VariationNote& note) {
  SceneLine scene;
  std::istringstream words(note.scene);
  bool of_the_xform = false, has_the_variation = false;
  for (std::string text; words >> text;) {
    const SceneWord word = split_word(text);
    if (text == "|") {
      of_the_xform = true;
    } else if (of_the_xform) {
      if (word.value.empty()) refuse(note, text);
      has_the_variation |= word.name == note.name || word.name == "post_" + note.name;
      scene.attributes.push_back(word);
    } else {
      read_word(note, word, scene);
    }
  }
  if (!has_the_variation) scene.attributes.push_back({note.name, "1"});
  return scene;
}

std::string attributes_text(const SceneLine& scene, const std::string& coefs) {
  std::string text;
  bool has_coefs = false;
  for (const SceneWord& attribute : scene.attributes) {
    has_coefs |= attribute.name == "coefs";
    text += fmt::format(" {}=\"{}\"", attribute.name, attribute.value);
  }
  return has_coefs ? text : fmt::format(" coefs=\"{}\"{}", coefs, text);
}

/// Red over gold to white in the middle, and on to violet.
std::string palette() {
  struct Stop {
    int index, red, green, blue;
  };
  constexpr Stop stops[] = {{0, 205, 32, 62},     {50, 255, 120, 40},  {107, 255, 208, 90},
                            {128, 240, 238, 230}, {148, 84, 226, 190}, {205, 48, 150, 255},
                            {255, 134, 96, 255}};
  std::string hex;
  const Stop* from = stops;
  for (int i = 0; i < 256; ++i) {
    if (i > from[1].index) ++from;
    const Stop &a = from[0], &b = from[1];
    const auto mixed = [&](int low, int high) {
      return low + (high - low) * (i - a.index) / (b.index - a.index);
    };
    hex += fmt::format("{:02X}{:02X}{:02X}", mixed(a.red, b.red), mixed(a.green, b.green),
                       mixed(a.blue, b.blue));
  }
  return "<palette count=\"256\" format=\"RGB\">" + hex + "</palette>";
}

/// Nine lines of each direction and a faint filling, all drawn at random from squares of side 2.
std::string grid_xforms(const SceneLine& scene) {
  constexpr int half = 4, lines = 2 * half + 1;  // from -1 to 1
  constexpr double thickness = 0.008;
  std::string xforms;
  const auto add = [&](double weight, double color, const std::string& post) {
    xforms += fmt::format(
        "<xform weight=\"{}\" color=\"{:.3f}\" color_speed=\"1\" coefs=\"1 0 0 1 0 0\" "
        "square=\"2\" post=\"{}\"/>",
        weight, color, post);
  };
  for (int i = 0; i < lines; ++i) {
    const double place = double(i - half) / half, color = 0.42 * i / (lines - 1);
    const double weight = place == 0 ? 2 : 1;
    add(weight, color, fmt::format("{} 0 0 1 {} 0", thickness, place));
    add(weight, 1 - color, fmt::format("1 0 0 {} 0 {}", thickness, place));
  }
  add(3, 0.5, "1 0 0 1 0 0");
  const std::string size = shortest(scene.size);
  return xforms + "<finalxform color=\"0\" color_speed=\"0\"" +
         attributes_text(scene, size + " 0 0 " + size + " " + scene.at) + "/>";
}

/// The shape, and maps to the corners of a hexagon that turn as they go.
std::string copies_xforms(const SceneLine& scene) {
  constexpr double scale = 0.34, distance = 1.55;
  constexpr double corners[][2] = {{1, 0},  {0.5, 0.8660254},   {-0.5, 0.8660254},
                                   {-1, 0}, {-0.5, -0.8660254}, {0.5, -0.8660254}};
  std::string xforms = "<xform weight=\"1.6\" color=\"0.3\" color_speed=\"0.7\"" +
                       attributes_text(scene, "1 0 0 1 0 0") + "/>";
  for (int i = 0; i < 6; ++i) {
    const auto [x, y] = corners[i];
    xforms += fmt::format(
        "<xform weight=\"0.3\" color=\"{:.2f}\" color_speed=\"0.6\" linear=\"1\" "
        "coefs=\"{} {} {} {} {} {}\"/>",
        i % 2 ? 0.95 : 0.62, scale * x, scale * y, -scale * y, scale * x, distance * x,
        distance * y);
  }
  return xforms;
}

}  // namespace

std::string variation_scene(const VariationNote& note) {
  const SceneLine scene = read_scene(note);
  const double scale = scene.zoom * (scene.copies ? copies_scale : grid_scale);
  const char* camera = scene.tilted ? " cam_pitch=\"1.05\" cam_yaw=\"0.5\" cam_persp=\"0.25\"" : "";
  return fmt::format(
      "<flame name=\"{}\" size=\"{} {}\" center=\"0 0\" scale=\"{}\" quality=\"400\" "
      "supersample=\"1\" filter=\"0.8\" brightness=\"6\" gamma=\"3\" vibrancy=\"1\" "
      "background=\"0.02 0.02 0.04\" estimator_radius=\"5\" estimator_minimum=\"0\" "
      "estimator_curve=\"0.6\"{}>\n{}\n{}\n</flame>\n",
      note.name, side_px, side_px, scale, camera,
      scene.copies ? copies_xforms(scene) : grid_xforms(scene), palette());
}

}  // namespace kiln
