// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <png.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <cstring>
#include <map>

#include "engine/animation/frame_manifest.h"
#include "engine/base/error.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/picture_record.h"
#include "engine/io/picture/png_writer.h"
#include "engine/model/image.h"
#include "tests/cli/pictures.h"
#include "tests/cli/scratch.h"

namespace kiln {
namespace {

using test::pattern_picture;
using test::ScratchFolder;

/// The text chunks of a PNG as libpng sees them: key -> (text, compression).
std::map<std::string, std::pair<std::string, int>> texts_of(const std::string& path) {
  std::map<std::string, std::pair<std::string, int>> texts;
  FILE* file = std::fopen(path.c_str(), "rb");
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file);
  png_read_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
  png_textp list = nullptr;
  const int count = png_get_text(png, info, &list, nullptr);
  for (int i = 0; i < count; ++i)
    texts[list[i].key] = {std::string(list[i].text, list[i].text_length), list[i].compression};
  png_destroy_read_struct(&png, &info, nullptr);
  std::fclose(file);
  return texts;
}

TEST(png, pictures_come_back_to_the_bit) {
  const ScratchFolder folder;
  for (int bits : {8, 16}) {
    for (auto [width, height] : {std::pair{1, 1}, {7, 5}, {301, 199}}) {
      const Image image = pattern_picture(width, height, bits);
      write_png(folder / "a.png", image, {});
      const Image back = read_png(folder / "a.png");
      EXPECT_EQ(back.width, width);
      EXPECT_EQ(back.height, height);
      EXPECT_EQ(back.bits(), bits);
      EXPECT_TRUE(back.pixels == image.pixels);
      EXPECT_EQ(pixel_hash(back), pixel_hash(image));
    }
  }
}

TEST(png, another_reader_sees_the_same_samples) {  // libpng's simplified reader, which shares none
                                                   // of our settings
  const ScratchFolder folder;
  const Image image = pattern_picture(33, 17, 8);
  write_png(folder / "a.png", image, {});
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  ASSERT_TRUE(png_image_begin_read_from_file(&png, (folder / "a.png").c_str()));
  png.format = PNG_FORMAT_RGBA;
  std::vector<std::uint8_t> samples(PNG_IMAGE_SIZE(png));
  ASSERT_TRUE(png_image_finish_read(&png, nullptr, samples.data(), 0, nullptr));
  EXPECT_EQ(samples, image.pixels8());
}

/// What libpng says of a file before its pixels.
struct Meaning {
  int color_type = -1, srgb_intent = -1, unit = -1;
  png_uint_32 x = 0, y = 0;
  std::size_t row_bytes = 0;
};

Meaning meaning_of(const std::string& path) {
  Meaning meaning;
  FILE* file = std::fopen(path.c_str(), "rb");
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file);
  png_read_info(png, info);
  meaning.color_type = png_get_color_type(png, info);
  meaning.row_bytes = png_get_rowbytes(png, info);
  png_get_sRGB(png, info, &meaning.srgb_intent);
  png_get_pHYs(png, info, &meaning.x, &meaning.y, &meaning.unit);
  png_destroy_read_struct(&png, &info, nullptr);
  std::fclose(file);
  return meaning;
}

TEST(png, opaque_pictures_are_rgb_and_come_back_to_the_bit) {
  const ScratchFolder folder;
  for (int bits : {8, 16}) {
    for (auto [width, height] : {std::pair{1, 1}, {7, 5}, {1100, 300}}) {  // one band and several
      Image image = pattern_picture(width, height, bits, true);
      image.opaque = true;
      write_png(folder / "a.png", image, {}, {.threads = 3});
      const Meaning meaning = meaning_of(folder / "a.png");
      EXPECT_EQ(meaning.color_type, PNG_COLOR_TYPE_RGB);
      EXPECT_EQ(meaning.row_bytes, std::size_t(3 * bits / 8 * width));
      const Image back = read_png(folder / "a.png");
      EXPECT_TRUE(back.opaque);
      EXPECT_TRUE(back.pixels == image.pixels);
      EXPECT_EQ(pixel_hash(back), pixel_hash(image));
    }
  }
  write_png(folder / "a.png", pattern_picture(5, 5, 8), {});
  EXPECT_EQ(meaning_of(folder / "a.png").color_type, PNG_COLOR_TYPE_RGB_ALPHA);
  EXPECT_FALSE(read_png(folder / "a.png").opaque);
}

