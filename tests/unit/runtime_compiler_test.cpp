// SPDX-License-Identifier: MIT
// Kernels compiled at run time, without a GPU: what NVRTC makes of the embedded headers, the cache
// on disk and what must not be believed of it, and compiles given up half way.
#include "engine/device/cuda/jit/runtime_compiler.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "engine/device/cuda/jit/background_compile.h"
#include "engine/device/cuda/jit/embedded_kernels.h"
#include "tests/places.h"

namespace kiln {
namespace {

namespace fs = std::filesystem;
using State = BackgroundCompile::State;

const std::string trivial = R"(#include "kernels/math.h"
extern "C" __global__ void sines(float* x) { x[threadIdx.x] = kiln::sin(x[threadIdx.x]); })";

/// NVRTC works at this for seconds: 16 kernels with a dozen variations each.
const std::string long_work = R"(#include "kernels/variations/all.h"
using namespace kiln;
using Dozen = VariationList<Linear, Spherical, Swirl, Polar, Heart, Disc, Julia, Power, JuliaN, Curl,
                            Bipolar, Elliptic>;
#define WORK(I)                                                                             \
  extern "C" __global__ void work_##I(float* x, const int* id, Affine coefs, Random random) { \
    dispatch<Dozen>(*id, [&](auto type) {                                                   \
      using V = typename decltype(type)::type;                                              \
      const Vec2 out = reinterpret_cast<V*>(x)[I](Arg{{x[0], x[I + 1]}, x[2], coefs, random}); \
      x[I] += out.x + out.y;                                                                \
    });                                                                                     \
  }
#define WORK4(I) WORK(I##0) WORK(I##1) WORK(I##2) WORK(I##3)
WORK4(1) WORK4(2) WORK4(3) WORK4(4)
)";

/// ptxas works at this for minutes and listens to nobody: one function with 300 variations in it.
const std::string endless_work = R"(#include "kernels/variations/all.h"
using namespace kiln;
using Dozen = VariationList<Linear, Spherical, Swirl, Polar, Heart, Disc, Julia, Power, JuliaN, Curl,
                            Bipolar, Elliptic>;
template <int I> __device__ void step(float* x, int id, const Affine& a, Random& r) {
  dispatch<Dozen>(id, [&](auto type) {
    using V = typename decltype(type)::type;
    const Vec2 out = reinterpret_cast<V*>(x)[I](Arg{{x[0], x[I + 1]}, x[2], a, r});
    x[I] += out.x + out.y;
  });
  if constexpr (I > 0) step<I - 1>(x, id, a, r);
}
extern "C" __global__ void endless_work(float* x, const int* id, Affine coefs, Random random) {
  step<24>(x, id[threadIdx.x], coefs, random);
})";

KernelSource source(const std::string& text) { return {text, 90, "test"}; }

bool is_elf(const std::vector<char>& cubin) {
  return cubin.size() > 4 && std::string_view(cubin.data(), 4) ==
                                 "\x7f"
                                 "ELF";
}

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class RuntimeCompilerTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "kiln-runtime-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    settings_.cache_folder = folder_ / "cache";
    std::string reason;
    RuntimeCompilerSettings uncached;
    uncached.cache_folder.clear();
    if (!RuntimeCompiler(uncached).compile(source("extern \"C\" __global__ void f() {}"), reason)) {
      ASSERT_NE(reason.find("NVRTC"), std::string::npos) << reason;
      if (reason.find("was not found") != std::string::npos) GTEST_SKIP() << "skipped: no NVRTC";
      FAIL() << reason;
    }
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::vector<fs::path> cached() const {
    std::vector<fs::path> files;
    if (!fs::exists(settings_.cache_folder)) return files;
    for (const auto& item : fs::directory_iterator(settings_.cache_folder)) {
      files.push_back(item.path());
    }
    return files;
  }
  CompiledKernels compiled(const std::string& text) const {
    std::string reason;
    std::optional<CompiledKernels> made = RuntimeCompiler(settings_).compile(source(text), reason);
    EXPECT_TRUE(made) << reason;
    return made ? *made : CompiledKernels{};
  }

  fs::path folder_;
  RuntimeCompilerSettings settings_;
};

