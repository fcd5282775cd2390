// SPDX-License-Identifier: MIT
// The FFT kernels as launches choose among them.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "engine/device/cuda/fft/tables.h"
#include "engine/device/cuda/kernel.h"

KILN_BEGIN

/// The data of a job that are not in L2: those it reads, because they were not written lately or
/// are more than L2 holds, and those it writes, because they are more or nobody reads them soon.
struct FftOutside {
  bool reads = false, writes = false;
};

/// The properties of a device that launches ask for again and again.
struct FftDevice {
  int multiprocessors = 0;
  int shared_bytes = 0;  // the most that a block gets
  int l2_bytes = 0;
  bool starts_early = false;  // knows programmatic dependent launches
};
/// A kernel for the lines of one length; which addresses it is good at is its table's business.
struct FftVariant {
  int points, passes;
  const int* radices;
  int uses;     // a sum of FftUse
  int carried;  // neighboring lines a thread
  int padded;   // the uses whose lines may be shorter in memory
  bool rotation, real_output, real_spectrum;
  int shared_bytes;
  FftWhen when;
  void (*launch)(const FftLines& job, FftOutside outside, const FftDevice& device,
                 CudaStream stream);
};

struct FftVariants {
  const FftVariant* begin = nullptr;
  int count = 0;
};
/// Empty; a benchmark (bench/fft_radix.cpp) may set more kernels, for rows and then for columns,
/// that are tried before AnyLine.
FftVariants& more_fft_variants();

/// The code of a table's kernels.
template <class Table>
DeviceCode& fft_code();

/// The name of a kernel: "kiln_fft_rows_0_forward".
template <class Table, int index, FftUse use>
constexpr std::array<char, 64> fft_kernel_name() {
  std::array<char, 64> name{};
  std::size_t at = 0;
  const auto add = [&](std::string_view text) {
    for (const char c : text) name[at++] = c;
  };
  add("kiln_fft_");
  add(Table::name);
  add("_");
  if constexpr (index >= 10) name[at++] = char('0' + index / 10);
  name[at++] = char('0' + index % 10);
  add(use == FftUse::forward ? "_forward" : use == FftUse::inverse ? "_inverse" : "_both");
  return name;
}

template <class Table, int index, FftUse use>
struct FftKernel {
  using Task = FftTaskOf<Table, index>;
  static constexpr std::array<char, 64> name = fft_kernel_name<Table, index, use>();
  static inline kiln::Kernel<Task> kernel{fft_code<Table>(), name.data(),
                                          u32(Table::template At<index>::Shape::threads)};
};

template <class Table, int index, FftUse use>
void launch_use(const FftLines& job, FftOutside outside, const FftDevice& device,
                CudaStream stream) {
  using E = typename Table::template At<index>;
  using Shape = typename E::Shape;
  constexpr bool may_fetch = (E::ahead & int(use)) != 0, may_stream = (E::streams & int(use)) != 0;
  constexpr bool hurries = E::when.most_points == small_jobs.most_points;
  constexpr int lines = Shape::I * Shape::G * Shape::C;
  // below 16 MB an early start costs more than it hides, but for kernels made for that
  const std::int64_t bytes = std::int64_t(job.lines) * Shape::n * int(sizeof(Complex));
  const bool early = device.starts_early && (hurries || bytes >= 16 << 20);
  const i32 blocks_ahead =
      may_fetch && outside.reads ? device.multiprocessors * Shape::Resident : 0;
  const FftTaskOf<Table, index> task(job, blocks_ahead, may_stream && outside.writes);
  auto& kernel = FftKernel<Table, index, use>::kernel;
  const u32 blocks = u32((job.lines + lines - 1) / lines);
  if (early)
    kernel.start_early(blocks, Shape::shared_bytes, stream, task);
  else
    kernel(blocks, Shape::shared_bytes, stream, task);
}

template <class Table, int index>
void launch_shape(const FftLines& job, FftOutside outside, const FftDevice& device,
                  CudaStream stream) {
  using E = typename Table::template At<index>;
  if constexpr ((E::uses & int(FftUse::inverse)) != 0) {
    if (!job.forward)
      return launch_use<Table, index, FftUse::inverse>(job, outside, device, stream);
  }
  if constexpr ((E::uses & int(FftUse::forward)) != 0) {
    if (!job.inverse)
      return launch_use<Table, index, FftUse::forward>(job, outside, device, stream);
  }
  if constexpr ((E::uses & int(FftUse::both)) != 0) {
    launch_use<Table, index, FftUse::both>(job, outside, device, stream);
  }
}

template <class Table, int index>
constexpr FftVariant variant_of() {
  using E = typename Table::template At<index>;
  using Shape = typename E::Shape;
  return {.points = Shape::n,
          .passes = Shape::passes,
          .radices = Shape::Factors::list,
          .uses = E::uses,
          .carried = Shape::C,
          .padded =
              (Shape::pictures(false) ? one_way : 0) | (Shape::pictures(true) ? there_and_back : 0),
          .rotation = Shape::rotation,
          .real_output = Shape::real_output,
          .real_spectrum = Shape::real_spectrum,
          .shared_bytes = Shape::shared_bytes,
          .when = E::when,
          .launch = &launch_shape<Table, index>};
}

/// The variants of a table.
template <class Table>
FftVariants variants_of() {
  static const auto list = []<int... indices>(std::integer_sequence<int, indices...>) {
    return std::array<FftVariant, sizeof...(indices)>{variant_of<Table, indices>()...};
  }
  (std::make_integer_sequence<int, Table::size>{});
  return {list.data(), Table::size};
}

KILN_END