TEST(png, says_how_its_samples_are_meant) {
  const ScratchFolder folder;
  Image image = pattern_picture(3, 3, 8);
  write_png(folder / "a.png", image, {});
  const Meaning square = meaning_of(folder / "a.png");
  EXPECT_EQ(square.srgb_intent, PNG_sRGB_INTENT_PERCEPTUAL);
  EXPECT_EQ(square.unit, PNG_RESOLUTION_UNKNOWN);
  EXPECT_EQ(square.x, 1u);
  EXPECT_EQ(square.y, 1u);
  image.pixel_aspect = 1.25;  // wider than high: fewer of them across
  write_png(folder / "a.png", image, {});
  const Meaning wide = meaning_of(folder / "a.png");
  EXPECT_EQ(wide.x, 4u);
  EXPECT_EQ(wide.y, 5u);
}

TEST(png, samples_of_16_bits_are_big_endian_in_the_file) {
  const ScratchFolder folder;
  Image image{1, 1, Words{0x0102, 0x0304, 0x0506, 0x0708}};
  write_png(folder / "a.png", image, {});
  FILE* file = std::fopen((folder / "a.png").c_str(), "rb");
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file);
  png_read_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
  const png_bytep row = png_get_rows(png, info)[0];
  for (int i = 0; i < 8; ++i) EXPECT_EQ(row[i], i + 1);
  png_destroy_read_struct(&png, &info, nullptr);
  std::fclose(file);
}

TEST(png, carries_genome_and_record) {
  const ScratchFolder folder;
  const Image image = pattern_picture(4, 4, 8);
  RenderOptions options;
  options.seed = ~std::uint64_t{0};
  RenderStatistics statistics;
  statistics.samples = 123;
  statistics.device = "some device";
  const std::string record = render_record(Flame{}, options, statistics, pixel_hash(image));
  const std::string genome = "<flame name=\"" + std::string(100000, 'a') + "\"/>";
  write_png(folder / "a.png", image, picture_texts(genome, record));
  auto texts = texts_of(folder / "a.png");
  EXPECT_EQ(texts["flam3_genome"], (std::pair{genome, PNG_TEXT_COMPRESSION_zTXt}));
  EXPECT_EQ(texts["Software"],
            (std::pair{std::string("kiln " KILN_VERSION), PNG_TEXT_COMPRESSION_NONE}));
  EXPECT_EQ(texts["kiln_record"], (std::pair{record, PNG_TEXT_COMPRESSION_NONE}));
  EXPECT_EQ(record,
            "{\"kiln\":\"" KILN_VERSION
            "\",\"seed\":18446744073709551615,\"samples\":123,\"bits\":8,"
            "\"transparent\":false,\"earlyclip\":false,\"compat\":\"none\",\"de\":\"fast\",\"pixel_"
            "aspect\":1,\"pixel_hash\":\"" +
                pixel_hash(image) + "\"}");
}

TEST(png, equal_pictures_give_equal_files) {
  const ScratchFolder folder;
  const Image image = pattern_picture(50, 40, 16);
  write_png(folder / "a.png", image, picture_texts("<flame/>", "{}"));
  sleep(1);  // a time of day would show
  write_png(folder / "b.png", image, picture_texts("<flame/>", "{}"));
  EXPECT_EQ(test::read_file(folder / "a.png"), test::read_file(folder / "b.png"));
}