TEST_F(RuntimeCompilerTest, MakesMachineCode) {
  const CompiledKernels made = compiled(trivial);
  EXPECT_TRUE(is_elf(made.cubin));
  const std::string bytes(made.cubin.begin(), made.cubin.end());
  EXPECT_NE(bytes.find(".text.sines"), std::string::npos);
  EXPECT_FALSE(made.from_cache);
  EXPECT_GT(made.seconds, 0);
}

TEST_F(RuntimeCompilerTest, TakesTheHeadersOfTheGame) {
  const CompiledKernels made = compiled(R"(#include "kernels/iterate_batch.h"
#include "kernels/variations/all.h"
using namespace kiln;
extern "C" __global__ void one(float* x, JuliaN julian, Affine coefs) {
  Random random = lane_random(1, 2, 3, threadIdx.x);
  const Vec2 p = julian(Arg{{kiln::sin(x[0]), kiln::atan2(x[1], x[2])}, x[3], coefs, random});
  x[0] = p.x;
  x[1] = p.y;
})");
  EXPECT_TRUE(is_elf(made.cubin));
  EXPECT_EQ(made.log, "");
}

TEST_F(RuntimeCompilerTest, EmbedsTheHeadersAsTheyAre) {
  bool variations = false;
  for (const EmbeddedHeader& header : embedded_kernels()) {
    std::ifstream file(fs::path(source_dir()) / header.name);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    EXPECT_EQ(header.text(), text) << header.name;
    variations |= header.name == "kernels/variations/all.h";
  }
  EXPECT_TRUE(variations);
}

TEST_F(RuntimeCompilerTest, SaysWhatIsWrong) {
  std::string reason;
  EXPECT_FALSE(RuntimeCompiler(settings_).compile(
      {"#include \"kernels/math.h\"\nint f() { return unknown_name; }", 90, "wrong.cu"}, reason));
  EXPECT_NE(reason.find("wrong.cu(2)"), std::string::npos) << reason;
  EXPECT_NE(reason.find("unknown_name"), std::string::npos) << reason;
  EXPECT_FALSE(RuntimeCompiler(settings_).compile({trivial, 1, "old"}, reason));
  EXPECT_NE(reason.find("sm_1"), std::string::npos) << reason;
  EXPECT_TRUE(cached().empty());
}

TEST_F(RuntimeCompilerTest, IncludesNothingFromTheDisk) {
  const fs::path header = folder_ / "local.h";
  std::ofstream(header) << "\n";
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  std::string reason;
  EXPECT_FALSE(
      RuntimeCompiler(settings_).compile(source("#include \"local.h\"\n" + trivial), reason));
  EXPECT_NE(reason.find("local.h"), std::string::npos) << reason;
  fs::current_path(before);
}

TEST_F(RuntimeCompilerTest, ComesBackFromTheCache) {
  const CompiledKernels first = compiled(trivial), second = compiled(trivial);
  EXPECT_FALSE(first.from_cache);
  EXPECT_TRUE(second.from_cache);
  EXPECT_EQ(first.cubin, second.cubin);
  ASSERT_EQ(cached().size(), 1u);
  EXPECT_EQ(fs::status(settings_.cache_folder).permissions(), fs::perms::owner_all);
  EXPECT_FALSE(compiled(trivial + "\n").from_cache);  // another text, another entry
  std::string reason;
  const auto other_gpu = RuntimeCompiler(settings_).compile({trivial, 80, "test"}, reason);
  ASSERT_TRUE(other_gpu) << reason;
  EXPECT_FALSE(other_gpu->from_cache);
  EXPECT_EQ(cached().size(), 3u);
}

TEST_F(RuntimeCompilerTest, KeepsWarnings) {
  const std::string text = "#warning look here\n" + trivial;
  EXPECT_NE(compiled(text).log.find("look here"), std::string::npos);
  const CompiledKernels again = compiled(text);
  EXPECT_TRUE(again.from_cache);
  EXPECT_NE(again.log.find("look here"), std::string::npos);
}

