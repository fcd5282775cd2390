// SPDX-License-Identifier: MIT
#include "engine/pipeline/film_schedule.h"

#include <algorithm>
#include <set>

#include "engine/animation/frame_at.h"
#include "engine/base/cores.h"

namespace kiln {
namespace {

/// While one frame is read back and packed another is iterated: two renderers use a GPU fully.
/// Large frames leave little to gain and need the memory.
void add_second_renderers(std::vector<HelpingDevice>& gpus, const Flame& flame, int frames) {
  constexpr double most_pixels = 1 << 24;
  const double pixels = double(flame.width) * flame.height * flame.supersample * flame.supersample;
  if (pixels > most_pixels || frames < 4 * static_cast<int>(gpus.size())) return;
  const std::vector<HelpingDevice> once = gpus;
  gpus.insert(gpus.end(), once.begin(), once.end());
}

bool are_different_gpus(const std::vector<HelpingDevice>& list) {
  std::set<int> numbers;
  for (const HelpingDevice& one : list)
    if (one.backend == Backend::cpu || !numbers.insert(one.device).second) return false;
  return true;
}

/// A renderer for each device; where there are fewer frames, the devices that are left help.
std::vector<RenderOptions> renderers_on(const std::vector<HelpingDevice>& list, int frames,
                                        RenderOptions options) {
  options.helpers.clear();
  const std::size_t count = std::min(list.size(), static_cast<std::size_t>(std::max(frames, 1)));
  std::vector<RenderOptions> renderers;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i >= count) {
      renderers[i % count].helpers.push_back(list[i]);
      continue;
    }
    options.backend = list[i].backend;
    options.device = list[i].device;
    if (options.backend == Backend::cpu) options.threads = list[i].threads;
    renderers.push_back(options);
  }
  return renderers;
}

/// Frames that a run plays beside its own: two before it and two behind (FilmWindows).
constexpr int seam_frames = 4;

/// The length of each renderer's runs of frames that are cleaned: as long as pictures that wait for those of another run
/// have room, and as many runs for each.
int run_length(int frames, int renderers, std::size_t room) {
  const int most = std::max(seam_frames, static_cast<int>(room) / (renderers + 1));
  const int rounds = (frames + renderers * most - 1) / (renderers * most);
  return (frames + renderers * rounds - 1) / (renderers * rounds);
}

}  // namespace

std::size_t frame_bytes(const RenderOptions& options, const Flame& flame) {
  const std::size_t each = options.linear ? 60 : options.bits == 16 ? 14 : 4;
  return static_cast<std::size_t>(flame.width) * static_cast<std::size_t>(flame.height) * each;
}

FilmSchedule schedule_film(RenderOptions options, const FilmKeys& keys, int frames, bool has_gpu) {
  const Flame& flame = keys.front();
  FilmSchedule film;
  std::vector<HelpingDevice> list = options.helpers;
  int allowed = options.threads;
  for (const HelpingDevice& one : list) allowed += one.threads;
  if (allowed == 0) allowed = usable_cores();
  film.threads.sequential = allowed == 1;
  const bool any_gpu =
      options.backend == Backend::cuda || (options.backend == Backend::automatic && has_gpu);
  if (!any_gpu && list.empty()) {
    options.backend = Backend::cpu;
    // one frame uses all cores; interpolation and files are a little beside it
    film.renderers = {options};
    return film;
  }
  list.insert(list.begin(),
              {any_gpu ? Backend::cuda : Backend::cpu, options.device, options.threads});
  const bool in_runs = is_cleaned(keys);
  constexpr int least_run = 6;  // of less, helping with a frame saves as much
  if (!in_runs && allowed > 1 && are_different_gpus(list))
    add_second_renderers(list, flame, frames);
  film.renderers = renderers_on(list, in_runs ? frames / least_run : frames, options);
  // files take most: 2 GiB of waiting pictures at most
  constexpr std::size_t waiting_bytes = std::size_t(2) << 30;
  const std::size_t room = std::max<std::size_t>(1, waiting_bytes / frame_bytes(options, flame));
  Pipeline::Threads& threads = film.threads;
  threads.render = static_cast<int>(film.renderers.size());
  threads.encode = std::clamp(allowed, 1, static_cast<int>(std::min<std::size_t>(room, 32)));
  threads.prepare = std::clamp(allowed / 2, 1, 16);
  if (threads.render > 1) threads.sequential = false;
  if (in_runs && threads.render > 1) {
    threads.run = run_length(frames, threads.render, std::min<std::size_t>(room, 1 << 20));
    threads.seam = seam_frames;
  }
  return film;
}

}  // namespace kiln
