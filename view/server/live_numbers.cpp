// SPDX-License-Identifier: MIT
// The part of the protocol by which numbers of a live flame are moved one by one, many times a second: by a page that
// listens to a microphone or to a control, and by OSC.
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "cli/says/console.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/model/formula.h"
#include "engine/model/number_link.h"
#include "engine/model/track_target.h"
#include "view/server/live_protocol.h"

namespace kiln::cli {
namespace {

constexpr std::size_t most_moved = 64;
constexpr double told_every_s = 0.25;   // of a flame that moves
constexpr double same_gesture_s = 1.5;  // packets that come sooner are of one step of undo
constexpr std::uint64_t osc_gesture = 1ull << 60;  // apart from those of pages

/// The attribute of a file in which a number of an xform stands.
std::string attribute_of(const NumberPlace& place) {
  for (const char* const name : {"position", "size", "turn"}) {
    if (place.name == name) return "coefs";
    if (place.name == std::string("post_") + name) return "post";
  }
  return place.name;
}

/// The texts of what the flame's links have set: [[xform, attribute, text]], xforms from 0, -1: the flame, -2: the
/// final one; null: it is left out.
std::string linked_json(const Flame& flame) {
  const FormulaNames names(flame);
  JsonArray all;
  for (const NumberLink& link : flame.links) {
    const std::optional<NumberPlace> place = number_place(link.number);
    if (!place || !has_xform(flame, place->xform)) continue;
    std::string name = place->name, text;
    if (place->xform == track_of_flame) {
      text = attribute_text(flame, name);
    } else {
      const bool is_final = place->xform == track_of_final;
      name = attribute_of(*place);
      const Xform& xform = is_final ? *flame.final_xform : flame.xforms[std::size_t(place->xform)];
      for (const auto& [other, value] : xform_attributes(xform, is_final))
        if (other == name) text = value;
    }
    JsonArray one;
    one.add_json(std::to_string(place->xform));
    one.add_json(json_string(name));
    one.add_json(text.empty() ? "null" : json_string(text));
    all.add_json(one.text());
  }
  return all.text();
}

}  // namespace

/// The flame's text for who does not have it; for who does, what its links have made of that.
void LiveProtocol::add_text(JsonObject& message, const Client& client,
                            const LiveFlame::State& state, bool own) {
  if (!own)
    message.add("flame", state.xml);
  else if (state.xml.find("<kiln_link") != std::string::npos)
    message.add_json("linked", linked_json(client.easel->live->flame()));
}

/// Moves numbers of the flame. Pictures follow each; pages hear a few times a second what it is now.
void LiveProtocol::move(Easel& easel, const std::vector<NamedNumber>& numbers,
                        std::uint64_t gesture, bool is_last) {
  Flame flame = easel.live->flame();
  put_numbers(flame, numbers);
  const LiveFlame::State state = easel.live->edit(genome_xml(flame), gesture, false);
  easel.is_moved = true;
  if (is_last || seconds_since(easel.told_at) > told_every_s)
    tell_moved(easel, state);
  else
    note(state);
}

void LiveProtocol::tell_moved(Easel& easel, const LiveFlame::State& state) {
  easel.told_at = Clock::now();
  tell_flame(easel, state, -1, true);
  easel.is_moved = false;
}

/// Moves what a page says: "values" are addresses with their numbers.
void LiveProtocol::on_move(const Message& message) {
  const auto given = message.body.find("values");
  if (given == message.body.end() || !given->is_object() || given->size() > most_moved)
    fail(ErrorKind::usage, "move: \"values\" has at most {} names with their numbers", most_moved);
  std::vector<NamedNumber> numbers;
  for (const auto& [address, value] : given->items()) {
    auto number = number_at(address);
    const bool is_list = value.is_array() && value.size() <= 8;
    if (number && value.is_number()) number->value = {value.get<double>()};
    if (number && is_list)
      for (const auto& one : value)
        number->value.push_back(one.is_number() ? one.get<double>() : NAN);
    if (!number || number->value.empty())
      fail(ErrorKind::usage, "move: \"{}\" is no number of a flame",
           printable_whole(address.substr(0, 200)));
    numbers.push_back(*std::move(number));
  }
  move(*clients_.at(message.client)->easel, numbers, gesture_of(message), message.flag("last"));
}

/// Hears numbers that came by OSC, on any thread. Those that come faster than they are shown are put together.
void LiveProtocol::hear_numbers(const std::vector<NamedNumber>& numbers) {
  const std::lock_guard lock(heard_mutex_);
  const bool is_first = heard_numbers_.empty();
  for (const NamedNumber& number : numbers)
    heard_numbers_[{number.xform, number.name}] = number.value;
  if (is_first && !heard_numbers_.empty()) server_.post([this] { move_heard(); });
}

void LiveProtocol::move_heard() {
  std::map<std::pair<int, std::string>, std::vector<double>> heard;
  {
    const std::lock_guard lock(heard_mutex_);
    heard.swap(heard_numbers_);
  }
  if (seconds_since(heard_at_) > same_gesture_s) ++heard_gesture_;
  heard_at_ = Clock::now();
  std::vector<NamedNumber> numbers;
  for (auto& [name, value] : heard) numbers.push_back({name.first, name.second, std::move(value)});
  Easel& easel = *easels_.front();
  try {
    move(easel, numbers, osc_gesture + heard_gesture_, false);
  } catch (const Error&) {  // one of them cannot be: the others count
    for (const NamedNumber& number : numbers) move_alone(easel, number);
  }
}

void LiveProtocol::move_alone(Easel& easel, const NamedNumber& number) {
  try {
    move(easel, {number}, osc_gesture + heard_gesture_, false);
  } catch (const Error& error) {
    const std::string text = std::string("OSC: ") + error.what();
    if (std::exchange(heard_trouble_, text) == text) return;
    say("kiln: {}\n", text);
    tell_easel(easel,
               JsonObject().add("type", "message").add("kind", "warning").add("text", text).text());
  }
}

}  // namespace kiln::cli
