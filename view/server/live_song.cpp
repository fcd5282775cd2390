// SPDX-License-Identifier: MIT
// The part of the protocol that is about the song of a film: which one, what is heard in it, and its bytes for who plays
// the film. Hearing takes seconds and is done beside the server's thread.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "engine/animation/film.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/file/input_file.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/track_reader.h"
#include "engine/sound/song.h"
#include "view/server/flame_folder.h"
#include "view/server/live_protocol.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_song_bytes = 64 << 20;   // that a page sends
constexpr std::size_t most_played_bytes = 1 << 30;  // that a page gets
constexpr double most_values = 12000, most_rate = 50;
constexpr std::size_t most_drives = 64, most_drive_bytes = 2000, most_listed = 300;

/// The types of songs that browsers play, by their endings; films have sound, too.
const char* song_type(const std::string& ending) {
  constexpr std::pair<std::string_view, const char*> types[] = {
      {".flac", "audio/flac"}, {".wav", "audio/wav"},   {".mp3", "audio/mpeg"},
      {".ogg", "audio/ogg"},   {".opus", "audio/ogg"},  {".oga", "audio/ogg"},
      {".m4a", "audio/mp4"},   {".aac", "audio/aac"},   {".mp4", "video/mp4"},
      {".webm", "video/webm"}, {".mkv", "video/webm"},  {".mov", "video/mp4"},
      {".aif", "audio/aiff"},  {".aiff", "audio/aiff"}, {".wma", "audio/x-ms-wma"}};
  for (const auto& [known, type] : types)
    if (ending == known) return type;
  return nullptr;
}

template <class Numbers>
std::string list_of(const Numbers& numbers, double step) {
  std::string text = "[";
  for (const auto number : numbers)
    text += (text.size() > 1 ? "," : "") + shortest(std::round(double(number) / step) * step);
  return text + "]";
}

double rate_of(double seconds) { return std::min(most_rate, most_values / std::max(1.0, seconds)); }

/// The loudest amplitude in each step of time, 1: of the song.
std::vector<double> wave_of(const Song& song, double rate) {
  const std::vector<double> powers = song.powers(least_sound_hz, most_sound_hz);
  std::vector<double> wave(std::size_t(std::ceil(song.seconds() * rate)), 0.0);
  double most = 1e-12;
  for (std::size_t i = 0; i < powers.size(); ++i) {
    const auto place = std::size_t(double(i) / band_rate * rate);
    if (place >= wave.size()) break;
    wave[place] = std::max(wave[place], std::sqrt(powers[i]));
    most = std::max(most, wave[place]);
  }
  for (double& one : wave) one /= most;
  return wave;
}

std::string song_json(const Song& song, int beats_of_bar, std::uint64_t number) {
  constexpr double of_seconds = 1e-3, of_levels = 1e-2;
  const double rate = rate_of(song.seconds());
  return JsonObject()
      .add("type", "song")
      .add("number", number)
      .add("file", song.path())
      .add("name", fs::path(song.path()).filename().string())
      .add("sha256", song.sha256())
      .add("seconds", song.seconds())
      .add("bpm", song.rhythm().bpm)
      .add_json("beats", list_of(song.rhythm().beats, of_seconds))
      .add_json("bars", list_of(song.bars(beats_of_bar), of_seconds))
      .add("rate", rate)
      .add_json("wave", list_of(wave_of(song, rate), of_levels))
      .text();
}

/// Files of sound here and in the folders here.
void list_songs(const fs::path& folder, const std::string& before, int depth, JsonArray& list,
                std::size_t& count) {
  std::error_code error;
  std::vector<fs::directory_entry> entries;
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error))
    entries.push_back(*i);
  std::sort(entries.begin(), entries.end());
  for (const fs::directory_entry& entry : entries) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(".") || entry.is_symlink(error)) continue;
    if (entry.is_directory(error) && depth > 0)
      list_songs(entry.path(), before + name + "/", depth - 1, list, count);
    else if (song_type(ending_of(name)) && entry.is_regular_file(error) && ++count <= most_listed)
      list.add_json(json_string(before + name));
  }
}

/// A song that a page has sent, as a file of this folder: one that is there already, or a new one.
std::string kept_song(const std::string& said, const std::string& bytes) {
  const std::string ending = ending_of(said), name = safe_file_name(said);
  if (song_type(ending) == nullptr || name.starts_with("-") || name.size() > 200)
    fail(ErrorKind::usage, "song: \"{}\" is no name of a song; take .flac, .wav, .mp3 or .ogg",
         printable_whole(said.substr(0, 200)));
  const std::string stem = name.substr(0, name.size() - ending.size());
  for (int i = 1; i < 100; ++i) {
    const std::string file = i == 1 ? name : fmt::format("{}-{}{}", stem, i, ending);
    std::error_code error;
    const fs::file_status there_is = fs::symlink_status(file, error);
    if (!fs::exists(there_is)) {  // where that is not to be known, writing says why
      AtomicFile made(file, AtomicFile::Existing::keep);
      made.write(bytes.data(), bytes.size());
      made.commit();
      return file;
    }
    if (!fs::is_regular_file(there_is) || fs::file_size(file, error) != bytes.size()) continue;
    InputFile there(file, InputFile::Opens::regular_files);
    if (there.read_all(most_song_bytes) == bytes) return file;
  }
  fail(ErrorKind::output, "song: there are a hundred files named {} already", name);
}

}  // namespace

/// Does slow work on a song beside the server's thread; `work` gives the answer to the page.
void LiveProtocol::beside(int number, std::function<std::string()> work) {
  clients_.at(number)->easel->encoder->add([this, number, work = std::move(work)] {
    try {
      server_.post([this, number, text = work()] { server_.send_text(number, text); });
    } catch (const std::exception& error) {
      server_.post([this, number, text = std::string(error.what())] {
        tell(number, "error", text);
        server_.send_text(number, JsonObject().add("type", "song").add("failed", true).text());
      });
    }
  });
}

