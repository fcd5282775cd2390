// SPDX-License-Identifier: MIT
// State files: whatever the bytes, a message or a state that is written and read back as it is. The
// checksums of sections are put right first, or hardly any byte would be looked at.
#include <zlib.h>

#include "engine/io/flame/flame_reader.h"
#include "engine/io/state/state_file.h"
#include "tests/fuzz/fuzz.h"

using namespace kiln;

namespace {

constexpr std::uint64_t room = 1 << 22;

/// The bytes with the checksums that their sections should have, as far as they are sections.
std::string with_checksums(std::string bytes) {
  std::size_t at = state_signature.size() + 4;
  while (at + section_head_bytes <= bytes.size()) {
    std::uint64_t length = 0;
    for (std::size_t i = 8; i-- > 0;)
      length = length << 8 | static_cast<unsigned char>(bytes[at + 8 + i]);
    const std::size_t payload = at + section_head_bytes;
    if (length > bytes.size() - payload) break;
    const auto sum = std::uint32_t(
        crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data() + payload), std::size_t(length)));
    for (std::size_t i = 0; i < 4; ++i) bytes[at + 4 + i] = char(sum >> 8 * i);
    at = payload + std::size_t(length);
  }
  return bytes;
}

SavedSums read(const std::string& bytes) {
  std::string_view rest = std::string_view(bytes).substr(state_signature.size());
  const ReadBytes more = [&](char* buffer, std::size_t count) {
    const std::size_t got = rest.copy(buffer, count);
    rest.remove_prefix(got);
    return got;
  };
  return read_state(more, "fuzz.kiln", room);
}

bool equal(const SavedSums& a, const SavedSums& b) {
  return a.shape == b.shape && a.genome == b.genome && a.record == b.record && a.done == b.done &&
         a.bad_values == b.bad_values && a.next_look == b.next_look &&
         a.histograms == b.histograms && a.pools == b.pools;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const std::string bytes =
      with_checksums(std::string(state_signature) + std::string(input.rest()));
  fuzz::answered([&] {
    const SavedSums state = read(bytes);
    fuzz::expect(equal(read(state_bytes(state)), state), "a state reads back as it was written");
    SavedSums all = state;
    fuzz::answered([&] { add_sums(state, "again", all); });
  });
  ReaderOptions options;
  options.palettes_file = "/nowhere";
  options.warn = [](const std::string&) {};
  fuzz::answered([&] { parse_flames(bytes, "fuzz.kiln", options); });
  return 0;
}
