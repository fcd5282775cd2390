// Hopper's copy engine (TMA) and the barriers in shared memory that it reports to: PTX ISA,
// "Asynchronous copy" and "mbarrier". For architectures from 9.0 on.
#pragma once

#include <cuda.h>

#include "kernels/platform.h"

KILN_BEGIN

#if KILN_CUDA_CODE && __CUDA_ARCH__ >= 900
namespace copy_engine {

KILN_FN u32 in_shared(const void* at) { return u32(__cvta_generic_to_shared(at)); }
/// A phase of the barrier ends with `arrivals`, and with the bytes that were announced.
KILN_FN void make_barrier(u64* barrier, u32 arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(in_shared(barrier)), "r"(arrivals));
}
/// The engine knows the barriers that this thread has made.
KILN_FN void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
/// One arrival; what this thread has read and written comes before it.
KILN_FN void arrive(u64* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(in_shared(barrier)) : "memory");
}
/// One arrival, and `bytes` that the engine is going to bring.
KILN_FN void arrive_and_announce(u64* barrier, u32 bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(in_shared(barrier)),
               "r"(bytes)
               : "memory");
}
/// Waits for the end of phase `phase`: 0, 1, ...
KILN_FN void wait(u64* barrier, int phase) {
  asm volatile(
      "{\n"
      ".reg .pred ended;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 ended, [%0], %1;\n"
      "@!ended bra again;\n"
      "}" ::"r"(in_shared(barrier)),
      "r"(phase & 1)
      : "memory");
}
/// Brings the map's box whose first element is x in row y of level z; what lies outside comes as
/// zeros. In shared memory 128-byte aligned, with a swizzle of 64 bytes 512-byte.
KILN_FN void load_box(void* to, const CUtensorMap& map, int x, int y, int z, u64* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%2, %3, %4}], [%5];" ::"r"(in_shared(to)),
      "l"(&map), "r"(x), "r"(y), "r"(z), "r"(in_shared(barrier))
      : "memory");
}
/// Brings `bytes`, a multiple of 16, as are both addresses.
KILN_FN void load(void* to, const void* from, u32 bytes, u64* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(in_shared(to)),
      "l"(from), "r"(bytes), "r"(in_shared(barrier))
      : "memory");
}
/// Fetches the box that goes there; what lies outside is not written.
KILN_FN void store_box(const CUtensorMap& map, int x, int y, int z, const void* from) {
  asm volatile(
      "cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%1, %2, %3}], [%4];" ::"l"(&map),
      "r"(x), "r"(y), "r"(z), "r"(in_shared(from))
      : "memory");
}
/// Waits until this thread's stores have read shared memory.
KILN_FN void wait_for_stores() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}
/// What this thread wrote to shared memory is there for the engine.
KILN_FN void hand_over() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
/// Asks for a map before it is used.
KILN_FN void prefetch(const CUtensorMap& map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

}  // namespace copy_engine
#endif

KILN_END
