// SPDX-License-Identifier: MIT
// The genome between key frames, as flam3 3.1.1 finds it: genomes are aligned (the same number of
// xforms, missing ones padded with an identity that suits their neighbors), then every number is a
// weighted sum over the genomes; the columns of affine maps are turned and stretched instead
// (interpolation_type log), and palettes follow their own rule. Source: flam3-pipeline.md sections
// 13 and 14; docs/inside/animation.md explains it with examples.
//
// Everything is deterministic double (engine/model/exact_math.h): a frame is the same flame on
// every machine. Agreement with flam3-genome: to all six digits that it writes.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "engine/model/flame.h"
#include "engine/model/palette.h"

namespace kiln {

/// A share 0..1 that sets out and arrives at rest.
inline double smoother(double t) { return t * t * (3 - 2 * t); }

class PaletteBlend;
class XformBlend;

/// The flame at `time` between key flames, which must be sorted by strictly increasing time. Before
/// the first and after the last one the outer segment goes on (flam3 does not clamp). One key is
/// returned as it is. `stagger` 0..1 lets the xforms of a linear segment move one after the other.
///
/// In a segment with interpolation smooth the four keys around it count (Catmull-Rom). Filter
/// shape and type, palette mode and the kinds of interpolation come from the first key that counts.
/// The result is linear, has no motion elements, no links and no name. Throws Error of kind input when there
/// is no key or their times do not increase, and names the flame and its line.
Flame interpolate(const std::vector<Flame>& keys, double time, double stagger = 0);

/// interpolate() for many times, as motion blur asks for: what is the same all over a segment is
/// found once, and only what moves is computed. The same flames to the last bit. For one thread.
class Interpolator {
 public:
  /// `keys` must outlive it. Throws what interpolate() throws.
  explicit Interpolator(const std::vector<Flame>& keys, double stagger = 0);
  ~Interpolator();

  /// The flame at `time`, until the next call, which blends all its numbers anew.
  Flame& at(double time);

  /// The aligned flames between which at() blends for these times. From now on nothing that was
  /// found of a segment is forgotten, so they live as long as this.
  std::vector<const Flame*> between(const std::vector<double>& times);

 private:
  struct Segment;  // that starts at a key
  Segment& segment(double time);

  const std::vector<Flame>& keys_;
  double stagger_;
  std::map<std::size_t, Segment> segments_;  // by their first key
  bool keeps_segments_ = false;
  Segment* last_ = nullptr;  // of which flame_ is
  Flame flame_;
};

/// Checks what interpolate() needs of its keys, with the message it would give.
void check_keys(const std::vector<Flame>& keys);

/// The flame at phase `phase` of its loop (0..1, any real is taken): every motion element adds its
/// amplitude times its wave at frequency * phase. The result has no motion elements.
Flame apply_motion(const Flame& flame, double phase);

/// The value at `turns` turns of the wave of a motion element, in -1..1 (hill: 0..1).
double motion_wave(MotionFunction function, double turns);

/// A flame that was aligned with others, and what only the animation needs to know of it.
struct AlignedFlame {
  Flame flame;
  std::vector<bool> padding;  // [standard xforms] true: added by align()
  bool final_padding = false;
  /// [standard xforms][columns of coefs]: the angle (rad) that the column is to be unwound to while
  /// the other flame turns and this one does not; 0: none. Set by set_references().
  std::vector<std::array<double, 2>> wind_rad;
};

/// Flames with the same number of standard xforms, a final xform in all or none, and xaos rows of
/// full length. What is missing becomes an identity which, where a neighbor needs it, is the one
/// that its variations have (spherical, julia_n, fan, blob ...); parameters of unused variations
/// are copied from the neighbor that uses them.
std::vector<AlignedFlame> align(const std::vector<Flame>& flames);

/// Turns the linear part of every xform with animate != 0 by `degrees` (from +x towards +y),
/// translations, posts and the final xform staying as they are. Padding turns only if `type` is
/// log.
void rotate(AlignedFlame& aligned, double degrees, InterpolationType type);

/// Prepares a transition between two aligned flames of which one turns an xform and the other does
/// not: stores the angles that keep the turn going one way. Call it before rotate().
void set_references(AlignedFlame& from, AlignedFlame& to);

/// Aligned flames (1 to 4), ready to be blended.
class FlameBlend {
 public:
  explicit FlameBlend(std::vector<AlignedFlame> aligned);
  FlameBlend(FlameBlend&&) noexcept;
  ~FlameBlend();

