// SPDX-License-Identifier: MIT
// Until it is named, a file is marked to be removed when the last program closes it, which the system does for a killed one,
// too. One that a child process writes has its mark taken off, since nobody could open it: what a kill leaves of such
// files, and of private ones, has no owner any more, and the next program sweeps it away.
#include <windows.h>

// which needs what stands above
#include <fcntl.h>
#include <io.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>
#include <vector>

#include "engine/base/platform/temporary_file.h"
#include "engine/base/platform/windows_text.h"

namespace kiln {
namespace {

namespace fs = std::filesystem;

constexpr char mark[] = ".tmp-";

std::mutex naming;  // held for good when the program ends: no file gets a name then
std::set<std::string> without_mark;  // temporaries that children write

HANDLE handle_of(int file) { return reinterpret_cast<HANDLE>(_get_osfhandle(file)); }

/// Opens a file so that others may read, write and remove it meanwhile.
HANDLE open_with(DWORD access, const std::string& name, DWORD disposition) {
  return CreateFileW(windows_name(name).c_str(), access,
                     FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, disposition,
                     FILE_ATTRIBUTE_NORMAL, nullptr);
}

bool mark_for_removal(HANDLE file, bool goes) {
  FILE_DISPOSITION_INFO what{};
  what.DeleteFile = goes;
  return SetFileInformationByHandle(file, FileDispositionInfo, &what, sizeof what);
}

fs::path folder_with(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// NAME.tmp-PID-N
bool is_temporary_name(const std::string& name) {
  const std::size_t at = name.rfind(mark);
  if (at == std::string::npos || at == 0) return false;
  const std::string numbers = name.substr(at + sizeof mark - 1);
  const std::size_t dash = numbers.find('-');
  return dash != std::string::npos && dash > 0 && dash + 1 < numbers.size() &&
         numbers.find_first_not_of("0123456789") == dash &&
         numbers.find_first_not_of("0123456789", dash + 1) == std::string::npos;
}

/// Removes files of such names that nobody has open.
template <class IsOne>
void sweep(const fs::path& folder, const IsOne& is_one) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!is_one(entry->path().filename().string())) continue;
    const HANDLE left = CreateFileW(entry->path().c_str(), DELETE, 0, nullptr, OPEN_EXISTING,
                                    FILE_FLAG_OPEN_REPARSE_POINT, nullptr);
    if (left == INVALID_HANDLE_VALUE) continue;
    mark_for_removal(left, true);
    CloseHandle(left);
  }
}

/// Temporaries, once a folder.
void sweep_temporaries(const fs::path& folder) {
  static std::mutex mutex;
  static std::set<fs::path> swept;
  {
    const std::lock_guard lock(mutex);
    if (!swept.insert(folder).second) return;
  }
  sweep(folder, is_temporary_name);
}

std::string next_name(const std::string& for_target) {
  static std::atomic<unsigned> counter{0};
  const std::string suffix =
      mark + std::to_string(GetCurrentProcessId()) + "-" + std::to_string(counter.fetch_add(1));
  const fs::path target(for_target);
  const std::string name = target.filename().string().substr(0, name_bytes_max - suffix.size());
  return (target.parent_path() / (name + suffix)).string();
}

/// 0, or the errno of giving an open file the name.
int rename_to(HANDLE file, const fs::path& target, bool keep) {
  std::error_code error;
  const std::wstring name = windows_name(fs::absolute(target, error).make_preferred());
  const std::size_t bytes = name.size() * sizeof(wchar_t);
  std::vector<std::byte> room(sizeof(FILE_RENAME_INFO) + bytes);
  auto* const what = reinterpret_cast<FILE_RENAME_INFO*>(room.data());
  what->ReplaceIfExists = !keep;
  what->FileNameLength = DWORD(bytes);
  std::memcpy(what->FileName, name.data(), bytes);
  return SetFileInformationByHandle(file, FileRenameInfo, what, DWORD(room.size()))
             ? 0
             : windows_errno();
}

}  // namespace

int TemporaryFile::open_for(const std::string& target) {
  target_ = target;
  sweep_temporaries(folder_with(target));
  return open_named();
}

int TemporaryFile::open_named() {
  for (int attempt = 0; attempt < 100; ++attempt) {
    name_ = next_name(target_);
    const HANDLE file = open_with(GENERIC_READ | GENERIC_WRITE | DELETE, name_, CREATE_NEW);
    if (file == INVALID_HANDLE_VALUE) {
      const int error_number = windows_errno();
      name_.clear();
      if (error_number != EEXIST) return error_number;
      continue;
    }
    mark_for_removal(file, true);
    descriptor_ = _open_osfhandle(reinterpret_cast<std::intptr_t>(file), _O_RDWR | _O_BINARY);
    if (descriptor_ >= 0) return 0;
    CloseHandle(file);
    return errno;
  }
  return EEXIST;
}

