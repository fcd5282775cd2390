// SPDX-License-Identifier: MIT
#include "cli/report/compare_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>

#include "cli/options/output_files.h"
#include "cli/report/embedded_file.h"
#include "cli/says/console.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/file/input_file.h"
#include "engine/io/picture/picture_format.h"
#include "engine/model/image.h"
#include "engine/model/transfer.h"

namespace kiln::cli {
namespace {

std::string png_bytes(const Image& image) { return format_for(false).bytes(image, {}, {}); }

void add_pictures(ReportCase& one, const Compared& a, const Compared& b, const Findings& findings) {
  one.pictures.push_back({"expected: " + a.path, png_bytes(for_a_screen(a.picture))});
  one.pictures.push_back({"got: " + b.path, png_bytes(for_a_screen(b.picture))});
  if (!findings.pixels.same_size || findings.verdict == Verdict::identical) return;
  const double gain = difference_gain(findings.pixels.largest);
  one.pictures.push_back({fmt::format("difference times {}", shortest(gain)),
                          png_bytes(difference_picture(a.picture, b.picture, gain))});
  if (findings.flip)
    one.pictures.push_back(
        {"FLIP", png_bytes(flip_picture(*findings.flip, a.picture.width, a.picture.height))});
}

void add_facts(ReportCase& one, const Findings& findings) {
  const Comparison& c = findings.pixels;
  const auto add = [&](const char* label, std::string value) {
    one.facts.emplace_back(label, std::move(value));
  };
  if (findings.flip) add("FLIP", fmt::format("{:.4f}", findings.flip->mean));
  add("PSNR", c.largest > 0 ? fmt::format("{:.2f} dB", c.psnr_db) : "infinite");
  add("differing pixels", fmt::format("{:.3f} %", 100 * c.differing));
  add("SSIM", fmt::format("{:.6f}", c.ssim));
  add("rms", fmt::format("{:.6g}", c.rms));
  add("mean difference", fmt::format("{:.6g}", c.mean));
  add("largest difference", fmt::format("{:.6g}", c.largest));
  if (const auto& noise = findings.noise) {
    add("largest z", fmt::format("{:.2f}, in {} x {} pixels at {}, {}", noise->largest_z,
                                 noise->side, noise->side, noise->x, noise->y));
    if (findings.other_look) add("look", "other settings");
    add("allowed z", fmt::format("{:.2f} in {} tests", noise->allowed_z, noise->tests));
  }
}

std::string described(const Compared& side) {
  return fmt::format("{} x {}, {} bits, pixels {:.16}...", side.picture.width, side.picture.height,
                     side.picture.bits(), pixel_hash(side.picture));
}

constexpr std::size_t facts_in_line = 3;

/// A word as the name of a class: "same distribution" -> "same-distribution".
std::string class_of(std::string word) {
  std::replace(word.begin(), word.end(), ' ', '-');
  return word;
}

std::string figures_html(const ReportCase& one) {
  std::string text = "<div class=\"figures\">\n";
  for (const ReportPicture& picture : one.pictures) {
    text += fmt::format(
        "<figure><img alt=\"{0}\" src=\"data:image/png;base64,{1}\"><figcaption>{0}</figcaption>"
        "</figure>\n",
        html(picture.label), base64(picture.png));
  }
  return text + "</div>\n";
}

std::string case_html(const ReportCase& one, bool open) {
  std::string line, table;
  for (std::size_t i = 0; i < one.facts.size(); ++i) {
    const auto& [label, value] = one.facts[i];
    if (i < facts_in_line)
      line += fmt::format("<span class=\"fact\">{} <b>{}</b></span>", html(label), html(value));
    table += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", html(label), html(value));
  }
  return fmt::format(
      "<details class=\"case {0}\"{1}>\n<summary><span class=\"verdict\">{2}</span>"
      "<span class=\"name\">{3}</span>{4}</summary>\n<div class=\"body\">\n{5}{6}<table>\n{7}"
      "</table>\n</div>\n</details>\n",
      class_of(one.verdict), open ? " open" : "", html(one.verdict), html(one.name), line,
      one.note.empty() ? "" : fmt::format("<p class=\"note\">{}</p>\n", html(one.note)),
      one.pictures.empty() ? "" : figures_html(one), table);
}

/// "12 comparisons: 11 identical, 1 different".
std::string counted(const std::vector<ReportCase>& cases) {
  std::map<std::string, int> counts;
  for (const ReportCase& one : cases) ++counts[one.verdict];
  std::string text = fmt::format("{} comparison{}", cases.size(), cases.size() == 1 ? "" : "s");
  const char* before = ": ";
  for (const char* word : {"different", "within limits", "same distribution", "identical"}) {
    if (!counts.contains(word)) continue;
    text += fmt::format("{}{} {}", before, counts[word], word);
    before = ", ";
  }
  return text;
}

std::uint8_t byte_of(double value) {
  return static_cast<std::uint8_t>(std::floor(std::clamp(value, 0.0, 1.0) * 255 + 0.5));
}

Image opaque_picture(int width, int height) {
  Image picture;
  picture.width = width;
  picture.height = height;
  picture.opaque = true;
  picture.pixels8().assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4,
                           255);
  return picture;
}

namespace fs = std::filesystem;

/// The result of all pairs so far.
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

ReportCase report_case(const std::string& name, const Compared& a, const Compared& b,
                       const Findings& findings, const CompareRules& rules) {
  ReportCase one;
  one.name = name;
  one.verdict = rules.word(findings);
  if (findings.pixels.same_size)
    add_facts(one, findings);
  else
    one.note = "The pictures have different sizes.";
  one.facts.emplace_back("expected", described(a));
  one.facts.emplace_back("got", described(b));
  add_pictures(one, a, b, findings);
  return one;
}

ReportCase lone_case(const std::string& name, const std::string& note) {
  ReportCase one;
  one.name = name;
  one.verdict = verdict_word(Verdict::different);
  one.note = note;
  return one;
}

std::string html(const std::string& text) {
  std::string safe;
  for (const char c : printable_whole(text)) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string base64(const std::string& bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve(bytes.size() / 3 * 4 + 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string report_file(const std::string& name) {
  for (const EmbeddedFile& file : report_files())
    if (file.name == name) return "\n" + file.text;
  return {};
}

Image for_a_screen(const Image& image) {
  Image picture = opaque_picture(image.width, image.height);
  std::vector<std::uint8_t>& pixels = picture.pixels8();
  for (std::size_t i = 0; i < pixels.size(); i += 4) {
    const Color3 light = shown_light(image, i / 4);
    pixels[i] = byte_of(srgb_of(light.x));
    pixels[i + 1] = byte_of(srgb_of(light.y));
    pixels[i + 2] = byte_of(srgb_of(light.z));
  }
  return picture;
}

Image flip_picture(const Flip& flip, int width, int height) {
  constexpr std::array<std::array<double, 3>, 5> stops = {{{0.02, 0.02, 0.05},
                                                           {0.29, 0.10, 0.43},
                                                           {0.71, 0.20, 0.35},
                                                           {0.94, 0.54, 0.24},
                                                           {1.00, 0.96, 0.78}}};
  Image picture = opaque_picture(width, height);
  for (std::size_t i = 0; i < flip.map.size(); ++i) {
    const double place = std::clamp(double(flip.map[i]), 0.0, 1.0) * (stops.size() - 1);
    const std::size_t left = std::min(static_cast<std::size_t>(place), stops.size() - 2);
    const double share = place - static_cast<double>(left);
    for (std::size_t c = 0; c < 3; ++c)
      picture.pixels8()[i * 4 + c] =
          byte_of(stops[left][c] + share * (stops[left + 1][c] - stops[left][c]));
  }
  return picture;
}

std::string report_page(const std::string& title, const std::vector<ReportCase>& cases) {
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"kiln {}\">\n<title>{}</title>\n<style>{}</style>\n"
      "</head>\n<body>\n<header>\n<h1>{}</h1>\n<p>{}</p>\n</header>\n<main>\n",
      KILN_VERSION, html(title), report_file("report.css"), html(title), html(counted(cases)));
  for (const ReportCase& one : cases) text += case_html(one, cases.size() == 1);
  return text + "</main>\n<script>" + report_file("report.js") + "</script>\n</body>\n</html>\n";
}

// ---- folders ----

std::vector<std::string> pictures_in(const std::string& folder) {
  std::vector<std::string_view> endings;
  for (const PictureFormat& format : picture_formats()) {
    endings.push_back(format.ending);
    if (!format.or_ending.empty()) endings.push_back(format.or_ending);
  }
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
