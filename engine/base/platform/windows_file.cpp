// SPDX-License-Identifier: MIT
#include <windows.h>

// which needs what stands above
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string_view>

#include "engine/base/platform/file.h"
#include "engine/base/platform/windows_text.h"

namespace kiln {
namespace {

HANDLE handle_of(int file) { return reinterpret_cast<HANDLE>(_get_osfhandle(file)); }

OVERLAPPED place(std::uint64_t at) {
  OVERLAPPED where{};
  where.Offset = static_cast<DWORD>(at);
  where.OffsetHigh = static_cast<DWORD>(at >> 32);
  return where;
}

/// A folder where the system says no more than that it could not be opened.
template <class File>
File opened(File file, File failure, const std::string& path) {
  std::error_code none;
  if (file == failure && errno == EACCES && std::filesystem::is_directory(path, none))
    errno = EISDIR;
  return file;
}

/// Whether a character is in the set that begins behind "["; `end` comes behind its "]", or stays null.
bool is_in_set(char c, const char* set, const char*& end) {
  const bool inverts = *set == '!' || *set == '^';
  if (inverts) ++set;
  bool found = false;
  for (const char* at = set; *at != '\0'; ++at) {
    if (*at == ']' && at != set) {
      end = at + 1;
      return found != inverts;
    }
    const bool is_range = at[1] == '-' && at[2] != ']' && at[2] != '\0';
    found = found || (is_range ? at[0] <= c && c <= at[2] : *at == c);
    if (is_range) at += 2;
  }
  return false;
}

bool fits(const char* name, const char* pattern) {
  for (; *pattern != '\0'; ++name) {
    if (*pattern == '*') {
      for (; *name != '\0'; ++name)
        if (fits(name, pattern + 1)) return true;
      ++pattern;
      --name;
      continue;
    }
    if (*name == '\0') return false;
    const char* behind = nullptr;
    const bool is_in = *pattern == '[' && is_in_set(*name, pattern + 1, behind);
    if (behind) {
      if (!is_in) return false;
      pattern = behind;
    } else if (*pattern == '?') {  // a whole character of UTF-8
      while ((name[1] & 0xc0) == 0x80) ++name;
      ++pattern;
    } else {
      if (*pattern == '\\' && pattern[1] != '\0') ++pattern;
      if (*pattern++ != *name) return false;
    }
  }
  return *name == '\0';
}

}  // namespace

bool is_out_of_space(int error_number) { return error_number == ENOSPC; }

bool is_special_file(const std::string& path) {
  const std::wstring name = std::filesystem::path(path).make_preferred().wstring();
  return name.starts_with(L"\\\\.\\") || _wcsicmp(name.c_str(), L"NUL") == 0;
}

std::FILE* open_to_read(const std::string& path) {
  return opened<std::FILE*>(_wfopen(windows_name(path).c_str(), L"rbN"), nullptr, path);
}

int open_without_waiting(const std::string& path) {
  return opened(_wopen(windows_name(path).c_str(), _O_RDONLY | _O_BINARY | _O_NOINHERIT), -1, path);
}

int open_in_place(const std::string& path) {
  return opened(_wopen(windows_name(path).c_str(), _O_WRONLY | _O_BINARY | _O_NOINHERIT), -1, path);
}

int duplicate_descriptor(int descriptor) {
  const int copy = _dup(descriptor);
  if (copy < 0) return copy;
  _setmode(copy, _O_BINARY);
  SetHandleInformation(handle_of(copy), HANDLE_FLAG_INHERIT, 0);
  return copy;
}

std::int64_t read_at(int file, char* to, std::size_t bytes, std::uint64_t at) {
  OVERLAPPED where = place(at);
  DWORD size = 0;
  if (ReadFile(handle_of(file), to, DWORD(std::min(bytes, std::size_t(1) << 30)), &size, &where) ||
      GetLastError() == ERROR_HANDLE_EOF)
    return size;
  errno = windows_errno();
  return -1;
}

bool write_at(int file, const char* from, std::size_t bytes, std::uint64_t at) {
  for (std::size_t done = 0; done < bytes;) {
    OVERLAPPED where = place(at + done);
    DWORD size = 0;
    const auto piece = DWORD(std::min(bytes - done, std::size_t(1) << 30));
    if (!WriteFile(handle_of(file), from + done, piece, &size, &where)) {
      errno = windows_errno();
      return false;
    }
    done += size;
  }
  // what is written next goes behind all of the file, as it does elsewhere
  return _lseeki64(file, 0, SEEK_END) >= 0;
}

int flush_to_disk(int file) {
  const HANDLE handle = handle_of(file);
  if (GetFileType(handle) != FILE_TYPE_DISK || FlushFileBuffers(handle)) return 0;
  return windows_errno();
}

void flush_folder(const std::string&) {}  // NTFS keeps its own journal of names

bool takes_files(const std::string& folder) {
  // access() knows of the read-only mark alone, which folders have without meaning: the file itself will say
  return _waccess(windows_name(folder).c_str(), 0) == 0;
}

/// The C++ library of MinGW-w64 follows neither links nor junctions.
std::filesystem::path real_path(const std::filesystem::path& path, std::error_code& error) {
  const std::filesystem::path whole = std::filesystem::weakly_canonical(path, error);
  std::filesystem::path there = whole, rest;
  HANDLE file = INVALID_HANDLE_VALUE;
  while (!error && file == INVALID_HANDLE_VALUE) {
    file = CreateFileW(there.c_str(), 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                       nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    if (file != INVALID_HANDLE_VALUE) break;
    const int reason = windows_errno();
    if (reason != ENOENT || !there.has_relative_path()) error = {reason, std::generic_category()};
    rest = rest.empty() ? there.filename() : there.filename() / rest;
    there = there.parent_path();
  }
  if (error) return {};
  std::wstring name(32768, L'\0');
  name.resize(GetFinalPathNameByHandleW(file, name.data(), DWORD(name.size()), 0));
  CloseHandle(file);
  if (name.empty()) error = windows_error().code();
  return rest.empty() ? std::filesystem::path(name) : name / rest;
}

int hold_file(const std::string& path, bool make) {
  const HANDLE file =
      CreateFileW(windows_name(path).c_str(), GENERIC_READ | GENERIC_WRITE, FILE_SHARE_DELETE,
                  nullptr, make ? OPEN_ALWAYS : OPEN_EXISTING, 0, nullptr);
  if (file == INVALID_HANDLE_VALUE) return -1;
  return _open_osfhandle(reinterpret_cast<std::intptr_t>(file), _O_RDWR | _O_BINARY);
}

bool matches_pattern(const std::string& name, const std::string& pattern) {
  return fits(name.c_str(), pattern.c_str());
}

}  // namespace kiln
