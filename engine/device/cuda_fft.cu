// Picks a kernel for a job of FFT lines. Lengths without one of their own take AnyLine: every pass
// from and to shared memory, two buffers in turn, the radix looked up at run time.
#include "engine/device/cuda_fft.cuh"
#include "engine/device/cuda_fft.h"

KILN_BEGIN

constexpr int any_threads = 256;

struct AnyLine {
  const FftLines& job;
  Complex *now, *other, *sum;
  int lines;  // of this block, at most G
  int first;  // line
  int n;

  /// body(line of the block, point)
  template <class Body>
  KILN_FN void each_point(const Body& body) const {
    for (int at = int(threadIdx.x); at < lines * n; at += any_threads) body(at / n, at % n);
    __syncthreads();
  }

  KILN_FN void run() {
    for (int term = 0; term < job.terms; ++term) {
      load(term);
      if (job.forward) forward();
      const Spectrum& spectrum = job.spectrum[term];
      if (spectrum.present()) {
        each_point([&](int g, int k) {
          now[g * n + k] = spectrum.apply(now[g * n + k], spectrum.of(first + g, n), k);
        });
      }
      if (job.terms > 1) {
        each_point([&](int g, int k) {
          const int at = g * n + k;
          sum[at] = term == 0 ? now[at] : sum[at] + now[at];
        });
      }
    }
    if (job.terms > 1) now = sum;
    if (job.inverse) inverse();
    store();
  }

  KILN_FN void load(int term) {
    each_point([&](int g, int i) {
      const Complex* in = job.in[term] + job.from.of(first + g);
      now[g * n + i] = i < job.from.extent ? in[i * job.from.point_step] : Complex{0, 0};
    });
  }
  KILN_FN void store() {
    each_point([&](int g, int i) {
      if (i >= job.to.extent) return;
      const i64 at = job.to.of(first + g) + i * job.to.point_step;
      const Complex value = now[g * n + i] * job.scale;
      if (job.real_output) {
        static_cast<float*>(job.out)[at] = value.re;
      } else {
        static_cast<Complex*>(job.out)[at] = value;
      }
    });
  }
  KILN_FN void exchange() {
    each_point([&](int g, int i) { now[g * n + i] = exchanged(now[g * n + i]); });
  }
  KILN_FN void rotate() {
    const Rotation& rotation = job.rotation;
    if (!rotation.low) return;
    each_point([&](int g, int k) {
      const int column = (first + g) % rotation.columns;
      now[g * n + k] = now[g * n + k] * rotation.at(column, k % rotation.count, k / rotation.count);
    });
  }
  KILN_FN void forward() {
    int done = 1;
    for (int p = 0; p < job.plan.passes; ++p) {
      pass(p, done, false);
      done *= job.plan.radix[p];
    }
    rotate();
  }
  KILN_FN void inverse() {
    exchange();
    rotate();
    int done = n;
    for (int p = job.plan.passes - 1; p >= 0; --p) {
      done /= job.plan.radix[p];
      pass(p, done, true);
    }
    exchange();
  }

  KILN_FN void pass(int p, int done, bool mirrored) {
    const Complex* table = job.plan.twiddles + job.plan.table[p];
    switch (job.plan.radix[p]) {
      case 2:
        pass_of<2>(table, done, mirrored);
        break;
      case 3:
        pass_of<3>(table, done, mirrored);
        break;
      case 4:
        pass_of<4>(table, done, mirrored);
        break;
      case 5:
        pass_of<5>(table, done, mirrored);
        break;
      case 6:
        pass_of<6>(table, done, mirrored);
        break;
      case 8:
        pass_of<8>(table, done, mirrored);
        break;
      case 9:
        pass_of<9>(table, done, mirrored);
        break;
      case 10:
        pass_of<10>(table, done, mirrored);
        break;
      case 12:
        pass_of<12>(table, done, mirrored);
        break;
      case 15:
        pass_of<15>(table, done, mirrored);
        break;
      case 16:
        pass_of<16>(table, done, mirrored);
        break;
      case 24:
        pass_of<24>(table, done, mirrored);
        break;
      case 32:
        pass_of<32>(table, done, mirrored);
        break;
      case 64:
        pass_of<64>(table, done, mirrored);
        break;
    }
    Complex* const swap = now;
    now = other;
    other = swap;
    __syncthreads();
  }
  template <int R>
  KILN_FN void pass_of(const Complex* table, int done, bool mirrored) const {
    const int butterflies = n / R;
    for (int at = int(threadIdx.x); at < lines * butterflies; at += any_threads) {
      const int g = at / butterflies, i = at % butterflies, k = i % done;
      const int natural = g * n + i, scattered = g * n + (i - k) * R + k;
      Complex x[R];
      unrolled<R>([&](auto q) {
        x[q] = now[mirrored ? scattered + int(q) * done : natural + int(q) * butterflies];
      });
      const auto powers = [&](int q) { return read_constant(table + (q - 1) * done + k); };
      if (!mirrored && done > 1) twiddle<R>(x, powers);
      butterfly<R>(x);
      if (mirrored && done > 1) twiddle<R>(x, powers);
      unrolled<R>([&](auto q) {
        other[mirrored ? natural + int(q) * butterflies : scattered + int(q) * done] = x[q];
      });
    }
  }
};

