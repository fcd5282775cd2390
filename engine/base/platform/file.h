// SPDX-License-Identifier: MIT
// Files as the system has them, by descriptors and names in UTF-8: what POSIX and Windows do each in their way. Where a
// function gives an error it is an errno; 0: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

namespace kiln {

/// The descriptors of the program's streams.
constexpr int standard_output = 1, standard_error = 2;

/// Whether an errno says that there is no room for more.
bool is_out_of_space(int error_number);

/// Whether a name stands for something else than a file or folder.
bool is_special_file(const std::string& path);
/// Opens a file to read; null with errno.
std::FILE* open_to_read(const std::string& path);
/// Opens a regular file to read; null with errno for anything else.
std::FILE* open_regular(const std::string& path);
/// Opens a file to read without waiting for the writer of a pipe. -1 with errno.
int open_without_waiting(const std::string& path);
/// Opens what is no regular file, to write it as it is. -1 with errno.
int open_in_place(const std::string& path);
/// Another number for an open file, above those of the standard streams, that no other program gets. -1 with errno.
int duplicate_descriptor(int descriptor);

/// Closes; an errno where what was written did not arrive.
int close_descriptor(int descriptor);

/// Bytes of an open regular file; none, with errno, of anything else.
std::optional<std::uint64_t> size_of_file(int descriptor);
/// Seconds since 1970 at which a file was written; none where it is not there.
std::optional<std::int64_t> changed_at(const std::string& path);
/// Reads as many bytes as are there, after waiting for the first; 0 at the end, -1 with errno.
std::int64_t read_some(int descriptor, char* to, std::size_t bytes);
/// Whether every byte was written; errno says why not.
bool write_all(int descriptor, const char* from, std::size_t bytes);

/// Bytes at a place; -1 with errno, fewer at the end of the file.
std::int64_t read_at(int file, char* to, std::size_t bytes, std::uint64_t at);
/// Whether every byte was written there; errno says why not.
bool write_at(int file, const char* from, std::size_t bytes, std::uint64_t at);
/// Brings all that was written to the disk; a file that has no disk needs nothing.
int flush_to_disk(int file);
/// The names in it, too: the best that can be done, some file systems refuse it.
void flush_folder(const std::string& folder);
/// Whether files can be made in a folder that is there; errno says why not.
bool takes_files(const std::string& folder);

/// The path of a file without links in it, also of one that is not there yet; empty, with `error`, if it is unknown.
std::filesystem::path real_path(const std::filesystem::path& path, std::error_code& error);

/// An open file that no other program holds, to be held while it is (close() gives it up); -1: another has it, or it is
/// not there and is not to be made.
int hold_file(const std::string& path, bool make);

/// Whether a name fits a pattern of a shell: * ? [a-z].
bool matches_pattern(const std::string& name, const std::string& pattern);

}  // namespace kiln
