// SPDX-License-Identifier: MIT
#include "engine/program/compile.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <optional>

#include "engine/base/error.h"
#include "engine/model/exact_math.h"
#include "engine/model/formula.h"
#include "engine/model/palette.h"
#include "engine/model/variations.h"
#include "engine/program/camera.h"
#include "engine/program/compiled_flame.h"
#include "engine/program/palette_rows.h"
#include "engine/program/sample_shares.h"
#include "engine/program/structure.h"
#include "engine/program/thread_formula.h"
#include "engine/program/tile.h"
#include "kernels/formula_list.h"
#include "kernels/math.h"
#include "kernels/variations/all.h"

namespace kiln {
namespace {

// How often each xform is drawn: cumulative shares of the weights, and with xaos a row for every
// xform that a point may come from (kernels/program.h).

/// Appends the rows of one time sample to `out.cumulative`; an xform that it lacks has weight 0. Throws
/// Error of kind input where a row leads nowhere.
void compile_selection(const Flame& flame, CompiledFlame& out);

constexpr double two_to_32 = 4294967296.0;

/// Cumulative shares of one row of weights, 2^32 = 1, saturated. JWildfire's are of 1024, so that it may never
/// choose what has less.
void append_row(const std::vector<double>& weights, Dialect dialect,
                std::vector<std::uint32_t>& out) {
  constexpr double entries = 1024;
  double sum = 0;
  for (double w : weights) sum += w;
  double before = 0;
  for (double w : weights) {
    double share = before / sum;
    if (dialect == Dialect::jwildfire) share = std::ceil(share * entries - 1e-9) / entries;
    out.push_back(std::uint32_t(std::min(std::floor(share * two_to_32 + 0.5), two_to_32 - 1)));
    before += w;
  }
}

void compile_selection(const Flame& flame, CompiledFlame& out) {
  const std::size_t count = std::size_t(out.program.xform_count);
  std::vector<double> weights(count);
  double sum = 0;
  for (std::size_t f = 0; f < flame.xforms.size(); ++f) {
    weights[f] = flame.xforms[f].weight;
    sum += weights[f];
  }
  if (!(sum > 0))
    fail(ErrorKind::input, "{}: no xform has a weight above 0, there is nothing to iterate",
         flame.place());
  append_row(weights, flame.dialect, out.cumulative);
  if (!out.program.has_xaos) return;
  for (std::size_t from = 0; from < count; ++from) {
    std::vector<double> row = weights;
    const std::vector<double> chaos =
        from < flame.xforms.size() ? flame.xforms[from].chaos : std::vector<double>();
    double row_sum = 0;
    for (std::size_t to = 0; to < count; ++to) {
      if (to < chaos.size()) row[to] *= chaos[to];
      row_sum += row[to];
    }
    if (!(row_sum > 0) && flame.dialect != Dialect::flam3) {
      row.assign(count, 0.0);  // Fractorium: then the next one is always the first
      row[0] = 1;
    } else if (!(row_sum > 0)) {
      fail(ErrorKind::input,
           "{}: the chaos attribute of xform {} leaves no xform to go to; give one entry a value "
           "above 0",
           flame.place(), from);
    }
    append_row(row, flame.dialect, out.cumulative);
  }
}

template <class... Vs>
void append_parameters(VariationList<Vs...>, int variation, const double* values,
                       std::vector<float>& out) {
  using Append = void (*)(const double*, std::vector<float>&);
  static constexpr Append table[] = {+[](const double* from, std::vector<float>& to) {
    if constexpr (sizeof(Vs) >= sizeof(float)) {
      Vs v;
      float members[sizeof(Vs) / sizeof(float)];
      std::memcpy(members, static_cast<const void*>(&v), sizeof v);
      for (int p = 0; p < Vs::info.parameter_count; ++p) members[p] = float(from[p]);
      std::memcpy(static_cast<void*>(&v), members, sizeof v);
      if constexpr (requires { v.prepare(); }) v.prepare();
      std::memcpy(members, static_cast<const void*>(&v), sizeof v);
      to.insert(to.end(), members, members + sizeof(Vs) / sizeof(float));
    }
  }...};
  table[variation](values, out);
}

/// The variation whose code kernels run: several may share one.
template <class... Vs>
int formula_of(VariationList<Vs...>, int variation) {
  int place = 0;
  static const int table[] = {place_of_formula<Vs, VariationList<Vs...>>(place++)...};
  return table[variation];
}

/// Weight and parameters of a form; weight 0 where the xform has not got it.
struct FormValues {
  double weight;
  const double* parameters;
};
FormValues values_of(const XformValues& xform, const Form& form) {
  const auto v = std::size_t(form.variation);
  const double* const usual =
      is_formula(form.variation)
          ? formula_at(form.variation).usual.data()
          : xform.parameters.data() + info_of(form.variation).first_parameter;
  if (!form.staged) return {xform.variations[v], usual};
  int before = form.use;
  for (const StagedVariation& one : xform.staged) {
    if (one.variation == form.variation && one.stage == form.stage && before-- == 0)
      return {one.weight, one.parameters.data()};
  }
  return {0, usual};
}

/// Whether what flat variations make of depth is left out, as JWildfire does unless a flame preserves z.
bool drops_depth(const Flame& flame) {
  return flame.dialect == Dialect::jwildfire && flame.preserve_z == 0;
}

/// VariationTerm::form.
i32 form_of(const Form& form, bool flat) {
  const VariationInfo::Traits& traits = info_of(form.variation).traits;
  const i32 usual = traits.forms[std::size_t(form.stage)];
  return flat && traits.weighs_depth ? usual | keeps_z | adds_no_z : usual;
}

/// The number of a flame's formula among its own; its code is put before the parameters of its first term.
int place_of_formula_code(int variation, CompiledFlame& out) {
  for (std::size_t i = 0; i < out.formulas.size(); ++i)
    if (out.formulas[i].variation == variation) return int(i);
  const FormulaProgram& program = formula_at(variation).program;
  out.formulas.push_back({variation, int(out.parameters.size()), int(program.scalars.size())});
  for (const std::uint32_t word : program.code) out.parameters.push_back(float_of(word));
  return int(out.formulas.size()) - 1;
}

/// Thread code in front of a term of a formula in a plain formula flame (kernels/formula_list.h); one whose formula has
/// none is not plain.
void append_thread_formula(const FormulaProgram& program, const float* scalars,
                           CompiledFlame& out) {
  ThreadFormula thread;
  if (!make_thread_formula(program, scalars, thread)) {
    out.program.extended = of_formulas_list;
    return;
  }
  const auto append = [&](const auto& made) {
    float words[4];
    static_assert(sizeof made == sizeof words);
    std::memcpy(words, &made, sizeof words);
    out.parameters.insert(out.parameters.end(), std::begin(words), std::end(words));
  };
  out.parameters.resize((out.parameters.size() + 3) / 4 * 4);
  for (const ThreadInstruction& instruction : thread.code) append(instruction);
  append(thread.head);
}

void append_term(const Form& form, const FormValues& values, const AffineD& coefs, bool flat,
                 CompiledFlame& out) {
  VariationTerm term{};
  term.weight = Real(values.weight);
  term.form = form_of(form, flat);
  if (is_formula(form.variation)) {
    const int place = place_of_formula_code(form.variation, out);
    term.variation = AllVariations::size + place;
    const FormulaProgram& program = formula_at(form.variation).program;
    std::vector<float> scalars;
    program.append_scalars(values.weight, coefs, values.parameters, scalars);
    if (out.program.extended == of_plain_formulas_list)
      append_thread_formula(program, scalars.data(), out);
    term.parameters = int(out.parameters.size());
    out.terms.push_back(term);
    out.parameters.push_back(float_of(std::uint32_t(out.formulas[std::size_t(place)].code)));
    out.parameters.insert(out.parameters.end(), scalars.begin(), scalars.end());
    return;
  }
  term.variation = formula_of(AllVariations{}, form.variation);
  term.parameters = int(out.parameters.size());
  out.terms.push_back(term);
  append_parameters(AllVariations{}, form.variation, values.parameters, out.parameters);
}
void append_fine_term(const Form& form, const FormValues& values, CompiledFlame& out) {
  FineTerm& term = out.fine_terms.emplace_back();
  term.weight = values.weight;
  const std::size_t count = info_of(form.variation).parameters.size();
  std::copy_n(values.parameters, count, term.parameters);
}

/// `used` [forms] notes which of them have a weight; flat: drops_depth().
XformData compile_xform(const XformValues& xform, const std::vector<Form>& forms,
                        std::vector<char>& used, bool may_be_fine, bool flat, CompiledFlame& out) {
  XformData data{};
  data.coefs = to_device(xform.coefs);
  data.post = to_device(xform.post);
  data.color_pull = Real(xform.color_speed * xform.color);
  data.color_keep = Real(1 - xform.color_speed);
  data.opacity = Real(xform.opacity);
  data.first_term = int(out.terms.size());
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const FormValues values = values_of(xform, forms[i]);
    used[i] |= char(values.weight != 0);
    append_term(forms[i], values, xform.coefs, flat, out);
    if (may_be_fine) append_fine_term(forms[i], values, out);
    data.draws_random |= info_of(forms[i].variation).random;
  }
  if (colors_directly(forms)) {
    VariationTerm mix{};
    mix.weight = Real(xform.direct_color);
    mix.form = stage_color;
    out.terms.push_back(mix);
  }
  data.term_count = int(out.terms.size()) - data.first_term;
  if (data.term_count > 0) data.first = out.terms[std::size_t(data.first_term)];
  return data;
}

/// View::farthest. No point is beyond `lost`.
double farthest_of(const Flame& flame) {
  constexpr double lost = 1e10;
  double farthest = 0;
  const auto see = [&](const XformValues& xform) {
    for (const AffineD* m : {&xform.coefs, &xform.post})
      for (const double moved : {std::fabs(m->c), std::fabs(m->f)})
        if (moved < lost) farthest = std::max(farthest, moved);
  };
  for (const Xform& xform : flame.xforms)
    if (xform.weight > 0) see(xform);
  if (flame.final_xform) see(*flame.final_xform);
  for (const Xform& xform : flame.more_finals) see(xform);
  return farthest;
}

FineAffine to_fine(const AffineD& m) { return {m.a, m.d, m.b, m.e, m.c, m.f}; }

/// One compile of all time samples to a given structure.
class TimeSampleCompiler {
 public:
  TimeSampleCompiler(const Structure& structure, std::vector<double> weights)
      : structure_(structure),
        may_be_fine_(structure.can_be_fine()),
        has_post_(structure.stride(), 0) {
    out_.weights = std::move(weights);
    out_.tilted = structure.tilted;
    Program& program = out_.flame.program = Program{};
    out_.flame.table = PaletteTable{};
    const std::size_t time_samples = out_.weights.size(),
                      count = std::size_t(structure.xform_count);
    program.time_sample_count = int(time_samples);
    program.xform_count = structure.xform_count;
    program.copy_count = 1;
    program.has_final = structure.final_count > 0;
    program.more_finals = std::max(structure.final_count - 1, 0);
    program.has_xaos = structure.has_xaos;
    program.has_z = structure.has_z;
    const bool is_plain = time_samples == 1 && structure.has_plain_formulas();
    program.extended = is_plain                     ? of_plain_formulas_list
                       : structure.has_formulas()   ? of_formulas_list
                       : structure.has_jwildfires() ? of_jwildfires_list
                       : structure.extended()       ? of_extended_list
                                                    : 0;
    program.xform_stride = int(structure.stride());
    program.share_stride = int(count * (structure.has_xaos ? 1 + count : 1));
    std::size_t terms = 0;
    for (const std::vector<Form>& list : structure.forms) terms += list.size() + 1;
    out_.flame.xforms.resize(time_samples * structure.stride());
    out_.flame.terms.reserve(time_samples * terms + 1);
    out_.flame.parameters.reserve(time_samples * terms * 2 + 64);
    out_.flame.cumulative.reserve(time_samples * std::size_t(program.share_stride));
    out_.views.reserve(time_samples);
    out_.palette_of.reserve(time_samples);
    out_.opacities.resize(time_samples * count);
    out_.has_xform.resize(time_samples * count);
    for (const std::vector<Form>& list : structure.forms) used_.emplace_back(list.size());
    absent_.opacity = 0;
    absent_.variations.assign(std::size_t(variation_count()), 0.0);
    absent_.parameters = default_parameters();
  }

