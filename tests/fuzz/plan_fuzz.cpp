// SPDX-License-Identifier: MIT
// From key flames to what a device gets: sequences, blends, plans, the compiled flame. What the
// reader takes must be planned or refused, with numbers that can be drawn.
#include <cmath>

#include "engine/animation/frame_at.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/render/memory_need.h"
#include "engine/render/plan/prepared_frame.h"
#include "tests/fuzz/fuzz.h"

using namespace kiln;

namespace {

/// So that one flame is planned in milliseconds; larger ones differ in numbers alone.
void make_small(Flame& flame) {
  flame.width = std::min(flame.width, 64);
  flame.height = std::min(flame.height, 64);
  flame.supersample = std::min(flame.supersample, 2);
  flame.temporal_samples = std::min(flame.temporal_samples, 3);
  flame.passes = std::min(flame.passes, 2);
  flame.estimator_radius = std::min(flame.estimator_radius, 20.0);
  flame.estimator_minimum = std::min(flame.estimator_minimum, 10.0);
  flame.filter_radius_px = std::min(flame.filter_radius_px, 20.0);
}

void plan(const std::vector<Flame>& keys, double time, const RenderOptions& options) {
  fuzz::answered([&] {
    Frame frame = frame_at(keys, {3, time});
    const Flame& flame = frame.flame;
    if (flame.width > 4096 || flame.height > 4096 || flame.supersample > 4 || flame.passes > 8 ||
        flame.temporal_samples > 64 || flame.estimator_radius > 40 || flame.filter_radius_px > 40)
      return;  // beyond the keys numbers go on
    const PreparedFrame prepared = prepare(frame, options);
    const CompiledFlame& compiled = prepared.compiled;
    fuzz::expect(compiled.sample_count > 0 && compiled.sample_count < 2e18, "samples are counted");
    for (const Affine& camera : compiled.cameras)
      fuzz::expect(std::isfinite(camera.a) && std::isfinite(camera.c), "a camera is finite");
    fuzz::expect(std::isfinite(prepared.plan.tone.exponent), "a tone curve is finite");
    fuzz::expect(memory_need(prepared, options).most() > 0, "memory is counted");
  });
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const std::uint8_t how = input.byte();
  const double time = input.byte() / 16.0 - 4;
  ReaderOptions reading;
  reading.palettes_file = "/nowhere";
  reading.approximate = true;
  reading.warn = [](const std::string&) {};
  std::vector<Flame> keys;
  if (!fuzz::answered([&] { keys = parse_flames(input.rest(), "fuzz", reading).flames; })) return 0;
  keys.resize(std::min<std::size_t>(keys.size(), 4));
  for (Flame& key : keys) {
    if (key.xforms.size() > 40) return 0;
    make_small(key);
  }
  RenderOptions options;
  options.max_memory_bytes = std::uint64_t(1) << 30;
  options.transparent = how & 1;
  options.earlyclip = how & 2;
  options.exact_density = how & 4;
  options.compat_flam3 = how & 8;
  SequenceOptions sequence;
  sequence.nframes = 3;
  sequence.stagger = how & 16 ? 0.5 : 0;
  if (how & 32) fuzz::answered([&] { keys = make_sequence(keys, sequence); });
  if (how & 64) fuzz::answered([&] { in_betweens(keys, -1, 2, sequence.stagger); });
  if (how & 128) keys.resize(1);
  plan(keys, time, options);
  return 0;
}
