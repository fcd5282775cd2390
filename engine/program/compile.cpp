#include "engine/program/compile.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "engine/base/error.h"
#include "engine/model/exact_math.h"
#include "engine/model/variations.h"
#include "engine/program/palette_table.h"
#include "engine/program/symmetry.h"
#include "kernels/variations/all.h"

namespace kiln {
namespace {

constexpr double two_to_32 = 4294967296.0;

Affine to_device(const AffineD& m) {
  return {Real(m.a), Real(m.d), Real(m.b), Real(m.e), Real(m.c), Real(m.f)};
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

template <class... Vs>
std::vector<bool> pre_flags(VariationList<Vs...>) {
  return {runs_before_others<Vs>...};
}

/// What the program has at every moment.
struct Structure {
  int xform_count = 0;  // without the final one
  bool has_final = false, has_xaos = false;
  std::vector<std::vector<int>> variations;  // [xforms, the final one last]; pre_blur first

  bool operator==(const Structure&) const = default;
  std::size_t stride() const { return std::size_t(xform_count) + (has_final ? 1 : 0); }
};

bool has_xaos(const Flame& flame) {
  for (const Xform& xform : flame.xforms) {
    for (double c : xform.chaos) {
      if (std::fabs(c - 1) > 1e-10) return true;
    }
  }
  return false;
}

/// Finds the structure of flames that are added one by one.
class StructureFinder {
 public:
  void add(const Flame& flame) {
    count_ = std::max(count_, flame.xforms.size());
    if (used_.size() < count_) used_.resize(count_);
    for (std::size_t f = 0; f < flame.xforms.size(); ++f) add(flame.xforms[f], used_[f]);
    if (flame.final_xform) add(*flame.final_xform, final_used_);
    found_.has_final = found_.has_final || flame.final_xform;
    found_.has_xaos = found_.has_xaos || has_xaos(flame);
  }
  Structure found() {
    found_.xform_count = int(count_);
    found_.variations.clear();
    for (const Used& used : used_) found_.variations.push_back(list_of(used));
    if (found_.has_final) found_.variations.push_back(list_of(final_used_));
    return found_;
  }

 private:
  using Used = std::vector<char>;  // by variation

  static void add(const XformValues& xform, Used& used) {
    used.resize(std::size_t(variation_count()));
    for (std::size_t v = 0; v < used.size(); ++v) used[v] |= char(xform.variations[v] != 0);
  }
  static std::vector<int> list_of(const Used& used) {
    static const std::vector<bool> is_pre = pre_flags(AllVariations{});
    std::vector<int> list;
    for (const bool pre : {true, false}) {
      for (std::size_t v = 0; v < used.size(); ++v) {
        if (used[v] && is_pre[v] == pre) list.push_back(int(v));
      }
    }
    return list;
  }

  std::size_t count_ = 0;
  std::vector<Used> used_;
  Used final_used_;
  Structure found_;
};

/// `used` [variations of the xform] notes which of them have a weight.
XformData compile_xform(const XformValues& xform, const std::vector<int>& xform_variations,
                        std::vector<char>& used, CompiledFlame& out) {
  XformData data{};
  data.coefs = to_device(xform.coefs);
  data.post = to_device(xform.post);
  data.color_pull = Real(xform.color_speed * xform.color);
  data.color_keep = Real(1 - xform.color_speed);
  data.opacity = Real(xform.opacity);
  data.first_term = int(out.terms.size());
  for (std::size_t i = 0; i < xform_variations.size(); ++i) {
    const int v = xform_variations[i];
    used[i] |= char(xform.variations[std::size_t(v)] != 0);
    const VariationInfo& info = variations()[std::size_t(v)];
    VariationTerm term{};
    term.variation = v;
    term.parameters = int(out.parameters.size());
    term.weight = Real(xform.variations[std::size_t(v)]);
    out.terms.push_back(term);
    append_parameters(AllVariations{}, v, xform.parameters.data() + info.first_parameter,
                      out.parameters);
    data.draws_random |= info.random;
  }
  data.term_count = int(xform_variations.size());
  if (data.term_count > 0) data.first = out.terms[std::size_t(data.first_term)];
  return data;
}

/// Cumulative shares of one row of weights, 2^32 = 1, saturated.
void append_row(const std::vector<double>& weights, std::vector<std::uint32_t>& out) {
  double sum = 0;
  for (double w : weights) sum += w;
  double before = 0;
  for (double w : weights) {
    out.push_back(
        std::uint32_t(std::min(std::floor(before / sum * two_to_32 + 0.5), two_to_32 - 1)));
    before += w;
  }
}

std::string place(const Flame& flame) { return fmt::format("{}:{}", flame.source, flame.line); }

/// Rows of one moment; an xform that it lacks has weight 0.
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
         place(flame));
  append_row(weights, out.cumulative);
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
    if (!(row_sum > 0)) {
      fail(ErrorKind::input,
           "{}: the chaos attribute of xform {} leaves no xform to go to; give one entry a value "
           "above 0",
           place(flame), from);
    }
    append_row(row, out.cumulative);
  }
}

