// SPDX-License-Identifier: MIT
// Picks a kernel for a job of FFT lines: the shape made for its length and addresses, else AnyLine.
#include "engine/device/cuda/fft/launch.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <span>

#include "engine/device/cuda/check.h"
#include "engine/device/cuda/fft/any_shape.h"
#include "engine/device/cuda/fft/variants.h"

KILN_DEVICE_CODE(rows)
KILN_DEVICE_CODE(pixel_rows)
KILN_DEVICE_CODE(columns)
KILN_DEVICE_CODE(sums)
KILN_DEVICE_CODE(any)

KILN_BEGIN

template <>
DeviceCode& fft_code<FftRows>() {
  return code_rows;
}
template <>
DeviceCode& fft_code<FftPixelRows>() {
  return code_pixel_rows;
}
template <>
DeviceCode& fft_code<FftColumns>() {
  return code_columns;
}
template <>
DeviceCode& fft_code<FftSums>() {
  return code_sums;
}

namespace {

kiln::Kernel<FftLines> any_fft(code_any, "kiln_any_fft", any_threads);

FftUse use_of(const FftLines& job) {
  return !job.forward ? FftUse::inverse : !job.inverse ? FftUse::forward : FftUse::both;
}

bool same_factors(const FftVariant& variant, const LinePlan& plan) {
  if (variant.points != plan.points || variant.passes != plan.passes) return false;
  for (int p = 0; p < plan.passes; ++p) {
    if (variant.radices[p] != plan.radix[p]) return false;
  }
  return true;
}

/// True if lines come in pairs of neighbors that start at multiples of 16 bytes.
bool come_in_pairs(const FftLines& job) {
  const auto even = [](std::initializer_list<i64> values) {
    return std::all_of(values.begin(), values.end(), [](i64 v) { return v % 2 == 0; });
  };
  bool pairs = !job.real_output && !job.rotation.low && even({job.lines}) &&
               reinterpret_cast<std::uintptr_t>(job.out) % (2 * sizeof(Complex)) == 0;
  for (const LineAddress& at : {job.from, job.to}) {
    pairs = pairs && at.inner_step == 1 &&
            even({at.inner, at.middle_step, at.outer_step, at.point_step, at.tile_step});
  }
  for (i32 i = 0; i < job.terms; ++i) {
    const Spectrum& spectrum = job.spectrum[i];
    pairs = pairs && ((!spectrum.real && !spectrum.complex) || even({spectrum.share})) &&
            reinterpret_cast<std::uintptr_t>(job.in[i]) % (2 * sizeof(Complex)) == 0;
  }
  return pairs;
}

/// True if a variant was compiled for what the job asks.
bool takes(const FftVariant& variant, const FftLines& job) {
  const int use = int(use_of(job));
  const bool whole = job.from.extent >= job.plan.points && job.to.extent >= job.plan.points;
  return same_factors(variant, job.plan) && (variant.uses & use) != 0 &&
         (whole || (variant.padded & use) != 0) && (variant.rotation || !job.rotation.low) &&
         (variant.real_output || !job.real_output) &&
         (variant.real_spectrum || !job.spectrum[0].real) &&
         (variant.carried == 1 || come_in_pairs(job));
}

/// The first variant that fits; null: none.
const FftVariant* pick(const FftVariants& variants, const FftLines& job, const FftDevice& device) {
  for (const FftVariant& variant : std::span(variants.begin, std::size_t(variants.count))) {
    const FftWhen& when = variant.when;
    if (takes(variant, job) && variant.shared_bytes <= device.shared_bytes &&
        i64(job.lines) * job.plan.points <= when.most_points &&
        job.from.point_step >= when.least_step && job.from.point_step <= when.most_step) {
      return &variant;
    }
  }
  return nullptr;
}

/// The calling thread's GPU, as launches ask for it again and again.
const FftDevice& current_fft_device() {
  static std::array<FftDevice, most_gpus> known;
  static std::array<std::once_flag, most_gpus> once;
  const std::size_t gpu = std::size_t(gpu_in_use());
  std::call_once(once[gpu], [&] {
    GpuProperties properties;
    KILN_CUDA_CHECK(read_properties(int(gpu), properties));
    known[gpu] = {properties.multiprocessors, int(properties.shared_block), properties.l2_bytes,
                  properties.major >= 9};
  });
  return known[gpu];
}

void launch_any_fft(const FftLines& job, CudaStream stream) {
  const int lines = any_lines(job.plan.points);
  any_fft(u32((job.lines + lines - 1) / lines), any_shared_bytes(job.plan.points, job.terms),
          stream, job);
}

/// True if butterflies step from tile to tile.
bool whole_tiles(const LinePlan& plan, const LineAddress& address) {
  const i32 tile = address.tile;
  return (tile & (tile - 1)) == 0 && plan.passes > 0 && address.point_step == 2 &&
         address.inner == 2 && plan.points / plan.radix[0] % tile == 0 &&
         plan.points / plan.radix[plan.passes - 1] % tile == 0 && address.tile_step % tile == 0 &&
         address.tile_step >= 0 && address.tile_step / tile < 1 << 28;
}

/// False for what only AnyLine can do: negative or very long steps, unusual places of a spectrum or
/// a rotation, real parts of an inverse.
bool shapes_take(const FftLines& job) {
  const i64 from = job.from.point_step, to = job.to.point_step;
  if (from < 0 || to < 0 || std::max(from, to) >= 1 << 28) return false;
  if (job.rotation.low && job.forward && job.inverse) return false;
  if (job.real_output && job.inverse) return false;
  if (i64(job.spectrum[0].tile) * job.plan.points >= i64(1) << 31) return false;
  for (i32 i = 1; i < job.terms; ++i) {
    const Spectrum &a = job.spectrum[0], &b = job.spectrum[i];
    if (a.share != b.share || a.count != b.count || a.tile != b.tile) return false;
  }
  // points in tiles: only what rows of pictures write before the columns and read after them
  if (job.from.tile && (job.forward || !whole_tiles(job.plan, job.from))) return false;
  if (job.to.tile && (job.inverse || job.real_output || !whole_tiles(job.plan, job.to))) {
    return false;
  }
  if (!job.spectrum[0].real && !job.spectrum[0].complex) return true;
  return job.forward && job.inverse && (from != 1 || to != 1 || job.spectrum[0].tile == 1);
}

void launch_fft(const FftLines& job, FftOutside outside, const FftDevice& device,
                CudaStream stream) {
  if (!shapes_take(job)) return launch_any_fft(job, stream);
  const LineAddress& from = job.from;
  const FftVariant* variant = nullptr;
  const bool rows = from.point_step == 1 && job.to.point_step == 1;
  if (job.terms > 1) {
    variant = pick(variants_of<FftSums>(), job, device);
  } else if (rows) {
    variant = pick(variants_of<FftRows>(), job, device);
  } else if (from.point_step == 2 && job.to.point_step == 2 && from.inner == 2 &&
             !job.real_output && !job.rotation.low) {
    variant = pick(variants_of<FftPixelRows>(), job, device);
  }
  const bool tiled = from.tile != 0 || job.to.tile != 0;
  if (!variant && job.terms == 1 && !rows && !tiled) {
    variant = pick(variants_of<FftColumns>(), job, device);
  }
  if (!variant && job.terms == 1 && !tiled) {
    const FftVariants more = more_fft_variants();
    for (const FftVariant& other : std::span(more.begin, std::size_t(more.count))) {
      if (takes(other, job) && (!variant || !rows)) variant = &other;  // rows first, then columns
    }
  }
  if (variant)
    variant->launch(job, outside, device, stream);
  else
    launch_any_fft(job, stream);
}

bool fits_l2(const FftLines& job, const FftDevice& device) {
  return i64(job.lines) * job.plan.points * i64(sizeof(Complex)) <= device.l2_bytes;
}

/// Jobs in turn over more than L2 holds would read and write memory once each. Parts of this size
/// find in L2 what their last job left, and two streams in turn hide how launches begin and drain.
/// On an H200 128 pictures of 1024x1024 take 13 % longer in one part, 18 % in parts of 32 MB.
constexpr i64 part_bytes = 16 << 20;
constexpr int least_parts = 4;

i64 begin_of_line(const LineAddress& address, i32 line) {
  const i32 outer = line / address.inner;
  return line % address.inner * address.inner_step + outer % address.middle * address.middle_step +
         outer / address.middle * address.outer_step;
}

/// Lines first ... first + count - 1 of a job.
FftLines part_of(FftLines job, i32 first, i32 count) {
  job.in[0] += begin_of_line(job.from, first);
  job.out = static_cast<Complex*>(job.out) + begin_of_line(job.to, first);
  job.lines = count;
  return job;
}

void make(FftStreams& streams) {
  if (streams.begin) return;
  for (int i = 0; i < 2; ++i) {
    if (!streams.stream[i])
      KILN_CUDA_CHECK(cuda().make_stream(&streams.stream[i], Driver::own_pace));
    if (!streams.end[i]) KILN_CUDA_CHECK(cuda().make_event(&streams.end[i], Driver::no_timing));
  }
  KILN_CUDA_CHECK(cuda().make_event(&streams.begin, Driver::no_timing));
}

}  // namespace