/// Programs that open a file let others read and write it, but not remove it: they are refused while a handle is open that
/// could. The new one cannot.
std::string TemporaryFile::name_for_child(int) {
  const std::lock_guard lock(naming);
  mark_for_removal(handle_of(descriptor_), false);
  without_mark.insert(name_);
  const HANDLE file = open_with(GENERIC_READ | GENERIC_WRITE, name_, OPEN_EXISTING);
  if (file == INVALID_HANDLE_VALUE) return name_;  // the child will say what is wrong
  _close(descriptor_);
  descriptor_ = _open_osfhandle(reinterpret_cast<std::intptr_t>(file), _O_RDWR | _O_BINARY);
  return name_;
}

int TemporaryFile::name_it(bool keep) {
  const std::lock_guard lock(naming);
  const bool has_mark = !without_mark.contains(name_);
  if (has_mark && !mark_for_removal(handle_of(descriptor_), false)) return windows_errno();
  const HANDLE file =
      has_mark ? handle_of(descriptor_) : open_with(DELETE | SYNCHRONIZE, name_, OPEN_EXISTING);
  if (file == INVALID_HANDLE_VALUE) return windows_errno();
  const int error_number = rename_to(file, target_, keep);
  if (has_mark && error_number != 0) mark_for_removal(file, true);
  if (!has_mark) CloseHandle(file);
  if (error_number != 0) return error_number;
  without_mark.erase(name_);
  name_.clear();
  return 0;
}

void TemporaryFile::discard() noexcept {
  if (descriptor_ < 0) return;
  _close(descriptor_);
  const std::lock_guard lock(naming);
  if (without_mark.erase(name_) > 0) DeleteFileW(windows_name(name_).c_str());
  name_.clear();
  descriptor_ = -1;
}

PrivateFile::PrivateFile(const std::string& stem, const std::string& ending,
                         const std::string& text) {
  const std::string begin = fs::path(stem).filename().string() + "-";
  const auto is_left = [&](const std::string& other) {
    return other.size() == begin.size() + 6 + ending.size() && other.starts_with(begin) &&
           other.ends_with(ending);
  };
  sweep(folder_with(stem), is_left);
  static std::atomic<unsigned> counter{0};
  HANDLE file = INVALID_HANDLE_VALUE;
  for (int attempt = 0; attempt < 100 && file == INVALID_HANDLE_VALUE; ++attempt) {
    std::array<char, 8>
        six{};  // of the process, the time and the count: no secret, but another each time
    const unsigned long long seed =
        (GetTickCount64() * 1000003 + GetCurrentProcessId()) * 1000003 + counter++;
    std::snprintf(six.data(), six.size(), "%06llx", seed & 0xffffff);
    path_ = stem + "-" + six.data() + ending;
    file = CreateFileW(fs::path(path_).c_str(), GENERIC_WRITE, FILE_SHARE_DELETE, nullptr,
                       CREATE_NEW, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE && GetLastError() != ERROR_FILE_EXISTS) break;
  }
  DWORD written = 0;
  const bool is_whole = file != INVALID_HANDLE_VALUE &&
                        WriteFile(file, text.data(), DWORD(text.size()), &written, nullptr) &&
                        written == text.size();
  if (file != INVALID_HANDLE_VALUE) CloseHandle(file);
  // held to read alone: who reads it need not let others write
  const HANDLE held =
      CreateFileW(fs::path(path_).c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE,
                  nullptr, OPEN_EXISTING, 0, nullptr);
  if (is_whole && held != INVALID_HANDLE_VALUE) {
    descriptor_ = _open_osfhandle(reinterpret_cast<std::intptr_t>(held), _O_RDONLY | _O_BINARY);
    return;
  }
  if (file != INVALID_HANDLE_VALUE) DeleteFileW(fs::path(path_).c_str());
  path_.clear();
}

PrivateFile::~PrivateFile() {
  if (descriptor_ >= 0) _close(descriptor_);
  if (!path_.empty()) DeleteFileW(fs::path(path_).c_str());
}

void remove_unfinished_files() noexcept {
  naming.lock();
  for (const std::string& file : without_mark) DeleteFileW(windows_name(file).c_str());
}

}  // namespace kiln
