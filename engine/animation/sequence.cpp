// SPDX-License-Identifier: MIT
// The flames of sequences: turns and transitions, frame for frame, and what flam3-genome makes of keys.
#include "engine/animation/sequence.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/animation/film.h"
#include "engine/animation/interpolate.h"
#include "engine/base/error.h"
#include "engine/base/resources.h"
#include "engine/base/text.h"

namespace kiln {
namespace {

constexpr double most_flames = 1 << 16;  // what a file of flames may hold; about 1 GB in memory

constexpr int largest_time = 1000000000;  // leaves room for the neighbors

void check_time(const char* name, int time) {
  if (time < -largest_time || time > largest_time)
    fail(ErrorKind::usage, "{} {}: must be within {} and {}", name, time, -largest_time,
         largest_time);
}

/// Bytes of memory that a flame takes, about.
double bytes_of(const Flame& flame) {
  double bytes = sizeof(Flame) + sizeof(Rgba) * double(flame.palette.size());
  for (const Xform& xform : flame.xforms) {
    bytes += sizeof(Xform) + static_cast<double>(xform.motions.size()) * sizeof(Motion) +
             8.0 * static_cast<double>(xform.variations.size() + xform.parameters.size()) *
                 (1.0 + static_cast<double>(xform.motions.size())) +
             8.0 * static_cast<double>(xform.chaos.size());
  }
  return bytes;
}

/// Throws Error (device) where so many flames cannot be held at once.
void check_memory(const std::vector<Flame>& keys, double flames) {
  double largest = 0;
  for (const Flame& key : keys) largest = std::max(largest, bytes_of(key));
  const double limit = 0.8 * static_cast<double>(available_memory_bytes());
  if (flames * largest <= limit) return;
  fail(ErrorKind::device,
       "{}: {} flames of up to {:.0f} kB need {:.0f} MB of memory and {:.0f} MB are available; "
       "choose fewer frames a turn (nframes) or turns (loops)",
       keys[0].source.empty() ? "keys" : keys[0].source, with_prefix(flames), largest / 1e3,
       flames * largest / 1e6, limit / 1e6);
}

/// The frames of a turn and of a transition.
double part_frames(const SequenceOptions& options) {
  return options.part_frames != 0 ? options.part_frames : options.nframes;
}

Easing easing_of(const SequenceOptions& options) {
  const std::optional<Easing> easing = easing_named(options.easing);
  if (easing && easing->kind != EasingKind::smooth) return *easing;
  fail(ErrorKind::usage, "easing {}: must be {}, or four numbers x1 y1 x2 y2, each x 0 to 1",
       printable(options.easing),
       joined({flame_easing_words.begin(), flame_easing_words.end()}, ", "));
}

/// The number of flames that a sequence may have, about. Throws Error for options out of range.
double checked_length(const std::vector<Flame>& keys, const SequenceOptions& options,
                      std::size_t rounds = 1) {
  if (keys.empty()) fail(ErrorKind::input, "no key flames: the file has no <flame>");
  if (options.nframes < 1)
    fail(ErrorKind::usage, "nframes {}: a turn needs at least 1 frame", options.nframes);
  if (options.loops < 0)
    fail(ErrorKind::usage, "loops {}: a flame turns 0 times or more", options.loops);
  if (!(options.stagger >= 0 && options.stagger <= 1))
    fail(ErrorKind::usage, "stagger {}: must be from 0 to 1", shortest(options.stagger));
  if (!(options.hold >= 0))
    fail(ErrorKind::usage, "hold {}: frames that a flame stands still, 0 or more",
         shortest(options.hold));
  if (options.part_frames != 0 && !(options.part_frames >= 1))
    fail(ErrorKind::usage,
         "{} frames from beat to beat: a turn needs at least 1 frame; take more "
         "beats, or more frames a second",
         shortest(options.part_frames));
  if (!options.easing.empty()) easing_of(options);
  const double flames = double(keys.size()) * double(rounds) *
                        ((options.loops + 1.0) * part_frames(options) + options.hold);
  if (!(flames <= most_flames)) {
    fail(ErrorKind::usage,
         "nframes {} and loops {} of {} flames make {} frames; at most {} are possible in one "
         "sequence",
         shortest(part_frames(options)), options.loops, keys.size() * rounds, with_prefix(flames),
         with_prefix(most_flames));
  }
  return flames;
}

/// The flame as one of a sequence, which has no film of its own.
Flame numbered(Flame flame, int number) {
  follow_links(flame);
  flame.links.clear();
  flame.time = number;
  flame.name.clear();
  flame.edits.clear();
  flame.interpolation = Interpolation::linear;
  flame.easing = {};
  flame.leave_film();
  return flame;
}

std::vector<Flame> flames_of_all(const Sequence& sequence) {
  std::vector<Flame> flames;
  for (int number = 0; number <= sequence.end(); ++number) flames.push_back(sequence.at(number));
  return flames;
}

}  // namespace

Sequence::Sequence(std::vector<Flame> keys, const SequenceOptions& options, Ending ending,
                   std::size_t rounds)
    : keys_(std::move(keys)), options_(options), ending_(ending) {
  checked_length(keys_, options_, rounds);
  const std::size_t count = keys_.size() * rounds;
  if (ending == Ending::loop && count == 1 && options.loops == 0)
    fail(ErrorKind::usage, "loops 0: one flame alone has no transitions; it needs 1 loop or more");
  for (std::size_t i = 0; i < count; ++i) {
    for (int turn = 0; turn < options.loops; ++turn) add(Way::turn, i, part_frames(options));
    add(Way::stand, i, options.hold);
    if (i + 1 < count || (ending == Ending::loop && count > 1))
      add(Way::transition, i, part_frames(options));
  }
  // a cut does not show the last flame: it is there for as long as a way to another would take
  const bool cuts = !options.easing.empty() && easing_of(options).kind == EasingKind::hold;
  if (ending == Ending::last && count > 1 && cuts) add(Way::turn, count - 1, part_frames(options));
}

void Sequence::add(Way way, std::size_t key, double length) {
  ends_ += length;  // which may not be whole: beats stay where they are
  const int end = int(std::floor(ends_ + 0.5));
  if (end == this->end()) return;
  parts_.push_back({way, key % keys_.size(), this->end(), end});
}

Flame Sequence::at(int number) const {
  const int count = end();
  if (ending_ == Ending::last && number == count) return numbered(loop_at(keys_.back(), 0), number);
  const int here = ending_ == Ending::loop ? ((number % count) + count) % count : number;
  const auto part = std::upper_bound(parts_.begin(), parts_.end(), here,
                                     [](int n, const Part& one) { return n < one.end; });
  KILN_CHECK(here >= 0 && part != parts_.end(), "flame {} of {}", number, count);
  const double phase = double(here - part->begin) / (part->end - part->begin);
  const Flame& key = keys_[part->key];
  if (part->way != Way::transition)
    return numbered(loop_at(key, part->way == Way::stand ? 0 : phase), number);
  // not aligned: nothing of the next flame shows yet
  if (phase == 0) return numbered(apply_motion(key, 0), number);
  return numbered(transition_at(key, keys_[(part->key + 1) % keys_.size()], phase, options_),
                  number);
}

Flame loop_at(const Flame& flame, double phase) {
  AlignedFlame turned{apply_motion(flame, phase), {}, false, {}};
  rotate(turned, 360 * phase, flame.interpolation_type);
  // flam3 forgets the palette's rule here; the palettes around are the same but for transitions.
  turned.flame.palette_interpolation = PaletteInterpolation::hsv_circular;
  turned.flame.hsv_rgb_palette_blend = 0;
  turned.flame.interpolation = Interpolation::linear;
  return std::move(turned.flame);
}

Flame transition_at(const Flame& from, const Flame& to, double phase,
                    const SequenceOptions& options) {
  std::vector<AlignedFlame> ends = align({apply_motion(from, phase), apply_motion(to, phase)});
  set_references(ends[0], ends[1]);
  for (AlignedFlame& end : ends) rotate(end, 360 * phase, from.interpolation_type);
  // flam3's goes on before the first and after the last
  const double share = options.easing.empty() ? (options.smooth ? smoother(phase) : phase)
                                              : eased(easing_of(options), phase);
  const double share_of_from = 1 - share;
  return FlameBlend(std::move(ends)).at({share_of_from, 1 - share_of_from}, share, options.stagger);
}

std::vector<Flame> make_sequence(const std::vector<Flame>& keys, const SequenceOptions& options) {
  check_memory(keys, checked_length(keys, options));
  return flames_of_all(Sequence(keys, options, Sequence::Ending::last));
}

std::vector<Flame> loop_flames(const std::vector<Flame>& keys, const SequenceOptions& options) {
  check_memory(keys, checked_length(keys, options));
  return flames_of_all(Sequence(keys, options, Sequence::Ending::loop));
}

std::uint64_t bytes_of(const std::vector<Flame>& flames) {
  double bytes = 0;
  for (const Flame& flame : flames) bytes += bytes_of(flame);
  return std::uint64_t(bytes);
}

std::vector<Flame> in_betweens(const std::vector<Flame>& keys, int begin, int end, double stagger) {
  check_keys(keys);
  check_time("begin", begin);
  check_time("end", end);
  const auto key_at = [&](int time) -> const Flame* {
    for (const Flame& key : keys)
      if (key.time == time) return &key;
    return nullptr;
  };
  if (double(end) - begin > most_flames)
    fail(ErrorKind::usage, "times {} to {}: more than {} flames", begin, end,
         with_prefix(most_flames));
  Interpolator between(keys, stagger);
  const FilmTracks tracks(keys);
  std::vector<Flame> flames;
  for (int time = begin; time <= end; ++time) {
    const Flame* key = key_at(time);
    Flame flame = key ? *key : between.at(time);
    for (Xform& xform : flame.xforms) xform.motions.clear();
    if (flame.final_xform) flame.final_xform->motions.clear();
    for (Xform& xform : flame.more_finals) xform.motions.clear();
    if (key == nullptr && key_at(time + 1) == nullptr)
      flame.interpolation_type = InterpolationType::linear;
    tracks.put(time, flame);
    flame.easing = {};
    flame.leave_film();
    flame.links.clear();
    flame.time = time;
    flames.push_back(std::move(flame));
  }
  return flames;
}

std::array<Flame, 3> frame_with_neighbors(const std::vector<Flame>& keys, int frame,
                                          const SequenceOptions& options) {
  checked_length(keys, options);
  check_time("frame", frame);
  if (keys.size() > 2)
    fail(ErrorKind::usage,
         "{}: a frame of a turn needs one key flame, of a transition two; there are {}",
         keys[0].source.empty() ? "keys" : keys[0].source, keys.size());
  std::array<Flame, 3> flames;
  for (int step = -1; step <= 1; ++step) {
    const double phase = double(frame) / options.nframes + double(step) / options.nframes;
    Flame flame = keys.size() == 1 ? loop_at(keys[0], phase)
                                   : transition_at(keys[0], keys[1], phase, options);
    follow_links(flame);
    flame.links.clear();
    flame.time = frame + step;
    flame.name.clear();
    flame.edits.clear();
    flame.interpolation = Interpolation::linear;
    flame.easing = {};
    flame.leave_film();
    flames[std::size_t(step + 1)] = std::move(flame);
  }
  return flames;
}

void check_between(const std::vector<Flame>& keys) {
  check_keys(keys);
  FilmTracks{keys};
}

}  // namespace kiln
