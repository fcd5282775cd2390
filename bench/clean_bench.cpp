// SPDX-License-Identifier: MIT
// What cleaning (docs/inside/algorithm.md, "Cleaning") saves: how many samples a picture without it needs
// for the error of the cleaned one, beside density estimation of radius 9, and whether what is left
// has a pattern of its own. Errors are root mean squares of the tone-mapped picture, 0..255, against
// a reference of quality 2000, whose own noise, told by its halves, is taken out.
//
// Usage: clean_bench FOLDER [held|tuned|film|motion|lines] [WIDTH, default 480] [FOLDER of the flames]
//
// FOLDER keeps the references as state files: the first run takes some minutes of two cores, a
// second one a tenth. `held`, the usual set: 20 flames that nothing was fitted to; `tuned`: the
// others. It fails where a median, the worst or the number of flames better than by the estimator
// misses what is asked.
//
// `film`: what is left between neighboring frames of flames that turn, at two speeds: the root mean
// square of e(t) - e(t + 1), where e(t) is how far frame t is from its reference, without cleaning,
// each cleaned alone and with those around it; and that of e(t). References are two pictures of half
// the quality: the products of the distances from one and from the other have nothing of their noise.
//
// `motion`: what cleaning a frame alone is worth, (error raw / error cleaned)^2, whose shutter shows 1, 2, 8,
// 64 and 1000 moments of a turning flame, at sizes and qualities of its own. It fails where that is less
// than 0.9 of what it is of one moment.
//
// `lines`: the light of faint lines, over that of the reference, without cleaning and cleaned: of pixels that
// have a level of 3 to 30 there, 1.5 times the mean of the 7x7 around them, by the samples that fall on them.
// It fails where the cleaned median of one sample and more is below 0.85.
//
// The pattern: error in bands of 1, 2, 4 ... 32 pixels (means of squares of one size less those of
// twice the size), cleaned over raw: above 1 cleaning put in more of that size than it took away.
// Dark: the most light that it put where the reference has none within reach.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/error.h"
#include "engine/flock/flock.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/measure/distance.h"
#include "engine/model/flame_attributes.h"
#include "engine/pipeline/film_window.h"
#include "engine/render/plan/prepared_frame.h"
#include "engine/render/still.h"

namespace {

using namespace kiln;

/// Gallery flames by name, those of `kiln random` by seed.
const char* const held_flames[] = {"whirligig", "pearls", "halo", "amoeba", "coral", "bracken"};
const char* const lined_flames[] = {"conch",  "coral",  "gauze",     "bracken", "wildfire",
                                    "squall", "meadow", "vertebrae", "seahorse"};
const char* const tuned_flames[] = {"conch", "gauze", "nautilus", "squall"};
struct Seeds {
  std::uint64_t first, last;
};
constexpr Seeds held_seeds{101, 114}, tuned_seeds{1, 6};

constexpr double reference_quality = 2000;
constexpr std::array<double, 3> qualities = {10, 30, 100};
constexpr std::array<double, 3> asked_medians = {7, 4.5, 3};
constexpr std::array<double, 6> ladder = {5, 10, 30, 100, 300, reference_quality};
constexpr int bands = 6;  // 1 .. 32 pixels
constexpr int reach = 9;  // pixels that a window, its patch and the filter look at

struct Settings {
  std::string folder, flames = "flames";
  bool held = true, film = false, motion = false, lines = false;
  int width = 480;
};

RenderOptions options_of(std::uint64_t seed) {
  RenderOptions options;
  options.bits = 16;
  options.seed = seed;
  return options;
}

/// One bucket a pixel, without what spreads light.
Flame shaped(Flame flame, int width) {
  const double factor = double(width) / flame.width;
  flame.width = width;
  flame.height = int(std::lround(flame.height * factor));
  flame.scale *= factor;
  flame.supersample = flame.passes = 1;
  flame.estimator_radius = 0;
  flame.effects = {};
  return flame;
}

std::vector<Flame> flames_of(const Settings& settings) {
  std::vector<Flame> flames;
  const auto read = [&](const char* name) {
    Flame flame = read_flames(settings.flames + "/" + name + ".flam3", {}).flames.at(0);
    flame.name = name;
    flames.push_back(shaped(std::move(flame), settings.width));
  };
  if (settings.lines)
    for (const char* name : lined_flames) read(name);
  else if (settings.held)
    for (const char* name : held_flames) read(name);
  else
    for (const char* name : tuned_flames) read(name);
  RenderOptions options;
  PreviewRenderer previews(options);
  Flame like = usual_flame();
  like.width = 1920;
  like.height = 1080;
  const Seeds seeds = settings.held ? held_seeds : tuned_seeds;
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    Flame flame = random_flame(like, seed, previews);
    flame.name = fmt::format("random{}", seed);
    flames.push_back(shaped(std::move(flame), settings.width));
  }
  return flames;
}

