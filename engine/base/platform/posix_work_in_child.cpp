// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>

#include "engine/base/platform/file.h"
#include "engine/base/platform/work_in_child.h"

namespace kiln {

/// A name in the abstract namespace of sockets.
struct OneAtATime::Inside {
  sockaddr_un address{};
  socklen_t size = 0;
  int socket = -1;

  ~Inside() {
    if (socket >= 0) close(socket);
  }
};

OneAtATime::OneAtATime(const std::string& key) : inside_(std::make_shared<Inside>()) {
  const std::string name = fmt::format("kiln-compile-{}-{}", geteuid(), key);
  inside_->address.sun_family = AF_UNIX;
  const std::size_t bytes = std::min(name.size(), sizeof inside_->address.sun_path - 1);
  std::memcpy(inside_->address.sun_path + 1, name.data(), bytes);
  inside_->size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + bytes);
  inside_->socket = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

bool OneAtATime::take() const {
  if (inside_->socket < 0) return true;  // where there are no sockets nobody waits
  return bind(inside_->socket, reinterpret_cast<const sockaddr*>(&inside_->address),
              inside_->size) == 0 ||
         errno != EADDRINUSE;
}

namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned most_seconds = 120;                        // of work that nobody waits for
constexpr std::uint64_t most_bytes = std::uint64_t{4} << 30;  // beyond what its parent has

/// A pipe that can be read once a stop is asked for.
class StopPipe {
 public:
  explicit StopPipe(const std::stop_token& stop) {
    if (pipe2(ends_, O_CLOEXEC) != 0) ends_[0] = ends_[1] = -1;
    callback_.emplace(stop, Tell{ends_[1]});
  }
  ~StopPipe() {
    callback_.reset();
    for (const int end : ends_) {
      if (end >= 0) close(end);
    }
  }
  StopPipe(const StopPipe&) = delete;
  StopPipe& operator=(const StopPipe&) = delete;
  int file() const { return ends_[0]; }

 private:
  struct Tell {
    int file;
    void operator()() const { write_all(file, "", 1); }
  };
  int ends_[2];
  std::optional<std::stop_callback<Tell>> callback_;
};

/// Everything until the other end is closed, or `stop` can be read.
std::string read_all(int file, int stop) {
  std::string all;
  char buffer[65536];
  for (;;) {
    pollfd either[2] = {{file, POLLIN, 0}, {stop, POLLIN, 0}};
    if (poll(either, 2, -1) < 0 && errno != EINTR) return all;
    if (either[1].revents != 0) return all;
    if (either[0].revents == 0) continue;
    const ssize_t n = read(file, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return all;
    all.append(buffer, static_cast<std::size_t>(n));
  }
}

/// Keeps the signals of the calling thread waiting.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_;
};

/// Dies with the parent's thread.
void become_a_child(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // gone already
}

/// Leaves nothing of the parent's that could be harmed, held open or disturbed.
void leave_the_parents_things(int output) {
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const int nowhere = open("/dev/null", O_RDWR);
  for (int file = 0; file < 3; ++file) dup2(nowhere, file);
  if (output > 3) close_range(3, static_cast<unsigned>(output - 1), 0);
  close_range(static_cast<unsigned>(output + 1), ~0u, 0);
}

[[noreturn]] void work_as_child(const std::function<std::string()>& work, int output) {
  bool done = false;
  try {
    const std::string result = work();
    const std::uint64_t bytes = result.size();  // first, so that a part is not taken for the whole
    done = write_all(output, reinterpret_cast<const char*>(&bytes), sizeof bytes) &&
           write_all(output, result.data(), result.size());
  } catch (...) {
  }
  _exit(done ? 0 : 1);  // no handlers of the parent's
}

/// Bytes of address space that this process has now.
std::uint64_t address_space() {
  unsigned long pages = 0;
  std::FILE* const statm = std::fopen("/proc/self/statm", "re");
  const bool known = statm && std::fscanf(statm, "%lu", &pages) == 1;
  if (statm) std::fclose(statm);
  return known ? std::uint64_t{pages} * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

/// The work in a child of this child: when this one is killed, that one goes on and belongs to
/// nobody. Ends as it ended.
[[noreturn]] void work_as_grandchild(const std::function<std::string()>& work, int output) {
  setsid();                     // what a terminal sends to its programs does not reach it
  const pid_t worker = fork();  // with all files open: debuggers' handlers of forks use theirs
  leave_the_parents_things(output);
  if (worker == 0) {
    alarm(most_seconds);
    if (const std::uint64_t now = address_space()) {
      const rlimit limit{now + most_bytes, now + most_bytes};
      setrlimit(RLIMIT_AS, &limit);
    }
    ::signal(SIGPIPE, SIG_IGN);  // nobody reads the result any more
    work_as_child(work, output);
  }
  close(output);
  int status = 1 << 8;
  while (worker > 0 && waitpid(worker, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) kill(getpid(), WTERMSIG(status));
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

/// Whether one more piece of stopped work may go on.
bool may_go_on() {
  constexpr std::size_t most = 4;
  constexpr std::chrono::seconds while_s(10);
  static std::mutex mutex;
  static std::deque<Clock::time_point> lately;
  const std::lock_guard lock(mutex);
  const Clock::time_point now = Clock::now();
  while (!lately.empty() && now - lately.front() > while_s) lately.pop_front();
  if (lately.size() >= most) return false;
  lately.push_back(now);
  return true;
}

}  // namespace

std::optional<std::string> run_in_child(const std::function<std::string()>& work,
                                        std::stop_token stop, std::string& reason,
                                        WhenStopped when_stopped) {
  const bool goes_on = when_stopped == WhenStopped::goes_on;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    reason = fmt::format("no pipe to a child process: {}", std::strerror(errno));
    return std::nullopt;
  }
  const pid_t parent = getpid();
  pid_t child;
  {
    const SignalsHeld held;  // a handler of ours would do its work twice
    child = fork();
    if (child == 0) {
      become_a_child(parent);
      if (goes_on) work_as_grandchild(work, ends[1]);
      leave_the_parents_things(ends[1]);
      work_as_child(work, ends[1]);
    }
  }
  close(ends[1]);
  if (child < 0) {
    reason = fmt::format("no child process: {}", std::strerror(errno));
    close(ends[0]);
    return std::nullopt;
  }
  std::string all;
  {
    const StopPipe stopped(stop);
    all = read_all(ends[0], stopped.file());
  }
  close(ends[0]);
  if (stop.stop_requested()) {
    if (goes_on && !may_go_on()) kill(-child, SIGKILL);
    kill(child, SIGKILL);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::uint64_t bytes = 0;
  if (all.size() >= sizeof bytes) std::memcpy(&bytes, all.data(), sizeof bytes);
  if (all.size() >= sizeof bytes && all.size() - sizeof bytes == bytes) {
    return all.substr(sizeof bytes);
  }
  reason = stop.stop_requested() ? "stopped"
           : WIFSIGNALED(status) ? fmt::format("its process died of signal {}", WTERMSIG(status))
                                 : "its process failed";
  return std::nullopt;
}

}  // namespace kiln
