// The chaos game for one structure of extended flame (kernels/extended_xform.h): as flame_kernel.cuh, with
// terms that say their form. Whether z is kept from step to step is part of the type too.
#pragma once

#include "engine/device/cuda/jit/flame_kernel.cuh"
#include "kernels/extended_xform.h"

KILN_BEGIN

/// A variation and VariationTerm::form of it.
template <int V, int Form>
struct ExtendedTerm {
  using Variation = typename VariationAt<V, AllVariations>::type;
  static constexpr int form = Form;
  static constexpr bool mixes_color = Form == stage_color;
  static constexpr int words = 1 + (mixes_color ? 0 : int(sizeof(Variation) / 4));
};

template <class... Terms>
struct ExtendedTerms {};

/// One xform; its block of numbers is that of XformShape.
template <int At, bool Shared, bool HasPost, class... Terms>
struct ExtendedXformShape {
  static constexpr bool shared = Shared;
  static constexpr int post_at = At + 8, opacity_at = At + 14, terms_at = At + 15;

  template <class Numbers, class Run, class Reals, class Randoms, class After>
  KILN_FN static void apply(const Numbers& numbers, const Run& run, Reals& x, Reals& y, Reals& z,
                            Reals& color, Randoms& random, After&& after) {
    const Affine coefs = numbers.template get<Affine, At>();
    const Real pull = numbers.template get<Real, At + 6>(),
               keep = numbers.template get<Real, At + 7>();
    run.each([&](int i) { color[i] = fma(keep, color[i], pull); });
    ExtendedLanes<Reals> lanes;
    begin_terms(run, coefs, x, y, z, color, lanes);
    apply_terms<terms_at>(ExtendedTerms<Terms...>{}, numbers, run, coefs, lanes, color, random);
    end_terms(run, lanes, x, y, z);
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
    if (!Numbers::moving || weight != 0) {  // a weight may be 0 at some time samples
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

KILN_END
