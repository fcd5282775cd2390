// SPDX-License-Identifier: MIT
#include "cli/report/site.h"

#include <fmt/format.h>

#include "cli/report/compare_report.h"

namespace kiln::cli {
namespace {

bool is_absolute(const std::string& address) { return address.find("://") != std::string::npos; }

/// The text of a page; `up`: the way from it to the site.
struct Page {
  const Site& site;
  std::string title, about, up;
  std::string picture, path;  // for those who show what a link leads to; from the site
  int width = 0, height = 0;
};

/// Tells other programs what to show of a link to the page (ogp.me); they ask for whole addresses.
std::string card(const Page& page) {
  const auto property = [](const char* name, const std::string& value) {
    return fmt::format("<meta property=\"og:{}\" content=\"{}\">\n", name, html(value));
  };
  const std::string& address = page.site.address;
  std::string text = property("type", "website") + property("title", page.title) +
                     property("description", page.about);
  if (!address.empty()) text += property("url", address + page.path);
  text += property("image", (address.empty() ? page.up : address) + page.picture);
  text += property("image:width", std::to_string(page.width)) +
          property("image:height", std::to_string(page.height));
  return text + "<meta name=\"twitter:card\" content=\"summary_large_image\">\n";
}

std::string whole(const Page& page, const std::string& body) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{}\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"dark\">\n<title>{}</title>\n"
      "<meta name=\"description\" content=\"{}\">\n{}<style>{}</style>\n</head>\n<body>\n{}"
      "<script>{}</script>\n</body>\n</html>\n",
      site_mark, html(page.title), html(page.about), card(page), report_file("site.css"), body,
      report_file("site.js"));
}

std::string count_of(std::size_t flames) {
  return fmt::format("{} fractal flame{}", flames, flames == 1 ? "" : "s");
}

}  // namespace

std::string site_wall(const Site& site) {
  std::string body = fmt::format("<header><h1>{}</h1><p>{}</p></header>\n<main class=\"wall\">\n",
                                 html(site.title), count_of(site.flames.size()));
  for (const SiteFlame& flame : site.flames)
    body += fmt::format(
        "<a href=\"{}\"><img src=\"{}\" width=\"{}\" height=\"{}\" alt=\"\" loading=\"lazy\">"
        "<span>{}</span></a>\n",
        html(flame.page), html(flame.small), flame.small_width, flame.small_height,
        html(flame.title));
  body += "</main>\n<footer>Made with kiln</footer>\n";
  const SiteFlame& first = site.flames.front();
  return whole({site, site.title, count_of(site.flames.size()), "", first.picture, "index.html",
                first.width, first.height},
               body);
}

std::string site_page(const Site& site, std::size_t number) {
  const SiteFlame& flame = site.flames[number];
  const std::string up = "../";
  const std::size_t count = site.flames.size();
  std::string body =
      fmt::format("<header><nav><a href=\"{}index.html\">&uarr; {}</a>", up, html(site.title));
  if (count > 1)
    body += fmt::format(
        "<span><a href=\"{0}{1}\" rel=\"prev\" aria-label=\"The flame before\">&larr;</a> "
        "<a href=\"{0}{2}\" rel=\"next\" aria-label=\"The next flame\">&rarr;</a></span>",
        up, html(site.flames[(number + count - 1) % count].page),
        html(site.flames[(number + 1) % count].page));
  body += fmt::format(
      "</nav></header>\n<main class=\"flame\">\n<img src=\"{}{}\" width=\"{}\" height=\"{}\" "
      "alt=\"{}\">\n<h1>{}</h1>\n<p>{}</p>\n<p class=\"doors\">",
      up, html(flame.picture), flame.width, flame.height, html("The flame " + flame.title),
      html(flame.title), html(flame.about));
  if (!site.player.empty() && !flame.link.empty()) {
    const std::string player = (is_absolute(site.player) ? "" : up) + site.player + flame.link;
    body += fmt::format(
        "<a class=\"main\" href=\"{0}\">Play with it</a>\n<button data-link=\"{0}\">Copy "
        "link</button>\n",
        html(player));
  }
  body += fmt::format(
      "<a href=\"{0}{1}\" download>Download flame</a>\n<a href=\"{0}{2}\" download>Download picture"
      "</a></p>\n<p id=\"said\" role=\"status\"></p>\n</main>\n<footer>Made with kiln</footer>\n",
      up, html(flame.file), html(flame.picture));
  return whole(
      {site, flame.title, flame.about, up, flame.picture, flame.page, flame.width, flame.height},
      body);
}

}  // namespace kiln::cli
