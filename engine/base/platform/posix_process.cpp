// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <thread>
#include <utility>

#include "engine/base/platform/file.h"
#include "engine/base/platform/process.h"

extern char** environ;

namespace kiln {
namespace {

[[noreturn]] void fail_to_start() { throw std::system_error(errno, std::generic_category()); }

struct Pipe {
  int ends[2] = {-1, -1};
  explicit Pipe(bool is_wanted) {
    if (is_wanted && pipe2(ends, O_CLOEXEC) != 0) fail_to_start();
  }
  ~Pipe() {
    for (int end : ends) {
      if (end >= 0) close(end);
    }
  }
  int take(int which) { return std::exchange(ends[which], -1); }
};

constexpr const char* own_path = "/proc/self/exe";  // also where another version took its place

/// The arguments for exec, which live as long as `command`. In lists of processes kiln is called kiln.
std::vector<char*> arguments_of(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  if (command[0] == own_path) arguments[0] = const_cast<char*>("kiln");
  arguments.push_back(nullptr);
  return arguments;
}

void bind_to(pid_t parent) {
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  setpgid(0, 0);  // Ctrl-C is for kiln alone, which ends it
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
}

/// Signals do what they usually do, as after exec; what is ignored stays so.
void forget_handlers() {
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = SIG_DFL;
    sigaction(signal, &action, nullptr);
  }
}

/// Becomes the program. Only what is safe after fork: another thread may have held any lock. An end that is
/// -1 is /dev/null.
[[noreturn]] void become(const char* path, char* const* command, const std::array<int, 4>& ends) {
  // ends that may lie anywhere: out of the way first
  const int nowhere = open("/dev/null", O_RDWR);
  std::array<int, 4> high{};
  for (std::size_t i = 0; i < ends.size(); ++i)
    high[i] = fcntl(ends[i] < 0 ? nowhere : ends[i], F_DUPFD, 10);
  for (std::size_t i = 0; i < ends.size(); ++i) dup2(high[i], int(i));
  close_range(child_file + 1, ~0u, 0);
  execv(path, command);
  _exit(127);
}

}  // namespace

std::string name_in_child(const std::string& path, int number) {
  // a link into /proc, which not every container has; there the file has a name (TemporaryFile::open_for)
  if (access("/proc/self/fd", X_OK) != 0) return path.starts_with("/") ? path : "./" + path;
  return "/dev/fd/" + std::to_string(number);
}

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

Child::Child(const ChildProgram& program) {
  Pipe input(program.is_fed), output(program.is_heard), errors(true);
  if (program.is_fed)
    fcntl(input.ends[1], F_SETPIPE_SZ, 1 << 20);  // fewer turns; it may be refused
  const std::vector<char*> arguments = arguments_of(program.command);
  // a signal that comes before exec waits, or the handlers of this program would take it
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t parent = getpid(), child = fork();
  if (child == 0) {
    forget_handlers();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (program.is_helper) bind_to(parent);
    if (program.niceness != 0) setpriority(PRIO_PROCESS, 0, program.niceness);
    become(program.command[0].c_str(), arguments.data(),
           {input.ends[0], output.ends[1], errors.ends[1], program.file});
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (child < 0) fail_to_start();
  process_ = child;
  input_ = input.take(1);
  output_ = output.take(0);
  errors_ = errors.take(0);
}

Child::~Child() {
  if (process_ > 0) {
    kill(pid_t(process_), SIGKILL);
    wait();
  }
  for (const int end : {input_, output_, errors_})
    if (end >= 0) close(end);
}

int Child::take(int& end) { return std::exchange(end, -1); }

void Child::ask_to_end() {
  if (process_ > 0) kill(pid_t(process_), SIGTERM);
}

std::optional<Child::End> Child::wait(bool patiently) {
  int status = 0;
  pid_t ended = 0;
  do ended = waitpid(pid_t(process_), &status, patiently ? 0 : WNOHANG);
  while (ended < 0 && errno == EINTR);
  if (ended == 0) return std::nullopt;
  process_ = 0;
  if (WIFSIGNALED(status)) return End{true, WTERMSIG(status)};
  return End{false, WEXITSTATUS(status)};
}

bool feed(int pipe, const char* from, std::size_t bytes) {
  // the signal of a pipe that nobody reads is for the thread that writes
  sigset_t broken, before, waiting;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken, &before);
  const bool all = write_all(pipe, from, bytes);
  sigpending(&waiting);
  const timespec no_time{};
  if (sigismember(&waiting, SIGPIPE)) sigtimedwait(&broken, nullptr, &no_time);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return all;
}

void keep_from_children(long long handle) { fcntl(int(handle), F_SETFD, FD_CLOEXEC); }

std::string find_program(const char* name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string program = (folder.empty() ? "." : folder) + "/" + name;
    if (access(program.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(program))
      return program;
  }
  return "";
}

std::string own_program() { return own_path; }

bool has_screen() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"}) {
    const char* value = std::getenv(name);
    if (value && *value) return true;
  }
  return false;
}

void show_file(const std::string& path) {
  std::string program = "xdg-open", argument = path;
  std::array<char*, 3> words = {program.data(), argument.data(), nullptr};
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&quiet, stream, "/dev/null", O_RDWR, 0);
  pid_t child = 0;
  if (posix_spawnp(&child, program.c_str(), &quiet, nullptr, words.data(), environ) == 0)
    std::thread([child] { waitpid(child, nullptr, 0); }).detach();
  posix_spawn_file_actions_destroy(&quiet);
}

void* open_library(const std::string& path, std::string& reason, bool for_all) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | (for_all ? RTLD_GLOBAL : RTLD_LOCAL));
  if (library) return library;
  if (const char* const text = dlerror()) reason = text;
  return nullptr;
}

std::string file_of_library(void* library) {
  link_map* map = nullptr;
  return dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map->l_name ? map->l_name : "";
}

std::string file_of_this_code() {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&file_of_this_code), &info) == 0 || !info.dli_fname)
    return {};
  // of a program it is the word that it was started by: a bare name, say, which is no file here
  const std::filesystem::path file(info.dli_fname);
  std::error_code error;
  return std::filesystem::canonical(file.is_absolute() ? file : own_path, error).string();
}

void set_variable(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }

void* symbol_of(void* library, const char* name) { return dlsym(library, name); }

}  // namespace kiln
