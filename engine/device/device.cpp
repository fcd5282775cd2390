// SPDX-License-Identifier: MIT
#include "engine/device/device.h"

#include <algorithm>
#include <atomic>

#include "engine/base/error.h"

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

namespace {

// Sums that go from one device to another through the host, in pieces: any device to any other.

/// body(first, count) for pieces of `count` values.
template <class Body>
void in_pieces(std::size_t count, Body body) {
  constexpr std::size_t piece = std::size_t(1) << 20;
  for (std::size_t at = 0; at < count; at += piece) body(at, std::min(piece, count - at));
}

}  // namespace

void Device::add_sums(std::uint64_t* sums, Device& other, const std::uint64_t* others,
                      std::size_t count) {
  std::vector<std::uint64_t> mine, theirs;
  in_pieces(count, [&](std::size_t at, std::size_t values) {
    mine.resize(values);
    theirs.resize(values);
    download(mine.data(), sums + at, values * sizeof(std::uint64_t));
    other.download(theirs.data(), others + at, values * sizeof(std::uint64_t));
    for (std::size_t i = 0; i < values; ++i) mine[i] += theirs[i];
    upload(sums + at, mine.data(), values * sizeof(std::uint64_t));
  });
}

void Device::copy_sums(std::uint64_t* sums, Device& other, const std::uint64_t* others,
                       std::size_t count) {
  std::vector<std::uint64_t> theirs;
  in_pieces(count, [&](std::size_t at, std::size_t values) {
    theirs.resize(values);
    other.download(theirs.data(), others + at, values * sizeof(std::uint64_t));
    upload(sums + at, theirs.data(), values * sizeof(std::uint64_t));
  });
}

}  // namespace kiln
