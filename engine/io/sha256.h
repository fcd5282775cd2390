// SHA-256 (FIPS 180-4), for the identity of pictures and nothing secret. The fastest form the CPU
// has is picked at run time: the SHA extensions where present, plain C++ elsewhere; both give the
// same digest.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace kiln {

class Sha256 {
 public:
  void add(const void* data, std::size_t size);
  /// The digest as 64 lower-case hex digits. Call once, last.
  std::string hex();

 private:
  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> block_{};  // the bytes that do not fill a block yet
  std::size_t filled_ = 0;
  std::uint64_t size_bytes_ = 0;
};

namespace sha256_detail {
/// Mixes whole 64-byte blocks into the state; exposed so that the test can hold both forms against
/// each other.
void mix_plain(std::uint32_t* state, const std::uint8_t* blocks, std::size_t count);
bool mix_with_extensions(std::uint32_t* state, const std::uint8_t* blocks, std::size_t count);
}  // namespace sha256_detail

}  // namespace kiln