  void add(const Flame& flame) {
    if (flame.xforms.empty()) fail(ErrorKind::input, "{}: the flame has no xform", flame.place());
    const std::size_t m = out_.views.size(), count = std::size_t(structure_.xform_count);
    KILN_CHECK(m < out_.weights.size() && flame.xforms.size() <= count,
               "time sample {} of {}, {} xforms", m, out_.weights.size(), flame.xforms.size());
    count_ = std::max(count_, flame.xforms.size());
    final_count_ = std::max(final_count_, finals_of(flame));
    has_xaos_ = has_xaos_ || has_xaos(flame);
    for (std::size_t f = 0; f < structure_.stride(); ++f) {
      const XformValues& xform = xform_at(flame, f);
      XformData& data = out_.flame.xforms[m * structure_.stride() + f];
      data = compile_xform(xform, structure_.forms[f], used_[f], may_be_fine_, drops_depth(flame),
                           out_.flame);
      if (may_be_fine_)
        out_.flame.fine_xforms.push_back({to_fine(xform.coefs), to_fine(xform.post)});
      has_post_[f] |= char(!(xform.post == AffineD{}));
      if (f >= count) {
        data.palette_row = -1;
        random_final_ = random_final_ || Real(xform.opacity) != Real(1);
      } else {
        out_.opacities[m * count + f] = f < flame.xforms.size() ? xform.opacity : 0;
        out_.has_xform[m * count + f] = f < flame.xforms.size();
      }
    }
    compile_selection(flame, out_.flame);
    out_.views.push_back({flame.center_x, flame.center_y, flame.scale, flame.zoom, flame.rotate_deg,
                          flame.pixel_aspect, flame.quality, farthest_of(flame),
                          flame.depth_camera});
    if (out_.palettes.empty() || out_.palettes.back() != flame.palette)
      out_.palettes.push_back(flame.palette);
    out_.palette_of.push_back(int(out_.palettes.size()) - 1);
  }

