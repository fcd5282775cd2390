// Runs on the CPU: a stretch of at most 256 neighboring slots, lanes are arrays. Heavy loops run over
// the run rounded up to whole vectors; only what leaves the lanes (each_exact) stops at the last
// slot.
#pragma once

#include "kernels/pool.h"
#include "kernels/program.h"

KILN_BEGIN

constexpr int run_slots = 256;
constexpr int vector_lanes = 16;
constexpr int slot_padding = 64;

/// Words that a vector register holds; only moved, never computed with.
using Four = u32 __attribute__((vector_size(16)));
using Eight = u32 __attribute__((vector_size(32)));

/// Four points beside four points, to four fields of eight and back.
KILN_FN void transpose(Eight (&row)[4]) {
  const Eight xy01 = __builtin_shufflevector(row[0], row[1], 0, 8, 1, 9, 4, 12, 5, 13);
  const Eight xy23 = __builtin_shufflevector(row[2], row[3], 0, 8, 1, 9, 4, 12, 5, 13);
  const Eight cm01 = __builtin_shufflevector(row[0], row[1], 2, 10, 3, 11, 6, 14, 7, 15);
  const Eight cm23 = __builtin_shufflevector(row[2], row[3], 2, 10, 3, 11, 6, 14, 7, 15);
  row[0] = __builtin_shufflevector(xy01, xy23, 0, 1, 8, 9, 4, 5, 12, 13);
  row[1] = __builtin_shufflevector(xy01, xy23, 2, 3, 10, 11, 6, 7, 14, 15);
  row[2] = __builtin_shufflevector(cm01, cm23, 0, 1, 8, 9, 4, 5, 12, 13);
  row[3] = __builtin_shufflevector(cm01, cm23, 2, 3, 10, 11, 6, 7, 14, 15);
}

/// Some of the lanes of a run, whole rows.
struct CpuRunPart {
  int from, to;
  template <class Body>
  KILN_FN void each(Body&& body) const {
    const int end = from + ((to - from) & ~(vector_lanes - 1));
    for (int i = from; i < end; ++i) body(i);
  }
};

struct CpuRun {
  int begin, count, padded;
  const u16* copies = nullptr;  // [pool_rows] which copy of the xform a row runs; null: all the
                                // first

  template <class T>
  struct alignas(64) Lanes {
    T v[run_slots + vector_lanes];
    KILN_FN T& operator[](int i) { return v[i]; }
    KILN_FN const T& operator[](int i) const { return v[i]; }
  };

