// SPDX-License-Identifier: MIT
// The files that a page may open: those below the folder that the program was started in, and those
// that the user had open before.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/io/flame/flame_reader.h"

namespace kiln::cli {

/// The most bytes of a file that is opened from a page.
constexpr std::size_t most_opened_bytes = 24 << 20;

/// "packs/a.flam3" as it is reached from here. Throws Error (usage) for what lies elsewhere, links
/// that lead there too.
std::string path_below_here(const std::string& path);

/// Folders and files with flames in a folder below this one, JSON members for a page.
std::string folder_json(const std::string& path);

/// The flames of a file, or of all .flam3 and .flame files of a folder but links that lead elsewhere.
/// `say` hears what is odd about them, and which cannot be rendered. Throws Error.
std::vector<Flame> flames_at(const std::string& path, const ReaderOptions& reader,
                             const std::function<void(const std::string&)>& say);
/// The flames of a file that a page has sent.
std::vector<Flame> flames_in(const std::string& bytes, const std::string& name,
                             const ReaderOptions& reader,
                             const std::function<void(const std::string&)>& say);

/// A path without links in it where the file is there, else as it is.
std::string canonical_path(const std::string& path);

/// The file that a flame came from, to be found again from elsewhere; empty: it was in none.
std::string path_of_source(const std::string& source);

/// A folder that a page writes into lies here and is no link: it is not there yet, or a folder. Throws
/// Error (output).
void check_own_folder(const std::string& folder);
/// Whether something is in it.
bool is_filled(const std::string& folder);

/// The newest first, kept over runs of the program; absolute paths. What cannot be kept is not.
std::vector<std::string> recent_files();
void remember_file(const std::string& path);

/// The bytes of text that is base64. Throws Error (usage).
std::string from_base64(const std::string& text);

}  // namespace kiln::cli
