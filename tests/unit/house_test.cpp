// SPDX-License-Identifier: MIT
// The house in order, by a plain scan of its texts: files and functions stay short enough to be
// read, and what a comment or a page names exists.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/places.h"
#include "tests/unit/house_texts.h"

namespace kiln::test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_lines_of_file = 600, most_lines_of_function = 100;

/// Longer than that, with the reason.
const std::map<std::string, const char*> long_files = {};
const std::map<std::string, const char*> long_functions = {};

bool is_code(const std::string& name) { return ends_in(name, {".h", ".cpp", ".cu", ".cuh"}); }

bool is_product(const std::string& name) {
  return is_code(name) && (name.starts_with("engine/") || name.starts_with("cli/") ||
                           name.starts_with("view/") || name.starts_with("kernels/"));
}

std::size_t indentation(const std::string& line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

/// The first line of the block that may be a function's body and begins with line i, or i itself
/// if none does: a declaration with parentheses whose last line ends in {.
std::size_t body_of(const std::vector<std::string>& lines, std::size_t i) {
  static const std::regex other(
      R"(^\s*((if|for|while|switch|do|else|namespace|struct|class|enum|union|extern|template|concept|requires|case|default)\b|#|//|\}))");
  if (lines[i].find('(') == std::string::npos || std::regex_search(lines[i], other)) return i;
  for (std::size_t j = i; j < lines.size() && !lines[j].empty(); ++j) {
    if (j > i && indentation(lines[j]) <= indentation(lines[i])) return i;
    const char last = lines[j].back();
    if (last == '{') return lines[j].ends_with("= {") ? i : j + 1;
    if (last == ';' || last == '}') return i;
  }
  return i;
}

struct Function {
  std::string name;  // the word before its first parenthesis
  std::size_t line, length;
};

/// Functions as the formatter lays them out: what they hold is indented more than they are.
std::vector<Function> functions_of(const std::vector<std::string>& lines) {
  static const std::regex name(R"((\w+)\()");
  std::vector<Function> functions;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t body = body_of(lines, i);
    if (body == i) continue;
    const std::string end = std::string(indentation(lines[i]), ' ') + "}";
    std::size_t last = body;
    while (last + 1 < lines.size() && !lines[last].starts_with(end)) ++last;
    std::smatch match;
    std::regex_search(lines[i], match, name);
    functions.push_back({match[1], i + 1, last - i + 1});
    i = last;
  }
  return functions;
}

/// The headers of one system are in engine/base/platform/ and nowhere else: so a new system is one folder.
TEST(House, systems_headers_are_in_their_room) {
  static const std::regex of_a_system(
      R"(#include <(unistd|fcntl|signal|poll|pthread|dlfcn|termios|windows|io|direct|process|(sys|netinet|arpa)/\w+)\.h>)");
  for (const std::string& name : texts()) {
    const bool is_code_of_python = is_code(name) && name.starts_with("python/");
    if (!is_product(name) && !is_code_of_python) continue;
    if (name.starts_with("engine/base/platform/")) continue;
    for (const std::string& line : lines_of(fs::path(source_dir()) / name))
      EXPECT_FALSE(std::regex_search(line, of_a_system)) << name << ": " << line;
  }
}

TEST(House, scan_finds_functions) {
  const std::vector<std::string> text = {"struct Box {",
                                         "  int area(int w,",
                                         "           int h) {",
                                         "    if (w) {",
                                         "      return w * h;",
                                         "    }",
                                         "    return 0;",
                                         "  }",
                                         "  int side(int);",
                                         "  Box(int s)",
                                         "      : s_(s) {",
                                         "    s = 1;",
                                         "  }",
                                         "};"};
  const std::vector<Function> found = functions_of(text);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "area");
  EXPECT_EQ(found[0].length, 7u);
  EXPECT_EQ(found[1].name, "Box");
  EXPECT_EQ(found[1].length, 4u);
}

TEST(House, files_are_short) {
  std::set<std::string> seen;
  for (const std::string& name : texts()) {
    if (!is_product(name) && !name.starts_with("view/page/")) continue;
    const std::size_t lines = lines_of(fs::path(source_dir()) / name).size();
    if (lines <= most_lines_of_file) continue;
    seen.insert(name);
    EXPECT_TRUE(long_files.contains(name)) << name << " has " << lines << " lines: part it";
  }
  for (const auto& [name, reason] : long_files)
    EXPECT_TRUE(seen.contains(name)) << name << " is short: take it off the list";
}

