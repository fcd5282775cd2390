// SPDX-License-Identifier: MIT
// kiln check: the frames of an animation, or any pictures that kiln made, as they lie on the disk.
// Every file is decoded and held against its record; then all together are looked at; then, if
// asked for, a random share is rendered again.
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <set>

#include "cli/commands/commands.h"
#include "cli/making/check_frames.h"
#include "cli/options/picture_options.h"
#include "cli/report/compare_report.h"
#include "cli/says/console.h"
#include "engine/base/cores.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/base/thread_pool.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

struct CheckArguments {
  std::string folder, frames, ignore;
  std::vector<std::string> manifests;
  double render = 0;
  std::uint64_t seed = 0, max_memory_bytes = 0;
  RenderOptions machine;  // what of it renders
  bool json = false;
};

/// A file to look at, and what a manifest says of it.
struct Entry {
  std::string path, manifest;
  std::optional<ManifestRow> row;
  std::size_t words = 0;  // which manifest's
};

/// Everything that is looked at, and the command lines of the manifests.
struct Inventory {
  std::vector<Entry> entries;
  std::vector<std::vector<std::string>> words;
  std::vector<FrameProblem> problems;  // files that no manifest names
  std::vector<int> expected;
};

/// The numbers that --frames names.
std::vector<int> numbers_of(const std::string& ranges) {
  constexpr double most = 9'999'999;
  double largest = 0, number = 0;
  for (const char c : ranges) {
    number = c >= '0' && c <= '9' ? number * 10 + (c - '0') : 0;
    largest = std::max(largest, number);
  }
  if (largest > most)
    fail(ErrorKind::usage, "--frames {}: frames have numbers up to {}", printable_whole(ranges),
         most);
  std::vector<int> numbers;
  for (const FrameTime& frame : select_frames(frame_times(0, largest, 1), ranges))
    numbers.push_back(frame.number);
  return numbers;
}

void add_manifest(const CheckArguments& args, const std::string& path, Inventory& inventory) {
  const FrameManifest manifest = read_manifest(path);
  for (const ManifestRow& row : manifest.rows) {
    const std::string file = args.folder.empty()
                                 ? path_of(row, path)
                                 : (fs::path(args.folder) / fs::path(row.file).filename()).string();
    inventory.entries.push_back({file, path, row, inventory.words.size()});
    inventory.expected.push_back(row.frame.number);
  }
  inventory.words.push_back(manifest.words);
}

Inventory make_inventory(const CheckArguments& args) {
  Inventory inventory;
  for (const std::string& manifest : args.manifests) add_manifest(args, manifest, inventory);
  std::set<std::string> listed;
  for (const Entry& entry : inventory.entries)
    listed.insert(fs::path(entry.path).filename().string());
  if (!args.folder.empty()) {
    for (const std::string& name : pictures_in(args.folder)) {
      const std::string path = (fs::path(args.folder) / name).string();
      if (args.manifests.empty())
        inventory.entries.push_back({path, {}, {}, 0});
      else if (!listed.contains(name))
        inventory.problems.push_back({"unlisted", path, {}, "no manifest names it"});
    }
  }
  // what a manifest names and is not there is missing, and not a file to be read
  std::erase_if(inventory.entries, [&](const Entry& entry) {
    std::error_code ignored;
    if (fs::exists(entry.path, ignored)) return false;
    inventory.problems.push_back(
        {"missing", entry.path, entry.row->frame.number,
         fmt::format("{} names it and it is not there", printable_whole(entry.manifest))});
    return true;
  });
  if (!args.frames.empty()) inventory.expected = numbers_of(args.frames);
  return inventory;
}

std::vector<CheckedFrame> read_all(const CheckArguments& args, const Inventory& inventory) {
  ImageLimits limits;
  limits.opens = InputFile::Opens::regular_files;
  if (args.max_memory_bytes > 0) limits.bytes = args.max_memory_bytes;
  std::vector<CheckedFrame> frames(inventory.entries.size());
  const int cores = usable_cores();
  ThreadPool(args.machine.threads > 0 ? args.machine.threads : cores)
      .run(static_cast<int>(frames.size()), [&](int i, int) {
        const Entry& entry = inventory.entries[static_cast<std::size_t>(i)];
        CheckedFrame& frame = frames[static_cast<std::size_t>(i)];
        frame = check_frame_file(entry.path, limits);
        if (entry.row) check_row(frame, *entry.row, entry.manifest);
      });
  return frames;
}

