// kiln compare: whether two pictures are the same, and if not, how far apart, and where. Without
// limits any difference counts.
#include "engine/render/compare.h"

#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/output_files.h"
#include "cli/print.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/image_reader.h"
#include "engine/io/png_writer.h"
#include "engine/model/pixel_hash.h"

namespace kiln::cli {
namespace {

struct CompareArguments {
  std::string a, b, diff;
  std::uint64_t max_memory_bytes = 0;
  std::optional<double> max_rms, min_psnr, min_ssim, max_differing;
  double tolerance = 0;
  bool json = false, hash = false;

  Image read(const std::string& path) const {
    ImageLimits limits;
    if (max_memory_bytes > 0) limits.bytes = max_memory_bytes;
    return read_picture(path, limits);
  }
  bool has_limits() const { return max_rms || min_psnr || min_ssim || max_differing; }
};

/// Every limit has to hold; without any, no pixel may differ.
bool within_limits(const CompareArguments& args, const Comparison& c) {
  if (!c.same_size) return false;
  if (!args.has_limits()) return c.differing == 0;
  return (!args.max_rms || c.rms <= *args.max_rms) &&
         (!args.min_psnr || c.psnr_db >= *args.min_psnr) &&
         (!args.min_ssim || c.ssim >= *args.min_ssim) &&
         (!args.max_differing || c.differing <= *args.max_differing);
}

std::string in_words(const Image& a, const Image& b, const Comparison& c, bool same) {
  if (!c.same_size)
    return fmt::format("different: {} x {} and {} x {} pixels", a.width, a.height, b.width,
                       b.height);
  return fmt::format(
      "{}: rms {:.6g}, mean {:.6g}, largest {:.6g}, PSNR {:.2f} dB, SSIM {:.6f}, differing pixels "
      "{:.4f} %",
      same ? "same" : "different", c.rms, c.mean, c.largest, c.psnr_db, c.ssim, 100 * c.differing);
}

JsonObject comparison_json(const CompareArguments& args, const Image& a, const Image& b,
                           const Comparison& c, bool same) {
  JsonObject json;
  json.add("a", args.a).add("b", args.b).add("same", same).add("same_size", c.same_size);
  if (c.same_size) {
    json.add("rms", c.rms)
        .add("mean", c.mean)
        .add("largest", c.largest)
        .add("psnr_db", c.psnr_db);  // null: infinite
    json.add("ssim", c.ssim).add("differing", c.differing);
  }
  return json.add("hash_a", pixel_hash(a)).add("hash_b", pixel_hash(b));
}

void check_difference_name(const CompareArguments& args) {
  if (args.diff.empty()) return;
  if (is_exr(args.diff))
    fail(ErrorKind::usage, "--diff {}: the difference picture is a PNG; name it .png",
         printable_whole(args.diff));
  OutputNames names;
  names.take(args.diff, "--diff", "--diff");
  names.keep_inputs({args.a, args.b});
  check_output_path(args.diff);
}

int compare_pictures(const CompareArguments& args) {
  check_difference_name(args);
  const Image a = args.read(args.a), b = args.read(args.b);
  if (!comparable(a, b))
    fail(ErrorKind::usage,
         "{} is linear light (OpenEXR) and {} is not: their values mean different things; compare "
         "two .exr or two .png",
         printable_whole(a.bits() == 32 ? args.a : args.b),
         printable_whole(a.bits() == 32 ? args.b : args.a));
  const Comparison comparison = compare(a, b, args.tolerance);
  const bool same = within_limits(args, comparison);
  std::string text = in_words(a, b, comparison, same);
  JsonObject json = comparison_json(args, a, b, comparison, same);
  if (!args.diff.empty() && comparison.same_size) {
    const double gain = difference_gain(comparison.largest);
    write_png(args.diff, difference_picture(a, b, gain), {}, AtomicFile::Existing::replace, 0);
    text += fmt::format("; {} shows the differences times {}", printable_whole(args.diff),
                        shortest(gain));
    json.add("diff", args.diff).add("gain", gain);
  }
  print("{}\n", args.json ? json.text() : text);
  return same ? exit_done : exit_differences;
}

int compare_hashes(const CompareArguments& args) {
  const std::string hash_a = pixel_hash(args.read(args.a));
  const std::string hash_b = args.b.empty() ? hash_a : pixel_hash(args.read(args.b));
  JsonObject json;
  json.add("a", args.a).add("hash_a", hash_a);
  std::string text = fmt::format("{}  {}\n", hash_a, printable_whole(args.a));
  if (!args.b.empty()) {
    json.add("b", args.b).add("hash_b", hash_b).add("same", hash_a == hash_b);
    text += fmt::format("{}  {}\n", hash_b, printable_whole(args.b));
  }
  print("{}", args.json ? json.text() + "\n" : text);
  return hash_a == hash_b ? exit_done : exit_differences;
}

int run_compare(const CompareArguments& args) {
  if (args.hash && args.has_limits())
    fail(ErrorKind::usage, "--hash compares exactly; leave out the limits or --hash");
  if (args.b.empty() && !args.hash)
    fail(ErrorKind::usage, "compare needs two pictures (one is enough with --hash)");
  return args.hash ? compare_hashes(args) : compare_pictures(args);
}

}  // namespace

void add_compare(Program& program) {
  Command& command = program.command("compare", "Compare two pictures; exit code 1 if they differ");
  const auto args = std::make_shared<CompareArguments>();
  command.input("A", args->a, "PNG or OpenEXR file");
  command.input("B", args->b, "The same", false);
  command.group("Limits (without any, no pixel may differ)");
  command.number("--max-rms", "0..1", args->max_rms,
                 "Largest root mean square difference, of full scale");
  command.number("--min-psnr", "DB", args->min_psnr, "Smallest peak signal to noise ratio");
  command.number("--min-ssim", "0..1", args->min_ssim,
                 "Smallest structural similarity of the luminance");
  command.number("--max-differing", "0..1", args->max_differing,
                 "Largest share of differing pixels");
  command.number("--tolerance", "0..1", args->tolerance,
                 "Difference up to which a pixel is not a differing one");
  command.group("Result");
  command.flag("--hash", args->hash,
               "Only the SHA-256 of the pixels, as kiln writes it into its pictures");
  command.text("--diff", "OUT.png", args->diff,
               "Write a picture of the differences, amplified by a power of two until they show");
  command.flag("--json", args->json, "One JSON object on standard output");
  command.bytes("--max-memory", args->max_memory_bytes,
                "Largest picture accepted, in memory (default 4G)");
  command.exclude("--hash", "--diff");
  command.examples({"kiln compare a.png b.png", "kiln compare a.png b.png --diff d.png",
                    "kiln compare a.png b.png --min-psnr 40 --min-ssim 0.98",
                    "kiln compare --hash a.png"});
  command.runs([args] { return run_compare(*args); });
}

}  // namespace kiln::cli
