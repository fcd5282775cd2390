// SPDX-License-Identifier: MIT
// The count of docs/reference/compatibility.md: every variation and every attribute that its tables count is
// one that kiln has, so that the figures beside them are kiln's.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "engine/io/flame/flame_reader.h"
#include "engine/model/variations.h"
#include "tests/places.h"

namespace kiln::test {
namespace {

/// Rows of the table below a heading of docs/reference/compatibility.md, cell by cell.
std::vector<std::vector<std::string>> table_below(const std::string& heading) {
  std::ifstream page(std::string(source_dir()) + "/docs/reference/compatibility.md");
  std::vector<std::vector<std::string>> rows;
  bool below = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("#")) below = line.ends_with(heading);
    if (!below || !line.starts_with("| ")) continue;
    std::vector<std::string> cells;
    for (std::size_t at = 2; at < line.size();) {
      const std::size_t end = line.find(" |", at);
      cells.push_back(line.substr(at, end - at));
      at = end + 3;
    }
    rows.push_back(cells);
  }
  if (!rows.empty()) rows.erase(rows.begin());  // its head
  return rows;
}

/// What stands between backticks.
std::vector<std::string> quoted(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t at = text.find('`'); at != text.npos; at = text.find('`', at)) {
    const std::size_t end = text.find('`', at + 1);
    names.push_back(text.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return names;
}

TEST(Coverage, EveryCountedVariationIsKilns) {
  const auto rows = table_below("Coverage by variations");
  ASSERT_EQ(rows.size(), 29u);
  std::size_t counted = 0;
  int before = 0, before_j = 0;
  for (const std::vector<std::string>& row : rows) {
    for (const std::string& name : quoted(row.at(0))) {
      EXPECT_TRUE(find_form(name)) << name;
      EXPECT_TRUE(find_form("pre_" + name)) << name;
      ++counted;
    }
    const int fractorium = std::stoi(row.at(1)), jwildfire = std::stoi(row.at(2));
    EXPECT_GE(fractorium, before);
    EXPECT_GE(jwildfire, before_j);
    before = fractorium;
    before_j = jwildfire;
  }
  EXPECT_EQ(flam3_variation_count(), 99);
  EXPECT_EQ(counted, 60u);
  EXPECT_EQ(before, 162);
  EXPECT_EQ(before_j, 35);
}

/// A flame that has nothing else says nothing of what it is made without.
TEST(Coverage, EveryCountedFeatureIsKilns) {
  const auto rows = table_below("Coverage by features");
  ASSERT_GE(rows.size(), 10u);
  for (const std::vector<std::string>& row : rows) {
    for (const std::string& attribute : quoted(row.at(1))) {
      const bool of_xform = row.at(0).starts_with("xform");
      const std::string xml = "<flame version=\"EMBER-WIN-1.0.0.19\" size=\"8 8\" " +
                              (of_xform ? "" : attribute) + "><xform weight=\"1\" linear=\"1\" " +
                              (of_xform ? attribute : "") +
                              "/><color index=\"0\" rgb=\"1 2 3\"/></flame>";
      const FlameFile file = parse_flames(xml, "feature.flame", {});
      EXPECT_TRUE(file.flames.at(0).missing.empty()) << attribute;
      for (const Warning& warning : file.warnings) ADD_FAILURE() << warning.text;
    }
  }
}

}  // namespace
}  // namespace kiln::test
