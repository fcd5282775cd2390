// SPDX-License-Identifier: MIT
// What the tests of settings share: the program in a scratch folder, asked for hashes and sizes.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace kiln::test {

using Names = std::vector<std::string>;

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline const std::string library = std::string(source_dir()) + "/flames/palettes.xml";

class Settings : public testing::Test {
 protected:
  Outcome kiln(const Names& arguments) const {
    return run_program(arguments, {folder.path(), "", {}, {}});
  }
  void put(const std::string& name, const std::string& bytes) const {
    write_file(folder / name, bytes);
  }
  static Names joined(Names first, const Names& more) {
    first.insert(first.end(), more.begin(), more.end());
    return first;
  }
  /// The pixel hashes of what a command makes, one a line.
  std::string hashes(const Names& arguments) const {
    const Outcome outcome =
        kiln(joined(arguments, {"--json", "-q", "--backend", "cpu", "--palettes", library}));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const std::regex hash("\"pixel_hash\":\"([0-9a-f]{64})\"");
    std::string found;
    for (std::sregex_iterator at(outcome.out.begin(), outcome.out.end(), hash), end; at != end;
         ++at)
      found += (*at)[1].str() + "\n";
    EXPECT_NE(found, "") << outcome.out;
    return found;
  }
  std::string hash_of(const std::string& flame, const Names& options = {}) const {
    put("h.flame", flame);
    return hashes(joined({"render", "h.flame"}, options));
  }
  /// A number of the first flame as `kiln info` says it.
  double info(const std::string& file, const std::string& member, const Names& options) const {
    const Outcome outcome = kiln(joined({"info", file, "--json", "--backend", "cpu"}, options));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const std::size_t at = outcome.out.find("\"" + member + "\":");
    EXPECT_NE(at, std::string::npos) << member << outcome.out;
    return std::strtod(outcome.out.c_str() + at + member.size() + 3, nullptr);
  }
  /// "WxH scale" of a.flame after the options.
  std::string framing(const Names& options) const {
    return fmt::format("{}x{} {}", info("a.flame", "width", options),
                       info("a.flame", "height", options), info("a.flame", "scale", options));
  }
  std::string usage_error(const Names& arguments) const {
    const Outcome outcome = kiln(arguments);
    std::string shown;
    for (const std::string& argument : arguments) shown += argument + " ";
    EXPECT_EQ(outcome.code, 2) << shown << outcome.err;
    EXPECT_EQ(outcome.out, "") << shown;
    return outcome.err;
  }

  ScratchFolder folder;
};

}  // namespace kiln::test