  template <class Body>
  KILN_FN void each(Body&& body) const {
    const int n = padded & ~(vector_lanes - 1);
    for (int i = 0; i < n; ++i) body(i);
  }
  template <class Body>
  KILN_FN void each_exact(Body&& body) const {
    const int n = count;
    for (int i = 0; i < n; ++i) body(i);
  }
  /// Points of the run's slots into lanes. Padding lanes get some points of the pool.
  template <class Source>
  KILN_FN void take(const Source& source, const Point* points, Lanes<i32>& place, Lanes<Real>& x,
                    Lanes<Real>& y, Lanes<Real>& color, Lanes<u32>& meta) const {
    each([&](int i) KILN_INLINE { place[i] = source(begin + i); });
    const int n = padded & ~(vector_lanes - 1);
    for (int i = 0; i < n; i += 8) {
      Eight row[4];
      for (int k = 0; k < 4; ++k) {
        Four low, high;
        __builtin_memcpy(&low, &points[place[i + k]], sizeof(Point));
        __builtin_memcpy(&high, &points[place[i + k + 4]], sizeof(Point));
        row[k] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
      }
      transpose(row);
      __builtin_memcpy(&x[i], &row[0], sizeof(Eight));
      __builtin_memcpy(&y[i], &row[1], sizeof(Eight));
      __builtin_memcpy(&color[i], &row[2], sizeof(Eight));
      __builtin_memcpy(&meta[i], &row[3], sizeof(Eight));
    }
  }
  KILN_FN void put_back(Point* points, const Lanes<i32>& place, const Lanes<Real>& x,
                        const Lanes<Real>& y, const Lanes<Real>& color,
                        const Lanes<u32>& meta) const {
    int i = 0;
    for (; i + 8 <= count; i += 8) {
      Eight row[4];
      __builtin_memcpy(&row[0], &x[i], sizeof(Eight));
      __builtin_memcpy(&row[1], &y[i], sizeof(Eight));
      __builtin_memcpy(&row[2], &color[i], sizeof(Eight));
      __builtin_memcpy(&row[3], &meta[i], sizeof(Eight));
      transpose(row);
      for (int k = 0; k < 4; ++k) {
        const Four low = __builtin_shufflevector(row[k], row[k], 0, 1, 2, 3);
        const Four high = __builtin_shufflevector(row[k], row[k], 4, 5, 6, 7);
        __builtin_memcpy(&points[place[i + k]], &low, sizeof(Point));
        __builtin_memcpy(&points[place[i + k + 4]], &high, sizeof(Point));
      }
    }
    for (; i < count; ++i) points[place[i]] = {x[i], y[i], color[i], meta[i]};
  }
  /// Where in the pool the point of a lane is.
  KILN_FN int place_of(const Lanes<i32>& place, int i) const { return place[i]; }
  KILN_FN bool has_copies() const { return copies; }
  KILN_FN CpuRun without_copies() const { return {begin, count, padded}; }
  KILN_FN int copy_of(int i) const { return copies ? copies[(begin + i) / row_slots] : 0; }
  /// Calls body(copy, part) for stretches of the run that have one copy of `first`. Runs with
  /// copies are whole rows.
  template <class Body>
  KILN_FN void each_copy(const XformData* first, Body&& body) const {
    for (int from = 0, to = 0; from < count; from = to) {
      const int copy = copy_of(from);
      for (to = from + row_slots; to < count && copy_of(to) == copy;) to += row_slots;
      body(first[copy], CpuRunPart{from, to});
    }
  }
  template <class Reals>
  KILN_FN void pin(Reals&, Reals&) const {}
  KILN_FN bool any_not(const Lanes<u32>& flags) const {
    u32 all = 1;
    for (int i = 0; i < count; ++i) all &= flags[i];
    return all == 0;
  }
};

/// The generators of a run's lanes, copied in when something draws, back when the run is done.
struct CpuRandoms {
  u32 *lanes0, *lanes1;  // [pool_lanes] the block's generators
  int first;             // the generator of the run's first slot
  int padded, straight;  // lanes to load; how many of them lie before the wrap to generator 0
  bool loaded = false;
  CpuRun::Lanes<u32> s0, s1;

  KILN_FN CpuRandoms(u32* a, u32* b, const CpuRun& run, bool load)
      : lanes0(a), lanes1(b), first(run.begin & (pool_lanes - 1)), padded(run.padded) {
    straight = padded < pool_lanes - first ? padded : pool_lanes - first;
    if (load) ensure();
  }
  KILN_FN void ensure() {
    if (loaded) return;
    loaded = true;
    for (int i = 0; i < straight; ++i) {
      s0[i] = lanes0[first + i];
      s1[i] = lanes1[first + i];
    }
    for (int i = straight; i < padded; ++i) {
      s0[i] = lanes0[i - straight];
      s1[i] = lanes1[i - straight];
    }
  }
  KILN_FN Random get(int i) const { return {s0[i], s1[i]}; }
  KILN_FN void set(int i, const Random& r) {
    s0[i] = r.s0;
    s1[i] = r.s1;
  }
  KILN_FN void commit(const CpuRun& run) const {
    if (!loaded) return;
    const int before_wrap = run.count < straight ? run.count : straight;
    for (int i = 0; i < before_wrap; ++i) {
      lanes0[first + i] = s0[i];
      lanes1[first + i] = s1[i];
    }
    for (int i = before_wrap; i < run.count; ++i) {
      lanes0[i - before_wrap] = s0[i];
      lanes1[i - before_wrap] = s1[i];
    }
  }
};

KILN_END
