// SPDX-License-Identifier: MIT
#include "engine/base/sha256.h"

#include <gtest/gtest.h>

#include <vector>

#include "engine/model/image.h"
#include "tests/cli/pictures.h"

namespace kiln {
namespace {

std::string sha256(const std::string& text) {
  Sha256 sha;
  sha.add(text.data(), text.size());
  return sha.hex();
}

TEST(sha256, published_vectors) {  // FIPS 180-4 examples
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(sha256, pieces_do_not_matter) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>(i * 7);
  const std::string whole = sha256(text);
  for (std::size_t piece : {1u, 3u, 55u, 56u, 63u, 64u, 65u, 128u, 299u}) {
    Sha256 sha;
    for (std::size_t i = 0; i < text.size(); i += piece)
      sha.add(text.data() + i, std::min(piece, text.size() - i));
    EXPECT_EQ(sha.hex(), whole) << piece;
  }
}

TEST(pixel_hash, covers_size_depth_and_every_sample) {
  // The definition, by hand: 1 x 2 pixels of 8 bits.
  Image image{1, 2, Bytes{1, 2, 3, 4, 5, 6, 7, 8}};
  EXPECT_EQ(pixel_hash(image),
            sha256(std::string("\0\0\0\1\0\0\0\2\0\0\0\x08\1\2\3\4\5\6\7\x08", 20)));
  Image deep{1, 1, Words{0x0102, 0xfffe, 0, 7}};
  EXPECT_EQ(pixel_hash(deep),
            sha256(std::string("\0\0\0\1\0\0\0\1\0\0\0\x10\1\2\xff\xfe\0\0\0\7", 20)));
  Image turned = image;
  std::swap(turned.width, turned.height);
  EXPECT_NE(pixel_hash(turned), pixel_hash(image));
  for (std::size_t i = 0; i < 8; ++i) {
    Image changed = image;
    changed.pixels8()[i] ^= 1;
    EXPECT_NE(pixel_hash(changed), pixel_hash(image)) << i;
  }
}

TEST(pixel_hash,
     long_pictures_of_16_bits) {  // longer than the buffer in which samples are turned big-endian
  const Image image = test::pattern_picture(150, 131, 16);
  std::string bytes("\0\0\0\x96\0\0\0\x83\0\0\0\x10", 12);
  for (std::uint16_t sample : image.pixels16()) {
    bytes += static_cast<char>(sample >> 8);
    bytes += static_cast<char>(sample);
  }
  EXPECT_EQ(pixel_hash(image), sha256(bytes));
}

}  // namespace
}  // namespace kiln
