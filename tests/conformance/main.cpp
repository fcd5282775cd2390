// SPDX-License-Identifier: MIT
/// kiln_conformance: is the picture flam3's?
///
/// Renders one flame for each of flam3's variations (drawn by flam3-genome) and one for each
/// feature of the format with kiln and with the real flam3-render, two seeds each, and prints how
/// far apart they are in units of flam3's own noise (distance.h). Ends with 0 if every flame is
/// within the limits, 1 if not, 77 if flam3 is not installed, 2 for wrong usage.
/// --wrong renders with prepared mistakes instead and ends with 0 if each of them is noticed.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "tests/conformance/comparison.h"
#include "tests/conformance/process.h"
#include "tests/conformance/variation_scenes.h"

namespace conformance {
namespace {

namespace fs = std::filesystem;

constexpr int most_left_out = 10;
constexpr int most_exceptions = 5;

/// A flame on which kiln differs from flam3 by decision; with the named quirk emulated it must
/// pass.
struct Exception {
  const char* scene;
  const char* reason;
};
const std::vector<Exception> exceptions{};

struct Arguments {
  std::string kiln = "kiln";
  std::string work = "conformance";
  std::vector<std::string> only;  // parts of scene names; empty: all
  std::string mistake;            // part of a prepared mistake's name; empty: all
  int jobs = std::max(1, int(std::thread::hardware_concurrency()));
  bool full = false, keep = false, cache = true, wrong = false, list = false;
  bool flam3_quirks = false;
  int stand_in_batch = 0;  // > 0: flam3 itself stands in for kiln, with this sub_batch_size
};

const char* const usage =
    "kiln_conformance [--kiln PROGRAM] [--work FOLDER] [--only NAME,NAME...] [--full] [--wrong]\n"
    "                 [--mistake NAME] [--compat] [--jobs N] [--keep] [--no-cache] [--list] "
    "[--stand-in BATCH]\n"
    "  --full      640x360 at quality 2000 instead of 192x108 at 1000 (variations: 250)\n"
    "  --wrong     prepared mistakes instead: each has to be noticed\n"
    "  --mistake   the prepared mistakes with this in their name\n"
    "  --compat    render with kiln's --compat flam3\n"
    "  --stand-in  flam3-render (other seeds, sub_batch_size BATCH) in kiln's place: what chance "
    "does\n";

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    if (comma > at) parts.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return parts;
}

std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    const auto value = [&] { return i + 1 < argc ? std::string(argv[++i]) : std::string(); };
    if (flag == "--kiln") {
      arguments.kiln = value();
    } else if (flag == "--work") {
      arguments.work = value();
    } else if (flag == "--only") {
      arguments.only = split(value());
    } else if (flag == "--mistake") {
      arguments.mistake = value();
    } else if (flag == "--jobs") {
      arguments.jobs = std::max(1, std::atoi(value().c_str()));
    } else if (flag == "--stand-in") {
      arguments.stand_in_batch = std::max(1, std::atoi(value().c_str()));
    } else if (flag == "--full") {
      arguments.full = true;
    } else if (flag == "--wrong") {
      arguments.wrong = true;
    } else if (flag == "--keep") {
      arguments.keep = true;
    } else if (flag == "--compat") {
      arguments.flam3_quirks = true;
    } else if (flag == "--no-cache") {
      arguments.cache = false;
    } else if (flag == "--list") {
      arguments.list = true;
    } else {
      return std::nullopt;
    }
  }
  return arguments;
}

bool wanted(const Arguments& arguments, const std::string& name) {
  if (arguments.only.empty()) return true;
  return std::any_of(arguments.only.begin(), arguments.only.end(),
                     [&](const std::string& part) { return name.find(part) != std::string::npos; });
}

const char* word(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
      return "ok";
    case Verdict::failed:
      return "FAIL";
    case Verdict::left_out:
      return "left out";
    case Verdict::error:
      break;
  }
  return "ERROR";
}

