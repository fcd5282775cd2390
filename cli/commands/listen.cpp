// SPDX-License-Identifier: MIT
// kiln listen: what is heard in a song, as lines, as a table, or as tracks of a film. docs/use/music.md.
#include <algorithm>
#include <cmath>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/options/flame_selection.h"
#include "cli/options/output_files.h"
#include "cli/report/song_tables.h"
#include "cli/says/console.h"
#include "engine/animation/film.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/flame/track_reader.h"
#include "engine/io/picture/video_writer.h"
#include "engine/sound/tracks.h"

namespace kiln::cli {
namespace {

struct ListenArguments {
  std::string song, output, film, fps = "30";
  std::vector<std::string> drives;
  ListenOptions options;
  double start = 0;
  bool live = false, json = false, force = false, no_clobber = false, quiet = false;
};

// ---- drives ----

[[noreturn]] void refuse_drive(const std::string& text, const std::string& why) {
  fail(ErrorKind::usage,
       "--drive \"{}\": {}; write WHAT=SOUND,FROM..TO and more as NAME=VALUE, for instance "
       "\"zoom=bass,0..0.5\" or \"xform.2.turn=beat,0..90,shape=steps,attack=0.2\"",
       printable_whole(text), why);
}

/// "zoom", "xform.2.turn" or "final.turn" as the attributes of a track.
std::string attributes_of_target(const std::string& text, const std::string& target) {
  const std::size_t dot = target.rfind('.');
  if (dot == target.npos) return fmt::format(" name=\"{}\"", target);
  const std::string name = target.substr(dot + 1), owner = target.substr(0, dot);
  if (owner == "final") return fmt::format(" xform=\"final\" name=\"{}\"", name);
  if (!owner.starts_with("xform."))
    refuse_drive(text, "WHAT is an attribute of the flame, or xform.NUMBER.NAME, or final.NAME");
  return fmt::format(" xform=\"{}\" name=\"{}\"", owner.substr(6), name);
}

/// The track as the reader of films takes it, with that one's messages.
Track track_of_drive(const std::string& text) {
  if (text.find_first_of("<>&\"\n\r\t") != text.npos || text.size() > 4096)
    refuse_drive(text, "has characters that no track has");
  const std::size_t equals = text.find('=');
  if (equals == text.npos || equals == 0) refuse_drive(text, "says not what it moves");
  std::string xml = "<kiln_track" + attributes_of_target(text, text.substr(0, equals));
  std::vector<std::string> parts;
  for (std::size_t at = equals + 1; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    parts.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  const std::size_t dots = parts.size() < 2 ? std::string::npos : parts[1].find("..");
  if (dots == std::string::npos) refuse_drive(text, "says not from where to where");
  xml += fmt::format(" sound=\"{}\" from=\"{}\" to=\"{}\"", parts[0], parts[1].substr(0, dots),
                     parts[1].substr(dots + 2));
  std::vector<std::string> names = {"sound", "from", "to", "name", "xform"};
  for (std::size_t i = 2; i < parts.size(); ++i) {
    const std::size_t is = parts[i].find('=');
    const std::string name = parts[i].substr(0, is);
    const bool is_name = is != std::string::npos && !name.empty() &&
                         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == name.npos;
    if (!is_name) refuse_drive(text, fmt::format("\"{}\" is no NAME=VALUE", printable(parts[i])));
    if (std::find(names.begin(), names.end(), name) != names.end())
      refuse_drive(text, fmt::format("says {} twice", name));
    names.push_back(name);
    xml += fmt::format(" {}=\"{}\"", name, parts[i].substr(is + 1));
  }
  try {
    return parse_track(xml + "/>", "--drive");
  } catch (const Error& error) {
    refuse_drive(text, error.what());
  }
}

std::vector<Flame> driven_film(const ListenArguments& args, const std::shared_ptr<const Song>& song,
                               Console& console) {
  ReaderOptions reader;
  reader.warn = [&](const std::string& message) { console.warning(message); };
  std::vector<Flame> keys = read_all_chosen({args.film}, reader, "", Use::motion);
  FilmSound sound;
  sound.file = song_beside(args.song, args.output == "-" ? "here" : args.output);
  sound.sha256 = song->sha256();
  sound.fps = args.fps;
  sound.rate = args.options.fps;
  sound.start_s = args.start;
  sound.beats_of_bar = args.options.beats_of_bar;
  sound.heard = song;
  if (sound.start_s >= song->seconds())
    fail(ErrorKind::usage, "--start {}: the song ends at {:.2f} s", shortest(sound.start_s),
         song->seconds());
  for (const Flame& key : keys) {
    if (!key.sound) continue;
    if (args.live)
      fail(ErrorKind::usage, "{}: has a song already; leave out --live, or its <kiln_sound>",
           key.place());
    if (key.sound->rate != sound.rate)  // keys stand at frames of both songs
      fail(ErrorKind::usage, "--fps {}: {} has {} frames a second by its own song; add --fps {}",
           args.fps, key.place(), key.sound->fps, key.sound->fps);
  }
  const int begin = int(std::trunc(keys.front().time));
  const double film_length = keys.size() == 1 ? sound.end_time() : keys.back().time;
  const int end = int(std::min(film_length, 1e8));
  for (const std::string& text : args.drives) {
    const Track driven = track_of_drive(text);
    Track track =
        args.live ? driven : keys_of_drive(driven, *song, sound, begin, std::max(begin, end));
    if (track.keys.size() > most_track_keys)
      fail(
          ErrorKind::usage,
          "--drive \"{}\": would have {} keys, and a track has {} at most; add --live, which needs "
          "none, or lower --fps",
          printable_whole(text), track.keys.size(), most_track_keys);
    keys.front().tracks.push_back(std::move(track));
  }
  if (args.live) keys.front().sound = sound;
  std::vector<Flame> heard = keys;
  hear_song(heard);  // of tracks that the file had
  const FilmTracks are_whole(heard);
  return keys;
}

// ---- the command ----

std::string ending_for(const ListenArguments& args) {
  const std::string ending = ending_of(args.output);
  for (const char* known : {".csv", ".json", ".xml"})
    if (ending == known) return ending;
  fail(ErrorKind::usage, "-o {}: numbers go into a file that ends in .csv, .json or .xml{}",
       printable_whole(args.output),
       ending == ".flam3" || ending == ".flame" ? "; a film needs --film and --drive" : "");
}

void check_listen(ListenArguments& args) {
  args.options.fps = rate_of(args.fps);
  if (is_standard_output(args.output)) args.output.assign(1, '-');
  if (args.output == "-" && args.json)
    fail(ErrorKind::usage, "-o - and --json both want standard output; choose one");
  OutputNames names(args.force || args.no_clobber);
  if (!args.film.empty()) {
    if (args.drives.empty() || args.output.empty())
      fail(ErrorKind::usage,
           "--film {}: says which film the song is to move; say what of it by --drive, and where "
           "the "
           "new film goes by -o",
           printable_whole(args.film));
    if (args.film == "-" && args.song == "-") fail(ErrorKind::usage, "only one of them can be -");
    names.claim_flames(args.output, "the film");
  } else if (!args.output.empty()) {
    ending_for(args);
    names.claim(args.output, "kiln listen", "another name");
  }
  if (args.output.empty()) return;
  names.keep_inputs({args.song, args.film});
  check_output(args.output, args.no_clobber);
}

int run_listen(ListenArguments& args) {
  Console console(ProgressMode::none, args.quiet);
  check_listen(args);
  for (const std::string& text : args.drives) track_of_drive(text);  // before anything takes time
  const std::shared_ptr<const Song> song = hear(args.song);
  const SongTracks tracks = tracks_of(*song, args.options);
  if (song->rhythm().beats.empty())
    console.warning(fmt::format("{}: no beat is heard in it; beat and bar stay at their begin",
                                printable_whole(args.song)));
  const auto existing =
      args.no_clobber ? AtomicFile::Existing::keep : AtomicFile::Existing::replace;
  if (!args.film.empty()) {
    write_flames(args.output, driven_film(args, song, console), existing);
  } else if (!args.output.empty()) {
    const std::string ending = ending_for(args);
    const std::string text = ending == ".csv"    ? song_csv(tracks)
                             : ending == ".json" ? song_json(args.song, tracks, true) + "\n"
                                                 : song_xml(args.song, tracks);
    AtomicFile file(args.output, existing);
    file.write(text.data(), text.size());
    file.commit();
  }
  if (args.json) {
    print("{}\n", song_json(args.song, tracks, false));
  } else if (args.output.empty()) {
    print("{}", song_lines(args.song, tracks));
  } else if (args.output != "-") {
    print("{}\n", printable_whole(args.output));
  }
  return exit_done;
}

}  // namespace

void add_listen(Program& program) {
  Command& command = program.command(
      "listen", "Hear a song: tempo, beats, loudness and bands, as numbers or as tracks of a film");
  const auto args = std::make_shared<ListenArguments>();
  command.input("SONG", args->song, "A song, or a film with sound: whatever ffmpeg reads");
  command.group("Output");
  command.text("-o,--output", "FILE", args->output,
               "Numbers for each frame: .csv, .json or .xml; with --film the new film");
  command.flag("--json", args->json,
               "Length, tempo, beats, bars, onsets as JSON on standard output");
  command.flag("--no-clobber", args->no_clobber, "Keep a file that exists and fail");
  command.flag("--force", args->force, force_help);
  command.flag("-q,--quiet", args->quiet, quiet_help);
  command.group("Hearing");
  command.text("--fps", "F", args->fps, "Frames a second: 25, 29.97, 30000/1001 (default 30)");
  command.number("--attack", "S", args->options.attack_s,
                 "Seconds in which a level goes most of its way up (default 0.01)",
                 {0, most_sound_seconds});
  command.number("--release", "S", args->options.release_s,
                 "Seconds in which it goes most of its way down (default 0.15)",
                 {0, most_sound_seconds});
  command.whole("--bar", "N", args->options.beats_of_bar, "Beats of a bar (default 4)",
                {1, most_beats_of_bar});
  command.group("A film");
  command.text("--film", "FILE", args->film, "Key flames that the song is to move");
  command.reads("--film");
  command.texts("--drive", "WHAT=SOUND,FROM..TO", args->drives,
                "Moves a number by the song, as often as wanted: zoom=bass,0..0.5 or "
                "xform.2.turn=beat,0..90,shape=steps");
  command.flag("--live", args->live,
               "Name the song in the film, which hears it anew, instead of writing keys");
  command.number("--start", "S", args->start, "Second of the song at time 0 (default 0)", {0, 1e6});
  command.need("--drive", "--film");
  command.need("--live", "--film");
  command.need("--start", "--film");
  command.examples(
      {"kiln listen song.flac                                 # tempo, beats, loudest moments",
       "kiln listen song.flac -o song.csv --fps 25            # a row for each frame",
       "kiln listen song.flac --film rose.flam3 --drive zoom=bass,0..0.5 -o film.flam3",
       "kiln listen song.flac --film rose.flam3 --drive xform.1.turn=beat,0..45,shape=steps "
       "--live -o film.flam3"});
  command.runs([args] { return run_listen(*args); });
}

}  // namespace kiln::cli