/// Red, green and blue, 0..255.
struct Picture {
  int width = 0, height = 0;
  std::vector<float> rgb;

  Picture(int w, int h) : width(w), height(h), rgb(3 * std::size_t(w) * std::size_t(h)) {}
  explicit Picture(const Image& image) : width(image.width), height(image.height) {
    const Words& pixels = image.pixels16();
    for (std::size_t i = 0; i < pixels.size(); ++i)
      if (i % 4 < 3) rgb.push_back(float(pixels[i]) / 257);
  }
  float at(int x, int y, int c) const {
    return rgb[(std::size_t(y) * std::size_t(width) + std::size_t(x)) * 3 + std::size_t(c)];
  }
};

enum class Way { raw, estimator, cleaned };

Picture render_by(Way way, Flame flame, double quality, std::uint64_t seed) {
  flame.quality = quality;
  if (way == Way::estimator) {
    flame.estimator_radius = 9;
    flame.estimator_minimum = 0;
    flame.estimator_curve = 0.4;
  }
  if (way == Way::cleaned)
    flame.*std::get<double Flame::*>(find_flame_attribute("clean")->member) = 1;
  return Picture(render(flame, options_of(seed)));
}

struct Reference {
  Picture picture;
  double noise = 0;  // its own, 0..255

  double error_of(const Picture& other) const {
    double sum = 0;
    for (std::size_t i = 0; i < other.rgb.size(); ++i)
      sum += std::pow(double(other.rgb[i]) - picture.rgb[i], 2);
    return std::sqrt(std::max(1e-6, sum / double(other.rgb.size()) - noise * noise));
  }
};

/// Goes on with the sums of its file, if there are some.
Reference reference_of(const Flame& flame, const Settings& settings) {
  RenderOptions options = options_of(1000);
  options.halves = true;
  Still still{flame};
  still.flame.quality = reference_quality;
  still.state = fmt::format("{}/{}-{}.kiln", settings.folder, flame.name, settings.width);
  if (std::filesystem::exists(still.state)) still.begin = {still.state};
  Renderer renderer(options);
  RenderStatistics statistics;
  Picture picture(*render_still(renderer, options, still, &statistics));
  return {std::move(picture), 255 * statistics.noise};
}

/// The quality at which a picture without cleaning has this error, by lines between those of the
/// ladder in logarithms.
double quality_for(double error, const std::array<double, ladder.size()>& errors) {
  std::size_t i = 0;
  while (i + 2 < ladder.size() && error < errors[i + 1]) ++i;
  const double slope = std::log(errors[i] / errors[i + 1]) / std::log(ladder[i + 1] / ladder[i]);
  return ladder[i] * std::exp(std::log(errors[i] / error) / slope);
}

/// Mean square of what is left in each band.
std::array<double, bands> bands_of(const Picture& picture, const Picture& reference) {
  int width = picture.width, height = picture.height;
  std::vector<double> left(std::size_t(width) * std::size_t(height));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 3; ++c)
        left[std::size_t(y) * std::size_t(width) + std::size_t(x)] +=
            (double(picture.at(x, y, c)) - reference.at(x, y, c)) / 3;
  std::array<double, bands> power{};
  for (double& band : power) {
    const int columns = width / 2, rows = height / 2;
    std::vector<double> means(std::size_t(columns) * std::size_t(rows));
    for (int y = 0; y < rows; ++y) {
      for (int x = 0; x < columns; ++x) {
        double sum = 0, squares = 0;
        for (int k = 0; k < 4; ++k) {
          const double value =
              left[std::size_t(2 * y + k / 2) * std::size_t(width) + std::size_t(2 * x + k % 2)];
          sum += value;
          squares += value * value;
        }
        means[std::size_t(y) * std::size_t(columns) + std::size_t(x)] = sum / 4;
        band += (squares - sum * sum / 4) / (4.0 * columns * rows);
      }
    }
    left = std::move(means);
    width = columns;
    height = rows;
  }
  return power;
}

