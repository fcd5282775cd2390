// SPDX-License-Identifier: MIT
// QR codes, by what the standard says of a symbol: its size, its correction, its patterns. Whether another program reads them is
// in tests/cli/links_test.cpp.
#include "engine/io/picture/qr_code.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string>

#include "engine/base/error.h"

namespace kiln {
namespace {

/// Bytes that a code of each version holds (ISO/IEC 18004, table 7), with correction L and M.
constexpr std::array<std::size_t, 40> held_low = {
    17,   32,   53,   78,   106,  134,  154,  192,  230,  271,  321,  367,  425,  458,
    520,  586,  644,  718,  792,  858,  929,  1003, 1091, 1171, 1273, 1367, 1465, 1528,
    1628, 1732, 1840, 1952, 2068, 2188, 2303, 2431, 2563, 2699, 2809, 2953};
constexpr std::array<std::size_t, 40> held_medium = {
    14,   26,   42,   62,   84,   106,  122,  152,  180,  213,  251,  287,  331,  362,
    412,  450,  504,  560,  624,  666,  711,  779,  857,  911,  997,  1059, 1125, 1190,
    1264, 1370, 1452, 1538, 1628, 1722, 1809, 1911, 1989, 2099, 2213, 2331};

std::string text_of(std::size_t count) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGH0123456789-_/:.#=&%";
  std::string text(count, ' ');
  for (std::size_t i = 0; i < count; ++i)
    text[i] = letters[(i * 7919 + i / 13 * 31) % letters.size()];
  return text;
}

/// The 15 bits beside the upper left corner: level, mask and their correction.
unsigned format_of(const QrCode& code) {
  unsigned bits = 0;
  const auto add = [&](int x, int y) { bits = bits << 1 | unsigned(code.is_dark(x, y)); };
  for (int i = 14; i >= 9; --i) add(14 - i, 8);
  add(7, 8);
  add(8, 8);
  add(8, 7);
  for (int i = 5; i >= 0; --i) add(8, i);
  return bits ^ 0x5412;
}

TEST(qr_code, takes_the_smallest_version_and_the_better_correction_that_fits_in_it) {
  for (std::size_t i = 0; i < held_low.size(); ++i) {
    const int side = 21 + 4 * int(i);
    const QrCode full = qr_code(text_of(held_low[i]));
    EXPECT_EQ(full.side, side);
    EXPECT_EQ(format_of(full) >> 13, 1u) << "L, in version " << i + 1;
    if (held_low[i] < most_qr_bytes) {
      EXPECT_EQ(qr_code(text_of(held_low[i] + 1)).side, side + 4);
    }
    if (i > 0 && held_medium[i] <= held_low[i - 1]) continue;
    const QrCode better = qr_code(text_of(held_medium[i]));
    EXPECT_EQ(better.side, side);
    EXPECT_EQ(format_of(better) >> 13, 0u) << "M, in version " << i + 1;
    if (held_medium[i] + 1 <= held_low[i]) {
      EXPECT_EQ(format_of(qr_code(text_of(held_medium[i] + 1))) >> 13, 1u);
    }
  }
}

TEST(qr_code, has_the_patterns_that_scanners_look_for) {
  for (const std::size_t count : {0, 1, 17, 18, 230, 1100, 2953}) {
    const QrCode code = qr_code(text_of(count));
    for (const auto& [x, y] : {std::pair(0, 0), {code.side - 7, 0}, {0, code.side - 7}}) {
      EXPECT_TRUE(code.is_dark(x, y) && code.is_dark(x + 6, y + 6) && code.is_dark(x + 3, y + 3));
      EXPECT_FALSE(code.is_dark(x + 1, y + 1) || code.is_dark(x + 5, y + 1));
    }
    for (int i = 8; i < code.side - 8; ++i) {
      EXPECT_EQ(code.is_dark(i, 6), i % 2 == 0);
      EXPECT_EQ(code.is_dark(6, i), i % 2 == 0);
    }
  }
}

TEST(qr_code, of_too_long_a_text_is_refused) {
  try {
    qr_code(text_of(most_qr_bytes + 1));
    FAIL() << "it was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find("2953"), std::string::npos) << error.what();
  }
}

TEST(qr_code, is_drawn_with_a_quiet_zone) {
  const QrCode code = qr_code("https://example.org/");
  const Image picture = qr_picture(code, 3);
  EXPECT_EQ(picture.width, 3 * (code.side + 8));
  const auto light = [&](int x, int y) {
    return int(picture.pixels8()[std::size_t(4 * (y * picture.width + x))]);
  };
  EXPECT_EQ(light(11, 11), 255);
  EXPECT_EQ(light(12, 12), 0);
  EXPECT_EQ(light(15, 15), 255);
  const std::string text = qr_text(code);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), (code.side + 8 + 1) / 2);
  EXPECT_TRUE(text.starts_with("███"));
}

TEST(qr_code, has_its_own_colors_in_a_terminal_of_any) {
  const QrCode code = qr_code("https://example.org/");
  std::istringstream lines(qr_text(code, true)), plain(qr_text(code));
  std::string line, as_it_is;
  int count = 0;
  while (std::getline(lines, line) && std::getline(plain, as_it_is)) {
    EXPECT_EQ(line, "\033[38;5;231;48;5;16m" + as_it_is + "\033[0m");  // white on black, to its end
    ++count;
  }
  EXPECT_EQ(count, (code.side + 8 + 1) / 2);
}

}  // namespace
}  // namespace kiln
