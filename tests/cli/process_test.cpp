// SPDX-License-Identifier: MIT
// The program where its surroundings fail: closed and broken streams, no further thread, signals,
// outputs that are inputs.
#include "engine/base/platform/process.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>

#include "tests/cli/lone_user.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using namespace test;
using Names = std::vector<std::string>;

class process : public testing::Test {
 protected:
  process() {
    write_file(folder / "keys.flame", two_keys());
    write_file(folder / "a.flame", triangle());
    std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
  }
  Outcome kiln(const Names& arguments, const std::function<void()>& prepare = {}) const {
    return run_program(arguments, {folder.path(), "", {}, prepare});
  }
  Outcome frames(const std::string& into, const std::function<void()>& prepare = {}) const {
    return kiln({"animate", "keys.flame", "--backend", "cpu", "-o", into + "/####.png"}, prepare);
  }
  /// Names and contents of a folder.
  std::map<std::string, std::string> files(const std::string& name) const {
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder / name))
      all[entry.path().filename()] = read_file(entry.path());
    return all;
  }
  ScratchFolder folder;
};

void point_at(int descriptor, const char* path) { dup2(open(path, O_WRONLY), descriptor); }

int broken_pipes = 0;

/// A child that reads no more is told by the answer, and nothing of it comes later.
TEST(feed, of_a_closed_pipe_leaves_no_signal) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  const auto before = std::signal(SIGPIPE, [](int) { ++broken_pipes; });
  EXPECT_FALSE(feed(ends[1], "abc", 3));
  EXPECT_FALSE(feed(ends[1], "abc", 3));
  EXPECT_EQ(broken_pipes, 0);
  std::signal(SIGPIPE, before);
  close(ends[1]);
}

TEST_F(process, messages_that_cannot_be_written_cost_no_frame) {
  ASSERT_EQ(frames("whole").code, 0);
  const std::function<void()> broken[] = {[] { close(2); }, [] { point_at(2, "/dev/full"); },
                                          [] {
                                            int ends[2];
                                            if (pipe(ends) == 0) dup2(ends[1], 2);
                                            close(ends[0]);
                                            close(ends[1]);
                                          }};
  int number = 0;
  for (const auto& prepare : broken) {
    const std::string into = "out" + std::to_string(number++);
    const Names arguments = {"animate", "keys.flame",       "--backend",  "cpu",
                             "-o",      into + "/####.png", "--progress", "json"};
    EXPECT_EQ(kiln(arguments, prepare).code, 0) << into;
    EXPECT_EQ(files(into), files("whole")) << into;
  }
}

TEST_F(process, a_closed_standard_output_gets_nothing_into_the_frames) {
  ASSERT_EQ(frames("whole").code, 0);
  EXPECT_EQ(frames("out", [] { close(1); }).code, 5);  // the names could not be printed
  EXPECT_EQ(files("out"), files("whole"));
  EXPECT_EQ(frames("none", [] { close(0), close(1), close(2); }).code, 5);
  EXPECT_EQ(files("none"), files("whole"));
}

