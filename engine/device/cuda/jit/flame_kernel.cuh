// SPDX-License-Identifier: MIT
// The chaos game for one structure of flame: which variations each xform has is part of the type,
// so that nothing is chosen by number at run time and registers are those of this flame. Xforms of
// the same variations share their code: a kernel shall stay in the instruction cache. The numbers
// (coefficients, weights, parameters, colors) stay a kernel argument, in the GPU's constant bank,
// so that the frames of an animation share one kernel. A flame in motion has numbers
// for each of its time samples, in global memory; a block copies those of the time sample that it
// enters to shared memory. Compiled at run time by NVRTC from a source that
// engine/device/cuda/jit/flame_code.cpp writes; the arithmetic is the interpreter's, operation by
// operation.
#pragma once

#include "engine/device/cuda/pool_block.cuh"
#include "kernels/extended_xform.h"
#include "kernels/formula.h"
#include "kernels/variations/all.h"

KILN_BEGIN

/// The flame's numbers, words of 4 bytes: the palette rows of the xforms, where some share their
/// code the places of all (kind | shift << 8, SpecializedCode), in motion the camera, then a block
/// for each xform (the final one last). The copies of a folded symmetry are one xform
/// here; the post affines, in which alone they differ, stay with the Program. CameraAt: where the
/// camera begins, or `no_camera` for a still, which has it in its Program.
constexpr int no_camera = -1;
template <int Words, int CameraAt = no_camera>
struct alignas(CameraAt == no_camera ? 4 : 16) FlameNumbers {
  static constexpr bool moving = CameraAt != no_camera;
  static constexpr int camera_at = CameraAt;
  u32 words[Words];

  template <class T, int At>
  KILN_FN T get() const {
    T value{};
    if constexpr (sizeof(T) >= 4) {
      static_assert(At + int(sizeof(T) / 4) <= Words);
      memcpy(static_cast<void*>(&value), words + At, sizeof(T));
    }
    return value;
  }
};

/// These numbers, seen from `shift` words further on.
template <class Numbers>
struct ShiftedNumbers {
  static constexpr bool moving = Numbers::moving;
  const Numbers& numbers;
  int shift;

  template <class T, int At>
  KILN_FN T get() const {
    T value{};
    if constexpr (sizeof(T) >= 4)
      memcpy(static_cast<void*>(&value), numbers.words + At + shift, sizeof(T));
    return value;
  }
};

template <int... Vs>
struct Indices {};

/// One xform, or several where Shared: the block of numbers of the first begins at word At with
/// coefs (6 words), color pull and keep, post affine (6), opacity; then weight and parameters of
/// each variation in the order of its terms.
template <int At, bool Shared, bool HasPost, int... Variations>
struct XformShape {
  static constexpr bool shared = Shared;
  static constexpr int post_at = At + 8, opacity_at = At + 14, terms_at = At + 15;

  /// `after` does what else is to be done to the points.
  template <class Numbers, class Run, class Reals, class Randoms, class After>
  KILN_FN static void apply(const Numbers& numbers, const Run& run, Reals& x, Reals& y,
                            Reals& color, Randoms& random, After&& after) {
    const Affine coefs = numbers.template get<Affine, At>();
    const Real pull = numbers.template get<Real, At + 6>(),
               keep = numbers.template get<Real, At + 7>();
    run.each([&](int i) { color[i] = fma(keep, color[i], pull); });
    transform(run, coefs, x, y);
    Reals sum_x, sum_y;
    run.each([&](int i) { sum_x[i] = sum_y[i] = 0; });
    add_terms<terms_at>(Indices<Variations...>{}, numbers, run, coefs, x, y, sum_x, sum_y, random);
    run.each([&](int i) {
      x[i] = sum_x[i];
      y[i] = sum_y[i];
    });
    if constexpr (HasPost) transform(run, numbers.template get<Affine, post_at>(), x, y);
    after();
    keep_from_zero(run, x, y);
  }

