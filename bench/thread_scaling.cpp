// SPDX-License-Identifier: MIT
// What threads of the CPU buy beside the machine's own limit: arithmetic in registers, the chaos game of flames, and sheets of
// small pictures, each at 1, 2, 4 ... threads, with so much more to do; median of rounds in which all take turns.
//   thread_scaling KILN ROUNDS FLAME... [SHEET-OF-FLAMES]     the last file with more than one flame is for the sheet
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/child_process.h"
#include "bench/registers_only.h"
#include "engine/base/cores.h"
#include "engine/io/flame/flame_reader.h"

namespace {

using namespace kiln;

constexpr double quality_of_one = 40;  // of a flame at 1920x1080, times the threads
constexpr double quality_of_small = 10;

struct Subject {
  std::string name;
  std::vector<std::string> command;  // without threads and quality
  bool is_sheet = false;
};

/// Work a second.
double rate_of(const Subject& subject, int threads, const std::string& folder) {
  std::vector<std::string> command = subject.command;
  const double quality = subject.is_sheet ? quality_of_small : quality_of_one * threads;
  for (const std::string& word : {std::string("--threads"), std::to_string(threads),
                                  std::string("--quality"), fmt::format("{}", quality)})
    command.push_back(word);
  const bench::Cost cost = bench::run(command, {}, folder + "/answer.json");
  return subject.is_sheet ? 1 / cost.wall_s
                          : quality / bench::number_in(folder + "/answer.json", "iterate_s");
}

std::vector<Subject> subjects_of(const std::string& kiln, char** first, char** last,
                                 const std::string& folder) {
  std::vector<Subject> subjects;
  for (char** file = first; file < last; ++file) {
    const std::string name = std::filesystem::path(*file).stem();
    if (read_flames(*file, {}).flames.size() > 1) {
      subjects.push_back({"sheet of " + name,
                          {kiln, "sheet", *file, "-o", folder + "/sheet.png", "--force", "--size",
                           "128x128", "--backend", "cpu", "--quiet"},
                          true});
    } else {
      subjects.push_back({name,
                          {kiln, "render", *file, "-o", folder + "/still.png", "--force", "--width",
                           "1920", "--backend", "cpu", "--quiet", "--json"}});
    }
  }
  return subjects;
}

void measure(const std::string& kiln, int rounds, char** first, char** last,
             const std::string& folder) {
  const std::vector<Subject> subjects = subjects_of(kiln, first, last, folder);
  std::vector<int> counts;
  for (int threads = 1; threads < usable_cores(); threads *= 2) counts.push_back(threads);
  counts.push_back(usable_cores());

  std::map<std::pair<std::size_t, int>, std::vector<double>> rates;  // the machine's own come last
  for (int round = 0; round < rounds; ++round)
    for (const int threads : counts) {
      for (std::size_t s = 0; s < subjects.size(); ++s)
        rates[{s, threads}].push_back(rate_of(subjects[s], threads, folder));
      rates[{subjects.size(), threads}].push_back(bench::registers_only(threads, 500'000'000));
    }

  const auto gain = [&](std::size_t subject, int threads) {
    return bench::median(rates[{subject, threads}]) / bench::median(rates[{subject, 1}]);
  };
  fmt::print("| threads | arithmetic |");
  for (const Subject& subject : subjects) fmt::print(" {} |", subject.name);
  fmt::print("\n|---|---|");
  for (std::size_t s = 0; s < subjects.size(); ++s) fmt::print("---|");
  for (const int threads : counts) {
    const double limit = gain(subjects.size(), threads);
    fmt::print("\n| {} | {:.2f} |", threads, limit);
    for (std::size_t s = 0; s < subjects.size(); ++s)
      fmt::print(" {:.2f} ({:.2f}) |", gain(s, threads), gain(s, threads) / limit);
  }
  fmt::print("\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: thread_scaling KILN ROUNDS FLAME... [FLAMES]\n");
    return 2;
  }
  std::string folder = std::filesystem::temp_directory_path() / "thread_scaling.XXXXXX";
  if (!mkdtemp(folder.data())) return 5;
  int code = 0;
  try {
    measure(argv[1], std::atoi(argv[2]), argv + 3, argv + argc, folder);
  } catch (const std::exception& error) {
    fmt::print(stderr, "thread_scaling: {}\n", error.what());
    code = 6;
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return code;
}