void print_head() {
  fmt::print("{:<28} {:>6} {:>6} {:>6} {:>5} {:>7} {:>7} {:>7} {:>8}  {}\n", "flame", "mean",
             "noise", "bad", "seeds", "pixels", "boxes", "bias", "light", "verdict");
}

void print_row(const Row& row) {
  fmt::print(
      "{:<28} {:>6.1f} {:>6.2f} {:>5.1f}% {:>5} {:>7.3f} {:>7.3f} {:>7.3f} {:>7.3f}%  {} {}\n",
      row.name, row.distance.mean, row.distance.noise, 100 * row.bad, row.seeds,
      row.distance.pixel_ratio, row.distance.box_ratio, row.distance.bias, 100 * row.distance.light,
      word(row.verdict), row.note);
  std::fflush(stdout);
}

/// Calls `task(i)` for every i below `count`, on `jobs` threads.
template <class Task>
void in_parallel(int count, int jobs, Task&& task) {
  std::atomic<int> next{0};
  std::vector<std::jthread> workers;
  for (int worker = 0; worker < std::min(jobs, count); ++worker) {
    workers.emplace_back([&] {
      for (int i = next++; i < count; i = next++) task(i);
    });
  }
}

// Median and extremes of a column over the rows that were judged.
void print_spread(const char* name, const std::vector<Row>& rows, double Distance::*column) {
  std::vector<double> values;
  for (const Row& row : rows) {
    if (row.verdict == Verdict::passed || row.verdict == Verdict::failed) {
      values.push_back(row.distance.*column);
    }
  }
  if (values.empty()) return;
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) { return values[size_t(share * double(values.size() - 1))]; };
  fmt::print(
      "  {:<7} smallest {:>8.4f}  5 % {:>8.4f}  median {:>8.4f}  95 % {:>8.4f}  largest {:>8.4f}\n",
      name, at(0), at(0.05), at(0.5), at(0.95), at(1));
}

/// The scenes asked for: those written here, then those drawn for each variation.
std::vector<Scene> collect_scenes(const Arguments& arguments, const Format& format,
                                  const Flam3& probe, std::vector<Row>& problems) {
  std::set<std::string> tried;
  for (const Mistake& mistake : prepared_mistakes())
    tried.insert(mistake.scenes.begin(), mistake.scenes.end());
  std::vector<Scene> scenes;
  // a mistake that is hardly above a limit shows in all samples alone
  Format whole = format;
  whole.part = 1;
  const std::vector<Scene> all = feature_scenes(whole), fewer = feature_scenes(format);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Scene& scene = tried.contains(all[i].name) ? all[i] : fewer[i];
    if (wanted(arguments, scene.name)) scenes.push_back(scene);
  }
  for (const auto& written : {slow_scenes, half_turn_scenes, frame_scenes}) {
    for (const Scene& scene : written(format)) {
      if (wanted(arguments, scene.name)) scenes.push_back(scene);
    }
  }
  // flam3 takes a second and a half for a picture at quality 500: more is for --full. A coefficient
  // that is 1 % off hides in the noise of less.
  Format drawn_format = format, tried_format = format;
  if (!arguments.full) {
    drawn_format.quality = 250;
    tried_format.quality = 500;
  }
  const auto& variations = variation_names();
  const int variation_count = int(variations.size());
  std::vector<std::optional<Scene>> drawn(variations.size() + random_count);
  std::mutex mutex;
  in_parallel(int(drawn.size()), arguments.jobs, [&](int i) {
    const bool random = i >= variation_count;
    const int number = random ? i - variation_count : i;
    const std::string name =
        random ? random_name(number) : fmt::format("v{:02}_{}", number, variations[number]);
    if (!wanted(arguments, name)) return;
    try {
      drawn[i] = random ? random_scene(number, drawn_format, probe)
                        : variation_scene(
                              number, tried.contains(name) ? tried_format : drawn_format, probe);
    } catch (const std::exception& problem) {
      const std::lock_guard lock(mutex);
      Row row;
      row.name = name;
      row.note = problem.what();
      problems.push_back(row);
    }
  });
  for (const auto& scene : drawn) {
    if (scene) scenes.push_back(*scene);
  }
  return scenes;
}