TEST_F(RuntimeCompilerTest, ReplacesDamagedFiles) {
  const CompiledKernels good = compiled(trivial);
  ASSERT_EQ(cached().size(), 1u);
  const fs::path file = cached().front();
  const auto size = fs::file_size(file);
  const auto flip = [&](std::uintmax_t at) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(std::streamoff(at));
    const char byte = char(stream.get() ^ 1);
    stream.seekp(std::streamoff(at));
    stream.put(byte);
  };
  const std::vector<std::function<void()>> damages = {
      [&] { fs::resize_file(file, size - 1); },
      [&] { fs::resize_file(file, 20); },
      [&] { fs::resize_file(file, 0); },
      [&] { fs::resize_file(file, size + 1); },
      [&] { flip(0); },
      [&] { flip(size / 2); },
      [&] { flip(size - 1); },
      [&] { std::ofstream(file) << "something else altogether"; },
      [&] {  // whole, but of another kernel
        compiled(trivial + " ");
        for (const fs::path& other : cached()) {
          if (other != file) fs::rename(other, file);
        }
      }};
  for (std::size_t i = 0; i < damages.size(); ++i) {
    damages[i]();
    const CompiledKernels remade = compiled(trivial);
    EXPECT_FALSE(remade.from_cache) << i;
    EXPECT_EQ(remade.cubin, good.cubin) << i;
    EXPECT_TRUE(compiled(trivial).from_cache) << i;
  }
}

TEST_F(RuntimeCompilerTest, BelievesOnlyWhatNobodyElseCanWrite) {
  compiled(trivial);
  ASSERT_EQ(cached().size(), 1u);
  const fs::path file = cached().front();
  chmod(settings_.cache_folder.c_str(), 0777);
  EXPECT_FALSE(compiled(trivial).from_cache);
  chmod(settings_.cache_folder.c_str(), 0700);
  EXPECT_TRUE(compiled(trivial).from_cache);
  chmod(file.c_str(), 0666);
  EXPECT_FALSE(compiled(trivial).from_cache);
  EXPECT_TRUE(compiled(trivial).from_cache);  // written anew
  fs::rename(file, folder_ / "elsewhere");
  fs::create_symlink(folder_ / "elsewhere", file);
  EXPECT_FALSE(compiled(trivial).from_cache);
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(file)));
  if (geteuid() == 0) {
    ASSERT_EQ(chown(file.c_str(), 12345, 12345), 0);
    EXPECT_FALSE(compiled(trivial).from_cache);
    ASSERT_EQ(chown(settings_.cache_folder.c_str(), 12345, 12345), 0);
    EXPECT_FALSE(compiled(trivial).from_cache);
  }
}

TEST_F(RuntimeCompilerTest, WorksWithoutACache) {
  settings_.cache_folder.clear();
  EXPECT_FALSE(compiled(trivial).from_cache);
  EXPECT_FALSE(compiled(trivial).from_cache);
  std::ofstream(folder_ / "file") << "in the way";
  for (const std::string& unwritable :
       {(folder_ / "file" / "below").string(), std::string("/proc/nothing/here")}) {
    settings_.cache_folder = unwritable;
    EXPECT_FALSE(compiled(trivial).from_cache);
    EXPECT_FALSE(compiled(trivial).from_cache);
  }
}

TEST_F(RuntimeCompilerTest, BoundsTheCache) {
  const std::uint64_t one = compiled(trivial).cubin.size();
  settings_.cache_max_bytes = 3 * one;  // two with what is around them
  for (int i = 1; i <= 3; ++i) {
    compiled(trivial + std::string(std::size_t(i), ' '));
    EXPECT_TRUE(compiled(trivial).from_cache) << i;  // in use: never the oldest
    EXPECT_EQ(cached().size(), 2u);
  }
  EXPECT_FALSE(compiled(trivial + " ").from_cache);
  settings_.cache_max_bytes = one / 2;
  compiled(trivial + "//");
  EXPECT_FALSE(compiled(trivial + "//").from_cache);
}

TEST_F(RuntimeCompilerTest, ClearsAwayAbandonedFiles) {
  fs::create_directories(settings_.cache_folder);
  chmod(settings_.cache_folder.c_str(), 0700);
  const fs::path old = fs::path(settings_.cache_folder) / "tmp-1-2-3";
  const fs::path fresh = fs::path(settings_.cache_folder) / "tmp-1-2-4";
  const fs::path foreign = fs::path(settings_.cache_folder) / "notes.txt";
  for (const fs::path& file : {old, fresh, foreign}) std::ofstream(file) << "half";
  for (const fs::path& file : {old, foreign}) {
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(2));
  }
  compiled(trivial);
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(fresh));
  EXPECT_TRUE(fs::exists(foreign));
}

