// SPDX-License-Identifier: MIT
// Faults of devices, seen from outside: allocations that fail, GPUs that are not there, pictures
// that are too large. Exit code 6, a message with a remedy, and nothing left in the folder.
#include <gtest/gtest.h>

#include "tests/cli/program.h"
#include "tests/devices.h"

namespace kiln {
namespace {

using namespace test;
using Arguments = std::vector<std::string>;

/// The backends that this machine has.
Arguments backends() {
  Arguments all = {"cpu"};
  if (open_cuda(0, false)) {
    all.push_back("cuda");
  } else {
    std::puts("skipped: no CUDA device");
  }
  return all;
}

Outcome run_with(const ScratchFolder& folder, const char* variable, const std::string& value,
                 const Arguments& arguments) {
  return run_program(arguments,
                     {folder.path(), "", {}, [&] { setenv(variable, value.c_str(), 1); }});
}

class Faults : public testing::Test {
 protected:
  Faults() { write_file(folder / "a.flame", triangle()); }
  ScratchFolder folder;
};

/// Fails every allocation of the render in turn.
void expect_no_trace_of_failed_allocations(const ScratchFolder& folder,
                                           const Arguments& arguments) {
  int failures = 0;
  for (int n = 1;; ++n) {
    ASSERT_LT(n, 200);
    const Outcome outcome =
        run_with(folder, "KILN_TEST_FAIL_ALLOCATION", std::to_string(n), arguments);
    if (outcome.code == 0) break;
    ++failures;
    EXPECT_EQ(outcome.code, 6) << n << ": " << outcome.err;
    const bool of_threads = outcome.err.find("threads, each of which") != std::string::npos;
    EXPECT_NE(outcome.err.find(of_threads ? "--threads" : "--supersample"), std::string::npos)
        << n << ": " << outcome.err;
    EXPECT_EQ(outcome.err.find("\n"), outcome.err.size() - 1) << n << ": " << outcome.err;
    EXPECT_EQ(folder.entries(), Arguments{"a.flame"}) << n;
  }
  EXPECT_GT(failures, 15);
  EXPECT_EQ(folder.entries(), (Arguments{"a.flame", "a.png"}));
}

TEST_F(Faults, EveryAllocationMayFail) {
  for (const std::string& backend : backends()) {
    SCOPED_TRACE(backend);
    expect_no_trace_of_failed_allocations(
        folder, {"render", "a.flame", "--backend", backend, "--threads", "2", "--quality", "2000"});
    std::filesystem::remove(folder / "a.png");
  }
}

TEST_F(Faults, AllocationsOfTheCrossChecksMayFail) {
  for (const std::string& backend : backends()) {
    SCOPED_TRACE(backend);
    Arguments arguments = {"render",    "a.flame", "--backend", backend,
                           "--threads", "2",       "--quality", "2000"};
    arguments.insert(arguments.end(), {backend == "cuda" ? "--rng" : "--strategy",
                                       backend == "cuda" ? "mtgp32" : "divergent"});
    expect_no_trace_of_failed_allocations(folder, arguments);
    std::filesystem::remove(folder / "a.png");
  }
}

/// One picture fails, the others are done: nothing of the failed one stands in their way.
TEST_F(Faults, AFailedAllocationStopsNoOtherPicture) {
  write_file(folder / "b.flame", triangle());
  for (const std::string& backend : backends()) {
    SCOPED_TRACE(backend);
    const Outcome outcome =
        run_with(folder, "KILN_TEST_FAIL_ALLOCATION", "3",
                 {"render", "a.flame", "b.flame", "--threads", "1", "--backend", backend});
    EXPECT_EQ(outcome.code, 7) << outcome.err;
    EXPECT_EQ(folder.entries(), (Arguments{"a.flame", "b.flame", "b.png"}));
    std::filesystem::remove(folder / "b.png");
  }
}

TEST_F(Faults, AGpuThatIsNotThere) {
  const Outcome outcome = run_program({"render", "a.flame", "--backend", "cuda", "--device", "99"},
                                      {folder.path(), "", {}, {}});
  EXPECT_EQ(outcome.code, 6);
  const bool says_what = outcome.err.find("no CUDA device") != std::string::npos ||
                         outcome.err.find("without CUDA") != std::string::npos;
  EXPECT_TRUE(says_what) << outcome.err;
  const bool remedy = outcome.err.find("kiln devices") != std::string::npos ||
                      outcome.err.find("--backend cpu") != std::string::npos;
  EXPECT_TRUE(remedy) << outcome.err;
  EXPECT_EQ(folder.entries(), Arguments{"a.flame"});
}

TEST_F(Faults, KernelsToCompileForNoGpu) {
  const auto without_gpus = [] { setenv("CUDA_VISIBLE_DEVICES", "", 1); };
  const Outcome outcome = run_program({"warm", "a.flame"}, {folder.path(), "", {}, without_gpus});
  EXPECT_EQ(outcome.code, 6);
  EXPECT_NE(outcome.err.find("--arch 90"), std::string::npos) << outcome.err;
}

/// Compiled once, found the second time; a still and a flame in motion have one each.
TEST_F(Faults, KernelsOfAFlameAreWarmOnce) {
  const std::string cache = folder / "cache";
  const auto in_cache = [&] { setenv("KILN_CACHE_DIR", cache.c_str(), 1); };
  const Arguments arguments = {"warm", "a.flame", "--arch", "90", "--json"};
  const Outcome first = run_program(arguments, {folder.path(), "", {}, in_cache});
  if (first.code == 6) GTEST_SKIP() << "skipped: " << first.err;  // no NVRTC, or built without CUDA
  ASSERT_EQ(first.code, 0) << first.err;
  const Outcome second = run_program(arguments, {folder.path(), "", {}, in_cache});
  const auto count = [](const std::string& text, const std::string& word) {
    std::size_t found = 0, at = 0;
    while ((at = text.find(word, at)) != std::string::npos) ++found, ++at;
    return found;
  };
  EXPECT_EQ(count(first.out, R"("kernel":"compiled")"), 2u) << first.out;
  EXPECT_EQ(count(second.out, R"("kernel":"cached")"), 2u) << second.out;
  EXPECT_EQ(count(second.out, R"("kind":"moving")"), 1u) << second.out;
}

TEST_F(Faults, APictureThatIsTooLarge) {
  for (const std::string& backend : backends()) {
    for (const Arguments& size : {Arguments{"--width", "12000", "--height", "12000",
                                            "--supersample", "16", "--bloom", "0.2"},
                                  Arguments{"--width", "3000", "--max-memory", "200K"}}) {
      Arguments arguments = {"render", "a.flame", "--quality", "0.001", "--backend", backend};
      arguments.insert(arguments.end(), size.begin(), size.end());
      const Outcome outcome = run_program(arguments, {folder.path(), "", {}, {}});
      EXPECT_EQ(outcome.code, 6) << backend << ": " << outcome.err;
      EXPECT_NE(outcome.err.find("lower --supersample"), std::string::npos) << outcome.err;
      EXPECT_EQ(folder.entries(), Arguments{"a.flame"}) << backend;
    }
  }
}

TEST_F(Faults, TheMersenneTwisterOfCurandNeedsAGpu) {
  const Outcome on_cpu = run_program({"render", "a.flame", "--rng", "mtgp32", "--backend", "cpu"},
                                     {folder.path(), "", {}, {}});
  EXPECT_EQ(on_cpu.code, 2);
  EXPECT_NE(on_cpu.err.find("--backend cuda"), std::string::npos) << on_cpu.err;
  const Outcome any = run_program({"render", "a.flame", "--rng", "mtgp32", "--quality", "5"},
                                  {folder.path(), "", {}, {}});
  if (open_cuda(0, false)) {
    EXPECT_EQ(any.code, 0) << any.err;
    return;
  }
  EXPECT_EQ(any.code, 6);
  EXPECT_NE(any.err.find("--strategy divergent"), std::string::npos) << any.err;
  EXPECT_EQ(folder.entries(), Arguments{"a.flame"});
}

TEST_F(Faults, ThePictureSaysHowItWasMade) {
  ASSERT_EQ(run_program({"render", "a.flame", "--strategy", "divergent", "--quality", "5", "-q"},
                        {folder.path(), "", {}, {}})
                .code,
            0);
  EXPECT_NE(read_file(folder / "a.png").find("\"strategy\":\"divergent\""), std::string::npos);
  for (const Arguments& wrong :
       {Arguments{"--strategy", "divergent", "--rng", "mtgp32"},
        Arguments{"--strategy", "divergent", "--compat", "flam3"},
        Arguments{"--strategy", "convergent"}, Arguments{"--rng", "xorwow"}}) {
    Arguments arguments = {"render", "a.flame"};
    arguments.insert(arguments.end(), wrong.begin(), wrong.end());
    EXPECT_EQ(run_program(arguments, {folder.path(), "", {}, {}}).code, 2) << wrong[1];
  }
}

}  // namespace
}  // namespace kiln
