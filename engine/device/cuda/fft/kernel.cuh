// SPDX-License-Identifier: MIT
// The FFT kernels of a table (tables.h), by names that launches know: kiln_fft_rows_0_forward.
#pragma once

#include "engine/device/cuda/fft/tables.h"
#include "engine/device/cuda/fft/thread.cuh"

KILN_BEGIN

template <class Entry, FftUse use, class Task>
KILN_FN void run_fft(const Task& task) {
  extern __shared__ __align__(16) char memory[];
  constexpr bool may_fetch = (Entry::ahead & int(use)) != 0;
  constexpr bool may_stream = (Entry::streams & int(use)) != 0;
  FftThread<typename Entry::Shape, use, may_fetch, may_stream> thread(
      task, int(blockIdx.x), reinterpret_cast<Complex*>(memory));
  wait_for_last_launch();
  thread.run();
}

KILN_END

#define KILN_FFT_KERNEL(table, Table, index, use)                                 \
  extern "C" __global__ void __launch_bounds__(Table::At<index>::Shape::threads,  \
                                               Table::At<index>::Shape::Resident) \
      kiln_fft_##table##_##index##_##use(                                         \
          const __grid_constant__ kiln::FftTaskOf<Table, index> task) {           \
    kiln::run_fft<Table::At<index>, kiln::FftUse::use>(task);                     \
  }
#define KILN_FFT_USES(Table, index, sum)         \
  static_assert(Table::At<index>::uses == (sum), \
                "a kernel for each use of the table, and no other");

// The kernels of entry `index`, for the uses that the table says.
#define KILN_FFT_FORWARD(table, Table, index)    \
  KILN_FFT_USES(Table, index, kiln::forward_use) \
  KILN_FFT_KERNEL(table, Table, index, forward)
#define KILN_FFT_BOTH(table, Table, index)          \
  KILN_FFT_USES(Table, index, kiln::there_and_back) \
  KILN_FFT_KERNEL(table, Table, index, both)
#define KILN_FFT_ONE_WAY(table, Table, index)   \
  KILN_FFT_USES(Table, index, kiln::one_way)    \
  KILN_FFT_KERNEL(table, Table, index, forward) \
  KILN_FFT_KERNEL(table, Table, index, inverse)
#define KILN_FFT_FORWARD_AND_BOTH(table, Table, index)                  \
  KILN_FFT_USES(Table, index, kiln::forward_use | kiln::there_and_back) \
  KILN_FFT_KERNEL(table, Table, index, forward)                         \
  KILN_FFT_KERNEL(table, Table, index, both)
#define KILN_FFT_ANY(table, Table, index)       \
  KILN_FFT_USES(Table, index, kiln::any_use)    \
  KILN_FFT_KERNEL(table, Table, index, forward) \
  KILN_FFT_KERNEL(table, Table, index, inverse) \
  KILN_FFT_KERNEL(table, Table, index, both)
