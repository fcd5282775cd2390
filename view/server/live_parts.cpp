// SPDX-License-Identifier: MIT
// The part of the protocol that is about slow networks: a large picture goes in parts, so that the page can say how much of
// it has come, and what was not sent is left out where another picture is wanted.
#include "view/server/live_protocol.h"

namespace kiln::cli {
namespace {

constexpr std::size_t part_bytes = 32 << 10, large_bytes = 128 << 10;

std::string parts_of(std::size_t bytes, std::uint64_t frame) {
  return JsonObject().add("type", "parts").add("bytes", bytes).add("frame", frame).text();
}

}  // namespace

void LiveProtocol::on_view(const Message& message) {
  Client& client = *clients_.at(message.client);
  LiveFlame::View& view = client.view;
  view.pixels = message.number("width", 1, 32768) * message.number("height", 1, 32768);
  view.budget_s = message.number("budget_ms", 1, 1000, 40) / 1000;
  client.takes_parts = message.flag("parts");
  client.easel->live->view(view);
}

/// Sends the message of a frame. Parts come after a word on how many bytes they are, without other messages between.
void LiveProtocol::send_frame(int number, Client& client, bool settled, std::string bytes) {
  give_up_parts(number);
  if (!client.takes_parts || !settled || bytes.size() < large_bytes)
    return server_.send_binary(number, std::move(bytes));
  server_.send_text(number, parts_of(bytes.size(), client.sent));
  for (std::size_t at = 0; at < bytes.size(); at += part_bytes)
    server_.send_part(number, bytes.substr(at, part_bytes));
}

/// Leaves out what was not sent of a picture that is of no use any more, and says so in its place.
void LiveProtocol::give_up_parts(int number) { server_.drop_parts(number, parts_of(0, 0)); }

}  // namespace kiln::cli
