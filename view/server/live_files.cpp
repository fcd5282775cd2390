// SPDX-License-Identifier: MIT
// The part of the protocol that is about files: opening, small pictures of what is open, edits that are
// in no file, renders.
#include <algorithm>
#include <filesystem>
#include <random>
#include <set>
#include <utility>

#include "engine/base/text.h"
#include "engine/io/file/input_file.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/for_flam3.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/video_writer.h"
#include "engine/model/variations.h"
#include "view/server/flame_folder.h"
#include "view/server/live_protocol.h"

namespace kiln::cli {
namespace {

constexpr std::size_t most_small = 2000;     // of small pictures that are kept, 10 KB each
constexpr std::size_t most_names_said = 8;   // of flames, on the terminal
constexpr std::size_t most_of_a_pack = 200;  // flames
constexpr double most_side = 200000;         // of a render, in pixels

/// The type by which browsers show a file.
std::string picture_type(const std::string& name) {
  const PictureFormat* const picture = format_with_ending(ending_of(name));
  const VideoFormat* const film = video_format_with(ending_of(name));
  const char* const type = picture ? picture->media_type : film ? film->media_type : nullptr;
  return type ? type : "application/octet-stream";
}

std::string size_text(double width, double height) {
  return fmt::format("{}x{}", int(width), int(height));
}

}  // namespace

// ---- what is in no file ----

/// Flames were opened: what they are now is in a file.
void LiveProtocol::add_papers() {
  const std::lock_guard lock(shelf_->mutex);
  for (std::size_t i = papers_.size(); i < shelf_->flames.size(); ++i) {
    const FlameHistory& flame = shelf_->flames[i];
    papers_.push_back(
        {flame.flame().name, flame.flame().source, flame.document(), flame.document()});
    if (const auto& film = flame.place().film) papers_.back().frames = frames_of(*film);
    papers_.back().place = flame.flame().index;
    papers_.back().stars = stars_.of(path_of_source(flame.flame().source), flame.flame().index);
    versions_.open(int(i), flame.step(), flame.document(), path_of_source(flame.flame().source),
                   flame.flame().index);
  }
}

/// The flame is this now. All pages hear of its mark and its name; what is in no file is kept.
void LiveProtocol::note(const LiveFlame::State& state) {
  Paper& paper = papers_.at(std::size_t(state.index));
  if (paper.is_closed) return;
  const std::string& document = state.document();
  const bool unsaved = document != paper.saved && document != paper.opened;
  if (unsaved) paper.is_blank = false;
  if (unsaved || paper.unsaved)
    kept_.keep(state.index, unsaved ? document : "", path_of_source(paper.source));
  note_version(state);
  std::erase_if(lost_, [&](const KeptEdits::Lost& lost) {  // a page has given it back by itself
    const bool is_here = unsaved && lost.document == document;
    if (is_here) kept_.forget({lost});
    if (is_here) server_.post([this] { tell_all(lost_json()); });
    return is_here;
  });
  const int frames = state.place.film ? frames_of(*state.place.film) : 0;
  if (paper.unsaved == unsaved && paper.name == state.name && paper.frames == frames) return;
  paper.unsaved = unsaved;
  paper.name = state.name;
  paper.frames = frames;
  tell_all(JsonObject()
               .add("type", "mark")
               .add("index", state.index)
               .add("name", state.name)
               .add("unsaved", unsaved)
               .add("frames", frames)
               .text());
}

/// Notes as saved the flame as it was when somebody asked for it.
void LiveProtocol::note_saved(const Save& save) {
  remember_file(save.name);
  if (save.index < 0) {  // a pack, or for flam3: who had this file has it no more
    for (std::size_t i = 0; i < papers_.size(); ++i) {
      Paper& paper = papers_[i];
      if (paper.flame_file == save.name) paper.flame_file.clear();
      const bool is_opened = is_same_file(save.name, paper.source);
      if (paper.is_closed || (!is_opened && paper.saved_as != save.name)) continue;
      paper.saved.clear();
      if (is_opened) paper.opened.clear();
      note_state(int(i));
    }
    return;
  }
  papers_.at(std::size_t(save.index)).saved = save.xml;
  papers_.at(std::size_t(save.index)).saved_as = save.name;
  if (save.name.ends_with(".flam3")) {
    papers_[std::size_t(save.index)].flame_file = save.name;
    versions_.saved(save.index, save.name);
    if (const int stars = papers_[std::size_t(save.index)].stars; stars > 0)
      stars_.set({{save.name, 0, stars}});
  }
  for (std::size_t i = 0; i < papers_.size(); ++i) {
    Paper& paper = papers_[i];
    const bool is_it = int(i) == save.index, is_gone = is_same_file(save.name, paper.source);
    if (!is_it && !is_gone) continue;
    if (is_gone && !is_it && paper.saved == paper.opened) paper.saved.clear();
    if (is_gone) paper.opened = is_it ? save.xml : "";  // others of the file that was there, too
    note_state(int(i));
  }
}

/// Notes whether the flame as it is now is in a file.
void LiveProtocol::note_state(int index) {
  LiveFlame::State state;
  state.index = index;
  state.name = papers_.at(std::size_t(index)).name;
  state.xml = live().xml_of(index);
  state.place.film = live().film_of(index);
  {
    const std::lock_guard lock(shelf_->mutex);
    state.step = shelf_->flames[std::size_t(index)].step();
  }
  note(state);
}

/// Flames of a page, which are states of some that are open: those stay as they are.
void LiveProtocol::save_pack(const Save& save, const nlohmann::json& texts) {
  if (!save.name.ends_with(".flam3") || !texts.is_array() || texts.empty() ||
      texts.size() > most_of_a_pack)
    fail(ErrorKind::usage, "save: \"flames\" is a list of up to {} texts, for a .flam3",
         most_of_a_pack);
  std::vector<Flame> flames;
  for (const auto& text : texts) {
    if (!text.is_string()) fail(ErrorKind::usage, "save: \"flames\" is a list of texts");
    for (Flame& flame : parse_flames(text.get<std::string>(), save.name, reader_).flames) {
      flame.time = 0;  // of moments of a film too: a pack is none
      flames.push_back(std::move(flame));
    }
  }
  Save pack = save;
  pack.index = -1;
  try_save(pack, [&] {
    write_flames(save.name, flames,
                 save.replace ? AtomicFile::Existing::replace : AtomicFile::Existing::keep);
    return std::string();
  });
}

/// Writes what flam3 can say of them and names the rest; the flames stay unsaved, for no file of kiln's has them.
void LiveProtocol::save_for_flam3(const Save& save, std::vector<Flame> flames) {
  Save told = save;
  told.index = -1;
  std::set<std::string> all;  // of a film's keys each that lacks something else
  constexpr std::size_t most_said = 4;
  for (Flame& flame : flames)
    flame = flame_for_flam3(flame, true, [&](const std::string& lost) {
      if (all.size() < most_said && all.insert(lost).second)
        told.lost += (told.lost.empty() ? "" : "; ") + lost;
    });
  try_save(told, [&] {
    write_flames(save.name, flames,
                 save.replace ? AtomicFile::Existing::replace : AtomicFile::Existing::keep);
    return std::string();
  });
}

std::string LiveProtocol::names_json() const {
  JsonArray names;
  for (const Paper& paper : papers_)
    names.add_json(paper.is_closed ? "null" : json_string(paper.name));
  return names.text();
}

/// The frames of each flame's film, as a JSON list; 0: the flame is of no film.
std::string LiveProtocol::frames_json() const {
  JsonArray frames;
  for (const Paper& paper : papers_) frames.add_json(std::to_string(paper.frames));
  return frames.text();
}

std::string LiveProtocol::stars_json() const {
  JsonArray stars;
  for (const Paper& paper : papers_) stars.add_json(std::to_string(paper.stars));
  return stars.text();
}

std::string LiveProtocol::unsaved_json() const {
  JsonArray unsaved;
  for (std::size_t i = 0; i < papers_.size(); ++i)
    if (papers_[i].unsaved) unsaved.add_json(std::to_string(i));
  return unsaved.text();
}

std::string LiveProtocol::farewell() {
  const std::string folder = kept_.finish();
  std::string names;
  std::size_t count = 0;
  for (const Paper& paper : papers_) {
    if (!paper.unsaved || ++count > most_names_said) continue;
    names += (names.empty() ? "" : ", ") + (paper.name.empty() ? "a flame" : paper.name);
  }
  if (count == 0) return "";
  if (count > most_names_said) names += fmt::format(" and {} more", count - most_names_said);
  const std::string edits = "unsaved edits of " + printable_whole(names);
  const std::string trouble = printable_whole(kept_.trouble());
  if (folder.empty()) return fmt::format("{} are lost: {}", edits, trouble);
  if (!trouble.empty())
    return fmt::format("{} could not all be written ({}); {} has the others", edits, trouble,
                       printable_whole(folder));
  return fmt::format("{} are kept in {}; the next kiln view offers them", edits,
                     printable_whole(folder));
}

/// All pages hear which flames are open.
void LiveProtocol::tell_names() {
  tell_all(JsonObject()
               .add("type", "flames")
               .add_json("flames", names_json())
               .add_json("frames", frames_json())
               .add_json("stars", stars_json())
               .add_json("unsaved", unsaved_json())
               .text());
}

// ---- opening ----

void LiveProtocol::on_files(const Message& message) {
  JsonArray recent;
  for (const std::string& file : recent_files()) recent.add_json(json_string(file));
  server_.send_text(message.client,
                    JsonObject().add("type", "recent").add_json("files", recent.text()).text());
  server_.send_text(message.client, folder_json(path_below_here(message.text("folder"))));
}

/// Opens documents behind those that are open; the page goes to the first.
void LiveProtocol::open_all(int number, std::vector<LiveDocument> documents) {
  const int first = live().append(std::move(documents));
  add_papers();
  show_opened(number, first);
}

/// All that is opened from there on is what the page wanted.
void LiveProtocol::show_opened(int number, int first) {
  tell_names();
  go_to(number, first);
  server_.send_text(number, JsonObject()
                                .add("type", "opened")
                                .add("index", first)
                                .add("count", double(papers_.size()) - first)
                                .text());
}

void LiveProtocol::on_open(const Message& message) {
  std::string path;
  if (message.has("recent")) {
    const std::vector<std::string> recent = recent_files();
    const auto which = std::size_t(message.number("recent", 0, 1000));
    if (which >= recent.size()) fail(ErrorKind::usage, "open: there are {} files", recent.size());
    path = recent[which];
  } else {
    path = path_below_here(message.text("path"));
  }
  const auto warn = [&](const std::string& text) { tell(message.client, "warning", text); };
  open_all(message.client, documents_of(flames_at(path, reader_, warn), warn));
  remember_file(path);
}

/// The bytes of a file that a page sends in parts, with the last of them.
std::optional<std::string> LiveProtocol::uploaded(const Message& message, std::size_t most) {
  Client& client = *clients_.at(message.client);
  std::string bytes = std::exchange(client.upload, {});  // a part that is refused ends the file
  bytes += from_base64(message.text("bytes"));
  if (bytes.size() > most) fail(ErrorKind::input, "{}: more than {} MB", message.type, most >> 20);
  if (!message.flag("more")) return bytes;
  client.upload = std::move(bytes);
  return {};
}

/// Flames of a file are opened, or the first is in the place of the page's flame.
void LiveProtocol::on_take(const Message& message) {
  const std::optional<std::string> bytes = uploaded(message, most_opened_bytes);
  if (!bytes) return;
  const auto warn = [&](const std::string& text) { tell(message.client, "warning", text); };
  std::vector<LiveDocument> documents =
      documents_of(flames_in(*bytes, message.text("name"), reader_, warn), warn);
  if (!message.flag("replace")) return open_all(message.client, std::move(documents));
  Easel& easel = *clients_.at(message.client)->easel;
  const auto& [flame, film] = documents.at(0);
  tell_flame(
      easel,
      film ? easel.live->edit(film, film->keys[0].time, 0) : easel.live->edit(genome_xml(flame), 0),
      message.client, false);
}

/// A flame by chance, framed as the one that the page is at, behind those that are open.
void LiveProtocol::on_new(const Message& message) {
  Flame like = clients_.at(message.client)->easel->live->flame();
  like.name.clear();
  const int index = live().append({std::move(like)}, true);
  add_papers();
  papers_.at(std::size_t(index)).is_blank = true;
  tell_names();
  go_to(message.client, index);
  clients_.at(message.client)->easel->live->randomize(std::random_device()());
}

/// Closes a flame; its viewers go to the next one that is open. Its place stays, so that the others keep theirs.
void LiveProtocol::on_close(const Message& message) {
  const int index = int(message.number("index", 0, 1e6)), count = int(papers_.size());
  if (index >= count || papers_[std::size_t(index)].is_closed)
    fail(ErrorKind::usage, "close: there is no flame {}", index);
  int next = index;
  do next = (next + 1) % count;
  while (next != index && papers_[std::size_t(next)].is_closed);
  if (next == index) fail(ErrorKind::usage, "close: the last flame stays open");
  std::vector<int> at_it;
  for (const auto& [number, client] : clients_)
    if (client->easel->live->state().index == index) at_it.push_back(number);
  for (const int number : at_it) go_to(number, next);
  Paper& paper = papers_[std::size_t(index)];
  live().close(index);
  kept_.keep(index, "");
  versions_.close(index);
  paper = {};
  paper.is_closed = true;
  tell_names();
}

// ---- the wall ----

/// Sends the words by which a search finds opened flames, beside their names.
void LiveProtocol::on_about(const Message& message) {
  JsonArray words;
  {
    const std::lock_guard lock(shelf_->mutex);
    for (std::size_t i = 0; i < papers_.size(); ++i) {
      const Flame& flame = shelf_->flames[i].flame();
      std::string text = flame.nick + " " + size_text(flame.width, flame.height);
      for (const std::string& name : used_variations(flame)) text += " " + name;
      words.add_json(json_string(papers_[i].is_closed ? "" : text));
    }
  }
  server_.send_text(message.client,
                    JsonObject().add("type", "about").add_json("words", words.text()).text());
}

/// Small pictures of opened flames; those that are known at once, the others as they are made.
void LiveProtocol::on_wall(const Message& message) {
  const auto wanted = message.body.find("want");
  if (wanted == message.body.end() || !wanted->is_array() || wanted->size() > 200)
    fail(ErrorKind::usage, "wall: \"want\" is a list of at most 200 indices");
  std::deque<int> missing;
  for (const auto& entry : *wanted) {
    if (!entry.is_number_integer()) fail(ErrorKind::usage, "wall: \"want\" is a list of indices");
    const int index = int(std::clamp<std::int64_t>(entry.get<std::int64_t>(), -1, 1 << 20));
    const std::string xml = live().xml_of(index);
    const auto found = small_.find(xml);
    if (found == small_.end()) {
      missing.push_back(index);
    } else {
      EncodedThumbnail here = *found->second;
      here.thumbnail.place = index;
      send_thumbnail(message.client, here);
    }
  }
  clients_.at(message.client)
      ->easel->live->picture_all(
          std::move(missing),
          int(message.number("width", 16, LiveFlame::most_thumbnail_width, 200)), message.client);
}

void LiveProtocol::send_thumbnail(const Easel& easel,
                                  std::shared_ptr<const EncodedThumbnail> encoded) {
  if (encoded->thumbnail.set == 0) keep_small(encoded);
  const int who = std::abs(encoded->thumbnail.who);  // below 0: of a strip of the film
  const auto found = clients_.find(who);
  if (found != clients_.end() && found->second->easel.get() == &easel)
    send_thumbnail(who, *encoded);
}

void LiveProtocol::send_thumbnail(int number, const EncodedThumbnail& encoded) {
  JsonObject head;
  head.add("type", "thumbnail")
      .add("set", encoded.thumbnail.set)
      .add("place", encoded.thumbnail.place)
      .add("width", encoded.width)
      .add("height", encoded.height)
      .add("format", "jpeg");
  if (encoded.thumbnail.set > 0 && !encoded.thumbnail.xml.empty())
    head.add("flame", encoded.thumbnail.xml);
  server_.send_binary(number, with_head(head, encoded.stripes));
}

void LiveProtocol::keep_small(std::shared_ptr<const EncodedThumbnail> thumbnail) {
  if (small_.size() >= most_small) small_.clear();
  small_[thumbnail->thumbnail.xml] = std::move(thumbnail);
}

// ---- renders ----

/// Ends a render that a page wants.
std::vector<std::string> LiveProtocol::render_goal(const Message& message) {
  std::vector<std::string> words;
  for (const auto& [name, option, most] : {std::tuple{"quality", "--quality", 1e7},
                                           {"noise", "--until-noise", 100.0},
                                           {"seconds", "--time-limit", 1e7}}) {
    if (message.has(name))
      words.insert(words.end(), {option, shortest(message.number(name, 1e-4, most))});
  }
  return words;
}

void LiveProtocol::on_render(const Message& message) {
  if (message.flag("sheet")) return sheet_of_chosen(message, flames_of(message));
  if (message.has("which")) return render_chosen(message, flames_of(message));
  const Easel& easel = *clients_.at(message.client)->easel;
  Save save{message.client, message.text("name"), message.flag("replace"), 0, 0, ""};
  check_name(save.name, true);
  if (is_in_the_way(save)) return;
  std::vector<std::string> words = render_goal(message);
  const auto add = [&](const char* option, std::string value) {
    words.push_back(option);
    words.push_back(std::move(value));
  };
  if (message.has("width"))
    add("--size",
        size_text(message.number("width", 1, most_side), message.number("height", 1, most_side)));
  if (message.number("bits", 8, 16, 8) == 16 && !format_named(save.name).linear)
    add("--bits", "16");
  if (message.flag("transparent")) words.push_back("--transparent");
  if (message.flag("steer")) add("--steer", "auto");
  if (message.has("crop_width")) {
    add("--crop", fmt::format("{},{},{}", int(message.number("crop_x", 0, most_side)),
                              int(message.number("crop_y", 0, most_side)),
                              size_text(message.number("crop_width", 1, most_side),
                                        message.number("crop_height", 1, most_side))));
  }
  words.push_back(save.replace ? "--force" : "--no-clobber");
  desk_.add(save.name, genome_xml(easel.live->flame()), std::move(words));
  tell_all(desk_.text());
}

void LiveProtocol::on_cancel(const Message& message) {
  if (message.flag("over"))
    desk_.clear();
  else
    desk_.cancel(int(message.number("id", 0, 1e9)));
  tell_all(desk_.text());
}

/// One that was cancelled or has failed, once more: a film goes on where its frames are kept.
void LiveProtocol::on_again(const Message& message) {
  desk_.again(int(message.number("id", 0, 1e9)));
  tell_all(desk_.text());
}

/// "/picture/3": what render 3 has made.
std::optional<WebFile> LiveProtocol::picture_at(const std::string& path) const {
  const std::string name = desk_.made(std::atoi(path.c_str() + path.rfind('/') + 1));
  if (name.empty()) return std::nullopt;
  try {
    InputFile file(name, InputFile::Opens::regular_files);
    return WebFile{picture_type(name), file.read_all(1ull << 30)};
  } catch (const Error&) {  // was moved, say
    return std::nullopt;
  }
}

}  // namespace kiln::cli
