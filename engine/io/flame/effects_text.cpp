#include "engine/io/flame/effects_text.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/flame/attributes.h"

namespace kiln {

std::string set_bloom(Bloom& result, const std::vector<double>& numbers) {
  if (numbers.empty() || numbers.size() > 3)
    return "needs one to three numbers: strength, radius in per cent of the height, threshold";
  Bloom bloom;
  bloom.strength = numbers[0];
  if (numbers.size() > 1) bloom.radius = numbers[1];
  if (numbers.size() > 2) bloom.threshold = numbers[2];
  if (!(bloom.strength >= 0 && bloom.strength <= 1))
    return fmt::format("strength {} must be 0 to 1", bloom.strength);
  if (!(bloom.radius >= 0.01 && bloom.radius <= 100))
    return fmt::format("radius {} must be 0.01 to 100 per cent of the height", bloom.radius);
  if (!(bloom.threshold >= 0 && bloom.threshold <= 1e6))
    return fmt::format("threshold {} must be 0 to 1e6", bloom.threshold);
  result = bloom;
  return {};
}

std::string set_glare(Glare& result, const std::vector<double>& numbers) {
  if (numbers.empty() || numbers.size() > 3)
    return "needs one to three numbers: points, angle in degrees, strength";
  Glare glare;
  const bool in_range = numbers[0] >= 0 && numbers[0] <= 16;
  if (!in_range || 2 * int(numbers[0] / 2) != numbers[0]) {
    return fmt::format(
        "a star of {} points: must be 0 (off), 2, 4, ... 16; light spreads to both sides of an "
        "edge, so their number is even",
        numbers[0]);
  }
  glare.points = int(numbers[0]);
  if (numbers.size() > 1) glare.angle_deg = numbers[1];
  if (numbers.size() > 2) glare.strength = numbers[2];
  if (!(std::fabs(glare.angle_deg) <= 36000))
    return fmt::format("angle {} must be -36000 to 36000 degrees", glare.angle_deg);
  if (!(glare.strength >= 0 && glare.strength <= 1))
    return fmt::format("strength {} must be 0 to 1", glare.strength);
  result = glare;
  return {};
}

std::vector<double> option_numbers(const char* option, std::string_view text, int percent) {
  std::vector<double> numbers;
  std::string_view rest = text;
  while (true) {
    const std::size_t comma = rest.find(',');
    std::string_view word = rest.substr(0, comma);
    if (int(numbers.size()) == percent && word.ends_with('%')) word.remove_suffix(1);
    const std::optional<double> number = to_real(word);
    if (!number || !std::isfinite(*number)) {
      fail(ErrorKind::usage, "{} {}: \"{}\" is not a number; numbers are separated by commas",
           option, printable_whole(std::string(text)), printable_whole(std::string(word)));
    }
    numbers.push_back(*number);
    if (comma == std::string_view::npos) return numbers;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace kiln