  /// The structure that the time samples really had.
  Structure found() const {
    Structure found{int(count_), final_count_, has_xaos_, structure_.tilted, structure_.has_z, {}};
    for (std::size_t f = 0; f < used_.size(); ++f) {
      const int final_xform = int(f) - structure_.xform_count;
      if (final_xform >= 0 ? final_xform >= final_count_ : f >= count_) continue;
      found.forms.emplace_back();
      for (std::size_t i = 0; i < used_[f].size(); ++i) {
        if (used_[f][i]) found.forms.back().push_back(structure_.forms[f][i]);
      }
    }
    return found;
  }

  CompiledTimeSamples take() {
    KILN_CHECK(out_.views.size() == out_.weights.size(), "{} time samples, {} weights",
               out_.views.size(), out_.weights.size());
    const std::size_t stride = structure_.stride();
    for (std::size_t i = 0; i < out_.flame.xforms.size(); ++i) {
      XformData& data = out_.flame.xforms[i];
      data.has_post = has_post_[i % stride];
      if (int(i % stride) >= structure_.xform_count) data.draws_random |= random_final_;
    }
    make_equally_long(out_.palettes);
    if (out_.flame.terms.empty()) out_.flame.terms.push_back({});
    // a struct is read whole, even an empty one
    out_.flame.parameters.resize(out_.flame.parameters.size() + 64);
    return std::move(out_);
  }

