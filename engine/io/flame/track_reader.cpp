// SPDX-License-Identifier: MIT
#include "engine/io/flame/track_reader.h"

#include <tinyxml2.h>

#include <algorithm>
#include <cmath>

#include "engine/base/text.h"
#include "engine/io/flame/attribute_reader.h"
#include "engine/io/flame/sound_reader.h"
#include "engine/model/flame_attributes.h"
#include "engine/model/track_target.h"

namespace kiln {
namespace {

constexpr int most_xforms = 4096;

int read_xform_number(const Attribute& a) {
  if (a.value == "final") return track_of_final;
  return read_integer(a, 1, most_xforms) - 1;
}

TrackEnds read_ends(const Attribute& a) {
  const auto word = std::find(std::begin(track_ends_words), std::end(track_ends_words), a.value);
  if (word == std::end(track_ends_words)) a.reject("must be hold, cycle or ping-pong");
  return TrackEnds(word - std::begin(track_ends_words));
}

/// A track with its target, which its keys are read by.
struct ReadTrack {
  Track track;
  TrackTarget target;
  const Attribute *from = nullptr, *to = nullptr, *easing = nullptr;  // of a song's drive
};

std::string usable_place(int xform) {
  if (xform == track_of_flame) return "<flame>";
  return xform == track_of_final ? "the finalxform" : "an xform";
}

/// Throws the reason why there is no such target, and what to write.
[[noreturn]] void reject_name(const Attribute& a, int xform) {
  if (xform == track_of_flame && find_track_target(0, a.value))
    a.reject("is of an xform; say which: xform=\"1\"");
  if (xform == track_of_flame && find_flame_attribute(a.value))
    a.reject("has no value that a track could move at a time; give it to the key flames");
  if (xform != track_of_flame && find_track_target(track_of_flame, a.value))
    a.reject("is of <flame>; leave xform out");
  if (xform != track_of_flame && (a.value == "coefs" || a.value == "post")) {
    const char* post = a.value == "post" ? "post_" : "";
    a.reject("six numbers turn badly; move {0}position, {0}size and {0}turn", post);
  }
  a.reject("nothing of {} has this name{}", usable_place(xform),
           did_you_mean(a.value, track_target_names(xform)));
}

/// `attributes` must outlive it.
ReadTrack read_head(const std::vector<Attribute>& attributes, int line, Messages& messages) {
  ReadTrack read;
  read.track.line = line;
  const Attribute *name = nullptr, *of_sound = nullptr;
  SoundDrive drive;
  bool is_driven = false;
  for (const Attribute& a : attributes) {
    const std::pair<std::string_view, const Attribute**> places[] = {
        {"name", &name}, {"from", &read.from}, {"to", &read.to}, {"easing", &read.easing}};
    const auto place = std::find_if(std::begin(places), std::end(places),
                                    [&](const auto& one) { return one.first == a.name; });
    if (place != std::end(places)) {
      *place->second = &a;
      if (place->second != &name) of_sound = &a;
    } else if (a.name == "xform") {
      read.track.xform = read_xform_number(a);
    } else if (a.name == "ends") {
      read.track.ends = read_ends(a);
    } else if (take_drive(a, drive)) {
      is_driven |= a.name == "sound";
      of_sound = &a;
    } else {
      a.reject(
          "<kiln_track> has no such attribute; it knows xform, name and ends, and of a song sound, "
          "from, to, easing, each, shape, threshold, delay, attack and release");
    }
  }
  if (of_sound != nullptr && !is_driven)
    of_sound->reject("is of a track that a song drives; add sound=\"bass\"");
  if (is_driven) read.track.sound = drive;
  if (name == nullptr)
    messages.error(line, "kiln_track: says not what it moves; add name=\"brightness\"");
  auto target = find_track_target(read.track.xform, name->value);
  if (!target) reject_name(*name, read.track.xform);
  read.target = *std::move(target);
  read.track.name = read.target.name;
  return read;
}

std::vector<double> read_word(const Attribute& a, const TrackTarget& target) {
  const auto word = std::find(target.words.begin(), target.words.end(), a.value);
  if (word == target.words.end())
    a.reject("must be one of {}", joined({target.words.begin(), target.words.end()}, ", "));
  return {double(word - target.words.begin())};
}

TrackKey read_key(const tinyxml2::XMLElement& element, const TrackTarget& target,
                  const std::string& owner, Messages& messages) {
  TrackKey key;
  key.line = element.GetLineNum();
  bool has_time = false;
  for (const Attribute& a : attributes_of(element, owner, messages)) {
    if (a.name == "time") {
      key.time = read_real(a, -1e9, 1e9);
      has_time = true;
    } else if (a.name == "value") {
      key.value = read_track_value(a, target);
    } else if (a.name == "easing") {
      key.easing = read_easing(a, easing_words);
    } else {
      a.reject("<key> has no such attribute; it knows time, value and easing");
    }
  }
  if (!has_time || key.value.empty())
    messages.error(key.line, "{}: a key needs time=\"...\" and value=\"...\"", owner);
  return key;
}

/// Rising times, and as many numbers in each.
void check_next(const Track& track, const TrackKey& key, const std::string& owner,
                const Messages& messages) {
  if (track.keys.size() >= most_track_keys)
    messages.error(key.line, "{}: has more than {} keys", owner, most_track_keys);
  if (track.keys.empty()) return;
  const TrackKey& before = track.keys.back();
  if (!(key.time > before.time))
    messages.error(
        key.line,
        "{}: time=\"{}\" does not come after the time=\"{}\" of the key before; sort the "
        "keys by their times",
        owner, shortest(key.time), shortest(before.time));
  if (key.value.size() != before.value.size())
    messages.error(key.line, "{}: this key has {} numbers, the one before {}; give both as many",
                   owner, key.value.size(), before.value.size());
}

/// The values at both ends of what a song drives, in the place of keys.
void read_ends_of_drive(const tinyxml2::XMLElement& element, const std::string& owner,
                        const Messages& messages, ReadTrack& read) {
  Track& track = read.track;
  check_drive(*track.sound, owner, track.line, messages);
  if (read.from == nullptr || read.to == nullptr)
    messages.error(track.line,
                   "{}: a song drives it between two values; add from=\"...\" and to=\"...\"",
                   owner);
  if (element.FirstChildElement() != nullptr)
    messages.error(element.FirstChildElement()->GetLineNum(),
                   "{}: has keys and a song; leave out either sound=\"...\" or the <key> elements",
                   owner);
  if (track.ends != TrackEnds::hold)
    messages.error(track.line, "{}: ends is of keys; leave it out where a song drives", owner);
  TrackKey from, to;
  from.value = read_track_value(*read.from, read.target);
  to.value = read_track_value(*read.to, read.target);
  to.time = 1;
  from.line = to.line = track.line;
  if (read.easing != nullptr) from.easing = read_easing(*read.easing, flame_easing_words);
  if (from.value.size() != to.value.size())
    messages.error(track.line, "{}: from has {} numbers, to has {}; give both as many", owner,
                   from.value.size(), to.value.size());
  track.keys = {std::move(from), std::move(to)};
}

}  // namespace

std::vector<double> read_track_value(const Attribute& a, const TrackTarget& target) {
  if (!target.words.empty()) return read_word(a, target);
  std::vector<double> value = read_real_list(a);
  if (value.size() < target.least || value.size() > target.most)
    a.reject("has {} numbers where {} has {}{}", value.size(), target.name, target.least,
             target.most > target.least ? " or more" : "");
  for (const double number : value) {
    const bool is_low = target.above ? number <= target.low : number < target.low;
    if (is_low || number > target.high)
      a.reject("{} must be {} {} and at most {}", target.name, target.above ? "above" : "at least",
               shortest(target.low), shortest(target.high));
  }
  if (target.attribute && !target.attribute->has(FlameAttribute::own_reader)) {
    Flame flame;  // as the file's own attribute: whole numbers, stars of even points
    DeferredAttributes deferred;
    set_flame_attribute({a.messages, a.owner, target.name, a.value, a.line}, flame, deferred);
  }
  return value;
}

Track read_track(const tinyxml2::XMLElement& element, Messages& messages) {
  static const std::string element_name(track_element);
  const std::vector<Attribute> attributes = attributes_of(element, element_name, messages);
  ReadTrack read = read_head(attributes, element.GetLineNum(), messages);
  Track& track = read.track;
  const std::string owner = "track of " + track_label(track);
  if (track.sound) {
    read_ends_of_drive(element, owner, messages, read);
    return track;
  }
  for (const auto* child = element.FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement()) {
    if (std::string_view(child->Name()) != "key")
      messages.error(child->GetLineNum(), "{}: <{}> cannot stand here; a track has <key> elements",
                     owner, printable(child->Name()));
    TrackKey key = read_key(*child, read.target, owner, messages);
    check_next(track, key, owner, messages);
    track.keys.push_back(std::move(key));
  }
  if (track.keys.empty())
    messages.error(track.line, "{}: has no key; add <key time=\"0\" value=\"...\"/>", owner);
  return track;
}

Track parse_track(const std::string& xml, const std::string& name) {
  const ReaderOptions options;
  Messages messages(name, options);
  tinyxml2::XMLDocument document;
  if (document.Parse(xml.data(), xml.size()) != tinyxml2::XML_SUCCESS ||
      document.RootElement() == nullptr || document.RootElement()->Name() != track_element)
    messages.error(0, "is no <{}>", track_element);
  return read_track(*document.RootElement(), messages);
}

std::string track_xml(const Track& track) {
  const auto target = find_track_target(track.xform, track.name);
  std::string xml = "   <kiln_track";
  if (track.xform == track_of_final) xml += " xform=\"final\"";
  if (track.xform >= 0) xml += fmt::format(" xform=\"{}\"", track.xform + 1);
  xml += fmt::format(" name=\"{}\"", track.name);
  if (track.ends != TrackEnds::hold)
    xml += fmt::format(" ends=\"{}\"", track_ends_words[std::size_t(track.ends)]);
  const auto value_of = [&](const TrackKey& key) {
    return target ? track_value_text(*target, key.value) : "";
  };
  if (track.sound) {
    const TrackKey& from = track.keys.front();
    xml += drive_attributes(*track.sound) +
           fmt::format(" from=\"{}\" to=\"{}\"", value_of(from), value_of(track.keys.back()));
    if (from.easing != Easing{}) xml += fmt::format(" easing=\"{}\"", easing_text(from.easing));
    return xml + "/>\n";
  }
  xml += ">\n";
  for (const TrackKey& key : track.keys) {
    xml += fmt::format("      <key time=\"{}\" value=\"{}\"", shortest(key.time), value_of(key));
    if (key.easing != Easing{}) xml += fmt::format(" easing=\"{}\"", easing_text(key.easing));
    xml += "/>\n";
  }
  return xml + "   </kiln_track>\n";
}

}  // namespace kiln
