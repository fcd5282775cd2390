// SPDX-License-Identifier: MIT
// The part of the protocol that is about several opened flames at once: those that somebody has marked on
// the wall.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/picture/picture_format.h"
#include "view/server/flame_folder.h"
#include "view/server/flame_parts.h"
#include "view/server/live_protocol.h"

namespace kiln::cli {
namespace {
constexpr double most_of_sheet_px = 4000;  // each picture
}  // namespace

/// The opened flames that a message is about, "which":[0,2]; one at least.
std::vector<int> LiveProtocol::flames_of(const Message& message) const {
  const auto which = message.body.find("which");
  if (which == message.body.end() || !which->is_array() || which->empty() ||
      which->size() > FlameShelf::most_flames)
    fail(ErrorKind::usage, "{}: \"which\" is a list of flames", message.type);
  std::vector<int> found;
  for (const auto& entry : *which) {
    const bool is_number = entry.is_number_integer() && entry.get<std::int64_t>() >= 0 &&
                           entry.get<std::int64_t>() < std::int64_t(papers_.size());
    if (!is_number || papers_[entry.get<std::size_t>()].is_closed)
      fail(ErrorKind::usage, "{}: there is no flame {}", message.type,
           printable_whole(entry.dump()));
    found.push_back(entry.get<int>());
  }
  return found;
}

/// An opened flame is this one now, as a step of its own, whoever is at it.
void LiveProtocol::restore(int index, LiveDocument document) {
  for (const auto& easel : easels_) {
    if (easel->live->state().index != index) continue;
    return tell_flame(*easel, easel->live->restore(std::move(document), 0), -1, true);
  }
  live().restore_other(index, std::move(document));
  note_state(index);
}

/// Flames take over parts of another one; those of which that cannot be stay as they are.
void LiveProtocol::on_apply(const Message& message) {
  const Flame from = flame_of(message.text("flame"));
  const auto names = message.body.find("parts");
  if (names == message.body.end() || !names->is_array())
    fail(ErrorKind::usage, "apply: \"parts\" is a list of look, palette, camera, xforms");
  std::vector<std::string> words;
  for (const auto& name : *names) words.push_back(name.is_string() ? name.get<std::string>() : "");
  const FlameParts parts = parts_named(words);
  if (!parts.any()) fail(ErrorKind::usage, "apply: \"parts\" names none");
  for (const int index : flames_of(message)) {
    try {
      restore(index, with_parts(from, parts, live().document_of(index)));
    } catch (const Error& error) {
      tell(message.client, "warning", error.what());
    }
  }
}

/// Stars for opened flames; 0 takes them away. Those of files are there another day.
void LiveProtocol::on_stars(const Message& message) {
  const int stars = int(message.number("stars", 0, StarList::most));
  std::vector<StarList::Mark> marks;
  for (const int index : flames_of(message)) {
    Paper& paper = papers_.at(std::size_t(index));
    paper.stars = stars;
    const bool is_saved = !paper.flame_file.empty();  // a picture is no file of flames
    const std::string file = path_of_source(is_saved ? paper.flame_file : paper.source);
    if (!file.empty()) marks.push_back({file, is_saved ? 0 : paper.place, stars});
  }
  tell_names();
  stars_.set(marks);
}

/// A pack of these flames, each as it is now. Those that are of films do not go into one.
void LiveProtocol::save_chosen(const Save& save, const std::vector<int>& which) {
  if (!save.name.ends_with(".flam3")) fail(ErrorKind::usage, "save: a pack is a .flam3");
  std::vector<Flame> flames;
  for (const int index : which) {
    LiveDocument document = live().document_of(index);
    if (document.film)
      fail(ErrorKind::usage, "save: {} is a film, which is a file of its own: leave it out",
           printable(document.flame.name));
    document.flame.time = 0;
    flames.push_back(std::move(document.flame));
  }
  Save pack = save;
  pack.index = -1;
  try_save(pack, [&] {
    write_flames(save.name, flames,
                 save.replace ? AtomicFile::Existing::replace : AtomicFile::Existing::keep);
    return std::string();
  });
}

/// A picture of each, named as the flame is behind what stands before the ending: "set-.png" gives
/// set-rose.png. Files that are there stay, and so does what the page wants said of them.
void LiveProtocol::render_chosen(const Message& message, const std::vector<int>& which) {
  const std::string name = message.text("name");
  const std::size_t dot = std::min(name.rfind('.'), name.size());
  const std::string begin = name.substr(0, dot), ending = name.substr(dot);  // nothing may begin it
  const std::vector<std::string> goal = render_goal(message);
  const double side = message.number("side", 1, 200000, 0);
  std::set<std::string> taken;
  std::string there;
  std::vector<std::pair<std::string, LiveDocument>> jobs;
  for (const int index : which) {
    LiveDocument document = live().document_of(index);
    const std::string stem =
        begin + (document.flame.name.empty() ? fmt::format("flame-{}", index + 1)
                                             : printable(document.flame.name));
    std::string file = safe_file_name(stem + ending);
    for (int i = 2; !taken.insert(file).second; ++i)
      file = safe_file_name(fmt::format("{}-{}{}", stem, i, ending));
    check_name(file, true);
    if (std::filesystem::exists(file) && !message.flag("replace") && there.empty()) there = file;
    jobs.emplace_back(file, std::move(document));
  }
  if (!there.empty()) {
    is_in_the_way({message.client, there, false, 0, 0, ""});
    return;
  }
  desk_.need_room(jobs.size());  // all of them or none
  for (auto& [file, document] : jobs) {
    std::vector<std::string> words = goal;
    const Flame& flame = document.flame;
    if (side > 0) {
      const double by = side / std::max(flame.width, flame.height);
      words.insert(words.end(),
                   {"--size", fmt::format("{}x{}", std::max(1, int(std::round(flame.width * by))),
                                          std::max(1, int(std::round(flame.height * by))))});
    }
    words.push_back(message.flag("replace") ? "--force" : "--no-clobber");
    desk_.add(file, genome_xml(flame), std::move(words));
  }
  tell_all(desk_.text());
}

/// One picture with each of them small, which `kiln sheet` makes of them as they are now.
void LiveProtocol::sheet_of_chosen(const Message& message, const std::vector<int>& which) {
  const Save save{message.client, message.text("name"), message.flag("replace"), 0, 0, ""};
  check_name(save.name, true);
  const std::string_view wanted = picture_formats().front().ending;
  if (ending_of(save.name) != wanted) fail(ErrorKind::usage, "render: a sheet is a {}", wanted);
  std::vector<std::string> words = render_goal(message);
  if (message.has("side")) {
    const int side = int(message.number("side", 8, most_of_sheet_px));
    words.insert(words.end(), {"--size", fmt::format("{}x{}", side, side)});
  }
  if (is_in_the_way(save)) return;
  if (save.replace) words.push_back("--force");
  std::string pack = "<flames>\n";
  for (const int index : which) pack += genome_xml(live().document_of(index).flame);
  desk_.add(save.name, pack + "</flames>\n", std::move(words), RenderDesk::Command::sheet);
  tell_all(desk_.text());
}

}  // namespace kiln::cli