TEST(png, the_bytes_do_not_depend_on_the_threads) {
  const ScratchFolder folder;
  for (int bits : {8, 16}) {
    const Image image = pattern_picture(1100, 700, bits);  // 3 or 6 bands, cut within rows
    write_png(folder / "1.png", image, {}, {.threads = 1});
    EXPECT_EQ(pixel_hash(read_png(folder / "1.png")), pixel_hash(image));
    for (int threads : {2, 5, 0}) {
      write_png(folder / "n.png", image, {}, {.threads = threads});
      EXPECT_EQ(test::read_file(folder / "n.png"), test::read_file(folder / "1.png")) << threads;
    }
  }
}

TEST(png, a_failed_write_leaves_nothing_and_says_why) {
  const ScratchFolder folder;
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{300000, 300000};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      // 3 MB of noise: fails between two of its bands
      write_png(folder / "a.png", pattern_picture(900, 900, 8), {});
      _exit(1);
    } catch (const Error& error) {
      _exit(error.kind == ErrorKind::output && std::strstr(error.what(), "ulimit") ? 0 : 2);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(folder.entries().empty());
}

/// The input error that reading these bytes gives.
std::string read_error(const ScratchFolder& folder, const std::string& bytes) {
  test::write_file(folder / "bad.png", bytes);
  try {
    read_png(folder / "bad.png");
  } catch (const Error& error) {
    return error.kind == ErrorKind::input ? error.what() : "";
  }
  return "";
}

TEST(png, damaged_files_are_refused_with_their_name) {
  const ScratchFolder folder;
  write_png(folder / "a.png", pattern_picture(40, 40, 8), picture_texts("<flame/>", "{}"));
  const std::string whole = test::read_file(folder / "a.png");
  EXPECT_EQ(read_error(folder, whole), "");
  EXPECT_NE(read_error(folder, "").find("not a PNG"), std::string::npos);
  EXPECT_NE(read_error(folder, "GIF89a and so on").find("bad.png: not a PNG"), std::string::npos);
  for (std::size_t size : {std::size_t{8}, std::size_t{20}, whole.size() / 2, whole.size() - 12}) {
    EXPECT_NE(read_error(folder, whole.substr(0, size)).find("damaged PNG"), std::string::npos)
        << size;
  }
  std::string flipped = whole;
  flipped[whole.size() / 2] ^= 0x10;
  EXPECT_NE(read_error(folder, flipped).find("damaged PNG"), std::string::npos);
  std::string huge = whole;
  std::memcpy(huge.data() + 16, "\x7f\xff\xff\xff\x7f\xff\xff\xff", 8);
  EXPECT_NE(read_error(folder, huge), "");
  EXPECT_THROW(read_png(folder / "none.png"), Error);
  EXPECT_THROW(read_png(folder.path()), Error);
}

std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
  return bytes;
}

std::string chunk(const std::string& type, const std::string& data) {
  const std::string body = type + data;
  const auto checksum =
      crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  return big_endian(static_cast<std::uint32_t>(data.size())) + body +
         big_endian(static_cast<std::uint32_t>(checksum));
}

/// The start of a PNG that promises so much and holds a few bytes.
std::string promise(std::uint32_t width, std::uint32_t height, int bits, int color_type,
                    bool interlaced) {
  std::string head = big_endian(width) + big_endian(height);
  head += {static_cast<char>(bits), static_cast<char>(color_type), 0, 0, interlaced ? '\1' : '\0'};
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", head) + chunk("IDAT", "x\x9c\x63") + chunk("IEND", "");
}

