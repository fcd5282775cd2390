// SPDX-License-Identifier: MIT
// kiln compare's verdicts, its pages, and folders: through the program.
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/png_writer.h"
#include "tests/cli/pictures.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using namespace test;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

/// Two pictures of which the second is a shade darker in one corner.
class report : public testing::Test {
 protected:
  report() {
    const Image a = smooth_picture(48, 32);
    Image b = a;
    for (std::size_t i = 0; i < 400; ++i)
      if (i % 4 != 3) b.pixels8()[i] = static_cast<std::uint8_t>(b.pixels8()[i] / 2);
    for (const char* name : {"before", "after"}) std::filesystem::create_directory(folder / name);
    write_png(folder / "before/x.png", a, {});
    write_png(folder / "after/x.png", b, {});
    write_png(folder / "before/same.png", a, {});
    write_png(folder / "after/same.png", a, {});
  }
  test::Outcome kiln(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "compare");
    return run_program(arguments, {folder.path(), "", {}, {}});
  }
  std::string page(const std::string& name = "r.html") const { return read_file(folder / name); }

  ScratchFolder folder;
};

TEST_F(report, verdicts_and_exit_codes) {
  const auto same = kiln({"before/same.png", "after/same.png"});
  EXPECT_EQ(same.code, 0);
  EXPECT_EQ(same.out.rfind("identical: ", 0), 0u) << same.out;
  const auto other = kiln({"before/x.png", "after/x.png", "--json"});
  EXPECT_EQ(other.code, 1);
  EXPECT_TRUE(contains(other.out, R"("verdict":"different")")) << other.out;
  EXPECT_FALSE(contains(other.out, "flip")) << other.out;
  const auto within = kiln({"before/x.png", "after/x.png", "--max-rms", "0.9"});
  EXPECT_EQ(within.code, 0);
  EXPECT_EQ(within.out.rfind("within limits: ", 0), 0u) << within.out;
}

TEST_F(report, flip_is_a_limit_like_others) {
  const auto measured = kiln({"before/x.png", "after/x.png", "--flip", "--json"});
  EXPECT_TRUE(contains(measured.out, "\"flip\":0.1")) << measured.out;
  EXPECT_EQ(kiln({"before/x.png", "after/x.png", "--max-flip", "0.0001"}).code, 1);
  EXPECT_EQ(kiln({"before/x.png", "after/x.png", "--max-flip", "0.9"}).code, 0);
  EXPECT_EQ(kiln({"before/x.png", "--hash", "--flip"}).code, 2);
}

TEST_F(report, a_page_has_everything_inside) {
  const auto outcome = kiln({"before/x.png", "after/x.png", "--html", "r.html"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "different: rms ")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, ", FLIP 0.")) << outcome.out;
  const std::string html = page();
  EXPECT_EQ(html.rfind("<!doctype html>", 0), 0u);
  EXPECT_EQ(count_of(html, "<img alt="), 4u);  // expected, got, difference, FLIP
  EXPECT_EQ(count_of(html, "src=\"data:image/png;base64,"), 4u);
  for (const char* outside : {"http:", "https:", "<link", "src=\"/", "@import", "url("})
    EXPECT_FALSE(contains(html, outside)) << outside;
  EXPECT_TRUE(contains(html, "<details class=\"case different\" open>"));
  EXPECT_EQ(kiln({"before/same.png", "after/same.png", "--html", "same.html"}).code, 0);
  EXPECT_EQ(count_of(page("same.html"), "<img alt="), 2u);
  EXPECT_TRUE(contains(page("same.html"), "1 comparison: 1 identical"));
}

/// The bytes of the n-th picture of a page.
std::string picture_of(const std::string& html, int n) {
  const std::string mark = "base64,";
  std::size_t at = 0;
  for (int i = 0; i <= n; ++i) at = html.find(mark, at) + mark.size();
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned group = 0;
  int bits = 0;
  for (; html[at] != '"' && html[at] != '='; ++at) {
    group = group << 6 | unsigned(digits.find(html[at]));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(group >> bits);
    group &= (1u << bits) - 1;
  }
  return bytes;
}

TEST_F(report, its_pictures_are_those_that_were_compared) {
  ASSERT_EQ(kiln({"before/x.png", "after/x.png", "--html", "r.html"}).code, 1);
  for (const int n : {0, 1}) {
    const std::string inside = picture_of(page(), n);
    EXPECT_TRUE(inside.ends_with("IEND\xae\x42\x60\x82")) << "not a byte more";
    write_file(folder / "inside.png", inside);
    EXPECT_EQ(read_png(folder / "inside.png").pixels8(),
              read_png(folder / (n == 0 ? "before/x.png" : "after/x.png")).pixels8());
  }
}

TEST_F(report, folders_compare_by_name) {
  const auto outcome = kiln({"before", "after", "--html", "r.html"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(contains(outcome.out, "same.png: identical: rms 0,")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "x.png: different: rms 0.")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "2 pictures, 1 different, 1 identical\n")) << outcome.out;
  EXPECT_EQ(count_of(page(), "<details class=\"case"), 2u);
  EXPECT_EQ(count_of(page(), "\" open>"), 0u);
  EXPECT_EQ(kiln({"before", "after", "--max-rms", "0.9"}).code, 0);
}

TEST_F(report, what_a_folder_lacks_is_a_difference) {
  std::filesystem::remove(folder / "after/x.png");
  const auto outcome = kiln({"before", "after"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(contains(outcome.out, "x.png: only in before\n")) << outcome.out;
  write_file(folder / "after/x.png", "no picture");
  const auto damaged = kiln({"before", "after", "--json", "--html", "r.html"});
  EXPECT_EQ(damaged.code, 3);
  EXPECT_TRUE(contains(damaged.out, R"({"name":"x.png","same":false,"verdict":"unreadable")"))
      << damaged.out;
  EXPECT_TRUE(contains(damaged.out, R"("name":"same.png")")) << damaged.out;
}

TEST_F(report, wrong_usage) {
  EXPECT_EQ(kiln({"before", "after/x.png"}).code, 2);
  EXPECT_EQ(kiln({"before", "after", "--diff", "d.png"}).code, 2);
  EXPECT_EQ(kiln({"before/x.png", "after/x.png", "--html", "page.png"}).code, 2);
  EXPECT_EQ(kiln({"before/x.png", "after/x.png", "--html", "no/page.html"}).code, 5);
  std::filesystem::create_directory(folder / "empty");
  const auto outcome = kiln({"before", "empty"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(contains(outcome.err, "empty: there is no .png")) << outcome.err;
}

TEST_F(report, names_are_text_and_never_markup) {
  std::filesystem::copy(folder / "after/x.png", folder / "<script>&\".png");
  ASSERT_EQ(kiln({"before/x.png", "<script>&\".png", "--html", "r.html"}).code, 1);
  EXPECT_EQ(count_of(page(), "<script>"), 1u);  // the page's own
  EXPECT_TRUE(contains(page(), "&lt;script&gt;&amp;&quot;.png"));
}

TEST_F(report, a_folder_and_a_picture_are_called_what_they_are) {
  for (const bool folder_first : {true, false}) {
    const std::string a = folder_first ? "before" : "after/x.png",
                      b = folder_first ? "after/x.png" : "before";
    const test::Outcome outcome = kiln({a, b});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.err, "kiln: before is a folder and after/x.png is not"))
        << outcome.err;
  }
}

}  // namespace
}  // namespace kiln
