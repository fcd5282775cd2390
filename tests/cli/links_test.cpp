// SPDX-License-Identifier: MIT
// kiln link, links in place of files, and kiln gallery, from outside.
#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "engine/io/picture/picture_format.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using namespace test;
namespace fs = std::filesystem;

const std::string flame =
    "<flame name=\"fern\" size=\"60 40\" quality=\"4\" scale=\"20\"><xform weight=\"1\" "
    "linear=\"1\" "
    "coefs=\"0.5 0 0 0.5 0.2 0.1\"/><xform weight=\"1\" spherical=\"1\" coefs=\"0.6 0.2 -0.2 0.6 "
    "-0.3 0\"/>"
    "<color index=\"0\" rgb=\"200 100 50\"/><color index=\"255\" rgb=\"20 200 250\"/></flame>";

/// A flame of so many xforms by chance, which no packing makes small.
std::string large_flame(int xforms) {
  std::string xml = "<flame name=\"large\" size=\"60 40\" quality=\"1\" scale=\"20\">";
  std::uint32_t state = 1;
  const auto number = [&] {
    state = state * 1664525 + 1013904223;
    return std::to_string(double(state >> 8) / (1 << 25));
  };
  for (int i = 0; i < xforms; ++i) {
    xml += "<xform weight=\"1\" linear=\"1\" coefs=\"" + number();
    for (int k = 0; k < 5; ++k) xml += " " + number();
    xml += "\"/>";
  }
  return xml + "<color index=\"0\" rgb=\"200 100 50\"/></flame>";
}

