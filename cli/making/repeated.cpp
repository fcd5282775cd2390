// SPDX-License-Identifier: MIT
#include "cli/making/repeated.h"

#include "engine/api/api_impl.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/picture/picture_record.h"
#include "engine/io/picture/picture_settings.h"
#include "engine/render/combinations.h"

namespace kiln::cli {
namespace {

/// The settings of the record, but for the options that were given: gives their names. The pixels
/// may be other ones where they decide them.
std::string merge(const PictureOptions& args, const PictureRecord& record, Making& making) {
  RenderOptions& options = making.options = repeated(record, args.options);
  std::string given;
  for (const PictureSetting& setting : picture_settings()) {
    if (!setting.record || setting.is_file() || !args.given(setting.option)) continue;
    copy_setting(setting, args.options, options);
    given += (given.empty() ? "" : " ") + std::string(setting.option);
    if (setting.decides == PictureSetting::Decides::pixels) making.made_before.clear();
  }
  // a window is of one size of the picture, and so is what is cut away
  if (args.settings.resizes()) options.crop = args.options.crop;
  if (args.settings.resizes() || args.given("--crop")) options.crop_marks = args.options.crop_marks;
  if (options.crop_marks > 0 && options.dpi != record.options.dpi) making.made_before.clear();
  return given;
}

/// Checks the point spread function: a record has only its hash.
void check_psf(const PictureOptions& args, const PictureRecord& record, const std::string& name,
               Console& console) {
  if (!record.options.psf) return;
  if (!args.options.psf)
    fail(ErrorKind::usage,
         "{}: was made with a --psf of which it has only the hash; name the file again with --psf, "
         "or take the flame alone with --ignore-record",
         name);
  if (psf_hash(args.options) != psf_hash(record.options))
    console.warning(fmt::format("{}: was made with another --psf than the one given", name));
}

/// The record with what really holds.
std::string repeated_words(const PictureRecord& record, const RenderOptions& options,
                           const std::string& given) {
  PictureRecord holds = record;
  holds.options = options;
  holds.options.psf = record.options.psf;
  if (record.is_linear()) holds.options.bits = record.options.bits;
  return in_words(holds) + (given.empty() ? "" : " (" + given + " given)") +
         (record.frame ? fmt::format("; frame {} without its motion blur", *record.frame) : "");
}

}  // namespace

Making making_of(const PictureOptions& args, const FlameFile& file, Console& console) {
  Making making{args.options, args.exr, args.credits, false, {}, false};
  if (!file.record || args.ignore_record) return making;
  const PictureRecord& record = *file.record;
  const std::string name = printable_whole(file.name);
  check_psf(args, record, name, console);
  if (!record.frame && psf_hash(args.options) == psf_hash(record.options))
    making.made_before = record.pixel_hash;
  making.repeats = true;
  const std::string given = merge(args, record, making);
  making.was_linear = record.is_linear();
  if (!args.given("--exr")) {
    making.exr.precision = record.exr.precision;
    making.exr.compression = record.exr.compression;
  }
  if (!args.given("--primaries")) making.exr.primaries = record.exr.primaries;
  if (!args.given("--hdr")) making.exr.hdr_peak = record.exr.hdr_peak;
  for (std::string Credits::*text :
       {&Credits::title, &Credits::author, &Credits::copyright, &Credits::source})
    if ((making.credits.*text).empty()) making.credits.*text = record.credits.*text;
  if (record.asks_stages) making.options.stages = true;
  try {
    check_options(making.options);  // those of the record and the given ones together
  } catch (const Error& error) {
    fail(error.kind, "{}: {}", name, error.what());
  }
  console.note(
      fmt::format("{}: repeating {}", name, repeated_words(record, making.options, given)));
  if (record.version != KILN_VERSION)
    console.warning(fmt::format("{}: was made by kiln {}, this is {}: pixels may differ", name,
                                printable(record.version), KILN_VERSION));
  return making;
}

}  // namespace kiln::cli
