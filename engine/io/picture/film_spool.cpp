// SPDX-License-Identifier: MIT
#include "engine/io/picture/film_spool.h"

#include <zstd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "engine/base/error.h"
#include "engine/base/platform/file.h"
#include "engine/base/text.h"
#include "engine/io/file/output_name.h"

namespace kiln {
namespace {

std::string place_beside(const std::string& path) {
  std::error_code none;
  if (!path.empty() && takes_rows(path)) return behind_links(path);
  return (std::filesystem::temp_directory_path(none) / "kiln-frames").string();
}

}  // namespace

FilmSpool::FilmSpool(const std::string& beside) {
  const std::string place = place_beside(beside);
  if (const int error_number = file_.open_for(place))
    fail(ErrorKind::output, "{}: the frames that are needed again cannot be kept there: {}",
         printable_whole(folder_of(place)), std::strerror(error_number));
}

std::size_t FilmSpool::add(const void* bytes, std::size_t size) {
  constexpr int quick = 1;
  std::string packed(ZSTD_compressBound(size), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), bytes, size, quick));
  if (!write_at(file_.descriptor(), packed.data(), packed.size(), end_))
    fail(ErrorKind::output,
         "the frames that are needed again do not fit beside the film: {}; free some space or "
         "choose another folder",
         std::strerror(errno));
  pieces_.push_back({end_, packed.size(), size});
  end_ += packed.size();
  return pieces_.size() - 1;
}

std::string FilmSpool::read(std::size_t place) const {
  const Piece& piece = pieces_.at(place);
  std::string packed(piece.packed, '\0'), bytes(piece.size, '\0');
  const std::int64_t got = read_at(file_.descriptor(), packed.data(), packed.size(), piece.at);
  if (got != std::int64_t(packed.size()) ||
      ZSTD_decompress(bytes.data(), bytes.size(), packed.data(), packed.size()) != piece.size)
    fail(ErrorKind::output, "a frame that is needed again cannot be read: {}",
         std::strerror(errno));
  return bytes;
}

}  // namespace kiln
