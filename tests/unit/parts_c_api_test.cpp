// SPDX-License-Identifier: MIT
// The parts of a flame in C: each function, and what it says of a wrong call.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/api/kiln_c.h"

namespace {

struct Free {
  void operator()(kiln_scenes* scenes) const { kiln_free_scenes(scenes); }
};
using Scenes = std::unique_ptr<kiln_scenes, Free>;

Scenes made() {
  kiln_scenes* scenes = nullptr;
  EXPECT_EQ(kiln_new_scenes(&scenes), KILN_OK);
  EXPECT_EQ(kiln_insert(scenes, 0, "xform.0", nullptr), KILN_OK);
  return Scenes(scenes);
}

std::string got(const Scenes& scenes, const char* part) {
  const char* text = "";
  EXPECT_EQ(kiln_get(scenes.get(), 0, part, &text), KILN_OK) << kiln_message();
  return text;
}

TEST(PartsCApi, PartsAreReadAndSet) {
  const Scenes scenes = made();
  EXPECT_EQ(kiln_set(scenes.get(), 0, "xform.0.julian", "0.5"), KILN_OK);
  EXPECT_EQ(kiln_set(scenes.get(), 0, "xform.0.julian_power", "4"), KILN_OK);
  EXPECT_EQ(got(scenes, "xform.0.julian"), "0.5");
  const double map[6] = {0.5, 0, 0, 0.5, 0.25, 0};
  EXPECT_EQ(kiln_set_numbers(scenes.get(), 0, "xform.0.coefs", map, 6), KILN_OK);
  double numbers[6] = {};
  int count = 0;
  EXPECT_EQ(kiln_get_numbers(scenes.get(), 0, "xform.0.coefs", numbers, 6, &count), KILN_OK);
  EXPECT_EQ(count, 6);
  EXPECT_EQ(std::vector<double>(numbers, numbers + 6), std::vector<double>(map, map + 6));
  EXPECT_EQ(kiln_get_numbers(scenes.get(), 0, "palette", nullptr, 0, &count), KILN_OK);
  EXPECT_EQ(count, 768);
  const char* names = "";
  EXPECT_EQ(kiln_names(scenes.get(), 0, "xform.0.variations", &names), KILN_OK);
  EXPECT_STREQ(names, "linear julian");
  EXPECT_EQ(kiln_count(scenes.get(), 0, "xform", &count), KILN_OK);
  EXPECT_EQ(count, 1);
}

TEST(PartsCApi, XformsAreAListOfCopies) {
  const Scenes scenes = made();
  EXPECT_EQ(kiln_set(scenes.get(), 0, "xform.0.weight", "0.25"), KILN_OK);
  const std::string element = got(scenes, "xform.0");
  EXPECT_EQ(kiln_insert(scenes.get(), 0, "xform.1", element.c_str()), KILN_OK);
  EXPECT_EQ(kiln_set(scenes.get(), 0, "xform.1.weight", "0.75"), KILN_OK);
  EXPECT_EQ(kiln_move(scenes.get(), 0, "xform.1", 0), KILN_OK);
  EXPECT_EQ(got(scenes, "xform.0.weight"), "0.75");
  kiln_scenes* copy = nullptr;
  ASSERT_EQ(kiln_copy_scene(scenes.get(), 0, &copy), KILN_OK);
  const Scenes other(copy);
  EXPECT_EQ(kiln_remove(scenes.get(), 0, "xform.0"), KILN_OK);
  EXPECT_EQ(got(scenes, "xform.0.weight"), "0.25");
  EXPECT_EQ(got(other, "xform.0.weight"), "0.75");
  const char *a = "", *b = "", *said = "";
  EXPECT_EQ(kiln_digest(scenes.get(), 0, &a), KILN_OK);
  EXPECT_EQ(kiln_digest(other.get(), 0, &b), KILN_OK);
  EXPECT_STRNE(a, b);
  EXPECT_EQ(kiln_differences(scenes.get(), 0, other.get(), 0, 0, &said), KILN_OK);
  EXPECT_STRNE(said, "");
  EXPECT_EQ(kiln_differences(scenes.get(), 0, scenes.get(), 0, 0, &said), KILN_OK);
  EXPECT_STREQ(said, "");
  EXPECT_EQ(kiln_differences(scenes.get(), 0, other.get(), 0, 1, &said), KILN_OK);
  EXPECT_EQ(std::string(said).substr(0, 13), "{\"same\":false");
}

TEST(PartsCApi, WrongCallsAreUsage) {
  const Scenes scenes = made();
  const char* text = nullptr;
  int count = 0;
  EXPECT_EQ(kiln_set(scenes.get(), 0, "xform.0.juliann", "1"), KILN_USAGE);
  EXPECT_NE(std::string(kiln_message()).find("did you mean \"julian\"?"), std::string::npos)
      << kiln_message();
  EXPECT_EQ(kiln_get(scenes.get(), 0, nullptr, &text), KILN_USAGE);
  EXPECT_EQ(kiln_get(nullptr, 0, "gamma", &text), KILN_USAGE);
  EXPECT_EQ(kiln_get(scenes.get(), 1, "gamma", &text), KILN_USAGE);
  EXPECT_EQ(kiln_get_numbers(scenes.get(), 0, "xaos", nullptr, 4, &count), KILN_USAGE);
  EXPECT_EQ(kiln_set_numbers(scenes.get(), 0, "xaos", nullptr, 1), KILN_USAGE);
  EXPECT_EQ(kiln_insert(scenes.get(), 0, "xform.7", nullptr), KILN_USAGE);
  EXPECT_EQ(kiln_remove(scenes.get(), 0, "final.0"), KILN_USAGE);
  EXPECT_EQ(kiln_count(scenes.get(), 0, "layer", &count), KILN_USAGE);
  EXPECT_EQ(got(scenes, "xform.0.linear"), "1");
}

}  // namespace