TEST(png, what_a_header_promises_is_held_against_limits_and_the_file) {
  const ScratchFolder folder;
  const auto refused = [&](const std::string& bytes, const std::string& reason) {
    const std::string message = read_error(folder, bytes);
    EXPECT_NE(message.find(reason), std::string::npos) << message << "\nexpected: " << reason;
  };
  refused(promise(16000, 16000, 1, 0, true), "60 bytes cannot hold 16000 x 16000 pixels");
  refused(promise(1000000, 17000, 16, 0, false),
          "the limit is 4.0 GiB; raise it with --max-memory");
  refused(promise(2000000, 1, 8, 0, false), "a picture has at most 1000000 a side");
  refused(promise(4, 4, 8, 0, false), "damaged PNG");  // no lie, but no pixels either

  write_png(folder / "a.png", pattern_picture(40, 30, 8), {});
  ImageLimits limits;
  limits.bytes = 40 * 30 * 4;
  EXPECT_NO_THROW(read_png(folder / "a.png", limits));
  --limits.bytes;
  EXPECT_THROW(read_png(folder / "a.png", limits), Error);
  limits = {};
  limits.side = 39;
  EXPECT_THROW(read_png(folder / "a.png", limits), Error);
  // 1032 to 1 is what deflate reaches: a black picture comes back
  Image black;
  black.width = black.height = 2000;
  black.pixels8().assign(4 * 2000 * 2000, 0);
  write_png(folder / "black.png", black, {});
  EXPECT_LT(test::read_file(folder / "black.png").size(), 100000u);
  EXPECT_NO_THROW(read_png(folder / "black.png"));
}

TEST(png, a_frame_is_whole_only_with_pixels_and_with_nothing_behind_its_end) {
  const ScratchFolder folder;
  const std::string digest(64, 'd');
  const std::string record = frame_record("{\"kiln\":\"1\"}", {7, 3.5}, digest, digest);
  write_png(folder / "a.png", pattern_picture(9, 9, 8), picture_texts("<flame/>", record));
  EXPECT_TRUE(is_frame(folder / "a.png", digest));
  EXPECT_FALSE(is_frame(folder / "a.png", std::string(64, 'e')));
  const std::string whole = test::read_file(folder / "a.png");
  test::write_file(folder / "b.png", whole + "out/0000.png\n");
  EXPECT_FALSE(is_frame(folder / "b.png", digest));
  const std::size_t at = whole.find("IDAT") - 4, end = whole.find("IEND") - 4;
  test::write_file(folder / "c.png", whole.substr(0, at) + whole.substr(end));
  EXPECT_FALSE(is_frame(folder / "c.png", digest));
  test::write_file(folder / "d.png", whole.substr(0, end));
  EXPECT_FALSE(is_frame(folder / "d.png", digest));
}

TEST(png, gray_and_palette_pictures_become_rgba) {
  const ScratchFolder folder;
  const std::uint8_t gray[4] = {0, 85, 170, 255};
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = 4;
  png.height = 1;
  png.format = PNG_FORMAT_GRAY;
  ASSERT_TRUE(png_image_write_to_file(&png, (folder / "gray.png").c_str(), 0, gray, 0, nullptr));
  const Image image = read_png(folder / "gray.png");
  EXPECT_EQ(image.pixels8(), (std::vector<std::uint8_t>{0, 0, 0, 255, 85, 85, 85, 255, 170, 170,
                                                        170, 255, 255, 255, 255, 255}));
  const std::uint8_t colors[6] = {10, 20, 30, 40, 50, 60}, indices[4] = {0, 1, 1, 0};
  png.format = PNG_FORMAT_RGB_COLORMAP;
  png.colormap_entries = 2;
  ASSERT_TRUE(
      png_image_write_to_file(&png, (folder / "palette.png").c_str(), 0, indices, 0, colors));
  const Image mapped = read_png(folder / "palette.png");
  EXPECT_EQ(mapped.pixels8(), (std::vector<std::uint8_t>{10, 20, 30, 255, 40, 50, 60, 255, 40, 50,
                                                         60, 255, 10, 20, 30, 255}));
}

}  // namespace
}  // namespace kiln
