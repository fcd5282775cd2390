// The genome between key frames, as flam3 3.1.1 finds it: genomes are aligned (the same number of
// xforms, missing ones padded with an identity that suits their neighbors), then every number is a
// weighted sum over the genomes; the columns of affine maps are turned and stretched instead
// (interpolation_type log), and palettes follow their own rule. Source: flam3-pipeline.md sections
// 13 and 14; docs/animation.md explains it with examples.
//
// Everything is deterministic double (engine/model/exact_math.h): a frame is the same flame on
// every machine. Agreement with flam3-genome: to all six digits that it writes.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "engine/model/flame.h"

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
/// The result is linear, has no motion elements and no name. Throws Error of kind input when there
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

/// For a transition between two aligned flames of which one turns an xform and the other does not:
/// stores the angles that keep the turn going one way. Call it before rotate().
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
  /// The same in place of a flame that at() of this blend has made.
  void move(const std::vector<double>& weights, double time, double stagger, Flame& flame) const;

  const std::vector<const Flame*>& flames() const { return flames_; }

 private:
  std::vector<AlignedFlame> aligned_;
  std::vector<const Flame*> flames_;
  std::vector<XformBlend> xforms_;  // the final one last
  std::unique_ptr<const PaletteBlend> palettes_;
};

}  // namespace kiln