const Exception* find_exception(const std::string& name) {
  for (const Exception& exception : exceptions) {
    if (exception.scene == name) return &exception;
  }
  return nullptr;
}

/// An excepted flame has to pass with flam3's quirks emulated: the difference is the decision,
/// nothing else.
Row compare_with_exceptions(const Scene& scene, const Setting& setting, const Renderer& quirky) {
  const Exception* exception = find_exception(scene.name);
  Row row = compare(scene, setting);
  if (exception == nullptr || row.verdict != Verdict::failed) return row;
  Setting emulated = setting;
  emulated.ours = &quirky;
  row = compare(scene, emulated);
  row.note = fmt::format("with --compat flam3: {} {}", exception->reason, row.note);
  return row;
}

int run_comparison(const Arguments& arguments, const std::vector<Scene>& scenes,
                   const Setting& setting, const Renderer& quirky, std::vector<Row> rows) {
  print_head();
  for (const Row& row : rows) print_row(row);
  std::mutex mutex;
  in_parallel(int(scenes.size()), arguments.jobs, [&](int i) {
    const Row row = compare_with_exceptions(scenes[i], setting, quirky);
    const std::lock_guard lock(mutex);
    print_row(row);
    rows.push_back(row);
  });

  int count[4] = {};
  for (const Row& row : rows) ++count[int(row.verdict)];
  const int left_out = count[int(Verdict::left_out)];
  print_spread("pixels", rows, &Distance::pixel_ratio);
  print_spread("boxes", rows, &Distance::box_ratio);
  print_spread("bias", rows, &Distance::bias);
  print_spread("light", rows, &Distance::light);
  fmt::print(
      "{} flames: {} within the limits, {} outside, {} left out (at most {}), {} errors; "
      "{} exceptions (at most {})\n",
      rows.size(), count[int(Verdict::passed)], count[int(Verdict::failed)], left_out,
      most_left_out, count[int(Verdict::error)], exceptions.size(), most_exceptions);
  const bool good = count[int(Verdict::failed)] == 0 && count[int(Verdict::error)] == 0 &&
                    left_out <= most_left_out && exceptions.size() <= most_exceptions &&
                    count[int(Verdict::passed)] > 0;
  return good ? 0 : 1;
}

/// A prepared mistake on one scene.
struct Trial {
  const Mistake* mistake;
  const Scene* scene;
  Row row = {};
};

/// All trials side by side: of most mistakes alone there are too few to keep all cores busy.
int run_mistakes(const Arguments& arguments, const std::vector<Scene>& all, Setting setting) {
  setting.failed_folder.clear();  // failing is what they are for
  setting.most_seeds = 8;
  const std::vector<Mistake> mistakes = prepared_mistakes();
  std::vector<Trial> trials;
  for (const Mistake& mistake : mistakes) {
    if (mistake.name.find(arguments.mistake) == std::string::npos) continue;
    for (const Scene& scene : all) {
      const auto& names = mistake.scenes;
      // scenes asked for by name are tried with every mistake that applies to them
      const bool chosen = !arguments.only.empty() ||
                          std::find(names.begin(), names.end(), scene.name) != names.end();
      const bool applies = !mistake.on_flame || !mistake.on_flame(scene.xml).empty();
      if (chosen && applies) trials.push_back({&mistake, &scene});
    }
  }
  in_parallel(int(trials.size()), arguments.jobs, [&](int i) {
    Trial& trial = trials[size_t(i)];
    const Mistaken wrong(*setting.ours, *setting.reference, *trial.mistake);
    Setting mistaken = setting;
    mistaken.ours = &wrong;
    trial.row = compare(*trial.scene, mistaken);
  });
  int missed = 0;
  for (const Mistake& mistake : mistakes) {
    int count = 0, noticed = 0;
    for (const Trial& trial : trials) {
      if (trial.mistake != &mistake) continue;
      if (count++ == 0) {
        fmt::print("\n{}\n", mistake.name);
        print_head();
      }
      print_row(trial.row);
      noticed += trial.row.verdict == Verdict::failed;
    }
    if (count > 0) fmt::print("noticed on {} of {} flames\n", noticed, count);
    missed += count - noticed;
  }
  fmt::print("\n{} prepared mistakes, {} not noticed\n", trials.size(), missed);
  return !trials.empty() && missed == 0 ? 0 : 1;
}

