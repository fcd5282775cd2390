// Stands in for the files of programs (engine/io/file/atomic_file.cpp): the page writes none.
#include "engine/base/error.h"
#include "engine/io/file/atomic_file.h"

namespace kiln {

AtomicFile::AtomicFile(std::string path, Existing existing)
    : path_(std::move(path)), existing_(existing) {
  fail(ErrorKind::output, "{}: this kiln writes no files; save the picture with the page", path_);
}
AtomicFile::~AtomicFile() = default;
void AtomicFile::write(const void*, std::size_t) {}
void AtomicFile::write_again(std::size_t, const void*, std::size_t) {}
void AtomicFile::commit() {}
void TemporaryFile::discard() noexcept {}
void check_output_path(const std::string&) {}

}  // namespace kiln
