// SPDX-License-Identifier: MIT
// Numbered work whose results go on in their order, whoever does it and in whatever order it ends: what may be begun, what is
// done, and what is next. How much is under way is bounded, so memory does not grow with the numbers. It has no thread and no lock:
// its owner locks, and wakes who waits for may_begin() or is_next_done().
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace kiln {

template <class Result, class Number = std::size_t>
class OrderedWork {
 public:
  /// The numbers [first, end); at most `ahead` of them (one at least) are begun before the first of them went on.
  OrderedWork(Number first, Number end, Number ahead)
      : slots_(std::size_t(std::max(ahead, Number(1)))), end_(end), begun_(first), next_(first) {}

  /// The numbers that nobody has begun.
  Number to_begin() const { return end_ - begun_; }
  bool may_begin() const { return begun_ < end_ && begun_ < next_ + Number(slots_.size()); }
  Number begin() { return begun_++; }

  /// The place for the result of a number that was begun: its alone who does it, until finish().
  Result& result(Number number) { return slot(number).result; }
  void finish(Number number) { slot(number).is_done = true; }
  void finish(Number number, Result result) {
    slot(number).result = std::move(result);
    finish(number);
  }

  /// The number that goes on next, and whether it is done.
  Number next() const { return next_; }
  bool is_next_done() const { return next_ < begun_ && slots_[index(next_)].is_done; }
  /// The result of the next number, for whoever hands it on; pass() then makes its place free.
  Result& take() {
    slot(next_).is_done = false;
    return slot(next_).result;
  }
  void pass() { ++next_; }

 private:
  struct Slot {
    Result result{};
    bool is_done = false;
  };
  std::size_t index(Number number) const { return std::size_t(number) % slots_.size(); }
  Slot& slot(Number number) { return slots_[index(number)]; }

  std::vector<Slot> slots_;
  const Number end_;
  Number begun_, next_;
};

}  // namespace kiln
