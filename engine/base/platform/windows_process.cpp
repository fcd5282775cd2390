// SPDX-License-Identifier: MIT
#include <windows.h>

// which needs what stands above
#include <fcntl.h>
#include <io.h>
#include <shellapi.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

#include "engine/base/platform/file.h"
#include "engine/base/platform/process.h"
#include "engine/base/platform/windows_text.h"

namespace kiln {
namespace {

/// Closed when it is left, unless somebody has taken it.
class Handle {
 public:
  explicit Handle(HANDLE handle = INVALID_HANDLE_VALUE) : handle_(handle) {}
  ~Handle() {
    if (handle_ != INVALID_HANDLE_VALUE) CloseHandle(handle_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  HANDLE get() const { return handle_; }
  HANDLE* place() { return &handle_; }
  int take(int flags) {
    const HANDLE handle = std::exchange(handle_, INVALID_HANDLE_VALUE);
    if (handle == INVALID_HANDLE_VALUE) return -1;
    return _open_osfhandle(reinterpret_cast<std::intptr_t>(handle), flags | _O_BINARY);
  }

 private:
  HANDLE handle_;
};

/// A pipe of which the child gets one end; else, for both, nothing.
struct Pipe {
  Handle read, write;
  Pipe(bool is_wanted, bool child_reads, DWORD bytes) {
    if (!is_wanted) return;
    if (!CreatePipe(read.place(), write.place(), nullptr, bytes)) throw windows_error();
    SetHandleInformation((child_reads ? read : write).get(), HANDLE_FLAG_INHERIT,
                         HANDLE_FLAG_INHERIT);
  }
};

/// The word quoted so that CommandLineToArgvW takes it apart into the same.
std::string quoted(const std::string& word) {
  if (!word.empty() && word.find_first_of(" \t\n\v\"") == std::string::npos) return word;
  std::string text = "\"";
  std::size_t slashes = 0;
  for (const char c : word) {
    if (c == '"') text.append(slashes + 1, '\\');  // double those before it, and its own
    slashes = c == '\\' ? slashes + 1 : 0;
    text += c;
  }
  return text.append(slashes, '\\') + "\"";
}

std::string command_line(const std::vector<std::string>& command) {
  std::string line;
  for (const std::string& word : command) line += (line.empty() ? "" : " ") + quoted(word);
  return line;
}

/// The job whose processes end with this program, however it ends.
HANDLE job_of_helpers() {
  static const HANDLE job = [] {
    const HANDLE made = CreateJobObjectW(nullptr, nullptr);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    SetInformationJobObject(made, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    return made;
  }();
  return job;
}

/// The streams of a child, which gets no other handle of this program.
class Start {
 public:
  explicit Start(const std::array<HANDLE, 3>& streams) : streams_(streams) {
    SIZE_T bytes = 0;
    InitializeProcThreadAttributeList(nullptr, 1, 0, &bytes);
    room_.resize(bytes);
    info.lpAttributeList = reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(room_.data());
    InitializeProcThreadAttributeList(info.lpAttributeList, 1, 0, &bytes);
    UpdateProcThreadAttribute(info.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
                              streams_.data(), sizeof streams_, nullptr, nullptr);
    info.StartupInfo.cb = sizeof info;
    info.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    info.StartupInfo.hStdInput = streams[0];
    info.StartupInfo.hStdOutput = streams[1];
    info.StartupInfo.hStdError = streams[2];
  }
  ~Start() { DeleteProcThreadAttributeList(info.lpAttributeList); }
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;

  STARTUPINFOEXA info{};

 private:
  std::array<HANDLE, 3> streams_;
  std::vector<std::byte> room_;
};

HANDLE process_of(long long process) { return reinterpret_cast<HANDLE>(process); }

}  // namespace

std::string name_in_child(const std::string& path, int) { return path; }

/// Windows counts a thread's own in sixty-fourths.
double thread_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Child::Child(const ChildProgram& program) {
  Pipe input(program.is_fed, true, 1 << 20), output(program.is_heard, false, 0);
  Pipe errors(true, false, 0);
  SECURITY_ATTRIBUTES inherited{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
  // one handle each: a list with one twice is refused
  Handle no_input(CreateFileW(L"NUL", GENERIC_READ, 7, &inherited, OPEN_EXISTING, 0, nullptr));
  Handle no_output(CreateFileW(L"NUL", GENERIC_WRITE, 7, &inherited, OPEN_EXISTING, 0, nullptr));
  Start start({program.is_fed ? input.read.get() : no_input.get(),
               program.is_heard ? output.write.get() : no_output.get(), errors.write.get()});
  std::string line = command_line(program.command);
  // a group of its own: Ctrl-C is for kiln alone, which ends it
  const DWORD flags = CREATE_NEW_PROCESS_GROUP | EXTENDED_STARTUPINFO_PRESENT | CREATE_SUSPENDED |
                      (program.niceness > 0 ? BELOW_NORMAL_PRIORITY_CLASS : 0);
  PROCESS_INFORMATION made{};
  if (!CreateProcessA(program.command[0].c_str(), line.data(), nullptr, nullptr, TRUE, flags,
                      nullptr, nullptr, &start.info.StartupInfo, &made))
    throw windows_error();
  if (program.is_helper) AssignProcessToJobObject(job_of_helpers(), made.hProcess);
  ResumeThread(made.hThread);
  CloseHandle(made.hThread);
  process_ = reinterpret_cast<long long>(made.hProcess);
  input_ = input.write.take(_O_WRONLY);
  output_ = output.read.take(_O_RDONLY);
  errors_ = errors.read.take(_O_RDONLY);
}

Child::~Child() {
  if (process_ != 0) {
    TerminateProcess(process_of(process_), 1);
    wait();
  }
  for (const int end : {input_, output_, errors_})
    if (end >= 0) _close(end);
}

int Child::take(int& end) { return std::exchange(end, -1); }

void Child::ask_to_end() {
  const HANDLE process = process_of(process_);
  const bool has_console = GetConsoleCP() != 0;  // the one way to be asked
  if (!has_console || !GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, GetProcessId(process)))
    TerminateProcess(process, 1);
}

std::optional<Child::End> Child::wait(bool patiently) {
  const HANDLE process = process_of(process_);
  if (WaitForSingleObject(process, patiently ? INFINITE : 0) == WAIT_TIMEOUT) return std::nullopt;
  DWORD code = 0;
  GetExitCodeProcess(process, &code);
  CloseHandle(process);
  process_ = 0;
  return End{false, int(code)};
}

bool feed(int pipe, const char* from, std::size_t bytes) { return write_all(pipe, from, bytes); }

void keep_from_children(long long handle) {
  SetHandleInformation(reinterpret_cast<HANDLE>(handle), HANDLE_FLAG_INHERIT, 0);
}

std::string find_program(const char* name) {
  std::string found(32768, '\0');
  found.resize(SearchPathA(nullptr, name, ".exe", DWORD(found.size()), found.data(), nullptr));
  return found;
}

std::string own_program() {
  std::string path(32768, '\0');
  path.resize(GetModuleFileNameA(nullptr, path.data(), DWORD(path.size())));
  return path;
}

bool has_screen() { return true; }

void show_file(const std::string& path) {
  ShellExecuteA(nullptr, "open", path.c_str(), nullptr, nullptr, SW_SHOWNORMAL);
}

void* open_library(const std::string& path, std::string& reason, bool) {
  // a name alone is the system's: what lies beside somebody's flames is not taken for it
  const bool is_name = path.find_first_of("/\\") == std::string::npos;
  const HMODULE library =
      is_name ? LoadLibraryExA(path.c_str(), nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32)
              : LoadLibraryExA(std::filesystem::path(path).make_preferred().string().c_str(),
                               nullptr, LOAD_WITH_ALTERED_SEARCH_PATH);
  if (!library) reason = std::system_category().message(int(GetLastError()));
  return reinterpret_cast<void*>(library);
}

std::string file_of_library(void* library) {
  char path[MAX_PATH] = {};
  return GetModuleFileNameA(static_cast<HMODULE>(library), path, MAX_PATH) > 0 ? path : "";
}

std::string file_of_this_code() { return file_of_library(nullptr); }

void set_variable(const char* name, const std::string& value) { _putenv_s(name, value.c_str()); }

void* symbol_of(void* library, const char* name) {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library), name));
}

}  // namespace kiln
