// SPDX-License-Identifier: MIT
#include "engine/render/plan/prepared_frame.h"

#include <algorithm>
#include <optional>

#include "engine/base/error.h"
#include "engine/device/cuda/jit/flame_code.h"
#include "engine/model/temporal.h"
#include "engine/program/compile.h"
#include "engine/render/plan/burn_in.h"
#include "engine/render/plan/burn_in_memory.h"
#include "engine/render/plan/steering.h"
#include "engine/render/stages/density/density_stage.h"
#include "engine/render/stages/log_scale/log_scale_stage.h"
#include "engine/render/stages/stages.h"

namespace kiln {
namespace {

/// The samples of a frame that has them all.
class ListedSamples : public TimeSampleSource {
 public:
  explicit ListedSamples(const std::vector<Flame>& samples) : samples_(samples) {}
  std::vector<const Flame*> bounds() override {
    std::vector<const Flame*> all;
    for (const Flame& sample : samples_) all.push_back(&sample);
    return all;
  }
  void visit(const std::function<void(const Flame&)>& see) override {
    for (const Flame& sample : samples_) see(sample);
  }

 private:
  const std::vector<Flame>& samples_;
};

/// Beyond the keys, and on curves of easing that swing out, numbers may fall below what they can be.
void check_above_0(const Flame& flame, const char* name, double value) {
  if (value > 0) return;
  fail(
      ErrorKind::input,
      "{}: at time {} the {} is {:.3g}: before the first key flame and after the last, and where a "
      "curve of kiln_easing leaves the way between two, numbers go on as between the nearest two; "
      "begin and end between the keys, or choose a flatter curve",
      flame.place(), flame.time, name, value);
}

/// Plans do not know where the flame stands.
template <class Plan>
auto located(const Flame& flame, Plan plan) {
  try {
    return plan();
  } catch (const Error& error) {
    if (error.kind == ErrorKind::usage) throw;
    fail(error.kind, "{}: flame: {}", flame.place(), error.what());
  }
}

FarPlan far_of_pass(const PreparedFrame::Pass& pass, const PreparedFrame& frame) {
  OutputPlan plan = frame.plan;
  plan.log_curve = pass.log_curve;
  plan.density = pass.density;
  plan.density_grid = pass.density_grid;
  return plan_far(plan, frame.compiled.unit, frame.far.exact);
}

void plan_passes(const std::vector<PassSettings>& passes, double temporal_weight, bool tables,
                 PreparedFrame& prepared) {
  for (const PassSettings& pass : passes) {
    check_above_0(prepared.flame, "quality", pass.quality);
    PreparedFrame::Pass plan;
    const Flame flame = pass.applied_to(prepared.flame);
    plan.log_curve = plan_log_curve(flame, temporal_weight);
    plan.density = located(flame, [&] { return plan_density(flame, 0, tables); });
    plan.density_grid = density_grid(plan.density, prepared.plan.geometry.width,
                                     prepared.plan.geometry.height, prepared.plan.hidden_buckets());
    if (tables) plan.far = far_of_pass(plan, prepared);
    prepared.passes.push_back(std::move(plan));
  }
}

enum class Care { usual, without_tables, quick, shape };

PreparedFrame prepared_frame(const Frame& frame, const RenderOptions& options, Care care,
                             Device* device = nullptr) {
  const bool tables = care == Care::usual || care == Care::quick;
  check_above_0(frame.flame, "quality", frame.flame.quality);
  check_above_0(frame.flame, "supersample", frame.flame.supersample);
  PreparedFrame prepared;
  prepared.flame = frame.flame;
  prepared.number = frame.number;
  prepared.quick = care == Care::quick || care == Care::shape;
  std::vector<double> weights = {1};
  std::optional<FrameSettings> settings;
  // the starts that flam3 shows are those of its own chain
  const Symmetry symmetry = options.compat_flam3 ? Symmetry::iterated : Symmetry::folded;
  CompiledTimeSamples time_samples;
  if (frame.in_motion()) {
    KILN_CHECK(frame.moving || frame.weights.size() == frame.samples.size(),
               "{} temporal samples, {} weights", frame.samples.size(), frame.weights.size());
    weights = frame.weights;
    settings.emplace(frame.flame, weights.size());
    ListedSamples listed(frame.samples);
    time_samples = compile_time_samples(
        frame.moving ? *frame.moving : listed, weights,
        [&](const Flame& time_sample) { settings->add(time_sample); }, symmetry);
    prepared.flame = settings->frame();
  } else {
    time_samples = compile_time_samples(frame.flame, symmetry);
  }
  const double temporal_weight = mean_weight(weights);
  // first what costs little: its checks spare tables of any size
  const BufferGeometry geometry =
      located(prepared.flame, [&] { return plan_geometry(prepared.flame, frame.gutter); });
  prepared.compiled =
      complete(std::move(time_samples), prepared.flame,
               {geometry.supersample, geometry.gutter, geometry.width, geometry.height});
  if (options.game != Game::permutation) device = nullptr;  // its points are other ones
  if (!prepared.quick) plan_burn_in(prepared.compiled, device, &BurnInMemory::shared());
  OutputSettings look = output_settings(options, temporal_weight);
  look.tables = tables;
  look.gutter = frame.gutter;
  located(prepared.flame, [&] { plan_look(look, prepared); });
  if (settings && options.backend == Backend::cuda)
    prepared.compiled.time_sample_numbers = time_sample_numbers(prepared.compiled);
  if (options.steer && options.game == Game::permutation && !options.compat_flam3 &&
      care == Care::usual && prepared.plan.clean == 0)
    plan_steering(prepared.plan, options.threads, prepared.compiled);
  if (settings) plan_passes(settings->passes(), temporal_weight, tables, prepared);
  return prepared;
}

}  // namespace

std::uint64_t samples_of(const PreparedFrame& frame) {
  std::uint64_t samples = 0;
  for (int pass = 0; pass < frame.flame.passes; ++pass)
    samples += frame.compiled.samples_of_pass(pass);
  return samples;
}

bool joins_frames(const PreparedFrame& frame) {
  return light_stage(frame.plan).window.make && frame.flame.passes == 1;
}

OutputSettings output_settings(const RenderOptions& options, double temporal_weight) {
  OutputSettings settings;
  settings.transparent = options.transparent;
  settings.earlyclip = options.earlyclip;
  settings.bits = options.linear ? 8 : options.bits;
  settings.temporal_weight = temporal_weight;
  settings.psf = options.psf.get();
  settings.max_memory_bytes = options.max_memory_bytes;
  settings.exact = options.exact_density;
  return settings;
}

void plan_look(const OutputSettings& settings, PreparedFrame& frame) {
  frame.plan = plan_output(frame.flame, settings);
  if (settings.tables) frame.far = plan_far(frame.plan, frame.compiled.unit, settings.exact);
}

PreparedFrame prepare(const Frame& frame, const RenderOptions& options, Device* device) {
  return prepared_frame(frame, options, Care::usual, device);
}

PreparedFrame prepare_quickly(const Flame& flame, const RenderOptions& options, int units,
                              double clumps) {
  Frame frame{flame, {}, {}, 0};
  if (const PictureStage& light = light_stage(frame.flame); light.needs_game && clumps <= 0)
    light.leave_out(frame.flame);
  PreparedFrame prepared = prepared_frame(frame, options, Care::quick);
  prepared.quick_units = units;
  prepared.clumps = clumps;
  return prepared;
}

PreparedFrame prepare_for_shape(const Flame& flame, const RenderOptions& options) {
  return prepared_frame(Frame{flame, {}, {}, 0}, options, Care::shape);
}

std::string check_plan(const Frame& frame, const RenderOptions& options) {
  return resolution_warning(prepared_frame(frame, options, Care::without_tables).compiled);
}

Flame PassSettings::applied_to(const Flame& frame) const {
  Flame settings = frame;
  settings.brightness = brightness;
  settings.scale = scale;
  settings.zoom = zoom;
  settings.quality = quality;
  settings.estimator_radius = estimator_radius;
  settings.estimator_minimum = estimator_minimum;
  settings.estimator_curve = estimator_curve;
  return settings;
}

FrameSettings::FrameSettings(const Flame& flame, std::size_t time_samples)
    : frame_(flame), passes_(std::size_t(flame.passes)), time_samples_(time_samples) {
  KILN_CHECK(time_samples > 0 && time_samples % passes_.size() == 0,
             "{} temporal samples, {} passes", time_samples, flame.passes);
  frame_.vibrancy = frame_.gamma = 0;
  frame_.background = {};
  for (const auto part : background_parts) frame_.*part = {};
  frame_.estimator_radius = 0;
}

void FrameSettings::add(const Flame& time_sample) {
  KILN_CHECK(added_ < time_samples_, "more than {} time samples", time_samples_);
  const double share = 1 / double(time_samples_);
  frame_.vibrancy += time_sample.vibrancy * share;
  frame_.gamma += time_sample.gamma * share;
  const bool is_single = time_sample.background_type == BackgroundType::single_color;
  for (std::size_t c = 0; c < 3; ++c) {
    frame_.background[c] += time_sample.background[c] * share;
    for (const auto part : background_parts)
      (frame_.*part)[c] += (is_single ? time_sample.background : time_sample.*part)[c] * share;
  }
  frame_.estimator_radius = std::max(frame_.estimator_radius, time_sample.estimator_radius);
  frame_.gamma_threshold = time_sample.gamma_threshold;

  const std::size_t in_a_pass = time_samples_ / passes_.size();
  PassSettings& pass = passes_[added_ / in_a_pass];
  if (added_ % in_a_pass == 0) {
    pass.estimator_radius = time_sample.estimator_radius;
    pass.estimator_minimum = time_sample.estimator_minimum;
    pass.estimator_curve = time_sample.estimator_curve;
  }
  pass.brightness = time_sample.brightness;
  pass.scale = time_sample.scale;
  pass.zoom = time_sample.zoom;
  pass.quality = time_sample.quality;  // flam3 divides by the density of the last time sample
  ++added_;
}

}  // namespace kiln
