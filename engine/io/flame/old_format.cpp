// SPDX-License-Identifier: MIT
// The flames of the GIMP's first flame plug-in, before XML: words and numbers, a keyword saying where those
// behind it go, `;` after each flame, `#` before what is none (flam3-format.md, section 10). They become
// flam3 XML, which the reader reads; `hue_rotation` and `cmap` are its hue and its number of a palette.
#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

constexpr std::size_t most_numbers = 1 << 20;  // of a file
constexpr int most_old_xforms = 12;

/// A keyword and the attribute that it became; of an xform, or of the flame.
struct Keyword {
  std::string_view name, attribute;
  std::size_t numbers;
};
constexpr Keyword of_flame[] = {
    {"time", "time", 1},
    {"brightness", "brightness", 1},
    {"contrast", "", 1},
    {"gamma", "gamma", 1},
    {"vibrancy", "vibrancy", 1},
    {"hue_rotation", "hue", 1},
    {"zoom", "zoom", 1},
    {"image_size", "size", 2},
    {"center", "center", 2},
    {"background", "background", 3},
    {"pixels_per_unit", "scale", 1},
    {"spatial_filter_radius", "filter", 1},
    {"sample_density", "quality", 1},
    {"nbatches", "passes", 1},
    {"white_level", "", 1},
    {"spatial_oversample", "supersample", 1},
    {"cmap", "palette", 1},
    {"cmap_inter", "", 1},
    {"palette", "", 768},
};
constexpr Keyword of_xform[] = {
    {"density", "weight", 1}, {"color", "color", 1}, {"coefs", "coefs", 6}, {"var", "", 99}};

struct OldXform {
  std::map<std::string_view, std::string> attributes;
  std::vector<double> variations;
};

class OldReader {
 public:
  OldReader(std::string_view text, std::string_view name) : rest_(text), name_(name) {}

  bool begins_with_keyword() {
    std::string_view first;
    const auto is_first = [&](const Keyword& keyword) { return keyword.name == first; };
    return next(first) &&
           (first == "xform" || std::any_of(std::begin(of_flame), std::end(of_flame), is_first));
  }

  std::string xml() {
    std::string all = "<conversions>";
    std::string_view word;
    while (next(word)) {
      if (word == ";") {
        all += flame(all);
        begun_ = false;
      } else {
        read(word);
      }
    }
    if (begun_) all += flame(all);
    return all + "</conversions>";
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    fail(ErrorKind::input, "{}:{}: {}", printable_whole(name_), line_, what);
  }