 private:
  /// One that a time sample lacks is never drawn, or never applied there.
  const XformValues& xform_at(const Flame& flame, std::size_t f) const {
    if (f < flame.xforms.size()) return flame.xforms[f];
    const int final_xform = int(f) - structure_.xform_count;
    if (final_xform == 0 && flame.final_xform) return *flame.final_xform;
    if (final_xform > 0 && final_xform < finals_of(flame))
      return flame.more_finals[std::size_t(final_xform - 1)];
    return absent_;
  }

  const Structure& structure_;
  const bool may_be_fine_;
  std::size_t count_ = 0;
  int final_count_ = 0;
  bool has_xaos_ = false;
  std::vector<std::vector<char>> used_;  // [stride][variations of the xform]
  CompiledTimeSamples out_;
  XformValues absent_;
  std::vector<char> has_post_;  // [stride] whether the post affine does anything at any time sample
  bool random_final_ = false;   // a draw decides whether the final xform is applied
};

using SeeTimeSample = std::function<void(const Flame&)>;
using VisitTimeSamples = std::function<void(const SeeTimeSample&)>;

/// Compiles what `visit` shows, which has no more than `bound`.
CompiledTimeSamples compile_visited(const VisitTimeSamples& visit, const Structure& bound,
                                    std::vector<double> weights, const SeeTimeSample& also_see) {
  TimeSampleCompiler compiler(bound, weights);
  visit([&](const Flame& time_sample) {
    if (also_see) also_see(time_sample);
    compiler.add(time_sample);
  });
  const Structure found = compiler.found();
  if (found == bound) return compiler.take();
  // a variation that no time sample has would still cost its time at every point
  TimeSampleCompiler again(found, std::move(weights));
  visit([&](const Flame& time_sample) { again.add(time_sample); });
  return again.take();
}

void check_memory(const Flame& flame, const Structure& structure, std::size_t time_samples) {
  constexpr double most_maps = 2e7;  // about 4 GB
  if (double(time_samples) * double(structure.stride()) <= most_maps) return;
  fail(ErrorKind::input,
       "{}: {} time samples of {} xforms are more than fit into memory; lower temporal_samples or "
       "passes",
       flame.place(), time_samples, structure.xform_count);
}

/// Appends the elements that bad values go through, at the time sample that was folded last.
void append_symmetry(const SymmetryGroup& group, std::vector<SymmetryElement>& elements) {
  for (std::size_t g = 0; g < std::size_t(group.order()); ++g) {
    const AffineD& m = group.elements()[g];
    elements.push_back(
        {Real(m.a), Real(m.b), Real(m.d), Real(m.e), Real(g == 0 ? group.turned() : 1)});
  }
}

/// Time samples that are all there.
class ListedTimeSamples : public TimeSampleSource {
 public:
  explicit ListedTimeSamples(const std::vector<const Flame*>& flames) : flames_(flames) {}
  std::vector<const Flame*> bounds() override { return flames_; }
  void visit(const std::function<void(const Flame&)>& see) override {
    for (const Flame* flame : flames_) see(*flame);
  }