/// A share of the frames that can be judged, each by its manifest's command or by itself.
std::vector<RenderedAgain> render_share(const CheckArguments& args, const Inventory& inventory,
                                        const std::vector<CheckedFrame>& frames) {
  std::vector<std::size_t> whole;
  for (std::size_t i = 0; i < frames.size(); ++i)
    if (frames[i].record && !frames[i].hash.empty()) whole.push_back(i);
  const double wanted = std::max(1.0, args.render * static_cast<double>(whole.size()) + 0.5);
  std::map<std::size_t, std::vector<const CheckedFrame*>> by_words;
  std::vector<const CheckedFrame*> alone;
  for (const std::size_t place :
       random_places(whole.size(), static_cast<std::size_t>(wanted), args.seed)) {
    const Entry& entry = inventory.entries[whole[place]];
    const CheckedFrame& frame = frames[whole[place]];
    (entry.row && frame.frame ? by_words[entry.words] : alone).push_back(&frame);
  }
  std::vector<RenderedAgain> all = render_from_pictures(alone, args.machine);
  for (const auto& [words, chosen] : by_words) {
    const auto more = render_from_words(chosen, inventory.words[words], args.machine);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

void sort_problems(std::vector<FrameProblem>& problems, const std::string& ignore) {
  const std::string list = "," + ignore + ",";
  std::erase_if(problems, [&](const FrameProblem& problem) {
    return list.find("," + problem.kind + ",") != std::string::npos;
  });
  // a manifest and the numbers may both miss a frame: the one that names a file says more
  std::set<std::optional<int>> missing;
  for (const FrameProblem& problem : problems)
    if (problem.kind == "missing" && !problem.file.empty()) missing.insert(problem.frame);
  std::erase_if(problems, [&](const FrameProblem& problem) {
    return problem.file.empty() && missing.contains(problem.frame);
  });
  std::stable_sort(problems.begin(), problems.end(), [](const auto& a, const auto& b) {
    return std::tie(a.frame, a.file) < std::tie(b.frame, b.file);
  });
}

struct CheckResult {
  int files = 0, numbered = 0;
  int unchecked = 0;  // of the files: of a format without records
  int rounded = 0;    // of the files: JPEG and halves, whose pixels are not those that were hashed
  std::vector<FrameProblem> problems;
  std::vector<RenderedAgain> rendered;
};

std::string result_text(const CheckArguments& args, const CheckResult& result) {
  std::string text;
  for (const FrameProblem& problem : result.problems) {
    const std::string place = problem.file.empty() ? fmt::format("frame {}", *problem.frame)
                                                   : printable_whole(problem.file);
    text += fmt::format("{}: {}: {}\n", place, problem.kind, problem.message);
  }
  int same = 0, bytes = 0;
  for (const RenderedAgain& again : result.rendered) {
    same += again.same_pixels;
    bytes += again.same_bytes;
    if (!again.skipped.empty())
      text +=
          fmt::format("{}: not rendered again: {}\n", printable_whole(again.path), again.skipped);
  }
  text += fmt::format("{} file{}, {} of an animation: {} problem{}\n", result.files,
                      result.files == 1 ? "" : "s", result.numbered, result.problems.size(),
                      result.problems.size() == 1 ? "" : "s");
  if (result.unchecked > 0)
    text += fmt::format("{} cannot be checked, only decoded: a file of this format has no record\n",
                        result.unchecked);
  if (result.rounded > 0)
    text +=
        fmt::format("{} {} rounded pixels (JPEG, halves), decoded but not held against a hash{}\n",
                    result.rounded, result.rounded == 1 ? "has" : "have",
                    args.render > 0 ? "" : "; --render SHARE renders them again");
  if (args.render > 0)
    text += fmt::format("rendered again {} (--seed {}): {} with the same pixels, {} to the byte\n",
                        result.rendered.size(), args.seed, same, bytes);
  return text;
}

std::string result_json(const CheckArguments& args, const CheckResult& result) {
  JsonArray problems, rendered;
  for (const FrameProblem& problem : result.problems) {
    JsonObject json;
    json.add("kind", problem.kind);
    if (!problem.file.empty()) json.add("file", problem.file);
    if (problem.frame) json.add("frame", *problem.frame);
    problems.add_json(json.add("message", problem.message).text());
  }
  for (const RenderedAgain& again : result.rendered) {
    JsonObject json;
    json.add("file", again.path);
    if (again.frame) json.add("frame", *again.frame);
    if (again.skipped.empty())
      json.add("same_pixels", again.same_pixels).add("same_bytes", again.same_bytes);
    else
      json.add("skipped", again.skipped);
    rendered.add_json(json.text());
  }
  JsonObject json;
  json.add("files", result.files).add("frames", result.numbered);
  if (result.unchecked > 0) json.add("unchecked", result.unchecked);
  if (result.rounded > 0) json.add("rounded", result.rounded);
  json.add("ok", result.problems.empty()).add_json("problems", problems.text());
  if (args.render > 0) json.add("seed", args.seed).add_json("rendered", rendered.text());
  return json.text() + "\n";
}

void check_arguments(const CheckArguments& args) {
  if (args.folder.empty() && args.manifests.empty())
    fail(ErrorKind::usage, "check needs a folder of frames, or the --manifest that names them");
  std::string rest = args.ignore;
  while (!rest.empty()) {
    const std::string kind = rest.substr(0, rest.find(','));
    rest.erase(0, kind.size() + 1);
    const bool known = std::find(std::begin(problem_kinds), std::end(problem_kinds), kind) !=
                       std::end(problem_kinds);
    if (!known)
      fail(ErrorKind::usage, "--ignore {}: no such problem; there are {}", printable_whole(kind),
           fmt::join(problem_kinds, ", "));
  }
}

int run_check(const CheckArguments& args) {
  check_arguments(args);
  const Inventory inventory = make_inventory(args);
  const std::vector<CheckedFrame> frames = read_all(args, inventory);
  CheckResult result;
  result.problems = check_together(frames, inventory.expected);
  result.problems.insert(result.problems.end(), inventory.problems.begin(),
                         inventory.problems.end());
  result.files = static_cast<int>(frames.size());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const CheckedFrame& frame = frames[i];
    const bool has_record = frame.format && frame.format->has_texts;
    result.unchecked += !has_record && !inventory.entries[i].row && !frame.hash.empty();
    result.numbered += frame.frame.has_value();
    result.rounded += frame.record && !frame.hash.empty() && !frame.texts.holds_pixels;
  }
  if (args.render > 0) {
    result.rendered = render_share(args, inventory, frames);
    for (const RenderedAgain& again : result.rendered) {
      if (again.skipped.empty() && !again.same_pixels)
        result.problems.push_back(
            {"rendered", again.path, again.frame, "rendered again it has other pixels"});
    }
  }
  sort_problems(result.problems, args.ignore);
  print("{}", args.json ? result_json(args, result) : result_text(args, result));
  return result.problems.empty() ? exit_done : exit_differences;
}

}  // namespace

