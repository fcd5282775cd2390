// SPDX-License-Identifier: MIT
#include "view/server/live_protocol.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "cli/says/console.h"
#include "engine/base/error.h"
#include "engine/base/resources.h"
#include "engine/base/text.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/picture/picture_format.h"
#include "engine/sound/song.h"
#include "view/server/kept_token.h"

namespace kiln::cli {

namespace {

/// The name of the folder that pages save into; empty where it was removed meanwhile.
std::string working_folder() {
  std::error_code removed;
  return std::filesystem::current_path(removed).filename().string();
}

constexpr int most_in_flight = 2;  // pictures that a page has not shown yet

std::string playing_text(bool playing) {
  return JsonObject().add("type", "playing").add("on", playing).text();
}

WebServer::Settings with_pictures(
    WebServer::Settings settings,
    std::function<std::optional<WebFile>(const std::string&)> picture) {
  const auto is_picture = [](const std::string& path) {
    return path.starts_with("/picture/") || path.starts_with("/song/");
  };
  settings.is_secret = [=, page = std::move(settings.is_secret)](const std::string& path) {
    return is_picture(path) || page(path);
  };
  settings.file = [=, picture = std::move(picture),
                   page = std::move(settings.file)](const std::string& path) {
    return is_picture(path) ? picture(path) : page(path);
  };
  return settings;
}

/// Words as a list of JSON.
std::string names_json_of(const auto& names) {
  JsonArray list;
  for (const std::string_view name : names) list.add_json(json_string(name));
  return list.text();
}

AtomicFile::Existing existing_of(bool replace) {
  return replace ? AtomicFile::Existing::replace : AtomicFile::Existing::keep;
}

}  // namespace

LiveProtocol::LiveProtocol(Subject subject, WebServer::Settings settings)
    : reader_(subject.reader),
      options_(subject.options),
      has_window_(subject.companion.picture != nullptr),
      by_chance_(subject.by_chance),
      folder_(working_folder()),
      run_(random_name()),
      server_(with_pictures(std::move(settings),
                            [this](const std::string& path) {
                              return path.starts_with("/song/") ? song_at(path) : picture_at(path);
                            }),
              {[this](int client) { open(client); }, [this](int client) { leave(client); },
               [this](int client, const std::string& text) { hear(client, text); }}),
      lost_(KeptEdits::find_lost(reader_)),
      kept_(run_,
            [this](const std::string&) { server_.post([this] { tell_all(keeping_json()); }); }),
      versions_(run_, {}, [this] { server_.post([this] { tell_all(keeping_json()); }); }),
      desk_(subject.render_words, [this] { server_.post([this] { tell_all(desk_.text()); }); }),
      aside_(subject.render_words, [this] { server_.post([this] { tell_seen(); }); }),
      lights_([this](const LightDesk::Question& asked, const std::string& json,
                     const std::string& failure) {
        server_.post([=, this] { tell_light(asked, json, failure); });
      }),
      shelf_(shelf_of(documents_of(std::move(subject.flames),
                                   [](const std::string& text) { say("kiln: {}\n", text); }),
                      reader_)) {
  shown_ = std::move(subject.shown);
  easels_.push_back(make_easel(shelf_, 0, subject.companion));
  add_papers();
}

LiveProtocol::~LiveProtocol() {
  clients_.clear();
  easels_.clear();
}

std::shared_ptr<LiveProtocol::Easel> LiveProtocol::make_easel(
    std::shared_ptr<FlameShelf> shelf, int index, const LiveFlame::Listener& companion) {
  const auto easel = std::make_shared<Easel>();
  // what comes when the easel is gone is for nobody
  const auto here = [this, weak = std::weak_ptr<Easel>(easel)](auto work) {
    server_.post([weak, work = std::move(work)] {
      if (const std::shared_ptr<Easel> easel = weak.lock()) work(*easel);
    });
  };
  FrameEncoder::Listener encoded;
  encoded.picture = [=, this](std::shared_ptr<const EncodedPicture> picture) {
    here([this, picture](Easel& easel) { show(easel, picture); });
  };
  encoded.thumbnail = [=, this](EncodedThumbnail thumbnail) {
    const auto shared = std::make_shared<EncodedThumbnail>(std::move(thumbnail));
    here([this, shared](Easel& easel) { send_thumbnail(easel, shared); });
  };
  encoded.error = [=, this](const std::string& text) {
    here([this, text](Easel& easel) { tell_error(easel, 0, text); });
  };
  easel->encoder = std::make_unique<FrameEncoder>(std::move(encoded));
  LiveFlame::Listener made;
  FrameEncoder& encoder = *easel->encoder;
  made.picture = [&encoder, also = companion.picture](LivePicture picture) {
    if (also) also(picture);
    encoder.add(std::move(picture));
  };
  made.thumbnail = [&encoder](LiveThumbnail thumbnail) { encoder.add(std::move(thumbnail)); };
  made.error = [=, this, also = companion.error](std::uint64_t revision, const std::string& text) {
    if (also) also(revision, text);
    here([=, this](Easel& easel) {
      tell_error(easel, revision, text);
      tell_playing(easel, easel.live->state().playing);  // not any more, if that is what failed
    });
  };
  made.changed = [=, this] {
    here([this](Easel& easel) {
      const LiveFlame::State state = easel.live->state();
      Paper& paper = papers_.at(std::size_t(state.index));
      if (std::exchange(paper.is_blank, false)) {
        paper.opened = state.xml;
        versions_.open(state.index, state.step, state.xml, "", 0);
      }
      tell_flame(easel, state, 0, false);
    });
  };
  made.noise = [=, this](LiveNoise noise) {
    const auto shared = std::make_shared<LiveNoise>(std::move(noise));
    here([this, shared](Easel& easel) {
      easel.noise = shared;
      for (const auto& [number, client] : clients_)
        if (client->easel.get() == &easel) send_noise(number, *client);
    });
  };
  easel->live =
      std::make_unique<LiveFlame>(std::move(shelf), index, reader_, options_, std::move(made));
  return easel;
}

// ---- what pages say ----

void LiveProtocol::open(int number) {
  clients_[number] = std::make_unique<Client>();
  server_.send_text(number, JsonObject()
                                .add("type", "welcome")
                                .add("protocol", 1)
                                .add("version", KILN_VERSION)
                                .add("run", run_)
                                .add("device", live().device())
                                .add_json("flames", names_json())
                                .add_json("frames", frames_json())
                                .add_json("stars", stars_json())
                                .add_json("unsaved", unsaved_json())
                                .add("folder", folder_)
                                .add("by_chance", by_chance_)
                                .add_json("directions", names_json_of(direction_names))
                                .add_json("breedings", names_json_of(breeding_names))
                                .text());
  server_.send_text(number, track_names_json());
  enter(number, easels_.front());
  if (!lost_.empty()) server_.send_text(number, lost_json());
  if (!kept_.trouble().empty() || !versions_.trouble().empty())
    server_.send_text(number, keeping_json());
  server_.send_text(number, states_json(true));
  server_.send_text(number, formulas_json());
  server_.send_text(number, desk_.text());
}

// ---- which page is where ----

int LiveProtocol::pages_at(const Easel& easel) const {
  int pages = 0;
  for (const auto& [number, client] : clients_) pages += client->easel.get() == &easel;
  return pages;
}

/// The page sees what this one makes.
void LiveProtocol::enter(int number, const std::shared_ptr<Easel>& easel) {
  Client& client = *clients_.at(number);
  const LiveFlame::State state = easel->live->state();
  client.easel = easel;
  client.edits = {{state.revision, client.last_number}};
  client.least_revision = state.revision;
  client.waiting = nullptr;
  if (client.view.pixels > 0) easel->live->view(client.view);
  tell_flame_to(number, client, state, false);
  server_.send_text(number, playing_text(easel->playing));
  send_newest(number, client, state.revision);
  if (easel->noise && easel->noise->revision >= state.revision) send_noise(number, client);
}

/// Each page goes where it likes; those that are at one flame share what makes its pictures. A
/// window and its pages stay together.
void LiveProtocol::go_to(int number, int index) {
  const std::shared_ptr<Easel> easel = clients_.at(number)->easel;
  std::shared_ptr<Easel> other;
  for (const auto& one : easels_)
    if (one->live->state().index == index) other = one;
  const bool is_there = !live().xml_of(index).empty();
  if (has_window_ || !is_there || other == easel || (!other && pages_at(*easel) == 1))
    return tell_flame(*easel, easel->live->select(index), number, false);
  if (!other) easels_.push_back(other = make_easel(shelf_, index, {}));
  easel->live->forget(number);
  easel->live->forget(-number);  // its strip of the film
  give_up_parts(number);
  enter(number, other);
  if (!has_window_ && pages_at(*easel) == 0) std::erase(easels_, easel);
}

void LiveProtocol::leave(int number) {
  const auto found = clients_.find(number);
  if (found == clients_.end()) return;
  const std::shared_ptr<Easel> easel = found->second->easel;
  easel->live->forget(number);
  easel->live->forget(-number);
  clients_.erase(found);
  see_no_more(number);
  lights_.forget(number);
  if (easels_.size() > 1 && !has_window_ && pages_at(*easel) == 0) std::erase(easels_, easel);
}

void LiveProtocol::hear(int number, const std::string& text) {
  const auto found = clients_.find(number);
  if (found == clients_.end()) return;
  Client& client = *found->second;
  if (!client.may_talk()) {
    if (!client.was_warned) tell(number, "error", "too many messages; those above 300 a second go");
    client.was_warned = true;
    return;
  }
  client.was_warned = false;
  const nlohmann::json body = nlohmann::json::parse(text, nullptr, false);
  const auto type = body.is_object() ? body.find("type") : body.end();
  if (!body.is_object() || type == body.end() || !type->is_string())
    return tell(number, "error", "a message is a JSON object with a \"type\"");
  static const std::map<std::string, void (LiveProtocol::*)(const Message&)> handlers = {
#define KILN_MESSAGE(type) {#type, &LiveProtocol::on_##type},
#include "view/server/messages.inc"
#undef KILN_MESSAGE
  };
  const auto handler = handlers.find(type->get<std::string>());
  if (handler == handlers.end())
    return tell(number, "error",
                "unknown type \"" + printable_whole(type->get<std::string>().substr(0, 60)) + "\"");
  std::uint64_t edit = 0;
  try {
    const Message message{number, handler->first, body};
    if (message.type == "edit") edit = std::uint64_t(message.number("number", 0, 0x1p53));
    (this->*handler->second)(message);
  } catch (const std::exception& error) {
    tell(number, "error", error.what(), edit);
  }
}

/// Of one page: gestures of another are not the same.
std::uint64_t LiveProtocol::gesture_of(const Message& message) {
  const auto gesture = std::uint64_t(message.number("gesture", 0, 0x1p53, 0));
  return gesture ? gesture * 64 + std::uint64_t(message.client % 64) : 0;
}

void LiveProtocol::on_edit(const Message& message) {
  const auto number = std::uint64_t(message.number("number", 0, 0x1p53));
  Client& client = *clients_.at(message.client);
  const LiveFlame::State state =
      client.easel->live->edit(message.text("flame"), gesture_of(message), !message.flag("apart"));
  client.edits.push_back({state.revision, number});
  if (client.edits.size() > 1000) client.edits.pop_front();  // no picture comes
  client.last_number = number;
  tell_flame(*client.easel, state, message.client, true);
}

void LiveProtocol::on_shown(const Message& message) {
  Client& client = *clients_.at(message.client);
  const auto frame = std::uint64_t(message.number("frame", 0, 0x1p53));
  client.shown = std::max(client.shown, std::min(frame, client.sent));
  send_picture(message.client, client);
}

void LiveProtocol::on_select(const Message& message) {
  go_to(message.client, int(message.number("index", 0, 1e6)));
}

void LiveProtocol::on_undo(const Message& message) {
  Easel& easel = *clients_.at(message.client)->easel;
  tell_flame(easel, easel.live->undo(), message.client, false);
}
void LiveProtocol::on_redo(const Message& message) {
  Easel& easel = *clients_.at(message.client)->easel;
  tell_flame(easel, easel.live->redo(), message.client, false);
}

void LiveProtocol::on_random(const Message& message) {
  clients_.at(message.client)
      ->easel->live->randomize(
          std::uint64_t(message.number("seed", 0, 0x1p53, double(std::random_device()()))));
}

void LiveProtocol::on_fit(const Message& message) {
  clients_.at(message.client)->easel->live->fit();
}

void LiveProtocol::on_play(const Message& message) {
  if (message.has("end")) return play_film(message);
  Easel& easel = *clients_.at(message.client)->easel;
  tell_flame(easel,
             easel.live->play(message.number("seconds", 0.1, 3600, 4), message.flag("alone")),
             message.client, false);
}
void LiveProtocol::on_stop(const Message& message) {
  Easel& easel = *clients_.at(message.client)->easel;
  tell_flame(easel, easel.live->play(0), message.client, false);
}

void LiveProtocol::on_ping(const Message& message) {
  server_.send_text(message.client, JsonObject()
                                        .add("type", "pong")
                                        .add("number", message.number("number", 0, 0x1p53, 0))
                                        .text());
}

// ---- what they are told ----

void LiveProtocol::tell(int client, const char* kind, const std::string& text,
                        std::uint64_t number) {
  JsonObject message;
  message.add("type", "message").add("kind", kind).add("text", text);
  if (number > 0) message.add("number", number);
  server_.send_text(client, message.text());
}

void LiveProtocol::tell_all(const std::string& text) {
  for (const auto& [number, client] : clients_) server_.send_text(number, text);
}

void LiveProtocol::tell_easel(const Easel& easel, const std::string& text) {
  for (const auto& [number, client] : clients_)
    if (client->easel.get() == &easel) server_.send_text(number, text);
}

/// To those whose last edit it was, or to all.
void LiveProtocol::tell_error(const Easel& easel, std::uint64_t revision, const std::string& text) {
  for (const auto& [number, client] : clients_)
    if (client->easel.get() == &easel) tell(number, "error", text, client->number_of(revision));
}

void LiveProtocol::tell_flame_to(int number, Client& client, const LiveFlame::State& state,
                                 bool own) {
  JsonObject message;
  message.add("type", "flame")
      .add("index", state.index)
      .add("name", state.name)
      .add("number", client.last_number)
      .add("undo", state.undo)
      .add("redo", state.redo)
      .add("own", own);
  add_text(message, client, state, own);
  if (client.easel->is_moved) message.add("moved", true);
  client.told_revision = state.revision;
  add_film(message, client, state.place);
  server_.send_text(number, message.text());
}

/// The open flame is this now, by an edit of page `author`, or by something else: then no picture of
/// the one before comes any more. A page that is told what it knows, since a wish has changed nothing,
/// waits for a picture all the same.
void LiveProtocol::tell_flame(Easel& easel, const LiveFlame::State& state, int author,
                              bool is_edit) {
  note(state);
  const bool stands = !state.playing && !easel.playing;  // else pictures come
  for (const auto& [number, client] : clients_) {
    if (client->easel.get() != &easel) continue;
    const bool is_known = client->told_revision == state.revision;
    if (!is_known) give_up_parts(number);  // of what the flame was
    tell_flame_to(number, *client, state, is_edit && number == author);
    if (is_known && stands) send_newest(number, *client, state.revision);
    if (is_edit) continue;
    client->least_revision = state.revision;
    if (client->waiting && client->waiting->picture.revision < state.revision)
      client->waiting = nullptr;
  }
  tell_playing(easel, state.playing);
}

void LiveProtocol::tell_playing(Easel& easel, bool playing) {
  if (playing == std::exchange(easel.playing, playing)) return;
  tell_easel(easel, playing_text(playing));
}

void LiveProtocol::show(Easel& easel, std::shared_ptr<const EncodedPicture> picture) {
  easel.picture = picture;
  if (shown_ && &easel == easels_.front().get()) shown_(picture->picture);
  if (easel.is_moved && picture->picture.settled) tell_moved(easel, easel.live->state());
  for (const auto& [number, client] : clients_) {
    if (client->easel.get() != &easel || picture->picture.revision < client->least_revision)
      continue;
    client->waiting = picture;
    send_picture(number, *client);
  }
  if (!picture->picture.settled) return;
  for (const Save& save : std::exchange(saves_, {})) {
    if (save.revision == picture->picture.revision) {
      save_picture(save, picture);
    } else if (is_awaited(save)) {
      saves_.push_back(save);
    } else {
      tell(save.client, "error", save.name + " is not saved: the flame changed before it was done");
    }
  }
}

/// The picture that is there, if it is of this flame; else one comes.
void LiveProtocol::send_newest(int number, Client& client, std::uint64_t revision) {
  const auto& picture = client.easel->picture;
  if (!picture || picture->picture.revision < revision) return;
  client.waiting = picture;
  send_picture(number, client);
}

/// If the page has shown most of what it got.
void LiveProtocol::send_picture(int number, Client& client) {
  if (!client.waiting || client.sent >= client.shown + most_in_flight) return;
  const auto encoded = std::exchange(client.waiting, nullptr);
  const LivePicture& picture = encoded->picture;
  JsonObject head;
  head.add("type", "frame")
      .add("frame", ++client.sent)
      .add("number", client.number_of(picture.revision))
      .add("index", picture.index)
      .add("width", picture.image.width)
      .add("height", picture.image.height)
      .add("quality", picture.quality)
      .add("of", picture.flame->quality)
      .add("settled", picture.settled)
      .add("format", encoded->format)
      .add("ms", 1000 * picture.seconds);
  if (picture.place.film) head.add("time", picture.place.time);
  if (picture.settled) head.add("hash", encoded->hash);
  if (picture.settled && is_cleaned_alone(picture)) head.add("alone", true);
  send_frame(number, client, picture.settled, with_head(head, encoded->stripes));
}

/// The map goes as it is: a byte a square.
void LiveProtocol::send_noise(int number, Client& client) {
  const LiveNoise& found = *client.easel->noise;
  if (found.revision < client.least_revision) return;
  const LivePictures::Noise& noise = found.noise;
  JsonObject head;
  head.add("type", "noise")
      .add("number", client.number_of(found.revision))
      .add("quality", noise.quality)
      .add("noise", noise.of_all.rms)
      .add("error", noise.of_all.error)
      .add("counts", noise.is_grain ? "grain" : "all")
      .add("clean", LivePictures::unseen)
      .add("clean_quality", noise.clean_quality)
      .add("seconds_a_quality", noise.seconds_a_quality)
      .add("width", noise.map.width)
      .add("height", noise.map.height)
      .add("side", NoiseMap::side)
      .add("least", NoiseMap::least)
      .add("most", NoiseMap::most)
      .add("format", "levels");
  const std::vector<std::uint8_t>& levels = noise.map.levels;
  server_.send_binary(number,
                      with_head(head, {{0, noise.map.height, {levels.begin(), levels.end()}}}));
}

// ---- files ----

/// A file name that lies in the folder and is no other than it looks.
void LiveProtocol::check_name(const std::string& name, bool is_render) {
  const PictureFormat* const format = format_with_ending(ending_of(name));
  const bool known = is_render ? format != nullptr && name.find_first_of("{}#%") == name.npos
                               : name.ends_with(".flam3") || (format && !format->linear);
  if (!known || name.size() > 200 || safe_file_name(name) != name || name.starts_with("-")) {
    fail(ErrorKind::usage, "{}: \"{}\" is no name; take letters and digits, and {}",
         is_render ? "render" : "save", printable_whole(name.substr(0, 200)),
         is_render ? picture_endings() : ".flam3, " + picture_endings(false));
  }
  const auto there = std::filesystem::symlink_status(name);  // opening a pipe may wait for ever
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there))
    fail(ErrorKind::output, "save: {} is a link, a pipe or a folder; take another name", name);
}

