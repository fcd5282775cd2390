#include "cli/check_frames.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <numeric>

#include "engine/base/printable.h"
#include "engine/base/text.h"
#include "engine/model/pixel_hash.h"

namespace kiln::cli {
namespace {

void note(CheckedFrame& frame, const char* kind, const std::string& message) {
  if (!frame.problem) frame.problem = FrameProblem{kind, frame.path, frame.frame, message};
}

void read_record(CheckedFrame& frame) {
  const auto text = frame.texts.texts.find(record_key);
  if (text == frame.texts.texts.end())
    return note(frame, "unrecorded", "it has no record of kiln: its pixels cannot be checked");
  frame.record = parse_picture_record(text->second, frame.path, nullptr);
  if (!frame.record) return note(frame, "unrecorded", "its record cannot be read");
  frame.frame = frame.record->frame;
}

/// The last digits of a file's name as a number: all that is known of a file that cannot be read.
std::optional<int> number_in_name(const std::string& path) {
  const std::string stem = std::filesystem::path(path).stem();
  const std::size_t last = stem.find_last_of("0123456789");
  if (last == std::string::npos) return {};
  const std::size_t before = stem.find_last_not_of("0123456789", last);
  const std::size_t first = before == std::string::npos ? 0 : before + 1;
  int number = 0;
  const auto end = std::from_chars(stem.data() + first, stem.data() + last + 1, number);
  return end.ec == std::errc() ? std::optional(number) : std::nullopt;
}

/// What was wrong, without the name that begins every message of a reader.
std::string reason(const std::string& path, const std::string& message) {
  const std::string name = printable_whole(path) + ": ";
  return message.starts_with(name) ? message.substr(name.size()) : message;
}

using Numbered = std::map<int, const CheckedFrame*>;

void find_duplicates(const std::vector<CheckedFrame>& frames, Numbered& numbered,
                     std::vector<FrameProblem>& problems) {
  for (const CheckedFrame& frame : frames) {
    if (!frame.frame) continue;
    const auto [first, is_new] = numbered.emplace(*frame.frame, &frame);
    if (!is_new)
      problems.push_back(
          {"duplicate", frame.path, frame.frame,
           fmt::format("{} is the same frame", printable_whole(first->second->path))});
  }
}

void find_missing(const Numbered& numbered, std::vector<int> expected,
                  std::vector<FrameProblem>& problems) {
  if (expected.empty() && !numbered.empty()) {
    int step = 0, before = numbered.begin()->first;
    for (const auto& [number, frame] : numbered) step = std::gcd(step, number - before);
    for (long number = before; number <= numbered.rbegin()->first; number += std::max(step, 1))
      expected.push_back(int(number));
  }
  for (const int number : expected) {
    if (!numbered.contains(number))
      problems.push_back({"missing", "", number, "there is no such frame"});
  }
}

/// Frames that were made with something else than most.
void find_strangers(const std::vector<CheckedFrame>& frames, std::vector<FrameProblem>& problems) {
  std::map<std::string, int> counts;
  for (const CheckedFrame& frame : frames)
    if (!frame.made_with.empty()) ++counts[frame.made_with];
  if (counts.size() < 2) return;
  const auto most =
      std::max_element(counts.begin(), counts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  for (const CheckedFrame& frame : frames) {
    if (!frame.made_with.empty() && frame.made_with != most->first)
      problems.push_back({"settings", frame.path, frame.frame,
                          fmt::format("made with {}, most with {}", frame.made_with, most->first)});
  }
}

/// Among frames that are no problem otherwise.
void find_outliers(const Numbered& numbered, std::vector<FrameProblem>& problems) {
  std::vector<Thumbnail> thumbnails;
  std::vector<const CheckedFrame*> kept;
  for (const auto& [number, frame] : numbered) {
    if (frame->hash.empty() || frame->thumbnail.one_color) continue;
    thumbnails.push_back(frame->thumbnail);
    kept.push_back(frame);
  }
  for (const std::size_t place : outliers(thumbnails))
    problems.push_back({"outlier", kept[place]->path, kept[place]->frame,
                        "it is far from both of its neighbours"});
}

}  // namespace

CheckedFrame check_frame_file(const std::string& path, const ImageLimits& limits) {
  CheckedFrame frame;
  frame.path = path;
  try {
    frame.texts = read_picture_texts(path, limits.opens);
    read_record(frame);
    const Image image = read_picture(path, limits);
    frame.hash = pixel_hash(image);
    frame.thumbnail = thumbnail(image);
    if (!frame.texts.ends_there)
      note(frame, "truncated", "something follows the end of the picture");
    if (!frame.record) return frame;
    if (frame.texts.holds_pixels && frame.record->pixel_hash != frame.hash)
      note(frame, "changed", "its pixels are not those that its record names");
    frame.made_with = fmt::format("kiln {}, {} x {}, {}", printable(frame.record->version),
                                  image.width, image.height, in_words(*frame.record));
    if (frame.thumbnail.black)
      note(frame, "black", "every pixel is black");
    else if (frame.thumbnail.one_color)
      note(frame, "one-color", "every pixel has the same colour");
  } catch (const Error& error) {
    frame.hash.clear();
    frame.problem.reset();
    if (!frame.frame) frame.frame = number_in_name(path);
    note(frame, "truncated", reason(path, error.what()));
  }
  return frame;
}

void check_row(CheckedFrame& frame, const ManifestRow& row, const std::string& manifest) {
  frame.frame = row.frame.number;
  if (frame.problem) frame.problem->frame = frame.frame;
  if (frame.hash.empty()) return;  // truncated says more
  if (frame.problem && frame.problem->kind == "unrecorded") frame.problem.reset();
  const bool same = frame.texts.holds_pixels
                        ? frame.hash == row.pixel_hash
                        : file_hash(frame.path, InputFile::Opens::regular_files) == row.sha256;
  if (!same)
    note(frame, "changed",
         fmt::format("its pixels are not those that {} names", printable_whole(manifest)));
}

std::vector<FrameProblem> check_together(const std::vector<CheckedFrame>& frames,
                                         const std::vector<int>& expected) {
  std::vector<FrameProblem> problems;
  for (const CheckedFrame& frame : frames)
    if (frame.problem) problems.push_back(*frame.problem);
  Numbered numbered;
  find_duplicates(frames, numbered, problems);
  find_missing(numbered, expected, problems);
  find_strangers(frames, problems);
  find_outliers(numbered, problems);
  return problems;
}

}  // namespace kiln::cli
