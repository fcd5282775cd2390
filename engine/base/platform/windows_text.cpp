// SPDX-License-Identifier: MIT
// What MinGW-w64 does otherwise than other systems, set right for the whole program: UTF-8 for std::filesystem, the order in
// which a thread's own objects go; and the errors of Windows.
#include "engine/base/platform/windows_text.h"

#include <windows.h>

#include <cerrno>
#include <cstddef>
#include <cwchar>

extern "C" int __cxa_thread_atexit(void (*)(void*), void*, void*) noexcept;

namespace {

/// When a thread ends, one destructor of pthreads' keys destroys its thread_local objects, and another frees the memory in which
/// they lie, in the order in which the keys were made. The first object would make them in the wrong one.
[[gnu::constructor(101)]] void make_keys_in_order() {
  __cxa_thread_atexit([](void*) {}, nullptr, nullptr);
}

/// Bytes of the UTF-8 sequence that a byte begins; 0: it begins none.
unsigned sequence_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

}  // namespace

/// std::filesystem::path takes char by this function of the C library, whose "C" locale has no UTF-8: it is this one in
/// its place (the linker: --wrap). What is no UTF-8 becomes U+FFFD; of a character beyond 16 bits the state keeps the second half.
extern "C" std::size_t __wrap_mbrtowc(wchar_t* to, const char* from, std::size_t size,
                                      std::mbstate_t* state) {
  static std::mbstate_t own;
  std::mbstate_t& second_half = state ? *state : own;
  const auto give = [to](unsigned long c) {
    if (to) *to = static_cast<wchar_t>(c);
  };
  if (!from) return 0;
  if (size == 0) return static_cast<std::size_t>(-2);
  if (second_half != 0) {
    give(static_cast<unsigned long>(second_half));
    second_half = 0;
    return 1;
  }
  const auto first = static_cast<unsigned char>(*from);
  const unsigned length = sequence_length(first);
  unsigned long point = length == 1 ? first : first & (0xffu >> (length + 1));
  bool is_whole = length > 0 && length <= size;
  for (unsigned i = 1; is_whole && i < length; ++i) {
    is_whole = (from[i] & 0xc0) == 0x80;
    point = point << 6 | (static_cast<unsigned char>(from[i]) & 0x3f);
  }
  give(!is_whole ? 0xfffd : point < 0x10000 ? point : 0xd800 | (point - 0x10000) >> 10);
  if (!is_whole) return 1;
  if (point >= 0x10000) second_half = static_cast<std::mbstate_t>(0xdc00 | (point & 0x3ff));
  return point >= 0x10000 ? 3 : point == 0 ? 0 : length;
}

namespace kiln {

int windows_errno() {
  switch (const DWORD error = GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
      return ENOENT;
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME:
      return EINVAL;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
      return EEXIST;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_WRITE_PROTECT:
      return EACCES;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
      return ENOSPC;
    case ERROR_BROKEN_PIPE:
    case ERROR_NO_DATA:
      return EPIPE;
    case ERROR_FILENAME_EXCED_RANGE:
      return ENAMETOOLONG;
    case ERROR_DIRECTORY:
      return ENOTDIR;
    case ERROR_TOO_MANY_OPEN_FILES:
      return EMFILE;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
      return ENOMEM;
    default:
      return error == ERROR_SUCCESS ? 0 : EIO;
  }
}

std::wstring windows_name(const std::filesystem::path& path) {
  constexpr std::size_t longest = 240;  // of the usual form 260, with what a program adds
  std::error_code error;
  const std::wstring name = std::filesystem::absolute(path, error).make_preferred().wstring();
  const bool is_usual = error || name.size() < longest || name.starts_with(L"\\\\");
  return is_usual ? path.wstring() : L"\\\\?\\" + name;
}

std::system_error windows_error() { return {windows_errno(), std::generic_category()}; }

}  // namespace kiln
