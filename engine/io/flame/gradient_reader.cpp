#include "engine/io/flame/gradient_reader.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "engine/base/text.h"
#include "engine/io/flame/attributes.h"

namespace kiln {
namespace {

constexpr int circle = 400;                      // places of a gradient's points
constexpr std::size_t most_gradients = 1 << 14;  // of a file
constexpr std::size_t most_bytes_a_line = 4096;
constexpr std::string_view section = "gradient:";

using Color = std::array<std::uint8_t, 3>;

Color mixed(const Color& before, const Color& after, double share_of_after) {
  Color color;
  for (std::size_t c = 0; c < color.size(); ++c) {
    const double value = (1 - share_of_after) * before[c] + share_of_after * after[c];
    color[c] = static_cast<std::uint8_t>(std::floor(value + 0.5));
  }
  return color;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\v\f";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// The lines of a text, numbered from 1.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  /// The next line without blanks around it; nothing after the last one.
  std::optional<std::string_view> next() {
    if (rest_.empty()) return {};
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    return trimmed(line);
  }
  int number() const { return number_; }

 private:
  std::string_view rest_;
  int number_ = 0;
};

/// One gradient of a file while it is read.
struct Gradient {
  std::string name;
  std::map<int, Color> points;  // place on the circle -> colour
};

PaletteLibrary::Colors colors_of(const std::map<int, Color>& points) {
  PaletteLibrary::Colors colors;
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const double at = double(i) * circle / double(colors.size());
    auto after = points.upper_bound(int(at));
    const auto before = after == points.begin() ? std::prev(points.end()) : std::prev(after);
    if (after == points.end()) after = points.begin();
    const auto way = [](double from, double to) {
      return to > from ? to - from : to - from + circle;
    };
    const double whole = way(before->first, after->first);
    const double done = at >= before->first ? at - before->first : at - before->first + circle;
    colors[i] = mixed(before->second, after->second, points.size() > 1 ? done / whole : 0);
  }
  return colors;
}

/// Reads a gradient file: NAME { ... gradient: title="..." index=0 color=255 ... opacity: ... }.
class GradientReader {
 public:
  GradientReader(std::string_view text, const Messages& messages)
      : lines_(text), messages_(messages) {}

  std::vector<NamedPalette> read() {
    while (const auto line = lines_.next()) {
      if (line->empty() || line->front() == ';') continue;
      if (line->size() > most_bytes_a_line)
        messages_.error(lines_.number(), "this line is longer than {} bytes", most_bytes_a_line);
      take(*line);
    }
    if (open_) messages_.error(opened_, "this gradient is never closed; a line with }} is missing");
    if (palettes_.empty())
      messages_.error(0, "this gradient file has no points, as in \"index=0 color=255\"");
    return std::move(palettes_);
  }

 private:
  void take(std::string_view line) {
    if (!open_) {
      if (line.back() != '{')
        messages_.error(lines_.number(), "\"{}\" is not the beginning of a gradient: NAME {{",
                        printable(line));
      begin(trimmed(line.substr(0, line.size() - 1)));
    } else if (line == "}") {
      end();
    } else if (line.ends_with(":")) {
      in_gradient_ = line == section;
    } else if (in_gradient_) {
      take_settings(line);
    }
  }

  void begin(std::string_view name) {
    if (palettes_.size() >= most_gradients)
      messages_.error(lines_.number(), "the file has more than {} gradients; split it",
                      most_gradients);
    open_ = true;
    in_gradient_ = false;
    opened_ = lines_.number();
    gradient_ = {as_utf8(name), {}};
  }

  void end() {
    open_ = false;
    if (!gradient_.points.empty())
      palettes_.push_back({printable(gradient_.name, 240), colors_of(gradient_.points)});
  }

  /// key=value or key="some words", separated by blanks; color follows its index.
  void take_settings(std::string_view line) {
    while (!(line = trimmed(line)).empty()) {
      const std::size_t equals = line.find('=');
      if (equals == line.npos)
        messages_.error(lines_.number(), "\"{}\" is no setting such as index=0", printable(line));
      const std::string_view key = trimmed(line.substr(0, equals));
      line.remove_prefix(equals + 1);
      const bool quoted = line.starts_with('"');
      if (quoted) line.remove_prefix(1);
      const std::size_t end = std::min(line.find_first_of(quoted ? "\"" : " \t"), line.size());
      take_setting(key, line.substr(0, end));
      line.remove_prefix(std::min(end + 1, line.size()));
    }
  }

  void take_setting(std::string_view key, std::string_view value) {
    if (key == "title") {
      gradient_.name = as_utf8(value);
    } else if (key == "index") {
      const int index = whole(key, value, -1'000'000, 1'000'000) % circle;
      index_ = index < 0 ? index + circle : index;
    } else if (key == "color") {
      const int color = whole(key, value, 0, 0xffffff);  // blue green red
      gradient_.points[index_] = {std::uint8_t(color), std::uint8_t(color >> 8),
                                  std::uint8_t(color >> 16)};
    }
  }

  int whole(std::string_view key, std::string_view value, int low, int high) const {
    const std::optional<double> number = to_real(value);
    if (!number || *number != std::floor(*number) || !(*number >= low && *number <= high))
      messages_.error(lines_.number(), "{}={}: must be a whole number between {} and {}", key,
                      printable(value), low, high);
    return int(*number);
  }

  Lines lines_;
  const Messages& messages_;
  bool open_ = false, in_gradient_ = false;
  int opened_ = 0, index_ = 0;
  Gradient gradient_;
  std::vector<NamedPalette> palettes_;
};

std::vector<NamedPalette> read_color_map(std::string_view text, const Messages& messages) {
  std::vector<Color> entries;
  Lines lines(text);
  while (const auto line = lines.next()) {
    if (line->empty() || line->front() == ';') continue;
    const std::vector<std::string_view> words = split_at_blanks(line->substr(0, most_bytes_a_line));
    Color color;
    for (std::size_t c = 0; c < color.size(); ++c) {
      const std::optional<double> value = c < words.size() ? to_real(words[c]) : std::nullopt;
      if (!value || !(*value >= 0 && *value <= 255))
        messages.error(lines.number(),
                       "\"{}\" is no colour; a line of a colour map is three numbers, red green "
                       "blue, 0 to 255",
                       printable(*line));
      color[c] = static_cast<std::uint8_t>(*value);
    }
    if (entries.size() >= PaletteLibrary::Colors{}.size())
      messages.error(lines.number(), "a colour map has 256 colours at most");
    entries.push_back(color);
  }
  if (entries.size() < 2) messages.error(0, "a colour map needs two colours at least");
  NamedPalette palette;
  for (std::size_t i = 0; i < palette.colors.size(); ++i) {
    const double at = double(i) * double(entries.size() - 1) / double(palette.colors.size() - 1);
    const std::size_t low = std::min(std::size_t(at), entries.size() - 2);
    palette.colors[i] = mixed(entries[low], entries[low + 1], at - double(low));
  }
  return {palette};
}

}  // namespace

std::vector<NamedPalette> read_gradients(std::string_view text, const Messages& messages) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (text.find(section) != text.npos) return GradientReader(text, messages).read();
  return read_color_map(text, messages);
}

}  // namespace kiln
