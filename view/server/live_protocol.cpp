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

#include "engine/base/error.h"
#include "engine/base/resources.h"
#include "engine/base/text.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/picture/picture_format.h"
#include "view/server/kept_token.h"

namespace kiln::cli {

// A page as the protocol knows it, and the messages that it sends.

/// A page.
struct LiveProtocol::Client {
  static constexpr double messages_a_second = 300, messages_at_once = 600;  // more are dropped

  struct Edit {
    std::uint64_t revision, number;
  };
  std::deque<Edit> edits;             // whose pictures may still come, the oldest first
  std::uint64_t least_revision = 0;   // pictures of older ones are of a flame that is not open now
  std::uint64_t last_number = 0;      // of the last edit
  std::uint64_t sent = 0, shown = 0;  // pictures
  std::shared_ptr<const EncodedPicture> waiting;
  double allowance = messages_at_once;  // messages that it may send now
  Clock::time_point heard_at = Clock::now();
  bool was_warned = false;  // that it talks too much

  /// The page's number of the newest edit that the revision has.
  std::uint64_t number_of(std::uint64_t revision) {
    while (edits.size() > 1 && edits[1].revision <= revision) edits.pop_front();
    return !edits.empty() && edits[0].revision <= revision ? edits[0].number : 0;
  }
  /// Whether it may say something now.
  bool may_talk() {
    const auto now = Clock::now();
    const double passed = std::chrono::duration<double>(now - heard_at).count();
    heard_at = now;
    allowance = std::min(messages_at_once, allowance + passed * messages_a_second) - 1;
    if (allowance < 0) allowance = -1;
    return allowance >= 0;
  }
};

/// What a page says: a JSON object of a known type.
struct LiveProtocol::Message {
  int client;
  std::string type;
  const nlohmann::json& body;

  double number(const char* key, double least, double most,
                std::optional<double> usual = std::nullopt) const {
    const auto found = body.find(key);
    if (found == body.end() && usual) return *usual;
    const double value = found != body.end() && found->is_number() ? found->get<double>() : NAN;
    if (!(value >= least && value <= most)) {
      fail(ErrorKind::usage, "{}: \"{}\" is a number from {} to {}", type, key, shortest(least),
           shortest(most));
    }
    return value;
  }
  std::string text(const char* key) const {
    const auto found = body.find(key);
    if (found == body.end() || !found->is_string())
      fail(ErrorKind::usage, "{}: \"{}\" is a text", type, key);
    return found->get<std::string>();
  }
  bool flag(const char* key) const {
    const auto found = body.find(key);
    return found != body.end() && found->is_boolean() && found->get<bool>();
  }
};

namespace {

/// The name of the folder that pages save into; empty where it was removed meanwhile.
std::string working_folder() {
  std::error_code removed;
  return std::filesystem::current_path(removed).filename().string();
}

constexpr int most_in_flight = 2;  // pictures that a page has not shown yet

/// A file name that lies in the folder and is no other than it looks.
void check_name(const std::string& name) {
  const PictureFormat* const format = format_with_ending(ending_of(name));
  const bool known = name.ends_with(".flam3") || (format && !format->linear);
  if (!known || name.size() > 200 || safe_file_name(name) != name || name.starts_with("-")) {
    fail(ErrorKind::usage, "save: \"{}\" is no name; take letters and digits, and .flam3 or {}",
         printable_whole(name.substr(0, 200)), picture_endings(false));
  }
  const auto there = std::filesystem::symlink_status(name);  // opening a pipe may wait for ever
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there))
    fail(ErrorKind::output, "save: {} is a link, a pipe or a folder; take another name", name);
}

AtomicFile::Existing existing_of(bool replace) {
  return replace ? AtomicFile::Existing::replace : AtomicFile::Existing::keep;
}

/// A binary message: its head, which says how long they are, and the stripes of a picture.
std::string with_head(JsonObject head, const std::vector<Stripe>& stripes) {
  JsonArray lengths;
  for (const Stripe& stripe : stripes)
    lengths.add_json(
        JsonObject().add("height", stripe.height).add("bytes", stripe.bytes.size()).text());
  const std::string text = head.add_json("stripes", lengths.text()).text();
  std::string message;
  for (int shift = 0; shift < 32; shift += 8) message += char(text.size() >> shift & 0xff);
  message += text;
  for (const Stripe& stripe : stripes) message += stripe.bytes;
  return message;
}

}  // namespace

