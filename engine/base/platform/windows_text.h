// SPDX-License-Identifier: MIT
// Names and messages of Windows: the program's manifest (packaging/kiln.manifest) makes UTF-8 the encoding of every function
// that takes char, so names go through as they are; what Windows alone can say becomes an errno.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace kiln {

/// A name as the system takes it: a long one in the form that may be long, where nothing else is made of it.
std::wstring windows_name(const std::filesystem::path& path);
/// The errno that stands for GetLastError().
int windows_errno();
/// An error to throw, with that errno.
std::system_error windows_error();

}  // namespace kiln
