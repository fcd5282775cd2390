// SPDX-License-Identifier: MIT
#include "cli/report/song_tables.h"

#include <fmt/format.h>

#include <cmath>

#include "cli/report/compare_report.h"
#include "engine/base/text.h"

namespace kiln::cli {
namespace {

/// A number with the digits that a picture may show a difference by.
std::string short_number(double value) {
  std::string text = fmt::format("{:.4f}", value);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

template <class Values>
std::string list_of(const Values& values, const char* between) {
  std::string text;
  for (const auto value : values)
    text += (text.empty() ? "" : between) + short_number(double(value));
  return text;
}

/// "1:02.34".
std::string clock_of(double seconds) {
  const auto hundredths = std::llround(100 * seconds);  // so that none of 60.00 seconds comes out
  return fmt::format("{}:{:05.2f}", hundredths / 6000, double(hundredths % 6000) / 100);
}

}  // namespace

std::string song_csv(const SongTracks& tracks) {
  std::string text = "frame,seconds";
  for (const auto& column : tracks.columns) text += "," + column.first;
  text += "\n";
  for (int frame = 0; frame < tracks.frames; ++frame) {
    text += fmt::format("{},{}", frame, short_number(frame / tracks.fps));
    for (const auto& column : tracks.columns)
      text += "," + short_number(double(column.second[std::size_t(frame)]));
    text += "\n";
  }
  return text;
}

std::string song_json(const std::string& song, const SongTracks& tracks, bool columns) {
  const auto array = [](const auto& values) { return "[" + list_of(values, ",") + "]"; };
  JsonObject json;
  json.add("song", song)
      .add("sha256", tracks.sha256)
      .add("seconds", tracks.seconds)
      .add("fps", tracks.fps)
      .add("frames", tracks.frames)
      .add("bpm", tracks.bpm)
      .add("least_bpm", tracks.least_bpm)
      .add("most_bpm", tracks.most_bpm)
      .add_json("beats", array(tracks.beats))
      .add_json("bars", array(tracks.bars))
      .add_json("onsets", array(tracks.onsets))
      .add_json("loudest", array(tracks.loudest));
  if (columns) {
    JsonObject all;
    for (const auto& [name, values] : tracks.columns) all.add_json(name, array(values));
    json.add_json("tracks", all.text());
  }
  return json.text();
}

std::string song_xml(const std::string& song, const SongTracks& tracks) {
  std::string text = fmt::format(
      "<kiln_song file=\"{}\" sha256=\"{}\" seconds=\"{}\" fps=\"{}\" frames=\"{}\" bpm=\"{}\">\n",
      html(as_utf8(song)), tracks.sha256, shortest(tracks.seconds), shortest(tracks.fps),
      tracks.frames, short_number(tracks.bpm));
  const auto element = [&](const char* name, const auto& values) {
    text += fmt::format("  <{0}>{1}</{0}>\n", name, list_of(values, " "));
  };
  element("onsets", tracks.onsets);
  element("beats", tracks.beats);
  element("bars", tracks.bars);
  element("loudest", tracks.loudest);
  for (const auto& [name, values] : tracks.columns)
    text += fmt::format("  <track name=\"{}\">{}</track>\n", name, list_of(values, " "));
  return text + "</kiln_song>\n";
}

std::string song_lines(const std::string& song, const SongTracks& tracks) {
  std::string text = fmt::format("{}: {}, {:.2f} s, {} frames at {} a second\n  sha256 {}\n",
                                 printable_whole(song), clock_of(tracks.seconds), tracks.seconds,
                                 tracks.frames, shortest(tracks.fps), tracks.sha256);
  if (tracks.bpm == 0) {
    text += fmt::format("  no beat is heard in it, {} onsets\n", tracks.onsets.size());
  } else {
    const bool varies = tracks.most_bpm > 1.04 * tracks.least_bpm;
    text += fmt::format(
        "  {:.2f} beats a minute{}: {} beats, the first at {:.2f} s, {} bars; {} onsets\n",
        tracks.bpm,
        varies ? fmt::format(" ({:.1f} to {:.1f})", tracks.least_bpm, tracks.most_bpm) : "",
        tracks.beats.size(), tracks.beats.front(), tracks.bars.size(), tracks.onsets.size());
  }
  std::string loud;
  for (const double seconds : tracks.loudest) loud += " " + clock_of(seconds);
  if (loud.empty()) return text + "  it is silent\n";
  return text + "  loudest at" + loud + "\n";
}

}  // namespace kiln::cli