/// Whether such a file is there, or a folder that holds what this would not make, which the page is
/// told.
bool LiveProtocol::is_in_the_way(const Save& save, bool is_file, const std::string& folder) {
  const bool is_there = is_file && std::filesystem::exists(save.name);
  if (save.replace || (!is_there && folder.empty())) return false;
  JsonObject message;
  message.add("type", "exists").add("name", save.name);
  if (!folder.empty()) message.add("folder", folder);
  server_.send_text(save.client, message.text());
  return true;
}

/// Whether its picture may still come.
bool LiveProtocol::is_awaited(const Save& save) const {
  return std::any_of(easels_.begin(), easels_.end(), [&](const auto& easel) {
    return easel->live->state().revision == save.revision;
  });
}

void LiveProtocol::on_save(const Message& message) {
  const Easel& easel = *clients_.at(message.client)->easel;
  const LiveFlame::State state = easel.live->state();
  Save save{message.client, message.text("name"), message.flag("replace"),
            state.revision, state.index,          state.document()};
  check_name(save.name, false);
  if (is_in_the_way(save)) return;
  if (message.has("which")) {
    save_chosen(save, flames_of(message));
  } else if (message.has("flames")) {
    save_pack(save, message.body["flames"]);
  } else if (save.name.ends_with(".flam3")) {
    std::vector<Flame> flames =
        state.place.film ? state.place.film->keys : std::vector<Flame>{easel.live->flame()};
    for (Flame& flame : flames)  // from the file's own folder on: both may be moved together
      if (flame.sound) flame.sound->file = song_beside(flame.sound->file, save.name);
    if (message.has("for")) {
      if (message.text("for") != "flam3") fail(ErrorKind::usage, "save: \"for\" is flam3");
      return save_for_flam3(save, flames);
    }
    try_save(save, [&] {
      write_flames(save.name, flames, existing_of(save.replace));
      return std::string();
    });
  } else if (easel.picture && easel.picture->picture.settled &&
             easel.picture->picture.revision == state.revision) {
    save_picture(save, easel.picture);
  } else {
    if (saves_.size() >= 16) fail(ErrorKind::usage, "save: 16 pictures are pending already");
    saves_.push_back(save);
    tell(save.client, "info", save.name + " is saved when the picture is finished");
  }
}

