// SPDX-License-Identifier: MIT
// docs/inside/live-inside.md says what goes over the socket of kiln view: all of it, and nothing else.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "tests/cli/program.h"
#include "tests/places.h"

namespace kiln {
namespace {

using Words = std::set<std::string>;

/// What stands in the brackets of the expression, wherever it fits.
Words all_in(const std::string& text, const char* expression) {
  const std::regex one(expression);
  Words words;
  for (std::sregex_iterator at(text.begin(), text.end(), one), end; at != end; ++at)
    words.insert((*at)[1]);
  return words;
}

class protocol_page : public testing::Test {
 protected:
  protocol_page() {
    const std::filesystem::path root = source_dir();
    for (const auto& entry : std::filesystem::directory_iterator(root / "view/server"))
      server += test::read_file(entry.path());
    page = test::read_file(root / "docs/inside/live-inside.md");
  }
  /// The page from this heading on, to the other one.
  std::string between(const char* heading, const char* other) const {
    const std::size_t begin = page.find(heading), end = page.find(other);
    EXPECT_LT(begin, end) << heading;
    return page.substr(begin, end - begin);
  }
  std::string from_pages() const { return between("### From the page", "### To the page"); }

  std::string server, page;
};

TEST_F(protocol_page, names_every_message_of_both_sides) {
  const char* const type = R"re("type":"(\w+)")re";
  EXPECT_EQ(all_in(from_pages(), type), all_in(server, R"(\nKILN_MESSAGE\((\w+)\))"));
  EXPECT_EQ(all_in(between("### To the page", "### What the flame"), type),
            all_in(server, R"re(add\("type", "(\w+)"\))re"));
}

TEST_F(protocol_page, names_every_field_that_the_server_reads) {
  const Words read = all_in(server, R"re(message\.(?:number|text|flag|has)\(\s*"(\w+)")re"),
              said = all_in(from_pages(), R"re(["`](\w+)["`])re");
  EXPECT_GT(read.size(), 50u);
  for (const std::string& field : read) EXPECT_TRUE(said.contains(field)) << field;
}

}  // namespace
}  // namespace kiln
