// xaos on CUDA: the slots of a pool sorted by the xform that each draws. Also read by NVRTC.
#pragma once

#include "engine/device/cuda/record_ring.cuh"

KILN_BEGIN

/// The tables of a block, and the functions that use them.
struct CudaSortTables : CudaPoolLane {
  static constexpr int most_words = 768;
  u16 counts[pool_warps][warp_lanes];  // of each digit among the slots of each warp
  u32 cumulative[most_words];          // Program::cumulative, up to 27 xforms

  /// The shares of a still are copied to shared memory, if they fit there.
  KILN_FN static bool hold(const Program& program) {
    return program.time_sample_count == 1 &&
           cumulative_words(program) <= CudaSortTables::most_words;
  }
  KILN_FN static int cumulative_words(const Program& program) {
    return (program.xform_count + 1) * program.xform_count;
  }

  /// Draws the next xform of every slot and sorts the slots by it, stably: radix passes of 5 bits.
  /// A warp ranks 128 neighboring slots by match; every warp adds up for itself where its digits
  /// begin, which takes two barriers a pass.
  KILN_FN static void sort(CudaSortTables& tables, const Program& program, const u32* shares,
                           CudaPoolShared& s, const Permutation& exchange, u32 offset) {
    constexpr int digits = warp_lanes;
    const int first_slot = warp() * slots_per_lane * warp_lanes + warp_lane();
    u32 key[slots_per_lane], from[slots_per_lane], rank[slots_per_lane];
    const u32* const cumulative = hold(program) ? tables.cumulative : shares;
#pragma unroll
    for (int k = 0; k < slots_per_lane; ++k) {
      const int slot = first_slot + k * warp_lanes;
      from[k] = u32(exchange(slot));
      const u32 last = s.points.at[from[k]].meta & meta_last_mask;
      key[k] = u32(draw_xform(cumulative + last * u32(program.xform_count), program.xform_count,
                              slot, offset));
    }
    u16* const counts = tables.counts[warp()];
    for (int shift = 0;; shift += 5) {
      counts[warp_lane()] = 0;
      __syncwarp();
#pragma unroll
      for (int k = 0; k < slots_per_lane; ++k) {
        const u32 digit = (key[k] >> shift) & (digits - 1);
        const u32 peers = __match_any_sync(all_lanes, digit);
        const u32 below = peers & ((1u << warp_lane()) - 1);
        const u32 earlier = counts[digit];
        __syncwarp();
        if (below == 0) counts[digit] = u16(earlier + u32(__popc(peers)));
        __syncwarp();
        rank[k] = earlier + u32(__popc(below));
      }
      __syncthreads();
      u32 total = 0, begin = 0;  // of the digit that is this lane's number
#pragma unroll
      for (int w = 0; w < pool_warps; ++w) {
        const u32 n = tables.counts[w][warp_lane()];
        begin += w < warp() ? n : 0;
        total += n;
      }
      u32 up_to = total;
#pragma unroll
      for (int d = 1; d < warp_lanes; d *= 2) {
        const u32 other = __shfl_up_sync(all_lanes, up_to, d);
        up_to += warp_lane() >= d ? other : 0;
      }
      begin += up_to - total;
#pragma unroll
      for (int k = 0; k < slots_per_lane; ++k) {
        const u32 digit = (key[k] >> shift) & (digits - 1);
        rank[k] += __shfl_sync(all_lanes, begin, int(digit));
        s.order[rank[k]] = u16(from[k]);
        s.key[rank[k]] = u16(key[k]);
      }
      __syncthreads();
      if ((program.xform_count - 1) >> (shift + 5) == 0) break;
#pragma unroll
      for (int k = 0; k < slots_per_lane; ++k) {
        from[k] = s.order[first_slot + k * warp_lanes];
        key[k] = s.key[first_slot + k * warp_lanes];
      }
    }
  }
};

KILN_END