TEST_F(process, standard_output_by_another_name) {
  const std::string picture = kiln({"render", "a.flame", "-o", "-"}).out;
  ASSERT_GT(picture.size(), 100u);
  for (const char* name : {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    const auto before = std::filesystem::symlink_status("/dev/stdout").type();
    EXPECT_EQ(kiln({"render", "a.flame", "-o", name}).out, picture) << name;
    EXPECT_EQ(std::filesystem::symlink_status("/dev/stdout").type(), before);
  }
  EXPECT_EQ(kiln({"sequence", "a.flame", "--nframes", "2", "-o", "/dev/stdout"}).out,
            kiln({"sequence", "a.flame", "--nframes", "2", "-o", "-"}).out);
}

/// At most `count` processes and threads, as a user that has no other.
std::function<void()> few_threads(rlim_t count) {
  return [count] {
    const rlimit limit{count, count};
    if (setrlimit(RLIMIT_NPROC, &limit) != 0 || setuid(lone_user()) != 0) _exit(99);
  };
}

TEST_F(process, threads_that_cannot_start_hang_nothing) {
  if (geteuid() != 0) GTEST_SKIP() << "limits of processes need a user of their own";
  if (!others_can_run_it()) GTEST_SKIP() << "the program lies in a private folder";
  for (rlim_t count = 1; count <= 7; ++count) {
    const std::string into = "out" + std::to_string(count);
    const Outcome outcome = frames(into, few_threads(count));
    EXPECT_TRUE(outcome.code == 0 || outcome.code == 6) << count << ": " << outcome.code;
    EXPECT_EQ(outcome.err.find("internal error"), std::string::npos) << outcome.err;
    if (outcome.code == 6) {
      EXPECT_NE(outcome.err.find("ulimit -u"), std::string::npos) << outcome.err;
    }
    EXPECT_EQ(
        kiln({"render", "a.flame", "keys.flame", "--backend", "cpu", "-o", "{stem}{index}.png"},
             few_threads(count))
            .code,
        0)
        << count;
  }
}

TEST_F(process, has_threads_for_the_cores_that_it_may_use) {
  const auto on_one_core = [] {
    cpu_set_t mine, first;
    CPU_ZERO(&first);
    if (sched_getaffinity(0, sizeof mine, &mine) != 0) _exit(99);
    for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&first) == 0; ++cpu) {
      if (CPU_ISSET(cpu, &mine)) CPU_SET(cpu, &first);
    }
    if (sched_setaffinity(0, sizeof first, &first) != 0) _exit(99);
  };
  const Outcome devices = kiln({"devices"}, on_one_core);
  EXPECT_NE(devices.out.find("1 thread"), std::string::npos) << devices.out;
  const Outcome render = kiln({"render", "a.flame", "--backend", "cpu", "--json"}, on_one_core);
  EXPECT_NE(render.out.find(", 1 thread)"), std::string::npos) << render.out << render.err;
}

/// How much memory there is, nobody says then, and files that a program inherits have no names.
TEST_F(process, does_without_proc) {
  const auto without_proc = [] {
    if (unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("none", "/proc", "tmpfs", 0, nullptr) != 0)
      _exit(99);
  };
  if (kiln({"--version"}, without_proc).code == 99) GTEST_SKIP() << "nothing can be mounted here";
  for (const Names& command :
       {Names{"render", "a.flame", "keys.flame", "--backend", "cpu"},
        Names{"random", "--backend", "cpu", "--seed", "3", "-n", "2", "-o", "r.flam3"}}) {
    const Outcome outcome = kiln(command, without_proc);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  }
  EXPECT_EQ(frames("out", without_proc).code, 0);
  if (!has_program("ffmpeg")) return;
  for (const char* film : {"film.mp4", "-f:ilm.gif"}) {
    const Outcome outcome =
        kiln({"animate", "keys.flame", "--backend", "cpu", "--video", std::string("./") + film},
             without_proc);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_GT(read_file(folder / film).size(), 500u) << film;
  }
}

TEST_F(process, threads_without_memory_are_named) {
  const auto little = [] {
    const rlimit limit{rlim_t(8'000'000) * 1024, rlim_t(8'000'000) * 1024};
    setrlimit(RLIMIT_AS, &limit);
  };
  for (const char* command : {"render", "info"}) {
    const Outcome outcome =
        kiln({command, "a.flame", "--backend", "cpu", "--threads", "1000"}, little);
    EXPECT_EQ(outcome.code, 6) << outcome.err;
    EXPECT_NE(outcome.err.find("--threads"), std::string::npos) << outcome.err;
  }
}

TEST_F(process, signals_leave_nothing_unfinished) {
  std::signal(SIGQUIT, SIG_DFL);  // what a script has behind it ignores it
  for (int signal : {SIGUSR1, SIGUSR2, SIGQUIT, SIGXCPU, SIGALRM, SIGTERM, SIGKILL}) {
    const std::string into = "out" + std::to_string(signal);
    const ScratchFolder logs;
    const pid_t child = start_program({"animate", "keys.flame", "--backend", "cpu", "--quality",
                                       "5000", "-o", into + "/####.png"},
                                      logs, {folder.path(), "", {}, {}});
    while (is_running(child) && (!std::filesystem::exists(folder / into) || files(into).empty()))
      usleep(500);
    kill(child, signal);
    EXPECT_EQ(wait_for(child), signal == SIGKILL ? 1000 + SIGKILL : 128 + signal);
    for (const auto& [name, bytes] : files(into)) EXPECT_EQ(name.size(), 8u) << name;
  }
}

