// SPDX-License-Identifier: MIT
// kiln under the names of flam3's programs: flam3-render, -animate, -genome and -convert. What those take
// from the environment becomes a command line of kiln (docs/use/coming-from.md), so that scripts which call
// them need no change: the names of files, what is said on standard error, exit code 1 for every failure.
// Where flam3 draws a seed from the clock, flam3-genome does too, and pictures have kiln's usual one.
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <new>

#include "cli/commands/commands.h"
#include "cli/options/option_value.h"
#include "cli/says/console.h"
#include "engine/base/error.h"
#include "engine/base/platform/process.h"
#include "engine/base/platform/terminal.h"
#include "engine/base/text.h"
#include "engine/io/file/input_file.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/model/variations.h"

namespace kiln::cli {
namespace {

using Words = std::vector<std::string>;

/// A variable of the environment; an empty one counts as not set.
std::optional<std::string> variable(const char* name) {
  const char* const text = std::getenv(name);
  return text && *text ? std::optional<std::string>(text) : std::nullopt;
}

bool is_on(const char* name) { return variable(name).value_or("0") != "0"; }

/// "--quality-scale 0.5" of qs=0.5, if it is set.
void pass_on(Words& words, const char* name, const char* option) {
  if (const auto text = variable(name)) words.insert(words.end(), {option, *text});
}

void flag(Words& words, const char* name, const char* option) {
  if (is_on(name)) words.emplace_back(option);
}

/// Adds the author, where flam3 writes it too.
void add_credits(Words& words) {
  for (const char* credit : {"nick", "url"})
    if (const auto text = variable(credit))
      words.insert(words.end(), {"--set", std::string(credit) + "=" + *text});
}

/// The name of a file that a variable gives: never an option.
std::optional<std::string> file_of(const char* name) {
  std::optional<std::string> file = variable(name);
  if (file && file->front() == '-') file->insert(0, "./");
  return file;
}

/// The template of names that stands for this very text.
std::string literal(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == '{' || c == '}' || c == '%') out += c;
    if (c == '#')
      fail(ErrorKind::usage, "{}: kiln's names of pictures have no #",
           printable_whole(std::string(text)));
  }
  return out;
}

/// Numbers count as they are; of other texts, which isaac_seed may be, the hash does.
std::string seed_of(const std::string& text) {
  if (text.find_first_not_of("0123456789") == std::string::npos && text.size() < 19) return text;
  return std::to_string(std::stoull(bytes_hash(text).substr(0, 15), nullptr, 16));
}

std::string seed_of_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(now).count() +
                        process_id());
}

// ---- flam3-render, flam3-animate ----

std::string ending_of_format() {
  const std::string format = variable("format").value_or("png");
  if (format == "png" || format == "jpg" || format == "ppm") return format;
  fail(ErrorKind::usage, "format must be either jpg, ppm, or png, not {}.",
       printable_whole(format));
}

/// Adds the words that both programs share.
void add_picture_words(Words& words) {
  pass_on(words, "qs", "--quality-scale");
  pass_on(words, "ss", "--scale");
  pass_on(words, "pixel_aspect", "--pixel-aspect");
  pass_on(words, "nthreads", "--threads");
  const std::string format = ending_of_format();
  if (format == "png") {
    pass_on(words, "bpc", "--bits");
    flag(words, "transparency", "--transparent");
  }
  if (format == "jpg") pass_on(words, "jpeg", "--jpeg-quality");
  flag(words, "earlyclip", "--earlyclip");
  if (const auto seed = variable("isaac_seed"))
    words.insert(words.end(), {"--seed", seed_of(*seed)});
  add_credits(words);
  words.insert(words.end(), {"--progress", "flam3"});
  if (variable("verbose").value_or("1") == "0") words.emplace_back("--quiet");
}

/// The name of each picture: `out`, or `prefix` before what `number` is a template of.
void add_output(Words& words, const std::string& number) {
  const std::string name =
      literal(variable("prefix").value_or("")) + number + "." + ending_of_format();
  const auto out = variable("out");
  words.insert(words.end(), {"-o", out ? literal(*out) : name, "--force"});
}

Words words_for_render() {
  Words words = {"render", file_of("in").value_or("-")};
  add_output(words, is_on("name_enable") ? "{name}" : "%05d");
  add_picture_words(words);
  if (const auto bytes = variable("use_mem"))  // a floating point number
    words.insert(words.end(), {"--max-memory",
                               fmt::format("{:.0f}", number_value("use_mem", *bytes, {1, 1e18}))});
  return words;
}

Words words_for_animate() {
  if (is_on("fields")) fail(ErrorKind::usage, "fields=1: kiln does not make fields");
  Words words = {"animate", file_of("in").value_or("-")};
  add_output(words, "%05d");
  add_picture_words(words);
  const auto time = variable("time") ? variable("time") : variable("frame");
  if (time) {
    words.insert(words.end(), {"--begin", *time, "--end", *time});
  } else {
    pass_on(words, "begin", "--begin");
    pass_on(words, "end", "--end");
  }
  pass_on(words, "dtime", "--dtime");
  return words;
}

// ---- flam3-genome ----

/// The names of a list of numbers: 0,13,52.
std::string variation_names(const char* name, const std::string& list) {
  std::string names;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const int number = whole_value(name, list.substr(begin, end - begin), {0, 98});
    names += (names.empty() ? "" : ",") + std::string(variations()[std::size_t(number)].name);
    begin = end + 1;
  }
  return names;
}

