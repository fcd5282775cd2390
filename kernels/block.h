// SPDX-License-Identifier: MIT
// How a kernel meets its device. A kernel is a struct: its fields are the arguments, `Shared` its
// shared memory, operator()(Block&, Shared&) the body of one block. On the CPU a block is a loop
// over its lanes on one thread; on CUDA a thread block (engine/device/cuda/block.cuh has the twin
// of everything here). The chaos game has blocks of its own (kernels/pool_block.h).
//
//   block.index              which block this is
//   block.each(body)         body(lane) for every lane in [0, Kernel::lanes), then all wait for all
//   block.each_alone(body)   without waiting: no other lane reads what a lane touches before an each
//   Block::sequential       whether its lanes come one after the other: then they may add to the
//                            same places
//   block.each_cell<lanes, columns, rows>(body)
//                            each() of the cells of a rectangle: body(x, y)
//   block.each_own_cell<lanes, columns, rows>(body)
//                            body(x, y, own), where `own` counts the cells of a lane, of which there are
//                            own_cells<lanes, cells>(): for what a lane keeps from one to the next
//   block.add(target, n)     target += n where lanes of many blocks may meet (integers only: their
//                            order does not matter)
#pragma once

#include "kernels/platform.h"

KILN_BEGIN

#if !KILN_CUDA_CODE
/// One block of `Lanes` lanes, executed by one CPU thread. Lane loops are plain loops, so g++
/// vectorizes them.
template <int Lanes>
struct CpuBlock {
  static constexpr bool sequential = true;
  int index = 0;

  template <class Body>
  KILN_FN void each(Body&& body) {
    for (int lane = 0; lane < Lanes; ++lane) body(lane);
  }
  template <class Body>
  KILN_FN void each_alone(Body&& body) {
    each(body);
  }
  template <class Body>
  KILN_FN bool any(Body&& body) {
    bool found = false;
    for (int lane = 0; lane < Lanes; ++lane) found |= body(lane);
    return found;
  }
  template <int lanes, int cells>
  static constexpr int own_cells() {
    return cells;
  }
  template <int lanes, int columns, int rows, class Body>
  KILN_FN void each_cell(Body&& body) {
    for (int y = 0; y < rows; ++y) {
#pragma GCC ivdep
      for (int x = 0; x < columns; ++x) body(x, y);
    }
  }
  template <int lanes, int columns, int rows, class Body>
  KILN_FN void each_own_cell(Body&& body) {
    each_cell<lanes, columns, rows>([&](int x, int y) KILN_INLINE { body(x, y, y * columns + x); });
  }
  template <class T>
  KILN_FN void add(T& target, T n) {
    __atomic_fetch_add(&target, n, __ATOMIC_RELAXED);
  }
};
#endif

/// Blocks of so many lanes that have one for each of `count` elements.
KILN_CONSTEXPR int blocks_of(i64 count, int lanes) { return int((count + lanes - 1) / lanes); }

/// body(i) for the elements i below `count` that are the block's.
template <int lanes, class Block, class Body>
KILN_FN void each_element(Block& block, i64 count, Body body) {
  const i64 first = i64(block.index) * lanes;
  block.each([&](int lane) KILN_INLINE {
    if (first + lane < count) body(first + lane);
  });
}

/// body(x, y, i) for the pixels of a picture that are the block's; i counts them by rows.
template <int lanes, class Block, class Body>
KILN_FN void each_pixel(Block& block, i32 width, i32 height, Body body) {
  each_element<lanes>(block, i64(width) * height,
                      [&](i64 i) KILN_INLINE { body(int(i % width), int(i / width), i); });
}

/// Adds up values[lanes], a power of two of them; the sum is in values[0]. Always the same order.
template <int lanes, class Block>
KILN_FN void add_up_lanes(Block& block, double* values) {
  for (int distance = lanes / 2; distance > 0; distance /= 2) {
    block.each([&](int lane) KILN_INLINE {
      if (lane < distance) values[lane] += values[lane + distance];
    });
  }
}

KILN_END