 private:
  template <int Term, int V, int... Rest, class Numbers, class Run, class Reals, class Randoms>
  KILN_FN static void add_terms(Indices<V, Rest...>, const Numbers& numbers, const Run& run,
                                const Affine& coefs, Reals& x, Reals& y, Reals& sum_x, Reals& sum_y,
                                Randoms& random) {
    using Variation = typename VariationAt<V, AllVariations>::type;
    const Real weight = numbers.template get<Real, Term>();
    if (!Numbers::moving || weight != 0) {  // a weight may be 0 at some time samples
      const Variation variation = numbers.template get<Variation, Term + 1>();
      add_variation(run, variation, weight, coefs, x, y, sum_x, sum_y, random);
    }
    add_terms<Term + 1 + int(sizeof(Variation) / 4)>(Indices<Rest...>{}, numbers, run, coefs, x, y,
                                                     sum_x, sum_y, random);
  }
  template <int, class... Others>
  KILN_FN static void add_terms(Indices<>, Others&&...) {}
};

/// No final xform.
struct NoXform {};

/// Palette row that differs between the xforms.
constexpr int mixed_rows = -2;

/// Xforms, not counting copies: Copies is Program::copy_count. Kinds: their types, each once.
template <class N, bool Xaos, int Row, int Xforms, int Copies, class Final, class... Kinds>
struct SpecializedCode {
  using Numbers = N;
  const Numbers& numbers;
  const uint4* time_samples = nullptr;  // in motion: [time_samples] numbers

  struct Chosen {
    const Numbers& numbers;
    int f;
    const XformData* data;  // of copies
    KILN_FN bool draws_random() const { return true; }
    KILN_FN i32 palette_row() const {
      if constexpr (Row != mixed_rows) return Row;
      return i32(numbers.words[f / Copies]);
    }
    /// Calls body with the type of the xform and its numbers.
    template <class Body>
    KILN_FN void with_kind(Body&& body) const {
      u32 place = u32(f / Copies);
      if constexpr (sizeof...(Kinds) < Xforms) place = numbers.words[u32(Xforms) + place];
      dispatch<VariationList<Kinds...>>(int(place & 0xff), [&](auto type) {
        const int shift = decltype(type)::type::shared ? int(place >> 8) : 0;
        body(type, ShiftedNumbers<Numbers>{numbers, shift});
      });
    }
    template <class Run, class Reals, class Randoms>
    KILN_FN void apply(const Run& run, Reals& x, Reals& y, Reals& color, Randoms& random) const {
      with_kind([&](auto type, const auto& its) {
        decltype(type)::type::apply(its, run, x, y, color, random, [&] {
          if constexpr (Copies > 1) transform(run, data->post, x, y);
        });
      });
    }
  };
  struct Last {
    const Numbers& numbers;
    KILN_FN bool draws_random() const { return true; }
    KILN_FN Real opacity() const {
      if constexpr (has_last) return numbers.template get<Real, Final::opacity_at>();
      return 1;
    }
    template <class Run, class Reals, class Randoms>
    KILN_FN void apply(const Run& run, Reals& x, Reals& y, Reals& color, Randoms& random) const {
      if constexpr (has_last) Final::apply(numbers, run, x, y, color, random, [] {});
    }
  };
  template <class T>
  static constexpr bool is_xform = requires {
    T::opacity_at;
  };
  static constexpr bool has_last = is_xform<Final>;

  KILN_FN bool has_xaos(const Program&) const { return Xaos; }
  KILN_FN bool has_final(const Program&) const { return has_last; }
  KILN_FN bool has_copies(const Program&) const { return Copies > 1; }
  KILN_FN bool moving(const Program&) const { return Numbers::moving; }
  /// Gets the numbers of a time sample. All lanes of the block, after a barrier.
  template <class Block>
  KILN_FN void enter(Block& block, u32 time_sample) const {
    if (time_sample == block.entered) return;
    block.entered = time_sample;
    constexpr int quads = int(sizeof(Numbers) / sizeof(uint4));
    uint4* const to = reinterpret_cast<uint4*>(const_cast<Numbers*>(&numbers));
    const uint4* const from = time_samples + u64(time_sample) * quads;
    for (int i = int(threadIdx.x); i < quads; i += int(blockDim.x)) to[i] = from[i];
    __syncthreads();
  }
  KILN_FN Chosen xform(const Program& program, int f, u32 time_sample = 0) const {
    if constexpr (Copies == 1) return {numbers, f, nullptr};
    return {numbers, f, program.xforms + i64(time_sample) * program.xform_stride + f};
  }
  KILN_FN Last final_xform(const Program&, u32 = 0) const { return {numbers}; }
  KILN_FN Affine camera(const Program& program, u32 = 0) const {
    if constexpr (Numbers::moving) return numbers.template get<Affine, Numbers::camera_at>();
    return program.raster_from_flame;
  }
  KILN_FN bool transients(bool) const { return false; }  // left to the interpreter
  KILN_FN Tiling tiling(const Program& program) const { return program.tiling; }
};

