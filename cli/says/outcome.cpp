// SPDX-License-Identifier: MIT
#include "cli/says/outcome.h"

#include <algorithm>

#include "cli/says/console.h"
#include "engine/base/resources.h"
#include "engine/io/picture/picture_record.h"

namespace kiln::cli {
namespace {

std::string picture_json(const PictureReport& picture) {
  const RenderStatistics& statistics = picture.statistics;
  JsonObject json;
  if (picture.time) json.add("frame", picture.index).add("time", *picture.time);
  json.add("file", picture.path)
      .add("input", picture.input)
      .add("name", picture.name)
      .add("index", picture.index)
      .add("width", picture.width)
      .add("height", picture.height)
      .add("bits", picture.bits)
      .add("seed", picture.seed)
      .add("samples", statistics.samples)
      .add("bad_values", statistics.bad_values)
      .add("iterate_s", statistics.iterate_s)
      .add("output_s", statistics.output_s)
      .add("packed_s", statistics.packed_s)
      .add("encode_s", picture.encode_s)
      .add("seconds", picture.seconds)
      .add("samples_per_s",
           statistics.iterate_s > 0
               ? static_cast<double>(statistics.samples - statistics.earlier_samples) /
                     statistics.iterate_s
               : 0.0)
      .add("peak_memory_bytes", statistics.peak_memory_bytes)
      .add("device", statistics.device)
      .add("light_lost", statistics.light_lost)
      .add("pixel_hash", picture.hash);
  if (!statistics.stages.histogram.empty()) json.add_json("stages", stages_json(statistics.stages));
  if (statistics.gather_s > 0) json.add("gather_s", statistics.gather_s);
  if (statistics.noise >= 0)
    json.add("noise_percent", 100 * statistics.noise)
        .add("noise_error_percent", 100 * statistics.noise_error)
        .add("noise_counts", picture.noise_counts);
  if (!statistics.ended_by.empty()) json.add("ended_by", statistics.ended_by);
  if (!picture.time) json.add("quality", statistics.quality);
  if (statistics.earlier_samples > 0) json.add("earlier_samples", statistics.earlier_samples);
  return json.text();
}

/// ", A, B" or nothing.
std::string listed(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += ", " + name;
  return text;
}

std::string joined(const std::set<std::string>& names) {
  return names.empty() ? "" : listed(names).substr(2);
}

}  // namespace

void Outcome::note_failure(const std::string& item, ErrorKind kind, const std::string& message,
                           Console& console, bool is_known) {
  console.error(kind, message, is_known);
  failures.push_back({item, kind, message});
}

void Outcome::note(const PictureReport& picture, bool as_json) {
  if (as_json) pictures.add_json(picture_json(picture));
  ++done;
  samples += picture.statistics.samples - picture.statistics.earlier_samples;
  bad_values += picture.statistics.bad_values;
  peak_memory_bytes = std::max(peak_memory_bytes, picture.statistics.peak_memory_bytes);
  if (picture.statistics.noise > noise) {
    noise = picture.statistics.noise;
    noise_error = picture.statistics.noise_error;
    noise_counts = picture.noise_counts;
  }
  light_lost = std::max(light_lost, picture.statistics.light_lost);
  devices.insert(picture.statistics.device);
}

void Outcome::foretell(const std::string& path, const Flame& flame, const Forecast& forecast,
                       bool as_json) {
  ++done;
  if (as_json) {
    pictures.add_json(JsonObject()
                          .add("file", path)
                          .add("name", flame.name)
                          .add("width", flame.width)
                          .add("height", flame.height)
                          .add("samples", forecast.samples)
                          .add("memory_bytes", forecast.memory.usual())
                          .add("memory_most_bytes", forecast.memory.most())
                          .add("stripes", forecast.stripes)
                          .add("seconds", forecast.seconds)
                          .add("ends_by", forecast.ends_by)
                          .text());
  } else {
    print("{}: {} x {} pixels, {}\n", printable_whole(path), flame.width, flame.height,
          forecast_text(forecast));
    std::fflush(stdout);
  }
}

int Outcome::exit_code() const {
  if (stopped) return exit_stopped;
  if (failures.empty()) return exit_done;
  return done > 0 && failures.size() > unsaved ? int{exit_some_failed}
                                               : static_cast<int>(failures.front().kind);
}

void Outcome::say_summary(double seconds, const char* unit, Console& console) const {
  const std::uint64_t memory = std::max(peak_memory_bytes, kiln::peak_memory_bytes());
  const double recorded = static_cast<double>(samples);
  const double attempts = recorded + static_cast<double>(bad_values);
  const double bad_percent = attempts > 0 ? 100 * static_cast<double>(bad_values) / attempts : 0;
  const double rate = seconds > 0 ? recorded / seconds : 0;
  const std::string lacking = failures.empty() ? "" : fmt::format("{} failed, ", failures.size());
  const std::string earlier = kept > 0 ? fmt::format("{} kept, ", kept) : "";
  const std::string lost =
      light_lost > 0 ? fmt::format("{:.2g} % of the light left the frame, ", 100 * light_lost) : "";
  const std::string noisy =
      noise >= 0 ? fmt::format("noise {}{:.3g} % within {:.1g}{}, ", done > 1 ? "at most " : "",
                               100 * noise, 100 * noise_error,
                               noise_counts == "grain" ? " (grain alone)" : "")
                 : "";
  console.summary(fmt::format("{} {}{}, {}{}{} samples in {:.2f} s ({} samples/s), {} bad values "
                              "({:.2f} %), {}{}peak memory {}{}",
                              done, unit, done == 1 ? "" : "s", lacking, earlier,
                              with_prefix(recorded), seconds, with_prefix(rate), bad_values,
                              bad_percent, noisy, lost, byte_size(memory), listed(devices)),
                  summary_json(seconds, rate, memory));
}

std::string Outcome::summary_json(double seconds, double rate, std::uint64_t memory) const {
  JsonObject json;
  json.add("event", "summary")
      .add("pictures", done)
      .add("kept", kept)
      .add("failed", static_cast<int>(failures.size()))
      .add("samples", samples)
      .add("seconds", seconds)
      .add("samples_per_s", rate)
      .add("bad_values", bad_values);
  if (noise >= 0)
    json.add("noise_percent", 100 * noise)
        .add("noise_error_percent", 100 * noise_error)
        .add("noise_counts", noise_counts);
  return json.add("peak_memory_bytes", memory).add("device", joined(devices)).text();
}

std::string Outcome::result_json() const {
  JsonArray failed;
  for (const Failure& failure : failures) {
    failed.add_json(JsonObject()
                        .add("item", failure.item)
                        .add("code", static_cast<int>(failure.kind))
                        .add("message", failure.message)
                        .text());
  }
  JsonObject json;
  json.add_json("pictures", pictures.text()).add_json("failed", failed.text());
  if (kept > 0) json.add("kept", kept);
  if (!video.empty()) json.add("video", video);
  return json.add("exit_code", exit_code()).text();
}

}  // namespace kiln::cli
