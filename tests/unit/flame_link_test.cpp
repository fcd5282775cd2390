// SPDX-License-Identifier: MIT
// Links that carry a flame: the same flame comes back, and what is no link any more is said to be none.
#include "engine/io/flame/flame_link.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>

#include "engine/base/error.h"
#include "engine/io/file/link_text.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "tests/places.h"

namespace kiln {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t wanted_length = 2000;  // what chats take

/// What the flame's file would be, but for its history.
std::string text_of(Flame flame) {
  flame.edits.clear();
  return genome_xml(flame);
}

Flame from(const std::string& link) { return parse_flames(link, "given", {}).flames.at(0); }

Flame flame_with(const std::string& inside, const std::string& attributes = "") {
  return from("<flame name=\"a\" size=\"40 30\" " + attributes + ">" + inside + "</flame>");
}

const std::string xform = "<xform weight=\"1\" linear=\"1\" coefs=\"0.5 0 0 0.5 0.1 0\"/>";
const std::string color = "<color index=\"0\" rgb=\"200 100 50\"/>";

std::string refusal_of(const std::string& link) {
  try {
    parse_flames(link, "given", {});
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::input);
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(flame_link, every_flame_of_the_gallery_is_the_same_and_short) {
  int count = 0;
  for (const char* folder : {"flames", "flames/found", "flames/wild"})
    for (const fs::directory_entry& entry :
         fs::directory_iterator(source_dir() / fs::path(folder))) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".flam3" && ending != ".flame") continue;
      const Flame flame = read_flames(entry.path().string(), {}).flames.at(0);
      const std::string link = flame_link(flame, "https://example.org/kiln/");
      EXPECT_LT(link.size(), wanted_length) << entry.path();
      EXPECT_EQ(text_of(from(link)), text_of(flame)) << entry.path();
      ++count;
    }
  EXPECT_GE(count, 35);
}

TEST(flame_link, carries_what_else_a_flame_has) {
  const std::string track =
      "<kiln_track name=\"zoom\"><key time=\"0\" value=\"0\"/><key time=\"9\" "
      "value=\"1\"/></kiln_track>";
  for (const Flame& flame :
       {flame_with(xform + "<color index=\"3\" rgba=\"0.5 100.25 50 128\"/>"),
        flame_with(xform + "<palette count=\"2\" format=\"RGBA\">FF00112280FF0102</palette>"),
        flame_with(xform + color,
                   "nick=\"me &amp; you\" url=\"https://a.b/?c\" time=\"7\" zoom=\"2\""),
        flame_with(xform +
                   "<xform weight=\"1\" julian=\"1\" julian_power=\"3\" coefs=\"1 0 0 1 0 0\" "
                   "chaos=\"0 1\" animate=\"0\" opacity=\"0.5\"/><finalxform color=\"0\" "
                   "spherical=\"1\" coefs=\"1 0 0 1 0 0\"/>" +
                   color),
        flame_with(xform + color + track)}) {
    EXPECT_EQ(text_of(from(flame_link(flame))), text_of(from(genome_xml(flame))));
  }
}

TEST(flame_link, of_few_colors_has_those_alone) {
  const Flame flame = flame_with(
      xform + color + "<color index=\"90\" rgb=\"7 90 33\"/><color index=\"255\" rgb=\"1 2 3\"/>");
  EXPECT_LT(flame_link(flame).size(), 400u);
  EXPECT_EQ(text_of(from(flame_link(flame))), text_of(flame));
}

TEST(flame_link, leaves_the_history_out) {
  Flame flame = flame_with(xform + color);
  flame.edits = "<edit action=\"random\"/>\n";
  EXPECT_EQ(from(flame_link(flame)).edits, "");
}

