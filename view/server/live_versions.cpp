// SPDX-License-Identifier: MIT
// The part of the protocol that is about versions: what a flame was, going back there, and a flame of its
// own that begins there.
#include <exception>
#include <utility>

#include "cli/says/console.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/flame/genome_writer.h"
#include "view/server/live_protocol.h"

namespace kiln::cli {
namespace {

constexpr std::size_t most_at_once = 48;  // texts of versions
constexpr std::size_t most_answer_bytes = 8 << 20;

std::string name_of_copy(const std::string& name) {
  return name.ends_with(" copy") || name.empty() ? name : name + " copy";
}

}  // namespace

/// The flame or film of a text that was written here.
LiveDocument LiveProtocol::document_of(const std::string& text) const {
  if (text.starts_with("<flames")) {
    auto film = live_film(text, reader_);
    Flame first = film->keys[0];
    return {std::move(first), std::move(film)};
  }
  return {flame_of(text), nullptr};
}

/// Every step is a version; pages that are at the flame hear which one it is now. An edit is an edit
/// where it cannot be one.
void LiveProtocol::note_version(const LiveFlame::State& state) {
  try {
    if (!versions_.note(state.index, state.step, state.document(), state.name)) return;
  } catch (const std::exception& error) {
    if (std::exchange(version_trouble_, error.what()) != error.what())
      say("kiln: a version cannot be kept: {}\n", error.what());
    return;
  }
  const std::string text = JsonObject()
                               .add("type", "versioned")
                               .add("index", state.index)
                               .add("now", versions_.now(state.index))
                               .text();
  for (const auto& [number, client] : clients_)
    if (client->easel->live->state().index == state.index) server_.send_text(number, text);
}

/// The versions of the page's flame.
void LiveProtocol::on_versions(const Message& message) {
  const int index = clients_.at(message.client)->easel->live->state().index;
  JsonArray all;
  for (const Versions::Version& version : versions_.list(index)) {
    JsonArray one;
    one.add_json(json_string(version.id));
    if (!version.name.empty()) one.add_json(json_string(version.name));
    all.add_json(one.text());
  }
  server_.send_text(message.client, JsonObject()
                                        .add("type", "versions")
                                        .add("index", index)
                                        .add("folder", versions_.folder(index))
                                        .add("days", Versions::Limits{}.days)
                                        .add("now", versions_.now(index))
                                        .add_json("all", all.text())
                                        .text());
}

/// Texts of versions, of films their first key; or the name of one.
void LiveProtocol::on_version(const Message& message) {
  const auto which = message.body.find("which");
  if (which == message.body.end() || !which->is_array() || which->size() > most_at_once)
    fail(ErrorKind::usage, "version: \"which\" is a list of at most {} versions", most_at_once);
  JsonArray found;
  std::size_t bytes = 0;
  for (const auto& id : *which) {
    if (!id.is_string()) fail(ErrorKind::usage, "version: \"which\" is a list of texts");
    if (message.has("name")) {
      versions_.name(id.get<std::string>(), message.text("name"));
      tell_all(JsonObject()
                   .add("type", "versioned")
                   .add("id", id.get<std::string>())
                   .add("name", message.text("name"))
                   .text());
      continue;
    }
    try {
      const LiveDocument document = document_of(versions_.document(id.get<std::string>()));
      const std::string xml = genome_xml(document.flame);
      if ((bytes += xml.size()) > most_answer_bytes) break;
      found.add_json(JsonObject()
                         .add("id", id.get<std::string>())
                         .add("film", document.film != nullptr)
                         .add("flame", xml)
                         .text());
    } catch (const Error&) {  // it went by its age, or somebody has removed it
    }
  }
  if (message.has("name")) return;
  server_.send_text(message.client, JsonObject()
                                        .add("type", "version")
                                        .add("number", wish_of(message))
                                        .add_json("versions", found.text())
                                        .text());
}

/// The flame is that version again. A hand that goes over many of them is one step, and pictures of
/// the ones before come too.
void LiveProtocol::on_go(const Message& message) {
  Easel& easel = *clients_.at(message.client)->easel;
  const std::string id = message.text("version");
  const LiveFlame::State state =
      easel.live->restore(document_of(versions_.document(id)), gesture_of(message));
  versions_.went(state.index, state.step, id);
  tell_flame(easel, state, -1, true);
}

/// A flame of its own that begins as this one is, or as one of its versions was.
void LiveProtocol::on_copy(const Message& message) {
  const LiveFlame::State state = clients_.at(message.client)->easel->live->state();
  const std::string id = message.has("version") ? message.text("version")
                                                : versions_.now_or_begin(state.index, state.name);
  LiveDocument document =
      document_of(message.has("version") ? versions_.document(id) : state.document());
  const std::string name = name_of_copy(document.flame.name);
  document.flame.name = name;
  if (document.film) {
    std::vector<Flame> keys = document.film->keys;
    keys[0].name = name;
    document.film = live_film(std::move(keys));
  }
  const int index = live().append(std::vector{std::move(document)});
  add_papers();
  Paper& paper = papers_.at(std::size_t(index));
  paper.source.clear();
  paper.saved.clear();
  paper.unsaved = true;
  if (!id.empty()) versions_.branch(index, id);
  kept_.keep(index, std::exchange(paper.opened, ""));
  tell_names();
  go_to(message.client, index);
}

/// A state that a page keeps is a version with that name.
void LiveProtocol::name_version(const Message& message) {
  const LiveFlame::State state = clients_.at(message.client)->easel->live->state();
  const std::string xml = genome_xml(flame_of(message.text("flame")));
  const bool is_over = message.flag("remove");
  const std::string id = xml != state.xml ? versions_.named_with(state.index, xml)
                         : is_over        ? versions_.now(state.index)
                                          : versions_.now_or_begin(state.index, state.name);
  if (id.empty()) return;
  const std::string name = is_over ? "" : message.text("name");
  versions_.name(id, name);
  tell_all(JsonObject().add("type", "versioned").add("id", id).add("name", name).text());
}

}  // namespace kiln::cli
