// SPDX-License-Identifier: MIT
// PNG files with right lengths and checksums around whatever bytes there are: a fuzzer would never
// find a checksum.
#pragma once

#include <zlib.h>

#include <string>
#include <string_view>

#include "tests/fuzz/fuzz.h"

namespace kiln::fuzz {

inline void add_number(std::string& bytes, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift);
}

inline void add_chunk(std::string& png, std::string_view type, std::string_view payload) {
  add_number(png, static_cast<std::uint32_t>(payload.size()));
  std::string body(type);
  body += payload;
  png += body;
  add_number(png, static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(body.data()),
                                                   static_cast<uInt>(body.size()))));
}

inline std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string packed(size, 0);
  compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
            reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), 1);
  packed.resize(size);
  return packed;
}

inline constexpr std::string_view png_begin{"\x89PNG\r\n\x1a\n", 8};

}  // namespace kiln::fuzz