TEST(flame_link, has_a_title_that_may_be_any_text) {
  Flame flame = flame_with(xform + color);
  flame.name = "b&c=d#e%f/\xC3\xA4";
  const std::string link = flame_link(flame);
  EXPECT_EQ(link_title(link), flame.name);
  EXPECT_EQ(link.find_first_of("\"' <>/"), std::string::npos) << link;
  EXPECT_EQ(from(link).name, flame.name);
  flame.name = "";
  EXPECT_TRUE(flame_link(flame).starts_with("#f1="));
  EXPECT_EQ(link_title(flame_link(flame)), "flame");
}

TEST(flame_link, is_read_as_it_stands_in_a_sentence) {
  const Flame flame = flame_with(xform + color);
  const std::string link = flame_link(flame, "http://localhost:8000/#coral");
  EXPECT_TRUE(link.starts_with("http://localhost:8000/#title=a&f1=")) << link;
  for (const std::string& text :
       {" " + link + "\r\n", "<" + link + ">", link + ".", link + "),", "\"" + link + "\""})
    EXPECT_EQ(text_of(from(text)), text_of(flame)) << text;
}

TEST(flame_link, that_is_damaged_is_refused) {
  const std::string link = flame_link(flame_with(xform + color), "https://a.b/");
  for (std::size_t end = link.find("f1=") + 3; end < link.size(); ++end)
    EXPECT_TRUE(has(refusal_of(link.substr(0, end)), "link \"a\": is damaged")) << end;
  for (std::size_t i = link.find("f1=") + 3; i + 1 < link.size(); ++i) {
    std::string other = link;
    other[i] = other[i] == 'A' ? 'B' : 'A';
    EXPECT_NE(refusal_of(other), "") << i;
  }
  EXPECT_TRUE(has(refusal_of("#f1=a b"), "is damaged"));
  EXPECT_TRUE(has(refusal_of("https://a.b/#title=x&f2=abc"), "is of a newer kiln"));
  EXPECT_TRUE(has(refusal_of("#f1=" + std::string(most_link_bytes, 'A')), "ask for its file"));
  EXPECT_TRUE(has(refusal_of(packed_link("x", "z")), "carries no flame"));
  EXPECT_TRUE(has(refusal_of(packed_link("x",
                                         "p\xff"
                                         "abc")),
                  "carries no flame"));
}

TEST(flame_link, that_carries_another_link_is_no_flame) {
  const std::string inner = flame_link(flame_with(xform + color));
  EXPECT_NE(refusal_of(packed_link("x", "x" + inner)), "");
}

TEST(flame_link, that_unpacks_to_a_million_bytes_is_refused_before_that) {
  const std::string zeros(40 << 20, '\0');
  std::string packed(1 << 17, '\0');
  z_stream stream{};
  ASSERT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(zeros.data()));
  stream.avail_in = uInt(zeros.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = uInt(packed.size());
  ASSERT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(packed.size() - stream.avail_out);
  deflateEnd(&stream);
  packed.insert(0, 4, '\0');
  constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string text;
  for (std::size_t i = 0; i + 2 < packed.size(); i += 3) {
    const auto byte = [&](std::size_t k) {
      return std::uint32_t(static_cast<unsigned char>(packed[i + k]));
    };
    const std::uint32_t three = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (int k = 18; k >= 0; k -= 6) text += letters[three >> k & 63];
  }
  ASSERT_LT(text.size(), most_link_bytes);
  EXPECT_TRUE(has(refusal_of("#f1=" + text), "unpacks to more than")) << text.size();
}

TEST(flame_link, is_not_what_merely_looks_like_one) {
  for (const char* text :
       {"", "#", "#coral", "https://a.b/", "https://a.b/#title=x", "a.flam3#f1=abc",
        "<flame name=\"#f1=a\"/>", "#gradient f1=2", "https://a.b/?f1=3"})
    EXPECT_FALSE(is_link(text)) << text;
  EXPECT_TRUE(is_link("#f1="));
  EXPECT_TRUE(is_link("file:///a/index.html#title=b&f1=c"));
}

}  // namespace
}  // namespace kiln
