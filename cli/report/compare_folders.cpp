#include "cli/report/compare_folders.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "cli/console.h"
#include "cli/options/output_files.h"
#include "cli/report/compare_report.h"
#include "engine/base/error.h"
#include "engine/io/file/input_file.h"
#include "engine/io/picture/picture_format.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

/// What became of all pairs so far.
struct Sum {
  FolderComparison result;
  JsonArray pairs;
  std::map<std::string, int> counts;  // by word

  void note(const std::string& name, const std::string& word, const std::string& text,
            const std::string& json) {
    ++counts[word];
    result.text += fmt::format("{}: {}{}{}\n", printable_whole(name), word,
                               text.empty() ? "" : ": ", printable_whole(text));
    pairs.add_json(json);
  }
  void note_lone(const std::string& name, const std::string& word, const std::string& text,
                 int code, bool with_cases) {
    JsonObject json;
    json.add("name", name).add("same", false).add("verdict", word);
    if (!text.empty()) json.add("message", text);
    note(name, word, text, json.text());
    result.code = std::max(result.code, code);
    if (with_cases) result.cases.push_back(lone_case(name, text.empty() ? word : text));
  }
};

void compare_one(const std::string& name, const std::string& a, const std::string& b,
                 const CompareRules& rules, bool with_cases, Sum& sum) {
  try {
    const auto opens = InputFile::Opens::regular_files;
    const Compared left = rules.read(a, opens), right = rules.read(b, opens);
    const Findings findings = rules.find(left, right);
    const bool same = rules.hold(findings);
    const std::string members = findings_json(left, right, findings, same).text();
    sum.note(name, rules.word(findings), in_words(left, right, findings),
             "{\"name\":" + json_string(name) + "," + members.substr(1));
    if (!same) sum.result.code = std::max(sum.result.code, int{exit_differences});
    if (with_cases) sum.result.cases.push_back(report_case(name, left, right, findings, rules));
  } catch (const Error& error) {
    sum.note_lone(name, "unreadable", error.what(), static_cast<int>(error.kind), with_cases);
  }
}

}  // namespace

std::vector<std::string> pictures_in(const std::string& folder) {
  std::vector<std::string_view> endings;
  for (const PictureFormat& format : picture_formats()) endings.push_back(format.ending);
  std::vector<std::string> names = files_in(folder, endings);
  if (names.empty())
    fail(ErrorKind::input, "{}: there is no {} file in this folder", printable_whole(folder),
         picture_endings());
  return names;
}

FolderComparison compare_folders(const std::string& a, const std::string& b,
                                 const CompareRules& rules, bool with_cases) {
  const std::vector<std::string> left = pictures_in(a), right = pictures_in(b);
  std::vector<std::string> names;
  std::set_union(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(names));
  Sum sum;
  for (const std::string& name : names) {
    const bool in_a = std::binary_search(left.begin(), left.end(), name);
    const bool in_b = std::binary_search(right.begin(), right.end(), name);
    if (in_a && in_b)
      compare_one(name, (fs::path(a) / name).string(), (fs::path(b) / name).string(), rules,
                  with_cases, sum);
    else
      sum.note_lone(name, fmt::format("only in {}", in_a ? a : b), "", exit_differences,
                    with_cases);
  }
  std::string counted;
  for (const auto& [word, count] : sum.counts)
    counted += fmt::format(", {} {}", count, printable_whole(word));
  sum.result.text += fmt::format("{} pictures{}\n", names.size(), counted);
  sum.result.json.add("a", a).add("b", b).add("same", sum.result.code == exit_done);
  sum.result.json.add_json("pairs", sum.pairs.text());
  return std::move(sum.result);
}

}  // namespace kiln::cli
