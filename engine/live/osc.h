// SPDX-License-Identifier: MIT
// Packets of OSC 1.0 (Open Sound Control), as controllers and music programs send them by UDP: messages with an address
// and numbers, and bundles of these. They come from anybody: nothing in them is believed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

struct OscMessage {
  std::string address;          // "/kiln/zoom"
  std::vector<double> numbers;  // of types i, h, f, d, T and F
  bool operator==(const OscMessage&) const = default;
};

inline constexpr std::size_t most_osc_bytes = 8192;  // of a packet
inline constexpr int most_osc_depth = 4;             // of bundles in bundles
inline constexpr std::size_t most_osc_numbers = 64;  // of a message

/// The messages of a packet in their order; those of bundles count at once, whenever they say. Throws Error (input) for
/// what is no packet, or has patterns, texts or blobs: nothing of it counts then.
std::vector<OscMessage> read_osc(std::string_view packet);

/// Packets that say these, numbers as floats.
std::vector<std::string> osc_packets(const std::vector<OscMessage>& messages);

}  // namespace kiln
