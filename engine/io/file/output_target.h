// What the name of an output stands for: a file that is replaced as a whole, or something that is
// written as it is, a device, a pipe, an open descriptor.
#pragma once

#include <string>

namespace kiln {

/// The descriptor that a name stands for ("-", /dev/stdout, /dev/fd/5, /proc/self/fd/5); -1: none.
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

}  // namespace kiln