TEST(House, functions_are_short) {
  std::set<std::string> seen;
  for (const std::string& name : texts()) {
    if (!is_product(name)) continue;
    for (const Function& f : functions_of(lines_of(fs::path(source_dir()) / name))) {
      if (f.length <= most_lines_of_function) continue;
      seen.insert(f.name);
      EXPECT_TRUE(long_functions.contains(f.name))
          << name << ":" << f.line << ": " << f.name << " has " << f.length << " lines: part it";
    }
  }
  for (const auto& [name, reason] : long_functions)
    EXPECT_TRUE(seen.contains(name)) << name << " is short: take it off the list";
}

/// Where a line of a text speaks to its reader: all of a page, the comment of a line of code.
std::string words_of(const std::string& file, const std::string& line) {
  if (file.ends_with(".md")) return line;
  const std::size_t at = line.find(is_code(file) ? "//" : "#");
  return at == std::string::npos ? "" : line.substr(at);
}

TEST(House, files_that_are_named_exist) {
  static const std::regex named(
      R"((^|[^\w<>*{}$#./-])((?:\.\.?/)*[A-Za-z0-9_][\w./-]*\.(?:h|cpp|cu|cuh|md|py|cmake|sh))(?![\w(]))");
  const std::vector<std::string> all = texts();
  const auto exists = [&](std::string file) {
    while (file.starts_with("./") || file.starts_with("../")) file.erase(0, file.find('/') + 1);
    return std::any_of(all.begin(), all.end(), [&](const std::string& name) {
      return name == file || name.ends_with("/" + file);
    });
  };
  for (const std::string& name : all) {
    const bool read = is_code(name) || name.starts_with("scripts/") ||
                      ends_in(name, {".md", ".cmake", "CMakeLists.txt"});
    if (!read) continue;
    const std::vector<std::string> lines = lines_of(fs::path(source_dir()) / name);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string words = words_of(name, lines[i]);
      for (auto m = std::sregex_iterator(words.begin(), words.end(), named);
           m != std::sregex_iterator(); ++m)
        EXPECT_TRUE(exists((*m)[2])) << name << ":" << i + 1 << " names " << (*m)[2];
    }
  }
}

/// Whether line i begins a comment with a word that leaves it without a subject: "Of this frame."
bool begins_amid_a_sentence(const std::vector<std::string>& lines, std::size_t i) {
  static const std::regex comment(R"(^\s*///( |$))");
  static const std::regex amid(
      "^\\s*/// (Of|What|The same|How|Where|From|In|For|As|To|By|With|Those|Who|Whose|Which|Why|On|"
      "Nothing|Null|That|None|Or|And|Until|Under|Among|Between|Beside|Behind|Within|After) ");
  return std::regex_search(lines[i], amid) && (i == 0 || !std::regex_search(lines[i - 1], comment));
}

TEST(House, comments_amid_a_sentence_are_found) {
  const std::vector<std::string> text = {
      "/// Of this frame.",          "int number();",
      "  /// What it has.",          "  /// The picture, in place",
      "  /// of the one before.",    "  /// Whether it is there.",
      "/// The pictures of a film,", "/// As they are made.",
  };
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (begins_amid_a_sentence(text, i)) found.push_back(i);
  EXPECT_EQ(found, (std::vector<std::size_t>{0, 2}));
}

/// The number may only fall: where it does, make it smaller here.
TEST(House, comments_begin_with_a_subject_or_a_verb) {
  constexpr std::size_t most = 34;
  std::vector<std::string> found;
  for (const std::string& name : texts()) {
    if (!is_product(name) && !(is_code(name) && name.starts_with("python/"))) continue;
    const std::vector<std::string> lines = lines_of(fs::path(source_dir()) / name);
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (begins_amid_a_sentence(lines, i))
        found.push_back(name + ":" + std::to_string(i + 1) + ": " + lines[i]);
  }
  std::string all;
  for (const std::string& line : found) all += line + "\n";
  EXPECT_LE(found.size(), most)
      << all << "one of these is new. Begin with the thing or with a verb, in plain words: not "
      << "\"What it takes\" but \"Bytes that it takes\" or \"The memory of a frame\", not \"Of a "
      << "file\" but \"Reads a file\", not \"The same for a film\" but what it does for a film. "
      << "Say the unit, what an empty result means, and what is thrown.";
}

