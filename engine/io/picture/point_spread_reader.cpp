#include "engine/io/picture/point_spread_reader.h"

#include <bit>
#include <cstdint>

#include "engine/base/error.h"
#include "engine/base/sha256.h"
#include "engine/base/text.h"
#include "engine/io/flame/attributes.h"
#include "engine/io/picture/image_reader.h"

namespace kiln {
namespace {

constexpr int spread_side_max = 4096;

/// Takes ",NUMBER" or ",NUMBER%" from the end of the text; a file name may have commas too.
std::optional<double> take_last_number(std::string& text) {
  const std::size_t comma = text.rfind(',');
  if (comma == std::string::npos) return {};
  std::string_view word = std::string_view(text).substr(comma + 1);
  if (word.ends_with('%')) word.remove_suffix(1);
  const std::optional<double> number = to_real(word);
  if (number) text.resize(comma);
  return number;
}

template <class Sample>
std::vector<double> grey_values(const std::vector<Sample>& samples) {
  constexpr double full = Sample(~Sample(0));
  std::vector<double> values(samples.size() / 4);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Sample* p = samples.data() + 4 * i;
    values[i] = (double(p[0]) + p[1] + p[2]) / 3 / full * (p[3] / full);
  }
  return values;
}

std::string hash_of(const PointSpread& spread) {
  Sha256 sha;
  const std::string head =
      fmt::format("{} {} {} {}", spread.width, spread.height, spread.strength, spread.size);
  sha.add(head.data(), head.size());
  sha.add(spread.values.data(), spread.values.size() * sizeof(double));
  return sha.hex();
}

}  // namespace

std::string point_spread_file(const std::string& option) {
  std::string path = option;
  if (take_last_number(path)) take_last_number(path);
  return path;
}

PointSpread read_point_spread(const std::string& option) {
  std::string path = option;
  const std::optional<double> last = take_last_number(path);
  const std::optional<double> first = last ? take_last_number(path) : std::nullopt;
  PointSpread spread;
  const std::optional<double> strength = first ? first : last, size = first ? last : std::nullopt;
  if (strength) spread.strength = *strength;
  if (size) spread.size = *size;
  if (strength && !(*strength >= 0 && *strength <= 1))
    fail(ErrorKind::usage, "--psf {}: strength {} must be 0 to 1", printable_whole(path),
         *strength);
  if (size && !(*size >= 0.01 && *size <= 400))
    fail(ErrorKind::usage, "--psf {}: size {} must be 0.01 to 400 per cent of the picture's height",
         printable_whole(path), *size);

  ImageLimits limits;
  limits.side = spread_side_max;
  limits.what = "a point spread function";
  const Image image = read_png(path, limits);
  spread.width = image.width;
  spread.height = image.height;
  spread.values = image.bits() == 8 ? grey_values(image.pixels8()) : grey_values(image.pixels16());
  double sum = 0;
  for (const double value : spread.values) sum += value;
  if (!(sum > 0))
    fail(ErrorKind::input, "{}: the picture is black: no light to spread", printable_whole(path));
  spread.hash = hash_of(spread);
  return spread;
}

}  // namespace kiln