TEST_F(process, what_is_read_is_never_replaced) {
  ASSERT_EQ(kiln({"render", "a.flame", "-q", "-o", "p.png", "--width", "16"}).code, 0);
  write_file(folder / "p.xml", "<palettes><palette number=\"1\" data=\"\"/></palettes>");
  std::filesystem::create_symlink("keys.flame", folder / "link.flame");
  std::filesystem::create_hard_link(folder / "keys.flame", folder / "hard.flame");
  const std::string keys = read_file(folder / "keys.flame"), png = read_file(folder / "p.png");
  const Names wrong[] = {{"sequence", "keys.flame", "-o", "keys.flame"},
                         {"sequence", "keys.flame", "-o", "link.flame"},
                         {"sequence", "keys.flame", "-o", "hard.flame"},
                         {"sequence", "a.flame", "--palettes", "p.xml", "-o", "p.xml"},
                         {"render", "a.flame", "--psf", "p.png,0.5", "-o", "p.png"},
                         {"render", "a.flame", "--palettes", "p.xml", "-o", "p.xml"},
                         {"render", "link.flame", "-o", "keys.flame"},
                         {"animate", "keys.flame", "--video", "keys.flame"}};
  for (Names arguments : wrong) {
    for (const bool forced : {false, true}) {  // --force is not for what is read
      if (forced) arguments.push_back("--force");
      const Outcome outcome = kiln(arguments);
      EXPECT_EQ(outcome.code, 2) << arguments[0] << " " << arguments.back() << ": " << outcome.err;
    }
  }
  EXPECT_EQ(read_file(folder / "keys.flame"), keys);
  EXPECT_EQ(read_file(folder / "p.png"), png);
}

TEST_F(process, many_names_are_not_each_held_against_the_others) {
  Names words = {"render", "-o", "{stem}.png", "--dry-run", "--backend", "cpu"};
  for (int i = 0; i < 1000; ++i) {
    words.push_back("many" + std::to_string(i) + ".flame");
    write_file(folder / words.back(), triangle());
  }
  const Outcome outcome = kiln(words, [] {  // every input beside every picture took 33 s
    const rlimit limit{12, 12};
    setrlimit(RLIMIT_CPU, &limit);
  });
  EXPECT_EQ(outcome.code, 0) << outcome.err.substr(0, 1000);
}

TEST_F(process, tables_and_sequences_that_do_not_fit_are_refused_at_once) {
  const auto limited = [](rlim_t bytes) {
    return [bytes] {
      alarm(60);
      const rlimit limit{bytes, bytes};
      setrlimit(RLIMIT_AS, &limit);
    };
  };
  std::string flame = triangle("estimator_minimum=\"13\" supersample=\"16\"");
  flame.replace(flame.find("estimator_radius=\"0\""), 20, "estimator_radius=\"512\"");
  write_file(folder / "wide.flame", flame);
  for (const char* command : {"render", "info"}) {
    const Outcome outcome =
        kiln({command, "wide.flame", "--max-memory", "1G"}, limited(std::size_t(6) << 30));
    EXPECT_EQ(outcome.code, 6) << outcome.err;
    EXPECT_NE(outcome.err.find("density estimation"), std::string::npos) << outcome.err;
  }
  // 34 GB by the numbers of the file: no time goes into tables
  flame.replace(flame.find("estimator_radius"), 0, "estimator_curve=\"1e9\" ");
  write_file(folder / "curve.flame", flame);
  const auto seconds = [] {
    const rlimit limit{2, 2};
    setrlimit(RLIMIT_CPU, &limit);
  };
  for (const Names& more : {Names{}, {"--checkpoint", "1"}}) {
    Names words = {"render",  "curve.flame", "--backend",    "cpu",
                   "--width", "24",          "--max-memory", "20G"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = kiln(words, seconds);
    EXPECT_EQ(outcome.code, 6) << outcome.err;
    EXPECT_NE(outcome.err.find("of memory"), std::string::npos) << outcome.err;
  }
  const auto soon = [] { alarm(20); };
  EXPECT_EQ(kiln({"validate", "wide.flame"}, soon).code, 0);  // not by making 4.5 GB of tables
  std::string many = triangle();
  for (int i = 0; i < 400; ++i)
    many.insert(many.find("<color"), "<xform weight=\"1\" linear=\"1\" chaos=\"1 1 1 1\"/>");
  write_file(folder / "many.flame", many);
  const Outcome sequence = kiln({"sequence", "many.flame", "--nframes", "32000", "-o", "s.flame"},
                                limited(std::size_t(1) << 30));
  EXPECT_EQ(sequence.code, 6) << sequence.err;
  EXPECT_NE(sequence.err.find("nframes"), std::string::npos) << sequence.err;
}

TEST_F(process, a_video_of_nothing_is_a_failure) {
  std::filesystem::create_directory(folder / "bin");
  write_file(folder / "bin/ffmpeg", "#!/bin/sh\nexec cat >/dev/null\n");
  std::filesystem::permissions(folder / "bin/ffmpeg", std::filesystem::perms::all);
  const Outcome outcome = kiln({"animate", "keys.flame", "--video", "v.avi"}, [&] {
    setenv("PATH", ((folder / "bin") + ":/usr/bin:/bin").c_str(), 1);
  });
  EXPECT_EQ(outcome.code, 5) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "v.avi"));
}

