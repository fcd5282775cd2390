// SPDX-License-Identifier: MIT
// kiln verify: whether a picture is what its flame makes. It carries its flame, its settings and the hash of
// its pixels; it is made again from them, and told apart are: pixels that somebody changed, settings that
// make another picture here, and what cannot be known.
#include <memory>

#include "cli/commands/commands.h"
#include "cli/making/check_frames.h"
#include "cli/options/flame_selection.h"
#include "cli/options/picture_options.h"
#include "cli/says/console.h"
#include "engine/api/api_impl.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/picture/picture_record.h"

namespace kiln::cli {
namespace {

struct VerifyArguments {
  std::vector<std::string> inputs;
  std::string psf;
  RenderOptions machine;
  bool json = false;
};

/// The answer for one picture.
struct VerifiedPicture {
  std::string path, word;  // word: "same", "differs", "altered", "unknown"
  std::string why, stage, hash, made;
  std::string settings;
};

/// The first stage that differs; empty: none is known.
std::string first_other_stage(const StageHashes& said, const StageHashes& got) {
  if (said.histogram.empty() || got.histogram.empty()) return "";
  if (said.histogram != got.histogram) return "histogram";
  if (said.light != got.light) return "light";
  return said.filtered != got.filtered ? "filtered" : "pixels";
}

Picture made_again(const VerifyArguments& args, const CheckedFrame& file) {
  ReaderOptions reading;
  reading.approximate = !file.record->approximate.empty();
  Flame flame = read_flames(file.path, reading).flames.at(0);
  flame.pixel_aspect = file.record->pixel_aspect;
  RenderOptions options = repeated(*file.record, args.machine);
  options.linear = file.record->is_linear();
  options.stages = !file.record->stages.histogram.empty();
  options.until_noise = options.time_limit_s = options.most_quality =
      0;  // the flame has what was reached
  if (file.record->options.psf) options.psf = load_point_spread(args.psf);
  return render(scene_of(std::move(flame)), options);
}

/// Says why it cannot be made again; empty: it can.
std::string obstacle(const VerifyArguments& args, const CheckedFrame& file) {
  if (file.texts.texts.find(genome_key) == file.texts.texts.end())
    return "carries no flame: kiln and flam3 leave theirs in their pictures, other programs and "
           "many sites "
           "take it out";
  if (!file.record)
    return "carries a flame, but no record of seed and settings; kiln render makes a picture of it";
  if (file.record->frame)
    return fmt::format(
        "is frame {} of a film, whose neighbors are not in it; kiln check --render makes frames "
        "again",
        *file.record->frame);
  if (file.record->options.psf && args.psf.empty())
    return "was made with a --psf of which it has only the hash; name the file again with --psf";
  return "";
}

VerifiedPicture verdict_on(const VerifyArguments& args, const std::string& path) {
  ImageLimits limits;
  if (args.machine.max_memory_bytes > 0) limits.bytes = args.machine.max_memory_bytes;
  VerifiedPicture verdict{path, "unknown", {}, {}, {}, {}, {}};
  const CheckedFrame file = check_frame_file(path, limits);
  if (file.hash.empty()) {
    verdict.why = file.problem ? file.problem->message : "cannot be read";
    return verdict;
  }
  verdict.why = obstacle(args, file);
  if (!verdict.why.empty()) return verdict;
  const PictureRecord& record = *file.record;
  verdict.settings = in_words(record);
  verdict.hash = record.pixel_hash;
  if (file.texts.holds_pixels && record.pixel_hash != file.hash) {
    verdict.word = "altered";
    verdict.why = "its pixels are not those that its record names";
    return verdict;
  }
  const Picture made = made_again(args, file);
  verdict.made = made.hash;
  if (made.hash == record.pixel_hash) {
    verdict.word = "same";
    if (!file.texts.holds_pixels)
      verdict.why =
          "what the file was made from; whether its own pixels are, its format does not tell";
    return verdict;
  }
  verdict.word = "differs";
  verdict.stage = first_other_stage(record.stages, made.statistics.stages);
  if (record.version != KILN_VERSION)
    verdict.why =
        fmt::format("it was made by kiln {}, this is {}", printable(record.version), KILN_VERSION);
  else if (record.options.psf &&
           psf_hash(record.options) != psf_hash(repeated(record, args.machine)))
    verdict.why = "its settings or its flame were changed, or the --psf is another one";
  else
    verdict.why =
        "its flame or its record was changed, or this machine computes otherwise (kiln selftest)";
  if (!verdict.stage.empty()) verdict.why += "; the first stage that differs: " + verdict.stage;
  return verdict;
}

std::string verdict_json(const VerifiedPicture& verdict) {
  return JsonObject()
      .add("file", verdict.path)
      .add("verdict", verdict.word)
      .add("why", verdict.why)
      .add("stage", verdict.stage)
      .add("settings", verdict.settings)
      .add("hash", verdict.hash)
      .add("made", verdict.made)
      .text();
}

/// Exit codes as of kiln compare; what nobody can know is an input that is none.
int run_verify(const VerifyArguments& args) {
  int code = exit_done;
  JsonArray array;
  for (const std::string& path : expand_patterns(args.inputs)) {
    const VerifiedPicture verdict = verdict_on(args, path);
    array.add_json(verdict_json(verdict));
    if (!args.json)
      print("{}: {}{}{}\n", printable_whole(path), verdict.word, verdict.why.empty() ? "" : ": ",
            verdict.why);
    if (verdict.word == "unknown" && code == exit_done) code = int(ErrorKind::input);
    if (verdict.word == "altered" || verdict.word == "differs") code = exit_differences;
  }
  if (args.json) print("{}\n", array.text());
  return code;
}

}  // namespace

void add_verify(Program& program) {
  Command& command = program.command(
      "verify", "Make a picture again from what it carries; exit code 1 if it differs");
  const auto args = std::make_shared<VerifyArguments>();
  command.inputs("PICTURE", args->inputs, "Pictures that kiln made: PNG, OpenEXR or JPEG");
  command.text("--psf", "FILE[,STRENGTH[,SIZE%]]", args->psf,
               "The point spread function that the pictures were made with, if they were");
  command.group("Result");
  command.flag("--json", args->json, "One JSON array on standard output");
  command.group("Machine");
  add_settings(command, "Machine", args->machine);
  command.examples({"kiln verify posted.png", "kiln verify *.png --json"});
  command.runs([args] { return run_verify(*args); });
}

}  // namespace kiln::cli
