// What only tests ask the devices for, or about.
#pragma once

#include <atomic>

namespace kiln {

/// True for the n-th allocation of device memory of this process if the environment has
/// KILN_TEST_FAIL_ALLOCATION=n (n from 1): the device then answers as if memory were full.
bool allocation_shall_fail();

/// How often the copy engine moved the columns of an FFT in this process. Nothing else tells: the
/// kernel by threads gives the same bits.
extern std::atomic<long> landed_columns;

}  // namespace kiln
