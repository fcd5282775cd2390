// Files as the system has them, by descriptors and names in UTF-8: what POSIX and Windows do each in their way. Where a
// function gives an error it is an errno; 0: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

namespace kiln {

/// Whether an errno says that there is no room for more.
bool is_out_of_space(int error_number);

/// Whether a name stands for something else than a file or folder.
bool is_special_file(const std::string& path);
/// Null with errno.
std::FILE* open_to_read(const std::string& path);
/// A file to read, and what an open() of a pipe without writer would wait for is not waited for. -1 with errno.
int open_without_waiting(const std::string& path);
/// What is no regular file, to be written as it is. -1 with errno.
int open_in_place(const std::string& path);
/// Another number for an open file, above those of the standard streams, that no other program gets. -1 with errno.
int duplicate_descriptor(int descriptor);

/// Bytes at a place; -1 with errno, fewer at the end of the file.
std::int64_t read_at(int file, char* to, std::size_t bytes, std::uint64_t at);
/// Whether every byte was written there; errno says why not.
bool write_at(int file, const char* from, std::size_t bytes, std::uint64_t at);
/// What is written is on the disk; what has no disk needs none.
int flush_to_disk(int file);
/// The names in it, too: the best that can be done, some file systems refuse it.
void flush_folder(const std::string& folder);
/// Whether files can be made in a folder that is there; errno says why not.
bool takes_files(const std::string& folder);

/// Where a file is, without links in its way, also one that is not there yet; empty, and why, where nobody can say.
std::filesystem::path real_path(const std::filesystem::path& path, std::error_code& error);

/// An open file that no other program holds, to be held while it is (close() gives it up); -1: another has it, or it is
/// not there and is not to be made.
int hold_file(const std::string& path, bool make);

/// Whether a name fits a pattern of a shell: * ? [a-z].
bool matches_pattern(const std::string& name, const std::string& pattern);

}  // namespace kiln
