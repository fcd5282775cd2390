// What only tests ask the devices for.
#pragma once

namespace kiln {

/// True for the n-th allocation of device memory of this process if the environment has
/// KILN_TEST_FAIL_ALLOCATION=n (n from 1): the device then answers as if memory were full.
bool allocation_shall_fail();

}  // namespace kiln
