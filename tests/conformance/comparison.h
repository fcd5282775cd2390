// SPDX-License-Identifier: MIT
/// The comparison of one scene: which seeds are rendered, when more are asked for, and the verdict.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "tests/conformance/distance.h"
#include "tests/conformance/flames.h"
#include "tests/conformance/renderers.h"

namespace conformance {

enum class Verdict { passed, failed, left_out, error };

/// One row of the table.
struct Row {
  std::string name;
  Distance distance;
  double bad = 0;  // flam3's bad values per sample
  int seeds = 0;   // of each renderer
  Verdict verdict = Verdict::error;
  std::string note;
};

/// The two sides and how far the comparison goes.
struct Setting {
  const Renderer* ours = nullptr;
  const Renderer* reference = nullptr;
  Limits limits;
  int most_seeds = 16;  // per side; a row near a limit is repeated with 4, 8, 16. Scenes of few
                        // samples have 16 from the start and up to four times as many
  std::string failed_folder;  // where a failing row leaves its pictures; empty: nowhere
};

/// Renders the scene with two seeds on both sides (16 where samples are few) and measures; while
/// the distance is outside the limits but could still be chance, doubles the seeds and measures all
/// of them again. The last result stands, so that chance fails a faithful renderer rarely and a
/// wrong one gains nothing.
Row compare(const Scene& scene, const Setting& setting);

/// A mistake prepared on purpose: what it does to the flame, or to the picture.
struct Mistake {
  std::string name;
  std::function<std::string(const std::string&)> on_flame;  // empty: as it is
  std::function<Picture(const Picture&)> on_picture;        // empty: as it is
  std::vector<std::string> scenes;                          // where it has to be noticed
  int flam3_chain = 0;  // above 0: flam3 in our place, whose chains have so many points
};

/// The mistakes that the comparison has to see.
std::vector<Mistake> prepared_mistakes();

/// As `ours`, or as `flam3` in its place, but with the mistake.
class Mistaken : public Renderer {
 public:
  Mistaken(const Renderer& ours, const Renderer& flam3, const Mistake& mistake)
      : ours_{mistake.flam3_chain ? flam3 : ours}, mistake_{mistake} {}
  Picture render(const std::string& xml, const Options& options, int seed) const override;

 private:
  const Renderer& ours_;
  const Mistake& mistake_;
};

}  // namespace conformance
