#include <atomic>

#include "engine/base/error.h"
#include "engine/device/device.h"

namespace kiln {

void Device::watch(const std::stop_token& token) {
  watching_.reset();
  std::atomic_ref(stop_asked_).store(0);
  if (token.stop_possible())
    watching_.emplace(token, [this] { std::atomic_ref(stop_asked_).store(1); });
}

void Device::check_stop() const {
  if (watching_ && __atomic_load_n(&stop_asked_, __ATOMIC_RELAXED) != 0)
    fail(ErrorKind::stopped, "the render was stopped before its end");
}

}  // namespace kiln