/// The most light beyond that of the raw picture where neither the reference nor its neighbors within
/// reach have any.
double light_in_the_dark(const Picture& cleaned, const Picture& raw, const Picture& reference) {
  double most = 0;
  const auto has_light = [&](int x, int y) {
    return reference.at(x, y, 0) + reference.at(x, y, 1) + reference.at(x, y, 2) > 0;
  };
  for (int y = reach; y < cleaned.height - reach; ++y) {
    for (int x = reach; x < cleaned.width - reach; ++x) {
      double light = 0;
      for (int c = 0; c < 3; ++c)
        light = std::max(light, double(cleaned.at(x, y, c)) - double(raw.at(x, y, c)));
      if (light <= most) continue;
      bool dark = true;
      for (int j = -reach; j <= reach && dark; ++j)
        for (int i = -reach; i <= reach && dark; ++i) dark = !has_light(x + i, y + j);
      if (dark) most = light;
    }
  }
  return most;
}

struct OfQuality {
  std::vector<double> estimator, cleaned;  // multipliers, a flame each
  std::array<std::vector<double>, bands> band;
  double dark = 0;
};

/// Prints a row.
void measure(const Flame& flame, const Settings& settings, std::array<OfQuality, 3>& all) {
  const Reference reference = reference_of(flame, settings);
  std::array<double, ladder.size()> errors{};
  errors.back() = reference.noise;
  std::vector<Picture> raw;
  for (std::size_t i = 0; i + 1 < ladder.size(); ++i) {
    raw.push_back(render_by(Way::raw, flame, ladder[i], i + 1));
    errors[i] = reference.error_of(raw.back());
  }
  fmt::print("| {} ", flame.name);
  for (std::size_t k = 0; k < qualities.size(); ++k) {
    const double quality = qualities[k];
    const Picture blurred = render_by(Way::estimator, flame, quality, k + 2);
    const Picture cleaned = render_by(Way::cleaned, flame, quality, k + 2);
    const double by_estimator = reference.error_of(blurred),
                 by_cleaning = reference.error_of(cleaned);
    OfQuality& here = all[k];
    here.estimator.push_back(quality_for(by_estimator, errors) / quality);
    here.cleaned.push_back(quality_for(by_cleaning, errors) / quality);
    const auto before = bands_of(raw[k + 1], reference.picture);
    const auto after = bands_of(cleaned, reference.picture);
    for (std::size_t b = 0; b < bands; ++b)
      if (before[b] > 0) here.band[b].push_back(after[b] / before[b]);
    here.dark = std::max(here.dark, light_in_the_dark(cleaned, raw[k + 1], reference.picture));
    fmt::print("| {:.2f} / {:.2f} / {:.2f} | {:.2f}, **{:.2f}** ", errors[k + 1], by_estimator,
               by_cleaning, here.estimator.back(), here.cleaned.back());
  }
  fmt::print("|\n");
  std::fflush(stdout);
}

constexpr const char* film_flames[] = {"conch", "gauze", "squall", "pearls", "halo"};
constexpr double degrees_a_frame[] = {0.3, 2};
constexpr int first_of_film = 30, frames_of_film = 8;

using Pictures = std::vector<Picture>;

enum class Together { alone, window };

/// Frames of a film whose middle they are.
Pictures frames_by(Way way, Together together, KeyFrames film, double quality, std::uint64_t seed) {
  film.keys.change([=](Flame& key) {
    key.quality = quality;
    key.clean = way == Way::cleaned;
  });
  const RenderOptions options = options_of(seed);
  Renderer renderer(options);
  FilmWindows windows(film, [&](const Frame& frame) { return prepare(frame, options); });
  Pictures pictures;
  for (int i = 0; i < frames_of_film; ++i) {
    FilmWindow window = windows.of(film.frames[std::size_t(first_of_film + i)]);
    if (together == Together::alone) window = {{window.frames[window.own]}, 0};
    pictures.emplace_back(renderer.render(window));
  }
  return pictures;
}

