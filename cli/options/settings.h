// SPDX-License-Identifier: MIT
// What the command line says about flames in place of their files, the same in every command. Order
// (docs/reference/cli.md, "Settings without editing the file"): the file; --set and --palette, as if the file
// said so; the options with a name, colors, camera, quality, size, light; the window at last.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/command.h"
#include "cli/options/option_value.h"
#include "engine/io/flame/flame_options.h"
#include "engine/model/flame.h"

namespace kiln::cli {

/// What --set and files take for an attribute, for the option that says the same.
Range range_of(const char* attribute);

// Size, framing and quality from the command line. The framing is what of the flame's plane is
// seen: sizes keep it, and the pixels per unit follow.

struct SizeSettings {
  std::optional<double> quality, quality_scale, scale, pixel_aspect;
  std::optional<int> supersample;
  std::optional<Length> width, height, bleed;
  std::optional<LengthPair> size, fit, fill;
  std::optional<Window> crop;
  double dpi = 0;  // pixels an inch across, of lengths on paper; 0: not said

  /// Pixels across. Throws Error (usage), as for a length on paper without dpi.
  int bleed_px() const;
  /// What is odd about sizes beside --dpi: pixels, of which they are less than an inch. Empty: nothing.
  std::string slip() const;
  /// `of_pictures`: with what no file of flames can hold, the shape of pixels and the window.
  void add_to(Command& command, bool of_pictures);
  /// Applies all but the window, in the order: quality, quality_scale; supersample, pixel_aspect;
  /// one of size, fit, fill, width and height; scale; bleed, which adds to all sides and moves
  /// nothing. Throws Error (usage) when the result leaves the limits or does not have the window,
  /// and for a length on paper without dpi.
  void apply(Flame& flame) const;
};

// Camera, colors and light from the command line: what people reach for, by names of its own.
// Everything else of a flame is reached by --set (below).

struct CameraSettings {
  std::optional<std::array<double, 2>> center;
  std::optional<double> zoom, rotate_deg;
  std::string projection;  // empty: not said
  bool tile = false;

  void add_to(Command& command);
  /// Another projection gives the picture its shape: twice as wide as high, a square, two beside each other.
  void apply(Flame& flame) const;
};

struct ColorSettings {
  std::optional<double> brightness, gamma, vibrancy, hue_turns;
  std::optional<std::array<double, 3>> background;
  std::optional<std::string> palette;  // the last one
  std::vector<std::string> palettes;   // all
  std::uint64_t most_bytes = 0;        // of a picture whose colors are one; 0: the usual limit
  bool takes_several = false;          // of kiln render, which makes a picture with each

  void add_to(Command& command);
  /// The palette goes to the reader: a flame need not have one of its own then. Throws Error.
  void complete(ReaderOptions& options) const;
  /// The one that `wanted` stands for, its hues turned. Throws Error.
  Palette chosen(const std::string& wanted, const std::string& library) const;
  void apply(Flame& flame) const;
};

/// Cleaning, bloom and glare; the rest of the file's effects stays.
struct LightSettings {
  std::optional<std::string> bloom, glare;  // as on the command line: "0.2,3%"
  std::optional<double> clean;

  void add_to(Command& command);
  void apply(Flame& flame) const;
};

struct Settings {
  std::string template_file;
  FlameTemplate pattern;  // of that file
  std::vector<AttributeSetting> set;
  ColorSettings color;
  CameraSettings camera;
  SizeSettings size;
  LightSettings light;

  /// What the result is: pictures, or flames to write, which cannot say all that pictures can.
  enum class Of { pictures, flames };
  void add_to(Command& command, Of of = Of::pictures);

  /// What the reader has to know. Throws Error where a palette cannot be had.
  void complete(ReaderOptions& options) const;
  /// Whether the reader gives other flames than the file's.
  bool are_read() const { return !set.empty() || !template_file.empty() || color.palette; }
  /// Whether the command line says the quality.
  bool asks_quality() const;
  /// Whether a size is said, and not only a multiple of the file's.
  bool asks_size() const;
  /// Whether pictures may get another size than the file's.
  bool resizes() const;
  /// The rest, for a flame that was read so. Throws Error (usage) when the result cannot be
  /// rendered.
  void apply(Flame& flame) const;
};

/// The options that every command has that reads flames.
struct ReadArguments {
  std::string palettes, dialect = "auto", meaning = "auto";
  std::uint64_t max_input_bytes = 0;  // 0: the reader's own limit
  bool strict = false, approximate = false;

  void add_to(Command& command);
  ReaderOptions options() const;
};

}  // namespace kiln::cli
