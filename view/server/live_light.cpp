// SPDX-License-Identifier: MIT
// The part of the protocol that is about light: whose it is that a page points at.
#include <utility>

#include "engine/base/text.h"
#include "view/server/live_protocol.h"

namespace kiln::cli {
namespace {

constexpr double usual_seconds = 1, most_seconds = 20;
constexpr double far_px = 1e6;
constexpr int most_columns = 512;

}  // namespace

/// Without a flame the page does not want to know any more.
void LiveProtocol::on_light(const Message& message) {
  if (!message.has("flame")) return lights_.forget(message.client);
  LightDesk::Question question;
  question.client = message.client;
  question.number = wish_of(message);
  question.flame = flame_of(message.text("flame"));
  LightOptions& options = question.options;
  options.x = message.number("x", -far_px, far_px);
  options.y = message.number("y", -far_px, far_px);
  options.radius = message.number("radius", 0, far_px, 0);
  options.seconds = message.number("seconds", 0.01, most_seconds, usual_seconds);
  options.map_width = int(message.number("map", 0, most_columns, 0));
  options.seed = options_.seed;
  options.threads = options_.threads;
  lights_.ask(std::move(question));
}

void LiveProtocol::tell_light(const LightDesk::Question& question, const std::string& json,
                              const std::string& failure) {
  if (!clients_.contains(question.client)) return;
  JsonObject answer;
  answer.add("type", "light").add("number", question.number);
  if (failure.empty())
    answer.add_json("light", json);
  else
    answer.add("trouble", failure);
  server_.send_text(question.client, answer.text());
}

}  // namespace kiln::cli
