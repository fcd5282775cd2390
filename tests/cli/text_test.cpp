// SPDX-License-Identifier: MIT
#include "engine/base/text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace kiln {
namespace {

TEST(text, printable_prefix_takes_whole_utf8_characters_only) {
  EXPECT_EQ(printable_prefix("a"), 1u);
  EXPECT_EQ(printable_prefix("\xc3\xa9t"), 2u);         // e acute
  EXPECT_EQ(printable_prefix("\xe2\x82\xac"), 3u);      // euro sign
  EXPECT_EQ(printable_prefix("\xf0\x9f\x8c\xb9"), 4u);  // a rose
  for (const char* bad :
       {"", "\x1b[2J", "\n", "\x7f", "\xc2\x9b", "\xc0\xaf", "\xe2\x82", "\xed\xa0\x80",
        "\xf5\x80\x80\x80", "\xff", "\x80", "\xe0\x80\xaf", "\xf0\x80\x80\xaf", "\xe2\x80\xae"}) {
    EXPECT_EQ(printable_prefix(bad), 0u) << std::string(bad);
  }
}

TEST(text, messages_reach_a_terminal_whole_and_harmless) {
  EXPECT_EQ(printable_whole("a\x1b[31mb\n\xff"), "a?[31mb??");
  const std::string long_path(5000, 'x');
  EXPECT_EQ(printable_whole(long_path), long_path);
}

TEST(text, shortest_digits_read_back) {
  for (double value : {0.1, -0.0, 1.0 / 3, 5e-324, 1.7976931348623157e308, 123456789.123456789}) {
    const std::string text = shortest(value);
    EXPECT_EQ(std::stod(text == "5e-324" ? "0" : text), text == "5e-324" ? 0 : value) << text;
  }
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(5e-324), "5e-324");
  EXPECT_TRUE(std::signbit(std::stod(shortest(-0.0))));
}

TEST(text, counts_and_sizes_are_short) {
  EXPECT_EQ(with_prefix(0), "0");
  EXPECT_EQ(with_prefix(999), "999");
  EXPECT_EQ(with_prefix(1000), "1.00 k");
  EXPECT_EQ(with_prefix(12345678), "12.3 M");
  EXPECT_EQ(with_prefix(999.6e9), "1.00 T");
  EXPECT_EQ(byte_size(1023), "1023 B");
  EXPECT_EQ(byte_size(1536), "1.5 KiB");
  EXPECT_EQ(byte_size(std::uint64_t{300} << 30), "300 GiB");
}

TEST(text, sizes_on_the_command_line) {
  EXPECT_EQ(parse_byte_size("512"), 512u);
  EXPECT_EQ(parse_byte_size("64K"), 65536u);
  EXPECT_EQ(parse_byte_size("1.5g"), 1610612736u);
  EXPECT_EQ(parse_byte_size("2 GiB"), std::uint64_t{2} << 30);
  EXPECT_EQ(parse_byte_size("8MB"), 8u << 20);
  for (const char* bad :
       {"", "G", "-1", "1X", "1GG", "nan", "inf", "1e30", "0x10", "1 2", "4GiBs"}) {
    EXPECT_EQ(parse_byte_size(bad), std::nullopt) << bad;
  }
}

TEST(text, json_is_escaped) {
  EXPECT_EQ(json_string("a\"b\\c\n\x1b\xff\xc3\xa9"),
            "\"a\\\"b\\\\c\\u000a\\u001b\\ufffd\xc3\xa9\"");
  const std::string object = JsonObject()
                                 .add("s", "x")
                                 .add("d", 0.5)
                                 .add("n", std::nan(""))
                                 .add("u", ~std::uint64_t{0})
                                 .add("i", -3)
                                 .add("b", true)
                                 .add_json("a", "[]")
                                 .text();
  EXPECT_EQ(object,
            R"({"s":"x","d":0.5,"n":null,"u":18446744073709551615,"i":-3,"b":true,"a":[]})");
  JsonArray array;
  EXPECT_EQ(array.text(), "[]");
  array.add_json("1");
  array.add_json("{}");
  EXPECT_EQ(array.text(), "[1,{}]");
}

}  // namespace
}  // namespace kiln
