// SPDX-License-Identifier: MIT
// What only tests ask the devices for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace kiln {

/// True for the n-th allocation of device memory of this process if the environment has
/// KILN_TEST_FAIL_ALLOCATION=n (n from 1): the device then answers as if memory were full.
bool allocation_shall_fail();

/// True for the n-th portion of work that the p-th of several devices takes (both from 1) if the
/// environment has KILN_TEST_LOSE_HELPER=p:n: the device is then lost.
bool helper_shall_be_lost(int device, int portion);

/// True for rank n of several (from 0) if the environment has KILN_TEST_LOSE_RANK=n: it then fails
/// before its sums meet those of the others.
bool rank_shall_fail(int rank);

/// `most`, or n where that is less and the environment has KILN_TEST_MOST_TILES=n: so many tiles
/// the devices can sort.
int tiles_at_most(int most);

/// `most`, or n where that is less and the environment has KILN_TEST_TILES_AT_ONCE=n: so many tiles
/// a GPU sorts records by at once, before it sorts them again.
int tiles_at_once(int most);

/// `most`, or n where that is less and the environment has KILN_TEST_BAND_BUCKETS=n: so many rows of the
/// buffer a band has.
int band_buckets_at_most(int most);

/// `bytes`, or n where that is less and the environment has KILN_TEST_SHARED_BYTES=n: what shared memory a GPU
/// says it has (99 KB a block are 101376, the least that can play).
std::size_t shared_bytes_at_most(std::size_t bytes);

/// A library that stands in for NVIDIA's driver, if the environment has KILN_TEST_CUDA_DRIVER=file, else empty.
std::string fake_cuda_driver();

/// Throws Error (device) at the n-th launch of units of this process if the environment has
/// KILN_TEST_FAIL_GAME=n, as a device that cannot take up more. With KILN_TEST_FAIL_GAME=n,lost
/// nothing comes back from a device from then on; with KILN_TEST_FAIL_GAME=n,amid the launch fails
/// when its pools have moved, in let_launch_fail().
void let_game_fail();
void let_launch_fail();
/// Counts what comes back from a device; throws Error (device) where it counts as lost.
void note_download(std::size_t bytes);
/// Bytes that were copied from all devices of this process so far.
std::uint64_t downloaded_bytes();

}  // namespace kiln