LiveProtocol::LiveProtocol(Subject subject, WebServer::Settings settings)
    : options_(subject.options),
      folder_(working_folder()),
      run_(random_name()),
      server_(std::move(settings),
              {[this](int client) { open(client); }, [this](int client) { clients_.erase(client); },
               [this](int client, const std::string& text) { hear(client, text); }}) {
  const auto here = [this](auto work) { server_.post(std::move(work)); };
  FrameEncoder::Listener encoded;
  encoded.picture = [=, this](std::shared_ptr<const EncodedPicture> picture) {
    here([this, picture] { show(picture); });
  };
  encoded.thumbnail = [=, this](EncodedThumbnail thumbnail) {
    const auto shared = std::make_shared<EncodedThumbnail>(std::move(thumbnail));
    here([this, shared] { send_thumbnail(*shared); });
  };
  encoded.error = [=, this](const std::string& text) {
    here([this, text] { tell_error(0, text); });
  };
  encoder_ = std::make_unique<FrameEncoder>(std::move(encoded));
  LiveFlame::Listener made;
  made.picture = [this, also = subject.companion.picture](LivePicture picture) {
    if (also) also(picture);
    encoder_->add(std::move(picture));
  };
  made.thumbnail = [this](LiveThumbnail thumbnail) { encoder_->add(std::move(thumbnail)); };
  made.error = [=, this, also = subject.companion.error](std::uint64_t revision,
                                                         const std::string& text) {
    if (also) also(revision, text);
    here([=, this] {
      tell_error(revision, text);
      tell_playing(live_->state().playing);  // not any more, if that is what failed
    });
  };
  made.changed = [=, this] { here([this] { tell_flame(live_->state(), 0, false); }); };
  live_ = std::make_unique<LiveFlame>(std::move(subject.flames), subject.reader, options_,
                                      std::move(made));
}

LiveProtocol::~LiveProtocol() {
  live_.reset();
  encoder_.reset();
}

// ---- what pages say ----

const std::map<std::string, LiveProtocol::Handler>& LiveProtocol::handlers() {
  static const std::map<std::string, Handler> all = {
      {"edit", &LiveProtocol::on_edit},     {"view", &LiveProtocol::on_view},
      {"shown", &LiveProtocol::on_shown},   {"select", &LiveProtocol::on_select},
      {"undo", &LiveProtocol::on_undo},     {"redo", &LiveProtocol::on_redo},
      {"random", &LiveProtocol::on_random}, {"mutate", &LiveProtocol::on_mutate},
      {"play", &LiveProtocol::on_play},     {"stop", &LiveProtocol::on_stop},
      {"save", &LiveProtocol::on_save},     {"ping", &LiveProtocol::on_ping}};
  return all;
}

