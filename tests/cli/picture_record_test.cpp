// SPDX-License-Identifier: MIT
#include "engine/io/picture/picture_record.h"

#include <gtest/gtest.h>

#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/picture/png_writer.h"
#include "tests/cli/pictures.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using test::ScratchFolder;

/// What the record says, and what was warned of.
struct Parsed {
  std::optional<PictureRecord> record;
  std::string warning;
};

Parsed parsed(const std::string& json) {
  Parsed result;
  result.record = parse_picture_record(
      json, "x.png", [&](const std::string& message) { result.warning += message; });
  return result;
}

TEST(picture_record, a_crop_has_a_width_and_a_height) {
  EXPECT_TRUE(parsed("{\"seed\":1,\"crop\":[1,2,3,4]}").record->options.crop.has_value());
  for (const char* crop : {"[1,2,0,4]", "[1,2,3,0]", "[1,2,3]", "[1,2,3,-4]"}) {
    const Parsed result = parsed(fmt::format("{{\"seed\":1,\"crop\":{}}}", crop));
    EXPECT_FALSE(result.record && result.record->options.crop) << crop;
    EXPECT_NE(result.warning.find("crop"), std::string::npos) << crop << result.warning;
  }
}

TEST(picture_record, who_made_it_is_a_line_of_text) {
  EXPECT_EQ(parsed("{\"seed\":1,\"author\":\"Anna \u00d6z\"}").record->credits.author,
            "Anna \u00d6z");
  for (const char* text : {"a\\nb", "\\u0000", "\\u001b[31m"}) {
    const Parsed result = parsed(fmt::format("{{\"seed\":1,\"author\":\"{}\"}}", text));
    EXPECT_FALSE(result.record) << text;
    EXPECT_NE(result.warning.find("author"), std::string::npos) << text << result.warning;
  }
}

/// Options in which nothing has its usual value.
RenderOptions unusual_options() {
  RenderOptions options;
  options.seed = ~std::uint64_t(0) - 1;
  options.game = Game::divergent;
  options.bits = 16;
  options.transparent = options.earlyclip = options.compat_flam3 = options.exact_density = true;
  return options;
}

TEST(picture_record, says_everything_that_was_written) {
  Flame flame;
  flame.pixel_aspect = 1.1;
  RenderOptions options = unusual_options();
  PointSpread spread;
  spread.hash = std::string(64, 'a');
  options.psf = std::make_shared<const PointSpread>(spread);
  RenderStatistics statistics;
  statistics.samples = 1234567890123;
  const std::string hash(64, 'b');
  const Parsed result = parsed(render_record(flame, options, statistics, hash));
  EXPECT_EQ(result.warning, "");
  ASSERT_TRUE(result.record);
  const PictureRecord& record = *result.record;
  EXPECT_EQ(record.version, KILN_VERSION);
  EXPECT_EQ(record.samples, 1234567890123u);
  EXPECT_EQ(record.pixel_aspect, 1.1);
  EXPECT_EQ(psf_hash(record.options), spread.hash);
  EXPECT_EQ(record.pixel_hash, hash);
  EXPECT_FALSE(record.frame);
  const RenderOptions back = repeated(record, {});
  EXPECT_EQ(back.seed, options.seed);
  EXPECT_EQ(back.game, options.game);
  EXPECT_EQ(back.bits, 16);
  EXPECT_TRUE(back.transparent && back.earlyclip && back.compat_flam3 && back.exact_density);
  // and its own record is the same text
  RenderOptions again = repeated(record, {});
  again.psf = options.psf;
  EXPECT_EQ(render_record(flame, again, statistics, hash),
            render_record(flame, options, statistics, hash));
}

TEST(picture_record, one_option_at_a_time_comes_back) {
  const auto text = [](const RenderOptions& options) { return render_record({}, options, {}, ""); };
  const RenderOptions unusual = unusual_options();
  std::vector<RenderOptions> each(9);
  each[0].seed = unusual.seed;
  each[1].game = Game::divergent;
  each[2].game = Game::mtgp32;
  each[3].bits = 16;
  each[4].transparent = true;
  each[5].earlyclip = true;
  each[6].compat_flam3 = true;
  each[7].exact_density = true;
  each[8].steer = true;
  for (const RenderOptions& options : each) {
    const Parsed result = parsed(text(options));
    ASSERT_TRUE(result.record) << result.warning;
    EXPECT_EQ(text(repeated(*result.record, {})), text(options));
    EXPECT_NE(text(options), text({}));
    EXPECT_EQ(text(repeated(*parsed(text({})).record, options)), text({}));
  }
}