/// The machine may have a hundred cores, and this process two of them: usable_cores().
TEST(House, threads_are_counted_by_what_the_process_may_use) {
  for (const std::string& name : texts()) {
    const bool is_of_program =
        name.starts_with("engine/") || name.starts_with("cli/") || name.starts_with("view/");
    if (!is_code(name) || !is_of_program || name.starts_with("engine/base/platform/")) continue;
    for (const std::string& line : lines_of(fs::path(source_dir()) / name))
      EXPECT_EQ(line.find("hardware_concurrency"), line.npos) << name << ": " << line;
  }
}

/// What scripts/test --quick leaves out: a name that is none would bring its slow test back.
TEST(House, slow_tests_are_tests) {
  std::set<std::string> names;
  const auto& all = *testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *all.GetTestSuite(i);
    for (int k = 0; k < suite.total_test_count(); ++k)
      names.insert(std::string(suite.name()) + "." + suite.GetTestInfo(k)->name());
  }
  const auto lines = lines_of(fs::path(source_dir()) / "tests/slow.txt");
  EXPECT_GT(lines.size(), 20u);
  for (const std::string& line : lines)
    EXPECT_TRUE(line.starts_with("#") || names.contains(line)) << line;
}

/// `scripts/spdx` writes the line where it is missing.
TEST(House, sources_name_their_license) {
  int count = 0;
  for (const std::string& name : texts()) {
    const std::vector<std::string> lines = lines_of(fs::path(source_dir()) / name);
    const bool is_script = !lines.empty() && lines[0].starts_with("#!");
    if (!is_script && !is_code(name) && !ends_in(name, {".js", ".css", ".py", ".pyi", ".cmake"}))
      continue;
    ++count;
    const std::size_t at = is_script ? 1 : 0;
    EXPECT_TRUE(lines.size() > at &&
                lines[at].find("SPDX-License-Identifier: MIT") != std::string::npos)
        << name;
  }
  EXPECT_GT(count, 900);
}

/// What a system does in its way has the header of all systems (engine/base/platform/).
TEST(House, sources_have_a_header_of_their_name_or_say_what_they_are) {
  std::set<std::string> headers;
  for (const std::string& name : texts())
    if (name.ends_with(".h")) headers.insert(name.substr(0, name.size() - 2));
  int count = 0;
  for (const std::string& name : texts()) {
    if (!name.ends_with(".cpp") || name.starts_with("tests/") || name.starts_with("bench/"))
      continue;
    ++count;
    const std::string own = name.substr(0, name.size() - 4);
    const auto has_header = [&] {
      for (std::size_t end = own.size(); end != own.npos && end > own.rfind('/') + 1;
           end = own.find_last_of("_-", end - 1))
        if (headers.contains(own.substr(0, end))) return true;
      return false;
    };
    if (has_header() || name.starts_with("engine/base/platform/")) continue;
    const std::vector<std::string> lines = lines_of(fs::path(source_dir()) / name);
    EXPECT_TRUE(lines.size() > 1 && lines[1].starts_with("// "))
        << name
        << " has no header of its name: its second line says what it is, and which header has it";
  }
  EXPECT_GT(count, 250);
}

/// Helpers stand before what needs them, not wherever files were joined. May only fall.
TEST(House, unnamed_namespaces_stand_together) {
  constexpr std::size_t most = 22;
  std::string several;
  std::size_t count = 0;
  for (const std::string& name : texts()) {
    if (!is_code(name) || name.starts_with("tests/") || name.starts_with("bench/")) continue;
    const std::vector<std::string> lines = lines_of(fs::path(source_dir()) / name);
    if (std::count(lines.begin(), lines.end(), "namespace {") < 2) continue;
    ++count;
    several += name + "\n";
  }
  EXPECT_LE(count, most) << several;
}

/// CMakeLists.txt is the one place of the number that `kiln --version` says.
TEST(House, changes_begin_with_this_version) {
  for (const std::string& line : lines_of(fs::path(source_dir()) / "CHANGELOG.md")) {
    if (!line.starts_with("## ")) continue;
    EXPECT_TRUE(line.starts_with("## " KILN_VERSION " ")) << line;
    return;
  }
  FAIL() << "CHANGELOG.md names no version";
}

}  // namespace
}  // namespace kiln::test