class links : public testing::Test {
 protected:
  void SetUp() override { write_file(folder / "fern.flam3", flame); }
  Outcome kiln(const std::vector<std::string>& arguments, const std::string& input = "") const {
    return run_program(arguments, {folder.path(), input, {}, {}});
  }
  Outcome done(const std::vector<std::string>& arguments, const std::string& input = "") const {
    Outcome outcome = kiln(arguments, input);
    EXPECT_EQ(outcome.code, 0) << arguments[0] << ": " << outcome.err;
    return outcome;
  }
  std::string link(const std::string& base = "https://example.org/kiln/") const {
    std::string text = done({"link", "fern.flam3", "--base", base}).out;
    text.pop_back();
    return text;
  }
  ScratchFolder folder;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(links, are_read_wherever_flames_are) {
  const std::string link = this->link();
  EXPECT_TRUE(link.starts_with("https://example.org/kiln/#title=fern&f1=")) << link;
  EXPECT_EQ(done({"render", link}).out, "fern.png\n");
  done({"render", "fern.flam3", "-o", "own.png"});
  EXPECT_EQ(kiln({"compare", "fern.png", "own.png", "--hash"}).code, 0);
  EXPECT_TRUE(contains(done({"info", link}).out, "fern"));
  done({"validate", link});
  done({"render", "https://a.b/?x=1" + link.substr(link.find('#')), "-o", "query.png"});
  EXPECT_EQ(done({"render", "-"}, link + "\n").out, "stdin.png\n");
  write_file(folder / "link.txt", link);
  done({"convert", "link.txt", "-o", "back.flam3"});
  done({"convert", link, "-o", "straight.flam3"});
  EXPECT_EQ(read_file(folder / "back.flam3"), read_file(folder / "straight.flam3"));
  EXPECT_EQ(done({"link", link, "--base", "https://example.org/kiln/"}).out, link + "\n");
}

TEST_F(links, without_an_address_begin_at_the_hash_and_say_so) {
  const Outcome outcome = done({"link", "fern.flam3"});
  EXPECT_TRUE(outcome.out.starts_with("#title=fern&f1=")) << outcome.out;
  EXPECT_TRUE(contains(outcome.err, "--base")) << outcome.err;
  EXPECT_EQ(done({"link", "fern.flam3", "-q"}).err, "");
}

TEST_F(links, that_are_damaged_say_what_to_do) {
  const std::string link = this->link();
  const Outcome cut = kiln({"render", link.substr(0, link.size() - 9)});
  EXPECT_EQ(cut.code, 3);
  EXPECT_TRUE(contains(cut.err, "link \"fern\": is damaged")) << cut.err;
  EXPECT_EQ(kiln({"render", "https://example.org/fern.flam3"}).code, 3);
  EXPECT_EQ(kiln({"link", "fern.flam3", "--base", "example.org"}).code, 2);
}

TEST_F(links, take_settings_as_other_commands_do) {
  done({"link", "fern.flam3", "--brightness", "9", "-q"});
  const std::string link = done({"link", "fern.flam3", "--brightness", "9", "-q"}).out;
  done({"convert", link.substr(0, link.size() - 1), "-o", "bright.flam3"});
  EXPECT_TRUE(contains(read_file(folder / "bright.flam3"), "brightness=\"9\""));
}

TEST_F(links, as_qr_codes_are_read_by_another_program) {
  if (!has_program("zbarimg")) GTEST_SKIP() << "zbarimg (Debian: zbar-tools) is not installed";
  for (const std::size_t length : {600, 900, 1200, 1500, 1800, 2100, 2500, 2953}) {
    const std::string base = "https://e.org/";
    const std::string padding(length - link(base).size(), 'x');
    const std::string link = this->link(base + padding);
    EXPECT_EQ(
        done({"link", "fern.flam3", "--base", base + padding, "--qr", "-o", "q.png", "-q"}).out,
        "q.png\n");
    const std::string read = folder / "read.txt";
    EXPECT_EQ(std::system(("zbarimg -q --raw " + (folder / "q.png") + " >" + read).c_str()), 0)
        << length;
    EXPECT_EQ(read_file(read), link + "\n");
  }
}

TEST_F(links, as_qr_codes_in_the_terminal_and_what_they_ask_for) {
  const std::vector<std::string> words = {"link", "fern.flam3", "--base", "https://e.org/", "--qr"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return kiln(more);
  };
  const std::string text = done(words).out;
  EXPECT_TRUE(text.starts_with("█████")) << text;
  EXPECT_FALSE(contains(text, "#title"));
  write_file(folder / "two.flam3", "<flames>" + flame + flame + "</flames>");
  const Outcome without_base = kiln({"link", "fern.flam3", "--qr"});
  EXPECT_EQ(without_base.code, 2);
  EXPECT_TRUE(contains(without_base.err, "--base")) << without_base.err;
  const Outcome two = kiln({"link", "two.flam3", "--base", "https://e.org/", "--qr"});
  EXPECT_EQ(two.code, 2);
  EXPECT_TRUE(contains(two.err, "--flame")) << two.err;
  EXPECT_EQ(kiln({"link", "fern.flam3", "-o", "links.txt"}).code, 2) << "links are printed";
  EXPECT_EQ(with({"-o", "q.jpg"}).code, 2);
  EXPECT_EQ(with({"-o", "no/q.png"}).code, 5);
  const std::string longest(3000, 'x');
  const Outcome too_long =
      kiln({"link", "fern.flam3", "--base", "https://e.org/" + longest, "--qr", "-q"});
  EXPECT_EQ(too_long.code, 2);
  EXPECT_TRUE(contains(too_long.err, "2953")) << too_long.err;
}

/// Chats cut one message: it is each link's length that counts.
TEST_F(links, are_long_each_by_itself) {
  std::vector<std::string> many = {"link"};
  for (int i = 0; i < 12; ++i) many.push_back("fern.flam3");
  const Outcome short_ones = done(many);
  EXPECT_GT(short_ones.out.size(), 2100u);
  EXPECT_FALSE(contains(short_ones.err, "characters")) << short_ones.err;
  write_file(folder / "large.flam3", large_flame(60));
  EXPECT_TRUE(contains(done({"link", "large.flam3"}).err, "some programs cut messages at 2000"));
}

class gallery : public links {
 protected:
  Outcome site(std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"gallery", "in", "-o",        "site/",
                                      "--width", "64", "--quality", "2"};
    words.insert(words.end(), more.begin(), more.end());
    return kiln(words);
  }
  void SetUp() override {
    fs::create_directory(folder / "in");
    write_file(folder / "in/fern.flam3", flame);
    write_file(folder / "in/other.flam3", "<flames>" + flame + "</flames>");
  }
  std::string page(const std::string& name) const { return read_file(folder / ("site/" + name)); }
  bool is_there(const std::string& name) const { return fs::exists(folder / ("site/" + name)); }
};

/// The name, in the site, of the picture of this flame: .jpg, or .png where there is no JPEG.
std::string picture_of(const std::string& name) {
  return "pictures/" + name + (format_named("x.jpg").supported() ? ".jpg" : ".png");
}