  /// The weighted sum at `time`; weights sum to 1, one a flame. `stagger` counts for two flames
  /// only. Parameters of variations that no flame has are those of the first flame.
  Flame at(const std::vector<double>& weights, double time, double stagger = 0) const;
  /// Writes that sum into a flame that at() of this blend has made.
  void move(const std::vector<double>& weights, double time, double stagger, Flame& flame) const;

  const std::vector<const Flame*>& flames() const { return flames_; }

 private:
  std::vector<AlignedFlame> aligned_;
  std::vector<const Flame*> flames_;
  std::vector<XformBlend> xforms_;  // the final one last
  std::unique_ptr<const PaletteBlend> palettes_;
};

// Affine maps between affine maps (flam3-pipeline.md 13.1). A weighted sum of the six numbers
// shrinks a turning map on its way (half a turn passes through 0), so interpolation_type log blends
// each column of the linear part in polar form: angle by angle, length by logarithm.

/// One column of a linear part.
struct PolarColumn {
  double angle_rad = 0, length = 0;
};

/// Both columns, (a, d) and (b, e). A column of length 0 has the angle of the other.
std::array<PolarColumn, 2> polar_columns(const AffineD& matrix);

/// `angle` moved by a turn if it is more than half a turn from `before`; of two equal ways the
/// positive one.
double unwound(double angle_rad, double before_rad);

/// The angle moved by whole turns into [wind - 2 pi, wind].
double wound(double angle_rad, double wind_rad);

/// Affine maps that will be blended many times: their angles and logarithms are found once.
class AffineBlend {
 public:
  /// 1 to 4 maps. `log_type`: columns in polar form, the translation by weighted sum; else all six
  /// numbers by weighted sum. `wind_rad`, one pair a map or empty: AlignedFlame::wind_rad.
  AffineBlend(const std::vector<AffineD>& matrices, bool log_type,
              const std::vector<std::array<double, 2>>& wind_rad = {});

  /// The blend by weights, one a map.
  AffineD at(const double* weights) const;

 private:
  /// One column of all maps, unwound.
  struct Column {
    std::array<double, 4> angle_rad{}, length{}, log_length{};
    bool long_enough = true;  // to be blended by logarithm
  };
  PolarColumn blended(const Column& column, const double* weights) const;

  std::vector<AffineD> matrices_;
  bool log_type_;
  std::array<Column, 2> columns_;
};

// Palettes between palettes: one rule for each palette_interpolation (flam3-pipeline.md 13.1).

/// Palettes that will be blended many times: their hues are found once.
class PaletteBlend {
 public:
  /// The palettes of 1 to 4 flames, to be blended by the rule of the first.
  explicit PaletteBlend(const std::vector<const Flame*>& flames);

  /// The blend by weights that sum to 1, one a flame. Entries are within 0..1, whatever the
  /// weights; an entry that is the same in all flames is that of the result to the last bit.
  Palette at(const std::vector<double>& weights) const;

  /// Whether it is the same palette at all weights.
  bool stands_still() const { return stands_still_; }

 private:
  /// One entry in all flames.
  struct Entry {
    std::array<Rgba, 4> rgb;
    std::array<Hsv, 4> hsv;  // where the rule needs them; hues moved by the rule
    bool all_equal = false, opaque = false;
  };

  Entry prepared(const std::vector<Palette>& palettes, std::size_t index) const;
  Rgba blended(const Entry& entry, const std::vector<double>& weights) const;

  PaletteInterpolation rule_;
  double share_of_rgb_;  // of hsv_circular
  std::vector<Entry> entries_;
  bool stands_still_ = true;
};

}  // namespace kiln
