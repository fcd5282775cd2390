// SPDX-License-Identifier: MIT
#include "engine/render/accumulate/accumulation.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "engine/base/error.h"
#include "engine/base/resources.h"
#include "engine/base/sha256.h"
#include "engine/base/stop.h"

namespace kiln {

Accumulation::Accumulation(Device& device, DeviceArray<std::uint64_t>& histogram, bool halves)
    : device_(device), histogram_(histogram) {
  if (halves) odd_ = {device, histogram.size()};
}

void Accumulation::clear() {
  for (std::size_t i = 0; i < halves(); ++i) half(i).clear();
  done = {};
  totals = earlier = {};
}

void Accumulation::restore(SavedSums& saved) {
  for (std::size_t i = 0; i < halves(); ++i) {
    const std::vector<std::uint64_t>& from = saved.histograms[i];
    KILN_CHECK(from.size() == half(i).size(), "{} sums", from.size());
    device_.upload(half(i).data(), from.data(), from.size() * sizeof(std::uint64_t));
  }
  saved.histograms.clear();
  done = saved.done;
  totals = earlier = {done.count() * unit_samples, saved.bad_values};
}

constexpr std::size_t values_at_once = 1 << 23;  // 64 MB: between two looks at `stop`

void Accumulation::make_room(SavedSums& saved, const std::stop_token& stop) const {
  saved.histograms.resize(halves());
  for (std::vector<std::uint64_t>& half : saved.histograms) {
    half.reserve(values());
    while (half.size() < values()) {
      check_stop(stop);
      half.resize(std::min(half.size() + values_at_once, values()));
    }
  }
}

void Accumulation::copy_to(SavedSums& saved, const std::stop_token& stop) const {
  saved.histograms.resize(halves());
  for (std::size_t i = 0; i < halves(); ++i) {
    const DeviceArray<std::uint64_t>& from = i ? odd_ : histogram_;
    std::vector<std::uint64_t>& to = saved.histograms[i];
    to.reserve(from.size());
    for (std::size_t at = 0; at < from.size(); at += values_at_once) {
      check_stop(stop);
      const std::size_t end = std::min(at + values_at_once, from.size());
      to.resize(std::max(to.size(), end));  // memory is touched as it goes on
      device_.download(to.data() + at, from.data() + at, (end - at) * sizeof(std::uint64_t));
    }
  }
  saved.done = done;
  saved.bad_values = totals.bad_values;
}

void Accumulation::sum_halves(std::uint64_t* sum) {
  const SumHalves kernel{histogram_.data(), odd_.data(), sum, i64(values())};
  device_.launch(kernel, kernel.block_count());
}

void Pace::took(std::uint64_t played, double seconds) {
  // a launch that was smaller than it might have been says nothing of larger ones
  if (seconds < seconds_ / 2 && played == units_) units_ *= 2;
  if (seconds > seconds_ * 2) units_ = std::max(least_, units_ / 2);
}

bool accumulate(Player& player, const UnitSet& wanted, Accumulation& sums, const Player::Ask& ask,
                const std::function<bool()>& goes_on, Pace* pace) {
  for (const UnitRange& range : wanted.ranges()) {
    const UnitSet lacking = sums.done.missing_of(range);
    for (UnitRange missing : lacking.ranges()) {
      while (missing.count() > 0) {
        UnitRange part = missing;
        if (pace) part.end = std::min(part.end, part.first + pace->units());
        const auto start = Clock::now();
        const std::uint64_t played = player.play(part, sums, ask);
        if (pace) pace->took(played, seconds_since(start));
        missing.first += played;
        ask(sums.totals.samples);
        if (goes_on && !goes_on()) return false;
      }
    }
  }
  return true;
}

namespace {

// To be raised when a unit of the same flame gets other sums: then old states are of another game.
constexpr std::uint32_t game_version = 1;

// Bytes between fields would be anything.
static_assert(sizeof(XformHead) == sizeof(Affine) + 6 * 4 + sizeof(VariationTerm));
static_assert(sizeof(XformData) == sizeof(XformHead) + sizeof(Affine) + 2 * 4);
static_assert(sizeof(VariationTerm) == 4 * 4 && sizeof(SymmetryElement) == 5 * 4);
static_assert(sizeof(Increment) == 4 * 4 && sizeof(Affine) == 6 * 4);
static_assert(sizeof(ColorIndex) == 5 * 4);
static_assert(sizeof(FineXform) == 12 * 8 && sizeof(FineTerm) == 9 * 8);
static_assert(sizeof(FineCamera) == 8 * 8);

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
  digest.array(flame.symmetry);
  digest.array(flame.cameras);
  digest.array(flame.views);
  for (const i32 number :
       {program.time_sample_count, program.xform_stride, program.share_stride, program.xform_count,
        program.copy_count, program.has_xaos, program.has_final, program.extended, program.has_z,
        program.width, program.height})
    digest.number(number);
  if (program.more_finals > 0) digest.number(program.more_finals);
  if (program.fine) {
    digest.array(flame.fine_xforms);
    digest.array(flame.fine_terms);
    digest.array(flame.fine_cameras);
  }
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
  digest.number(flame.burn_in_steps);
  digest.number(buffer.gutter);
  SumsShape shape;
  shape.width = std::uint32_t(buffer.width);
  shape.height = std::uint32_t(buffer.height);
  shape.channels = flame.channels();
  shape.supersample = std::uint32_t(buffer.supersample);
  shape.gutter = std::uint32_t(buffer.gutter);
  shape.fraction_bits = std::uint32_t(std::ilogb(1 / flame.unit));
  shape.unit_samples = unit_samples;
  shape.digest = digest.hex();
  return shape;
}

}  // namespace kiln
