#include "cli/repeat.h"

#include "engine/base/error.h"
#include "engine/base/printable.h"
#include "engine/base/text.h"

namespace kiln::cli {
namespace {

/// An option of the command line and the setting that it decides.
struct Setting {
  const char* option;
  void (*keep)(const RenderOptions& given, RenderOptions& options);
};

#define KILN_SETTING(option, field)                                                     \
  {                                                                                     \
    option, [](const RenderOptions& given, RenderOptions& o) { o.field = given.field; } \
  }

constexpr Setting settings[] = {
    KILN_SETTING("--seed", seed),
    KILN_SETTING("--bits", bits),
    KILN_SETTING("--transparent", transparent),
    KILN_SETTING("--earlyclip", earlyclip),
    KILN_SETTING("--compat", compat_flam3),
    KILN_SETTING("--de", exact_density),
    KILN_SETTING("--strategy", game),
    KILN_SETTING("--rng", game),
    KILN_SETTING("--crop", crop),
};
#undef KILN_SETTING

/// The settings of the record, but for the options that were given; these are named in `given`.
RenderOptions merged(const PictureOptions& args, const PictureRecord& record, std::string& given) {
  RenderOptions options = repeated(record, args.options);
  for (const Setting& setting : settings) {
    if (!args.given(setting.option)) continue;
    setting.keep(args.options, options);
    given += (given.empty() ? "" : " ") + std::string(setting.option);
  }
  // a window is of one size of the picture
  if (args.settings.resizes()) options.crop = args.options.crop;
  return options;
}

/// Only the hash of a point spread function is in a record.
void check_psf(const PictureOptions& args, const PictureRecord& record, const std::string& name,
               Talk& talk) {
  if (record.psf_hash.empty()) return;
  if (!args.options.psf)
    fail(ErrorKind::usage,
         "{}: was made with a --psf of which it has only the hash; name the file again with --psf, "
         "or take the flame alone with --ignore-record",
         name);
  if (args.options.psf->hash != record.psf_hash)
    talk.warning(fmt::format("{}: was made with another --psf than the one given", name));
}

/// The record with what really holds.
std::string repeated_words(PictureRecord record, const RenderOptions& options,
                           const std::string& given) {
  record.seed = options.seed;
  record.game = options.game;
  if (record.bits != 32) record.bits = options.bits;
  record.transparent = options.transparent;
  record.earlyclip = options.earlyclip;
  record.compat_flam3 = options.compat_flam3;
  record.exact_density = options.exact_density;
  record.crop = options.crop;
  return in_words(record) + (given.empty() ? "" : " (" + given + " given)") +
         (record.frame ? fmt::format("; frame {} without its motion blur", *record.frame) : "");
}

}  // namespace

Making making_of(const PictureOptions& args, const FlameFile& file, Talk& talk) {
  Making making{args.options, args.precision(), false, {}};
  if (!file.record || args.ignore_record) return making;
  const PictureRecord& record = *file.record;
  const std::string name = printable_whole(file.name);
  check_psf(args, record, name, talk);
  std::string given;
  making.options = merged(args, record, given);
  making.was_linear = record.bits == 32;
  if (record.single_float && !args.given("--exr")) making.precision = ExrPrecision::single_float;
  try {
    check_options(making.options);  // those of the record and the given ones together
  } catch (const Error& error) {
    fail(error.kind, "{}: {}", name, error.what());
  }
  const std::string psf_hash = args.options.psf ? args.options.psf->hash : "";
  if (given.empty() && !record.frame && psf_hash == record.psf_hash)
    making.made_before = record.pixel_hash;
  talk.note(fmt::format("{}: repeating {}", name, repeated_words(record, making.options, given)));
  if (record.version != KILN_VERSION)
    talk.warning(fmt::format("{}: was made by kiln {}, this is {}: pixels may differ", name,
                             printable(record.version), KILN_VERSION));
  return making;
}

}  // namespace kiln::cli
