// SPDX-License-Identifier: MIT
// The pages of README.md and docs/: what they lead to exists, all are found from the index, and those
// for users have a picture and short sentences.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/places.h"
#include "tests/unit/house_texts.h"

namespace kiln::test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_words_of_sentence = 40;
constexpr std::uintmax_t most_bytes_of_picture = 100 * 1024, most_bytes_of_loop = 900 * 1000;

/// A heading as links name it: small letters, - for blanks, no other marks; of a link its text.
std::string anchor_of(const std::string& heading) {
  static const std::regex link(R"(\[([^\]]*)\]\([^)]*\))");
  std::string anchor;
  for (const char c : std::regex_replace(heading, link, "$1")) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-')
      anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

std::set<std::string> anchors_of(const fs::path& page) {
  std::set<std::string> anchors;
  bool is_code = false;
  for (const std::string& line : lines_of(page)) {
    if (line.starts_with("```")) is_code = !is_code;
    const std::size_t text = line.find_first_not_of('#');
    if (!is_code && line.starts_with("#") && text < line.size() && line[text] == ' ')
      anchors.insert(anchor_of(line.substr(text + 1)));
  }
  return anchors;
}

TEST(House, links_of_pages_lead_somewhere) {
  static const std::regex link(R"(\]\(([^)\s:#]*)(?:#([^)\s]*))?\))");
  EXPECT_EQ(anchor_of("The [README](../README.md), in `short`: Part_2"),
            "the-readme-in-short-part_2");
  for (const std::string& name : texts()) {
    if (!name.ends_with(".md")) continue;
    const fs::path page = fs::path(source_dir()) / name;
    for (const std::string& line : lines_of(page)) {
      for (auto m = std::sregex_iterator(line.begin(), line.end(), link);
           m != std::sregex_iterator(); ++m) {
        const std::string file = (*m)[1], anchor = (*m)[2];
        const fs::path target = file.empty() ? page : page.parent_path() / file;
        EXPECT_TRUE(fs::exists(target)) << name << " leads to " << file;
        EXPECT_TRUE(anchor.empty() || anchors_of(target).contains(anchor))
            << name << " leads to " << m->str();
      }
    }
  }
}

/// Rows of tables and comments cannot be broken.
TEST(House, lines_of_pages_fit_a_screen) {
  for (const std::string& name : texts()) {
    if (!name.ends_with(".md")) continue;
    const std::vector<std::string> lines = lines_of(fs::path(source_dir()) / name);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].starts_with("|") || lines[i].starts_with("<!--")) continue;
      EXPECT_LT(lines[i].size(), 160u) << name << ":" << i + 1;
    }
  }
}

/// Names of files below docs/ in a line of any text, as "docs/use/film.md" or "$root/docs/use".
std::vector<std::string> named_below_docs(const std::string& line) {
  const auto is_of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.' ||
           c == '/';
  };
  std::vector<std::string> found;
  for (std::size_t at = line.find("docs/"); at != line.npos; at = line.find("docs/", at + 1)) {
    const bool of_root = at >= 5 && line.compare(at - 5, 5, "root/") == 0;
    if (at > 0 && is_of_name(line[at - 1]) && !of_root) continue;
    std::size_t end = at;
    while (end < line.size() && is_of_name(line[end])) ++end;
    while (line[end - 1] == '.' || line[end - 1] == '/') --end;
    found.push_back(line.substr(at, end - at));
  }
  return found;
}

TEST(House, names_below_docs_are_found) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(named_below_docs("(docs/use/gpu.md)."), (Names{"docs/use/gpu.md"}));
  EXPECT_EQ(named_below_docs("$root/docs/use/ and docs/README.md"),
            (Names{"docs/use", "docs/README.md"}));
  EXPECT_EQ(named_below_docs("tests/docs/tasks_test.py devel-docs/ggr.txt"), Names{});
}

/// Messages, comments, scripts, manuals and packages: whatever says where a page is.
TEST(House, pages_that_any_text_names_exist) {
  int count = 0;
  for (const std::string& name : texts()) {
    if (ends_in(name, {".png", ".jpg", ".webp"}) || name == "packaging/debian/rules") continue;
    const std::vector<std::string> lines = lines_of(fs::path(source_dir()) / name);
    for (std::size_t i = 0; i < lines.size(); ++i)
      for (const std::string& page : named_below_docs(lines[i])) {
        ++count;
        EXPECT_TRUE(fs::exists(fs::path(source_dir()) / page))
            << name << ":" << i + 1 << " names " << page;
      }
  }
  EXPECT_GT(count, 200);
}

std::vector<std::string> pages_below(const std::string& folder) {
  std::vector<std::string> found;
  for (const std::string& name : texts())
    if (name.starts_with(folder) && name.ends_with(".md")) found.push_back(name);
  return found;
}

/// From the index every page is one click away, those of variations' families two.
TEST(House, index_leads_to_every_page) {
  const std::string families = "docs/reference/variations/";
  std::string index;
  for (const std::string& line : lines_of(fs::path(source_dir()) / "docs/README.md"))
    index += line + "\n";
  for (const std::string& page : pages_below("docs/")) {
    const bool is_family = page.starts_with(families) && !page.ends_with("/README.md");
    if (page == "docs/README.md" || is_family) continue;
    EXPECT_NE(index.find("](" + page.substr(5)), index.npos) << page;
  }
}

