// Camera, colours and light from the command line: what people reach for, by names of its own.
// Everything else of a flame is reached by --set (settings.h).
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "cli/options/command.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/model/flame.h"

namespace kiln::cli {

struct CameraSettings {
  std::optional<std::array<double, 2>> center;
  std::optional<double> zoom, rotate_deg;

  void add_to(Command& command);
  void apply(Flame& flame) const;
};

struct ColorSettings {
  std::optional<double> brightness, gamma, vibrancy, hue_turns;
  std::optional<std::array<double, 3>> background;
  std::optional<std::string> palette;

  void add_to(Command& command);
  /// The palette goes to the reader: a flame need not have one of its own then. Throws Error.
  void complete(ReaderOptions& options) const;
  /// The file that it reads, or nothing.
  std::string palette_file() const;
  void apply(Flame& flame) const;
};

/// Bloom and glare; the rest of the file's effects stays.
struct LightSettings {
  std::optional<std::string> bloom, glare;  // as on the command line: "0.2,3%"

  void add_to(Command& command);
  void apply(Flame& flame) const;
};

}  // namespace kiln::cli
