// SPDX-License-Identifier: MIT
// State files: what is written is read back, and whatever is damaged is named.
#include "engine/io/state/state_file.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <random>

#include "engine/base/error.h"
#include "tests/cli/scratch.h"

namespace kiln {
namespace {

using namespace test;

constexpr std::uint64_t room = 1u << 24;

/// Three and a bit tiles wide, two high; every kind of number in it.
SavedSums some_state(std::uint32_t halves, std::uint32_t chains) {
  SavedSums state;
  SumsShape& shape = state.shape;
  shape = {200, 70, 5, 2, 9, 3, halves, chains, chains ? 24u : 0u, 2097152, {}};
  for (int i = 0; i < 64; ++i) shape.digest += "0123456789abcdef"[i * 7 % 16];
  state.genome = "<flame/>\n";
  state.record = "{\"seed\":5}";
  state.bad_values = 0x0123456789abcdefull;
  state.next_look = 96;
  state.done.add({0, 3});
  if (!chains) state.done.add({5, std::uint64_t(1) << 32});
  std::mt19937_64 random(1);
  state.histograms.resize(shape.histograms());
  for (std::vector<std::uint64_t>& sums : state.histograms) {
    for (std::size_t i = 0; i < shape.values(); ++i)
      sums.push_back(i % 3 == 0 ? 0 : random() >> random() % 64);
  }
  for (std::uint32_t chain = 0; chain < std::min(chains, 3u); ++chain)
    state.pools[chain].assign(shape.pool_bytes, char('a' + chain));
  return state;
}

/// What reads `bytes`.
ReadBytes reading(const std::string& bytes) {
  return [rest = std::string_view(bytes)](char* buffer, std::size_t count) mutable {
    const std::size_t got = rest.copy(buffer, count);
    rest.remove_prefix(got);
    return got;
  };
}

SavedSums read(const std::string& bytes, std::uint64_t most_bytes = room) {
  const std::string rest = bytes.substr(state_signature.size());
  return read_state(reading(rest), "x.kiln", most_bytes);
}

/// The message that refuses the bytes; empty: they are read.
std::string refusal(const std::string& bytes, std::uint64_t most_bytes = room) {
  try {
    read(bytes, most_bytes);
    return "";
  } catch (const Error& error) {
    EXPECT_TRUE(error.kind == ErrorKind::input || error.kind == ErrorKind::device);
    return error.what();
  }
}

void expect_equal(const SavedSums& a, const SavedSums& b) {
  EXPECT_EQ(a.shape, b.shape);
  EXPECT_EQ(a.genome, b.genome);
  EXPECT_EQ(a.record, b.record);
  EXPECT_EQ(a.done, b.done);
  EXPECT_EQ(a.bad_values, b.bad_values);
  EXPECT_EQ(a.next_look, b.next_look);
  EXPECT_EQ(a.histograms, b.histograms);
  EXPECT_EQ(a.pools, b.pools);
}

/// The place of the payload of the n-th section, from 0.
std::size_t payload_of(const std::string& bytes, int section) {
  std::size_t at = state_signature.size() + 4;
  for (; section > 0; --section) {
    std::uint64_t length = 0;
    for (int i = 7; i >= 0; --i)
      length = length << 8 | static_cast<unsigned char>(bytes[at + 8 + std::size_t(i)]);
    at += section_head_bytes + length;
  }
  return at + section_head_bytes;
}

/// Puts the checksum of a section right again, so that what it says is looked at.
void sign(std::string& bytes, int section) {
  const std::size_t at = payload_of(bytes, section);
  std::size_t length = 0;
  for (int i = 7; i >= 0; --i)
    length = length << 8 | static_cast<unsigned char>(bytes[at - 8 + std::size_t(i)]);
  const auto sum =
      std::uint32_t(crc32(0, reinterpret_cast<const Bytef*>(bytes.data() + at), uInt(length)));
  for (std::size_t i = 0; i < 4; ++i) bytes[at - 12 + i] = char(sum >> 8 * i);
}

TEST(state_file, reads_back_what_was_written) {
  const ScratchFolder folder;
  for (const std::uint32_t halves : {0u, 1u}) {
    for (const std::uint32_t chains : {0u, 256u}) {
      const SavedSums state = some_state(halves, chains);
      expect_equal(read(state_bytes(state)), state);
      write_state(folder / "x.kiln", state);
      EXPECT_EQ(read_file(folder / "x.kiln"), state_bytes(state));
      EXPECT_TRUE(is_state_file(folder / "x.kiln"));
      expect_equal(read_state(folder / "x.kiln", room), state);
    }
  }
  SavedSums nothing = some_state(0, 0);
  nothing.done = {};
  std::fill(nothing.histograms[0].begin(), nothing.histograms[0].end(), 0);
  EXPECT_LT(state_bytes(nothing).size(), 700u) << "empty tiles cost next to nothing";
  expect_equal(read(state_bytes(nothing)), nothing);
}

TEST(state_file, texts_are_found_without_the_rest) {
  std::string bytes = state_bytes(some_state(0, 0));
  bytes.resize(payload_of(bytes, 3));
  bytes.erase(0, state_signature.size());
  const PictureTexts texts = read_state_texts(reading(bytes), "x.kiln");
  EXPECT_EQ(texts.find("flam3_genome")->second, "<flame/>\n");
  EXPECT_EQ(texts.find("kiln_record")->second, "{\"seed\":5}");
}

TEST(state_file, no_byte_may_be_another) {
  const std::string whole = state_bytes(some_state(0, 256));
  for (std::size_t at = state_signature.size(); at < whole.size();
       at += at < 3000 ? 1 : 97) {  // the sums are long and alike
    std::string bytes = whole;
    bytes[at] = char(bytes[at] ^ 0x10);
    const std::string message = refusal(bytes);
    EXPECT_NE(message.find("x.kiln: byte "), message.npos) << "byte " << at << ": " << message;
  }
}

TEST(state_file, cut_off_anywhere_it_says_so) {
  const std::string whole = state_bytes(some_state(0, 0));
  for (std::size_t size = state_signature.size(); size < whole.size(); size += 1 + size / 50) {
    const std::string message = refusal(whole.substr(0, size));
    EXPECT_NE(message.find("cut off after " + std::to_string(size) + " bytes"), message.npos)
        << message;
  }
  EXPECT_NE(refusal(whole + "x").find("bytes follow its end"), std::string::npos);
}

TEST(state_file, another_version_is_named) {
  std::string bytes = state_bytes(some_state(0, 0));
  bytes[state_signature.size()] = 2;
  EXPECT_NE(refusal(bytes).find("version 2"), std::string::npos);
}

TEST(state_file, numbers_that_make_no_sense_are_refused) {
  const std::string whole = state_bytes(some_state(0, 256));
  // bytes of the head's 32-bit numbers, in the order of SumsShape
  struct Wrong {
    std::size_t number;
    char byte;
  };
  for (const Wrong& wrong :
       {Wrong{0, 0}, {1, 0}, {2, 6}, {3, 17}, {4, 99}, {5, 25}, {6, 2}, {8, 0}}) {
    std::string bytes = whole;
    bytes[payload_of(bytes, 0) + wrong.number * 4] = wrong.byte;
    sign(bytes, 0);
    EXPECT_NE(refusal(bytes).find("byte 12: "), std::string::npos)
        << wrong.number << ": " << refusal(bytes);
  }
}

TEST(state_file, large_promises_take_no_memory) {
  std::string bytes = state_bytes(some_state(0, 0));
  const std::size_t width = payload_of(bytes, 0);
  bytes[width + 3] = 3;  // 50 million buckets wide
  sign(bytes, 0);
  EXPECT_NE(refusal(bytes).find("--max-memory"), std::string::npos) << refusal(bytes);
  bytes = state_bytes(some_state(0, 0));
  bytes[payload_of(bytes, 1) - 1] = 1;  // a genome of 2^56 bytes
  EXPECT_NE(refusal(bytes).find("at most"), std::string::npos) << refusal(bytes);
  EXPECT_EQ(refusal(state_bytes(some_state(0, 0)), some_state(0, 0).shape.bytes()), "");
  EXPECT_NE(refusal(state_bytes(some_state(0, 0)), some_state(0, 0).shape.bytes() - 1), "");
}

TEST(state_file, units_have_an_order_and_what_they_go_on_from) {
  SavedSums state = some_state(0, 0);
  std::string bytes = state_bytes(state);
  const std::size_t ranges = payload_of(bytes, 3);
  bytes[ranges + 8] = 6;  // 0-5, then 5 again
  sign(bytes, 3);
  EXPECT_NE(refusal(bytes).find("out of order"), std::string::npos);
  bytes = state_bytes(state);
  bytes[ranges + 16] = 3;  // 0-2, then 3 and more: one range
  sign(bytes, 3);
  EXPECT_NE(refusal(bytes).find("out of order"), std::string::npos) << refusal(bytes);
  state = some_state(0, 256);
  state.done.add({259, 260});  // goes on from unit 3, which is not there
  EXPECT_NE(refusal(state_bytes(state)).find("go on from"), std::string::npos);
  state = some_state(0, 256);
  state.done.add({256, 259});
  EXPECT_EQ(refusal(state_bytes(state)), "");
}

TEST(state_file, tiles_have_their_size) {
  std::string bytes = state_bytes(some_state(0, 0));
  const std::size_t tile = payload_of(bytes, 4);
  bytes[tile + 1] = char(bytes[tile + 1] - 1);  // a tile that ends 256 bytes too early
  sign(bytes, 4);
  EXPECT_NE(refusal(bytes).find("cannot be unpacked"), std::string::npos) << refusal(bytes);
  bytes = state_bytes(some_state(0, 0));
  bytes.insert(payload_of(bytes, 5) - section_head_bytes, "x");  // behind the last tile of a row
  ++bytes[tile - 8];
  sign(bytes, 4);
  EXPECT_NE(refusal(bytes).find("bytes follow its last tile"), std::string::npos) << refusal(bytes);
}

TEST(state_file, sums_of_other_pictures_are_not_added) {
  const auto refused = [](const SavedSums& part, SavedSums all) -> std::string {
    try {
      add_sums(part, "b.kiln", all);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  SavedSums a = some_state(0, 0), b = some_state(0, 0);
  b.done = UnitSet({3, 5});
  SavedSums sum = a;
  add_sums(b, "b.kiln", sum);
  EXPECT_EQ(sum.done, UnitSet({0, std::uint64_t(1) << 32}));
  EXPECT_EQ(sum.histograms[0][4], 2 * a.histograms[0][4]);
  EXPECT_EQ(sum.bad_values, 2 * a.bad_values);
  EXPECT_NE(refused(a, a).find("units 0-2 are in a state before it"), std::string::npos);
  b.shape.digest[5] = 'x';
  EXPECT_NE(refused(b, a).find("another flame"), std::string::npos);
  b = some_state(1, 0);
  EXPECT_NE(refused(b, a).find("halves"), std::string::npos);
  b = a;
  b.genome += " ";
  EXPECT_NE(refused(b, a).find("look or quality"), std::string::npos);
  b = a;
  b.record += " ";
  EXPECT_NE(refused(b, a).find("other settings"), std::string::npos);
}

/// A state with halves has two histograms, and both need their memory.
TEST(state_file, memory_is_counted_for_every_histogram) {
  for (const std::uint32_t halves : {0u, 1u}) {
    const SavedSums state = some_state(halves, 0);
    const std::uint64_t bytes = state.shape.bytes();
    EXPECT_EQ(bytes, 200u * 70 * 5 * 8 * (halves + 1));
    EXPECT_EQ(refusal(state_bytes(state), bytes), "") << halves;
    EXPECT_NE(refusal(state_bytes(state), bytes - 1).find("of memory and there are"),
              std::string::npos)
        << halves;
  }
}

}  // namespace
}  // namespace kiln
