// SPDX-License-Identifier: MIT
#include "view/server/kept_states.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/file/input_file.h"
#include "view/server/kept_token.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_flame_bytes = 256 << 10, most_thumb_bytes = 64 << 10,
                      most_name_bytes = 200, most_list_bytes = 32 << 20;
constexpr const char* thumb_begin = "data:image/jpeg;base64,";  // a page shows it as it is

std::string list_of_this_folder() {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const std::string state = state_folder();
  if (error || state.empty()) return "";
  return state + "/states/" + bytes_hash(here.string()).substr(0, 16) + ".json";
}

KeptStates::State state_of(const nlohmann::json& entry) {
  const auto text = [&](const char* key) {
    return entry.is_object() && entry.contains(key) && entry[key].is_string()
               ? entry[key].get<std::string>()
               : std::string();
  };
  KeptStates::State state{text("name"), text("flame"), text("thumb")};
  if (state.thumb.size() > most_thumb_bytes || !state.thumb.starts_with(thumb_begin))
    state.thumb.clear();
  return state;
}

}  // namespace

KeptStates::KeptStates() : path_(list_of_this_folder()) { read(); }

void KeptStates::put(State state) {
  if (state.flame.size() > most_flame_bytes || state.name.size() > most_name_bytes)
    fail(ErrorKind::usage, "state: a flame of more than {} KB is not kept; save it",
         most_flame_bytes >> 10);
  if (state.thumb.size() > most_thumb_bytes || !state.thumb.starts_with(thumb_begin))
    state.thumb.clear();
  read();  // another program may have kept one since
  const auto found = std::find_if(all_.begin(), all_.end(),
                                  [&](const State& one) { return one.flame == state.flame; });
  if (found != all_.end()) {
    *found = std::move(state);
  } else {
    if (all_.size() >= most) fail(ErrorKind::usage, "{} states are kept: remove some first", most);
    all_.push_back(std::move(state));
  }
  write();
}

void KeptStates::remove(const std::string& flame) {
  read();
  std::erase_if(all_, [&](const State& one) { return one.flame == flame; });
  write();
}

/// Reads the list; where there is none that of this run stays.
void KeptStates::read() {
  std::string text;
  try {
    text = InputFile(path_, InputFile::Opens::regular_files).read_all(most_list_bytes);
  } catch (const Error&) {
    return;
  }
  const nlohmann::json list = nlohmann::json::parse(text, nullptr, false);
  if (!list.is_object() || !list.contains("states") || !list["states"].is_array()) return;
  all_.clear();
  for (const nlohmann::json& entry : list["states"]) {
    State state = state_of(entry);
    if (!state.flame.empty() && all_.size() < most) all_.push_back(std::move(state));
  }
}

void KeptStates::write() const {
  if (path_.empty())
    fail(ErrorKind::output, "kept states go with this run: there is no folder for them (HOME)");
  JsonArray states;
  for (const State& state : all_)
    states.add_json(JsonObject()
                        .add("name", state.name)
                        .add("flame", state.flame)
                        .add("thumb", state.thumb)
                        .text());
  std::error_code error;
  const std::string folder = fs::path(path_).parent_path().string();
  fs::create_directories(folder, error);
  if (error)
    fail(ErrorKind::output, "kept states go with this run: {}: {}", folder, error.message());
  const std::string text = JsonObject()
                               .add("folder", fs::current_path(error).string())
                               .add_json("states", states.text())
                               .text();
  AtomicFile file(path_);
  file.write(text.data(), text.size());
  file.commit();
}

}  // namespace kiln::cli