void LiveProtocol::open(int number) {
  clients_[number] = std::make_unique<Client>();
  JsonArray flames;
  for (const std::string& name : live_->names()) flames.add_json(json_string(name));
  server_.send_text(number, JsonObject()
                                .add("type", "welcome")
                                .add("protocol", 1)
                                .add("version", KILN_VERSION)
                                .add("run", run_)
                                .add("device", live_->device())
                                .add_json("flames", flames.text())
                                .add("folder", folder_)
                                .text());
  const LiveFlame::State state = live_->state();
  Client& client = *clients_[number];
  tell_flame_to(number, client, state, false);
  if (playing_) server_.send_text(number, playing_text());
  client.least_revision = state.revision;
  if (!picture_ || picture_->picture.revision < state.revision) return;
  client.waiting = picture_;
  send_picture(number, client);
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
  const auto handler = handlers().find(type->get<std::string>());
  if (handler == handlers().end())
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

void LiveProtocol::on_edit(const Message& message) {
  const auto number = std::uint64_t(message.number("number", 0, 0x1p53));
  const auto gesture = std::uint64_t(message.number("gesture", 0, 0x1p53, 0));
  // of one page: gestures of another are not the same
  const std::uint64_t own = gesture ? gesture * 64 + std::uint64_t(message.client % 64) : 0;
  const LiveFlame::State state = live_->edit(message.text("flame"), own);
  Client& client = *clients_.at(message.client);
  client.edits.push_back({state.revision, number});
  if (client.edits.size() > 1000) client.edits.pop_front();  // no picture comes
  client.last_number = number;
  tell_flame(state, message.client, true);
}

void LiveProtocol::on_view(const Message& message) {
  LiveFlame::View view;
  view.pixels = message.number("width", 1, 32768) * message.number("height", 1, 32768);
  view.budget_s = message.number("budget_ms", 1, 1000, 40) / 1000;
  live_->view(view);
}

void LiveProtocol::on_shown(const Message& message) {
  Client& client = *clients_.at(message.client);
  const auto frame = std::uint64_t(message.number("frame", 0, 0x1p53));
  client.shown = std::max(client.shown, std::min(frame, client.sent));
  send_picture(message.client, client);
}

void LiveProtocol::on_select(const Message& message) {
  const double index = message.number("index", 0, 1e6);
  tell_flame(live_->select(int(index)), message.client, false);
}

void LiveProtocol::on_undo(const Message& message) {
  tell_flame(live_->undo(), message.client, false);
}
void LiveProtocol::on_redo(const Message& message) {
  tell_flame(live_->redo(), message.client, false);
}

void LiveProtocol::on_random(const Message& message) {
  live_->randomize(
      std::uint64_t(message.number("seed", 0, 0x1p53, double(std::random_device()()))));
}

void LiveProtocol::on_mutate(const Message& message) {
  LiveFlame::Mutations wanted;
  wanted.count = int(message.number("count", 1, LiveFlame::most_mutations, 12));
  wanted.width = int(message.number("width", 16, LiveFlame::most_thumbnail_width, 200));
  wanted.strength = message.number("strength", 0, 1, 0.5);
  wanted.random = message.flag("random");
  tell_all(JsonObject()
               .add("type", "mutations")
               .add("set", live_->mutate(wanted))
               .add("count", wanted.count)
               .text());
}

void LiveProtocol::on_play(const Message& message) {
  tell_flame(live_->play(message.number("seconds", 0.1, 3600, 4)), message.client, false);
}
void LiveProtocol::on_stop(const Message& message) {
  tell_flame(live_->play(0), message.client, false);
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

/// To those whose last edit it was, or to all.
void LiveProtocol::tell_error(std::uint64_t revision, const std::string& text) {
  for (const auto& [number, client] : clients_)
    tell(number, "error", text, client->number_of(revision));
}

void LiveProtocol::tell_flame_to(int number, const Client& client, const LiveFlame::State& state,
                                 bool own) {
  JsonObject message;
  message.add("type", "flame")
      .add("index", state.index)
      .add("name", state.name)
      .add("number", client.last_number)
      .add("undo", state.undo)
      .add("redo", state.redo)
      .add("own", own);
  if (!own) message.add("flame", state.xml);
  server_.send_text(number, message.text());
}

std::string LiveProtocol::playing_text() const {
  return JsonObject().add("type", "playing").add("on", playing_).text();
}

/// The open flame is this now, by an edit of page `author`, or by something else: then no picture of
/// the one before comes any more.
void LiveProtocol::tell_flame(const LiveFlame::State& state, int author, bool is_edit) {
  for (const auto& [number, client] : clients_) {
    tell_flame_to(number, *client, state, is_edit && number == author);
    if (is_edit) continue;
    client->least_revision = state.revision;
    if (client->waiting && client->waiting->picture.revision < state.revision)
      client->waiting = nullptr;
  }
  tell_playing(state.playing);
}

void LiveProtocol::tell_playing(bool playing) {
  if (playing == playing_) return;
  playing_ = playing;
  tell_all(playing_text());
}

void LiveProtocol::show(std::shared_ptr<const EncodedPicture> picture) {
  picture_ = picture;
  for (const auto& [number, client] : clients_) {
    if (picture->picture.revision < client->least_revision) continue;
    client->waiting = picture;
    send_picture(number, *client);
  }
  if (!picture->picture.settled) return;
  for (const Save& save : std::exchange(saves_, {})) {
    if (save.revision == picture->picture.revision) {
      save_picture(save, picture);
    } else {
      tell(save.client, "error", save.name + " is not saved: the flame changed before it was done");
    }
  }
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
  if (picture.settled) head.add("hash", encoded->hash);
  server_.send_binary(number, with_head(head, encoded->stripes));
}

void LiveProtocol::send_thumbnail(const EncodedThumbnail& encoded) {
  const JsonObject head = JsonObject()
                              .add("type", "thumbnail")
                              .add("set", encoded.thumbnail.set)
                              .add("place", encoded.thumbnail.place)
                              .add("width", encoded.width)
                              .add("height", encoded.height)
                              .add("format", "jpeg")
                              .add("flame", encoded.thumbnail.xml);
  for (const auto& [number, client] : clients_)
    server_.send_binary(number, with_head(head, encoded.stripes));
}

// ---- files ----

void LiveProtocol::on_save(const Message& message) {
  const LiveFlame::State state = live_->state();
  Save save{message.client, message.text("name"), message.flag("replace"), state.revision};
  check_name(save.name);
  if (!save.replace && std::filesystem::exists(save.name)) {
    const std::string answer = JsonObject().add("type", "exists").add("name", save.name).text();
    return server_.send_text(save.client, answer);
  }
  if (save.name.ends_with(".flam3")) {
    const Flame flame = live_->flame();
    try_save(save, [&] {
      write_flames(save.name, {flame}, existing_of(save.replace));
      return std::string();
    });
  } else if (picture_ && picture_->picture.settled &&
             picture_->picture.revision == state.revision) {
    save_picture(save, picture_);
  } else {
    if (saves_.size() >= 16) fail(ErrorKind::usage, "save: 16 pictures are pending already");
    saves_.push_back(save);
    tell(save.client, "info", save.name + " is saved when the picture is finished");
  }
}

/// Compressed again: the file says how it came to be, what pages get does not.
void LiveProtocol::save_picture(const Save& save, std::shared_ptr<const EncodedPicture> picture) {
  encoder_->add([this, save, picture] {
    try_save(save, [&] {
      const LivePicture& made = picture->picture;
      const std::string record =
          render_record(*made.flame, options_, made.statistics, picture->hash);
      format_for(false).write(save.name, made.image, picture_texts(genome_xml(*made.flame), record),
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
    server_.post([this, save, text = message.text()] { server_.send_text(save.client, text); });
  } catch (const std::exception& error) {
    server_.post(
        [this, save, text = std::string(error.what())] { tell(save.client, "error", text); });
  }
}

}  // namespace kiln::cli
