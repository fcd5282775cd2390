// SPDX-License-Identifier: MIT
// The table of settings is whole: no member of RenderOptions without a row, no row that a record, the
// command line, C or the documents forgot.
#include "engine/io/picture/picture_settings.h"

#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <string>

#include "engine/animation/frame_manifest.h"
#include "engine/api/kiln_c_api.h"
#include "engine/io/picture/picture_record.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using Decides = PictureSetting::Decides;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The names of RenderOptions' members, as its header has them.
std::set<std::string> members() {
  const std::string header =
      test::read_file(std::string(source_dir()) + "/engine/api/kiln/render_options.h");
  const std::size_t begin = header.find("struct RenderOptions {");
  const std::string body = header.substr(begin, header.find("\n};", begin) - begin);
  static const std::regex member(R"((\w+)( = [^;]*)?;)");
  std::set<std::string> names;
  for (std::sregex_iterator at(body.begin(), body.end(), member), end; at != end; ++at)
    if (!contains(at->prefix().str().substr(at->prefix().str().rfind('\n') + 1), "//"))
      names.insert((*at)[1]);
  return names;
}

/// The usual options, but for this one.
RenderOptions with_unusual(const PictureSetting& setting) {
  RenderOptions options;
  for (const PictureSetting::Word& word : setting.words)
    if (word.text) choose(setting, word.text, options);
  if (setting.has_words()) return options;
  visit_value(setting, options, [&]<class T>(T& value) {
    if constexpr (std::is_same_v<T, PictureSetting::File>)
      value = std::make_shared<const PointSpread>(PointSpread{1, 1, {1}, -1, 0, "abc"});
    else if constexpr (std::is_same_v<T, std::optional<Window>>)
      value = Window{1, 2, 3, 4};
    else if constexpr (!std::is_enum_v<T>)
      value = static_cast<T>(setting.most > 0 ? setting.most : 1);
  });
  return options;
}

PictureRecord parsed(const std::string& record) {
  std::string warning;
  const auto made = parse_picture_record(record, "x.png", [&](const auto& w) { warning += w; });
  EXPECT_TRUE(made) << record << "\n" << warning;
  return made.value_or(PictureRecord{});
}

TEST(PictureSettings, every_member_of_the_options_has_a_row) {
  const std::set<std::string> connections = {"helpers", "ranks", "on_progress", "on_rows", "stop"};
  std::set<std::string> all = members();
  EXPECT_TRUE(all.contains("exact_density") && all.contains("until_noise")) << all.size();
  for (const PictureSetting& setting : picture_settings())
    EXPECT_TRUE(all.contains(setting.name)) << setting.name;
  for (const PictureSetting& setting : picture_settings()) all.erase(setting.name);
  for (const std::string& name : connections) EXPECT_EQ(all.erase(name), 1u) << name;
  for (const std::string& name : all)
    ADD_FAILURE() << "RenderOptions::" << name
                  << " is not in engine/io/picture/picture_settings.inc";
}

TEST(PictureSettings, records_have_what_a_file_shows_and_nothing_of_the_machine) {
  for (const PictureSetting& setting : picture_settings()) {
    SCOPED_TRACE(setting.name);
    const bool shows = setting.decides == Decides::pixels || setting.decides == Decides::file;
    if (setting.name == std::string("linear")) continue;  // is 32 bits there
    EXPECT_EQ(setting.record != nullptr, shows);
    const RenderOptions unusual = with_unusual(setting);
    EXPECT_FALSE(is_usual(setting, unusual));
    const auto text = [](const RenderOptions& options) {
      return render_record({}, options, {}, "");
    };
    EXPECT_EQ(text(unusual) != text({}), shows);
    EXPECT_EQ(animation_digest(std::vector{Flame{}}, unusual) !=
                  animation_digest(std::vector{Flame{}}, {}),
              shows);
    if (!shows) continue;
    const PictureRecord record = parsed(text(unusual));
    EXPECT_EQ(text(record.options), text(unusual));
    EXPECT_NE(in_words(record), in_words(PictureRecord{}));
    if (setting.is_file()) continue;  // is not repeated
    EXPECT_EQ(text(repeated(record, {})), text(unusual));
    EXPECT_EQ(text(repeated(PictureRecord{}, unusual)), text({}));
  }
}

TEST(PictureSettings, a_usual_record_has_no_member_of_a_later_kiln) {
  EXPECT_EQ(render_record({}, {}, {}, ""),
            "{\"kiln\":\"" KILN_VERSION
            "\",\"seed\":0,\"samples\":0,\"bits\":8,\"transparent\":false,\"earlyclip\":false,"
            "\"compat\":\"none\",\"de\":\"fast\",\"pixel_aspect\":1,\"pixel_hash\":\"\"}");
}

TEST(PictureSettings, the_usual_options_of_c_are_those_of_cpp) {
  const kiln_options usual = kiln_usual_options();
  const RenderOptions options = c_api::options_or(&usual, {});
  for (const PictureSetting& setting : picture_settings())
    EXPECT_TRUE(is_usual(setting, options)) << setting.name;
}

TEST(PictureSettings, the_program_and_its_page_have_every_option) {
  const std::string help = test::run_program({"render", "--help"}).out,
                    page = test::read_file(std::string(source_dir()) + "/docs/reference/cli.md");
  int options = 0;
  for (const PictureSetting& setting : picture_settings()) {
    if (!setting.option) continue;
    ++options;
    EXPECT_TRUE(contains(help, std::string("  ") + setting.option + " ")) << setting.option;
    EXPECT_TRUE(contains(page, std::string("`") + setting.option)) << setting.option;
    EXPECT_EQ(setting.heading != nullptr && !setting.help[0], false) << setting.option;
  }
  EXPECT_GT(options, 15);
}

}  // namespace
}  // namespace kiln
