// SPDX-License-Identifier: MIT
// What a flame needs and kiln does not have. Such a flame has another picture here than its author
// saw, so it is refused (exit code 4), naming all of it; who wants the rest all the same asks for
// it (--approximate), and the picture's record says what it lacks.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/io/flame/attributes.h"
#include "engine/model/flame.h"

namespace kiln {

// Attributes that other programs write and flam3 does not know. Some describe the work in an
// editor and leave the picture alone; some change the picture unless they have a neutral value, and
// a flame with such a one needs what kiln does not have. flam3 ignores both without a word, so this
// list decides what is refused: it names only what is known to change pictures.

enum class Foreign {
  unknown,   // of no program that is known here
  harmless,  // does not change the picture: editor data, or a neutral value
  missing    // changes the picture, and kiln cannot do it
};

/// Judges an attribute of <flame> that flam3 does not know.
Foreign foreign_in_flame(std::string_view name, std::string_view value, Dialect dialect);

/// Judges one of <xform>, <finalxform> and <motion>; variations and their parameters are not looked
/// at here.
Foreign foreign_in_xform(std::string_view name, std::string_view value);

/// Whether an attribute of <flame> is of the camera in three dimensions or of solids, without which the
/// picture is another one.
bool is_camera(std::string_view name);

// What an <xform> or <motion> says that is none of flam3's: variations that kiln does not have,
// their parameters, settings of other programs, editor data, slips of the pen. It is judged when
// the whole element is read, since a parameter means something only beside its variation.

class UnknownAttributes {
 public:
  /// `known`: the names to propose for a mistyped one; `all`: the element's attributes, which must
  /// outlive this.
  UnknownAttributes(const std::vector<std::string>& known, const std::vector<Attribute>& all)
      : known_(known), all_(all) {}

  /// One of them.
  void add(const Attribute& attribute);

  /// Judges all that were added: what kiln cannot do goes into `missing`; the rest is reported.
  void judge(const XformValues& values, Dialect dialect, std::vector<Missing>& missing);

 private:
  void judge(const Attribute& a, const XformValues& values, std::vector<Missing>& missing) const;
  bool is_parameter_of_unknown(std::string_view name) const;
  std::string complete_without(std::string_view name) const;
  void find_given();
  void report(const Attribute& attribute) const;

  const std::vector<std::string>& known_;
  const std::vector<Attribute>& all_;
  std::vector<const Attribute*> settings_, others_;
  std::set<std::string_view> names_;  // of others_
  /// Forms in use, each with those of its parameters that are given.
  std::map<std::pair<Stage, int>, std::set<int>> given_;
};

/// An element that kiln does not know may hold the flame: it is missing, once for each name.
void add_unknown_element(std::string_view name, int line, const std::string& place,
                         std::vector<Missing>& missing);

}  // namespace kiln
