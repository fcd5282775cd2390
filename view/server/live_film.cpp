// SPDX-License-Identifier: MIT
// The part of the protocol that is about films: key flames that are edited as one, a hand that goes
// over their times, and films into files.
#include <algorithm>
#include <filesystem>

#include "engine/animation/film.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/video_writer.h"
#include "view/server/flame_folder.h"
#include "view/server/live_protocol.h"

namespace kiln::cli {
namespace {

constexpr double most_time = 1e6;
constexpr std::size_t most_sound_bytes = 64 << 20, most_film_bytes = 24 << 20;

/// One after the other, where their own times do not rise.
std::vector<Flame> in_time(std::vector<Flame> keys, double between) {
  bool rises = true;
  for (std::size_t k = 1; k < keys.size(); ++k) rises &= keys[k - 1].time < keys[k].time;
  for (std::size_t k = 0; k < keys.size() && !rises; ++k) keys[k].time = double(k) * between;
  return keys;
}

/// Flames of which each is its own: of their links those stay that all have, since links are a whole film's.
std::vector<Flame> with_common_links(std::vector<Flame> keys) {
  if (keys.empty()) return keys;
  std::vector<NumberLink> common = keys.front().links;
  for (const Flame& key : keys)
    std::erase_if(common, [&](const NumberLink& link) {
      return std::find(key.links.begin(), key.links.end(), link) == key.links.end();
    });
  for (Flame& key : keys) key.links = common;
  return keys;
}

}  // namespace

/// The flame as it is, as a key flame.
Flame LiveProtocol::key_of(int index) const {
  const std::string xml = easels_.front()->live->xml_of(index);
  if (xml.empty()) fail(ErrorKind::usage, "film: there is no flame {}", index);
  return parse_flames(xml, "film", reader_).flames.at(0);
}

/// The film that a page wants made: of all opened flames, of this one, of this and another.
std::shared_ptr<const LiveFilm> LiveProtocol::made_film(const Message& message) const {
  const std::string kind = message.text("make");
  const int here = clients_.at(message.client)->easel->live->state().index;
  const double frames = message.number("frames", 1, most_time, 60);
  if (kind == "none") return nullptr;
  if (kind == "loop") return loop_film(key_of(here), frames);
  std::vector<Flame> keys;
  if (kind == "this") {
    keys = {key_of(here)};
    keys[0].time = 0;
  } else if (kind == "opened") {
    for (std::size_t i = 0; i < papers_.size(); ++i)
      if (!papers_[i].is_closed && papers_[i].frames == 0) keys.push_back(key_of(int(i)));
    keys = in_time(std::move(keys), frames);
  } else if (kind == "transition") {
    keys = {key_of(here), key_of(int(message.number("to", 0, 1e6)))};
    keys[0].time = 0;
    keys[1].time = frames;
    keys[0].easing = {EasingKind::ease_in_out};
    for (Flame& key : keys) key.leave_film();
  } else {
    fail(ErrorKind::usage, "film: \"make\" is opened, this, loop, transition or none");
  }
  return live_film(with_common_links(std::move(keys)));
}

/// A film of these flames, behind the others; they stay as they are.
void LiveProtocol::on_gather(const Message& message) {
  std::vector<Flame> keys;
  for (const int index : flames_of(message)) {
    if (live().film_of(index))
      fail(ErrorKind::usage, "film: {} is a film already; leave it out",
           printable(papers_.at(std::size_t(index)).name));
    keys.push_back(key_of(index));
  }
  auto film = live_film(
      with_common_links(in_time(std::move(keys), message.number("frames", 1, most_time, 60))));
  const int index = live().append(film);
  add_papers();
  Paper& paper = papers_.at(std::size_t(index));
  paper.source.clear();
  paper.saved.clear();
  paper.unsaved = true;
  kept_.keep(index, std::exchange(paper.opened, ""));
  show_opened(message.client, index);
}

/// The keys of the film as flames of their own, each as it is seen at its time; the film stays.
void LiveProtocol::open_keys(const Message& message) {
  const auto film = clients_.at(message.client)->easel->live->state().place.film;
  if (!film) fail(ErrorKind::usage, "film: the flame is of no film");
  std::vector<LiveDocument> flames;
  for (const Flame& key : film->keys) {
    flames.push_back({moment_of(*film, key.time), nullptr});
    flames.back().flame.name = key.name;
  }
  open_all(message.client, std::move(flames));
}

/// The film with a key of a track at the hand, or of all that is seen there.
std::shared_ptr<const LiveFilm> LiveProtocol::tracked_film(const Message& message) const {
  const Easel& easel = *clients_.at(message.client)->easel;
  const LiveFlame::State state = easel.live->state();
  if (!state.place.film) fail(ErrorKind::usage, "film: the flame is of no film");
  const double time = message.number("time", -most_time, most_time);
  if (message.flag("key")) {  // of what the page shows, if that is no moment of the film
    const bool is_shown = state.place.is_shown || state.place.time != time;
    const LiveFilm& film = *state.place.film;
    return is_shown ? with_key(film, time) : with_key(film, easel.live->flame(), time);
  }
  int xform = track_of_flame;
  if (message.has("xform")) {
    const std::string text = message.text("xform");
    xform = text == "final" ? track_of_final : std::max(0, std::atoi(text.c_str()) - 1);
  }
  return with_track_key(*state.place.film, xform, message.text("track"), time);
}

/// The names of all that tracks may move.
std::string LiveProtocol::track_names_json() {
  const auto list = [](int xform) {
    JsonArray names;
    for (const std::string& name : track_target_names(xform)) names.add_json(json_string(name));
    return names.text();
  };
  return JsonObject()
      .add("type", "tracks")
      .add_json("flame", list(track_of_flame))
      .add_json("xform", list(0))
      .text();
}

/// Adds the flame's time in its film, and the film where the page does not have it.
void LiveProtocol::add_film(JsonObject& message, Client& client, const FilmPlace& place) {
  if (place.film) message.add("time", place.time);
  if (place.film && place.film != client.film) message.add("film", place.film->text);
  client.film = place.film;
}

/// A page shows at once what it wants of a film: where it does not become so it is told how it is.
void LiveProtocol::on_film(const Message& message) {
  Client& client = *clients_.at(message.client);
  if (message.has("make") && message.text("make") == "flames") return open_keys(message);
  const auto sent = message.has("bytes") ? uploaded(message, most_film_bytes) : std::nullopt;
  if (message.has("bytes") && !sent) return;
  try {
    const bool is_key = message.has("track") || message.flag("key");
    const auto film = is_key                ? tracked_film(message)
                      : message.has("make") ? made_film(message)
                      : sent                ? live_film(*sent, reader_)
                                            : live_film(message.text("film"), reader_);
    const double time =
        message.number("time", -most_time, most_time, film ? film->keys[0].time : 0);
    const LiveFlame::State state = client.easel->live->edit(film, time, gesture_of(message));
    tell_flame(*client.easel, state, -1, true);
  } catch (const Error&) {
    client.film = nullptr;
    tell_flame_to(message.client, client, client.easel->live->state(), false);
    throw;
  }
}

/// Pictures of the times before come too: a hand that goes on is followed.
void LiveProtocol::on_scrub(const Message& message) {
  Easel& easel = *clients_.at(message.client)->easel;
  tell_flame(easel, easel.live->scrub(message.number("time", -most_time, most_time)), -1, true);
}

void LiveProtocol::play_film(const Message& message) {
  Easel& easel = *clients_.at(message.client)->easel;
  LiveFlame::Playing wanted;
  wanted.begin = message.number("begin", -most_time, most_time);
  wanted.end = message.number("end", wanted.begin, most_time);
  wanted.from = message.number("from", -most_time, most_time, wanted.begin);
  wanted.rate = message.number("rate", 0.1, 240, 30);
  tell_flame(easel, easel.live->play(wanted), -1, true);
}

/// A sound for the films that the page exports, until it sends another; no bytes: none.
void LiveProtocol::on_sound(const Message& message) {
  const std::optional<std::string> bytes = uploaded(message, most_sound_bytes);
  if (!bytes) return;
  Client& client = *clients_.at(message.client);
  client.sound.reset();
  std::string ending = ending_of(message.text("name"));
  if (ending.size() > 6 || safe_file_name(ending) != ending) ending.clear();
  if (!bytes->empty()) {
    std::error_code none;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(none);
    client.sound =
        std::make_shared<PrivateFile>((folder / "kiln-view-sound").string(), ending, *bytes);
    if (client.sound->path().empty())
      fail(ErrorKind::output, "sound: no file for it can be made in {}", folder.string());
  }
  server_.send_text(message.client, JsonObject()
                                        .add("type", "sound")
                                        .add("name", client.sound ? message.text("name") : "")
                                        .text());
}

/// Exports as `kiln animate` does: a video, or frames where the name has places for their number. Frames that are kept
/// are not made again, so what was cancelled goes on when it is asked for once more.
void LiveProtocol::on_export(const Message& message) {
  const LiveFlame::State state = clients_.at(message.client)->easel->live->state();
  if (!state.place.film) fail(ErrorKind::usage, "export: the flame is of no film");
  Save save{message.client, message.text("name"), message.flag("replace"), 0, 0, ""};
  const std::string stem = std::filesystem::path(save.name).stem().string();
  const std::string ending = ending_of(save.name);  // WebP is a film here, too
  const PictureFormat *const named =
                                 video_format_with(ending) ? nullptr : format_with_ending(ending),
                             &of_frames = named ? *named : format_for(false);
  const bool is_video = !named;
  check_name(is_video ? stem + std::string(of_frames.ending) : save.name, true);
  VideoSettings video;
  video.path = save.name;
  video.transparent = message.flag("transparent");
  const std::shared_ptr<const PrivateFile> sound =
      is_video && message.flag("sound") ? clients_.at(message.client)->sound : nullptr;
  const bool fits = sound && message.flag("fit_sound");
  if (sound) video.audio = sound->path();
  if (is_video) check_video(video);
  const std::string folder = stem + "-frames";
  const std::string frames = folder + "/#####" + std::string(of_frames.ending);
  std::vector<std::string> words;
  const auto add = [&](const char* option, std::string value) {
    words.push_back(option);
    words.push_back(std::move(value));
  };
  const bool keeps = !is_video || message.flag("keeps");
  if (keeps) check_own_folder(folder);
  if (is_video) add("--video", save.name);
  if (keeps) add("-o", frames);
  if (keeps && of_frames.can_be_resumed) {
    words.push_back("--resume");
    add("--bits", is_video ? "16" : shortest(message.number("bits", 8, 16, 8)));
  }
  if (is_video) add("--fps", shortest(message.number("fps", 1, 240, 30)));
  if (sound) add("--audio", sound->path());
  if (fits) words.push_back("--fit-audio");
  if (message.has("width"))
    add("--size", fmt::format("{}x{}", int(message.number("width", 1, 32768)),
                              int(message.number("height", 1, 32768))));
  if (message.has("quality")) add("--quality", shortest(message.number("quality", 1e-4, 1e7)));
  if (message.has("noise")) add("--until-noise", shortest(message.number("noise", 1e-3, 100)));
  if (message.has("samples"))
    add("--temporal-samples", shortest(message.number("samples", 1, 10000)));
  const auto& film = state.place.film;
  const double first = film->keys.front().time, last = film->keys.back().time;
  const double begin = message.number("begin", -most_time, most_time, first);
  const double end = message.number("end", -most_time, most_time, std::max(first, last - 1));
  const auto held = fits ? film : held_film(film, begin, end);
  if (message.has("begin") || held != film) add("--begin", shortest(begin));
  if (!fits && (message.has("end") || held != film)) add("--end", shortest(end));
  if (message.flag("transparent")) words.push_back("--transparent");
  const bool is_there = keeps && is_filled(folder);
  const bool is_own = is_there && desk_.has_filled(folder, held->text, words);
  if (is_in_the_way(save, is_video, is_there && !is_own ? folder : "")) return;
  const bool resumes = std::find(words.begin(), words.end(), "--resume") != words.end();
  if (save.replace)
    words.push_back("--force");
  else if (!is_own || resumes)  // else its own frames are made anew
    words.push_back("--no-clobber");
  desk_.add(save.name, held->text, std::move(words), RenderDesk::Command::animate, sound,
            keeps ? folder : "");
  tell_all(desk_.text());
}

}  // namespace kiln::cli
