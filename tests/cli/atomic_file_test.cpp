// SPDX-License-Identifier: MIT
#include "engine/io/file/atomic_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/error.h"
#include "tests/cli/scratch.h"

namespace kiln {
static int fsyncs = 0;  // calls of fsync in this process
}  // namespace kiln

/// In front of the library's.
extern "C" int fsync(int descriptor) {
  ++kiln::fsyncs;
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

namespace kiln {
namespace {

using test::read_file;
using test::ScratchFolder;
using test::write_file;

// more than the buffer, so that it reaches the disk before commit()
constexpr std::size_t big = 3 << 20;

/// The message of the output error that `body` throws, empty if it throws none.
template <class Body>
std::string output_error(Body body) {
  try {
    body();
  } catch (const Error& error) {
    return error.kind == ErrorKind::output ? error.what() : "";
  }
  return "";
}

/// Exit code of `body` in a child process, or 1000 + the signal that ended it.
template <class Body>
int in_child(Body body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

TEST(atomic_file, is_whole_after_commit_and_absent_before) {
  const ScratchFolder folder;
  const std::string path = folder / "a.png", data(big, 'x');
  for (int i = 0; i < 2; ++i) {  // a new one, then one that is replaced
    AtomicFile file(path);
    file.write(data.data(), data.size());
    EXPECT_EQ(std::filesystem::exists(path), i == 1);
    file.commit();
    EXPECT_EQ(read_file(path), data);
    EXPECT_EQ(folder.entries(), std::vector<std::string>{"a.png"});
  }
}

TEST(atomic_file, many_small_pieces_are_one_file) {
  const ScratchFolder folder;
  const std::string data = [] {
    std::string pieces;
    for (int i = 0; pieces.size() < big; ++i) pieces += std::to_string(i) + " ";
    return pieces;
  }();
  AtomicFile file(folder / "a.png");
  for (std::size_t at = 0; at < data.size(); at += 7001)  // the buffer is never exactly full
    file.write(data.data() + at, std::min<std::size_t>(7001, data.size() - at));
  file.commit();
  EXPECT_TRUE(read_file(folder / "a.png") == data);
}

TEST(atomic_file, without_commit_nothing_stays) {
  const ScratchFolder folder;
  write_file(folder / "a.png", "old");
  {
    AtomicFile file(folder / "a.png");
    const std::string data(big, 'x');
    file.write(data.data(), data.size());
  }
  EXPECT_EQ(folder.entries(), std::vector<std::string>{"a.png"});
  EXPECT_EQ(read_file(folder / "a.png"), "old");
}

TEST(atomic_file, keep_never_replaces) {
  const ScratchFolder folder;
  AtomicFile file(folder / "a.png", AtomicFile::Existing::keep);
  file.write("new", 3);
  write_file(folder / "a.png", "came between");
  EXPECT_NE(output_error([&] { file.commit(); }).find("exists already"), std::string::npos);
  EXPECT_EQ(read_file(folder / "a.png"), "came between");
}

TEST(atomic_file, a_link_is_followed) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder / "there");
  write_file(folder / "there/old", "old");
  std::filesystem::create_symlink("there/old", folder / "a.png");
  std::filesystem::create_symlink("there/new", folder / "b.png");  // leads nowhere yet
  for (const char* name : {"a.png", "b.png"}) {
    AtomicFile file(folder / name);
    file.write("new", 3);
    file.commit();
    EXPECT_TRUE(std::filesystem::is_symlink(folder / name));
    EXPECT_EQ(read_file(folder / name), "new");
  }
  EXPECT_EQ(folder.entries(), (std::vector<std::string>{"a.png", "b.png", "there"}));
  EXPECT_EQ(read_file(folder / "there/old"), "new");
}

TEST(atomic_file, a_replaced_file_keeps_its_mode) {
  const ScratchFolder folder;
  write_file(folder / "a.png", "old");
  chmod((folder / "a.png").c_str(), 0600);
  AtomicFile file(folder / "a.png");
  file.commit();
  struct stat status {};
  ASSERT_EQ(stat((folder / "a.png").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST(atomic_file, descriptors_are_written_and_stay) {
  const ScratchFolder folder;
  write_file(folder / "out", "");
  const int out = open((folder / "out").c_str(), O_WRONLY);
  const std::string name = "/dev/fd/" + std::to_string(out);
  const auto before = std::filesystem::symlink_status(name).type();
  AtomicFile file(name);
  file.write("data", 4);
  file.commit();
  EXPECT_EQ(std::filesystem::symlink_status(name).type(), before);
  EXPECT_EQ(read_file(folder / "out"), "data");
  close(out);
  EXPECT_NE(output_error([&] { AtomicFile closed(name); }), "");
}

TEST(atomic_file, what_a_killed_program_left_is_swept) {
  const ScratchFolder folder;
  const std::string dead = folder / "a.png.tmp-12-3", held = folder / "b.png.tmp-12-4";
  for (const std::string& name : {dead, held, folder / "c.tmp-1-x", folder / "tmp-1-2"})
    write_file(name, "");
  const int holder = open(held.c_str(), O_RDONLY);
  ASSERT_EQ(flock(holder, LOCK_EX), 0);
  AtomicFile file(folder / "a.png");
  EXPECT_EQ(folder.entries(), (std::vector<std::string>{"b.png.tmp-12-4", "c.tmp-1-x", "tmp-1-2"}));
  close(holder);
}

TEST(atomic_file, file_and_folder_are_flushed) {
  const ScratchFolder folder;
  AtomicFile file(folder / "a.png");
  fsyncs = 0;
  file.commit();
  EXPECT_EQ(fsyncs, 2);
}

TEST(atomic_file, permissions_follow_the_umask) {
  const ScratchFolder folder;
  const mode_t before = umask(027);
  AtomicFile file(folder / "a.png");
  file.commit();
  umask(before);
  struct stat status {};
  ASSERT_EQ(stat((folder / "a.png").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST(atomic_file, a_name_as_long_as_the_file_system_allows) {
  const ScratchFolder folder;
  const std::string name = std::string(251, 'n') + ".png";
  AtomicFile file(folder / name);
  file.commit();
  EXPECT_EQ(folder.entries(), std::vector<std::string>{name});
}

TEST(atomic_file, bad_places_are_named_with_a_remedy) {
  const ScratchFolder folder;
  write_file(folder / "file", "");
  const auto error_at = [](const std::string& path) {
    const std::string checked = output_error([&] { check_output_path(path); });
    const std::string opened = output_error([&] { AtomicFile file(path); });
    EXPECT_EQ(checked, opened);
    EXPECT_EQ(checked.find(" -o"), std::string::npos) << checked;  // a state, a page: not -o's
    return checked;
  };
  EXPECT_NE(error_at(folder / "none/a.png").find("does not exist; create it"), std::string::npos);
  EXPECT_NE(error_at(folder / "file/a.png").find("is not a folder"), std::string::npos);
  EXPECT_NE(error_at(folder.path()).find("is a folder"), std::string::npos);
  EXPECT_NE(error_at(folder / std::string(300, 'n')).find("too long"), std::string::npos);
  EXPECT_EQ(output_error([&] { check_output_path(folder / "fine.png"); }), "");
  EXPECT_EQ(output_error([&] { check_output_path("-"); }), "");
  EXPECT_EQ(folder.entries(), std::vector<std::string>{"file"});
}

TEST(atomic_file, a_folder_without_permission) {
  const ScratchFolder folder;
  ASSERT_EQ(chmod(folder.path().c_str(), 0555), 0);
  const std::string path = folder / "a.png";
  const int code = in_child([&] {
    if (geteuid() == 0 && setuid(65534) != 0) return 9;  // root may write anywhere
    const std::string checked = output_error([&] { check_output_path(path); });
    const std::string opened = output_error([&] { AtomicFile file(path); });
    return checked.find("cannot write in the folder") != std::string::npos && checked == opened ? 0
                                                                                                : 1;
  });
  EXPECT_EQ(code, 0);
}

TEST(atomic_file, a_full_disk) {
  const std::string data(big, 'x');
  const std::string message = output_error([&] {
    AtomicFile file("/dev/full");  // a device: written directly, never renamed over
    file.write(data.data(), data.size());
    file.commit();
  });
  EXPECT_NE(message.find("free some space"), std::string::npos) << message;
  struct stat status {};
  ASSERT_EQ(stat("/dev/full", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
}

TEST(atomic_file, the_file_size_limit) {
  const ScratchFolder folder;
  const int code = in_child([&] {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100000, 100000};
    setrlimit(RLIMIT_FSIZE, &limit);
    const std::string data(big, 'x');
    const std::string message = output_error([&] {
      AtomicFile file(folder / "a.png");
      file.write(data.data(), data.size());
      file.commit();
    });
    return message.find("ulimit") != std::string::npos ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(folder.entries().empty());
}

void stop(int) {
  remove_unfinished_files();
  _exit(7);
}

TEST(atomic_file, a_signal_removes_the_temporary) {
  const ScratchFolder folder;
  const int code = in_child([&] {
    signal(SIGTERM, stop);
    const std::string data(big, 'x');
    AtomicFile finished(folder / "finished.png");
    finished.commit();
    AtomicFile a(folder / "a.png"), b(folder / "b.png");
    a.write(data.data(), data.size());
    raise(SIGTERM);
    return 2;
  });
  EXPECT_EQ(code, 7);
  EXPECT_EQ(folder.entries(), std::vector<std::string>{"finished.png"});
}

/// A file that is replaced has two names for a moment.
TEST(atomic_file, a_signal_leaves_nothing_while_another_thread_replaces_a_file) {
  const ScratchFolder folder;
  write_file(folder / "a.png", "old");
  for (int round = 0; round < 300; ++round) {
    const int code = in_child([&] {
      signal(SIGTERM, stop);
      std::thread([&] {
        for (;;) {
          AtomicFile file(folder / "a.png");
          file.write("new", 3);
          file.commit();
        }
      }).detach();
      usleep(useconds_t(200 + 7 * round));
      raise(SIGTERM);
      return 2;
    });
    ASSERT_EQ(code, 7);
    ASSERT_EQ(folder.entries(), std::vector<std::string>{"a.png"}) << "round " << round;
  }
}

TEST(private_file, sweeps_away_what_a_killed_program_left) {
  const ScratchFolder folder;
  const std::string stem = folder / "kiln-view";
  EXPECT_EQ(in_child([&] {
              new PrivateFile(stem, ".html", "left");
              return 0;
            }),
            0);
  ASSERT_EQ(folder.entries().size(), 1u);
  write_file(stem + "-notes.html", "not ours");
  const PrivateFile one(stem, ".html", "one");
  EXPECT_EQ(folder.entries().size(), 2u);
  const PrivateFile two(stem, ".html", "two");  // of another program that runs
  EXPECT_EQ(folder.entries().size(), 3u);
  EXPECT_EQ(read_file(one.path()), "one");
}

TEST(private_file, a_signal_removes_it) {
  const ScratchFolder folder;
  const int code = in_child([&] {
    signal(SIGTERM, stop);
    const PrivateFile file(folder / "kiln-view", ".html", "secret");
    raise(SIGTERM);
    return 2;
  });
  EXPECT_EQ(code, 7);
  EXPECT_TRUE(folder.entries().empty());
}

TEST(atomic_file, many_at_once) {  // more than the signal handler's list holds
  const ScratchFolder folder;
  std::vector<std::unique_ptr<AtomicFile>> files;
  for (int i = 0; i < 100; ++i)
    files.push_back(std::make_unique<AtomicFile>(folder / std::to_string(i)));
  for (auto& file : files) file->commit();
  files.clear();
  EXPECT_EQ(folder.entries().size(), 100u);
}

}  // namespace
}  // namespace kiln