/// Compressed again: the file says how it came to be, what pages get does not.
void LiveProtocol::save_picture(const Save& save, std::shared_ptr<const EncodedPicture> picture) {
  Save told = save;
  told.is_cleaned_alone = is_cleaned_alone(picture->picture);
  easels_.front()->encoder->add([this, save = told, picture] {
    try_save(save, [&] {
      const LivePicture& made = picture->picture;
      check_fits(save.name, made.image.width, made.image.height, made.image.bits(),
                 !made.image.opaque);
      format_for(made.image, save.name)
          .write(save.name, made.image, texts_of(made, options_, picture->hash),
                 {existing_of(save.replace), 0});
      return picture->hash;
    });
  });
}

/// Says what became of a file; `write` gives the hash of a picture. On any thread.
void LiveProtocol::try_save(const Save& save, const std::function<std::string()>& write) {
  try {
    JsonObject message;
    message.add("type", "saved").add("name", save.name);
    const std::string hash = write();
    if (!hash.empty()) message.add("hash", hash);
    if (save.is_cleaned_alone) message.add("alone", true);
    if (!save.lost.empty()) message.add("lost", save.lost);
    server_.post([this, save, text = message.text()] {
      note_saved(save);
      server_.send_text(save.client, text);
    });
  } catch (const std::exception& error) {
    server_.post(
        [this, save, text = std::string(error.what())] { tell(save.client, "error", text); });
  }
}

}  // namespace kiln::cli
