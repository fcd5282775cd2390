#include "cli/repeat.h"

#include "engine/base/error.h"
#include "engine/base/printable.h"
#include "engine/base/text.h"
#include "engine/io/picture/picture_settings.h"

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
  // a window is of one size of the picture
  if (args.settings.resizes()) options.crop = args.options.crop;
  return given;
}

/// Only the hash of a point spread function is in a record.
void check_psf(const PictureOptions& args, const PictureRecord& record, const std::string& name,
               Talk& talk) {
  if (!record.options.psf) return;
  if (!args.options.psf)
    fail(ErrorKind::usage,
         "{}: was made with a --psf of which it has only the hash; name the file again with --psf, "
         "or take the flame alone with --ignore-record",
         name);
  if (psf_hash(args.options) != psf_hash(record.options))
    talk.warning(fmt::format("{}: was made with another --psf than the one given", name));
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

Making making_of(const PictureOptions& args, const FlameFile& file, Talk& talk) {
  Making making{args.options, args.precision(), false, {}};
  if (!file.record || args.ignore_record) return making;
  const PictureRecord& record = *file.record;
  const std::string name = printable_whole(file.name);
  check_psf(args, record, name, talk);
  if (!record.frame && psf_hash(args.options) == psf_hash(record.options))
    making.made_before = record.pixel_hash;
  const std::string given = merge(args, record, making);
  making.was_linear = record.is_linear();
  if (record.single_float && !args.given("--exr")) making.precision = ExrPrecision::single_float;
  try {
    check_options(making.options);  // those of the record and the given ones together
  } catch (const Error& error) {
    fail(error.kind, "{}: {}", name, error.what());
  }
  talk.note(fmt::format("{}: repeating {}", name, repeated_words(record, making.options, given)));
  if (record.version != KILN_VERSION)
    talk.warning(fmt::format("{}: was made by kiln {}, this is {}: pixels may differ", name,
                             printable(record.version), KILN_VERSION));
  return making;
}

}  // namespace kiln::cli
