// SPDX-License-Identifier: MIT
#include "cli/options/animate_options.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cli/options/device_list.h"
#include "cli/options/flame_selection.h"
#include "cli/options/option_value.h"
#include "cli/options/output_files.h"
#include "engine/animation/film.h"
#include "engine/api/api_impl.h"
#include "engine/base/text.h"
#include "engine/io/file/output_name.h"
#include "engine/io/picture/picture_format.h"
#include "engine/pipeline/forecast.h"
#include "engine/sound/song.h"

namespace kiln::cli {
namespace {

/// HDR is of linear light, which pictures of 8 and 16 bits are not.
void check_hdr(const AnimateArguments& args) {
  const bool hdr = args.video.hdr_peak > 0;
  if (!args.video_words.poster.empty()) check_poster(args.video_words.poster, hdr);
  if (!hdr) return;
  if (args.options.transparent || args.options.earlyclip || args.resume)
    fail(ErrorKind::usage,
         "--hdr pq: is of linear light over a background; leave --transparent, --earlyclip and "
         "--resume out");
  if (!args.output.empty() && !is_folder(args.output) && !format_named(args.output).linear)
    fail(ErrorKind::usage,
         "-o {}: frames beside a video of --hdr pq are linear light; name them {}, or leave -o out",
         printable_whole(args.output), format_for(true).ending);
}

/// Completes the names of streams: a film of bare pictures is frames. Throws Error (usage).
void complete_streams(AnimateArguments& args) {
  if (is_standard_output(args.output) && stream_kind(args.output).empty())
    args.output.assign(1, '-');
  complete_film_stream(args.video.path);
  const std::string ending = ending_of(args.video.path);
  if (is_standard_output(args.video.path) && args.output.empty() && format_with_ending(ending) &&
      !video_format_with(ending))
    args.output = std::exchange(args.video.path, {});
  if (args.json && (is_standard_output(args.output) || is_standard_output(args.video.path)))
    fail(ErrorKind::usage, "-o -, --video - and --json all want standard output; choose one");
}

void check_order(const AnimateArguments& args) {
  if (args.ping_pong && !args.manifest.empty())
    fail(ErrorKind::usage,
         "--manifest lists a frame once, and --ping-pong has it twice; leave one of them out (kiln "
         "video --ping-pong makes the film of the frames)");
  if (args.video.path.empty() && args.video.max_bytes > 0)
    fail(ErrorKind::usage, "--max-bytes is of a video; add --video FILE");
}

/// A strip is a draft and a picture without a record.
void check_strip(const AnimateArguments& args) {
  if (args.strip.empty()) return;
  if (is_standard_output(args.strip))
    fail(ErrorKind::usage, "--strip -: a strip is a file; name it strip{}",
         format_for(false).ending);
  if (format_named(args.strip).linear)
    fail(ErrorKind::usage, "--strip {}: a strip is no linear light; name it {}",
         printable_whole(args.strip), format_for(false).ending);
  if (args.options.crop || args.until_noise_percent)
    fail(ErrorKind::usage, "--strip: is of whole drafts; leave --crop and --until-noise out");
}

void check_arguments(AnimateArguments& args) {
  check_strip(args);
  complete_streams(args);
  check_order(args);
  if (!args.sequence && args.loop)
    fail(ErrorKind::usage, "--loop makes a sequence of key flames; add --sequence");
  if (!args.sequence && args.steady)
    fail(ErrorKind::usage, "--steady is of the transitions of --sequence; add it");
  const bool spins_by_beats = args.spin.ends_with('b') && !args.sequence_words.shapes();
  if (!args.sequence && args.sequence_words.given() && !spins_by_beats)
    fail(ErrorKind::usage,
         "--easing, --hold, --bpm and --beats are of --sequence; add it, or give key flames a "
         "kiln_easing");
  check_format(args, args.output, {});
  if (args.video.path.empty() && !args.video.audio.empty())
    fail(ErrorKind::usage, "--audio is the sound of a video; add --video FILE");
  if (args.video.path.empty() && args.video_words.given())
    fail(ErrorKind::usage, "--hdr and --poster are of a video; add --video FILE");
  if (args.fit_audio && (args.video.audio.empty() || args.end || args.dtime != 1))
    fail(ErrorKind::usage,
         "--fit-audio makes as many frames as --audio lasts: give that, and neither --end nor "
         "--dtime");
  if (!args.manifest.empty() &&
      (is_standard_output(args.output) || (args.output.empty() && !args.video.path.empty())))
    fail(ErrorKind::usage, "--manifest lists files: give the frames names with -o");
  if (args.video.path.empty()) return;
  if (args.resume && (args.output.empty() || args.options.bits != 16)) {
    fail(ErrorKind::usage,
         "--resume with --video reads the frames that are there: give their names with -o, and "
         "--bits 16, which is what the video needs");
  }
  if (is_standard_output(args.output))
    fail(ErrorKind::usage, "-o - and --video: give the frames names, or none");
  VideoSettings video = args.video;
  video.transparent = args.options.transparent;
  check_hdr(args);
  check_video(video);
}

/// The tempo of --bpm auto.
double tempo_of_sound(const AnimateArguments& args) {
  if (args.video.audio.empty())
    fail(ErrorKind::usage, "--bpm auto: is the tempo of the film's sound; add --audio FILE");
  const double bpm = hear(args.video.audio)->rhythm().bpm;
  if (bpm == 0)
    fail(ErrorKind::input, "--audio {}: no beat is heard in it; say how fast it is: --bpm 120",
         printable_whole(args.video.audio));
  return bpm;
}

/// Under mpirun and srun each rank makes a part of the frames.
void share_frames(AnimateArguments& args) {
  args.ranks = Ranks::join();
  if (!args.ranks) return;
  if (!args.video.path.empty() || !args.manifest.empty() || !args.chunk.empty() ||
      is_standard_output(args.output))
    fail(ErrorKind::usage,
         "ranks write frames into files and share them; leave --video, --manifest, --chunk and "
         "-o - out");
  args.chunk = fmt::format("{}/{}", args.ranks->rank() + 1, args.ranks->count());
  if (!args.ranks->is_first()) args.quiet = true;
  if (!args.given("--device") && args.devices.empty()) choose_gpu_of_rank(args.options);
}

void add_frame_options(Command& command, AnimateArguments& args) {
  SequenceOptions& sequence = args.sequence_options;
  command.group("Frames");
  command.text("--frames", "LIST", args.frames, "Only these frames: 7, 0-99, 0-99:2 or 0-9,50-59");
  command.whole("--start-number", "N", args.start_number,
                "The number of the first frame, in names and for --frames, e.g. 1001", {0, 1e8});
  command.flag("--reverse", args.reverse, "From the last frame to the first");
  command.flag(
      "--ping-pong", args.ping_pong,
      "There and back, as a loop without a frame twice at its turns; each is rendered once");
  command.number("--begin", "T", args.begin,
                 "Time of the first frame (default: of the first flame)");
  command.number(
      "--end", "T", args.end,
      "Time that no frame is after (default: of the last flame, less 1 or a smaller --dtime)");
  command.number("--dtime", "T", args.dtime, "Time from frame to frame (default 1)");
  command.whole("--temporal-samples", "N", args.temporal_samples,
                "Time samples that motion blur mixes, instead of the file's; 1: no blur",
                range_of("temporal_samples"));
  command.value(
      "--until-noise", "PERCENT",
      [&](const std::string& text) {
        args.until_noise_percent = percent_value("--until-noise", text, {1e-3, 100});
      },
      "One quality for all frames: of the noisiest about this much is noise (--quality: at most)");
  command.flag("--sequence", args.sequence,
               "Make a sequence of the flames: each turns, then becomes the next");
  command.flag("--loop", args.loop, "With --sequence: the last flame becomes the first again");
  command.text("--nframes", "T", args.sequence_words.nframes,
               "With --sequence: frames of a turn and of a transition, or 3s (default 100)");
  command.whole("--loops", "N", sequence.loops,
                "With --sequence: turns of each flame (default 1; 0: transitions only)");
  command.number("--stagger", "F", sequence.stagger,
                 "With --sequence: xforms of a transition move one after the other, 0 to 1");
  command.flag("--steady", args.steady,
               "With --sequence: transitions at constant speed, not starting and ending gently");
  args.sequence_words.add_to(command);
  command.text(
      "--spin", "T", args.spin,
      "One flame turns once, as an endless loop: in 10s, in so many frames, or 4b (beats)");
  for (const char* other : {"--sequence", "--nframes", "--loops", "--easing", "--hold"})
    command.exclude("--spin", other);
  command.exclude("--easing", "--steady");
  command.exclude("--bpm", "--nframes");
}

void add_run_options(Command& command, AnimateArguments& args) {
  command.group("Video");
  command.text("--video", "FILE", args.video.path,
               ("Also, or without -o only, a film by ffmpeg: " + video_endings() +
                "; - or FORMAT:- (mkv:-): into a pipe, - as y4m")
                   .c_str());
  command.text("--fps", "F", args.video.fps, "Frames a second of the video (default 30)");
  command.text("--audio", "FILE", args.video.audio,
               "Sound of the video; it ends with the last frame, and is silent after its own end");
  command.reads("--audio");
  command.flag(
      "--fit-audio", args.fit_audio,
      "As many frames as the sound lasts: the flames move faster or slower; with --bpm the list "
      "of flames begins anew until the sound ends");
  command.text("--video-options", "TEXT", args.video.options, video_options_help);
  command.bytes("--max-bytes", args.video.max_bytes, max_bytes_help);
  args.video_words.add_to(command);
  command.group("Parts of the work");
  command.text("--chunk", "I/N", args.chunk,
               "Only this part of the frames, e.g. 2/4; auto: of the task of a Slurm or Grid "
               "Engine array");
  command.flag("--resume", args.resume,
               "Keep frames that are whole and were made with the same settings");
  command.text("--manifest", "FILE.tsv", args.manifest,
               "Write a list of the frames that are there, with their hashes, for \"kiln check\"");
  command.text(
      "--devices", "LIST", args.devices,
      "GPUs that share the frames, e.g. 0,1 or 0-3, or all: as many as are worth their start (the "
      "pictures are the same); with fewer frames than GPUs they share a frame");
}

}  // namespace

void add_animate_options(Command& command, AnimateArguments& args) {
  command.inputs("IN", args.inputs,
                 "Key flames in the order of their times, as for \"kiln render\"; with --sequence "
                 "any flames");
  command.text(flame_option.names, flame_option.type, args.flame, flame_option.help);
  command.group("Output");
  command.text(
      "-o,--output", "TEMPLATE", args.output,
      "Names of the frames, or a folder, which is made where it is missing. Knows #### "
      "%05d {frame} {stem} {name} (default {stem}_#####.png, without --video). - or FORMAT:- "
      "(exr:-): all of them into a pipe, - as PNG");
  command.text("--strip", "FILE", args.strip,
               "Instead of frames: the film as a strip, one picture with a column for each frame");
  for (const char* other :
       {"--output", "--video", "--resume", "--manifest", "--dry-run", "--chunk", "--json"})
    command.exclude("--strip", other);
  add_frame_options(command, args);
  command.flag("--dry-run", args.dry_run,
               "Render nothing: show how many frames there are and the time they would take");
  args.add_picture_options(command);
  add_run_options(command, args);
  args.add_machine_options(command);
}

void complete_arguments(AnimateArguments& args) {
  args.inputs = expand_inputs(args.inputs);
  args.complete();
  args.video_words.complete(args.video);
  check_arguments(args);
  if (args.sequence_words.bpm_of_sound) args.sequence_words.bpm = tempo_of_sound(args);
  if (!args.dry_run && args.strip.empty()) share_frames(args);
  if (args.no_clobber) args.video.existing = AtomicFile::Existing::keep;
}

void check_format(const AnimateArguments& args, const std::string& path, const Flame& key) {
  args.check_colors(path);
  PictureOptions::check_format(path, key, args.options);
  const PictureFormat& format = format_named(path);
  if (!format.has_texts && !args.manifest.empty()) {
    fail(ErrorKind::usage,
         "-o {}: {} frames have no record, of which --manifest is made; name them {}, or leave "
         "--manifest out",
         printable_whole(path), format.name, format_for(false).ending);
  }
  const bool of_video = !args.video.path.empty() && args.video.hdr_peak == 0;
  if (!format.can_be_resumed && (args.resume || of_video)) {
    fail(ErrorKind::usage,
         "-o {}: {} frames cannot be resumed, nor be made together with a video; name them {}, or "
         "leave out --resume and --video",
         printable_whole(path), format.name, format_for(false).ending);
  }
}

namespace {

/// Whether the flames are the frames of a sequence, one a frame, as flam3-genome makes them.
bool are_frames(const std::vector<Flame>& keys) {
  for (std::size_t k = 1; k < keys.size(); ++k)
    if (keys[k].time != keys[k - 1].time + 1) return false;
  return true;
}

/// As flam3-animate: all keys have the size of the first, and as many pixels per unit as before.
void give_one_size(std::vector<Flame>& keys, Console& console) {
  const Flame& first = keys.front();
  for (Flame& key : keys) {
    if (key.width == first.width && key.height == first.height) continue;
    console.warning(
        fmt::format("{}: the flame is {} x {} pixels, the first one {} x {}; all frames "
                    "have the size of the first, and what is seen of this one is not what its own "
                    "picture shows{}",
                    key.place(), key.width, key.height, first.width, first.height,
                    are_frames(keys) ? "" : "; with --fit WxH it is"));
    key.width = first.width;
    key.height = first.height;
  }
}

std::vector<Flame> read_keys(const AnimateArguments& args, Console& console) {
  ReaderOptions options = args.read.options();
  options.seed = args.options.seed;
  options.curves_are_films = true;
  args.settings.complete(options);
  options.warn = [&](const std::string& message) { console.warning(message); };
  std::vector<Flame> keys = read_all_chosen(args.inputs, options, args.flame, Use::motion);
  // a size that is asked for, and a sequence that is made here, has each flame as its own picture shows it
  const bool frames_each = args.sequence || (args.settings.asks_size() && !are_frames(keys));
  if (!frames_each) give_one_size(keys, console);
  Settings settings = args.settings;
  for (Flame& key : keys) {
    settings.apply(key);
    if (frames_each) settings.size.crop.reset();  // of the first one's size, which all get
    if (args.temporal_samples) key.temporal_samples = *args.temporal_samples;
  }
  if (frames_each) frame_alike(keys);
  return keys;
}

}  // namespace

namespace {

/// A whole turn of one flame: the frame after the last is the first.
KeyFrames turn_of(const std::vector<Flame>& flames, const AnimateArguments& args,
                  const FrameSpan& span) {
  if (flames.size() != 1)
    fail(ErrorKind::usage,
         "--spin {}: turns one flame, and here are {}; choose one with --flame, or make a film of "
         "them with --sequence",
         printable_whole(args.spin), flames.size());
  SequenceOptions options;
  options.nframes = static_cast<int>(std::lround(std::min(
      1e6, length_in_frames("--spin", args.spin, args.video.fps, args.sequence_words.bpm))));
  return in_sequence(flames, options, true, span);
}

void tell_of_tracks(const std::vector<Flame>& flames, Console& console) {
  for (const Flame& flame : flames) {
    if (flame.tracks.empty() && flame.easing.kind == EasingKind::linear) continue;
    console.warning(
        fmt::format("{}: its tracks and easing are of a film of its own times; a sequence is made "
                    "without them",
                    flame.place()));
    return;
  }
}

/// The number of frames of a sequence of so many flames.
double length_of(std::size_t flames, const SequenceOptions& options, bool loop) {
  const double part = options.part_frames != 0 ? options.part_frames : options.nframes;
  const double all = double(flames), ways = loop || options.easing == "hold" ? all : all - 1;
  return part * (all * options.loops + (flames > 1 ? ways : 0)) + options.hold * all;
}

/// The list of flames as often as the music needs it; its last round is cut where the music ends.
KeyFrames on_beats(const std::vector<Flame>& keys, const SequenceOptions& options,
                   const FrameSpan& span) {
  constexpr double most = 1 << 16;  // flames of a sequence; more are refused where it is made
  std::size_t rounds = 1;
  const double end = span.begin.value_or(0) + double(span.count);
  while (options.part_frames >= 1 && !keys.empty() && double(rounds * keys.size()) <= most &&
         length_of(rounds * keys.size(), options, false) < std::min(end, most))
    ++rounds;
  return in_sequence(keys, options, false, {span.begin, end - 1}, rounds);
}

/// Makes as many frames as the sound lasts.
KeyFrames fitted(const std::vector<Flame>& keys, SequenceOptions options, bool loop,
                 const AnimateArguments& args, const FrameSpan& span) {
  if (args.sequence_words.bpm) return on_beats(keys, options, span);
  const double length = length_of(keys.size(), options, loop);
  if (options.easing != "hold" || span.begin || length == 0)
    return in_sequence(keys, options, loop, span);
  // the parts get longer or shorter, so that every frame is one of theirs, and cuts stay cuts
  const double ratio = double(span.count) / length;
  options.part_frames = options.nframes * ratio;
  options.hold *= ratio;
  return in_sequence(keys, options, loop, {{}, double(span.count) - 1});
}

KeyFrames frames_of(const AnimateArguments& args, Console& console) {
  std::vector<Flame> keys = read_keys(args, console);
  FrameSpan span{args.begin, args.end, args.dtime};
  if (args.fit_audio) span.count = frames_of_sound(args.video.audio, args.video.fps);
  if (args.sequence || !args.spin.empty()) tell_of_tracks(keys, console);
  if (!args.spin.empty()) return turn_of(keys, args, span);
  if (args.sequence) {
    SequenceOptions options = args.sequence_options;
    options.smooth = !args.steady;
    args.sequence_words.complete(args.video.fps, options);
    return args.fit_audio ? fitted(keys, options, args.loop, args, span)
                          : in_sequence(keys, options, args.loop, span);
  }
  hear_song(keys);
  if (keys.size() == 1 && keys.front().tracks.empty()) {
    console.warning(fmt::format("{}: one flame alone stands still; --spin 10s lets it turn",
                                keys.front().place()));
  }
  return between_keys(std::move(keys), span);
}

/// Gives all key flames the quality that --until-noise asks for.
void set_quality(const AnimateArguments& args, KeyFrames& film, Console& console) {
  const double percent = *args.until_noise_percent;
  for (const Flame& key : film.keys.read()) {
    if (film.keys.is_sequence()) break;  // which has no tracks
    for (const Track& track : key.tracks)
      if (track.name == "quality")
        fail(ErrorKind::usage, "{}: a track moves its quality; leave --until-noise out",
             key.place());
  }
  const double quality = quality_for_noise(film, args.options, percent / 100);
  if (quality == 0) {
    console.warning(
        "--until-noise: the film is black, so its noise cannot be told; its quality stays");
    return;
  }
  const bool limited = args.settings.asks_quality();
  bool is_enough = true;
  if (limited)
    film.keys.each([&](const Flame& key) { is_enough = is_enough && key.quality >= quality; });
  film.keys.change(
      [=](Flame& key) { key.quality = limited ? std::min(key.quality, quality) : quality; });
  const std::string now = shortest(film.keys.front().quality);
  if (is_enough) {
    console.note(fmt::format("quality {}: about {} % of its noisiest frames is noise", now,
                             shortest(percent)));
  } else {
    console.warning(fmt::format(
        "quality {} is not enough for {} % of noise in its noisiest frames, which takes about {}",
        now, shortest(percent), shortest(quality)));
  }
}

}  // namespace

KeyFrames make_animation(const AnimateArguments& args, Console& console) {
  KeyFrames film = frames_of(args, console);
  if (args.until_noise_percent) set_quality(args, film, console);
  if (args.sequence_words.bpm_of_sound)
    console.note(fmt::format("the sound has {:.2f} beats a minute", *args.sequence_words.bpm));
  return film;
}

void take_song(AnimateArguments& args, const KeyFrames& film, const FrameTime& first,
               Console& console) {
  if (film.keys.is_sequence()) return;  // which has no song
  const std::vector<Flame>& keys = film.keys.read();
  const auto key = std::find_if(keys.begin(), keys.end(),
                                [](const Flame& flame) { return flame.sound.has_value(); });
  if (args.video.path.empty() || key == keys.end()) return;
  const FilmSound& sound = *key->sound;
  const double rate = sound.rate / args.dtime;
  if (!args.given("--fps")) {
    args.video.fps = args.dtime == 1 ? sound.fps : shortest(rate);
  } else if (std::abs(rate_of(args.video.fps) - rate) > 1e-3 * rate) {
    console.warning(
        fmt::format("--fps {}: the film's song goes with {} frames a second here, so they part",
                    args.video.fps, shortest(rate)));
  }
  const VideoFormat* const format = video_format_with(ending_of(args.video.path));
  if (!args.video.audio.empty() || !format || !format->has_sound()) return;
  if (args.reverse || args.ping_pong || sound.seconds_at(first.time) < 0) {
    console.warning(
        "the film has no sound: its song goes forward and begins at 0; --audio names one");
    return;
  }
  const auto song = hear(song_path(*key));  // says what is wrong before anything is rendered
  if (!sound.sha256.empty() && song->sha256() != sound.sha256)
    fail(ErrorKind::input,
         "{}:{}: kiln_sound: another song lies there than the film was made with: {} has the "
         "SHA-256 "
         "{}, not {}",
         printable_whole(key->source), sound.line, printable_whole(song_path(*key)), song->sha256(),
         sound.sha256);
  args.video.audio = song_path(*key);
  args.video.audio_start_s = std::max(0.0, sound.seconds_at(first.time));
}

}  // namespace kiln::cli