__global__ void __launch_bounds__(any_threads)
    run_any_fft(const __grid_constant__ FftLines job, int lines_a_block) {
  extern __shared__ __align__(16) char memory[];
  Complex* const points = reinterpret_cast<Complex*>(memory);
  const int n = job.plan.points, first = int(blockIdx.x) * lines_a_block;
  const int buffer = n * lines_a_block;
  const int lines = first + lines_a_block <= job.lines ? lines_a_block : job.lines - first;
  AnyLine{job, points, points + buffer, points + 2 * buffer, lines, first, n}.run();
}

KILN_END

namespace kiln {
namespace {

bool same_factors(const FftVariant& variant, const LinePlan& plan) {
  if (variant.points != plan.points || variant.passes != plan.passes) return false;
  for (int p = 0; p < plan.passes; ++p) {
    if (variant.radices[p] != plan.radix[p]) return false;
  }
  return true;
}

/// The variant with the wanted number among those that fit, the first if there is none; null: none
/// fits.
const FftVariant* pick(const FftVariants& variants, const FftLines& job) {
  const FftVariant* best = nullptr;
  int seen = 0;
  for (int i = 0; i < variants.count; ++i) {
    const FftVariant& variant = variants.begin[i];
    if (!same_factors(variant, job.plan)) continue;
    if (!best || seen == job.variant) best = &variant;
    ++seen;
  }
  return best;
}

}  // namespace

cudaError_t launch_any_fft(const FftLines& job, cudaStream_t stream) {
  const int n = job.plan.points, lines = n >= 1024 ? 1 : 1024 / n;
  const int bytes = n * lines * (job.terms > 1 ? 3 : 2) * int(sizeof(Complex));
  if (bytes > 48 * 1024) {
    const cudaError_t error =
        cudaFuncSetAttribute(run_any_fft, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    if (error != cudaSuccess) return error;
  }
  run_any_fft<<<u32((job.lines + lines - 1) / lines), any_threads, std::size_t(bytes), stream>>>(
      job, lines);
  return cudaGetLastError();
}

cudaError_t launch_fft(const FftLines& job, cudaStream_t stream) {
  const LineAddress& from = job.from;
  const FftVariant* variant = nullptr;
  const bool rows = from.point_step == 1 && job.to.point_step == 1;
  if (job.terms > 1) {
    variant = pick(fft_sum_variants(), job);
  } else if (rows) {
    variant = pick(fft_row_variants(), job);
  } else if (from.point_step == 2 && job.to.point_step == 2 && from.inner == 2) {
    variant = pick(fft_pixel_row_variants(), job);
  }
  if (!variant && job.terms == 1 && !rows) variant = pick(fft_column_variants(), job);
  if (!variant && job.terms == 1) {
    // rows first, columns after them
    const FftVariants radix = fft_radix_variants();
    for (int i = 0; i < radix.count; ++i) {
      if (same_factors(radix.begin[i], job.plan)) {
        if (!variant || !rows) variant = radix.begin + i;
      }
    }
  }
  return variant ? variant->launch(job, stream) : launch_any_fft(job, stream);
}

}  // namespace kiln