FftVariants& more_fft_variants() {
  static FftVariants more;
  return more;
}

void launch_fft(const FftLines& job, CudaStream stream) {
  const FftDevice& device = current_fft_device();
  const bool outside = !fits_l2(job, device);
  launch_fft(job, {outside, outside}, device, stream);
}

void destroy(FftStreams& streams) {
  for (int i = 0; i < 2; ++i) {
    if (streams.stream[i]) cuda().destroy_stream(streams.stream[i]);
    if (streams.end[i]) cuda().destroy_event(streams.end[i]);
  }
  if (streams.begin) cuda().destroy_event(streams.begin);
  streams = {};
}

void launch_fft(std::span<const FftLines> jobs, i32 units, FftStreams& streams, CudaStream stream) {
  i64 unit_bytes = 0;
  bool apart = units > 1 && jobs.size() > 1;
  for (const FftLines& job : jobs) {
    unit_bytes = i64(job.lines) * job.plan.points / std::max(units, 1) * i64(sizeof(Complex));
    // parts begin where the rotation's and the spectrum's counts of lines do
    const i32 lines = job.lines / std::max(units, 1);
    for (const LineAddress& address : {job.from, job.to}) {
      apart = apart && address.middle == 1 && lines % address.inner == 0;
    }
    apart = apart && job.terms == 1 && !job.real_output && lines % job.rotation.columns == 0 &&
            lines % (job.spectrum[0].share * job.spectrum[0].count) == 0;
  }
  const i32 units_a_part = i32(std::max<i64>(part_bytes / std::max<i64>(unit_bytes, 1), 1));
  apart = apart && unit_bytes <= part_bytes && units / units_a_part >= least_parts;
  if (!apart) {
    for (const FftLines& job : jobs) {
      if (job.lines > 0) launch_fft(job, stream);
    }
    return;
  }
  const FftDevice& device = current_fft_device();
  const bool outside = !fits_l2(jobs.front(), device);
  make(streams);
  KILN_CUDA_CHECK(cuda().record_event(streams.begin, stream));
  for (const CudaStream beside : streams.stream)
    KILN_CUDA_CHECK(cuda().stream_waits(beside, streams.begin, 0));
  for (i32 unit = 0, turn = 0; unit < units; unit += units_a_part, turn = 1 - turn) {
    const i32 count = std::min(units_a_part, units - unit);
    for (const FftLines& job : jobs) {
      const i32 lines = job.lines / units;
      const FftOutside at_ends = {outside && &job == &jobs.front(),
                                  outside && &job == &jobs.back()};
      launch_fft(part_of(job, unit * lines, count * lines), at_ends, device, streams.stream[turn]);
    }
  }
  for (int i = 0; i < 2; ++i) {
    KILN_CUDA_CHECK(cuda().record_event(streams.end[i], streams.stream[i]));
    KILN_CUDA_CHECK(cuda().stream_waits(stream, streams.end[i], 0));
  }
}

KILN_END
