#include "cli/picture_options.h"

#include <charconv>

#include "cli/output_files.h"
#include "engine/io/exr_writer.h"
#include "engine/io/point_spread_reader.h"
#include "engine/io/text.h"

namespace kiln::cli {
namespace {

/// CLI11 would take -1 for the largest seed.
std::uint64_t seed_option(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size()) {
    fail(ErrorKind::usage, "--seed {}: must be a whole number from 0 to 2^64 - 1",
         printable_whole(text));
  }
  return seed;
}

}  // namespace

void PictureOptions::complete() {
  options.backend = backend == "cuda"  ? Backend::cuda
                    : backend == "cpu" ? Backend::cpu
                                       : Backend::automatic;
  if (!seed.empty()) options.seed = seed_option(seed);
  options.compat_flam3 = compat == "flam3";
  options.exact_density = density == "exact";
  if (!max_memory.empty()) options.max_memory_bytes = size_option("--max-memory", max_memory);
  if (!psf.empty()) options.psf = std::make_shared<const PointSpread>(read_point_spread(psf));
}

void PictureOptions::check_linear(const std::string& path) const {
  if (!is_exr(path) || !options.earlyclip) return;
  fail(ErrorKind::usage,
       "{}: with --earlyclip colours are clipped before the filter, so there is no linear "
       "picture; leave it out, or name it .png",
       printable_whole(path));
}

void PictureOptions::write(const std::string& path, const Image& image,
                           const std::vector<PngText>& texts, int threads) const {
  const AtomicFile::Existing existing =
      no_clobber ? AtomicFile::Existing::keep : AtomicFile::Existing::replace;
  if (image.bits == 32) {
    write_exr(path, image, exr == "float" ? ExrPrecision::single_float : ExrPrecision::half_float,
              texts, existing);
  } else {
    write_png(path, image, texts, existing, threads);
  }
}

ProgressMode PictureOptions::progress_mode() const {
  return progress == "json"            ? ProgressMode::json
         : progress == "none" || quiet ? ProgressMode::none
                                       : ProgressMode::automatic;
}

void PictureOptions::add_picture_options(CLI::App& command) {
  Overrides& o = overrides;
  command.add_option("--quality", o.quality, "Samples per pixel instead of the file's")
      ->type_name("Q");
  command.add_option("--quality-scale", o.quality_scale, "Multiply the quality (flam3: qs)")
      ->type_name("F");
  command.add_option("--scale", o.scale, "Multiply the size, same framing (flam3: ss)")
      ->type_name("F");
  command.add_option("--width", o.width, "Width in pixels; the height follows unless given")
      ->type_name("N");
  command.add_option("--height", o.height, "Height in pixels; the width follows unless given")
      ->type_name("N");
  command.add_option("--supersample", o.supersample, "Histogram buckets per pixel side, 1 to 16")
      ->type_name("N");
  command
      .add_option("--pixel-aspect", o.pixel_aspect, "Width of a pixel over its height (default 1)")
      ->type_name("F");
  command
      .add_option("--bloom", o.bloom,
                  "Soft glow: share of the light that spreads, 0 to 1; radius in per cent of the "
                  "height (default 2); only light above the threshold (default 0)")
      ->type_name("STRENGTH[,RADIUS%[,THRESHOLD]]");
  command
      .add_option("--glare", o.glare,
                  "Diffraction star: points (even; 0: off), angle in degrees (default 0), share of "
                  "the light (default 0.1)")
      ->type_name("STARS[,ANGLE[,STRENGTH]]");
  command
      .add_option("--psf", psf,
                  "Spread light like the picture of a point in this file; its share of the light "
                  "(default all), its height in per cent of the picture's (default pixel for "
                  "pixel)")
      ->type_name("FILE.png[,STRENGTH[,SIZE%]]");
  command
      .add_option("--exr", exr,
                  "Precision of OpenEXR pictures (-o NAME.exr): half (default) or float")
      ->type_name("half|float")
      ->check(CLI::IsMember({"half", "float"}).description(""));
  command.add_option("--bits", options.bits, "Bits a channel: 8 (default) or 16")
      ->type_name("8|16")
      ->check(CLI::IsMember({8, 16}).description(""));
  command.add_option("--seed", seed, "Same seed, same picture, on any machine (default 0)")
      ->type_name("N");
  command.add_flag("--transparent", options.transparent, "Alpha instead of the background colour");
  command.add_flag("--earlyclip", options.earlyclip,
                   "Clip colours before the spatial filter, as flam3's earlyclip");
  command.add_option("--compat", compat, "flam3: keep also the flam3 behaviour that kiln corrects")
      ->type_name("flam3")
      ->check(CLI::IsMember({"flam3"}).description(""));
  command
      .add_option("--de", density,
                  "Wide density estimation: exact, every kernel; fast (default), mixed ones")
      ->type_name("exact|fast")
      ->check(CLI::IsMember({"exact", "fast"}).description(""));
}

void PictureOptions::add_machine_options(CLI::App& command) {
  command.add_option("--backend", backend, "auto (default): a GPU if there is one")
      ->type_name("auto|cpu|cuda")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}).description(""));
  command.add_option("--device", options.device, "Number of the GPU, as \"kiln devices\" shows it")
      ->type_name("N")
      ->check(CLI::Range(0, 1023).description(""));
  command.add_option("--threads", options.threads, "Threads (default 0: all cores)")
      ->type_name("N")
      ->check(CLI::Range(0, 4096).description(""));
  command.add_option("--max-memory", max_memory, "Refuse pictures that need more, e.g. 4G")
      ->type_name("SIZE");
  read.add_to(command);
  command.add_flag("--no-clobber", no_clobber,
                   "Keep files that exist (a picture that would replace one fails)");
  command
      .add_option("--progress", progress, "auto (default): on a terminal; json: one object a line")
      ->type_name("auto|json|none")
      ->check(CLI::IsMember({"auto", "json", "none"}).description(""));
  command.add_flag("-q,--quiet", quiet, "Only errors");
  command.add_flag("--json", json, "The result as one JSON object on standard output");
}

}  // namespace kiln::cli