 private:
  const std::vector<const Flame*>& flames_;
};

Tiling tiling_of(int width, int height, int most_pixels) {
  constexpr int many = 600;  // a unit has some records for each, and writes them together
  Tiling tiling{6, 6, 0, 0};
  for (;;) {
    tiling.tiles_x = (width + tiling.columns() - 1) >> tiling.x_bits;
    tiling.tile_count = tiling.tiles_x * ((height + tiling.rows() - 1) >> tiling.y_bits);
    if (tiling.tile_count <= many || 2 * tiling.pixels() > most_pixels) return tiling;
    ++(tiling.x_bits == tiling.y_bits ? tiling.x_bits : tiling.y_bits);
  }
}

CompiledTimeSamples compile_whole(TimeSampleSource& source, std::vector<double> weights,
                                  const SeeTimeSample& also_see, Symmetry symmetry) {
  const std::vector<const Flame*> bounds = source.bounds();
  StructureFinder bound;
  for (const Flame* flame : bounds) bound.add(*flame);
  const Structure structure = bound.found();
  KILN_CHECK(structure.xform_count <= max_xforms, "{} xforms", structure.xform_count);
  const VisitTimeSamples visit = [&](const SeeTimeSample& see) { source.visit(see); };
  std::optional<SymmetryGroup> group;
  if (symmetry == Symmetry::folded) group = SymmetryGroup::of(bounds);
  if (!group) {
    check_memory(*bounds.at(0), structure, weights.size());
    return compile_visited(visit, structure, std::move(weights), also_see);
  }

  const Structure of_copies = folded(structure, *group);
  check_memory(*bounds[0], of_copies, weights.size());
  Flame image;
  group->fold(*bounds[0], image);
  bool all_fold = true;
  std::vector<SymmetryElement> elements;
  const VisitTimeSamples visit_copies = [&](const SeeTimeSample& see) {
    elements.clear();
    source.visit([&](const Flame& time_sample) {
      all_fold = group->fold(time_sample, image) && all_fold;
      append_symmetry(*group, elements);
      see(image);
    });
  };
  CompiledTimeSamples time_samples = compile_visited(visit_copies, of_copies, weights, also_see);
  if (!all_fold) return compile_visited(visit, structure, std::move(weights), {});
  Program& program = time_samples.flame.program;
  program.copy_count = group->order();
  // also of the identity: an affine map that changes nothing else makes 0 of -0
  for (std::size_t i = 0; i < time_samples.flame.xforms.size(); ++i)
    if (int(i) % program.xform_stride < program.xform_count)
      time_samples.flame.xforms[i].has_post = 1;
  time_samples.flame.symmetry = std::move(elements);
  return time_samples;
}

}  // namespace