/// Kept in a file.
Pictures reference_frames(const KeyFrames& film, std::uint64_t seed, const std::string& path) {
  if (std::FILE* file = std::fopen(path.c_str(), "rb")) {
    Pictures pictures(frames_of_film, Picture(film.keys.front().width, film.keys.front().height));
    std::size_t read = 0;
    for (Picture& one : pictures)
      read += std::fread(one.rgb.data(), one.rgb.size() * sizeof(float), 1, file);
    std::fclose(file);
    if (read == pictures.size()) return pictures;
  }
  Pictures pictures = frames_by(Way::raw, Together::alone, film, reference_quality / 2, seed);
  if (std::FILE* file = std::fopen(path.c_str(), "wb")) {
    for (const Picture& one : pictures)
      std::fwrite(one.rgb.data(), one.rgb.size() * sizeof(float), 1, file);
    std::fclose(file);
  }
  return pictures;
}

/// Root mean squares of the errors, 0..255: of frames, and of their changes.
struct FilmError {
  double still = 0, change = 0, dark = 0;
};

FilmError error_of(const Pictures& frames, const Pictures& raw, const Pictures& one,
                   const Pictures& other) {
  double still = 0, change = 0;
  FilmError error;
  const std::size_t values = frames[0].rgb.size();
  for (std::size_t t = 0; t < frames.size(); ++t) {
    for (std::size_t i = 0; i < values; ++i) {
      const double e = double(frames[t].rgb[i]) - one[t].rgb[i],
                   f = double(frames[t].rgb[i]) - other[t].rgb[i];
      still += e * f / double(values * frames.size());
      if (t + 1 == frames.size()) continue;
      const double later = frames[t + 1].rgb[i];
      change += (later - one[t + 1].rgb[i] - e) * (later - other[t + 1].rgb[i] - f) /
                double(values * (frames.size() - 1));
    }
    error.dark = std::max(error.dark, light_in_the_dark(frames[t], raw[t], one[t]));
  }
  error.still = std::sqrt(std::max(still, 0.0));
  error.change = std::sqrt(std::max(change, 0.0));
  return error;
}

/// A turning flame: of the gallery, or one of `kiln random` by its seed.
struct Scene {
  const char* name;
  std::uint64_t seed;
  int width;
  double quality, degrees;  // a frame
};
constexpr Scene scenes[] = {{"sheet", 7778, 160, 520, 15}, {"sheet", 7778, 160, 60, 15},
                            {"sheet", 7778, 320, 100, 15}, {"arch", 7775, 320, 100, 15},
                            {"neb", 7772, 320, 100, 15},   {"whirligig", 0, 320, 100, 6},
                            {"conch", 0, 320, 100, 6},     {"squall", 0, 320, 100, 6}};
constexpr int moments[] = {1, 2, 8, 64, 1000};

/// The same frame of a film with so many moments a frame.
Picture frame_of(Way way, Flame flame, const Scene& scene, int moments_a_frame, double quality,
                 std::uint64_t seed) {
  flame.temporal_samples = moments_a_frame;
  flame.quality = quality;
  flame.clean = way == Way::cleaned;
  SequenceOptions turn;
  turn.nframes = int(360 / scene.degrees);
  const KeyFrames film = in_sequence({flame}, turn, true, {});
  const RenderOptions options = options_of(seed);
  Renderer renderer(options);
  return Picture(renderer.render(frame_at(film.keys, film.frames[10])));
}

/// Root of the mean of the products of what a picture differs by from two references: their noise is not in it.
double distance_of(const Picture& picture, const Picture& one, const Picture& other) {
  double sum = 0;
  for (std::size_t i = 0; i < picture.rgb.size(); ++i)
    sum += (double(picture.rgb[i]) - one.rgb[i]) * (double(picture.rgb[i]) - other.rgb[i]);
  return std::sqrt(std::max(1e-6, sum / double(picture.rgb.size())));
}

int measure_motion(const Settings& settings) {
  constexpr double more = 10;  // samples of a reference
  bool good = true;
  fmt::print("| flame, width, quality, degrees | moments: raw / cleaned, worth |\n|---|---|\n");
  PreviewRenderer previews{RenderOptions{}};
  Flame like = usual_flame();
  like.width = like.height = 800;
  for (const Scene& scene : scenes) {
    const Flame flame = shaped(
        scene.seed ? random_flame(like, scene.seed, previews)
                   : read_flames(settings.flames + "/" + scene.name + ".flam3", {}).flames.at(0),
        scene.width);
    fmt::print("| {}, {}, {}, {} ", scene.name, scene.width, scene.quality, scene.degrees);
    double still = 0;
    for (const int count : moments) {
      const auto made = [&](Way way, double quality, std::uint64_t seed) {
        return frame_of(way, flame, scene, count, quality, seed);
      };
      const Picture one = made(Way::raw, more * scene.quality, 1000),
                    other = made(Way::raw, more * scene.quality, 1001);
      const double raw = distance_of(made(Way::raw, scene.quality, 1), one, other),
                   cleaned = distance_of(made(Way::cleaned, scene.quality, 1), one, other);
      const double worth = raw * raw / (cleaned * cleaned);
      if (count == 1) still = worth;
      good = good && worth >= 0.9 * still;
      fmt::print("| {}: {:.2f} / {:.2f}, **{:.2f}** ", count, raw, cleaned, worth);
      std::fflush(stdout);
    }
    fmt::print("|\n");
  }
  return !good;
}

