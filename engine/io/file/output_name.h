// SPDX-License-Identifier: MIT
// File names from templates: {stem} {name} {index} {frame} {palette}, #### and %05d. Values that come from a
// file can never lead out of the output folder: separators, control characters and leading dots are
// replaced, lengths are bounded, and a name that had to be cut keeps a hash of the whole, so that
// two long names stay two files.
#pragma once

#include <string>
#include <string_view>

namespace kiln {

// What the name of an output stands for: a file that is replaced as a whole, or something that is
// written as it is, a device, a pipe, an open descriptor.

/// The kind of file that is to go to standard output, where the name says one: "png" of "png:-"; else empty.
std::string stream_kind(const std::string& path);

/// The descriptor that a name stands for ("-", "png:-", /dev/stdout, /dev/fd/5, /proc/self/fd/5); -1: none.
int named_descriptor(const std::string& path);

/// Whether what is written to `path` goes to standard output.
inline bool is_standard_output(const std::string& path) { return named_descriptor(path) == 1; }

/// Whether `path` exists and is neither a file nor a folder: a device, a pipe, a socket.
bool is_device_or_pipe(const std::string& path);

/// Whether what is written to `path` is a file that is replaced as a whole: its rows can be written
/// one after the other.
inline bool takes_rows(const std::string& path) {
  return named_descriptor(path) < 0 && !is_device_or_pipe(path);
}

/// The file that a symbolic link leads to, also one that does not exist yet; other paths as they
/// are. A picture written to a link replaces the file behind it and leaves the link.
std::string behind_links(const std::string& path);

/// Whether both names lead to one existing file, by device and inode.
bool is_same_file(const std::string& a, const std::string& b);

/// The folder that a file lies in, "." where the path names none.
std::string folder_of(const std::string& path);

/// The values that a template may ask for, of one picture.
struct NameValues {
  std::string stem;          // of the input file; "stdin" for "-"
  std::string name;          // of the flame, empty if it has none
  int index = 0;             // of the flame in its file, from 0
  int frame = 0;             // running number over all pictures of the command, from 0
  std::string palette = {};  // that was asked for, empty: the flame's own
};

/// The path that `pattern`, the value of `option`, gives for one picture. {{ }} %% stand for themselves. Throws
/// Error of kind usage.
std::string expand_template(std::string_view pattern, const NameValues& values,
                            const char* option = "-o");

/// One path component made of any text; never empty, "." or "..".
std::string safe_file_name(std::string_view text);

/// The ending of a name in small letters, such as .png, also of "png:-"; empty where the text behind its last dot
/// belongs to the name ("sheep.248").
std::string ending_of(const std::string& path);

/// Whether files of flames end so.
bool is_ending_of_flames(std::string_view ending);

/// Stem of an input path for {stem}: "stdin" for "-".
std::string input_stem(const std::string& path);

}  // namespace kiln
