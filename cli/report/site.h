// SPDX-License-Identifier: MIT
// A site of flames: a wall, and a page for each, as files that any host serves and any browser opens from disk.
#pragma once

#include <string>
#include <vector>

namespace kiln::cli {

/// A flame as its page shows it; files are relative to the site.
struct SiteFlame {
  std::string title;
  std::string page, picture, small,
      file;                   // pages/x.html, pictures/x.jpg, small/x.jpg, flames/x.flam3
  int width = 0, height = 0;  // of the picture
  int small_width = 0, small_height = 0;
  std::string link;   // #title=...&f1=...
  std::string about;  // "4 xforms: julian, linear"
};

struct Site {
  std::string title;
  std::string address;  // of the site, with a / at its end; empty: not known
  std::string player;   // address of the page that renders, absolute or from the site; empty: none
  std::vector<SiteFlame> flames;
};

/// Stands in the head of every page: what a later run may replace.
inline constexpr const char* site_mark = "<meta name=\"generator\" content=\"kiln gallery\">";

/// index.html.
std::string site_wall(const Site& site);
/// The page of one of them.
std::string site_page(const Site& site, std::size_t number);

}  // namespace kiln::cli