TEST_F(RuntimeCompilerTest, ThreadsAgree) {
  std::vector<CompiledKernels> results(6);
  std::vector<std::jthread> threads;
  for (CompiledKernels& result : results) {
    threads.emplace_back([&] { result = compiled(trivial); });
  }
  threads.clear();
  for (const CompiledKernels& result : results) {
    EXPECT_TRUE(is_elf(result.cubin));
    EXPECT_EQ(result.cubin, results[0].cubin);
  }
  EXPECT_EQ(cached().size(), 1u);
}

TEST_F(RuntimeCompilerTest, SaysWhenThereIsNoNvrtc) {
  std::ofstream(folder_ / "libnvrtc.so.13") << "no library";
  for (const std::string& library :
       {std::string("libno-such-library.so"), std::string("/no/such.so"),
        (folder_ / "libnvrtc.so.13").string(), std::string("libc.so.6")}) {
    settings_.libraries = {library};
    std::string reason;
    EXPECT_FALSE(RuntimeCompiler(settings_).compile(source(trivial), reason));
    EXPECT_NE(reason.find("was not found"), std::string::npos) << reason;
    EXPECT_NE(reason.find("CUDA_HOME"), std::string::npos) << reason;
  }
  // A library that cannot be loaded does not hide the next one.
  settings_.libraries = nvrtc_candidates();
  settings_.libraries.insert(settings_.libraries.begin(), (folder_ / "libnvrtc.so.13").string());
  EXPECT_TRUE(is_elf(compiled(trivial).cubin));
}

TEST(ChildProcess, GivesBackWhatItsWorkReturns) {
  std::string reason;
  EXPECT_EQ(run_in_child([] { return std::string(); }, {}, reason), "");
  const std::string large(5'000'000, 'x');  // many times what a pipe holds
  EXPECT_EQ(run_in_child([&] { return large; }, {}, reason), large);
  EXPECT_EQ(reason, "");
}

TEST(ChildProcess, KeepsHarmToItself) {
  std::string reason;
  EXPECT_FALSE(run_in_child([]() -> std::string { std::abort(); }, {}, reason));
  EXPECT_EQ(reason, "its process died of signal 6");
  EXPECT_FALSE(run_in_child([]() -> std::string { throw 1; }, {}, reason));
  EXPECT_EQ(reason, "its process failed");
  EXPECT_FALSE(run_in_child([]() -> std::string { std::_Exit(0); }, {}, reason));
  EXPECT_EQ(reason, "its process failed");
}

TEST(ChildProcess, TakesNoPartForTheWhole) {
  std::string reason;
  EXPECT_FALSE(run_in_child(
      [] {
        std::string large(400'000'000, 'x');
        ualarm(10'000, 0);  // ends it while it writes
        return large;
      },
      {}, reason));
  EXPECT_EQ(reason, "its process died of signal 14");
}

TEST(ChildProcess, HasNoneOfOurFilesAndHandlers) {
  const int file = open("/dev/null", O_RDONLY), high_file = fcntl(file, F_DUPFD, 500);
  ASSERT_GE(file, 3);
  ASSERT_GE(high_file, 500);
  struct sigaction ignore {
  }, before{};
  ignore.sa_handler = SIG_IGN;
  ASSERT_EQ(sigaction(SIGTERM, &ignore, &before), 0);
  std::string reason;
  const auto closed_and_default = run_in_child(
      [&] {
        struct sigaction now {};
        sigaction(SIGTERM, nullptr, &now);
        const bool closed = fcntl(file, F_GETFD) == -1 && fcntl(high_file, F_GETFD) == -1;
        return std::string(closed && now.sa_handler == SIG_DFL ? "yes" : "no");
      },
      {}, reason);
  EXPECT_EQ(closed_and_default, "yes") << reason;
  sigaction(SIGTERM, &before, nullptr);
  close(file);
  close(high_file);
}

TEST(ChildProcess, StopsAtOnce) {
  for (int delay_ms : {0, 50}) {
    std::stop_source stop;
    std::jthread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(delay_ms));
      stop.request_stop();
    });
    std::string reason;
    const double seconds = seconds_of([&] {
      EXPECT_FALSE(run_in_child(
          []() -> std::string {
            for (;;) pause();
          },
          stop.get_token(), reason));
    });
    EXPECT_EQ(reason, "stopped");
    EXPECT_LT(seconds, 1);
  }
}