/// 64 x 64 pixels, or larger where that would be more tiles than a device sorts well.
Tiling tiling_of(int width, int height, int most_pixels) {
  constexpr int many = 2100;
  Tiling tiling{6, 6, 0, 0};
  for (;;) {
    tiling.tiles_x = (width + tiling.columns() - 1) >> tiling.x_bits;
    tiling.tile_count = tiling.tiles_x * ((height + tiling.rows() - 1) >> tiling.y_bits);
    if (tiling.tile_count <= many || 2 * tiling.pixels() > most_pixels) return tiling;
    ++(tiling.x_bits == tiling.y_bits ? tiling.x_bits : tiling.y_bits);
  }
}

/// Of a moment; `size` is the flame that has the picture's size.
void compile_camera(const CompiledMoments::View& view, const Flame& size, const PlotArea& area,
                    CompiledFlame& out) {
  const double pixels_per_unit_y = view.scale * exact::exp(view.zoom * 0.693147180559945309417);
  const double pixels_per_unit_x = pixels_per_unit_y / view.pixel_aspect;
  const double angle = view.rotate_deg * 0.0174532925199432957692;
  const exact::SinCos turn = exact::sincos(angle);
  const double sx = area.supersample * pixels_per_unit_x, sy = area.supersample * pixels_per_unit_y;
  const double cx = view.center_x, cy = view.center_y;
  AffineD m;
  m.a = sx * turn.c;
  m.b = -sx * turn.s;
  m.c = sx * (-cx * turn.c + cy * turn.s) + 0.5 * area.supersample * size.width + area.gutter;
  m.d = sy * turn.s;
  m.e = sy * turn.c;
  m.f = sy * (-cx * turn.s - cy * turn.c) + 0.5 * area.supersample * size.height + area.gutter;
  out.cameras.push_back(to_device(m));
  // points are at most 1e10 from the origin: their pixel coordinates shall stay finite
  for (double v : {m.a, m.b, m.d, m.e, m.c / 1e10, m.f / 1e10}) {
    if (!(std::fabs(v) < 1e26)) {
      fail(ErrorKind::input,
           "{}: the camera magnifies beyond what numbers hold; lower scale or zoom", place(size));
    }
  }
  const double pitch = 1 / std::max(sx, sy);
  const double reach = std::max(std::fabs(cx) + size.width / pixels_per_unit_x / 2,
                                std::fabs(cy) + size.height / pixels_per_unit_y / 2);
  if (out.pixel_pitch == 0 || pitch < out.pixel_pitch) out.pixel_pitch = pitch;
  // 2^-23: neighbouring pixels share coordinates
  out.beyond_float = out.beyond_float || pitch < reach * 1.2e-7;
}

/// One compile of all moments to a given structure.
class MomentCompiler {
 public:
  MomentCompiler(const Structure& structure, std::vector<double> weights)
      : structure_(structure), has_post_(structure.stride(), 0) {
    out_.weights = std::move(weights);
    Program& program = out_.flame.program = Program{};
    out_.flame.table = PaletteTable{};
    const std::size_t moments = out_.weights.size(), count = std::size_t(structure.xform_count);
    program.moment_count = int(moments);
    program.xform_count = structure.xform_count;
    program.image_count = 1;
    program.has_final = structure.has_final;
    program.has_xaos = structure.has_xaos;
    program.xform_stride = int(structure.stride());
    program.share_stride = int(count * (structure.has_xaos ? 1 + count : 1));
    std::size_t terms = 0;
    for (const std::vector<int>& list : structure.variations) terms += list.size();
    out_.flame.xforms.resize(moments * structure.stride());
    out_.flame.terms.reserve(moments * terms + 1);
    out_.flame.parameters.reserve(moments * terms * 2 + 64);
    out_.flame.cumulative.reserve(moments * std::size_t(program.share_stride));
    out_.views.reserve(moments);
    out_.palette_of.reserve(moments);
    out_.opacities.resize(moments * count);
    out_.has_xform.resize(moments * count);
    for (const std::vector<int>& list : structure.variations) used_.emplace_back(list.size());
    absent_.opacity = 0;
    absent_.variations.assign(std::size_t(variation_count()), 0.0);
    absent_.parameters = default_parameters();
  }

