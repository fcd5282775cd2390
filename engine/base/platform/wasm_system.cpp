// SPDX-License-Identifier: MIT
// What a page does not have: files that it writes by itself or keeps, other programs, libraries to load.
#include <cerrno>
#include <system_error>

#include "engine/base/platform/process.h"
#include "engine/base/platform/temporary_file.h"
#include "engine/base/platform/user_files.h"

namespace kiln {

int TemporaryFile::open_for(const std::string&) { return EROFS; }
int TemporaryFile::name_it(bool) { return EROFS; }
void TemporaryFile::discard() noexcept {}
std::string TemporaryFile::name_for_child(int) { return {}; }

std::string user_folder(UserFolder) { return {}; }
std::string trusted_variable(const char*) { return {}; }
std::string PrivateFolder::read(const std::string&, std::uint64_t) const { return {}; }
void PrivateFolder::write(const std::string&, const std::string&) const {}
void PrivateFolder::remove_oldest(const std::string&, std::uint64_t) const {}

std::string name_in_child(const std::string& path, int) { return path; }
std::string find_program(const char*) { return {}; }
bool feed(int, const char*, std::size_t) { return false; }
Child::Child(const ChildProgram&) { throw std::system_error(ENOSYS, std::generic_category()); }
Child::~Child() = default;
std::optional<Child::End> Child::wait(bool) { return std::nullopt; }
int Child::take(int&) { return -1; }

void* open_library(const std::string& path, std::string& reason, bool) {
  reason = path + ": a page loads no libraries";
  return nullptr;
}
void* symbol_of(void*, const char*) { return nullptr; }

}  // namespace kiln
