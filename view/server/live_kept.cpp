// SPDX-License-Identifier: MIT
// The part of the protocol that is about what outlives a run: edits that others have left, states that
// pages keep, and finished pictures of those to compare with.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <utility>

#include "engine/base/platform/temporary_file.h"
#include "engine/base/text.h"
#include "engine/io/file/input_file.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/picture/picture_format.h"
#include "view/server/live_protocol.h"

namespace kiln::cli {
namespace {

constexpr std::uint64_t most_seen_bytes = 1ull << 30;

}  // namespace

// ---- edits that others have left ----

std::string LiveProtocol::lost_json() const {
  JsonArray lost;
  for (const KeptEdits::Lost& one : lost_) {
    JsonObject about;
    about.add("key", one.key()).add("name", one.flame.name).add("time", std::uint64_t(one.time));
    if (!one.source.empty()) about.add("source", one.source);
    if (one.film) about.add("film", true);
    about.add("flame", genome_xml(one.flame));
    lost.add_json(about.text());
  }
  return JsonObject()
      .add("type", "lost")
      .add_json("flames", lost.text())
      .add("days", KeptEdits::days_of_thrown)
      .add("thrown", KeptEdits::folder_of_thrown())
      .text();
}

/// Whether what is edited is kept, too, with its versions.
std::string LiveProtocol::keeping_json() const {
  const std::string edits = kept_.trouble();
  return JsonObject()
      .add("type", "keeping")
      .add("trouble", edits.empty() ? versions_.trouble() : edits)
      .text();
}

/// Edits that another run has left: a page takes them as flames of their own, or throws them away; all
/// of them, or those that it names.
void LiveProtocol::on_lost(const Message& message) {
  const auto which = message.body.find("which");
  if (which != message.body.end() && !which->is_array())
    fail(ErrorKind::usage, "lost: \"which\" is a list of keys");
  const auto is_meant = [&](const KeptEdits::Lost& lost) {
    return which == message.body.end() ||
           std::find(which->begin(), which->end(), lost.key()) != which->end();
  };
  const auto rest = std::stable_partition(
      lost_.begin(), lost_.end(), [&](const KeptEdits::Lost& lost) { return !is_meant(lost); });
  std::vector<KeptEdits::Lost> meant(std::make_move_iterator(rest),
                                     std::make_move_iterator(lost_.end()));
  lost_.erase(rest, lost_.end());
  if (message.flag("take")) {
    if (!meant.empty()) take_lost(message.client, meant);
    kept_.forget(std::move(meant));
  } else {
    kept_.throw_away(std::move(meant));
  }
  tell_all(lost_json());
}

void LiveProtocol::take_lost(int client, const std::vector<KeptEdits::Lost>& taken) {
  std::vector<LiveDocument> documents;
  for (const KeptEdits::Lost& lost : taken) documents.push_back({lost.flame, lost.film});
  const int first = live().append(std::move(documents));  // all of them or none
  add_papers();
  for (std::size_t i = std::size_t(first); i < papers_.size(); ++i) {
    papers_[i].source = taken[i - std::size_t(first)].source;
    papers_[i].unsaved = true;
    papers_[i].saved.clear();
    versions_.resume(int(i), taken[i - std::size_t(first)].key(), papers_[i].source);
    kept_.keep(int(i), std::exchange(papers_[i].opened, ""), taken[i - std::size_t(first)].source);
  }
  show_opened(client, first);
}

// ---- states that pages keep ----

std::string LiveProtocol::states_json(bool is_first) const {
  JsonArray states;
  for (const KeptStates::State& state : states_.all())
    states.add_json(JsonObject()
                        .add("name", state.name)
                        .add("flame", state.flame)
                        .add("thumb", state.thumb)
                        .text());
  return JsonObject()
      .add("type", "states")
      .add("first", is_first)
      .add_json("states", states.text())
      .text();
}

/// A state that is kept from now on, has another name or picture, or is not kept any more. The other
/// pages hear of it.
void LiveProtocol::on_state(const Message& message) {
  const std::string flame = message.text("flame");
  std::string trouble;
  try {
    if (message.flag("remove"))
      states_.remove(flame);
    else
      states_.put({message.text("name"), flame, message.has("thumb") ? message.text("thumb") : ""});
    name_version(message);
  } catch (const Error& error) {
    trouble = error.what();
  }
  for (const auto& [number, client] : clients_)
    if (number != message.client) server_.send_text(number, states_json(false));
  if (!trouble.empty()) tell(message.client, "warning", trouble);
}

/// The finished picture of a flame that is not the page's own, made beside it.
void LiveProtocol::on_see(const Message& message) {
  see_no_more(message.client);  // a page looks at one
  if (!message.has("flame")) return;
  const Flame flame = flame_of(message.text("flame"));
  std::error_code none;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(none);
  const auto file = std::make_shared<PrivateFile>((folder / "kiln-view-seen").string(),
                                                  std::string(format_for(false).ending), "");
  if (file->path().empty())
    fail(ErrorKind::output, "no file for the picture can be made in {}", folder.string());
  const int id = aside_.add(file->path(), genome_xml(flame), {});
  seen_[id] = {message.client, wish_of(message), file};
}

void LiveProtocol::see_no_more(int client) {
  std::erase_if(seen_, [&](const auto& entry) {
    if (entry.second.client == client) aside_.cancel(entry.first);
    return entry.second.client == client;
  });
}

/// Sends each picture that is made to the page that wanted it.
void LiveProtocol::tell_seen() {
  std::vector<int> over;
  for (const auto& [id, seen] : seen_) {
    const bool is_made = !aside_.made(id).empty();
    if (!is_made && aside_.failure(id).empty()) continue;
    over.push_back(id);
    if (!is_made) {
      tell(seen.client, "warning", aside_.failure(id));
      continue;
    }
    JsonObject head;
    head.add("type", "seen").add("number", seen.number).add("format", "png");
    try {
      server_.send_binary(
          seen.client,
          with_head(head, {{0, 0,
                            InputFile(seen.file->path(), InputFile::Opens::regular_files)
                                .read_all(most_seen_bytes)}}));
    } catch (const Error& error) {
      tell(seen.client, "error", error.what());
    }
  }
  for (const int id : over) seen_.erase(id);
  if (!over.empty()) aside_.clear();
}

}  // namespace kiln::cli
