// File names from templates: {stem} {name} {index} {frame}, #### and %05d. Values that come from a
// file can never lead out of the output folder: separators, control characters and leading dots are
// replaced, lengths are bounded, and a name that had to be cut keeps a hash of the whole, so that
// two long names stay two files.
#pragma once

#include <string>
#include <string_view>

namespace kiln {

/// What a template may ask for, of one picture.
struct NameValues {
  std::string stem;  // of the input file; "stdin" for "-"
  std::string name;  // of the flame, empty if it has none
  int index = 0;     // of the flame in its file, from 0
  int frame = 0;     // running number over all pictures of the command, from 0
};

/// The path that `pattern` gives for one picture. {{ }} %% stand for themselves. Throws Error of
/// kind usage.
std::string expand_template(std::string_view pattern, const NameValues& values);

/// One path component made of any text; never empty, "." or "..".
std::string safe_file_name(std::string_view text);

/// What a name ends in, in small letters, such as .png; empty where what follows its last dot
/// belongs to the name ("sheep.248").
std::string ending_of(const std::string& path);

/// Stem of an input path for {stem}: "stdin" for "-".
std::string input_stem(const std::string& path);

}  // namespace kiln
