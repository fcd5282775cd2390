// SPDX-License-Identifier: MIT
// Windows has no fork(): there is no such work.
#include "engine/base/platform/work_in_child.h"

namespace kiln {

struct OneAtATime::Inside {};

OneAtATime::OneAtATime(const std::string&) {}
bool OneAtATime::take() const { return true; }

std::optional<std::string> run_in_child(const std::function<std::string()>&, std::stop_token,
                                        std::string& reason, WhenStopped) {
  reason = "kernels of a flame's own are not compiled on Windows";
  return std::nullopt;
}

}  // namespace kiln
