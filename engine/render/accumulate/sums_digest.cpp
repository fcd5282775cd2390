#include "engine/render/accumulate/sums_digest.h"

#include <cmath>
#include <type_traits>

#include "engine/base/sha256.h"

namespace kiln {
namespace {

// To be raised when a unit of the same flame gets other sums: then old states are of another game.
constexpr std::uint32_t game_version = 1;

// Bytes between fields would be anything.
static_assert(sizeof(XformHead) == sizeof(Affine) + 6 * 4 + sizeof(VariationTerm));
static_assert(sizeof(XformData) == sizeof(XformHead) + sizeof(Affine) + 2 * 4);
static_assert(sizeof(VariationTerm) == 4 * 4 && sizeof(SymmetryTurn) == 5 * 4);
static_assert(sizeof(Increment) == 4 * 4 && sizeof(Affine) == 6 * 4);
static_assert(sizeof(ColorIndex) == 5 * 4);

class Digest {
 public:
  template <class Number>
  void number(Number value) {
    static_assert(std::is_arithmetic_v<Number>);
    sha_.add(&value, sizeof value);
  }
  template <class Element>
  void array(const std::vector<Element>& values) {
    static_assert(std::is_trivially_copyable_v<Element>);
    number(std::uint64_t(values.size()));
    sha_.add(values.data(), values.size() * sizeof(Element));
  }
  template <class Plain>
  void plain(const Plain& value) {
    static_assert(std::is_trivially_copyable_v<Plain>);
    sha_.add(&value, sizeof value);
  }
  std::string hex() { return sha_.hex(); }

 private:
  Sha256 sha_;
};

void add_program(const CompiledFlame& flame, Digest& digest) {
  const Program& program = flame.program;
  digest.array(flame.xforms);
  digest.array(flame.terms);
  digest.array(flame.parameters);
  digest.array(flame.cumulative);
  digest.array(flame.turns);
  digest.array(flame.cameras);
  digest.array(flame.views);
  for (const i32 number :
       {program.moment_count, program.xform_stride, program.share_stride, program.xform_count,
        program.image_count, program.has_xaos, program.has_final, program.wide, program.deep,
        program.width, program.height})
    digest.number(number);
  digest.plain(program.raster_from_flame);
  digest.plain(program.color);
}

void add_palette(const CompiledFlame& flame, Digest& digest) {
  digest.array(flame.palette);
  digest.array(flame.hits);
  digest.number(flame.table.opaque);
  digest.number(flame.unit);
}

}  // namespace

std::uint32_t flam3_fuse(const RenderOptions& options) {
  if (!options.compat_flam3) return 0;
  return std::uint32_t(options.earlyclip ? flam3_earlyclip_steps : flam3_warm_up_steps);
}

SumsShape sums_shape(const PreparedFrame& frame, const RenderOptions& options) {
  const CompiledFlame& flame = frame.compiled;
  const BufferGeometry& buffer = frame.plan.geometry;
  Digest digest;
  digest.number(game_version);
  add_program(flame, digest);
  add_palette(flame, digest);
  digest.number(options.seed);
  digest.number(frame.number);
  digest.number(flam3_fuse(options));
  digest.number(flame.settling_steps);
  digest.number(buffer.gutter);
  SumsShape shape;
  shape.width = std::uint32_t(buffer.width);
  shape.height = std::uint32_t(buffer.height);
  shape.channels = flame.table.opaque ? 4 : 5;
  shape.supersample = std::uint32_t(buffer.supersample);
  shape.gutter = std::uint32_t(buffer.gutter);
  shape.fraction_bits = std::uint32_t(std::ilogb(1 / flame.unit));
  shape.unit_samples = unit_samples;
  shape.digest = digest.hex();
  return shape;
}

}  // namespace kiln
