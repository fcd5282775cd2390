// SPDX-License-Identifier: MIT
// A comparison as a case of the page that a browser shows, and that page.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/pipeline/picture_pair.h"

namespace kiln::cli {

// A page of comparisons for a browser: one HTML file with its pictures, style and script inside, so
// that it can be kept, mailed and opened without a network. A case is a line that opens: a slider
// between two pictures, the other pictures, and the figures. Without a script the pictures stand
// side by side.

struct ReportPicture {
  std::string label;
  std::string png;  // the file's bytes
};

struct ReportCase {
  std::string name;
  std::string verdict;  // one of the words of verdict_word(), or "within limits"
  std::string note;     // a sentence, may be empty
  std::vector<std::pair<std::string, std::string>>
      facts;                            // label and value; the first few stand in the line
  std::vector<ReportPicture> pictures;  // the slider is between the first two
};

/// The whole page. A case alone is open.
std::string report_page(const std::string& title, const std::vector<ReportCase>& cases);

// What pages are made of.

/// Text as HTML shows it, in elements and in quoted attributes.
std::string html(const std::string& text);
/// RFC 4648, section 4.
std::string base64(const std::string& bytes);
/// The text of a file of cli/report/; on a line of its own, as what is around it.
std::string report_file(const std::string& name);

/// A picture with 8 bits as a screen shows it; linear light cut at 1.
Image for_a_screen(const Image& image);

/// FLIP's map from dark (0) over red to light (1).
Image flip_picture(const Flip& flip, int width, int height);

/// The case of two pictures: they, their amplified difference, FLIP's map, and all figures.
ReportCase report_case(const std::string& name, const Compared& a, const Compared& b,
                       const Findings& findings, const CompareRules& rules);

/// The case of a picture without a counterpart or that could not be read; `note` says which.
ReportCase lone_case(const std::string& name, const std::string& note);

// kiln compare of two folders: their pictures in pairs, by name.

struct FolderComparison {
  std::string text;  // a line a pair, and the count
  JsonObject json;
  std::vector<ReportCase> cases;  // if they are wanted
  int code = 0;                   // exit code
};

/// All .png and .exr files of both folders; one that only one of them has is a difference. What
/// cannot be read is said in its place. Throws Error of kind input for a folder without pictures.
FolderComparison compare_folders(const std::string& a, const std::string& b,
                                 const CompareRules& rules, bool with_cases);

/// The names of the pictures in a folder, sorted. Throws Error of kind input.
std::vector<std::string> pictures_in(const std::string& folder);

}  // namespace kiln::cli