  /// The next word behind white space and comments; `;` is one.
  bool next(std::string_view& word) {
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (c == '#') {
        rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        line_ += c == '\n';
        rest_.remove_prefix(1);
      } else {
        const std::size_t length =
            c == ';' ? 1 : std::min(rest_.find_first_of(" \t\r\n;#"), rest_.size());
        word = rest_.substr(0, length);
        rest_.remove_prefix(length);
        return true;
      }
    }
    return false;
  }

  static bool is_number(std::string_view word) {
    return word.find_first_not_of("0123456789+-.eE") == std::string_view::npos;
  }

  /// The numbers behind a keyword, to the next word that is none.
  std::vector<double> numbers(std::string_view keyword, std::size_t most) {
    std::vector<double> found;
    while (true) {
      const std::string_view ahead = rest_;
      const int line = line_;
      std::string_view word;
      if (!next(word)) break;
      if (!is_number(word)) {
        rest_ = ahead;
        line_ = line;
        break;
      }
      const std::optional<double> number = to_real(word);
      if (!number) refuse(fmt::format("{} is no number", printable(word)));
      found.push_back(*number);
      if (++numbers_ > most_numbers) refuse("the file has too many numbers; split it");
    }
    const bool is_list = most > 6;
    if (is_list ? found.empty() || found.size() > most : found.size() != most)
      refuse(fmt::format("{} is followed by {} numbers; it takes {}{}", keyword, found.size(),
                         is_list ? "up to " : "", most));
    return found;
  }

  static std::string joined(const std::vector<double>& numbers) {
    std::string text;
    for (const double number : numbers) text += (text.empty() ? "" : " ") + shortest(number);
    return text;
  }

  void read(std::string_view word) {
    if (!begun_) begun_at_ = line_;
    begun_ = true;
    if (word == "xform") {
      const double number = numbers(word, 1).front();
      if (!(number >= 0 && number < most_old_xforms) || number != int(number))
        refuse(fmt::format("xform {}: there are xforms 0 to {}", number, most_old_xforms - 1));
      xform_ = int(number);
      return;
    }
    for (const Keyword& keyword : of_flame) {
      if (keyword.name != word) continue;
      const std::vector<double> values = numbers(word, keyword.numbers);
      if (!keyword.attribute.empty()) flame_[keyword.attribute] = joined(values);
      if (word == "palette") palette_ = values;
      return;
    }
    for (const Keyword& keyword : of_xform) {
      if (keyword.name != word) continue;
      OldXform& xform = xforms_[xform_];
      const std::vector<double> values = numbers(word, keyword.numbers);
      if (word == "var") {
        xform.variations = values;
      } else {
        xform.attributes[keyword.attribute] = joined(values);
        if (word == "coefs") xform.attributes["weight"] = "1";
      }
      return;
    }
    refuse(fmt::format("{} is no word of the old format, nor is the file XML", printable(word)));
  }

  std::string xform_text(int number, const OldXform& xform) const {
    std::string text = "<xform";
    for (const auto& [name, value] : xform.attributes)
      text += fmt::format(" {}=\"{}\"", name, value);
    if (!xform.attributes.contains("weight")) text += " weight=\"0\"";
    if (!xform.attributes.contains("color")) text += fmt::format(" color=\"{}\"", number % 2);
    double sum = 0;
    for (const double weight : xform.variations) sum += weight;
    for (std::size_t v = 0; v < xform.variations.size(); ++v) {
      if (xform.variations[v] == 0) continue;
      if (sum == 0) refuse("the weights of var have the sum 0");
      text += fmt::format(" {}=\"{}\"", variations()[v].name, shortest(xform.variations[v] / sum));
    }
    if (sum == 0) text += " linear=\"1\"";
    return text + "/>";
  }

  /// One flame, behind as many line ends as let its beginning stand at its line: messages name that.
  std::string flame(const std::string& before) {
    const auto lines = std::count(before.begin() + std::ptrdiff_t(counted_), before.end(), '\n');
    lines_ += int(lines);
    counted_ = before.size();
    std::string text(std::size_t(std::max(0, begun_at_ - 1 - lines_)), '\n');
    text += "<flame";
    for (const auto& [name, value] : flame_) text += fmt::format(" {}=\"{}\"", name, value);
    text += ">";
    for (const auto& [number, xform] : xforms_) text += xform_text(number, xform);
    for (std::size_t c = 0; c + 2 < palette_.size(); c += 3)
      text += fmt::format("<color index=\"{}\" rgb=\"{} {} {}\"/>", c / 3, palette_[c],
                          palette_[c + 1], palette_[c + 2]);
    flame_.clear();
    xforms_.clear();
    palette_.clear();
    xform_ = 0;
    return text + "</flame>";
  }

  std::string_view rest_;
  const std::string name_;
  int line_ = 1, xform_ = 0;
  int begun_at_ = 1;         // the line of the flame
  int lines_ = 0;            // in what is written
  std::size_t counted_ = 0;  // bytes of it whose lines are counted
  std::size_t numbers_ = 0;
  bool begun_ = false;
  std::map<std::string_view, std::string> flame_;
  std::map<int, OldXform> xforms_;
  std::vector<double> palette_;
};

}  // namespace

bool is_old_format(std::string_view text) { return OldReader(text, "").begins_with_keyword(); }

std::string xml_of_old_format(std::string_view text, const std::string& name) {
  return OldReader(text, name).xml();
}

}  // namespace kiln
