// SPDX-License-Identifier: MIT
// Files that must be refused: the corpus in tests/unit/bad (expected.tsv: file, exit code, strict,
// line or -, part of the message), those too
// large to store, and damaged pictures. Each within a second, with the file's name in front.
#include <gtest/gtest.h>
#include <zlib.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/picture/picture_record.h"
#include "tests/places.h"

namespace kiln {
namespace {

const std::string folder = std::string(source_dir()) + "/tests/unit/bad/";
const std::string flame =
    R"(<flame size="8 8"><xform weight="1" linear="1"/><color index="0" rgb="1 2 3"/></flame>)";

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double patience_s = 15;
#else
constexpr double patience_s = 1;
#endif

struct Refusal {
  int code = 0;
  std::string message;
  double seconds = 0;  // of processor time, so that other work on the machine does not count
};

template <class Read>
Refusal refusal(Read read) {
  Refusal result;
  const std::clock_t start = std::clock();
  try {
    read();
  } catch (const Error& error) {
    result.code = int(error.kind);
    result.message = error.what();
  }
  result.seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
  return result;
}

ReaderOptions options() {
  ReaderOptions o;
  o.palettes_file = folder + "library.xml";
  return o;
}

void expect_refused(const std::string& bytes, const std::string& part,
                    ReaderOptions o = options()) {
  const Refusal r = refusal([&] { parse_flames(bytes, "big.flam3", o); });
  EXPECT_EQ(r.code, 3) << part;
  EXPECT_NE(r.message.find(part), std::string::npos) << r.message << "\n  expected: " << part;
  EXPECT_EQ(r.message.find("big.flam3"), 0u) << r.message;
  EXPECT_LT(r.seconds, patience_s) << part;
}

TEST(BadFiles, corpus) {
  std::ifstream table(folder + "expected.tsv");
  std::string line;
  int count = 0;
  while (std::getline(table, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    std::string file, code, strict, line_number, part;
    std::getline(fields, file, '\t');
    std::getline(fields, code, '\t');
    std::getline(fields, strict, '\t');
    std::getline(fields, line_number, '\t');
    std::getline(fields, part, '\t');
    ReaderOptions o = options();
    o.strict = strict == "1";
    const Refusal r = refusal([&] { read_flames(folder + file, o); });
    EXPECT_EQ(std::to_string(r.code), code) << file << ": " << r.message;
    ASSERT_FALSE(part.empty()) << file;
    EXPECT_NE(r.message.find(part), std::string::npos) << r.message << "\n  expected: " << part;
    const std::string place = folder + file + ":" + (line_number == "-" ? "" : line_number + ": ");
    EXPECT_EQ(r.message.find(place), 0u) << r.message << "\n  expected: " << place;
    EXPECT_LT(r.message.size(), folder.size() + 400) << file;
    for (char c : r.message)
      ASSERT_TRUE(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) << file;
    EXPECT_LT(r.seconds, patience_s) << file;
    ++count;
  }
  EXPECT_GE(count, 100);
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files += entry.path().extension() == ".flam3";
  EXPECT_EQ(files, count) << "every file of the folder has its line";
}

TEST(BadFiles, strict_only_refuses_what_is_lenient_otherwise) {
  for (const char* name :
       {"palette_unknown_strict", "filter_shape_strict", "attribute_unknown_strict"})
    EXPECT_EQ(read_flames(folder + name + ".flam3", options()).flames.size(), 1u) << name;
}

std::string repeated(int count, const std::function<std::string(int)>& item) {
  std::string text;
  for (int i = 0; i < count; ++i) text += item(i);
  return text;
}

TEST(BadFiles, many_attributes) {
  const auto attribute = [](int i) { return " a" + std::to_string(i) + "=\"\""; };
  expect_refused("<flame" + repeated(5000, attribute) + "/>",
                 "<flame> has more than 4096 attributes");
  expect_refused("<flame" + repeated(100000, attribute) + "/>",
                 "<flame> has more than 4096 attributes");
  expect_refused("<a></a" + repeated(5000, attribute) + ">", "<a> has more than 4096 attributes");
  const std::string wide = "<x" + repeated(4000, attribute) + "/>\n";
  expect_refused("<a>" + repeated(100, [&](int) { return wide; }) + "</a>", "too many attributes");
}

TEST(BadFiles, a_thousand_attributes_are_fine) {
  const auto attribute = [](int i) { return " a" + std::to_string(i) + "=\"\""; };
  int warnings = 0;
  ReaderOptions o;
  o.warn = [&](const std::string&) { ++warnings; };
  const std::string xml = "<flame" + repeated(1000, attribute) + flame.substr(6);
  EXPECT_EQ(parse_flames(xml, "x", o).flames.size(), 1u);
  EXPECT_EQ(warnings, 51);  // 50 and the word that there are more
}

TEST(BadFiles, many_elements) {
  expect_refused("<a>" + std::string(18 << 20, ' ').replace(0, 1, "<") + "/></a>",
                 "no element name");
  expect_refused("<a>" + repeated((1 << 22) + 1, [](int) { return "<b>"; }) + "</a>",
                 "more than 4194304 tags and comments");
  expect_refused("<flame size=\"8 8\">" +
                     repeated(4097, [](int) { return "<xform weight=\"1\"/>"; }) + "</flame>",
                 "more than 4096 xforms");
  expect_refused("<flame size=\"8 8\">" +
                     repeated(9, [](int) { return "<symmetry kind=\"512\"/>"; }) + "</flame>",
                 "more than 4096 xforms");
  expect_refused("<flame size=\"8 8\"><xform weight=\"1\">" +
                     repeated(4097, [](int) { return "<motion motion_frequency=\"1\"/>"; }) +
                     "</xform></flame>",
                 "more than 4096 motions");
}

TEST(BadFiles, four_thousand_xforms_are_fine) {
  const std::string xml = "<flame size=\"8 8\">" +
                          repeated(4096, [](int) { return "<xform weight=\"1\"/>"; }) +
                          "<color index=\"0\" rgb=\"1 2 3\"/></flame>";
  EXPECT_EQ(parse_flames(xml, "x", {}).flames[0].xforms.size(), 4096u);
}

TEST(BadFiles, larger_than_the_limit) {
  ReaderOptions o = options();
  o.max_input_bytes = flame.size() - 1;
  expect_refused(flame, "is larger than", o);
  o.max_input_bytes = flame.size();
  EXPECT_EQ(parse_flames(flame, "x", o).flames.size(), 1u);
  const Refusal endless = refusal([&] { read_flames("/dev/zero", o); });
  EXPECT_NE(endless.message.find("/dev/zero: is larger than"), std::string::npos)
      << endless.message;
  expect_refused("<flame size=\"8 8\"><xform weight=\"1\" chaos=\"" + std::string(2 << 20, '1') +
                     "\"/></flame>",
                 "is longer than");
}

TEST(BadFiles, what_cannot_be_opened) {
  EXPECT_EQ(refusal([] { read_flames("/nonexistent/a.flam3", {}); }).message,
            "/nonexistent/a.flam3: cannot be opened: No such file or directory");
  const std::string folder = refusal([] { read_flames("/tmp", {}); }).message;
  const std::string on_windows = "/tmp: cannot be opened: Is a directory";
  EXPECT_TRUE(folder == "/tmp: cannot be read: Is a directory" || folder == on_windows) << folder;
}

TEST(BadFiles, bad_library) {
  ReaderOptions o;
  o.palettes_file = folder + "utf16_le.flam3";
  const Refusal r = refusal([&] { parse_flames("<flame palette=\"3\"/>", "x", o); });
  EXPECT_EQ(r.code, 3);
  EXPECT_NE(r.message.find("utf16_le.flam3: this is UTF-16"), std::string::npos) << r.message;
}

// ---- pictures ----

std::string word(std::uint32_t value) {
  return {char(value >> 24), char(value >> 16), char(value >> 8), char(value)};
}

std::string chunk(const std::string& type, const std::string& data) {
  const std::string body = type + data;
  const auto checksum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), uInt(body.size()));
  return word(std::uint32_t(data.size())) + body + word(std::uint32_t(checksum));
}

std::string packed(const std::string& text) {
  uLongf size = compressBound(uLong(text.size()));
  std::string out(size, '\0');
  compress2(reinterpret_cast<Bytef*>(out.data()), &size,
            reinterpret_cast<const Bytef*>(text.data()), uLong(text.size()), 9);
  out.resize(size);
  return out;
}

const std::string nul(1, '\0');
const std::string header =
    chunk("IHDR", word(1) + word(1) + std::string("\x08\x00\x00\x00\x00", 5));
const std::string pixels = chunk("IDAT", packed(std::string(2, '\0')));
const std::string end = chunk("IEND", "");

std::string png(const std::string& chunks) { return std::string(png_signature) + chunks; }
std::string text_chunk(const std::string& text) {
  return chunk("tEXt", "flam3_genome" + nul + text);
}

TEST(PngGenome, every_kind_of_text) {
  const auto count = [](const std::string& chunks) {
    return parse_flames(png(chunks), "p.png", {}).flames.size();
  };
  const std::string packed_flame = packed(flame);
  EXPECT_EQ(count(header + text_chunk(flame) + pixels + end), 1u);
  EXPECT_EQ(count(header + pixels + text_chunk(flame) + end), 1u);  // after the pixels
  EXPECT_EQ(count(header + chunk("zTXt", "flam3_genome" + nul + nul + packed_flame) + pixels + end),
            1u);
  EXPECT_EQ(
      count(header + chunk("iTXt", "flam3_genome" + nul + nul + nul + "en" + nul + nul + flame) +
            pixels + end),
      1u);
  EXPECT_EQ(
      count(header + chunk("iTXt", "flam3_genome" + nul + "\x01" + nul + nul + nul + packed_flame) +
            pixels + end),
      1u);
  EXPECT_EQ(count(header + chunk("tEXt", "flam3_nickname" + nul + "x") + text_chunk(flame) +
                  pixels + end + "tail"),
            1u);
}

TEST(PngGenome, flam3s_credits_are_kept) {
  const Flame credited = parse_flames(png(header + chunk("tEXt", "flam3_nickname" + nul + "N\x1b") +
                                          chunk("tEXt", "flam3_url" + nul + "http://n") +
                                          text_chunk(flame) + pixels + end),
                                      "p.png", {})
                             .flames.at(0);
  EXPECT_EQ(credited.nick, "N?");
  EXPECT_EQ(credited.url, "http://n");
}

TEST(PngGenome, messages_name_the_genome) {
  const Refusal r = refusal([&] {
    parse_flames(
        png(header + text_chunk("<flame size=\"8 8\">\n<xform weight=\"x\"/></flame>") + end),
        "p.png", {});
  });
  EXPECT_EQ(
      r.message,
      "p.png(genome):2: xform 1: weight=\"x\": \"x\" is not a number (write it like -1.5 or 2e-3)");
}

void expect_bad_png(const std::string& bytes, const std::string& part) {
  const Refusal r = refusal([&] { parse_flames(bytes, "p.png", {}); });
  EXPECT_EQ(r.code, 3) << part;
  EXPECT_EQ(r.message.find("p.png: "), 0u) << r.message;
  EXPECT_NE(r.message.find(part), std::string::npos) << r.message << "\n  expected: " << part;
  EXPECT_LT(r.seconds, patience_s);
}

TEST(PngGenome, damaged_pictures) {
  const std::string whole = png(header + text_chunk(flame) + pixels + end);
  expect_bad_png(png(header + pixels + end), "carries no flame");
  expect_bad_png(png(header + text_chunk(flame) + pixels), "is cut off");  // no IEND
  for (std::size_t size = 8; size < whole.size(); size += 7)
    expect_bad_png(whole.substr(0, size), "is cut off");
  for (std::size_t at = whole.find("linear"); at < whole.size(); at = whole.find("IDAT", at + 1)) {
    std::string wrong = whole;
    wrong[at + 4] ^= 1;
    expect_bad_png(wrong, "checksum of chunk");
  }
  expect_bad_png(png(text_chunk(flame) + end), "it has no header");
  expect_bad_png(png(chunk("IHDR", word(0) + word(1) + std::string(5, '\0')) + end),
                 "its size is 0 x 1");
  expect_bad_png(png(chunk("IHDR", word(1u << 31) + word(1) + std::string(5, '\0')) + end),
                 "its size is 2147483648 x 1");
  expect_bad_png(png(header + word(0xFFFFFFFF) + "tEXt"), "this is no chunk");
  expect_bad_png(png(header + chunk("zTXt", "flam3_genome" + nul + nul + "nonsense") + end),
                 "a packed text is damaged");
  expect_bad_png(png(header + chunk("zTXt", "flam3_genome" + nul + "\x01" + packed(flame)) + end),
                 "packed in an unknown way");
  expect_bad_png(
      png(header + chunk("zTXt", "flam3_genome" + nul + nul + packed(flame).substr(0, 30)) + end),
      "damaged");
  expect_bad_png(png(header + chunk("iTXt", "flam3_genome" + nul + nul + nul + "en") + end),
                 "is damaged");
  expect_bad_png(png(header + word(17u << 20) + "tEXt" + std::string(100, 'x')),
                 "larger than 16 MB");
}

TEST(PngGenome, bomb) {
  const std::string bomb = packed(std::string(100u << 20, ' '));
  EXPECT_LT(bomb.size(), 200000u);
  expect_bad_png(png(header + chunk("zTXt", "flam3_genome" + nul + nul + bomb) + end),
                 "unpacks to more than 16 MB");
  expect_bad_png(
      png(header + chunk("iTXt", "flam3_genome" + nul + "\x01" + nul + nul + nul + bomb) + end),
      "unpacks to more than 16 MB");
}

}  // namespace
}  // namespace kiln
