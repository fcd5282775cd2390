#include "engine/device/cuda/jit/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace kiln {
namespace {

bool write_all(int file, const char* from, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t n = write(file, from, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    from += n;
    bytes -= static_cast<std::size_t>(n);
  }
  return true;
}

/// Everything until the other end is closed.
std::string read_all(int file) {
  std::string all;
  char buffer[65536];
  for (;;) {
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

/// Leaves nothing of the parent's that could be harmed, held open or disturbed.
void become_a_child(int output, pid_t parent) {
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // gone already
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

}  // namespace

std::optional<std::string> run_in_child(const std::function<std::string()>& work,
                                        std::stop_token stop, std::string& reason) {
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
      become_a_child(ends[1], parent);
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
    const std::stop_callback kill_child(stop, [child] { kill(child, SIGKILL); });
    all = read_all(ends[0]);
  }
  close(ends[0]);
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