// Of the renderers that ended, all cores together: what a run costs however busy the machine is.
double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

int run(const Arguments& arguments) {
  const auto start = std::chrono::steady_clock::now();
  const Format format = arguments.full ? Format{640, 360, 2000, 1} : Format{};
  const fs::path work = fs::absolute(arguments.work);
  const fs::path passing = work / "passing", cache = work / "references";
  fs::remove_all(passing);
  fs::remove_all(work / "failed");
  fs::create_directories(passing);
  fs::create_directories(cache);

  Flam3 flam3;
  flam3.work_folder = passing;
  flam3.cache_folder = arguments.cache ? cache.string() : "";
  flam3.limit_seconds = arguments.full ? 1200 : 120;
  Flam3 stand_in = flam3;
  stand_in.sub_batch_size = arguments.stand_in_batch;
  Kiln kiln;
  kiln.program = find_program(arguments.kiln);
  kiln.work_folder = passing;
  kiln.flam3_quirks = arguments.flam3_quirks;
  kiln.limit_seconds = flam3.limit_seconds;
  Kiln quirky = kiln;
  quirky.flam3_quirks = true;
  if (arguments.stand_in_batch == 0 && kiln.program.empty()) {
    fmt::print(stderr, "no program \"{}\": name it with --kiln\n", arguments.kiln);
    return 2;
  }

  Setting setting;
  setting.reference = &flam3;
  setting.ours = arguments.stand_in_batch > 0 ? static_cast<const Renderer*>(&stand_in) : &kiln;
  setting.failed_folder = (work / "failed").string();

  std::vector<Row> problems;
  Arguments selection = arguments;
  if (arguments.wrong && arguments.only.empty()) {
    for (const Mistake& mistake : prepared_mistakes()) {
      selection.only.insert(selection.only.end(), mistake.scenes.begin(), mistake.scenes.end());
    }
  }
  const std::vector<Scene> scenes = collect_scenes(selection, format, flam3, problems);
  fmt::print("{} flames drawn and written in {:.0f} s of processor time\n", scenes.size(),
             processor_seconds());
  if (arguments.keep || arguments.list) {
    fs::create_directories(work / "flames");
    for (const Scene& scene : scenes) {
      write_text((work / "flames" / (scene.name + ".flam3")).string(), scene.xml);
    }
  }
  if (arguments.list) {
    for (const Scene& scene : scenes) fmt::print("{:<28} {}\n", scene.name, scene.origin);
    return 0;
  }
  const int result = arguments.wrong ? run_mistakes(arguments, scenes, setting)
                                     : run_comparison(arguments, scenes, setting, quirky, problems);
  if (!arguments.keep) fs::remove_all(passing);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  fmt::print("{:.0f} s, {:.0f} s of processor time\n", seconds.count(), processor_seconds());
  return result;
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  const auto arguments = parse(argc, argv);
  if (!arguments) {
    fmt::print(stderr, "{}", usage);
    return 2;
  }
  if (find_program("flam3-render").empty() || find_program("flam3-genome").empty()) {
    fmt::print("skipped: flam3-render and flam3-genome are not installed (Debian: flam3-utils)\n");
    return 77;
  }
  try {
    return run(*arguments);
  } catch (const std::exception& problem) {
    fmt::print(stderr, "{}\n", problem.what());
    return 1;
  }
}
