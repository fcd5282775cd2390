// SPDX-License-Identifier: MIT
#include "bench/fft_radix.h"

#include "bench/fft_radix_table.h"
#include "engine/device/cuda/fft/variants.h"

KILN_DEVICE_CODE(fft_radix)

KILN_BEGIN

template <>
DeviceCode& fft_code<FftRadix>() {
  return code_fft_radix;
}

void use_radix_kernels() { more_fft_variants() = variants_of<FftRadix>(); }

KILN_END
