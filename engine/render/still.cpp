// SPDX-License-Identifier: MIT
#include "engine/render/still.h"

#include <algorithm>
#include <string_view>

#include "engine/base/error.h"
#include "engine/base/resources.h"
#include "engine/base/text.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/picture/picture_record.h"
#include "engine/io/state/state_file.h"
#include "engine/model/exact_math.h"
#include "engine/program/sample_shares.h"

namespace kiln {
namespace {

/// The most samples that a picture gets whose quality nobody limits: hours of the fastest devices.
constexpr std::uint64_t most_samples = 4'000'000'000'000;
constexpr double most_quality = 1e9;

/// The quality up to which it is played.
double quality_to_play(const Flame& flame, const RenderOptions& options) {
  if (options.until_noise <= 0) return flame.quality;
  return options.most_quality > 0 ? options.most_quality
                                  : std::min(most_quality, quality_of_samples(flame, most_samples));
}

/// Runs `body`; an Error about the sums names their file, which the renderer does not know.
template <class Body>
auto about_sums(const Still& still, Body body) {
  try {
    return body();
  } catch (const Error& error) {
    const bool is_of_sums = error.kind == ErrorKind::usage || error.kind == ErrorKind::input;
    if (still.begin.empty() || !is_of_sums ||
        std::string_view(error.what()).starts_with(still.flame.source))
      throw;
    fail(error.kind, "{}: {}", printable_whole(still.begin.front()), error.what());
  }
}

/// Fills in the texts that the state file holds beside the sums, and how it is saved.
void describe_state(const Still& still, const RenderOptions& options, Checkpoint& checkpoint) {
  checkpoint.sums.genome = genome_xml(still.flame);
  checkpoint.sums.record =
      record_of_state(render_record(still.flame, options, RenderStatistics{}, ""), still.form,
                      still.credits, options.stages);
  checkpoint.genome_at = [flame = still.flame](double quality) mutable {
    flame.quality = quality;
    return genome_xml(flame);
  };
  if (still.state.empty()) return;
  checkpoint.save = [path = still.state](const SavedSums& sums) { write_state(path, sums); };
}

}  // namespace

std::future<PreparedFrame> prepare_ahead(const Flame& flame, const RenderOptions& options) {
  constexpr double most_buckets = 1 << 24, most_reach = 64;  // tables of some MB
  const double ss = flame.supersample;
  if (ss * ss * flame.width * flame.height > most_buckets ||
      flame.estimator_radius * ss > most_reach)
    return {};
  std::packaged_task<PreparedFrame()> task([&] {
    Frame frame{flame, {}, {}, 0};
    frame.flame.quality = quality_to_play(flame, options);
    return prepare(frame, options);
  });
  task();
  return task.get_future();
}

std::optional<Image> render_still(Renderer& renderer, const RenderOptions& options, Still& still,
                                  RenderStatistics* statistics) {
  Frame frame{still.flame, {}, {}, 0};
  const auto prepared = [&] {
    if (!still.ready.valid()) return renderer.prepare(frame);
    renderer.check_fits(frame);
    return still.ready.get();
  };
  const bool has_files = !still.begin.empty() || !still.state.empty();
  if (!has_files && !options.halves && !ends_early(options))
    return renderer.render(prepared(), statistics);
  Checkpoint& checkpoint = still.checkpoint;
  checkpoint.sums = read_sums(still.begin, options.max_memory_bytes, options.stop);
  frame.flame.quality = quality_to_play(still.flame, options);
  if (options.most_quality > 0) still.flame.quality = frame.flame.quality;
  if (still.begin.empty())
    checkpoint.sums.shape.halves = options.halves || options.until_noise > 0;
  else
    frame.gutter = int(checkpoint.sums.shape.gutter);
  describe_state(still, options, checkpoint);
  std::optional<Image> image = about_sums(still, [&] {
    const PreparedFrame ready = prepared();
    return renderer.make({.frame = &ready, .checkpoint = &checkpoint}, statistics);
  });
  if (checkpoint.quality > 0) still.flame.quality = checkpoint.quality;
  return image;
}

SavedSums read_sums(const std::vector<std::string>& paths, std::uint64_t most_bytes,
                    const std::stop_token& stop) {
  const std::uint64_t room = most_bytes ? most_bytes : available_memory_bytes();
  SavedSums sums;
  for (const std::string& path : paths) {
    if (sums.histograms.empty())
      sums = read_state(path, room, stop);
    else
      add_sums(read_state(path, room - std::min(room, sums.shape.bytes()), stop), path, sums, stop);
  }
  return sums;
}

double noise_at_psnr(double db) { return exact::pow(10.0, -db / 20); }

std::string check_still(const Frame& still, const RenderOptions& options) {
  return check_plan(still, options);
}

}  // namespace kiln