/// The lines below a heading, up to the next one of its rank; below a page's title up to the first.
std::string section_of(const fs::path& page, const std::string& anchor) {
  std::string text;
  std::size_t rank = 0;
  bool is_code = false;
  for (const std::string& line : lines_of(page)) {
    if (line.starts_with("```")) is_code = !is_code;
    const std::size_t hashes = std::min(line.find_first_not_of('#'), line.size());
    if (!is_code && hashes > 0 && hashes < line.size() && line[hashes] == ' ') {
      if (rank > 0 && (hashes <= rank || rank == 1)) break;
      if (anchor_of(line.substr(hashes + 1)) == anchor) rank = hashes;
    }
    if (rank > 0 || anchor.empty()) text += line + "\n";
  }
  return text;
}

/// README.md or the index has a link to the page, and the answer stands where the question leads.
TEST(House, questions_of_users_are_two_clicks_away) {
  const fs::path root = source_dir();
  std::string links;
  for (const std::string& line : lines_of(root / "README.md")) links += line;
  for (const std::string& line : lines_of(root / "docs/README.md"))
    links += std::regex_replace(line, std::regex(R"(\]\()"), "](docs/");
  int count = 0;
  for (const std::string& line : lines_of(root / "tests/docs/questions.txt")) {
    if (line.starts_with("#")) continue;
    const std::size_t first = line.find(" | "), second = line.find(" | ", first + 3);
    ASSERT_NE(second, line.npos) << line;
    const std::string where = line.substr(first + 3, second - first - 3);
    const std::string page = where.substr(0, where.find('#'));
    const std::string anchor = page == where ? "" : where.substr(page.size() + 1);
    EXPECT_TRUE(page == "README.md" || links.find("](" + page) != links.npos) << line;
    EXPECT_NE(section_of(root / page, anchor).find(line.substr(second + 3)), std::string::npos)
        << line;
    ++count;
  }
  EXPECT_GE(count, 60);
}

TEST(House, pages_for_users_have_a_picture) {
  static const std::regex picture(R"(!\[[^\]]*\]\(([^)]*)\))");
  for (const std::string& name : pages_below("docs/use/")) {
    int count = 0;
    for (const std::string& line : lines_of(fs::path(source_dir()) / name))
      count += std::regex_search(line, picture);
    EXPECT_GT(count, 0) << name << " shows nothing: scripts/page-pictures";
  }
  for (const std::string& name : texts()) {
    if (!name.starts_with("docs/use/") || name.ends_with(".md")) continue;
    const auto most = name.ends_with("/loop.webp") ? most_bytes_of_loop : most_bytes_of_picture;
    EXPECT_LE(fs::file_size(fs::path(source_dir()) / name), most) << name;
  }
}

/// A page's paragraphs, items and cells, with one word for code and the text alone of links.
std::vector<std::string> paragraphs_of(const std::vector<std::string>& lines) {
  static const std::regex link(R"(!?\[([^\]]*)\]\([^)]*\))"), code(R"(`[^`]*`)"),
      begin(R"(^\s*([-*]|\d+\.|#+) )");
  std::vector<std::string> found(1);
  bool is_code = false;
  for (const std::string& line : lines) {
    if (line.starts_with("```")) is_code = !is_code;
    const bool ends = is_code || line.empty() || line.starts_with("```") ||
                      line.starts_with("<!--") || line.starts_with("|");
    if (ends || std::regex_search(line, begin)) found.emplace_back();
    if (is_code || line.starts_with("```") || line.starts_with("<!--")) continue;
    if (!line.starts_with("|")) {
      found.back() += " " + std::regex_replace(line, begin, "");
      continue;
    }
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, '|');) found.push_back(cell);
    found.emplace_back();
  }
  for (std::string& text : found)
    text = std::regex_replace(std::regex_replace(text, link, "$1"), code, "CODE");
  return found;
}

/// Numbers of words, sentence by sentence.
std::vector<std::size_t> words_of_sentences(const std::string& paragraph) {
  std::vector<std::size_t> counts(1);
  std::istringstream words(paragraph);
  for (std::string word; words >> word;) {
    counts.back() += std::any_of(word.begin(), word.end(), [](char c) {
      return std::isalnum(static_cast<unsigned char>(c));
    });
    const std::size_t last = word.find_last_not_of(")*\"'");
    if (last != word.npos && (word[last] == '.' || word[last] == '!' || word[last] == '?'))
      counts.push_back(0);
  }
  return counts;
}

TEST(House, sentences_are_counted) {
  EXPECT_EQ(words_of_sentences("One two. (Three 4.) Five - six"),
            (std::vector<std::size_t>{2, 2, 2}));
  const auto found = paragraphs_of(
      {"# A", "b `c d`", "[e f](g.md).", "", "```sh", "h", "```", "| i | j |", "- k"});
  std::size_t words = 0;
  for (const std::string& text : found)
    for (const std::size_t count : words_of_sentences(text)) words += count;
  EXPECT_EQ(words, 8u);  // A b CODE e f i j k
}

TEST(House, sentences_for_users_are_short) {
  std::vector<std::string> names = pages_below("docs/use/");
  names.insert(names.end(), {"README.md", "docs/README.md"});
  for (const std::string& name : names)
    for (const std::string& text : paragraphs_of(lines_of(fs::path(source_dir()) / name)))
      for (const std::size_t count : words_of_sentences(text))
        EXPECT_LE(count, most_words_of_sentence) << name << ": part it:" << text;
}

}  // namespace
}  // namespace kiln::test
