// SPDX-License-Identifier: MIT
// Text of attributes to numbers, in the C locale whatever the program's is. flam3's rule: the whole
// text must be one number, leading blanks and a plus sign allowed, trailing characters (even a
// blank) not; in dialects that are milder the number at its start counts. nan, inf and what single
// precision cannot hold are refused everywhere.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/flame/messages.h"
#include "engine/model/track.h"

namespace tinyxml2 {
class XMLAttribute;
class XMLElement;
}  // namespace tinyxml2

namespace kiln {

/// A value that cannot be read. Where the flame's dialect is milder than flam3 (Messages::is_mild)
/// it is as if the attribute were not there.
struct Unreadable : Error {
  using Error::Error;
};

/// One attribute and where it stands.
struct Attribute {
  Messages& messages;
  const std::string& owner;  // "flame", "xform 2", "motion of xform 2": xforms count from 1
  std::string_view name, value;
  int line;

  /// Throws: `file:line: owner: name="value": ...`.
  template <class... Args>
  [[noreturn]] void reject(fmt::format_string<Args...> format, Args&&... args) const {
    messages.error(line, "{}: {}=\"{}\": {}", owner, printable(name), printable(value),
                   fmt::format(format, std::forward<Args>(args)...));
  }
  /// Throws likewise, for a value that read_mildly() forgives.
  template <class... Args>
  [[noreturn]] void unreadable(fmt::format_string<Args...> format, Args&&... args) const {
    try {
      reject(format, std::forward<Args>(args)...);
    } catch (const Error& error) {
      throw Unreadable(error.kind, error.what());
    }
  }
};

/// Attributes of <flame> beyond the model, carried out once the children are read.
struct DeferredAttributes {
  std::optional<int> library_palette;                  // replaces whatever the children say
  int solo_xform = -1;                                 // from 0; the others become invisible
  std::optional<double> angle_rad;                     // Apophysis: in place of rotate
  bool density_estimation = false;                     // Apophysis: estimator_radius counts
  double scale_factor = 1;                             // JWildfire: cam_zoom
  std::map<std::string, double, std::less<>> numbers;  // of its camera and its copies
  std::string post_symmetry, lens_shape;
  std::array<double, 3> far_color = {0, 0, 0};
  bool has_background = false;                // or says of which type it is
  std::array<double, 3> balance = {1, 1, 1};  // that its red, green and blue are multiplied by
};

/// Runs `take`, which reads the attribute. Where the dialect is mild an unreadable value is told and
/// what the attribute sets keeps its usual value.
void read_mildly(const Attribute& attribute, const std::function<void()>& take);

/// Says once a file that the attribute has no counterpart here and changes the picture.
void note_left_out(const Attribute& attribute);

/// The attributes of an element in the order of the document. An element without any is an error,
/// as in flam3.
std::vector<Attribute> attributes_of(const tinyxml2::XMLElement& element, const std::string& owner,
                                     Messages& messages);

/// Value of a real attribute, |value| <= 1e38.
double read_real(const Attribute& attribute);

/// Value of a real attribute between low and high (inclusive).
double read_real(const Attribute& attribute, double low, double high);

/// Value of a real attribute above 0.
double read_positive(const Attribute& attribute);

/// Value of an integer attribute between low and high (inclusive); "2.0" is one, though not in
/// flam3.
int read_integer(const Attribute& attribute, int low, int high);

enum class Trailing { blanks_allowed, nothing_allowed };

/// Exactly `count` reals separated by blanks; `expected` says in the message what they are.
std::vector<double> read_reals(const Attribute& attribute, std::size_t count, const char* expected,
                               Trailing trailing = Trailing::blanks_allowed);

/// Any number of reals separated by blanks.
std::vector<double> read_real_list(const Attribute& attribute);

/// An easing: one of `words`, or the four numbers of a curve.
Easing read_easing(const Attribute& attribute, std::span<const std::string_view> words);

/// Splits at blanks.
std::vector<std::string_view> split_at_blanks(std::string_view text);

/// The number at the start of the text, 0 if there is none: what C's atof makes of it.
double leading_real(std::string_view text);

}  // namespace kiln