CompiledTimeSamples compile_time_samples(TimeSampleSource& source, std::vector<double> weights,
                                         const SeeTimeSample& also_see, Symmetry symmetry) {
  KILN_CHECK(!weights.empty(), "no time sample");
  if (!is_tiled(source.bounds()))
    return compile_whole(source, std::move(weights), also_see, symmetry);
  TiledTimeSamples tiled(source);
  CompiledTimeSamples made = compile_whole(tiled, std::move(weights), also_see, symmetry);
  made.tiled = true;
  return made;
}

void plot_rows(int top, int height, CompiledFlame& flame) {
  const bool small_sums = flame.table.narrow && flame.table.opaque;
  Program& program = flame.program;
  program.top = top;
  program.height = height;
  program.tiling =
      tiling_of(program.width, height, small_sums ? most_narrow_tile_pixels : most_tile_pixels);
}

// ---- the whole ----

CompiledFlame complete(CompiledTimeSamples time_samples, const Flame& flame, const PlotArea& area) {
  CompiledFlame out = std::move(time_samples.flame);
  share_samples(time_samples.views, flame, out);
  out.cameras.reserve(time_samples.views.size());
  for (const CompiledTimeSamples::View& view : time_samples.views) {
    compile_camera(view, time_samples.tilted, flame, area, out);
    if (time_samples.tiled)
      place_tile(out.cameras.size() - 1, flat_camera(view, flame, area), area, out);
  }
  // where floats do, nothing changes
  out.program.fine = wants_doubles(out) && !out.fine_xforms.empty();
  if (!out.program.fine) {
    out.fine_xforms = {};
    out.fine_terms = {};
    out.fine_cameras = {};
  }
  compile_palette(flame, time_samples, out);
  out.program.raster_from_flame = out.cameras[0];
  out.program.width = area.width;
  plot_rows(0, area.height, out);
  return out;
}

CompiledTimeSamples compile_time_samples(const Flame& flame, Symmetry symmetry) {
  const std::vector<const Flame*> one = {&flame};
  ListedTimeSamples source(one);
  return compile_time_samples(source, {1}, {}, symmetry);
}

CompiledFlame compile(const Flame& flame, const PlotArea& area, Symmetry symmetry) {
  return complete(compile_time_samples(flame, symmetry), flame, area);
}

CompiledFlame compile(const Flame& flame, const TimeSamples& all, const PlotArea& area) {
  ListedTimeSamples source(all.flames);
  return complete(compile_time_samples(source, all.weights), flame, area);
}

}  // namespace kiln