int measure_films(const Settings& settings) {
  bool good = true;
  fmt::print(
      "| flame, degrees a frame, quality | changes: raw | alone | window | raw over window | "
      "errors: raw | alone | window | dark: alone | window "
      "|\n|---|---|---|---|---|---|---|---|---|---|\n");
  for (const char* name : film_flames) {
    const Flame flame = shaped(
        read_flames(settings.flames + "/" + name + ".flam3", {}).flames.at(0), settings.width);
    for (const double degrees : degrees_a_frame) {
      SequenceOptions turn;
      turn.nframes = int(360 / degrees);
      const KeyFrames film = in_sequence({flame}, turn, true, {});
      const std::string path =
          fmt::format("{}/{}-{}-{}", settings.folder, name, settings.width, degrees);
      const Pictures one = reference_frames(film, 1000, path + "-1"),
                     other = reference_frames(film, 1001, path + "-2");
      for (const double quality : {10.0, 100.0}) {
        const Pictures frames = frames_by(Way::raw, Together::alone, film, quality, 1);
        const auto cleaned = [&](Together together) {
          return error_of(frames_by(Way::cleaned, together, film, quality, 1), frames, one, other);
        };
        const FilmError raw = error_of(frames, frames, one, other),
                        alone = cleaned(Together::alone), window = cleaned(Together::window);
        const double times = raw.change / window.change;
        fmt::print(
            "| {}, {}, {} | {:.2f} | {:.2f} | {:.2f} | **{:.2f}** | {:.2f} | {:.2f} | {:.2f} | "
            "{:.2f} | {:.2f} |\n",
            name, degrees, quality, raw.change, alone.change, window.change, times, raw.still,
            alone.still, window.still, alone.dark, window.dark);
        std::fflush(stdout);
        good = good && (quality < 100 || times >= 3) && window.still <= alone.still &&
               window.dark <= alone.dark;
      }
    }
  }
  return !good;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n ? (values[(n - 1) / 2] + values[n / 2]) / 2 : 0;
}

/// Sums by samples a pixel, 0.5 to 1, to 2, to 4 and more.
struct LightOfLines {
  static constexpr std::size_t classes = 4;
  std::array<double, classes> light{}, wanted{};
  std::array<int, classes> pixels{};

  double share(std::size_t first, std::size_t end) const {
    const auto sum = [=](const auto& of) {
      return std::accumulate(of.begin() + int(first), of.begin() + int(end), 0.0);
    };
    return sum(light) / sum(wanted);
  }
};

/// `hits`: of a picture with a sample where this one has `part`.
LightOfLines light_of_lines(const Picture& picture, const Picture& reference,
                            const std::vector<float>& hits, double part) {
  const auto gray = [](const Picture& of, int x, int y) {
    return (of.at(x, y, 0) + of.at(x, y, 1) + of.at(x, y, 2)) / 3;
  };
  LightOfLines lines;
  for (int y = 3; y < reference.height - 3; ++y) {
    for (int x = 3; x < reference.width - 3; ++x) {
      const float level = gray(reference, x, y);
      const double samples = part * hits[std::size_t(y * reference.width + x)];
      if (level < 3 || level > 30 || samples < 0.5) continue;
      float around = 0;
      for (int j = -3; j <= 3; ++j)
        for (int i = -3; i <= 3; ++i) around += gray(reference, x + i, y + j) / 49;
      if (level < 1.5f * around) continue;
      const std::size_t k = samples < 1 ? 0 : samples < 2 ? 1 : samples < 4 ? 2 : 3;
      lines.light[k] += gray(picture, x, y);
      lines.wanted[k] += level;
      ++lines.pixels[k];
    }
  }
  return lines;
}

