// What the command line says about flames in place of their files, the same in every command. Order
// (docs/cli.md, "Settings without editing the file"): the file; --set and --palette, as if the file
// said so; the options with a name, colours, camera, quality, size, light; the window at last.
#pragma once

#include <vector>

#include "cli/options/look_settings.h"
#include "cli/options/size_settings.h"

namespace kiln::cli {

struct Settings {
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
  bool are_read() const { return !set.empty() || color.palette; }
  /// Whether the command line says the quality.
  bool asks_quality() const;
  /// Whether pictures may get another size than the file's.
  bool resizes() const;
  /// The rest, for a flame that was read so. Throws Error (usage) when the result cannot be
  /// rendered.
  void apply(Flame& flame) const;
};

}  // namespace kiln::cli
