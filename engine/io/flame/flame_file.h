// SPDX-License-Identifier: MIT
// What is asked of the reader of flames (flame_reader.h), and what it gives: the flames of a file, those
// that cannot be rendered, what is odd about them, and how that is said.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/io/picture/picture_record.h"
#include "engine/model/flame.h"
#include "engine/model/meanings.h"

namespace kiln {

/// An attribute of <flame>, or a part of one (flame_parts.h), in place of the file's.
struct AttributeSetting {
  std::string name, value;

  /// Whether it is of an xform, and so set when all of these are read.
  bool is_of_xform() const {
    return name.starts_with("xform.") || name == "final" || name.starts_with("final.") ||
           name.starts_with("finalxform.");
  }
};

struct ReaderOptions {
  std::string palettes_file;  // library for palette="N"; empty: $flam3_palettes, then flam3's own
  bool strict = false;        // what flam3 ignores with a warning is an error
  bool approximate = false;   // a flame that needs what kiln does not have is read without it
  bool only_regular_files = false;  // no pipe is waited for (InputFile::Opens)
  bool curves_are_films =
      false;                // JWildfire's flame whose curves are on becomes one for each frame
  bool unfinished = false;  // a flame that has nothing to iterate yet is read, too
  bool is_edit = false;     // a hand has moved numbers: those that follow them are not told of
  bool keep_bad = false;    // a bad flame becomes one of FlameFile::bad and the others are read
  std::uint64_t max_input_bytes = 64ull << 20;   // of XML text
  std::size_t max_flames = 1 << 16;              // of a file: 8 KB each
  std::function<void(const std::string&)> warn;  // gets `file:line: ...`, safe to print; as tell()
                                                 // does for stills of all flames
  std::optional<Dialect> dialect;  // of every flame; none: each by what the file says (dialect.h)
  std::optional<Meaning> meaning;  // of the names of variations; none: by dialect and version
  std::uint64_t seed = 0;          // for symmetry kind="0" and a palette without index0/index1
  std::vector<AttributeSetting> set;       // of every flame
  std::shared_ptr<const Palette> palette;  // of every flame, in place of the file's; may be null
};

/// "flam3", "fractorium", "apophysis" or "jwildfire".
const char* dialect_name(Dialect dialect);

/// The dialect of that name; nothing for any other text.
std::optional<Dialect> dialect_named(std::string_view name);

/// "flam3", "ember" or "apophysis"; nothing for any other text.
std::optional<Meaning> meaning_named(std::string_view name);

/// The text of the attribute `name` as a flame keeps it: blanks become _.
std::string flame_name(std::string_view text);

/// Begins the key of a warning that says what a flame's picture is made without.
inline constexpr std::string_view note_key = "note ";

/// An oddity of a flame or of its file.
struct Warning {
  int flame;         // its index in the file; -1: it is about the file
  std::string text;  // `file:line: ...`, safe to print
  std::string key;   // what has one is said once for all flames
  bool of_motion;    // a still is not affected
};

/// A flame that cannot be rendered.
struct BadFlame {
  int index;  // of the flame in its file, as Flame::index
  std::string name;
  ErrorKind kind;       // input, or unsupported: it needs what kiln does not have
  std::string message;  // `file:line: ...`, safe to print
};

struct FlameFile {
  std::string name;           // as in the messages
  std::vector<Flame> flames;  // in the order of the file; never empty unless `bad` has some
  std::vector<BadFlame> bad;  // the others, if the options keep them
  std::vector<Warning> warnings;
  std::optional<PictureRecord> record;  // of a picture that kiln made: how to make it again
};

/// `"name"` and index of a flame for messages: `flame 1 "second"`.
std::string flame_label(int index, const std::string& name);

/// `file:line: flame 1 "second" needs variation crackle (xform 1), which kiln does not have`; its
/// line is that of the first thing. The flame lacks at least one.
std::string missing_text(const Flame& flame, const char* program = "kiln");

enum class Use { stills, motion };
using FlameChoice = std::function<bool(int index)>;

/// Says what is odd about the chosen flames, at most 50 lines, and above that, for every one of
/// them, what it lacks.
void tell(const FlameFile& file, const FlameChoice& chosen, Use use,
          const std::function<void(const std::string&)>& say);

}  // namespace kiln
