// SPDX-License-Identifier: MIT
// kiln animate on the CPU beside the installed flam3-animate: the same key flames, sizes, samples
// and temporal samples, whole programs with reading, density estimation and PNG files, both on two
// threads, in turns; each figure is the median of its rounds. User CPU seconds are what to look at
// where other programs use the cores too. Usage: animate_vs_flam3 KILN FLAMES [rounds, default 3]
//   FLAMES is the folder flames/ of the source
#include <stdlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "bench/child_process.h"
#include "engine/animation/frame_at.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"

namespace {

using namespace kiln;
using bench::Cost;

/// What is animated: the keys of a file, or files as a sequence.
struct Subject {
  const char* name;
  std::vector<const char*> flames;
  bool sequence;
  double begin, end, step;  // times of the frames
};
const Subject subjects[] = {{"tides, keys", {"tides"}, false, 10, 100, 30},
                            {"rosewindow, turning", {"rosewindow"}, true, 10, 85, 25},
                            {"conch to pearls", {"conch", "pearls"}, true, 110, 185, 25}};

struct Setting {
  int width, height;
  double quality;
  int temporal_samples;
};
constexpr Setting settings[] = {{640, 360, 50, 50}, {640, 360, 50, 100}, {1280, 720, 25, 100}};

std::vector<Flame> keys_of(const Subject& subject, const std::string& folder,
                           const Setting& setting) {
  std::vector<Flame> keys;
  for (const char* name : subject.flames) {
    for (Flame& flame : read_flames(folder + "/" + name + ".flam3", ReaderOptions{}).flames)
      keys.push_back(std::move(flame));
  }
  if (subject.sequence) keys = make_sequence(keys, SequenceOptions{});
  for (Flame& key : keys) {
    key.scale *= double(setting.width) / key.width;
    key.width = setting.width;
    key.height = setting.height;
    key.quality = setting.quality;
    key.temporal_samples = setting.temporal_samples;
  }
  return keys;
}

class Folder {
 public:
  Folder() {
    std::string pattern = std::filesystem::temp_directory_path() / "animate_vs_flam3.XXXXXX";
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

void compare(const std::string& kiln, const std::string& flames, const Subject& subject,
             const Setting& setting, int rounds) {
  const Folder folder;
  std::string xml = "<keys>\n";
  for (const Flame& key : keys_of(subject, flames, setting)) xml += genome_xml(key);
  std::ofstream(folder.file("keys.flam3")) << xml << "</keys>\n";
  const auto number = [](double value) { return fmt::format("{:g}", value); };
  const int frames = int((subject.end - subject.begin) / subject.step) + 1;
  std::vector<double> ours_cpu, theirs_cpu, ours_wall, theirs_wall, cpu_ratio, wall_ratio;
  for (int round = 0; round < rounds; ++round) {
    const Cost ours =
        bench::run({kiln, "animate", folder.file("keys.flam3"), "-o", folder.file("kiln_####.png"),
                    "--begin", number(subject.begin), "--end", number(subject.end), "--dtime",
                    number(subject.step), "--backend", "cpu", "--threads", "2", "--quiet"},
                   {}, "/dev/null");
    const Cost theirs =
        bench::run({"flam3-animate"},
                   {"in=" + folder.file("keys.flam3"), "prefix=" + folder.file("flam3_"),
                    "begin=" + number(subject.begin), "end=" + number(subject.end),
                    "dtime=" + number(subject.step), "bits=64", "nthreads=2", "verbose=0",
                    "format=png", "isaac_seed=kiln"},
                   "/dev/null");
    ours_cpu.push_back(ours.cpu_s / frames);
    theirs_cpu.push_back(theirs.cpu_s / frames);
    ours_wall.push_back(ours.wall_s / frames);
    theirs_wall.push_back(theirs.wall_s / frames);
    cpu_ratio.push_back(theirs.cpu_s / ours.cpu_s);
    wall_ratio.push_back(theirs.wall_s / ours.wall_s);
  }
  using bench::median;
  fmt::print(
      "{:<20} {:>9} {:>7} {:>8} {:>7} {:>9.3f} {:>9.3f} {:>6.2f} {:>9.3f} {:>9.3f} {:>6.2f}\n",
      subject.name, fmt::format("{}x{}", setting.width, setting.height), setting.quality,
      setting.temporal_samples, frames, median(theirs_cpu), median(ours_cpu), median(cpu_ratio),
      median(theirs_wall), median(ours_wall), median(wall_ratio));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: animate_vs_flam3 KILN FLAMES [rounds]\n");
    return 2;
  }
  try {
    const int rounds = argc > 3 ? std::max(1, std::atoi(argv[3])) : 3;
    fmt::print("{:<20} {:>9} {:>7} {:>8} {:>7} {:>26} {:>26}\n", "", "", "", "temporal", "",
               "user CPU s a frame", "wall s a frame");
    fmt::print("{:<20} {:>9} {:>7} {:>8} {:>7} {:>9} {:>9} {:>6} {:>9} {:>9} {:>6}\n", "", "size",
               "quality", "samples", "frames", "flam3", "kiln", "ratio", "flam3", "kiln", "ratio");
    for (const Subject& subject : subjects) {
      for (const Setting& setting : settings) compare(argv[1], argv[2], subject, setting, rounds);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "animate_vs_flam3: {}\n", error.what());
    return 6;
  }
  return 0;
}