// Extended flames (kernels/extended_xform.h): the same, with a form in the type of each term.

/// A variation and VariationTerm::form of it.
template <int V, int Form>
struct ExtendedTerm {
  using Variation = typename VariationAt<V, AllVariations>::type;
  static constexpr int form = Form;
  static constexpr bool mixes_color = Form == stage_color;
  static constexpr int words = 1 + (mixes_color ? 0 : int(sizeof(Variation) / 4));
};

/// A formula of the flame, whose code the flame's source has: `count` scalars and run(machine, lanes ...).
template <class Code, int Form>
struct FormulaTerm {
  struct Variation {  // hides nothing
    float scalars[Code::count == 0 ? 1 : Code::count];
  };
  static constexpr int form = Form;
  static constexpr bool mixes_color = false;
  static constexpr int words = 1 + int(sizeof(Variation) / 4);
};

template <class T>
constexpr bool is_formula_term = false;
template <class Code, int Form>
constexpr bool is_formula_term<FormulaTerm<Code, Form>> = true;

/// The formula's term: what apply_terms_of does by its machine (kernels/formula.h).
template <class Code, int Form, class Run, class Reals, class Randoms>
KILN_FN void apply_formula(FormulaTerm<Code, Form>,
                           const typename FormulaTerm<Code, Form>::Variation& numbers,
                           const Run& run, ExtendedLanes<Reals>& lanes, Randoms& random) {
  constexpr i32 stage = Form & stage_mask;
  copy(run, stage == stage_post ? lanes.sum : lanes.point, lanes.from);
  run.each([&](int i) {
    Random lane_random = random.get(i);
    FormulaPlaces at{lanes.from.x[i], lanes.from.y[i], lanes.from.z[i], lanes.direct[i], 0, 0, 0};
    Code::run(numbers.scalars, at, lane_random);
    lanes.out.x[i] = at.out_x;
    lanes.out.y[i] = at.out_y;
    lanes.out.z[i] = at.out_z;
    lanes.direct[i] = at.color;
    if constexpr (Code::draws) random.set(i, lane_random);
  });
  put(run, Form, lanes.out, stage == stage_pre ? lanes.point : lanes.sum);
}

template <class... Terms>
struct ExtendedTerms {};

/// One xform; its block of numbers is that of XformShape.
template <int At, bool Shared, bool HasPost, class... Terms>
struct ExtendedXformShape {
  static constexpr bool shared = Shared;
  static constexpr bool hides = (hides_points<typename Terms::Variation> || ...);
  static constexpr int post_at = At + 8, opacity_at = At + 14, terms_at = At + 15;

  template <class Numbers, class Run, class Reals, class Randoms, class After>
  KILN_FN static void apply(const Numbers& numbers, const Run& run, Reals& x, Reals& y, Reals& z,
                            Reals& color, Randoms& random, After&& after) {
    const Affine coefs = numbers.template get<Affine, At>();
    const Real pull = numbers.template get<Real, At + 6>(),
               keep = numbers.template get<Real, At + 7>();
    run.each([&](int i) { color[i] = fma(keep, color[i], pull); });
    ExtendedLanes<Reals> lanes;
    begin_terms<hides>(run, coefs, x, y, z, color, lanes);
    apply_terms<terms_at>(ExtendedTerms<Terms...>{}, numbers, run, coefs, lanes, color, random);
    end_terms(run, lanes, x, y, z);
    if constexpr (hides) mark_color(run, lanes.mark, color);
    if constexpr (HasPost) transform(run, numbers.template get<Affine, post_at>(), x, y);
    after();
    keep_from_zero(run, x, y);
  }

