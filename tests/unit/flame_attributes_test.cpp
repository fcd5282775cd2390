// SPDX-License-Identifier: MIT
// Every row of the table of attributes is what it says: it is read, written and read again, blends or
// does not, decides the sums or the look, and the pages name it. Who adds an attribute and forgets one
// of these hears it here; python/tests/test_kiln.py compares the stubs.
#include "engine/model/flame_attributes.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "engine/animation/interpolate.h"
#include "engine/base/text.h"
#include "engine/io/flame/flame_options.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/model/image.h"
#include "engine/render/accumulate/accumulation.h"
#include "engine/render/renderer.h"
#include "tests/places.h"

namespace kiln {
namespace {

/// What cannot be made of the value before it.
const std::map<std::string_view, std::string> other_texts = {
    {"highlight_power", "1"},
    {"estimator_minimum", "2"},
    {"preserve_z", "0"},
    {"kiln_bloom", "0.3 20 0"},
    {"kiln_glare", "4 15 0.2"},
    {"overall_curve", "0 0 0.5 0.7 1 1"},
    {"red_curve", "0 0 0.5 0.7 1 1"},
    {"green_curve", "0 0 0.5 0.7 1 1"},
    {"blue_curve", "0 0 0.5 0.7 1 1"},
    {"curves", "0 0 1 0.3 0.6 1 0.6 0.8 1 1 1 1"},
    {"kiln_curves", "1 spline 3 0 0 1 0.5 0.7 1 1 1 1 0 0 0"},
    {"cam_dist", "4"},
    {"palette", "3"},
    {"soloxform", "0"},
};

/// Another value than that of the flame, as a file says it.
std::string other_text(const FlameAttribute& row, const Flame& flame) {
  if (const auto found = other_texts.find(row.name); found != other_texts.end())
    return found->second;
  const std::string text = value_text(row, flame);
  const std::string_view type = attribute_type(row);
  if (type == "text") return text + "x";
  if (const AttributeWords words = attribute_words(row); !words.empty())
    return std::string(text == words.front() ? words.back() : words.front());
  std::istringstream numbers(text);
  std::string other;
  for (double number; numbers >> number;)
    other += (other.empty() ? "" : " ") + shortest(number + (type.starts_with("whole") ? 1 : 0.25));
  return other;
}

/// Two xforms with depth, in a palette whose neighbors differ.
std::string flame_with(const std::string& attributes) {
  std::string colors;
  for (int i = 0; i < 256; ++i)
    colors += fmt::format(R"(<color index="{}" rgb="{} {} 255"/>)", i, i, i % 2 * 255);
  return "<flame version=\"test\" " + attributes +
         R"(><xform weight="1" color="0.3" linear="1" coefs="0.5 0 0 0.5 0.3 0.1"/>)"
         R"(<xform weight="1" color="0.9" linear="1" ztranslate="0.2" coefs="0.4 0.1 0 0.5 -0.3 0"/>)" +
         colors + "</flame>";
}

/// A key with others around it, without which it cannot be smooth.
Flame read_key(const std::string& xml) {
  const std::string keys = "<flames>" + xml + xml + xml + xml + "</flames>";
  return parse_flames(keys, "test.flame", {}).flames.at(1);
}

Flame read(const std::string& attributes) { return read_key(flame_with(attributes)); }

std::string said(std::string_view name, const std::string& text) {
  return fmt::format(" {}=\"{}\"", name, text);
}

bool same_value(const FlameAttribute& row, const Flame& a, const Flame& b) {
  bool same = true;
  row.with_member([&](auto get) { same = get(a) == get(b); });
  return same;
}

/// The rows that files may have.
std::vector<FlameAttribute> rows() {
  std::vector<FlameAttribute> all;
  for (const FlameAttribute& row : flame_attributes())
    if (!row.has(FlameAttribute::only_written)) all.push_back(row);
  return all;
}

TEST(FlameAttributes, are_read_written_and_read_again) {
  const Flame plain = read("");
  for (const FlameAttribute& row : rows()) {
    const std::string text = other_text(row, plain);
    EXPECT_NO_THROW(parse_setting("--set", std::string(row.name) + "=" + text)) << row.name;
    if (std::holds_alternative<std::monostate>(row.member)) continue;
    for (const std::string_view name : {row.name, row.alias}) {
      if (name.empty()) continue;
      const Flame flame = read(said(name, text));
      EXPECT_FALSE(same_value(row, flame, plain)) << name;
      const Flame again = read_key(genome_xml(flame));
      EXPECT_TRUE(same_value(row, again, flame)) << name << ": " << genome_xml(flame);
      EXPECT_EQ(genome_xml(again), genome_xml(flame)) << name;
      if (attribute_type(row) == "special") continue;
      EXPECT_EQ(value_text(row, flame), text) << name;
      EXPECT_EQ(attribute_text(flame, row.name), text) << name;
    }
  }
}

TEST(FlameAttributes, usual_values_are_those_of_a_flame_that_says_nothing) {
  const Flame plain = read("");
  for (const FlameAttribute& row : rows()) EXPECT_TRUE(has_usual_value(row, plain)) << row.name;
}

TEST(FlameAttributes, names_are_there_once) {
  std::set<std::string_view> seen = {""};
  for (const FlameAttribute& row : flame_attributes()) {
    EXPECT_TRUE(seen.insert(row.name).second) << row.name;
    EXPECT_TRUE(row.alias.empty() || seen.insert(row.alias).second) << row.alias;
    EXPECT_EQ(find_flame_attribute(row.name) == nullptr, row.has(FlameAttribute::only_written));
  }
  EXPECT_EQ(find_flame_attribute(""), nullptr);
  EXPECT_EQ(find_flame_attribute("oversample")->name, "supersample");
}

std::vector<double> numbers_of(const FlameAttribute& row, const Flame& flame) {
  std::vector<double> numbers;
  row.with_member([&](auto get) {
    each_number(get(flame), [&](auto number) { numbers.push_back(double(number)); });
  });
  return numbers;
}

TEST(FlameAttributes, blend_between_keys_as_they_say) {
  for (const FlameAttribute& row : rows()) {
    if (std::holds_alternative<std::monostate>(row.member)) continue;
    Flame first = read(""), second = read(said(row.name, other_text(row, first)));
    first.time = 0;
    second.time = 1;
    const Flame between = interpolate({first, second}, 0.25, 0);
    if (row.has(FlameAttribute::blends)) {
      const std::vector<double> a = numbers_of(row, first), b = numbers_of(row, second);
      const std::vector<double> mean = numbers_of(row, between);
      ASSERT_FALSE(mean.empty()) << row.name << " has no numbers that could blend";
      const bool whole = attribute_type(row).starts_with("whole");
      for (std::size_t i = 0; i < mean.size(); ++i)
        EXPECT_NEAR(mean[i], 0.75 * a[i] + 0.25 * b[i], whole ? 0.5 : 1e-12) << row.name;
    } else if (row.has(FlameAttribute::mixes)) {
      EXPECT_FALSE(same_value(row, between, first)) << row.name;
      EXPECT_FALSE(same_value(row, between, second)) << row.name;
    } else {
      EXPECT_TRUE(same_value(row, between, first) || has_usual_value(row, between)) << row.name;
    }
  }
}

struct Made {
  std::string sums, picture;
};

/// A small still, and the digest of its sums where these have a rim of 40 buckets.
Made made(const Flame& flame) {
  RenderOptions options;
  options.backend = Backend::cpu;
  options.threads = 2;
  options.bits = 16;
  Frame frame{flame, {}, {}, 0};
  frame.gutter = 40;
  const SumsShape shape = sums_shape(prepare(frame, options), options);
  frame.gutter = -1;
  return {shape.digest + fmt::format(" {} {}", shape.width, shape.height),
          pixel_hash(Renderer(options).render(prepare(frame, options), nullptr))};
}

TEST(FlameAttributes, decide_the_sums_or_the_look_as_they_say) {
  const std::string base =
      R"( size="24 16" scale="8" quality="40" brightness="200" cam_persp="0.1" cam_pitch="0.2")"
      R"( cam_yaw="0.2" cam_zpos="0.1" cam_dof="0.05" blur_curve="0.1" estimator_radius="3")";
  // more of the same sums; or what has been done when the flame was read
  const std::set<std::string_view> no_other_digest = {"quality", "passes"}, done = {"hue"};
  const std::string jwildfire =
      R"( kiln_dialect="jwildfire" antialias_amount="0.5" antialias_radius="0.7")"
      R"( low_density_brightness="0.5" background="0.2 0.3 0.4")";
  const std::string colors = R"( background_ul="0.1 0.2 0.3" background_cc="0.9 0.1 0.1")";
  const std::string gradient = R"( background_type="GRADIENT_2X2_C")";
  const std::map<std::string_view, std::string> of_others = {
      {"background_type", colors},
      {"background_ul", gradient},
      {"background_ur", gradient},
      {"background_ll", gradient},
      {"background_lr", gradient},
      {"background_cc", gradient},
      {"kiln_dome", R"( kiln_projection="dome")"},
      {"kiln_eyes", R"( kiln_projection="stereo")"},
      {"filter_kernel", jwildfire},
      {"white_level", jwildfire},
      {"contrast", jwildfire},
      {"fg_opacity", jwildfire},
      {"antialias_amount", jwildfire},
      {"antialias_radius", jwildfire},
      {"low_density_brightness", jwildfire},
      {"preserve_z", jwildfire}};
  const std::string flat = R"( size="24 16" scale="16" quality="40" center="0.5 0.5")";
  const Made usual = made(read(base)), usual_flat = made(read(flat));
  for (const FlameAttribute& row : rows()) {
    if (std::holds_alternative<std::monostate>(row.member)) continue;
    if (row.name == "kiln_tile") {  // which cameras in space have not
      const Made after = made(read(flat + said(row.name, "1")));
      EXPECT_TRUE(after.sums != usual_flat.sums && after.picture != usual_flat.picture);
      continue;
    }
    const bool is_of_other = of_others.contains(row.name);
    Flame flame = read(is_of_other ? base + of_others.at(row.name) : base);
    if (flame.dialect == Dialect::jwildfire) flame.estimator_radius = 0;  // or none is moved
    const Made before = is_of_other ? made(flame) : usual;
    Flame other = flame;
    copy_attribute(row, read(said(row.name, other_text(row, flame))), other);
    const Made after = made(other);
    const bool sums = row.has(FlameAttribute::sums) && !done.contains(row.name);
    EXPECT_EQ(after.sums != before.sums, sums && !no_other_digest.contains(row.name)) << row.name;
    EXPECT_EQ(after.picture != before.picture, sums || row.has(FlameAttribute::look)) << row.name;
  }
}

/// The first two cells of the rows of docs/reference/writing-flames.md that name attributes of <flame>.
std::map<std::string, std::string> documented() {
  std::ifstream page(std::string(source_dir()) + "/docs/reference/writing-flames.md");
  std::map<std::string, std::string> usual;
  for (std::string line; std::getline(page, line) && !line.starts_with("## `<xform>`");) {
    if (!line.starts_with("| `")) continue;
    const std::size_t bar = line.find(" | "), end = line.find(" | ", bar + 3);
    for (std::size_t at = 0; (at = line.find('`', at)) < bar;) {
      const std::size_t close = line.find('`', at + 1);
      const std::string name = line.substr(at + 1, close - at - 1);
      usual[name.substr(0, name.find('='))] = line.substr(bar + 3, end - bar - 3);
      at = close + 1;
    }
  }
  return usual;
}

TEST(FlameAttributes, pages_name_them_with_their_usual_values) {
  const std::map<std::string, std::string> usual = documented();
  const Flame plain;
  for (const FlameAttribute& row : rows()) {
    const auto found = usual.find(std::string(row.name));
    ASSERT_NE(found, usual.end()) << row.name << " is not in docs/reference/writing-flames.md";
    if (found->second == "none" || row.name == "time") continue;
    EXPECT_EQ(found->second, value_text(row, plain)) << row.name;
  }
}

}  // namespace
}  // namespace kiln
