// SPDX-License-Identifier: MIT
#include "tests/parity/fft_emulation.h"
// what emulates CUDA comes first
#include "engine/device/cuda/fft/any.cuh"

namespace kiln::test {
namespace {

TEST(FftEmulation, AnyLengthHasTheBitsOfTheCpu) {
  const auto device = open_cpu(1);
  for (const i32 n : {1, 3, 10, 60, 125, 360, 1000, 1152, 6561}) {
    const FftPlan plan(*device, n);
    for (const bool sums : {false, true}) {
      check_kernel(*device, plan.line(), "any length", any_lines(n) + 3, 3, {.sums = sums},
                   [&](const FftLines& job) {
                     std::vector<Complex> memory(std::size_t(any_shared_bytes(n, job.terms)) /
                                                 sizeof(Complex));
                     kiln_emulated::run((job.lines + any_lines(n) - 1) / any_lines(n), any_threads,
                                        [&] { run_any_line(job, memory.data()); });
                   });
    }
  }
}

}  // namespace
}  // namespace kiln::test
