// SPDX-License-Identifier: MIT
// Which program a flame is from: by its version, by what only that program writes, by wish.
#include "engine/io/flame/dialect.h"

#include <gtest/gtest.h>

#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"

namespace kiln {
namespace {

Flame read(const std::string& attributes, const ReaderOptions& options = {},
           const std::string& element = "flame") {
  return parse_flames(
             "<" + element + " size=\"8 8\" " + attributes +
                 "><xform weight=\"1\" linear=\"1\"/><color index=\"0\" rgb=\"1 2 3\"/></" +
                 element + ">",
             "test.flame", options)
      .flames.at(0);
}
Dialect dialect_with(const std::string& attributes) { return read(attributes).dialect; }

TEST(Dialect, is_that_of_the_version) {
  EXPECT_EQ(dialect_with(R"(version="EMBER-WIN-1.0.0.19")"), Dialect::fractorium);
  EXPECT_EQ(dialect_with(R"(version="Ember-LNX-25.25.12" plugins="linear")"), Dialect::fractorium);
  EXPECT_EQ(dialect_with(R"(version="Apophysis 7X")"), Dialect::apophysis);
  EXPECT_EQ(dialect_with(R"(version="apophysis 2.09" white_level="3")"), Dialect::apophysis);
  EXPECT_EQ(dialect_with(R"(version="FLAM3-LNX-3.1.1" enable_de="1")"), Dialect::flam3);
  EXPECT_EQ(dialect_with("version=\"0.16 (06.11.2011)\""), Dialect::jwildfire);
  EXPECT_EQ(dialect_with(R"(version="3.1")"), Dialect::flam3);
  EXPECT_EQ(dialect_with("version=\"(3)\""), Dialect::flam3);
  EXPECT_EQ(dialect_with(R"(version="")"), Dialect::flam3);
}

TEST(Dialect, is_that_of_marks_where_no_version_says_it) {
  EXPECT_EQ(dialect_with(R"(new_linear="1")"), Dialect::apophysis);
  EXPECT_EQ(dialect_with(R"(plugins="")"), Dialect::apophysis);
  EXPECT_EQ(dialect_with(R"(enable_de="0")"), Dialect::apophysis);
  EXPECT_EQ(dialect_with(R"(nick="somebody")"), Dialect::apophysis);
  EXPECT_EQ(dialect_with(R"(nick="somebody" brood="2")"), Dialect::flam3);
  EXPECT_EQ(dialect_with(R"(white_level="220" nick="x")"), Dialect::jwildfire);
  EXPECT_EQ(dialect_with(R"(version="Other 1" plugins="")"), Dialect::apophysis);
  EXPECT_EQ(dialect_with(R"(brightness="4")"), Dialect::flam3);
  EXPECT_EQ(read("", {}, "jwf-flame").dialect, Dialect::jwildfire);
}

TEST(Dialect, says_by_what_it_was_known) {
  EXPECT_EQ(read(R"(version="EMBER-WIN-1.0.0.19")").dialect_reason,
            "version \"EMBER-WIN-1.0.0.19\"");
  EXPECT_EQ(read(R"(plugins="")").dialect_reason, "attribute plugins");
  EXPECT_EQ(read("").dialect_reason, "nothing else is said");
}

TEST(Dialect, is_the_one_asked_for) {
  ReaderOptions options;
  options.dialect = Dialect::apophysis;
  EXPECT_EQ(read(R"(version="EMBER-WIN-1.0.0.19")", options).dialect, Dialect::apophysis);
  options.dialect = Dialect::flam3;
  EXPECT_EQ(read(R"(version="EMBER-WIN-1.0.0.19")", options).dialect, Dialect::flam3);
}

TEST(Dialect, is_kept_when_the_flame_is_written) {
  for (const char* version : {"EMBER-1", "Apophysis 7X", "1 (1)", "FLAM3-1"}) {
    const Flame flame = read("version=\"" + std::string(version) + "\"");
    const Flame again = parse_flames(genome_xml(flame), "again.flam3", {}).flames.at(0);
    EXPECT_EQ(again.dialect, flame.dialect) << version;
    EXPECT_EQ(genome_xml(again), genome_xml(flame)) << version;
  }
}

TEST(Dialect, has_a_name) {
  for (const char* name : {"flam3", "fractorium", "apophysis", "jwildfire"})
    EXPECT_STREQ(dialect_name(dialect_named(name).value()), name);
  EXPECT_FALSE(dialect_named("auto"));
}

}  // namespace
}  // namespace kiln
