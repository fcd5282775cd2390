// SPDX-License-Identifier: MIT
// What the page's worker has open (web.cpp), and how its functions answer: with a JSON object, with "error" in it
// where something was wrong; what it names by address and bytes stays there until the next call.
#pragma once

#include <cstdint>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/flock/flock.h"
#include "engine/live/progressive_render.h"
#include "engine/model/image.h"

namespace kiln {

using Json = nlohmann::json;

constexpr std::uint64_t most_memory = std::uint64_t(1800) << 20;  // of the 2 GiB of the module

/// The flames of the file that the page has open, the one that is played with, and its picture.
struct Desk {
  std::vector<Flame> flames;
  Flame open;
  std::optional<ProgressiveRender> render;
  std::optional<PreviewRenderer> previews;  // of drafts, and of small pictures
  Flame flame;                              // that is rendered, in its size
  RenderOptions options;
  Image image;  // made last
  std::vector<std::uint8_t> shown;
  std::string png, text;
  std::string answer;
};
extern Desk desk;

inline RenderOptions usual_options() {
  RenderOptions options;
  options.backend = Backend::cpu;
  options.threads = 1;
  options.max_memory_bytes = most_memory;
  return options;
}

/// The answer of `work`, which fills a JSON object.
template <class Work>
const char* answered(Work work) {
  Json answer = Json::object();
  try {
    work(answer);
  } catch (const std::bad_alloc&) {
    answer = {{"error", "out of memory; a smaller picture needs less"}};
  } catch (const std::exception& error) {
    answer = {{"error", error.what()}};
  }
  desk.answer = answer.dump(-1, ' ', false, Json::error_handler_t::replace);
  return desk.answer.c_str();
}

/// The flame of XML, or of a link. Throws Error (input).
Flame flame_of(std::string_view xml);

}  // namespace kiln