/// The song of the film that the page is at. Throws Error (usage) where there is none.
FilmSound LiveProtocol::song_of_film(int client) const {
  const auto film = clients_.at(client)->easel->live->state().place.film;
  const FilmSound* const sound = film ? sound_of(film->keys) : nullptr;
  if (sound == nullptr) fail(ErrorKind::usage, "song: the film has none");
  return *sound;
}

/// A song that may become the film's, from a file below this folder or from the page itself; without one what is heard
/// in the film's own.
void LiveProtocol::on_song(const Message& message) {
  const auto number = std::uint64_t(message.number("number", 0, 0x1p53, 0));
  const int beats = int(message.number("bar", 1, most_beats_of_bar, 4));
  std::string path;
  std::string sha256;
  if (message.has("bytes")) {
    const std::optional<std::string> bytes = uploaded(message, most_song_bytes);
    if (!bytes) return;
    path = kept_song(message.text("name"), *bytes);
  } else if (message.has("file")) {
    path = path_below_here(message.text("file"));
  } else {
    const FilmSound sound = song_of_film(message.client);
    path = sound.file;
    sha256 = sound.sha256;
  }
  beside(message.client, [=, this] {
    const std::shared_ptr<const Song> song = kiln::hear(path);
    if (!sha256.empty() && song->sha256() != sha256)
      fail(ErrorKind::input, "{}: another song lies there than the film was made with",
           printable_whole(path));
    server_.post([this, song] { songs_[song->sha256()] = song->path(); });
    return song_json(*song, beats, number);
  });
}

/// Tells the levels of drives at even steps of the song's seconds; each is the text of a <kiln_track>.
void LiveProtocol::on_levels(const Message& message) {
  const auto given = message.body.find("drives");
  if (given == message.body.end() || !given->is_array() || given->size() > most_drives)
    fail(ErrorKind::usage, "levels: \"drives\" is a list of at most {}", most_drives);
  std::vector<SoundDrive> drives;
  for (const auto& text : *given) {
    if (!text.is_string() || text.get<std::string>().size() > most_drive_bytes)
      fail(ErrorKind::usage, "levels: \"drives\" is a list of texts");
    const Track track = parse_track(text.get<std::string>(), "levels");
    if (!track.sound) fail(ErrorKind::usage, "levels: a track that no song drives");
    drives.push_back(*track.sound);
  }
  const auto number = std::uint64_t(message.number("number", 0, 0x1p53, 0));
  const FilmSound sound = song_of_film(message.client);
  beside(message.client, [=] {
    constexpr double of_levels = 1e-3;
    const std::shared_ptr<const Song> song = kiln::hear(sound.file);
    const double rate = rate_of(song->seconds());
    JsonArray all;
    for (const SoundDrive& drive : drives) {
      const auto course = song->course(drive, sound.beats_of_bar);
      std::vector<double> levels(std::size_t(std::ceil(song->seconds() * rate)) + 1);
      for (std::size_t i = 0; i < levels.size(); ++i)
        levels[i] = course->at(double(i) / rate - drive.delay_s);
      all.add_json(list_of(levels, of_levels));
    }
    return JsonObject()
        .add("type", "levels")
        .add("number", number)
        .add("rate", rate)
        .add_json("levels", all.text())
        .text();
  });
}

/// The songs that lie here.
void LiveProtocol::on_songs(const Message& message) {
  JsonArray list;
  std::size_t count = 0;
  list_songs(".", "", 2, list, count);
  server_.send_text(message.client,
                    JsonObject().add("type", "songs").add_json("files", list.text()).text());
}

/// The bytes of a song that a page was told of, by its digest.
std::optional<WebFile> LiveProtocol::song_at(const std::string& path) const {
  const auto found = songs_.find(path.substr(path.rfind('/') + 1));
  if (found == songs_.end()) return std::nullopt;
  try {
    InputFile file(found->second, InputFile::Opens::regular_files);
    const char* const type = song_type(ending_of(found->second));
    return WebFile{type ? type : "application/octet-stream", file.read_all(most_played_bytes)};
  } catch (const Error&) {  // was moved, say
    return std::nullopt;
  }
}

/// Small pictures of moments of the film, as a strip of it has them.
void LiveProtocol::on_strip(const Message& message) {
  constexpr std::size_t most = 2000;
  const Client& client = *clients_.at(message.client);
  const auto film = client.easel->live->state().place.film;
  const auto given = message.body.find("times");
  if (!film) fail(ErrorKind::usage, "strip: the flame is of no film");
  if (given == message.body.end() || !given->is_array() || given->empty() || given->size() > most)
    fail(ErrorKind::usage, "strip: \"times\" is a list of at most {}", most);
  std::vector<Flame> moments;
  for (const auto& time : *given) {
    if (!time.is_number() || std::fabs(time.get<double>()) > 1e6)
      fail(ErrorKind::usage, "strip: \"times\" are numbers");
    moments.push_back(moment_of(*film, time.get<double>()));
  }
  const int count = int(moments.size());
  const std::uint64_t set = client.easel->live->picture_these(
      std::move(moments), int(message.number("width", 16, LiveFlame::most_thumbnail_width, 24)),
      -message.client);
  server_.send_text(message.client,
                    JsonObject()
                        .add("type", "strip")
                        .add("set", set)
                        .add("count", count)
                        .add("number", std::uint64_t(message.number("number", 0, 0x1p53, 0)))
                        .text());
}

}  // namespace kiln::cli
