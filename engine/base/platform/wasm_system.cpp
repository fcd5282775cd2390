// What a page does not have: files that it writes by itself, other programs, libraries to load.
#include <cerrno>

#include "engine/base/platform/process.h"
#include "engine/base/platform/temporary_file.h"

namespace kiln {

int TemporaryFile::open_for(const std::string&) { return EROFS; }
int TemporaryFile::name_it(bool) { return EROFS; }
void TemporaryFile::discard() noexcept {}
std::string TemporaryFile::name_for_child(int) { return {}; }

std::string name_in_child(const std::string& path, int) { return path; }

void* open_library(const std::string& path, std::string& reason) {
  reason = path + ": a page loads no libraries";
  return nullptr;
}
void* symbol_of(void*, const char*) { return nullptr; }

}  // namespace kiln