TEST(picture_record, the_usual_word_of_one_cross_check_leaves_the_other) {
  const auto game = [](const char* json) { return parsed(json).record->options.game; };
  EXPECT_EQ(game("{\"strategy\":\"divergent\",\"rng\":\"philox\"}"), Game::divergent);
  EXPECT_EQ(game("{\"strategy\":\"permutation\",\"rng\":\"mtgp32\"}"), Game::mtgp32);
}

TEST(picture_record, machines_options_are_not_touched) {
  RenderOptions options;
  options.threads = 3;
  options.backend = Backend::cpu;
  options.max_memory_bytes = 77;
  const RenderOptions back = repeated(*parsed("{}").record, options);
  EXPECT_EQ(back.threads, 3);
  EXPECT_EQ(back.backend, Backend::cpu);
  EXPECT_EQ(back.max_memory_bytes, 77u);
}

TEST(picture_record, of_linear_light_and_of_frames) {
  const PictureRecord record =
      *parsed("{\"bits\":32,\"seed\":3,\"frame\":42,\"time\":41.5,\"frame_digest\":\"x\"}").record;
  EXPECT_EQ(record.options.bits, 32);
  EXPECT_EQ(record.frame, 42);
  EXPECT_EQ(record.time, 41.5);
  EXPECT_EQ(repeated(record, {}).bits, 8);  // a file's name says whether it is linear
  EXPECT_EQ(in_words(record), "seed 3, linear (half)");
}

TEST(picture_record, in_words_names_what_is_unusual) {
  EXPECT_EQ(in_words(*parsed("{}").record), "seed 0, 8 bits");
  EXPECT_EQ(in_words(*parsed("{\"seed\":5,\"bits\":16,\"transparent\":true}").record),
            "seed 5, 16 bits, transparent");
  EXPECT_EQ(in_words(*parsed(render_record({}, unusual_options(), {}, "")).record),
            "seed 18446744073709551614, 16 bits, transparent, earlyclip, compat flam3, de exact, "
            "strategy divergent");
}

/// Pixels may be wide or tall.
TEST(picture_record, in_words_has_the_shape_of_pixels_that_are_not_square) {
  EXPECT_EQ(in_words(*parsed("{\"pixel_aspect\":2}").record), "seed 0, 8 bits, pixel aspect 2");
  EXPECT_EQ(in_words(*parsed("{\"pixel_aspect\":0.5}").record), "seed 0, 8 bits, pixel aspect 0.5");
  EXPECT_EQ(in_words(*parsed("{\"pixel_aspect\":1}").record), "seed 0, 8 bits");
}

TEST(picture_record, unknown_members_are_for_later_versions) {
  EXPECT_TRUE(parsed("{\"seed\":1,\"new\":{\"deep\":[1,2,{\"x\":null}]}}").record);
}

