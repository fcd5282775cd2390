#include "cli/check_render.h"

#include <algorithm>
#include <map>
#include <memory>
#include <random>

#include "cli/animation.h"
#include "cli/frame_maker.h"
#include "cli/output_files.h"
#include "engine/animation/frame_at.h"
#include "engine/animation/frame_record.h"
#include "engine/base/sha256.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/picture/picture_format.h"
#include "engine/api/kiln.h"
#include "engine/model/pixel_hash.h"
#include "engine/pipeline/frames.h"
#include "engine/render/renderer.h"

namespace kiln::cli {
namespace {

/// SHA-256 of the file that the picture would be, with the texts of the one that is there.
std::string file_hash_of(const CheckedFrame& frame, const Picture& picture) {
  const std::string bytes = encode(
      picture, frame.texts.holds_pixels ? ExrPrecision::single_float : ExrPrecision::half_float);
  Sha256 sha;
  sha.add(bytes.data(), bytes.size());
  return sha.hex();
}

/// Of an OpenEXR file with halves only the bytes tell.
RenderedAgain judged(const CheckedFrame& frame, Image image) {
  const auto text = [&](std::string_view key) {
    const auto found = frame.texts.texts.find(key);
    return found == frame.texts.texts.end() ? std::string() : found->second;
  };
  const std::string hash = pixel_hash(image);
  const Picture picture{std::move(image), {}, hash, text(genome_key), text(record_key)};
  RenderedAgain again{frame.path, frame.frame, false, false, {}};
  again.same_bytes = file_hash_of(frame, picture) == file_hash(frame.path);
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
  const bool blurred = frame.frame && still.flame.temporal_samples > 1;
  if (!again.same_pixels && blurred)
    return unjudged(frame,
                    "its motion blur is not in the picture; give the --manifest that kiln "
                    "animate wrote");
  return again;
}

/// The animation that a command line of kiln animate makes; nothing of it is written.
struct Remake {
  AnimateArguments args;
  KeyFrames animation;
  std::string digest;
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
  Talk talk(ProgressMode::none, true);
  made->animation = make_animation(made->args, talk);
  made->digest = animation_digest(made->animation.keys, made->args.options);
  made->args.options = on(machine, made->args.options);
  return made;
}

}  // namespace

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
  options.linear = !frames.empty() && format_named(frames.front()->path).linear;
  const auto time_of = [&](const CheckedFrame& frame) -> const FrameTime* {
    const auto time = times.find(frame.frame.value_or(-1));
    const bool is_made = time != times.end() &&
                         frame_digest(made->digest, time->second) == frame.record->frame_digest;
    return is_made ? &time->second : nullptr;
  };
  std::vector<RenderedAgain> all;
  FrameWork work;
  work.count = int(frames.size());
  work.frame = [&](int i) {
    const FrameTime* time = time_of(*frames[std::size_t(i)]);
    return time ? std::optional(frame_at(made->animation.keys, *time)) : std::nullopt;
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
  if (const auto trouble = make_frames(work, options, made->animation.keys.front()))
    std::rethrow_exception(trouble->reason);
  return all;
}

}  // namespace kiln::cli
