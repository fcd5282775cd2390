// SPDX-License-Identifier: MIT
#include <windows.h>

#include <array>
#include <cstddef>
#include <filesystem>

#include "engine/base/platform/folder_watch.h"
#include "engine/base/platform/windows_text.h"

namespace kiln {
namespace {

/// Waits until nobody writes the file any more, or it is gone.
void wait_until_whole(const std::filesystem::path& path) {
  for (;;) {
    const HANDLE file = CreateFileW(path.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE,
                                    nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    if (file != INVALID_HANDLE_VALUE) CloseHandle(file);
    if (file != INVALID_HANDLE_VALUE || GetLastError() != ERROR_SHARING_VIOLATION) return;
    Sleep(50);
  }
}

}  // namespace

struct FolderWatch::Inside {
  std::filesystem::path path;
  HANDLE folder = INVALID_HANDLE_VALUE, came = CreateEventW(nullptr, TRUE, FALSE, nullptr);
  OVERLAPPED reading{};
  alignas(DWORD) std::array<std::byte, 16384> buffer;

  ~Inside() {
    CancelIo(folder);
    DWORD none = 0;
    GetOverlappedResult(folder, &reading, &none, TRUE);
    CloseHandle(folder);
    CloseHandle(came);
  }
  bool listen() {
    reading = {};
    reading.hEvent = came;
    return ReadDirectoryChangesW(folder, buffer.data(), DWORD(buffer.size()), FALSE,
                                 FILE_NOTIFY_CHANGE_FILE_NAME | FILE_NOTIFY_CHANGE_LAST_WRITE,
                                 nullptr, &reading, nullptr);
  }
  void add_to(News& news) const {
    for (std::size_t at = 0;;) {
      const auto& one = *reinterpret_cast<const FILE_NOTIFY_INFORMATION*>(&buffer[at]);
      const std::filesystem::path name(
          std::wstring_view(one.FileName, one.FileNameLength / sizeof(wchar_t)));
      if (one.Action != FILE_ACTION_REMOVED && one.Action != FILE_ACTION_RENAMED_OLD_NAME) {
        wait_until_whole(path / name);
        news.names.push_back(name.string());
      }
      if (one.NextEntryOffset == 0) return;
      at += one.NextEntryOffset;
    }
  }
};

FolderWatch::FolderWatch(const std::string& folder) : inside_(std::make_unique<Inside>()) {
  inside_->path = folder;
  inside_->folder =
      CreateFileW(inside_->path.c_str(), FILE_LIST_DIRECTORY,
                  FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, OPEN_EXISTING,
                  FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OVERLAPPED, nullptr);
  if (inside_->folder == INVALID_HANDLE_VALUE || !inside_->listen()) throw windows_error();
}

FolderWatch::~FolderWatch() = default;

FolderWatch::News FolderWatch::news(bool waits) {
  News news;
  while (WaitForSingleObject(inside_->came, waits && news.names.empty() ? INFINITE : 0) ==
         WAIT_OBJECT_0) {
    DWORD bytes = 0;
    news.is_gone = !GetOverlappedResult(inside_->folder, &inside_->reading, &bytes, FALSE);
    news.is_lost = !news.is_gone && bytes == 0;
    if (bytes > 0) inside_->add_to(news);
    news.is_gone = news.is_gone || !inside_->listen();
    if (news.is_gone || news.is_lost) break;
  }
  return news;
}

}  // namespace kiln