  void add(const Flame& flame) {
    if (flame.xforms.empty()) fail(ErrorKind::input, "{}: the flame has no xform", place(flame));
    const std::size_t m = out_.views.size(), count = std::size_t(structure_.xform_count);
    KILN_CHECK(m < out_.weights.size() && flame.xforms.size() <= count,
               "moment {} of {}, {} xforms", m, out_.weights.size(), flame.xforms.size());
    count_ = std::max(count_, flame.xforms.size());
    has_final_ = has_final_ || flame.final_xform;
    has_xaos_ = has_xaos_ || has_xaos(flame);
    for (std::size_t f = 0; f < structure_.stride(); ++f) {
      const XformValues& xform = xform_at(flame, f);
      XformData& data = out_.flame.xforms[m * structure_.stride() + f];
      data = compile_xform(xform, structure_.variations[f], used_[f], out_.flame);
      has_post_[f] |= char(!(xform.post == AffineD{}));
      if (f == count) {
        data.palette_row = -1;
        random_final_ = random_final_ || Real(xform.opacity) != Real(1);
      } else {
        out_.opacities[m * count + f] = f < flame.xforms.size() ? xform.opacity : 0;
        out_.has_xform[m * count + f] = f < flame.xforms.size();
      }
    }
    compile_selection(flame, out_.flame);
    out_.views.push_back({flame.center_x, flame.center_y, flame.scale, flame.zoom, flame.rotate_deg,
                          flame.pixel_aspect, flame.quality});
    if (out_.palettes.empty() ||
        std::memcmp(&out_.palettes.back(), &flame.palette, sizeof flame.palette) != 0) {
      out_.palettes.push_back(flame.palette);
    }
    out_.palette_of.push_back(int(out_.palettes.size()) - 1);
  }

  /// What the moments really had.
  Structure found() const {
    Structure found{int(count_), has_final_, has_xaos_, {}};
    for (std::size_t f = 0; f < used_.size(); ++f) {
      const bool is_final = int(f) == structure_.xform_count;
      if (is_final ? !has_final_ : f >= count_) continue;
      found.variations.emplace_back();
      for (std::size_t i = 0; i < used_[f].size(); ++i) {
        if (used_[f][i]) found.variations.back().push_back(structure_.variations[f][i]);
      }
    }
    return found;
  }

  CompiledMoments take() {
    KILN_CHECK(out_.views.size() == out_.weights.size(), "{} moments, {} weights",
               out_.views.size(), out_.weights.size());
    const std::size_t stride = structure_.stride();
    for (std::size_t i = 0; i < out_.flame.xforms.size(); ++i) {
      XformData& data = out_.flame.xforms[i];
      data.has_post = has_post_[i % stride];
      if (int(i % stride) == structure_.xform_count) data.draws_random |= random_final_;
    }
    if (out_.flame.terms.empty()) out_.flame.terms.push_back({});
    // a struct is read whole, even an empty one
    out_.flame.parameters.resize(out_.flame.parameters.size() + 64);
    return std::move(out_);
  }

 private:
  /// One that a moment lacks is never drawn, or never applied there.
  const XformValues& xform_at(const Flame& flame, std::size_t f) const {
    if (f < flame.xforms.size()) return flame.xforms[f];
    return int(f) == structure_.xform_count && flame.final_xform ? *flame.final_xform : absent_;
  }

  const Structure& structure_;
  std::size_t count_ = 0;
  bool has_final_ = false, has_xaos_ = false;
  std::vector<std::vector<char>> used_;  // [stride][variations of the xform]
  CompiledMoments out_;
  XformValues absent_;
  std::vector<char> has_post_;  // [stride] whether the post affine does anything at any moment
  bool random_final_ = false;   // a draw decides whether the final xform is applied
};

using SeeMoment = std::function<void(const Flame&)>;
using VisitMoments = std::function<void(const SeeMoment&)>;