/// One of the flames of a file, as flam3-genome takes one by chance: its number for --flame.
std::string one_of(const std::string& path, std::uint64_t seed) {
  return std::to_string(seed % read_flames(path, {}).flames.size());
}

void add_chance(Words& words, const std::string& seed) {
  words.insert(words.end(), {"--count", variable("repeat").value_or("1"), "--seed", seed});
}

Words random_words(const std::string& seed) {
  Words words = {"random"};
  add_chance(words, seed);
  if (!variable("template")) words.insert(words.end(), {"--size", "100x100", "--quality", "1"});
  if (const auto list = variable("use_vars"); list && (*list)[0] != '-')
    words.insert(words.end(), {"--variations", variation_names("use_vars", *list)});
  if (const auto list = variable("dont_use_vars"))
    words.insert(words.end(), {"--without", variation_names("dont_use_vars", *list)});
  pass_on(words, "symmetry", "--symmetry");
  if (variable("flam3_palettes")) pass_on(words, "flam3_palettes", "--palettes");
  return words;
}

/// The first of flam3-genome's jobs that the environment asks for, in flam3's order.
Words genome_job(const std::string& seed) {
  const std::uint64_t number = std::strtoull(seed.c_str(), nullptr, 10);
  const std::string frame = variable("frame").value_or("0"),
                    nframes = variable("nframes").value_or("100");
  if (const auto file = file_of("clone_all")) return {"genome", "clone", *file};
  if (const auto file = file_of("animate")) {
    Words words = {"sequence", *file, "--in-betweens"};
    pass_on(words, "begin", "--begin");
    pass_on(words, "end", "--end");
    pass_on(words, "stagger", "--stagger");
    return words;
  }
  if (const auto file = file_of("sequence")) {
    Words words = {"sequence", *file, "--nframes", nframes};
    pass_on(words, "loops", "--loops");
    pass_on(words, "stagger", "--stagger");
    flag(words, "unsmoother", "--steady");
    return words;
  }
  for (const char* way : {"inter", "rotate"}) {
    if (const auto file = file_of(way)) {
      Words words = {"sequence", *file, "--frame", frame, "--nframes", nframes};
      pass_on(words, "stagger", "--stagger");
      flag(words, "unsmoother", "--steady");
      return words;
    }
  }
  if (const auto file = file_of("strip"))
    return {"genome", "strip", *file, "--count", nframes, "--only", frame};
  if (const auto file = file_of("clone"))
    return {"genome", "clone", *file, "--flame", one_of(*file, number)};
  if (const auto file = file_of("mutate")) {
    Words words = {"mutate", *file, "--flame", one_of(*file, number)};
    add_chance(words, seed);
    return words;
  }
  if (const auto one = file_of("cross0")) {
    const auto other = file_of("cross1");
    if (!other) fail(ErrorKind::usage, "cross0 and cross1 are given together");
    Words words = {"breed", *one, *other};
    add_chance(words, seed);
    if (const auto method = variable("method"))
      words.insert(words.end(), {"--method", *method == "union" ? "unite" : *method});
    return words;
  }
  return random_words(seed);
}

Words genome_words() {
  const std::string seed = variable("seed") ? seed_of(*variable("seed")) : seed_of_now();
  Words words = genome_job(seed);
  pass_on(words, "template", "--template");
  add_credits(words);
  if (is_on("noedits")) words.emplace_back("--no-history");
  words.insert(words.end(), {"-o", "-", "--quiet"});
  return words;
}

/// The old format, which the reader knows by its words.
Words convert_words() { return {"convert", "-", "-o", "-", "--quiet"}; }

// ---- the programs ----

struct Named {
  const char* name;
  Words (*words)();
};
constexpr std::array<Named, 4> programs = {{
    {"flam3-render", words_for_render},
    {"flam3-animate", words_for_animate},
    {"flam3-genome", genome_words},
    {"flam3-convert", convert_words},
}};

void say_help(const char* name) {
  print(
      "{} of kiln {}: options are variables of the environment, as of flam3's program of this "
      "name.\n"
      "For example: env in=rose.flam3 prefix=rose. qs=2 flam3-render\n"
      "All of them, and what becomes of each: docs/use/coming-from.md. kiln itself: kiln --help\n",
      name, KILN_VERSION);
}

int run_named(const Named& named, Program& program, int argc, char** argv) {
  if (argc > 1) {
    say_help(named.name);
    return std::string_view(argv[1]) == "--version" ? 0 : 1;
  }
  Words words = named.words();
  words.insert(words.begin(), argv[0]);
  if ((named.words == words_for_render || named.words == words_for_animate) &&
      !is_standard_output(variable("out").value_or("")))
    silence_standard_output();  // flam3's programs say nothing there but flames
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  return program.run(int(pointers.size()), pointers.data());
}

}  // namespace

std::optional<int> run_flam3_name(Program& program, int argc, char** argv) {
  const std::string name = std::filesystem::path(argc > 0 ? argv[0] : "").stem().string();
  for (const Named& named : programs) {
    if (name != named.name) continue;
    try {
      return run_named(named, program, argc, argv) == 0 ? 0 : 1;
    } catch (const Error& error) {
      say("{}\n", printable_whole(error.what()));
      return 1;
    }
  }
  return {};
}

}  // namespace kiln::cli