TEST(picture_record, hostile_texts_are_warnings_with_a_remedy) {
  const std::string deep(60000, '['), deep_objects = [] {
    std::string text;
    for (int i = 0; i < 10000; ++i) text += "{\"a\":";
    return text + "1" + std::string(10000, '}');
  }();
  EXPECT_TRUE(parsed(deep_objects).record);  // JSON, and nothing of ours in it
  for (const std::string& text : {std::string(),
                                  std::string("seed 5"),
                                  std::string("{"),
                                  std::string("{\"seed\":1}x"),
                                  std::string("[]"),
                                  std::string("5"),
                                  std::string("null"),
                                  std::string("\"{}\""),
                                  deep,
                                  std::string("{\"a\":") + deep,
                                  std::string("{\"seed\":1e999}"),
                                  std::string("\xff\xfe{}"),
                                  std::string("{\"seed\":\"\xff\"}"),
                                  std::string(70000, ' ') + "{}",
                                  std::string("{\"seed\":-1}"),
                                  std::string("{\"seed\":\"5\"}"),
                                  std::string("{\"seed\":1.5}"),
                                  std::string("{\"seed\":18446744073709551616}"),
                                  std::string("{\"seed\":null}"),
                                  std::string("{\"seed\":[1]}"),
                                  std::string("{\"bits\":12}"),
                                  std::string("{\"bits\":1e300}"),
                                  std::string("{\"bits\":true}"),
                                  std::string("{\"transparent\":1}"),
                                  std::string("{\"earlyclip\":\"yes\"}"),
                                  std::string("{\"compat\":\"flam4\"}"),
                                  std::string("{\"compat\":true}"),
                                  std::string("{\"de\":{}}"),
                                  std::string("{\"strategy\":\"x\"}"),
                                  std::string("{\"rng\":0}"),
                                  std::string("{\"pixel_aspect\":0}"),
                                  std::string("{\"pixel_aspect\":-1}"),
                                  std::string("{\"pixel_aspect\":1e9}"),
                                  std::string("{\"psf\":7}"),
                                  "{\"psf\":\"" + std::string(65, 'a') + "\"}",
                                  std::string("{\"pixel_hash\":[]}"),
                                  std::string("{\"kiln\":1}"),
                                  std::string("{\"frame\":1e12}"),
                                  std::string("{\"frame\":\"a\"}"),
                                  std::string("{\"time\":1e300}")}) {
    const Parsed result = parsed(text);
    EXPECT_FALSE(result.record) << text.substr(0, 100);
    EXPECT_NE(result.warning.find("x.png: its kiln_record cannot be used: "), std::string::npos)
        << text.substr(0, 100) << "\n"
        << result.warning;
    EXPECT_NE(result.warning.find("--seed"), std::string::npos) << result.warning;
  }
}

/// Every text with one byte changed, one cut off, one doubled: never anything but an answer.
TEST(picture_record, mutated_texts_end_in_an_answer) {
  const std::string whole = render_record({}, unusual_options(), {}, std::string(64, 'c'));
  std::uint32_t state = 1;
  const auto random = [&](std::size_t below) {
    state = state * 1664525u + 1013904223u;
    return std::size_t(state >> 8) % below;
  };
  int understood = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = whole;
    for (std::size_t edits = 1 + random(3); edits > 0; --edits) {
      const std::size_t at = random(text.size());
      switch (random(4)) {
        case 0:
          text[at] = static_cast<char>(random(256));
          break;
        case 1:
          text.erase(at, 1 + random(8));
          break;
        case 2:
          text.insert(at, text.substr(random(text.size()), random(12)));
          break;
        default:
          text[at] = "{}[]\",:0-e.tfn\\u"[random(16)];
      }
      if (text.empty()) text = "{";
    }
    understood += parsed(text).record.has_value();
  }
  EXPECT_GT(understood, 100);
  EXPECT_LT(understood, 19000);
}

TEST(picture_record, comes_with_the_flames_of_a_png) {
  const ScratchFolder folder;
  const Flame flame = parse_flames(test::triangle(), "t", {}).flames.at(0);
  Flame wide = flame;
  wide.pixel_aspect = 2;
  const std::string record = render_record(wide, unusual_options(), {}, "");
  write_png(folder / "a.png", test::pattern_picture(3, 3, 8),
            picture_texts(genome_xml(flame), record));
  const FlameFile file = read_flames(folder / "a.png", {});
  ASSERT_TRUE(file.record);
  EXPECT_EQ(file.record->options.seed, unusual_options().seed);
  EXPECT_EQ(file.flames.at(0).pixel_aspect, 2);
  EXPECT_FALSE(parse_flames(test::triangle(), "t", {}).record);

  std::string warning;
  ReaderOptions options;
  options.warn = [&](const std::string& message) { warning += message; };
  write_png(folder / "b.png", test::pattern_picture(3, 3, 8),
            picture_texts(genome_xml(flame), "{\"seed\":[]}"));
  EXPECT_FALSE(read_flames(folder / "b.png", options).record);
  EXPECT_NE(warning.find("b.png: its kiln_record cannot be used"), std::string::npos) << warning;
}

}  // namespace
}  // namespace kiln
