// SPDX-License-Identifier: MIT
#include "cli/making/check_frames.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>
#include <random>

#include "cli/making/frame_maker.h"
#include "cli/options/animate_options.h"
#include "cli/options/output_files.h"
#include "engine/animation/frame_at.h"
#include "engine/animation/frame_manifest.h"
#include "engine/api/api_impl.h"
#include "engine/base/text.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/picture/jpeg.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/webp.h"
#include "engine/model/image.h"
#include "engine/pipeline/frames.h"
#include "engine/render/renderer.h"

namespace kiln::cli {
namespace {

void note(CheckedFrame& frame, const char* kind, const std::string& message) {
  if (!frame.problem) frame.problem = FrameProblem{kind, frame.path, frame.frame, message};
}

void read_record(CheckedFrame& frame) {
  if (!frame.format->has_texts) return;
  const auto text = frame.texts.texts.find(record_key);
  if (text == frame.texts.texts.end())
    return note(frame, "unrecorded", "it has no record of kiln: its pixels cannot be checked");
  frame.record = parse_picture_record(text->second, frame.path, nullptr);
  if (!frame.record) return note(frame, "unrecorded", "its record cannot be read");
  frame.frame = frame.record->frame;
}

/// The reason in a reader's message, without the name that begins it.
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

/// The text that most frames have; empty where all have the same.
std::string usual(const std::vector<CheckedFrame>& frames, std::string CheckedFrame::*of) {
  std::map<std::string, int> counts;
  for (const CheckedFrame& frame : frames)
    if (!(frame.*of).empty()) ++counts[frame.*of];
  if (counts.size() < 2) return {};
  return std::max_element(counts.begin(), counts.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

/// Frames that were made with something else than most, or of another film: its flames, or what the command
/// line made of them, are others.
void find_strangers(const std::vector<CheckedFrame>& frames, std::vector<FrameProblem>& problems) {
  const std::string made_with = usual(frames, &CheckedFrame::made_with),
                    film = usual(frames, &CheckedFrame::film);
  const auto differs = [](const std::string& own, const std::string& most) {
    return !own.empty() && !most.empty() && own != most;
  };
  for (const CheckedFrame& frame : frames) {
    std::string message;
    if (differs(frame.made_with, made_with))
      message = fmt::format("made with {}, most with {}", frame.made_with, made_with);
    else if (differs(frame.film, film))
      message = "made of other flames or settings than most: another film";
    if (!message.empty()) problems.push_back({"settings", frame.path, frame.frame, message});
  }
}

/// Finds outliers among frames that are no problem otherwise.
void find_outliers(const Numbered& numbered, std::vector<FrameProblem>& problems) {
  std::vector<Thumbnail> thumbnails;
  std::vector<const CheckedFrame*> kept;
  for (const auto& [number, frame] : numbered) {
    if (frame->hash.empty() || frame->thumbnail.one_color) continue;
    thumbnails.push_back(frame->thumbnail);
    kept.push_back(frame);
  }
  for (const std::size_t place : outliers(thumbnails))
    problems.push_back(
        {"outlier", kept[place]->path, kept[place]->frame, "it is far from both of its neighbors"});
}

/// Whether the picture, saved as the file was and with its texts, is the file that is there.
bool has_same_bytes(const CheckedFrame& frame, Picture& picture) {
  Saving saving{.exr = frame.texts.exr,
                .jpeg_quality = jpeg_quality_of(frame.path),
                .webp_quality = webp_quality_of(frame.path)};
  if (saving.exr.hdr_peak > 0)
    develop_hdr(read_flames(frame.path, {}).flames.at(0),
                frame.record ? frame.record->options.crop : std::nullopt, picture.image, saving);
  if (!can_hold(*frame.format, picture.image)) return false;
  const std::string bytes = frame.format->bytes(
      picture.image, picture_texts(picture.genome, picture.record, credits_in(frame.texts.texts)),
      saving);
  return bytes_hash(bytes) == file_hash(frame.path);
}

/// The verdict on a frame rendered again. Only its bytes tell of a JPEG and of an OpenEXR file with halves.
RenderedAgain judged(const CheckedFrame& frame, Image image) {
  const auto text = [&](std::string_view key) {
    const auto found = frame.texts.texts.find(key);
    return found == frame.texts.texts.end() ? std::string() : found->second;
  };
  const std::string hash = pixel_hash(image);
  Picture picture{std::move(image), {}, hash, text(genome_key), text(record_key)};
  RenderedAgain again{frame.path, frame.frame, false, false, {}};
  again.same_bytes = has_same_bytes(frame, picture);
  again.same_pixels = frame.texts.holds_pixels ? hash == frame.hash : again.same_bytes;
  return again;
}

RenderedAgain unjudged(const CheckedFrame& frame, const std::string& why) {
  return {frame.path, frame.frame, false, false, why};
}

RenderOptions on(const RenderOptions& machine, RenderOptions options) {
  options.backend = machine.backend;
  options.threads = machine.threads;
  return options;
}

RenderedAgain render_itself(const CheckedFrame& frame, const RenderOptions& machine) {
  if (frame.record->options.psf)
    return unjudged(frame, "it was made with a --psf of which it has only the hash");
  ReaderOptions reading;
  reading.approximate = !frame.record->approximate.empty();
  Frame still;
  still.flame = read_flames(frame.path, reading).flames.at(0);
  still.flame.pixel_aspect = frame.record->pixel_aspect;
  still.number = static_cast<std::uint32_t>(frame.frame.value_or(0));
  RenderOptions options = on(machine, repeated(*frame.record, {}));
  options.linear = frame.record->is_linear();
  const RenderedAgain again = judged(frame, Renderer(options).render(still));
  const bool blurred = frame.frame && still.flame.temporal_samples > 1,
             cleaned = frame.frame && still.flame.clean > 0;
  if (!again.same_pixels && (blurred || cleaned))
    return unjudged(frame, fmt::format("{} not in the picture; give the --manifest that kiln "
                                       "animate wrote",
                                       blurred ? "its motion blur is"
                                               : "the frames that it is cleaned with are"));
  return again;
}

/// The animation that a command line of kiln animate makes; nothing of it is written.
struct Remake {
  AnimateArguments args;
  KeyFrames animation;
  std::optional<FrameDigests> digests;
  bool has_video = false;
};

std::unique_ptr<Remake> read_command(std::vector<std::string> words, const RenderOptions& machine) {
  auto made = std::make_unique<Remake>();
  Program program("", "");
  Command& command = program.command("animate", "");
  add_animate_options(command, made->args);
  words.insert(words.begin(), "animate");
  if (!program.read(words))
    fail(ErrorKind::input, "the manifest's command line asks for help and makes no frames");
  made->has_video = !made->args.video.path.empty();
  made->args.video.path.clear();
  made->args.resume = false;
  complete_arguments(made->args);
  Console console(ProgressMode::none, true);
  made->animation = make_animation(made->args, console);
  made->digests.emplace(made->animation, made->args.options);
  made->args.options = on(machine, made->args.options);
  return made;
}

}  // namespace

std::optional<int> number_in_name(const std::string& path) {
  const std::string stem = std::filesystem::path(path).stem().string();
  const std::size_t last = stem.find_last_of("0123456789");
  if (last == std::string::npos) return {};
  const std::size_t before = stem.find_last_not_of("0123456789", last);
  const std::size_t first = before == std::string::npos ? 0 : before + 1;
  int number = 0;
  const auto end = std::from_chars(stem.data() + first, stem.data() + last + 1, number);
  return end.ec == std::errc() ? std::optional(number) : std::nullopt;
}

std::optional<PictureRecord> record_in(const std::string& path) {
  try {
    const PictureFileTexts file = read_picture_texts(path, InputFile::Opens::regular_files);
    const auto text = file.texts.find(record_key);
    if (text != file.texts.end()) return parse_picture_record(text->second, path, nullptr);
  } catch (const Error&) {  // whoever reads the picture says what is wrong
  }
  return {};
}

std::optional<int> recorded_number(const std::string& path) {
  const std::optional<PictureRecord> record = record_in(path);
  return record ? record->frame : std::nullopt;
}

CheckedFrame check_frame_file(const std::string& path, const ImageLimits& limits) {
  CheckedFrame frame;
  frame.path = path;
  try {
    frame.format = format_of_file(path, limits.opens);
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
    frame.film = frame.record->film_digest;
    if (frame.thumbnail.black)
      note(frame, "black", "every pixel is black");
    else if (frame.thumbnail.one_color)
      note(frame, "one-color", "every pixel has the same color");
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

std::vector<std::size_t> random_places(std::size_t all, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::size_t> places(all);
  for (std::size_t i = 0; i < all; ++i) places[i] = i;
  count = std::min(count, all);
  for (std::size_t i = 0; i < count; ++i)  // % is uneven by less than 1e-10 for any animation
    std::swap(places[i], places[i + random() % (all - i)]);
  places.resize(count);
  std::sort(places.begin(), places.end());
  return places;
}

std::vector<RenderedAgain> render_from_pictures(const std::vector<const CheckedFrame*>& frames,
                                                const RenderOptions& machine) {
  std::vector<RenderedAgain> all;
  for (const CheckedFrame* frame : frames) {
    try {
      all.push_back(render_itself(*frame, machine));
    } catch (const Error& error) {
      if (error.kind != ErrorKind::input && error.kind != ErrorKind::unsupported) throw;
      all.push_back(unjudged(*frame, error.what()));
    }
  }
  return all;
}

std::vector<RenderedAgain> render_from_words(const std::vector<const CheckedFrame*>& frames,
                                             const std::vector<std::string>& words,
                                             const RenderOptions& machine) {
  const std::unique_ptr<Remake> made = read_command(words, machine);
  std::map<int, FrameTime> times;
  for (const FrameTime& frame : made->animation.frames) times[frame.number] = frame;
  RenderOptions options = made->args.options;
  if (made->has_video) options.bits = 16;
  options.linear = !frames.empty() && frames.front()->format->linear;
  const auto time_of = [&](const CheckedFrame& frame) -> const FrameTime* {
    const auto time = times.find(frame.frame.value_or(-1));
    const bool is_made =
        time != times.end() && made->digests->of(time->second) == frame.record->frame_digest;
    return is_made ? &time->second : nullptr;
  };
  std::vector<RenderedAgain> all;
  FrameWork work;
  work.count = int(frames.size());
  work.film = &made->animation;
  work.frame = [&](int i) {
    const FrameTime* time = time_of(*frames[std::size_t(i)]);
    return time ? std::optional(*time) : std::nullopt;
  };
  work.encode = [&](int i, RenderedFrame of_words) -> Report {
    const CheckedFrame& frame = *frames[std::size_t(i)];
    if (!time_of(frame))
      return [&all, &frame] {
        all.push_back(unjudged(frame,
                               "the manifest's command does not make this frame: another "
                               "version of kiln, or other key flames"));
      };
    Image& image = of_words.image;
    if (image.bits() == 16 && made->args.options.bits == 8) image = with_8_bits(image);
    return [&all, again = judged(frame, std::move(image))] { all.push_back(again); };
  };
  if (const auto trouble = make_frames(work, options)) std::rethrow_exception(trouble->reason);
  return all;
}

}  // namespace kiln::cli
