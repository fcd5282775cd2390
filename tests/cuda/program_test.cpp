// SPDX-License-Identifier: MIT
// The program with the fake driver: what it says of machines that lack something, and that whole
// commands ask the driver for nothing wrong and give everything back.
#include "tests/cli/program.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/device/cuda/device_code.h"
#include "tests/places.h"

namespace kiln::test {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Runs the program on a machine of that kind; `log`: where the driver notes what it was asked for.
Outcome run_on(const std::string& machine, const std::vector<std::string>& arguments,
               const std::string& log = "", const std::string& driver = "") {
  return run_program(arguments, {".", "", "", [&] {
                                   setenv("KILN_FAKE_CUDA", machine.c_str(), 1);
                                   setenv("KILN_KERNELS", "interpreter", 1);
                                   if (!log.empty()) setenv("KILN_FAKE_CUDA_LOG", log.c_str(), 1);
                                   if (!driver.empty())
                                     setenv("KILN_TEST_CUDA_DRIVER", driver.c_str(), 1);
                                 }});
}

TEST(CudaProgram, DevicesSayWhatIsMissing) {
  const auto said = [](const std::string& machine, const std::string& driver = "") {
    const Outcome outcome = run_on(machine, {"devices"}, "", driver);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(outcome.out.starts_with("cpu ")) << outcome.out;
    return outcome.out;
  };
  EXPECT_TRUE(has(said("gpus=2"), "\ncuda  0  Fake 0, 7.5 GiB, compute capability 9.0\ncuda  1  "))
      << said("gpus=2");
  EXPECT_FALSE(has(said(""), "cuda  -"));
  EXPECT_TRUE(has(said("", "/nowhere/libcuda.so.1"),
                  "\ncuda  -  NVIDIA's driver was not found (/nowhere/libcuda.so.1: cannot open"));
  EXPECT_TRUE(has(said("gpus=0"), "\ncuda  -  no CUDA-capable device is detected; is there"));
  EXPECT_TRUE(has(said("init=999"), "\ncuda  -  an error of the fake driver"));
  const ScratchFolder folder;
  const std::string no_driver = folder / "libcuda.so.1";
  write_file(no_driver, "this is no library");
  EXPECT_TRUE(has(said("", no_driver), "\ncuda  -  NVIDIA's driver was not found"));
  if (!has_device_code()) return;
  EXPECT_TRUE(has(said("cuda=11080"),
                  "\ncuda  -  NVIDIA's driver is too old: it knows CUDA 11.8, and this kiln needs"))
      << said("cuda=11080");
  EXPECT_TRUE(has(said("arch=61"),
                  "\ncuda  -  Fake 0 has compute capability 6.1, and this kiln has code for "))
      << said("arch=61");
  EXPECT_FALSE(has(said("arch=133"), "cuda  -"));  // it compiles the newest code for itself
}

TEST(CudaProgram, InsistingSaysTheSame) {
  const ScratchFolder folder;
  write_file(folder / "a.flame", triangle());
  const auto refused = [&](const std::string& machine) {
    const Outcome outcome = run_on(
        machine, {"render", folder / "a.flame", "-o", folder / "a.png", "--backend", "cuda"});
    EXPECT_EQ(outcome.code, 6) << outcome.err;
    return outcome.err;
  };
  const std::string begin = has_device_code() ? "no CUDA device: " : "";
  EXPECT_TRUE(has(refused("gpus=0"), begin + "no CUDA-capable device is detected"));
  EXPECT_TRUE(has(refused("fail_allocation=2"), "out of memory; the GPU's memory is full"));
  EXPECT_TRUE(has(refused("fail_launch=2"), "launching kiln_"));
}

/// The GPUs that made the first picture, as the result names them: "cuda 0 (Fake 0) + cuda 1 (Fake 1)".
std::string gpus_of(const std::string& machine, std::vector<std::string> command) {
  command.insert(command.end(), {"--json", "-q"});
  const Outcome outcome = run_on(machine, command);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string key = "\"device\":\"";
  const std::size_t at = outcome.out.find(key);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + key.size();
  std::string names = outcome.out.substr(begin, outcome.out.find('"', begin) - begin);
  for (std::size_t name; (name = names.find(" (Fake")) != std::string::npos;)
    names.erase(name, names.find(')', name) + 1 - name);
  return names;
}

TEST(CudaProgram, AllTakesAsManyGpusAsAreWorthTheirStart) {
  const ScratchFolder folder;
  write_file(folder / "a.flame", triangle());
  write_file(folder / "b.flame", triangle());
  const auto render = [&](const std::string& devices, const std::string& quality,
                          const std::vector<std::string>& more = {}) {
    std::vector<std::string> command = {
        "render",  folder / "a.flame", "--devices", devices, "--size",
        "500x400", "--quality",        quality,     "-o",    folder / "{stem}.ppm"};
    command.insert(command.end(), more.begin(), more.end());
    return gpus_of("gpus=4,memory=2e9", command);
  };
  const std::string all_four = "cuda 0 + cuda 1 + cuda 2 + cuda 3";
  EXPECT_EQ(render("all", "2000"), "cuda 0");
  // 30 G samples are a second of one, 200 G are seven
  EXPECT_EQ(render("all", "150000"), "cuda 0 + cuda 1");
  EXPECT_EQ(render("all", "1000000"), all_four);
  EXPECT_EQ(render("all", "1000000", {"--time-limit", "0.1"}), "cuda 0");
  // both together are worth what one is not
  EXPECT_EQ(render("all", "80000"), "cuda 0");
  EXPECT_EQ(render("all", "80000", {folder / "b.flame"}), "cuda 0 + cuda 1");
  // whoever names them has them; one that opens late finds something to do
  EXPECT_EQ(render("all", "40000"), "cuda 0");
  EXPECT_EQ(render("0,1", "40000"), "cuda 0 + cuda 1");
  EXPECT_EQ(render("0-3", "40000"), all_four);
  EXPECT_EQ(render("2-3,0", "40000"), "cuda 2 + cuda 3 + cuda 0");
  EXPECT_EQ(render("3-3", "40000"), "cuda 3");
  EXPECT_EQ(render("all", "2000", {"--zoom", "5"}), all_four);  // 1024 times the samples
}

TEST(CudaProgram, AllTakesForAFilmWhatItsFramesAreWorth) {
  const ScratchFolder folder;
  write_file(folder / "keys.flame", two_keys());
  const auto opened = [&](const std::string& devices, const std::string& step,
                          const std::vector<std::string>& more = {}) {
    const std::string log = folder / "log";
    std::filesystem::remove(log);
    std::vector<std::string> command = {
        "animate", folder / "keys.flame", "--devices", devices, "--dtime", step, "-q",
        "-o",      folder / "f####.png"};
    command.insert(command.end(), more.begin(), more.end());
    const Outcome outcome = run_on("gpus=4,memory=2e9", command, log);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const std::string notes = read_file(log), key = "gpus ";
    EXPECT_FALSE(has(notes, "wrong ")) << notes;
    const std::size_t at = notes.find(key);
    return at == std::string::npos ? -1 : std::stoi(notes.substr(at + key.size()));
  };
  EXPECT_EQ(opened("all", "1"), 1);     // ten frames
  EXPECT_EQ(opened("0-3", "1"), 4);     // whoever names them has them
  EXPECT_EQ(opened("all", "0.05"), 3);  // two hundred, of at least 20 ms
  EXPECT_EQ(opened("all", "0.05", {"--resume"}),
            -1);  // all are there: the driver is not even loaded
  const auto two_are_gone = [&] {
    for (const char* name : {"f0007.png", "f0150.png"})
      EXPECT_TRUE(std::filesystem::remove(folder / name)) << name;
  };
  two_are_gone();
  EXPECT_EQ(opened("all", "0.05", {"--resume"}), 1);
  // for a film the others are read, not made
  if (!has_program("ffmpeg")) return;
  const std::vector<std::string> film = {"--bits", "16", "--video", folder / "a.mp4", "--force"};
  EXPECT_EQ(opened("all", "0.05", film), 3);
  two_are_gone();
  std::vector<std::string> again = film;
  again.emplace_back("--resume");
  EXPECT_EQ(opened("all", "0.05", again), 1);
}

/// The first frames of a film may be the lightest.
TEST(CudaProgram, AllLooksAtEachFrameOfAFilm) {
  const ScratchFolder folder;
  std::string keys = two_keys();
  const std::string quality = "quality=\"20\"";
  keys.replace(keys.rfind(quality), quality.size(), "quality=\"9e7\"");
  write_file(folder / "keys.flame", keys);
  const std::string log = folder / "log";
  const Outcome outcome = run_on(
      "gpus=4,memory=2e9",
      {"animate", folder / "keys.flame", "--devices", "all", "-q", "-o", folder / "f####.png"},
      log);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string notes = read_file(log);
  EXPECT_TRUE(has(notes, "gpus ") && !has(notes, "gpus 1\n")) << notes;
}

/// The interpreter plays plain games alone, and so do launches that small pictures share: sums would be wrong. Where there is
/// NVRTC the flame has kernels of its own, else it is refused.
TEST(CudaProgram, NeverInterpretsASteeredGame) {
  const ScratchFolder folder;
  const std::string log = folder / "log";
  const std::string conch = std::string(source_dir()) + "/flames/conch.flam3";
  const auto is_interpreted = [&](const std::vector<std::string>& flames, const char* steer) {
    std::vector<std::string> command = {
        "render",  "--backend", "cuda", "--quality",         "200",    "--width", "160",
        "--steer", steer,       "-o",   folder / "####.png", "--force"};
    command.insert(command.end(), flames.begin(), flames.end());
    std::filesystem::remove(log);
    const Outcome outcome = run_on("gpus=1", command, log);
    if (outcome.code != 0) {
      EXPECT_EQ(outcome.code, 6) << outcome.err;
      EXPECT_TRUE(has(outcome.err, "--steer auto needs kernels of the flame's own")) << outcome.err;
    }
    const std::string notes = read_file(log);
    EXPECT_FALSE(has(notes, "wrong ")) << notes;
    return has(notes, "launch kiln_play_") || has(notes, "launch kiln_many_");
  };
  EXPECT_TRUE(is_interpreted({conch}, "off"));
  EXPECT_TRUE(is_interpreted({conch, conch, conch}, "off"));
  EXPECT_FALSE(is_interpreted({conch}, "auto"));
  EXPECT_FALSE(is_interpreted({conch, conch, conch}, "auto"));
}

TEST(CudaProgram, CommandsLeaveNothing) {
  const ScratchFolder folder;
  write_file(folder / "a.flame", triangle());
  const std::string tides = std::string(source_dir()) + "/flames/tides.flam3";
  const std::vector<std::vector<std::string>> commands = {
      {"render", folder / "a.flame", "-o", folder / "a.png"},
      {"render", folder / "a.flame", "-o", folder / "a.png", "--devices", "0,1"},
      {"render", folder / "a.flame", "-o", folder / "a.exr.png", "--clean"},
      {"animate", tides, "-o", folder / "f##.png", "--begin", "0", "--end", "3", "--width", "64",
       "--quality", "5"},
      {"sheet", folder / "a.flame", "-o", folder / "sheet.png"},
      {"random", "-n", "3", "-o", folder / "r.flame"},
  };
  for (std::vector<std::string> command : commands) {
    const std::string log = folder / "log";
    if (command[0] != "random") command.insert(command.end(), {"--backend", "cuda"});
    const Outcome outcome = run_on("gpus=2,memory=2e9", command, log);
    if (outcome.code == 2) {  // not this command's options
      ADD_FAILURE() << command[0] << ": " << outcome.err;
      continue;
    }
    EXPECT_EQ(outcome.code, 0) << command[0] << ": " << outcome.err;
    const std::string notes = read_file(log);
    EXPECT_FALSE(has(notes, "wrong ")) << command[0] << ": " << notes;
    if (!notes.empty()) {
      EXPECT_TRUE(has(notes, "alive memory 0 streams 0 events 0")) << command[0] << ": " << notes;
    }
  }
}

}  // namespace
}  // namespace kiln::test
