// SPDX-License-Identifier: MIT
// What can be asked of a picture beside its flame, a row a setting (picture_settings.inc). The record in
// pictures, what repeats it, the digest of frames, the command line, C and Python read the table: a new
// setting is its member of RenderOptions, its row, and its use.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>

#include "engine/api/kiln/render_options.h"

namespace kiln {

struct PictureSetting {
  /// The thing that another value changes. A picture's record has what decides its pixels and what
  /// else its file says; it knows nothing of the machine, nor of what ended the render. Others
  /// decide what is told of the picture.
  enum class Decides { pixels, file, machine, ending, telling };
  /// The place in the record. Those of `last` and `game` are in it only where they are unusual, so
  /// that a new one changes neither the record nor the digest of a picture without it.
  enum class Place { last, first, game, depth, look };
  struct Word {
    const char* text;
    int value;
  };
  using File = std::shared_ptr<const PointSpread>;
  using Member =
      std::variant<bool RenderOptions::*, int RenderOptions::*, std::uint64_t RenderOptions::*,
                   double RenderOptions::*, Backend RenderOptions::*, Game RenderOptions::*,
                   std::optional<Window> RenderOptions::*, File RenderOptions::*>;

  const char* name;  // of the member, in C++ and C
  Member member;     // its usual value is that of RenderOptions{}
  Decides decides;
  const char* option = nullptr;   // of the command line
  const char* record = nullptr;   // member of the record, and what is said of what is repeated
  Place place = Place::last;      // in the record
  const char* python = nullptr;   // keyword argument
  Word words[3] = {};             // its values, where they have words
  double least = 0, most = 0;     // of a number; 0 and 0: any
  const char* heading = nullptr;  // of the help, below which all commands that render have it;
                                  // null: a command that has it adds it
  const char* type = "N";         // of a number, in the help
  const char* help = "";

  bool has_words() const { return words[0].text; }
  /// Whether its value is a file, of which a record has only the hash: it is not repeated from there.
  bool is_file() const { return std::holds_alternative<File RenderOptions::*>(member); }
};

/// All settings, in the order in which they are said.
std::span<const PictureSetting> picture_settings();

/// Calls use(options.*member) with the value that the setting is of.
template <class Options, class Use>
void visit_value(const PictureSetting& setting, Options& options, Use use) {
  std::visit([&](auto member) { use(options.*member); }, setting.member);
}

/// The word of its value; null where it is none of its words.
const char* word_of(const PictureSetting& setting, const RenderOptions& options);
/// Gives usual options the value of a word; false: it is none. Another setting may be of the same
/// member, so the usual word changes nothing.
bool choose(const PictureSetting& setting, std::string_view word, RenderOptions& options);
bool is_usual(const PictureSetting& setting, const RenderOptions& options);
void copy_setting(const PictureSetting& setting, const RenderOptions& from, RenderOptions& to);

}  // namespace kiln