TEST(ChildProcess, MayGoOnWhenNobodyWaits) {
  std::string name = (fs::temp_directory_path() / "kiln-child-XXXXXX").string();
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  const fs::path folder = name;
  for (int i = 0; i < 6; ++i) {
    std::stop_source stop;
    std::jthread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      stop.request_stop();
    });
    std::string reason;
    const double seconds = seconds_of([&] {
      EXPECT_FALSE(run_in_child(
          [&]() -> std::string {
            std::this_thread::sleep_for(std::chrono::seconds(3));
            std::ofstream(folder / std::to_string(i)) << "done";
            return {};
          },
          stop.get_token(), reason, WhenStopped::goes_on));
    });
    EXPECT_EQ(reason, "stopped");
    EXPECT_LT(seconds, 2.5);  // also on a busy machine
  }
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);  // it is nobody's child
  std::this_thread::sleep_for(std::chrono::seconds(4));
  const auto ended = std::distance(fs::directory_iterator(folder), fs::directory_iterator());
  EXPECT_GE(ended, 1);  // tests before this one may have stopped some work of theirs
  EXPECT_LE(ended, 4);
  fs::remove_all(folder);
}

TEST(RuntimeCompiler, FolderFollowsTheEnvironment) {
  const auto folder = [](const char* kiln, const char* xdg, const char* home) {
    const std::pair<const char*, const char*> variables[] = {
        {"KILN_CACHE_DIR", kiln}, {"XDG_CACHE_HOME", xdg}, {"HOME", home}};
    std::vector<std::pair<const char*, std::string>> before;
    for (const auto& [name, value] : variables) {
      if (const char* old = getenv(name)) before.emplace_back(name, old);
      value ? setenv(name, value, 1) : unsetenv(name);
    }
    const std::string result = default_cache_folder("kernels");
    for (const auto& variable : variables) unsetenv(variable.first);
    for (const auto& [name, value] : before) setenv(name, value.c_str(), 1);
    return result;
  };
  EXPECT_EQ(folder(nullptr, nullptr, "/home/a"), "/home/a/.cache/kiln/kernels");
  EXPECT_EQ(folder("", "/x", "/home/a"), "/x/kiln/kernels");
  EXPECT_EQ(folder(nullptr, "x", "/home/a"), "/home/a/.cache/kiln/kernels");
  EXPECT_EQ(folder("/k", "/x", "/home/a"), "/k/kernels");
  EXPECT_EQ(folder("off", "/x", "/home/a"), "");
  EXPECT_EQ(folder(nullptr, nullptr, nullptr), "");
}

TEST_F(RuntimeCompilerTest, BackgroundCompileIsReadyInTheEnd) {
  BackgroundCompile nothing;
  EXPECT_EQ(nothing.poll(), State::none);
  EXPECT_EQ(nothing.wait(), State::none);
  BackgroundCompiler compiler(settings_);
  BackgroundCompile compile, wrong;
  const double start_s = seconds_of([&] { compile = compiler.start(source(trivial)); });
  EXPECT_EQ(compile.poll(), State::running);
  EXPECT_LT(start_s, 0.1);
  EXPECT_THROW(compile.kernels(), std::exception);
  wrong = compiler.start(source("no program"));
  ASSERT_EQ(compile.wait(), State::ready);
  EXPECT_TRUE(is_elf(compile.kernels().cubin));
  EXPECT_FALSE(compile.kernels().from_cache);
  ASSERT_EQ(wrong.wait(), State::failed);
  EXPECT_NE(wrong.reason().find("error"), std::string::npos) << wrong.reason();

  BackgroundCompile again = compiler.start(source(trivial));
  ASSERT_EQ(again.poll(), State::ready);  // at once
  EXPECT_TRUE(again.kernels().from_cache);
  EXPECT_EQ(again.kernels().cubin, compile.kernels().cubin);
  double best_s = 1;
  for (int i = 0; i < 5; ++i) {
    best_s = std::min(best_s, seconds_of([&] { compiler.start(source(trivial)); }));
  }
  EXPECT_LT(best_s, 0.005);
}

