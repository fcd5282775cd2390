// SPDX-License-Identifier: MIT
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "engine/base/platform/folder_watch.h"

namespace kiln {

struct FolderWatch::Inside {
  const int events = inotify_init1(IN_CLOEXEC);
  ~Inside() {
    if (events >= 0) close(events);
  }
};

FolderWatch::FolderWatch(const std::string& folder) : inside_(std::make_unique<Inside>()) {
  constexpr std::uint32_t wanted = IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF;
  if (inside_->events < 0 ||
      inotify_add_watch(inside_->events, folder.c_str(), wanted | IN_ONLYDIR) < 0)
    throw std::system_error(errno, std::generic_category());
}

FolderWatch::~FolderWatch() = default;

FolderWatch::News FolderWatch::news(bool waits) {
  News news;
  pollfd ready{inside_->events, POLLIN, 0};
  while (poll(&ready, 1, waits && news.names.empty() ? -1 : 0) > 0) {
    alignas(inotify_event) char buffer[16384];
    const ssize_t bytes = read(inside_->events, buffer, sizeof buffer);
    for (ssize_t at = 0; at < bytes;) {
      const auto* event = reinterpret_cast<const inotify_event*>(buffer + at);
      if (event->mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED)) news.is_gone = true;
      if (event->mask & IN_Q_OVERFLOW) news.is_lost = true;
      if (event->len > 0) news.names.emplace_back(event->name);
      at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
    }
    if (news.is_gone || news.is_lost) break;
  }
  return news;
}

}  // namespace kiln
