// SPDX-License-Identifier: MIT
#include "engine/render/combinations.h"

#include <algorithm>
#include <initializer_list>
#include <string>

#include "engine/base/error.h"
#include "engine/device/device.h"
#include "engine/io/picture/picture_settings.h"
#include "engine/model/crop_marks.h"
#include "engine/model/image.h"
#include "engine/render/accumulate/checkpoint.h"
#include "engine/render/plan/prepared_frame.h"
#include "engine/render/stages/stages.h"

namespace kiln {
namespace {

struct Exclusion {
  bool applies;
  const char* why;
};

void refuse(std::initializer_list<Exclusion> table, const std::string& place = {}) {
  for (const Exclusion& row : table)
    if (row.applies) fail(ErrorKind::usage, "{}{}{}", place, place.empty() ? "" : ": ", row.why);
}

/// Checks the range of a number that records have: a record with another one is refused.
void check_range(const PictureSetting& setting, const RenderOptions& options) {
  visit_value(setting, options, [&]<class T>(const T& value) {
    if constexpr (std::is_same_v<T, double>)
      if (setting.record && !is_usual(setting, options) &&
          !(value >= setting.least && value <= setting.most))
        fail(ErrorKind::usage, "{} must be {} to {}", setting.name, setting.least, setting.most);
  });
}

}  // namespace

void check_options(const RenderOptions& options) {
  for (const PictureStage* stage : all_stages)
    if (const char* why = stage->excludes ? stage->excludes(options) : nullptr)
      fail(ErrorKind::usage, "{}", why);
  refuse({
      {options.game == Game::divergent && options.compat_flam3,
       "--strategy divergent has no --compat flam3; leave --compat out, or take --strategy "
       "permutation"},
      {options.game == Game::mtgp32 && options.backend == Backend::cpu,
       "--rng mtgp32 is cuRAND's generator; use --backend cuda"},
      {!(options.until_noise >= 0 && options.until_noise <= 1),
       "until_noise must be 0 to 1, a share of full scale"},
      {!(options.most_quality >= 0 && options.most_quality <= 1e9 && options.time_limit_s >= 0),
       "most_quality must be 0 to 1e9, and time_limit_s not below 0"},
      {options.crop_marks > 0 && !(options.dpi > 0),
       "crop marks have a size on paper: say how many pixels are an inch, --dpi 300"},
      {options.crop_marks > 0 && options.crop.has_value(),
       "a window of a picture has no crop marks; leave --crop or --crop-marks out"},
      {options.crop_marks > 0 && options.linear,
       "crop marks are ink on paper, and linear light has neither; leave --crop-marks out, or name "
       "the picture .png or .jpg, without --hdr"},
  });
  for (const PictureSetting& setting : picture_settings()) check_range(setting, options);
  check_threads(options.threads);
  for (const HelpingDevice& helper : options.helpers) check_threads(helper.threads);
}

void check_together(const PreparedFrame& frame, const RenderOptions& options,
                    const Checkpoint* checkpoint) {
  const bool cross_check = options.game != Game::permutation, keeps = checkpoint != nullptr,
             motion = frame.compiled.program.time_sample_count > 1,
             halves = keeps && checkpoint->sums.shape.halves > 0;
  refuse({
      {cross_check && frame.compiled.program.extended,
       "cross-checks play flam3's variations only, and this flame has others, pre_ or post_ forms "
       "or depth; leave --strategy and --rng out"},
      {cross_check && frame.compiled.program.fine,
       "cross-checks play in float, and the picture is finer than that; leave --strategy and --rng "
       "out"},
      {cross_check && motion,
       "--strategy divergent and --rng mtgp32 play a flame at one time; leave them out for "
       "flames in motion"},
      {keeps && options.ranks && (options.until_noise > 0 || options.time_limit_s > 0 || halves),
       "ranks play to the end of the quality, each its part; leave --until-noise, --until-psnr, "
       "--time-limit and --halves out"},
      {options.until_noise > 0 && keeps && !halves,
       "the state's sums are whole, and noise is measured from two halves; render the flame anew "
       "with --until-noise or --halves"},
  });
  refuse(
      {
          {keeps && frame.flame.passes > 1,
           "the flame has several passes, each with sums of its own, and a state holds one; "
           "--set passes=1 renders it in one"},
          {keeps && motion, "a state holds no motion blur; animations go on by --resume"},
          {keeps && cross_check, "cross-checks have no state; leave --strategy and --rng out"},
      },
      frame.flame.place());
  const bool has_marks = options.crop_marks > 0;
  refuse({{has_marks && frame.flame.pixel_aspect != 1,
           "crop marks are for pixels that are as wide as high; leave --pixel-aspect out"},
          {has_marks &&
               crop_mark_margin(options.dpi) > std::max(frame.flame.width, frame.flame.height),
           "crop marks would take more room than the picture; make it larger, or --dpi smaller"}},
         frame.flame.place());
  if (options.crop) check_window(*options.crop, frame.flame.width, frame.flame.height);
}

}  // namespace kiln
