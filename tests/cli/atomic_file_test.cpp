#include "engine/io/atomic_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/model/error.h"
#include "tests/cli/scratch.h"

namespace kiln {
namespace {

using test::read_file;
using test::ScratchFolder;
using test::write_file;

constexpr std::size_t big =
    3 << 20;  // more than the buffer, so that it reaches the disk before commit()

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
  AtomicFile file(path);
  file.write(data.data(), data.size());
  EXPECT_FALSE(std::filesystem::exists(path));
  ASSERT_EQ(folder.entries().size(), 1u);
  EXPECT_EQ(folder.entries()[0].rfind("a.png.tmp-", 0), 0u) << folder.entries()[0];
  file.commit();
  EXPECT_EQ(read_file(path), data);
  EXPECT_EQ(folder.entries(), std::vector<std::string>{"a.png"});
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

TEST(atomic_file, a_link_is_replaced_and_its_target_left_alone) {
  const ScratchFolder folder;
  write_file(folder / "precious", "precious");
  std::filesystem::create_symlink(folder / "precious", folder / "a.png");
  AtomicFile file(folder / "a.png");
  file.write("new", 3);
  file.commit();
  EXPECT_EQ(read_file(folder / "precious"), "precious");
  EXPECT_EQ(read_file(folder / "a.png"), "new");
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
    if (folder.entries().size() != 3) return 1;
    raise(SIGTERM);
    return 2;
  });
  EXPECT_EQ(code, 7);
  EXPECT_EQ(folder.entries(), std::vector<std::string>{"finished.png"});
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
