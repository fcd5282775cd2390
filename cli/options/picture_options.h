// SPDX-License-Identifier: MIT
// The options of every command that renders pictures: settings of the flame, those of the
// renderer, the device, and how much is said.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/options/settings.h"
#include "cli/says/console.h"
#include "engine/api/kiln.h"
#include "engine/io/picture/picture_format.h"
#include "engine/render/renderer.h"

namespace kiln::cli {

/// The options of the table of settings below this heading of the help, or the one of this member.
void add_settings(Command& command, std::string_view which, RenderOptions& options);

struct PictureOptions {
  std::string progress = "auto", psf;
  ExrForm exr;
  Credits credits;
  int jpeg_quality = 92, webp_quality = 0, avif_quality = 85, jxl_quality = 100;
  std::string devices;  // of kiln render and animate
  Settings settings;
  RenderOptions options;
  ReadArguments read;
  bool quiet = false, no_clobber = false, force = false, json = false;
  bool ignore_record = false;  // of kiln render: a picture's flame with the usual settings

  /// The options that change the picture, then those of the machine and of the console: commands put
  /// their own before, between or after them. `shares_pictures`: between devices.
  void add_picture_options(Command& command);
  void add_machine_options(Command& command, bool shares_pictures = false);

  /// Turns the texts among the options into `options`. Throws Error of kind usage.
  void complete();
  ProgressMode progress_mode() const;
  /// Whether the option was on the command line.
  bool given(const char* option) const;
  /// The command line behind the command's name.
  const std::vector<std::string>& words() const { return command_->words(); }

  /// Fails where the picture cannot be had: what its format has no room for, linear light with --earlyclip.
  static void check_format(const std::string& path, const Flame& flame,
                           const RenderOptions& options);
  /// Fails where files of this name cannot have the --primaries.
  void check_colors(const std::string& path) const;
  /// Says so where the flame of the picture at `path`, which is linear, has curves: it is without.
  static void tell_of_curves(const std::string& path, const Flame& flame, Console& console);
  /// How a picture is written that `threads` compress.
  Saving saving(int threads, const ExrForm& form) const {
    return {no_clobber ? AtomicFile::Existing::keep : AtomicFile::Existing::replace,
            threads,
            form,
            jpeg_quality,
            webp_quality,
            avif_quality,
            jxl_quality,
            credits,
            0,
            0};
  }

 private:
  const Command* command_ = nullptr;
};

}  // namespace kiln::cli