TEST_F(RuntimeCompilerTest, GivenUpCompilesDoNotHoldAnyoneUp) {
  settings_.cache_folder.clear();
  auto compiler = std::make_unique<BackgroundCompiler>(settings_);
  BackgroundCompile dropped = compiler->start(source(endless_work));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  ASSERT_EQ(dropped.poll(), State::running);
  EXPECT_LT(seconds_of([&] { dropped = BackgroundCompile(); }), 1);
  EXPECT_EQ(compiler->start(source(trivial)).wait(), State::ready);  // or the test never ends
  BackgroundCompile kept = compiler->start(source(endless_work));
  BackgroundCompile queued = compiler->start(source(endless_work));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_LT(seconds_of([&] { compiler.reset(); }), 1);
  ASSERT_EQ(kept.poll(), State::failed);
  EXPECT_EQ(kept.reason(), "stopped");
  ASSERT_EQ(queued.poll(), State::failed);
  EXPECT_EQ(queued.reason(), "stopped");
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);  // no child is left, not even a dead one
  EXPECT_EQ(errno, ECHILD);
}

/// A render shorter than its compile: the next one has the kernels.
TEST_F(RuntimeCompilerTest, GivenUpCompilesComeIntoTheCache) {
  std::this_thread::sleep_for(std::chrono::seconds(10));  // what other tests stopped may go on
  const RuntimeCompiler other(settings_);
  ASSERT_FALSE(other.find(source(long_work)));
  {
    BackgroundCompiler compiler(settings_);
    const BackgroundCompile compile = compiler.start(source(long_work));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    ASSERT_EQ(compile.poll(), State::running);
  }
  for (int i = 0; i < 600 && !other.find(source(long_work)); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const std::optional<CompiledKernels> found = other.find(source(long_work));
  ASSERT_TRUE(found);
  EXPECT_TRUE(is_elf(found->cubin));
  EXPECT_EQ(cached().size(), 1u);
}

/// NVRTC has handlers of its own for SIGINT and SIGTERM while it parses; ours must stay in place.
TEST_F(RuntimeCompilerTest, LeavesTheSignalHandlersAlone) {
  struct sigaction ours {
  }, before{}, now{};
  ours.sa_handler = [](int) {};
  ASSERT_EQ(sigaction(SIGTERM, &ours, &before), 0);
  BackgroundCompiler compiler(settings_);
  const BackgroundCompile compile = compiler.start(source(long_work));
  while (compile.poll() == State::running) {
    ASSERT_EQ(sigaction(SIGTERM, nullptr, &now), 0);
    ASSERT_EQ(now.sa_handler, ours.sa_handler);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(compile.poll(), State::ready);
  sigaction(SIGTERM, &before, nullptr);
}

/// Exits with 7 if the compile was still running, and is killed if that takes more than 2 s.
[[noreturn]] void exit_during_a_compile(const std::string& text, int delay_ms, bool destroy) {
  RuntimeCompilerSettings settings;
  settings.cache_folder.clear();
  auto* const compiler = new BackgroundCompiler(settings);
  const auto& compile = *new BackgroundCompile(compiler->start(source(text)));
  std::this_thread::sleep_for(std::chrono::milliseconds(delay_ms));
  const bool running = compile.poll() == State::running;
  alarm(2);
  if (destroy) delete compiler;
  std::exit(running ? 7 : 8);
}

/// exit() at any moment of a compile: no crash, no waiting, the exit code unharmed.
TEST_F(RuntimeCompilerTest, ExitDuringACompileIsOrderly) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a process of its own, started anew
  for (int delay_ms : {50, 150, 400, 800}) {
    for (bool destroy : {false, true}) {
      EXPECT_EXIT(exit_during_a_compile(endless_work, delay_ms, destroy),
                  testing::ExitedWithCode(7), "")
          << delay_ms << destroy;
    }
  }
}

}  // namespace
}  // namespace kiln
