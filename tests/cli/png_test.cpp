#include <gtest/gtest.h>
#include <png.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <map>

#include "engine/io/image_reader.h"
#include "engine/io/png_writer.h"
#include "engine/model/error.h"
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
      EXPECT_EQ(back.bits, bits);
      EXPECT_EQ(back.pixels8, image.pixels8);
      EXPECT_EQ(back.pixels16, image.pixels16);
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
  EXPECT_EQ(samples, image.pixels8);
}

TEST(png, samples_of_16_bits_are_big_endian_in_the_file) {
  const ScratchFolder folder;
  Image image{1, 1, 16, {}, {0x0102, 0x0304, 0x0506, 0x0708}, {}, {}};
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
    write_png(folder / "1.png", image, {}, AtomicFile::Existing::replace, 1);
    EXPECT_EQ(pixel_hash(read_png(folder / "1.png")), pixel_hash(image));
    for (int threads : {2, 5, 0}) {
      write_png(folder / "n.png", image, {}, AtomicFile::Existing::replace, threads);
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
      write_png(folder / "a.png", pattern_picture(900, 900, 8),
                {});  // 3 MB of noise: fails between two of its bands
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

TEST(png, grey_and_palette_pictures_become_rgba) {
  const ScratchFolder folder;
  const std::uint8_t grey[4] = {0, 85, 170, 255};
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = 4;
  png.height = 1;
  png.format = PNG_FORMAT_GRAY;
  ASSERT_TRUE(png_image_write_to_file(&png, (folder / "grey.png").c_str(), 0, grey, 0, nullptr));
  const Image image = read_png(folder / "grey.png");
  EXPECT_EQ(image.pixels8, (std::vector<std::uint8_t>{0, 0, 0, 255, 85, 85, 85, 255, 170, 170, 170,
                                                      255, 255, 255, 255, 255}));
  const std::uint8_t colors[6] = {10, 20, 30, 40, 50, 60}, indices[4] = {0, 1, 1, 0};
  png.format = PNG_FORMAT_RGB_COLORMAP;
  png.colormap_entries = 2;
  ASSERT_TRUE(
      png_image_write_to_file(&png, (folder / "palette.png").c_str(), 0, indices, 0, colors));
  const Image mapped = read_png(folder / "palette.png");
  EXPECT_EQ(mapped.pixels8, (std::vector<std::uint8_t>{10, 20, 30, 255, 40, 50, 60, 255, 40, 50, 60,
                                                       255, 10, 20, 30, 255}));
}

}  // namespace
}  // namespace kiln
