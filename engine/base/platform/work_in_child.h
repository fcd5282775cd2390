// SPDX-License-Identifier: MIT
// Work in a process of its own, for a library that cannot be trusted with ours: what it does to
// signal handlers, static objects and memory, and its crashes, stay there, and it can be stopped at
// any time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace kiln {

/// The fate of the work when nobody waits for it any more.
enum class WhenStopped {
  ends,     // at once
  goes_on,  // in a process that belongs to nobody, for two minutes and 4 GiB at most
};

/// The bytes that `work` returns in a forked copy of this process. Nothing, and the reason, if
/// there can be no such process, it died or threw, or `stop` was asked for. Then, or when this
/// process ends, the work ends or goes on as `when_stopped` says; of a program that stops more than
/// four pieces of work in ten seconds the others end.
///
/// The copy has only the calling thread, no open files and the default signal handlers; its output
/// goes nowhere. glibc makes malloc, stdio and dlopen usable in it although other threads may have
/// been in the middle of them; CUDA's driver is not.
std::optional<std::string> run_in_child(const std::function<std::string()>& work,
                                        std::stop_token stop, std::string& reason,
                                        WhenStopped when_stopped = WhenStopped::ends);

/// Held while this process makes one thing, so that others of the same user wait for it instead of
/// making it too; it goes with the process, however that ends.
class OneAtATime {
 public:
  explicit OneAtATime(const std::string& key);
  /// False while another process holds it.
  bool take() const;

 private:
  struct Inside;
  std::shared_ptr<Inside> inside_;
};

}  // namespace kiln