 private:
  template <int Word, class Term, class... Rest, class Numbers, class Run, class Reals,
            class Randoms>
  KILN_FN static void apply_terms(ExtendedTerms<Term, Rest...>, const Numbers& numbers,
                                  const Run& run, const Affine& coefs, ExtendedLanes<Reals>& lanes,
                                  Reals& color, Randoms& random) {
    const Real weight = numbers.template get<Real, Word>();
    if constexpr (is_formula_term<Term>) {
      if (!Numbers::moving || weight != 0)
        apply_formula(Term{}, numbers.template get<typename Term::Variation, Word + 1>(), run,
                      lanes, random);
    } else if (!Numbers::moving || weight != 0) {  // a weight may be 0 at some time samples
      apply_term(run, Term::form, weight, coefs, lanes, color, random, [&](auto&& run_it) {
        if constexpr (!Term::mixes_color)
          run_it(numbers.template get<typename Term::Variation, Word + 1>());
      });
    }
    apply_terms<Word + Term::words>(ExtendedTerms<Rest...>{}, numbers, run, coefs, lanes, color,
                                    random);
  }
  template <int, class... Others>
  KILN_FN static void apply_terms(ExtendedTerms<>, Others&&...) {}
};

/// HasZ: Program::has_z.
template <bool HasZ, class N, bool Xaos, int Row, int Xforms, int Copies, class Final,
          class... Kinds>
struct ExtendedSpecializedCode : SpecializedCode<N, Xaos, Row, Xforms, Copies, Final, Kinds...> {
  using Base = SpecializedCode<N, Xaos, Row, Xforms, Copies, Final, Kinds...>;
  static constexpr bool extended = true;
  template <class T>
  static constexpr bool hides_of = requires {
    requires T::hides;
  };
  static constexpr bool hides_points = (hides_of<Kinds> || ...) || hides_of<Final>;

  struct Chosen : Base::Chosen {
    KILN_FN explicit Chosen(const typename Base::Chosen& chosen) : Base::Chosen(chosen) {}
    template <class Run, class Reals, class Randoms>
    KILN_FN void apply(const Run& run, Reals& x, Reals& y, Reals& z, Reals& color,
                       Randoms& random) const {
      this->with_kind([&](auto type, const auto& its) {
        decltype(type)::type::apply(its, run, x, y, z, color, random, [&] {
          if constexpr (Copies > 1) transform(run, this->data->post, x, y);
        });
      });
    }
  };
  struct Last : Base::Last {
    KILN_FN explicit Last(const typename Base::Last& last) : Base::Last(last) {}
    template <class Run, class Reals, class Randoms>
    KILN_FN void apply(const Run& run, Reals& x, Reals& y, Reals& z, Reals& color,
                       Randoms& random) const {
      if constexpr (Base::has_last) Final::apply(this->numbers, run, x, y, z, color, random, [] {});
    }
  };

  KILN_FN bool has_z(const Program&) const { return HasZ; }
  KILN_FN Chosen xform(const Program& program, int f, u32 time_sample = 0) const {
    return Chosen(Base::xform(program, f, time_sample));
  }
  KILN_FN Last final_xform(const Program& program, u32 time_sample = 0) const {
    return Last(Base::final_xform(program, time_sample));
  }
};

template <class Code>
KILN_FN void run_specialized(const Code& code, const PoolArguments& arguments, char* memory,
                             CudaPoolCommon& common) {
  CudaPoolShared& shared = *reinterpret_cast<CudaPoolShared*>(memory);
  CudaPoolBlock<true> block(int(blockIdx.x), shared, arguments.store, common);
  play(code, arguments.game, arguments.unfinished != nullptr, arguments.unfinished, block, shared);
}

/// The kernel of a flame: warm_up where nobody counts unfinished units, else iterate_batch. Two
/// blocks live on a multiprocessor where shared memory lets them.
#define KILN_SPECIALIZED_KERNEL(Code)                                  \
  extern "C" __global__ void __launch_bounds__(kiln::pool_lanes, 2)    \
      kiln_play(const __grid_constant__ kiln::PoolArguments arguments, \
                const __grid_constant__ Code::Numbers numbers) {       \
    extern __shared__ __align__(16) char memory[];                     \
    __shared__ kiln::CudaPoolCommon common;                            \
    kiln::run_specialized(Code{numbers}, arguments, memory, common);   \
  }

/// The kernel of a flame in motion.
#define KILN_MOVING_KERNEL(Code)                                                          \
  extern "C" __global__ void __launch_bounds__(kiln::pool_lanes, 2) kiln_play(            \
      const __grid_constant__ kiln::PoolArguments arguments, const uint4* time_samples) { \
    extern __shared__ __align__(16) char memory[];                                        \
    __shared__ kiln::CudaPoolCommon common;                                               \
    __shared__ Code::Numbers numbers;                                                     \
    kiln::run_specialized(Code{numbers, time_samples}, arguments, memory, common);        \
  }

KILN_END