TEST_F(process, a_folder_that_was_removed) {
  const auto remove_it = [&] {
    if (chdir(folder.path().c_str()) != 0 || mkdir("gone", 0755) != 0 || chdir("gone") != 0 ||
        rmdir("../gone") != 0)
      _exit(98);
  };
  const Outcome outcome = run_program({"render", folder / "a.flame"}, {".", "", {}, remove_it});
  EXPECT_EQ(outcome.code, 5) << outcome.err;
  EXPECT_EQ(outcome.err.find("internal"), std::string::npos) << outcome.err;
}

/// A file system of so many bytes in memory; not there where we may not mount one.
class SmallDisk {
 public:
  SmallDisk(std::string path, const char* options) : path_(std::move(path)) {
    std::filesystem::create_directory(path_);
    mounted_ = mount("kiln", path_.c_str(), "tmpfs", 0, options) == 0;
  }
  ~SmallDisk() {
    if (mounted_) umount2(path_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  bool mounted() const { return mounted_; }

 private:
  const std::string path_;
  bool mounted_;
};

TEST_F(process, a_full_disk_keeps_what_was_finished) {
  ASSERT_EQ(frames("whole").code, 0);
  const auto whole = files("whole");
  for (const char* options : {"size=4k", "size=16k", "size=28k", "nr_inodes=5"}) {
    const SmallDisk disk(folder / "disk", options);
    if (!disk.mounted()) GTEST_SKIP() << "only root may mount";
    const Outcome outcome = frames("disk");
    EXPECT_EQ(outcome.code, 5) << options << outcome.err;
    EXPECT_NE(outcome.err.find("free some space"), std::string::npos) << outcome.err;
    const auto made = files("disk");
    EXPECT_LT(made.size(), whole.size());
    for (const auto& [name, bytes] : made) {
      const auto same = whole.find(name);
      EXPECT_TRUE(same != whole.end() && same->second == bytes) << options << ": " << name;
    }
  }
}

TEST_F(process, a_full_disk_for_the_state_alone_costs_no_picture) {
  const Names render = {"render",    "a.flame", "--backend", "cpu",   "--width", "160",
                        "--quality", "600",     "-o",        "a.png", "-q"};
  ASSERT_EQ(kiln(render).code, 0);
  const std::string whole = read_file(folder / "a.png");
  const SmallDisk disk(folder / "small", "size=16k");
  if (!disk.mounted()) GTEST_SKIP() << "only root may mount";
  for (const Names& more : {Names{}, {"--halves"}, {"--checkpoint", "0"}, {"--threads", "1"}}) {
    std::filesystem::remove(folder / "a.png");
    Names kept = render;
    kept.insert(kept.end(), {"--state", "small/a.kiln"});
    kept.insert(kept.end(), more.begin(), more.end());
    const Outcome outcome = kiln(kept);
    EXPECT_EQ(outcome.code, 5) << outcome.err;
    EXPECT_NE(outcome.err.find("small/a.kiln"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("free some space"), std::string::npos) << outcome.err;
    EXPECT_TRUE(more == Names{"--halves"} ? std::filesystem::exists(folder / "a.png")
                                          : read_file(folder / "a.png") == whole);
    EXPECT_TRUE(std::filesystem::is_empty(folder / "small"));
  }
}

// ffmpeg 5.1 says "Error writing trailer" and ends with 0.
TEST_F(process, a_film_whose_last_bytes_find_no_room_is_none) {
  if (!has_program("ffmpeg")) GTEST_SKIP() << "no ffmpeg";
  for (const char* ending : {"mp4", "mov", "mkv", "webm", "gif", "avi", "apng", "webp"}) {
    const std::string film = std::string("v.") + ending;
    const Names made = {"animate", "keys.flame", "--backend", "cpu", "--quality",
                        "20",      "--width",    "320",       "-q",  "--video"};
    Names whole = made, small = made;
    whole.push_back(film);
    small.push_back("small/" + film);
    ASSERT_EQ(kiln(whole).code, 0) << film;
    const auto page = std::uintmax_t(4096), size = std::filesystem::file_size(folder / film);
    const std::string room = "size=" + std::to_string((size - 1) / page * page);
    const SmallDisk disk(folder / "small", room.c_str());
    if (!disk.mounted()) GTEST_SKIP() << "only root may mount";
    const Outcome outcome = kiln(small);
    EXPECT_EQ(outcome.code, 5) << film << outcome.err;
    EXPECT_EQ(outcome.out, "") << film;
    EXPECT_TRUE(std::filesystem::is_empty(folder / "small")) << film;
  }
}

/// A memory cgroup of so many bytes; not there where we may not make one.
class MemoryGroup {
 public:
  explicit MemoryGroup(std::uint64_t bytes) {
    for (const char* root : {"/sys/fs/cgroup/memory", "/sys/fs/cgroup"}) {
      for (const char* limit : {"memory.limit_in_bytes", "memory.max"}) {
        path_ = std::string(root) + "/kiln-test-" + std::to_string(getpid());
        if (mkdir(path_.c_str(), 0755) != 0) continue;
        const std::string file = path_ + "/" + limit;
        if (access(file.c_str(), W_OK) == 0) write_file(file, std::to_string(bytes) + "\n");
        if (read_file(file) == std::to_string(bytes) + "\n") return;
        rmdir(path_.c_str());
      }
    }
    path_.clear();
  }
  ~MemoryGroup() {
    if (!path_.empty()) rmdir(path_.c_str());
  }
  MemoryGroup(const MemoryGroup&) = delete;
  MemoryGroup& operator=(const MemoryGroup&) = delete;
  bool made() const { return !path_.empty(); }
  /// Puts the calling process into it.
  void enter() const { write_file(path_ + "/cgroup.procs", std::to_string(getpid()) + "\n"); }

 private:
  std::string path_;
};

TEST_F(process, a_limit_of_a_control_group_is_a_refusal_not_a_kill) {
  const MemoryGroup group(std::uint64_t(300) << 20);
  if (!group.made()) GTEST_SKIP() << "no memory control group can be made here";
  const auto enter = [&] { group.enter(); };
  const Names large = {"render", "a.flame",       "--backend", "cpu",       "--width",
                       "2000",   "--supersample", "4",         "--quality", "0.01",
                       "-o",     "a.png",         "--bloom",   "0.2"};
  const Outcome refused = kiln(large, enter);
  EXPECT_EQ(refused.code, 6) << refused.err;
  EXPECT_NE(refused.err.find("of memory"), std::string::npos) << refused.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "a.png"));
  const Outcome small =
      kiln({"render", "a.flame", "--backend", "cpu", "--width", "1000", "-o", "b.png"}, enter);
  EXPECT_EQ(small.code, 0) << small.err;
}

/// Asked before it is the program that it becomes: the handlers of the one that starts it take nothing.
TEST(child, that_is_asked_to_end_at_once_ends) {
  struct sigaction takes {
  }, before{};
  takes.sa_handler = [](int) {};
  ASSERT_EQ(sigaction(SIGTERM, &takes, &before), 0);
  for (int i = 0; i < 20; ++i) {
    Child child({.command = {find_program("sleep"), "20"}});
    child.ask_to_end();
    const std::optional<Child::End> end = child.wait();
    ASSERT_TRUE(end && end->by_signal && end->code == SIGTERM) << i;
  }
  sigaction(SIGTERM, &before, nullptr);
}

}  // namespace
}  // namespace kiln