TEST_F(gallery, is_a_site_that_needs_nothing_else) {
  const Outcome outcome = site({"--title", "A & B"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "site/index.html\n");
  EXPECT_TRUE(contains(outcome.err, "--web")) << outcome.err;
  const std::string wall = page("index.html");
  EXPECT_TRUE(contains(wall, "A &amp; B")) << wall;
  EXPECT_TRUE(contains(wall, "href=\"pages/fern.html\"") &&
              contains(wall, "href=\"pages/fern_2.html\""));
  EXPECT_FALSE(contains(wall, "http://") || contains(wall, "https://")) << "works from disk";
  EXPECT_TRUE(is_there("flames/fern.flam3") && is_there("flames/fern_2.flam3"));
  EXPECT_FALSE(contains(page("pages/fern.html"), "Play with it"));
  const bool has_jpeg = is_there("pictures/fern.jpg");
  EXPECT_TRUE(has_jpeg || is_there("pictures/fern.png"));
  done({"render", has_jpeg ? "site/pictures/fern.jpg" : "site/pictures/fern.png", "-o",
        "again.png"});
  EXPECT_EQ(site().code, 0) << "made again in its own place";
}

TEST_F(gallery, leads_each_flame_to_the_page_that_renders) {
  EXPECT_EQ(
      site({"--base", "https://example.org/kiln/", "--address", "https://me.example/art"}).code, 0);
  const std::string fern = page("pages/fern.html");
  const std::size_t at = fern.find("https://example.org/kiln/#title=fern&amp;f1=");
  ASSERT_NE(at, std::string::npos) << fern;
  EXPECT_TRUE(contains(
      fern, "<meta property=\"og:image\" content=\"https://me.example/art/pictures/fern."));
  EXPECT_TRUE(contains(
      fern, "<meta property=\"og:url\" content=\"https://me.example/art/pages/fern.html\">"));
  std::string link = fern.substr(at, fern.find('"', at) - at);
  link.replace(link.find("&amp;"), 5, "&");
  done({"render", link, "-o", "linked.png"});
  done({"render", "in/fern.flam3", "-o", "own.png"});
  EXPECT_EQ(kiln({"compare", "linked.png", "own.png", "--hash"}).code, 0);
}

TEST_F(gallery, takes_the_page_along) {
  EXPECT_EQ(site({"--web", "in"}).code, 2) << "no page";
  fs::create_directory(folder / "web");
  write_file(folder / "web/index.html", "page");
  write_file(folder / "web/worker.js", "worker");
  const Outcome outcome = site({"--web", "web"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(page("play/index.html"), "page");
  EXPECT_TRUE(contains(page("pages/fern.html"), "href=\"../play/index.html#title=fern&amp;f1="));
  EXPECT_EQ(site({"--web", "web", "--base", "https://a.b/"}).code, 2) << "one of them";
  write_file(folder / "web/index.html", "newer");
  EXPECT_EQ(site({"--web", "web"}).code, 0) << "once more, with a newer page";
  EXPECT_EQ(page("play/index.html"), "newer");
}

TEST_F(gallery, says_where_a_flame_is_too_large_for_a_link) {
  write_file(folder / "in/large.flam3", large_flame(2500));
  const Outcome outcome = site({"--base", "https://a.b/"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "\"large\" is too large for a link")) << outcome.err;
  EXPECT_TRUE(contains(page("index.html"), "pages/large.html"));
  EXPECT_FALSE(contains(page("pages/large.html"), "https://a.b/")) << "it would show another flame";
  EXPECT_TRUE(contains(page("pages/large.html"), "Download flame"));
  EXPECT_TRUE(contains(page("pages/fern.html"), "https://a.b/"));
}

/// Pictures are inputs as well: a gallery of a gallery's pictures, put over it, would lose them.
TEST_F(gallery, replaces_nothing_that_it_reads) {
  done({"gallery", "in/fern.flam3", "-o", "site", "--width", "64"});
  const std::string name = "site/" + picture_of("fern");
  const std::string before = read_file(folder / name);
  const Outcome again = kiln({"gallery", name, "-o", "site", "--width", "64", "--quality", "1"});
  EXPECT_EQ(again.code, 2) << again.err;
  EXPECT_TRUE(contains(again.err, "is read and would be replaced")) << again.err;
  EXPECT_EQ(read_file(folder / name), before);
}

TEST_F(gallery, puts_no_page_into_itself) {
  fs::create_directories(folder / "web/deep");
  for (const char* file : {"web/index.html", "web/worker.js"}) write_file(folder / file, "x");
  const Outcome nested = kiln({"gallery", "in/fern.flam3", "-o", "web/site", "--web", "web"});
  EXPECT_EQ(nested.code, 2) << nested.err;
  EXPECT_FALSE(fs::exists(folder / "web/site"));
  done({"gallery", "in/fern.flam3", "-o", "site", "--width", "64", "--web", "web"});
  done({"gallery", "in/fern.flam3", "-o", "site", "--width", "64", "--web", "site/play"});
}

TEST_F(gallery, names_files_so_that_addresses_find_them) {
  std::string odd = flame;
  odd.replace(odd.find("fern"), 4, "50%25 #1?");
  write_file(folder / "odd.flam3", odd);
  done({"gallery", "odd.flam3", "-o", "site", "--width", "64"});
  for (const auto& file : fs::recursive_directory_iterator(folder / "site"))
    EXPECT_EQ(file.path().filename().string().find_first_of("#%?"), std::string::npos)
        << file.path();
}

/// On Windows and macOS "Fern" and "fern" are one file.
TEST_F(gallery, names_that_differ_by_capitals_are_two_files) {
  std::string capital = flame;
  capital.replace(capital.find("fern"), 4, "FERN");
  write_file(folder / "in/capital.flam3", capital);
  EXPECT_EQ(site().code, 0);
  std::set<std::string> names;
  for (const auto& file : fs::directory_iterator(folder / "site/flames")) {
    std::string name = file.path().filename().string();
    for (char& c : name) c = char(std::tolower(static_cast<unsigned char>(c)));
    EXPECT_TRUE(names.insert(name).second) << name;
  }
  EXPECT_EQ(names.size(), 3u);
}

/// A flame's name is somebody else's text.
TEST_F(gallery, shows_names_as_texts) {
  std::string odd = flame;
  odd.replace(odd.find("fern"), 4, "&lt;i7&gt;&amp;");
  write_file(folder / "in/fern.flam3", odd);
  EXPECT_EQ(site({"--base", "https://a.b/"}).code, 0);
  for (const auto& file : fs::recursive_directory_iterator(folder / "site"))
    if (file.path().extension() == ".html") {
      EXPECT_FALSE(contains(read_file(file.path().string()), "<i7>")) << file.path();
    }
  EXPECT_TRUE(contains(page("index.html"), "&lt;i7&gt;&amp;"));
}

TEST_F(gallery, keeps_what_is_not_its_own) {
  fs::create_directory(folder / "site");
  write_file(folder / "site/index.html", "mine");
  EXPECT_EQ(site().code, 2);
  EXPECT_EQ(page("index.html"), "mine");
  EXPECT_EQ(site({"--force"}).code, 0);
  const std::string before = page("flames/fern.flam3");
  const Outcome outcome = kiln({"gallery", "site/flames", "-o", "site/", "--width", "64"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(page("flames/fern.flam3"), before);
  write_file(folder / "file", "x");
  EXPECT_EQ(kiln({"gallery", "in", "-o", "file"}).code, 2);
}

TEST_F(gallery, leaves_bad_flames_out) {
  write_file(folder / "in/bad.flam3", "<flame");
  const Outcome outcome = site();
  EXPECT_EQ(outcome.code, 7) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "1 left out")) << outcome.err;
}

/// Of a flame whose picture cannot be made there is no page that shows none.
TEST_F(gallery, leaves_flames_out_that_cannot_be_rendered) {
  std::string huge = flame;
  huge.replace(huge.find("fern\""), 5, "huge\" oversample=\"16\" filter=\"9\"");
  write_file(folder / "in/huge.flam3", huge);
  const Outcome outcome = site({"--max-memory", "12M"});
  EXPECT_EQ(outcome.code, 7) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "1 left out")) << outcome.err;
  EXPECT_FALSE(contains(page("index.html"), "huge"));
  EXPECT_FALSE(is_there("pages/huge.html") || is_there("flames/huge.flam3"));
  EXPECT_TRUE(is_there("pages/fern.html"));
}

}  // namespace
}  // namespace kiln