/// Compiles what `visit` shows, which has no more than `bound`.
CompiledMoments compile_visited(const VisitMoments& visit, const Structure& bound,
                                std::vector<double> weights, const SeeMoment& also_see) {
  MomentCompiler compiler(bound, weights);
  visit([&](const Flame& moment) {
    if (also_see) also_see(moment);
    compiler.add(moment);
  });
  const Structure found = compiler.found();
  if (found == bound) return compiler.take();
  // a variation that no moment has would still cost its time at every point
  MomentCompiler again(found, std::move(weights));
  visit([&](const Flame& moment) { again.add(moment); });
  return again.take();
}

void check_memory(const Flame& flame, const Structure& structure, std::size_t moments) {
  constexpr double most_maps = 2e7;  // about 4 GB
  if (double(moments) * double(structure.stride()) <= most_maps) return;
  fail(ErrorKind::input,
       "{}: {} moments of {} xforms are more than fit into memory; lower temporal_samples or "
       "passes",
       place(flame), moments, structure.xform_count);
}

/// Of flames whose symmetry is folded.
Structure folded(const Structure& structure, const SymmetryGroup& group) {
  Structure images = structure;
  images.variations.clear();
  for (const int f : group.others())
    images.variations.insert(images.variations.end(), std::size_t(group.order()),
                             structure.variations[std::size_t(f)]);
  images.xform_count = int(images.variations.size());
  if (structure.has_final) images.variations.push_back(structure.variations.back());
  return images;
}

/// What follows bad values, at the moment that was folded last.
void append_turns(const SymmetryGroup& group, std::vector<SymmetryTurn>& turns) {
  for (std::size_t g = 0; g < std::size_t(group.order()); ++g) {
    const AffineD& m = group.elements()[g];
    turns.push_back(
        {Real(m.a), Real(m.b), Real(m.d), Real(m.e), Real(g == 0 ? group.turned() : 1)});
  }
}

/// Moments that are all there.
class ListedMoments : public MomentSource {
 public:
  explicit ListedMoments(const std::vector<const Flame*>& flames) : flames_(flames) {}
  std::vector<const Flame*> bounds() override { return flames_; }
  void visit(const std::function<void(const Flame&)>& see) override {
    for (const Flame* flame : flames_) see(*flame);
  }

 private:
  const std::vector<const Flame*>& flames_;
};

/// Samples a pixel of a flame: quality * 4^zoom.
double density(double quality, double zoom) {
  return quality * exact::exp(2 * zoom * 0.693147180559945309417);
}

constexpr double most_samples = 7e16;  // of a pass: 255 of each fit into sums of 64 bits

/// A picture of too many samples would never end, one of none would be black without a word.
void check_samples(const Flame& flame, double samples, double quality, double zoom) {
  if (!(samples < most_samples)) {
    fail(ErrorKind::input,
         "{}: {:.3g} samples at quality {:.3g} and zoom {:.3g} are too many; zoom multiplies them "
         "by 4^zoom: lower the quality, or use scale instead of zoom",
         place(flame), samples, quality, zoom);
  }
  if (!(samples >= 1)) {
    fail(ErrorKind::input,
         "{}: quality {:.3g} and zoom {:.3g} give {} x {} pixels not one sample{}; raise the "
         "quality",
         place(flame), quality, zoom, flame.width, flame.height,
         flame.passes > 1 ? fmt::format(" in each of {} passes", flame.passes) : "");
  }
}

/// As flam3 does: a moment gets samples by its own quality and zoom, so where they move the frame
/// gets the mean.
void share_samples(const std::vector<CompiledMoments::View>& views, const Flame& flame,
                   CompiledFlame& out) {
  const double pixels = double(flame.width) * flame.height;
  out.passes = flame.passes;
  const double of_a_pass =
      density(flame.quality, flame.zoom) * flame.width * flame.height / flame.passes;
  constexpr double rounding = 1e-9;  // of a blend of equal numbers
  const auto same = [](double a, double b) { return std::fabs(a - b) <= rounding * std::fabs(b); };
  const auto as_frame = [&](const CompiledMoments::View& view) {
    return same(view.quality, flame.quality) && std::fabs(view.zoom - flame.zoom) <= rounding;
  };
  if (std::all_of(views.begin(), views.end(), as_frame)) {
    check_samples(flame, of_a_pass, flame.quality, flame.zoom);
    out.sample_count = std::uint64_t(of_a_pass);
    return;
  }
  const std::size_t in_a_pass = views.size() / std::size_t(flame.passes);
  double sum = 0;
  out.sample_count = 0;
  for (std::size_t m = 0; m < views.size(); ++m) {
    if (m % in_a_pass == 0) sum = 0;
    // before the first key and after the last a falling quality may go below 0
    sum += std::max(0.0, density(views[m].quality, views[m].zoom)) * pixels / double(views.size());
    if (!(sum < most_samples)) check_samples(flame, sum, views[m].quality, views[m].zoom);
    out.moment_ends.push_back(std::uint64_t(sum * (1 + 1e-12)));  // whole sums stay whole
    out.sample_count = std::max(out.sample_count, out.moment_ends.back());
  }
  check_samples(flame, double(out.sample_count), flame.quality, flame.zoom);
}

}  // namespace