int measure_lines(const Settings& settings) {
  constexpr double asked = 0.85, quality_of_hits = 300, fewest = 100;
  std::array<std::array<std::vector<double>, 2>, 2> kept;  // [quality][raw, cleaned], a flame each
  fmt::print(
      "| flame, quality | 0.5 to 1: pixels, raw, cleaned | to 2 | to 4 | more |\n"
      "|---|---|---|---|---|\n");
  RenderOptions linear = options_of(77);
  linear.linear = true;
  for (Flame& flame : flames_of(settings)) {
    const Picture reference = reference_of(flame, settings).picture;
    flame.quality = quality_of_hits;
    const std::vector<float> hits = render(flame, linear).linear().hits;
    for (std::size_t q = 0; q < 2; ++q) {
      const double quality = qualities[q], part = quality / quality_of_hits;
      const auto lines = [&](Way way) {
        return light_of_lines(render_by(way, flame, quality, q + 2), reference, hits, part);
      };
      const LightOfLines raw = lines(Way::raw), cleaned = lines(Way::cleaned);
      fmt::print("| {}, {} ", flame.name, quality);
      for (std::size_t k = 0; k < LightOfLines::classes; ++k)
        fmt::print("| {}: {:.2f}, **{:.2f}** ", raw.pixels[k], raw.share(k, k + 1),
                   cleaned.share(k, k + 1));
      fmt::print("|\n");
      if (raw.pixels[1] + raw.pixels[2] + raw.pixels[3] < fewest) continue;
      kept[q][0].push_back(raw.share(1, LightOfLines::classes));
      kept[q][1].push_back(cleaned.share(1, LightOfLines::classes));
    }
  }
  bool good = true;
  for (std::size_t q = 0; q < 2; ++q) {
    fmt::print("quality {}, one sample and more, {} flames: raw {:.3f}, cleaned {:.3f}\n",
               qualities[q], kept[q][0].size(), median(kept[q][0]), median(kept[q][1]));
    good = good && median(kept[q][1]) >= asked;
  }
  return !good;
}

int measure_all(const Settings& settings) {
  std::array<OfQuality, 3> all;
  fmt::print(
      "| flame | q 10: raw / estimator / cleaned | times | q 30 | times | q 100 | times |\n"
      "|---|---|---|---|---|---|---|\n");
  for (const Flame& flame : flames_of(settings)) measure(flame, settings, all);
  bool good = true;
  fmt::print(
      "\n| | estimator, median / worst | cleaned | better than it | 1 px | 2 | 4 | 8 | 16 | 32 "
      "| dark |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (std::size_t k = 0; k < qualities.size(); ++k) {
    const OfQuality& one = all[k];
    std::size_t better = 0;
    for (std::size_t i = 0; i < one.cleaned.size(); ++i)
      better += one.cleaned[i] > one.estimator[i];
    const double worst = *std::min_element(one.cleaned.begin(), one.cleaned.end());
    fmt::print("| q {} | {:.2f} / {:.2f} | {:.2f} / {:.2f} | {} of {} ", qualities[k],
               median(one.estimator), *std::min_element(one.estimator.begin(), one.estimator.end()),
               median(one.cleaned), worst, better, one.cleaned.size());
    for (const auto& band : one.band)
      fmt::print("| {:.2f} / {:.2f} ", median(band), *std::max_element(band.begin(), band.end()));
    fmt::print("| {:.2f} |\n", one.dark);
    good = good && median(one.cleaned) >= asked_medians[k] && worst >= 1 &&
           better == one.cleaned.size() && one.dark == 0;
  }
  fmt::print("(of the bands: error cleaned over raw, median / worst)\n");
  return !good;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  words.resize(4);
  Settings settings;
  settings.folder = words[0];
  settings.held = words[1] != "tuned";
  settings.film = words[1] == "film";
  settings.motion = words[1] == "motion";
  settings.lines = words[1] == "lines";
  if (!words[2].empty()) settings.width = std::atoi(words[2].c_str());
  if (!words[3].empty()) settings.flames = words[3];
  if (words[0].empty() || !find_flame_attribute("clean")) {
    fmt::print(stderr,
               "usage: clean_bench FOLDER [held|tuned|film|motion|lines] [WIDTH] [FLAMES]\n");
    return 2;
  }
  try {
    std::filesystem::create_directories(settings.folder);
    if (settings.motion) return measure_motion(settings);
    if (settings.lines) return measure_lines(settings);
    return settings.film ? measure_films(settings) : measure_all(settings);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return static_cast<int>(error.kind);
  }
}
