// A comparison as a case of the page that a browser shows (report_page.h).
#pragma once

#include "cli/compare_rules.h"
#include "cli/report/report_page.h"

namespace kiln::cli {

/// With the pictures, their amplified difference, FLIP's map, and all figures.
ReportCase report_case(const std::string& name, const Compared& a, const Compared& b,
                       const Findings& findings, const CompareRules& rules);

/// Of a picture that has no other, or could not be read: `note` says so.
ReportCase lone_case(const std::string& name, const std::string& note);

}  // namespace kiln::cli
