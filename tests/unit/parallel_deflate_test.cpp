// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include "engine/base/error.h"
#include "engine/io/picture/png_writer.h"

namespace kiln {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// Text-like bytes: words of a small vocabulary, so that matches are long and reach far back.
Bytes words(std::size_t size) {
  Bytes data(size);
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < size;) {
    state = state * 1664525u + 1013904223u;
    const std::uint32_t word = state >> 22;  // of 1024
    for (std::uint32_t k = 0; k < 3 + word % 9 && i < size; ++k)
      data[i++] = std::uint8_t(word * (k + 7) >> 3);
  }
  return data;
}

Bytes deflated(const Bytes& data, const DeflateSettings& settings, int threads) {
  Bytes out;
  parallel_deflate(
      data.size(),
      [&](std::size_t begin, std::size_t end, std::uint8_t* to) {
        if (end > begin) std::memcpy(to, data.data() + begin, end - begin);
      },
      settings, threads,
      [&](const Bytes& piece) { out.insert(out.end(), piece.begin(), piece.end()); });
  return out;
}

Bytes inflated(const Bytes& stream, std::size_t size) {
  Bytes data(size + 1);
  uLongf length = data.size();
  EXPECT_EQ(uncompress(data.data(), &length, stream.data(), stream.size()), Z_OK);
  data.resize(length);
  return data;
}

TEST(parallel_deflate, any_reader_gets_the_data_back) {
  constexpr std::size_t band = 1 << 20;
  for (std::size_t size :
       {std::size_t{0}, std::size_t{1}, band - 1, band, band + 1, 5 * band + 77}) {
    const Bytes data = words(size);
    for (int strategy : {Z_DEFAULT_STRATEGY, Z_RLE}) {
      const Bytes one = deflated(data, {1, strategy}, 1);
      EXPECT_EQ(inflated(one, size), data) << size;
      EXPECT_EQ(deflated(data, {1, strategy}, 3), one) << size;
    }
  }
}

TEST(parallel_deflate, pieces_make_the_stream_of_the_whole) {
  const std::size_t size = (std::size_t(5) << 20) + 777;
  const Bytes data = words(size);
  Bytes out;
  ParallelDeflate pieces(
      size, {}, 2, [&](const Bytes& part) { out.insert(out.end(), part.begin(), part.end()); });
  for (const std::size_t end :
       {std::size_t(0), std::size_t(3), size / 3, size / 3 + 1, size / 3 * 2, size}) {
    const std::size_t begin = pieces.needs_from();
    pieces.run(end, [&](std::size_t from, std::size_t to, std::uint8_t* copy) {
      EXPECT_GE(from, begin);
      EXPECT_LE(to, end);
      std::memcpy(copy, data.data() + from, to - from);
    });
  }
  EXPECT_EQ(out, deflated(data, {}, 1));
}

TEST(parallel_deflate, bands_cost_less_than_a_hundredth_of_the_size) {
  const Bytes data = words(6 << 20);
  for (int level : {1, 6}) {
    uLongf size = compressBound(data.size());
    Bytes whole(size);
    ASSERT_EQ(compress2(whole.data(), &size, data.data(), data.size(), level), Z_OK);
    ASSERT_LT(size, data.size() / 2);  // matches matter here
    EXPECT_LT(double(deflated(data, {level, Z_DEFAULT_STRATEGY}, 2).size()), 1.01 * double(size));
  }
}

TEST(parallel_deflate, goes_on_a_little_way_ahead_of_a_slow_receiver) {
  constexpr int threads = 3, ahead = 4 * threads, bands = 20;
  const Bytes data = words(std::size_t(bands) << 20);
  std::atomic<int> begun = 0;
  int received = 0;
  const auto begun_reaches = [&](int count) {
    for (int tries = 0; begun < count && tries < 10'000; ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return begun == count;
  };
  Bytes out;
  parallel_deflate(
      data.size(),
      [&](std::size_t begin, std::size_t end, std::uint8_t* to) {
        ++begun;
        std::memcpy(to, data.data() + begin, end - begin);
      },
      {}, threads,
      [&](const Bytes& part) {
        EXPECT_TRUE(begun_reaches(std::min(bands, received + ahead))) << begun;
        EXPECT_EQ(begun, std::min(bands, received + ahead));
        ++received;
        out.insert(out.end(), part.begin(), part.end());
      });
  EXPECT_EQ(received, bands);
  EXPECT_EQ(out, deflated(data, {}, 1));
}

TEST(parallel_deflate, errors_of_the_source_and_the_receiver_come_through) {
  const auto source = [](std::size_t, std::size_t, std::uint8_t*) {
    throw Error(ErrorKind::input, "source");
  };
  const auto empty = [](std::size_t begin, std::size_t end, std::uint8_t* to) {
    std::memset(to, 0, end - begin);
  };
  EXPECT_THROW(parallel_deflate(5 << 20, source, {}, 3, [](const Bytes&) {}), Error);
  EXPECT_THROW(parallel_deflate(5 << 20, empty, {}, 3,
                                [](const Bytes&) { throw Error(ErrorKind::output, "receiver"); }),
               Error);
}

}  // namespace
}  // namespace kiln
