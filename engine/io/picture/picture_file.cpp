#include "engine/io/picture/picture_file.h"

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace kiln {

void check_limits(const std::string& name, std::uint64_t width, std::uint64_t height,
                  std::uint64_t bytes_a_pixel, const ImageLimits& limits) {
  const auto side = static_cast<std::uint64_t>(limits.side);
  if (width > side || height > side)
    fail(ErrorKind::input, "{}: {} x {} pixels; {} has at most {} a side", name, width, height,
         limits.what, side);
  if (width * height > limits.bytes / bytes_a_pixel)
    fail(ErrorKind::input,
         "{}: {} x {} pixels need {} of memory, the limit is {}; raise it with --max-memory", name,
         width, height, byte_size(width * height * bytes_a_pixel), byte_size(limits.bytes));
}

FileTexts picture_texts(const std::string& genome, const std::string& record) {
  FileTexts texts;
  if (!genome.empty()) texts.push_back({std::string(genome_key), genome, true});
  texts.push_back({"Software", "kiln " KILN_VERSION, false});
  if (!record.empty()) texts.push_back({std::string(record_key), record, false});
  return texts;
}

}  // namespace kiln
