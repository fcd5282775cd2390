// SPDX-License-Identifier: MIT
#include "engine/io/file/output_name.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace kiln {
namespace {

const NameValues rose{"garden", "red rose", 3, 42};

TEST(output_name, expands_every_value) {
  EXPECT_EQ(expand_template("{stem}.png", rose), "garden.png");
  EXPECT_EQ(expand_template("out/{name}_{index}.png", rose), "out/red rose_3.png");
  EXPECT_EQ(expand_template("f{frame}.png", rose), "f42.png");
  EXPECT_EQ(expand_template("f####.png", rose), "f0042.png");
  EXPECT_EQ(expand_template("f#.png", rose), "f42.png");
  EXPECT_EQ(expand_template("f%05d.png", rose), "f00042.png");
  EXPECT_EQ(expand_template("f%d-%3d.png", rose), "f42-042.png");
  EXPECT_EQ(expand_template("{{stem}}%%.png", rose), "{stem}%.png");
  EXPECT_EQ(expand_template("plain.png", rose), "plain.png");
  // only the user asks for standard output
  EXPECT_EQ(expand_template("{name}", {"garden", "-", 0, 0}), "_");
}

TEST(output_name, what_is_not_known_is_wrong_usage) {
  for (const char* bad :
       {"{nome}.png", "{stem", "{}", "%s.png", "%5.png", "%", "a%", "%99999999999d", "%123d"}) {
    try {
      expand_template(bad, rose);
      ADD_FAILURE() << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::usage) << bad;
      EXPECT_NE(std::string(error.what()).find("%05d"), std::string::npos) << error.what();
    }
  }
}

TEST(output_name, flame_names_cannot_leave_the_folder) {
  const auto name = [](const std::string& flame) {
    return expand_template("out/{name}.png", {"s", flame, 0, 0});
  };
  EXPECT_EQ(name("../../x"), "out/___.._x.png");
  EXPECT_EQ(name("/etc/passwd"), "out/_etc_passwd.png");
  EXPECT_EQ(name(".."), "out/__.png");
  EXPECT_EQ(name("."), "out/_.png");
  EXPECT_EQ(name(".hidden"), "out/_hidden.png");
  EXPECT_EQ(name("a\\b:c*d"), "out/a_b_c_d.png");
  EXPECT_EQ(name(std::string("a\0b\n\x1b[1m", 8)), "out/a_b__[1m.png");
  EXPECT_EQ(name("\xff\xc3\xa9"), "out/_\xc3\xa9.png");
  EXPECT_EQ(name("nul"), "out/nul_.png");
  EXPECT_EQ(name("com1.x"), "out/com1.x_.png");
  EXPECT_EQ(name("comet"), "out/comet.png");
  EXPECT_EQ(name("COM9"), "out/COM9_.png");
  EXPECT_EQ(name("lpt1"), "out/lpt1_.png");
  EXPECT_EQ(name("LPT9"), "out/LPT9_.png");
  EXPECT_EQ(name("COM0"), "out/COM0.png");
  EXPECT_EQ(name("COM10"), "out/COM10.png");
  EXPECT_EQ(name("   "), "out/_.png");
  EXPECT_EQ(name(""), "out/flame_0.png");  // no name
}

TEST(output_name, braces_in_a_value_are_not_expanded_again) {
  EXPECT_EQ(expand_template("{name}.png", {"s", "{stem}%05d##", 0, 7}), "{stem}%05d##.png");
}

TEST(output_name, long_names_stay_short_and_different) {
  const std::string common(5000, 'a');
  const std::string first = safe_file_name(common + "1"), second = safe_file_name(common + "2");
  EXPECT_LE(first.size(), 140u);
  EXPECT_NE(first, second);
  EXPECT_EQ(first, safe_file_name(common + "1"));
  EXPECT_EQ(safe_file_name(std::string(120, 'a')), std::string(120, 'a'));
  EXPECT_EQ(safe_file_name(std::string(121, 'a')).substr(0, 121), std::string(120, 'a') + "~");
  std::string accents;
  for (int i = 0; i < 100; ++i) accents += "\xc3\xa9";
  const std::string cut = safe_file_name(accents);
  EXPECT_EQ(cut.find('~') % 2, 0u) << "cut inside a character";
}

TEST(output_name, stems) {
  EXPECT_EQ(input_stem("a/b/rose.flame"), "rose");
  EXPECT_EQ(input_stem("rose"), "rose");
  EXPECT_EQ(input_stem("rose.v2.flam3"), "rose.v2");
  EXPECT_EQ(input_stem("-"), "stdin");
}

}  // namespace
}  // namespace kiln
