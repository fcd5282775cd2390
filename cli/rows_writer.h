// Writes a picture that is made in stripes while it is made, so that it is never in memory as a
// whole. The file is that of the whole picture, byte for byte.
#pragma once

#include <memory>
#include <string>

#include "cli/picture_writer.h"
#include "engine/io/picture_file.h"
#include "engine/model/pixel_hash.h"

namespace kiln::cli {

/// Whether the rows of a picture can be written to `path` one after the other: it is a file that is
/// replaced as a whole.
bool takes_rows(const std::string& path);

class RowsWriter {
 public:
  RowsWriter(const RenderArguments& args, const Job& job) : args_(args), job_(job) {}
  /// For RenderOptions::on_rows.
  void add(const RowsOfPicture& part);
  bool has_begun() const { return file_ != nullptr; }
  /// After the last rows.
  Written finish(const RenderStatistics& statistics);

 private:
  const RenderArguments& args_;
  const Job& job_;
  std::unique_ptr<PictureRows> file_;
  std::unique_ptr<PixelHash> hash_;
  Written written_;
};

}  // namespace kiln::cli
