// SPDX-License-Identifier: MIT
#include "engine/io/picture/fitted_video.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/file/output_name.h"
#include "engine/io/picture/video_command.h"

namespace kiln {
namespace {

/// A step down from kiln's quality: what it is called, and what of the film changes.
struct QualityStep {
  std::string says;
  VideoFit fit;
};

/// The steps of a kind of film, from kiln's own quality to the least that still looks well at a distance: below it a
/// smaller picture looks better.
std::vector<QualityStep> steps_of(const VideoSettings& settings) {
  struct Ladder {
    std::string_view muxer;
    const char* option;
    int first, last, step;
  };
  constexpr Ladder ladders[] = {{"mp4", "-crf", 18, 30, 2},
                                {"matroska", "-crf", 20, 32, 2},
                                {"webm", "-crf", 26, 44, 3},
                                {"webp", "-quality", 80, 40, -10}};
  const VideoFormat& format = format_of(settings);
  std::vector<QualityStep> steps = {{"kiln's own quality", {}}};
  if (format.muxer == std::string_view("gif")) {
    for (const int colors : {256, 128, 64}) {
      QualityStep& step = steps.emplace_back();
      step.says = fmt::format("{} colors, coarse dither", colors);
      step.fit.colors = colors;
      step.fit.is_coarse = true;
    }
  }
  const std::vector<std::string> given = words_in(settings.options);
  for (const Ladder& ladder : ladders) {
    if (format.muxer != ladder.muxer || std::count(given.begin(), given.end(), ladder.option) > 0)
      continue;
    for (int value = ladder.first; ladder.step > 0 ? value <= ladder.last : value >= ladder.last;
         value += ladder.step) {
      QualityStep& step = steps.emplace_back();
      step.says = fmt::format("{} {}", ladder.option + 1, value);
      step.fit.options = fmt::format("{} {}", ladder.option, value);
    }
  }
  return steps;
}

/// An even number of pixels, which all codecs take.
int even_side(int side, double scale) {
  return std::max(2, int(std::lround(side * scale / 2)) * 2);
}

}  // namespace

FittedVideo::FittedVideo(const VideoSettings& settings) : settings_(settings) {
  if (settings.max_bytes == 0)
    plain_.emplace(settings);
  else
    spool_.emplace(settings.path);
}

void FittedVideo::write(const std::vector<std::uint16_t>& frame) {
  if (plain_)
    plain_->write(frame);
  else
    spool_->add(frame.data(), frame.size() * sizeof frame[0]);
}

void FittedVideo::set_light(double brightest, double brightest_frame) {
  brightest_ = brightest;
  brightest_frame_ = brightest_frame;
}

std::unique_ptr<VideoWriter> FittedVideo::attempt(std::size_t step, double scale) {
  VideoSettings settings = settings_;
  settings.fit = steps_of(settings_)[step].fit;
  if (scale < 1) {
    settings.fit.width = even_side(settings.width, scale);
    settings.fit.height = even_side(settings.height, scale);
  }
  auto film = std::make_unique<VideoWriter>(settings);
  std::vector<std::uint16_t> frame;
  for (std::size_t i = 0; i < spool_->count(); ++i) {
    const std::string bytes = spool_->read(i);
    frame.resize(bytes.size() / sizeof frame[0]);
    std::memcpy(frame.data(), bytes.data(), bytes.size());
    film->write(frame);
    if (waiting_) waiting_();
  }
  film->set_light(brightest_, brightest_frame_);
  bytes_ = film->end(waiting_);
  return bytes_ <= settings_.max_bytes ? std::move(film) : nullptr;
}

void FittedVideo::finish(const std::function<void()>& waiting) {
  if (plain_) {
    plain_->set_light(brightest_, brightest_frame_);
    plain_->finish(waiting);
    return;
  }
  waiting_ = waiting;
  constexpr int most_sizes = 8;
  constexpr double safe = 0.97, least = 1.0 / 16;
  const std::vector<QualityStep> steps = steps_of(settings_);
  std::size_t step = 0, low = 0, high = steps.size() - 1;
  double scale = 1;
  std::unique_ptr<VideoWriter> film = attempt(0, 1);
  std::uint64_t kept_bytes = bytes_;
  if (!film &&
      high > 0) {  // the best quality that fits: between one that does not and one that does
    film = attempt(step = high, 1);
    kept_bytes = bytes_;
    while (film && high - low > 1) {
      const std::size_t middle = (low + high) / 2;
      if (auto better = attempt(middle, 1)) {
        film = std::move(better);
        step = high = middle;
        kept_bytes = bytes_;
      } else {
        low = middle;
      }
    }
  }
  for (int i = 0; !film && i < most_sizes && scale > least; ++i) {
    scale *= std::min(0.95, safe * std::sqrt(double(settings_.max_bytes) / double(bytes_)));
    film = attempt(step, scale);
    kept_bytes = bytes_;
  }
  if (!film)
    fail(ErrorKind::output,
         "{}: does not fit into {}: {} frames of {} x {} pixels still take {}; give it more, or "
         "fewer frames",
         printable_whole(settings_.path), byte_size(settings_.max_bytes), spool_->count(),
         even_side(settings_.width, scale), even_side(settings_.height, scale), byte_size(bytes_));
  film->commit();
  said_ = fmt::format("{} of {}: {}", byte_size(kept_bytes), byte_size(settings_.max_bytes),
                      steps[step].says);
  if (scale < 1)
    said_ += fmt::format(", {} x {} of {} x {} pixels", even_side(settings_.width, scale),
                         even_side(settings_.height, scale), settings_.width, settings_.height);
}

}  // namespace kiln
