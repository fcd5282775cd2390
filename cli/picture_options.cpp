#include "cli/picture_options.h"

#include <malloc.h>

#include "cli/output_files.h"
#include "engine/base/text.h"
#include "engine/io/picture_format.h"
#include "engine/io/point_spread_reader.h"

namespace kiln::cli {
void PictureOptions::complete() {
  options.backend = backend == "cuda"  ? Backend::cuda
                    : backend == "cpu" ? Backend::cpu
                                       : Backend::automatic;
  if (!bits.empty()) options.bits = bits == "16" ? 16 : 8;
  options.compat_flam3 = compat == "flam3";
  options.exact_density = density == "exact";
  options.crop = settings.size.crop;
#ifdef __GLIBC__  // it would keep what bands of a file took beside the sums of the next stripe
  if (options.max_memory_bytes > 0) mallopt(M_MMAP_THRESHOLD, 1 << 17);
#endif
  if (!psf.empty()) options.psf = std::make_shared<const PointSpread>(read_point_spread(psf));
}

std::vector<std::string> PictureOptions::files_read() const {
  return {point_spread_file(psf), read.palettes, settings.color.palette_file()};
}

ExrPrecision PictureOptions::precision() const {
  return exr == "float" ? ExrPrecision::single_float : ExrPrecision::half_float;
}

bool PictureOptions::given(const char* option) const { return command_->given(option); }

void PictureOptions::check_linear(const std::string& path, const RenderOptions& options) {
  if (!format_named(path).linear || !options.earlyclip) return;
  fail(ErrorKind::usage,
       "{}: with --earlyclip colours are clipped before the filter, so there is no linear "
       "picture; leave it out, or name it {}",
       printable_whole(path), picture_endings(false));
}

void PictureOptions::tell_of_curves(const std::string& path, const Flame& flame, Talk& talk) {
  if (!format_named(path).linear || flame.curves.empty()) return;
  talk.warning(fmt::format(
      "{}: the flame's curves of brightness are for pictures of 8 or 16 bits; {} has linear light "
      "without them",
      flame.place(), printable_whole(path)));
}

ProgressMode PictureOptions::progress_mode() const {
  return progress == "json"            ? ProgressMode::json
         : progress == "none" || quiet ? ProgressMode::none
                                       : ProgressMode::automatic;
}

void PictureOptions::add_picture_options(Command& command) {
  command_ = &command;
  settings.add_to(command);
  command.group("Light");
  command.text("--psf", "FILE.png[,STRENGTH[,SIZE%]]", psf,
               "Spread light like the picture of a point in this file; its share of the light "
               "(default all), its height in per cent of the picture's (default pixel for pixel)");
  command.choice("--de", {"exact", "fast"}, density,
                 "Wide density estimation: exact, every kernel; fast (default), mixed ones");
  command.flag("--earlyclip", options.earlyclip,
               "Clip colours before the spatial filter, as flam3's earlyclip");
  command.group("Picture");
  command.choice("--bits", {"8", "16"}, bits, "Bits a channel (default 8)");
  command.flag("--transparent", options.transparent, "Alpha instead of the background colour");
  command.choice("--exr", {"half", "float"}, exr,
                 "Precision of OpenEXR pictures, -o NAME.exr (default half)");
  command.seed("--seed", options.seed, "Same seed, same picture, on any machine (default 0)");
  command.choice("--compat", {"flam3", "none"}, compat,
                 "flam3: keep also the flam3 behaviour that kiln corrects");
}

void PictureOptions::add_machine_options(Command& command, bool shares_pictures) {
  command_ = &command;
  command.group("Machine");
  command.choice("--backend", {"auto", "cpu", "cuda"}, backend,
                 "auto (default): a GPU if there is one");
  command.whole("--device", "N", options.device, "Number of the GPU, as \"kiln devices\" shows it",
                {0, 1023});
  if (shares_pictures) {
    command.text("--devices", "LIST", devices,
                 "GPUs that share the work of each picture, e.g. 0,1, or all (the same picture)");
  }
  command.whole("--threads", "N", options.threads, "Threads (default 0: all cores)", {0, 4096});
  command.bytes("--max-memory", options.max_memory_bytes,
                "Make pictures that need more in stripes, or refuse them, e.g. 4G");
  command.group("Files and messages");
  read.add_to(command);
  command.flag("--no-clobber", no_clobber,
               "Keep files that exist (a picture that would replace one fails)");
  command.flag("--force", force, force_help);
  command.choice("--progress", {"auto", "json", "none"}, progress,
                 "auto (default): on a terminal; json: one object a line");
  command.flag("-q,--quiet", quiet, "Only errors");
  command.flag("--json", json, "The result as one JSON object on standard output");
}

}  // namespace kiln::cli
