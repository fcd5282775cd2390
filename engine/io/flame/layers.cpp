// SPDX-License-Identifier: MIT
#include "engine/io/flame/layers.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/io/flame/palette_library.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

constexpr double entries = 256;  // of a layer's palette
constexpr double steps = 254;    // JWildfire's from color 0 to color 1

double weight_of(const Flame& part) {
  double sum = 0;
  for (const Xform& xform : part.xforms) sum += xform.weight;
  return sum;
}

/// The color whose entry among all palettes is that of `color` in its own.
double color_among(double color, std::size_t layer, std::size_t count) {
  return (steps * color + entries * double(layer)) / (entries * double(count) - 2);
}

bool sets_color(const XformValues& xform) {
  const auto sets = [](int variation) { return info_of(variation).traits.changes_color; };
  for (std::size_t v = 0; v < xform.variations.size(); ++v)
    if (xform.variations[v] != 0 && sets(int(v))) return true;
  return std::any_of(xform.staged.begin(), xform.staged.end(),
                     [&](const StagedVariation& form) { return sets(form.variation); });
}

/// Names what a layer among others has and the flame that they become cannot say.
void name_missing(const Layer& layer, Flame& flame) {
  const auto lacks = [&](const char* what) {
    flame.missing.push_back(
        {fmt::format("{} of layer {} of several", what, layer.number), "flame", layer.part.line});
  };
  if (layer.part.final_xform) lacks("finalxform");
  if (std::any_of(layer.part.xforms.begin(), layer.part.xforms.end(), sets_color))
    lacks("variation that colors");
}

void take_palette(const Layer& layer, Flame& flame) {
  for (Rgba color : resampled(layer.part.palette)) {
    color.r *= layer.weight;
    color.g *= layer.weight;
    color.b *= layer.weight;
    flame.palette.push_back(color);
  }
}

}  // namespace

void join_layers(std::vector<Layer> layers, Flame& flame) {
  if (!flame.xforms.empty() || flame.final_xform) {  // whose chaos would be of other xforms
    flame.missing.push_back({"xforms beside layers", "flame", flame.line});
    flame.xforms.clear();
    flame.final_xform.reset();
    flame.more_finals.clear();
  }
  for (Layer& layer : layers)
    for (Xform& xform : layer.part.xforms) xform.opacity *= layer.density * layer.density;
  flame.palette.clear();
  if (layers.size() == 1) {
    flame.xforms = std::move(layers[0].part.xforms);
    flame.final_xform = std::move(layers[0].part.final_xform);
    flame.more_finals = std::move(layers[0].part.more_finals);
    for (const Rgba& c : layers[0].part.palette)
      flame.palette.push_back(
          {c.r * layers[0].weight, c.g * layers[0].weight, c.b * layers[0].weight, c.a});
    return;
  }
  std::size_t count = 0;
  for (const Layer& layer : layers) count += layer.part.xforms.size();
  for (std::size_t k = 0; k < layers.size(); ++k) {
    Flame& part = layers[k].part;
    name_missing(layers[k], flame);
    const double weight = weight_of(part);
    const std::size_t first = flame.xforms.size(), own = part.xforms.size();
    for (Xform& xform : part.xforms) {
      std::vector<double> chaos(count, 0.0);
      for (std::size_t to = 0; to < own; ++to)
        chaos[first + to] = to < xform.chaos.size() ? xform.chaos[to] : 1;
      xform.chaos = std::move(chaos);
      if (weight > 0) xform.weight /= weight;  // each layer has as many samples as another
      xform.color = color_among(xform.color, k, layers.size());
      flame.xforms.push_back(std::move(xform));
    }
    take_palette(layers[k], flame);
  }
}

}  // namespace kiln
