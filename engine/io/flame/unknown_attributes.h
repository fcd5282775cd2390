// What an <xform> or <motion> says that is none of flam3's: variations that kiln does not have,
// their parameters, settings of other programs, editor data, slips of the pen. It is judged when
// the whole element is read, since a parameter means something only beside its variation.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/io/flame/attributes.h"
#include "engine/model/flame.h"

namespace kiln {

class UnknownAttributes {
 public:
  /// `known`: the names to propose for a mistyped one; `all`: the element's attributes, which must
  /// outlive this.
  UnknownAttributes(const std::vector<std::string>& known, const std::vector<Attribute>& all)
      : known_(known), all_(all) {}

  /// One of them.
  void add(const Attribute& attribute);

  /// When all are added: what kiln cannot do goes into `missing`; the rest is reported.
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

}  // namespace kiln
