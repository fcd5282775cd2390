// SPDX-License-Identifier: MIT
/// kiln_genome_conformance: are interpolated genomes and sequences flam3's?
///
/// Draws key flames (genome_pairs.h), has flam3-genome make turns, transitions, sequences and
/// in-betweens of them, makes the same with engine/animation, and compares every number. Ends with
/// 0 if all agree to five digits, 1 if not, 77 if flam3 is not installed, 2 for wrong usage.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string_view>

#include "engine/animation/frame_at.h"
#include "engine/animation/interpolate.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "tests/conformance/genome_distance.h"
#include "tests/conformance/genome_pairs.h"
#include "tests/conformance/process.h"
#include "tests/conformance/renderers.h"

namespace conformance {
namespace {

namespace fs = std::filesystem;
using kiln::Flame;

struct Arguments {
  std::string work = "conformance";
  int cases = 100;  // of each kind
  int only = -1;    // one case
  std::string kind;
  bool keep = false;
};

const char* const usage =
    "kiln_genome_conformance [--work FOLDER] [--cases N] [--kind NAME] [--case N] [--keep]\n"
    "  --cases  key flames drawn for each kind (default 100; the full run: 2000)\n"
    "  --kind   turn, transition, sequence or in-betweens alone\n"
    "  --case   one of them alone; --keep leaves its files in the work folder\n";

/// One question for both.
struct Question {
  std::vector<Flame> keys;
  std::vector<std::string> variables;  // for flam3-genome; the file of keys is IN
  std::vector<Flame> ours;
};

/// A multiple of 1/16 that is often 0; always for two flames of one xform, where flam3 divides 0 by
/// 0.
double stagger_of(int number, const std::vector<Flame>& keys) {
  for (std::size_t i = 1; i < keys.size(); ++i)
    if (std::max(keys[i - 1].xforms.size(), keys[i].xforms.size()) < 2) return 0;
  return number % 3 == 0 ? double(number / 3 % 17) / 16 : 0;
}

/// Key flames as XML, in one file.
std::string file_of(const std::vector<Flame>& keys) {
  std::string file = "<keys>\n";
  for (const Flame& key : keys) file += kiln::genome_xml(key);
  return file + "</keys>\n";
}

/// Random keys as they are after reading: that makes the outer segments linear and unwinds
/// rotations.
std::vector<Flame> read_keys(int seed, int count, int first_time = 0) {
  const std::string file = file_of(random_keys(std::uint64_t(seed), count, first_time));
  return kiln::parse_flames(file, "keys", {}).flames;
}

Question turn(int number) {
  Question q{read_keys(number, 1), {}, {}};
  const int nframes = 2 + number % 9, frame = number % (nframes + 1);
  q.variables = {"rotate=IN", fmt::format("frame={}", frame), fmt::format("nframes={}", nframes)};
  kiln::SequenceOptions options;
  options.nframes = nframes;
  for (Flame& flame : kiln::frame_with_neighbors(q.keys, frame, options))
    q.ours.push_back(std::move(flame));
  return q;
}

Question transition(int number) {
  Question q{read_keys(number, 2), {}, {}};
  const int nframes = 2 + number % 9, frame = number % (nframes + 1);
  kiln::SequenceOptions options;
  options.nframes = nframes;
  options.stagger = stagger_of(number, q.keys);
  options.smooth = number % 4 != 0;
  q.variables = {"inter=IN", fmt::format("frame={}", frame), fmt::format("nframes={}", nframes),
                 fmt::format("stagger={}", options.stagger),
                 fmt::format("unsmoother={}", options.smooth ? 0 : 1)};
  for (Flame& flame : kiln::frame_with_neighbors(q.keys, frame, options))
    q.ours.push_back(std::move(flame));
  return q;
}

Question sequence(int number) {
  Question q{read_keys(number, 1 + number % 3), {}, {}};
  kiln::SequenceOptions options;
  options.nframes = 1 + number % 4;
  options.loops = number % 2;
  options.stagger = stagger_of(number, q.keys);
  q.variables = {"sequence=IN", fmt::format("nframes={}", options.nframes),
                 fmt::format("loops={}", options.loops),
                 fmt::format("stagger={}", options.stagger)};
  q.ours = kiln::make_sequence(q.keys, options);
  return q;
}

Question in_betweens(int number) {
  const int first_time = number % 7 - 3;
  Question q{read_keys(number, 2 + number % 4, first_time), {}, {}};
  const int begin = first_time - number % 3;
  const int end = int(q.keys.back().time) + number % 2;
  const double stagger = stagger_of(number, q.keys);
  q.variables = {"animate=IN", fmt::format("begin={}", begin), fmt::format("end={}", end),
                 fmt::format("stagger={}", stagger)};
  q.ours = kiln::in_betweens(q.keys, begin, end, stagger);
  return q;
}

const std::vector<std::pair<std::string, Question (*)(int)>> kinds = {{"turn", turn},
                                                                      {"transition", transition},
                                                                      {"sequence", sequence},
                                                                      {"in-betweens", in_betweens}};

/// Each <flame> of flam3's answer by itself: together, reading would change rotations and segments.
std::vector<Flame> flames_in(const std::string& answer) {
  std::vector<Flame> flames;
  for (std::size_t at = answer.find("<flame "); at != std::string::npos;
       at = answer.find("<flame ", at + 1)) {
    const std::string_view end_tag = "</flame>";
    const std::size_t end = answer.find(end_tag, at);
    if (end == std::string::npos) throw std::runtime_error("flam3-genome: half a flame");
    const std::string xml = answer.substr(at, end + end_tag.size() - at);
    flames.push_back(kiln::parse_flames(xml, "flam3-genome", {}).flames.at(0));
    if (xml.find(" interpolation=\"smooth\"") != std::string::npos)
      flames.back().interpolation = kiln::Interpolation::smooth;
  }
  return flames;
}

std::vector<Flame> ask_flam3(const Question& question, const std::string& folder, bool keep) {
  const std::string path = folder + "/keys.flam3";
  write_text(path, file_of(question.keys));
  std::vector<std::string> variables = question.variables;
  variables[0].replace(variables[0].find("IN"), 2, path);
  const Ended ended = run_program({"flam3-genome"}, variables, folder + "/answer.log", 20);
  if (!ended.ok()) throw std::runtime_error("flam3-genome: " + ended.output);
  if (keep) write_text(folder + "/answer.flam3", ended.output);
  return flames_in(ended.output);
}

std::vector<std::string> compare(const std::vector<Flame>& ours, const std::vector<Flame>& theirs) {
  if (ours.size() != theirs.size())
    return {fmt::format("{} flames instead of {}", ours.size(), theirs.size())};
  std::vector<std::string> all;
  for (std::size_t i = 0; i < ours.size(); ++i)
    for (const std::string& text : differences(ours[i], theirs[i]))
      all.push_back(fmt::format("flame {}: {}", i, text));
  return all;
}

/// Says what differs; false if anything does.
bool passes(const std::string& kind, int number, const Question& question,
            const std::vector<Flame>& theirs) {
  constexpr std::size_t most_shown = 6;
  const std::vector<std::string> found = compare(question.ours, theirs);
  if (found.empty()) return true;
  fmt::print("{} {}: {} numbers differ ({})\n", kind, number, found.size(),
             fmt::join(question.variables, " "));
  for (std::size_t i = 0; i < std::min(found.size(), most_shown); ++i)
    fmt::print("    {}\n", found[i]);
  return false;
}

int run(const Arguments& arguments) {
  const std::string folder = fmt::format("{}/genomes-{}", arguments.work, getpid());
  fs::create_directories(folder);
  int failed = 0;
  for (const auto& [kind, make] : kinds) {
    if (!arguments.kind.empty() && arguments.kind != kind) continue;
    int cases = 0, flames = 0, bad = 0;
    for (int number = 1; number <= arguments.cases; ++number) {
      if (arguments.only >= 0 && arguments.only != number) continue;
      const Question question = make(number);
      const std::vector<Flame> theirs = ask_flam3(question, folder, arguments.keep);
      bad += passes(kind, number, question, theirs) ? 0 : 1;
      flames += int(theirs.size());
      ++cases;
    }
    fmt::print("{}: {} cases, {} flames, {} differ\n", kind, cases, flames, bad);
    failed += bad;
  }
  if (!arguments.keep) fs::remove_all(folder);
  return failed == 0 ? 0 : 1;
}

bool parse(int argc, char** argv, Arguments& arguments) {
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    const std::string value = i + 1 < argc ? argv[i + 1] : "";
    if (flag == "--keep") {
      arguments.keep = true;
      continue;
    }
    if (value.empty()) return false;
    if (flag == "--work") {
      arguments.work = value;
    } else if (flag == "--cases") {
      arguments.cases = std::atoi(value.c_str());
    } else if (flag == "--kind") {
      arguments.kind = value;
    } else if (flag == "--case") {
      arguments.only = std::atoi(value.c_str());
      arguments.cases = std::max(arguments.cases, arguments.only);
    } else {
      return false;
    }
    ++i;
  }
  return true;
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  Arguments arguments;
  if (!parse(argc, argv, arguments)) {
    fmt::print(stderr, "{}", usage);
    return 2;
  }
  if (find_program("flam3-genome").empty()) {
    fmt::print("skipped: flam3-genome is not installed (Debian: flam3-utils)\n");
    return 77;
  }
  try {
    return run(arguments);
  } catch (const std::exception& problem) {
    fmt::print(stderr, "{}\n", problem.what());
    return 1;
  }
}