void add_check(Program& program) {
  Command& command =
      program.command("check", "Check the frames of an animation; exit code 1 if one is wrong");
  const auto args = std::make_shared<CheckArguments>();
  command.input("DIR", args->folder, "Folder of PNG, JPEG or OpenEXR files that kiln made", false);
  command.texts("--manifest", "FILE.tsv", args->manifests,
                "List of kiln animate --manifest; without DIR the files are where it says");
  command.text("--frames", "LIST", args->frames,
               "Frames that have to be there: 0-99, 0-99:2 (default: from the first to the last)");
  command.text("--ignore", "KINDS", args->ignore,
               "Problems to ignore, e.g. black,outlier where a film fades");
  command.group("Rendering again");
  command.number("--render", "SHARE", args->render,
                 "Render this share of the frames again, chosen at random, and compare (0 to 1)",
                 {0, 1});
  command.seed("--seed", args->seed,
               "Which frames (default: another choice every time, which is printed)");
  for (const char* name : {"backend", "threads"}) add_settings(command, name, args->machine);
  command.group("Result");
  command.flag("--json", args->json, "One JSON object on standard output");
  command.bytes("--max-memory", args->max_memory_bytes,
                "Largest picture accepted, in memory (default 4G)");
  command.need("--seed", "--render");
  command.examples({"kiln check out/                              # every frame against its record",
                    "kiln check out/ --frames 0-239 --ignore black",
                    "kiln check --manifest frames.tsv --render 0.05   # and 5 % of them again"});
  command.runs([args, &command] {
    if (!command.given("--seed")) args->seed = std::random_device()();
    return run_check(*args);
  });
}

}  // namespace kiln::cli