std::uint64_t CompiledFlame::samples_of_pass(int pass) const {
  if (moment_ends.empty()) return sample_count;
  const std::size_t in_a_pass = moment_ends.size() / std::size_t(passes);
  return moment_ends[std::size_t(pass + 1) * in_a_pass - 1];
}

CompiledMoments compile_moments(MomentSource& source, std::vector<double> weights,
                                const SeeMoment& also_see, Symmetry symmetry) {
  KILN_CHECK(!weights.empty(), "no moment");
  const std::vector<const Flame*> bounds = source.bounds();
  StructureFinder bound;
  for (const Flame* flame : bounds) bound.add(*flame);
  const Structure structure = bound.found();
  KILN_CHECK(structure.xform_count <= max_xforms, "{} xforms", structure.xform_count);
  const VisitMoments visit = [&](const SeeMoment& see) { source.visit(see); };
  std::optional<SymmetryGroup> group;
  if (symmetry == Symmetry::folded) group = SymmetryGroup::of(bounds);
  if (!group) {
    check_memory(*bounds.at(0), structure, weights.size());
    return compile_visited(visit, structure, std::move(weights), also_see);
  }

  const Structure of_images = folded(structure, *group);
  check_memory(*bounds[0], of_images, weights.size());
  Flame image;
  group->fold(*bounds[0], image);
  bool all_fold = true;
  std::vector<SymmetryTurn> turns;
  const VisitMoments visit_images = [&](const SeeMoment& see) {
    turns.clear();
    source.visit([&](const Flame& moment) {
      all_fold = group->fold(moment, image) && all_fold;
      append_turns(*group, turns);
      see(image);
    });
  };
  CompiledMoments moments = compile_visited(visit_images, of_images, weights, also_see);
  if (!all_fold) return compile_visited(visit, structure, std::move(weights), {});
  Program& program = moments.flame.program;
  program.image_count = group->order();
  // also of the identity: an affine map that changes nothing else makes 0 of -0
  for (std::size_t i = 0; i < moments.flame.xforms.size(); ++i)
    if (int(i) % program.xform_stride < program.xform_count) moments.flame.xforms[i].has_post = 1;
  moments.flame.turns = std::move(turns);
  return moments;
}

CompiledFlame complete(CompiledMoments moments, const Flame& flame, const PlotArea& area) {
  CompiledFlame out = std::move(moments.flame);
  share_samples(moments.views, flame, out);
  out.cameras.reserve(moments.views.size());
  for (const CompiledMoments::View& view : moments.views) compile_camera(view, flame, area, out);
  compile_palette(flame, moments, out);
  out.program.raster_from_flame = out.cameras[0];
  out.program.width = area.width;
  out.program.height = area.height;
  out.program.tiling =
      tiling_of(area.width, area.height,
                out.table.narrow && out.table.opaque ? most_narrow_tile_pixels : most_tile_pixels);
  return out;
}

CompiledMoments compile_moments(const Flame& flame, Symmetry symmetry) {
  const std::vector<const Flame*> one = {&flame};
  ListedMoments source(one);
  return compile_moments(source, {1}, {}, symmetry);
}

CompiledFlame compile(const Flame& flame, const PlotArea& area, Symmetry symmetry) {
  return complete(compile_moments(flame, symmetry), flame, area);
}

CompiledFlame compile(const Flame& flame, const Moments& all, const PlotArea& area) {
  ListedMoments source(all.flames);
  return complete(compile_moments(source, all.weights), flame, area);
}

}  // namespace kiln
