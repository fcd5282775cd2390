// SPDX-License-Identifier: MIT
// kiln compare: whether two pictures are the same, the same but for their noise, or different; how
// far apart, and where. Without limits any difference counts, but noise. Two folders compare by the
// names of the pictures in them.
#include <filesystem>
#include <fstream>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/options/output_files.h"
#include "cli/report/compare_report.h"
#include "cli/says/console.h"
#include "engine/base/error.h"
#include "engine/io/picture/picture_format.h"
#include "engine/model/image.h"

namespace kiln::cli {
namespace {

struct CompareArguments : CompareRules {
  std::string a, b, diff, report;
  bool json = false, hash = false, force = false;
};

/// Fails where an output cannot be made or would replace what is read.
void check_outputs(const CompareArguments& args) {
  OutputNames names(args.force);
  if (!args.diff.empty()) {
    const PictureFormat& format = format_for(false);
    if (format_named(args.diff).linear)
      fail(ErrorKind::usage, "--diff {}: the difference picture is a {}; name it {}",
           printable_whole(args.diff), format.name, picture_endings(false));
    names.claim_picture(args.diff, "--diff", "--diff");
    names.keep_picture_of_another(args.diff, "--diff", nullptr);
    check_output_path(args.diff);
  }
  if (!args.report.empty()) {
    const std::string ending = std::filesystem::path(args.report).extension().string();
    if (args.report != "-" && ending != ".html" && ending != ".htm")
      fail(ErrorKind::usage, "--html {}: the report is a page; name it .html",
           printable_whole(args.report));
    names.claim(args.report, "--html", "--html");
    check_output_path(args.report);
  }
}

void write_report(const CompareArguments& args, const std::vector<ReportCase>& cases) {
  const std::string page = report_page(fmt::format("{} and {}", args.a, args.b), cases);
  AtomicFile file(args.report);
  file.write(page.data(), page.size());
  file.commit();
}

int compare_pictures(const CompareArguments& args) {
  const Compared a = args.read(args.a), b = args.read(args.b);
  const Findings findings = args.find(a, b);
  const bool same = args.hold(findings);
  std::string text = fmt::format("{}: {}", args.word(findings), in_words(a, b, findings));
  JsonObject json = findings_json(a, b, findings, same);
  if (!args.diff.empty() && findings.pixels.same_size) {
    const double gain = difference_gain(findings.pixels.largest);
    check_fits(args.diff, a.picture.width, a.picture.height, 8, false);
    const Image picture = difference_picture(a.picture, b.picture, gain);
    format_for(picture, args.diff)
        .write(args.diff, picture, {}, {AtomicFile::Existing::replace, 0});
    text += fmt::format("; {} shows the differences times {}", printable_whole(args.diff),
                        shortest(gain));
    json.add("diff", args.diff).add("gain", gain);
  }
  if (!args.report.empty()) {
    const std::string name = std::filesystem::path(args.b).filename().string();
    write_report(args, {report_case(name, a, b, findings, args)});
    json.add("html", args.report);
  }
  if (args.report != "-") print("{}\n", args.json ? json.text() : text);
  return same ? exit_done : exit_differences;
}

int compare_all(const CompareArguments& args) {
  if (!is_folder(args.a) || !is_folder(args.b))
    fail(ErrorKind::usage, "{} is a folder and {} is not; compare two folders or two pictures",
         printable_whole(is_folder(args.a) ? args.a : args.b),
         printable_whole(is_folder(args.a) ? args.b : args.a));
  if (!args.diff.empty())
    fail(ErrorKind::usage, "--diff is of two pictures; --html shows the differences of folders");
  FolderComparison result = compare_folders(args.a, args.b, args, !args.report.empty());
  if (!args.report.empty()) {
    write_report(args, result.cases);
    result.json.add("html", args.report);
  }
  if (args.report != "-") print("{}", args.json ? result.json.text() + "\n" : result.text);
  return result.code;
}

int compare_hashes(const CompareArguments& args) {
  const std::string hash_a = pixel_hash(args.read(args.a).picture);
  const std::string hash_b = args.b.empty() ? hash_a : pixel_hash(args.read(args.b).picture);
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

/// Whether the file is XML, which flames are. A pipe is read once, so not here.
bool is_flame_file(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::ifstream file(path, std::ios::binary);
  char first = 0;
  return file >> first && first == '<';
}

/// Sends those who compare flames to the command that does.
void refuse_flames(const CompareArguments& args) {
  for (const std::string& path : {args.a, args.b})
    if (!path.empty() && path != "-" && is_flame_file(path))
      fail(ErrorKind::input, "{}: holds flames, and compare is of pictures; {}",
           printable_whole(path),
           args.b.empty() ? "kiln render makes one of it"
                          : fmt::format("what differs between flames says kiln diff {} {}",
                                        printable_whole(args.a), printable_whole(args.b)));
}

int run_compare(CompareArguments& args) {
  refuse_flames(args);
  if (args.hash && args.has_limits())
    fail(ErrorKind::usage, "--hash compares exactly; leave out the limits or --hash");
  if (args.b.empty() && !args.hash)
    fail(ErrorKind::usage, "compare needs two pictures (one is enough with --hash)");
  if (args.hash) return compare_hashes(args);
  if (args.report == "-" && args.json)
    fail(ErrorKind::usage, "--html - and --json both want standard output; choose one");
  check_outputs(args);
  if (!args.report.empty()) args.flip = true;
  return is_folder(args.a) || is_folder(args.b) ? compare_all(args) : compare_pictures(args);
}

void add_limits(Command& command, CompareArguments& args) {
  command.group("Limits (without any, no pixel may differ)");
  command.number("--max-rms", "0..1", args.max_rms,
                 "Largest root mean square difference, of full scale");
  command.number("--min-psnr", "DB", args.min_psnr, "Smallest peak signal to noise ratio");
  command.number("--min-ssim", "0..1", args.min_ssim,
                 "Smallest structural similarity of the luminance");
  command.number("--max-differing", "0..1", args.max_differing,
                 "Largest share of differing pixels");
  command.number("--max-flip", "0..1", args.max_flip,
                 "Largest mean FLIP, the difference that somebody sees who flips between the two");
  command.number("--tolerance", "0..1", args.tolerance,
                 "Difference up to which a pixel is not a differing one");
}

}  // namespace

void add_compare(Program& program) {
  Command& command = program.command("compare", "Compare two pictures; exit code 1 if they differ");
  const auto args = std::make_shared<CompareArguments>();
  command.input("A", args->a,
                "PNG, JPEG, TIFF, WebP, AVIF, JPEG XL, OpenEXR or PPM file, or a folder of such");
  command.input("B", args->b, "The same", false);
  for (const char* name : {"A", "B"}) command.reads(name);
  add_limits(command, *args);
  command.group("Result");
  command.flag("--hash", args->hash,
               "Only the SHA-256 of the pixels, as kiln writes it into its pictures");
  command.flag("--flip", args->flip, "Measure FLIP too; --html and --max-flip do");
  command.text("--diff", "OUT.png", args->diff,
               "Write a picture of the differences, amplified by a power of two until they show");
  command.text("--html", "OUT.html", args->report,
               "Write a page for a browser: both pictures under a slider, the differences, FLIP");
  command.flag("--force", args->force, force_help);
  command.flag("--json", args->json, "One JSON object on standard output");
  command.bytes("--max-memory", args->max_memory_bytes,
                "Largest picture accepted, in memory (default 4G)");
  for (const char* other : {"--diff", "--html", "--flip"}) command.exclude("--hash", other);
  command.examples({"kiln compare a.png b.png", "kiln compare a.png b.png --diff d.png",
                    "kiln compare a.png b.png --html report.html",
                    "kiln compare before/ after/ --html report.html   # pictures of equal names",
                    "kiln compare a.png b.png --min-psnr 40 --min-ssim 0.98",
                    "kiln compare --hash a.png"});
  command.runs([args] { return run_compare(*args); });
}

}  // namespace kiln::cli
