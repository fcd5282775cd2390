// SPDX-License-Identifier: MIT
// The sample flames, small, as pixel hashes: equal for any number of threads, at every instruction
// set and on CUDA. hashes.tsv holds them; `scripts/golden --update` rewrites it, which says on
// purpose that the pictures are to be others from now on.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "engine/device/device.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/picture/png_writer.h"
#include "engine/model/image.h"
#include "engine/render/renderer.h"
#include "tests/devices.h"
#include "tests/places.h"

namespace kiln {
namespace {

namespace fs = std::filesystem;

const std::string table_file = std::string(source_dir()) + "/tests/golden/hashes.tsv";
const std::string flame_folder = std::string(source_dir()) + "/flames/";

/// One line of the table: a flame at a width and quality, and the hash of its pixels.
struct Golden {
  std::string flame;
  int width = 160;
  double quality = 0;
  int bits = 8;
  std::string hash;
};

void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.flame; }

std::vector<Golden> read_table() {
  std::vector<Golden> table;
  std::ifstream file(table_file);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    Golden golden;
    std::istringstream(line) >> golden.flame >> golden.width >> golden.quality >> golden.bits >>
        golden.hash;
    table.push_back(golden);
  }
  return table;
}

Flame read_sample(const std::string& name) {
  return read_flames(flame_folder + name + ".flam3", {}).flames.at(0);
}

/// The sample at the golden's size, framing kept.
Flame small_flame(const Golden& golden) {
  Flame flame = read_sample(golden.flame);
  const double factor = double(golden.width) / flame.width;
  flame.height = int(std::floor(flame.height * factor + 0.5));
  flame.width = golden.width;
  flame.scale *= factor;
  flame.quality = golden.quality;
  return flame;
}

Image render_golden(const Golden& golden, Backend backend, int threads,
                    RenderStatistics* statistics = nullptr, std::uint64_t seed = 0) {
  RenderOptions options;
  options.backend = backend;
  options.threads = threads;
  options.bits = golden.bits;
  options.seed = seed;
  return render(small_flame(golden), options, statistics);
}

void expect_hash(const Golden& golden, const Image& image, const std::string& how) {
  const std::string hash = pixel_hash(image);
  if (hash == golden.hash) return;
  const std::string got =
      (fs::temp_directory_path() / ("kiln-golden-" + golden.flame + ".png")).string();
  write_png(got, image, {});
  ADD_FAILURE() << golden.flame << " (" << how << "): " << hash << " is not the golden "
                << golden.hash << "\ngot: " << got
                << "\nif the change is wanted: scripts/golden --update";
}

class Goldens : public testing::TestWithParam<Golden> {};

TEST_P(Goldens, same_pixels_for_any_number_of_threads) {
  for (const int threads : {1, 2, 7}) {
    expect_hash(GetParam(), render_golden(GetParam(), Backend::cpu, threads),
                std::to_string(threads) + " threads");
  }
}

TEST_P(Goldens, same_pixels_on_cuda) {
  if (list_cuda_devices().empty()) {
    static const int once = std::printf("skipped: no CUDA device\n");
    (void)once;
    return;
  }
  RenderStatistics statistics;
  expect_hash(GetParam(), render_golden(GetParam(), Backend::cuda, 0, &statistics), "CUDA");
  EXPECT_EQ(statistics.device.rfind("cuda", 0), 0u) << statistics.device;
}

INSTANTIATE_TEST_SUITE_P(samples, Goldens, testing::ValuesIn(read_table()),
                         [](const testing::TestParamInfo<Golden>& info) {
                           return info.param.flame;
                         });

TEST(GoldenIsas, same_pixels_at_every_instruction_set) {
  Golden golden = read_table().at(0);
  golden.width = 64;
  golden.quality = 200;  // 64x36: a part of a unit; v2 has no fma instruction and takes a while
  const std::vector<std::string> isas = test::cpu_instruction_sets();
  if (isas.size() == 1) std::printf("skipped: one instruction set in this build or processor\n");
  std::map<std::string, std::string> hashes;
  for (const std::string& isa : isas) {
    const test::ForcedInstructionSet forced(isa);
    RenderStatistics statistics;
    hashes[isa] = pixel_hash(render_golden(golden, Backend::cpu, 2, &statistics));
    EXPECT_NE(statistics.device.find("-" + isa), std::string::npos) << statistics.device;
    EXPECT_EQ(hashes[isa], hashes[isas[0]]) << isa;
  }
}

TEST(GoldenSeeds, another_seed_is_another_picture) {
  const Golden golden = read_table().at(0);
  EXPECT_NE(pixel_hash(render_golden(golden, Backend::cpu, 2, nullptr, 1)), golden.hash);
}

std::vector<std::string> sample_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(flame_folder)) {
    if (entry.path().extension() == ".flam3") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// A little more than one unit of samples, whatever the zoom multiplies.
double usual_quality(const std::string& sample) {
  const Flame flame = small_flame({sample, 160, 1, 8, {}});
  const double samples = double(flame.width) * flame.height * std::pow(4, flame.zoom);
  return std::max(1.0, std::floor(2.6e6 / samples));
}

void update_table() {
  std::map<std::string, Golden> before;
  for (const Golden& golden : read_table()) before[golden.flame] = golden;
  std::ofstream file(table_file);
  file << "# Pixel hashes of the sample flames at seed 0; written by scripts/golden --update\n# "
          "flame\twidth\tquality\tbits\thash\n";
  for (const std::string& name : sample_names()) {
    Golden golden =
        before.count(name) ? before[name] : Golden{name, 160, usual_quality(name), 8, "-"};
    const std::string old_hash = golden.hash;
    golden.hash = pixel_hash(render_golden(golden, Backend::cpu, 0));
    std::printf("%-14s %.16s -> %.16s  %s\n", name.c_str(), old_hash.c_str(), golden.hash.c_str(),
                old_hash == golden.hash ? "same"
                : old_hash == "-"       ? "NEW"
                                        : "CHANGED");
    file << name << '\t' << golden.width << '\t' << golden.quality << '\t' << golden.bits << '\t'
         << golden.hash << '\n';
    before.erase(name);
  }
  for (const auto& [name, golden] : before)
    std::printf("%-14s %.16s -> gone\n", name.c_str(), golden.hash.c_str());
}

TEST(GoldenTable, has_every_sample) {
  if (std::getenv("KILN_GOLDEN_UPDATE")) update_table();
  std::vector<std::string> rows;
  for (const Golden& golden : read_table()) rows.push_back(golden.flame);
  EXPECT_EQ(rows, sample_names()) << "scripts/golden --update adds the missing ones";
  EXPECT_GE(rows.size(), 12u);
}

}  // namespace
}  // namespace kiln
