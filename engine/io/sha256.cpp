#include "engine/io/sha256.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace kiln {
namespace {

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS
// 180-4, 4.2.2).
alignas(16) constexpr std::uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t big_endian(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 |
         std::uint32_t{bytes[2]} << 8 | bytes[3];
}

#if defined(__x86_64__)
bool has_sha_extensions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & (1u << 29))) return false;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_1) && (c & bit_SSSE3);
}

// The instructions keep the state as (a b e f) and (c d g h), highest word first, and make four
// rounds at a time.
__attribute__((target("sha,sse4.1,ssse3"))) void mix_sha(std::uint32_t* state,
                                                         const std::uint8_t* blocks,
                                                         std::size_t count) {
  const __m128i swap_bytes = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  const auto load = [](const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); };
  const auto store = [](void* p, __m128i v) { _mm_storeu_si128(static_cast<__m128i*>(p), v); };
  const __m128i badc = _mm_shuffle_epi32(load(state), 0xb1);
  const __m128i efgh = _mm_shuffle_epi32(load(state + 4), 0x1b);
  __m128i abef = _mm_alignr_epi8(badc, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, badc, 0xf0);
  for (; count > 0; --count, blocks += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i words[4];  // the last 16 words of the message schedule, four a register
    for (int i = 0; i < 4; ++i) words[i] = _mm_shuffle_epi8(load(blocks + 16 * i), swap_bytes);
#pragma GCC unroll 16
    for (int group = 0; group < 16; ++group) {
      const __m128i w = words[group & 3];
      __m128i sum = _mm_add_epi32(w, load(round_constants + 4 * group));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      sum = _mm_shuffle_epi32(sum, 0x0e);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, sum);
      const __m128i last = words[(group + 3) & 3];
      __m128i next = _mm_sha256msg1_epu32(w, words[(group + 1) & 3]);
      next = _mm_add_epi32(next, _mm_alignr_epi8(last, words[(group + 2) & 3], 4));
      words[group & 3] = _mm_sha256msg2_epu32(next, last);
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  store(state, _mm_blend_epi16(feba, dchg, 0xf0));
  store(state + 4, _mm_alignr_epi8(dchg, feba, 8));
}
#endif

void mix(std::uint32_t* state, const std::uint8_t* blocks, std::size_t count) {
  if (!sha256_detail::mix_with_extensions(state, blocks, count)) {
    sha256_detail::mix_plain(state, blocks, count);
  }
}

}  // namespace

namespace sha256_detail {

void mix_plain(std::uint32_t* state, const std::uint8_t* blocks, std::size_t count) {
  for (; count > 0; --count, blocks += 64) {
    std::uint32_t w[64];
    for (int i = 0; i < 16; ++i) w[i] = big_endian(blocks + 4 * i);
    for (int i = 16; i < 64; ++i) {
      const std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
      const std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    std::uint32_t v[8];  // a b c d e f g h
    std::copy(state, state + 8, v);
    for (int i = 0; i < 64; ++i) {
      const std::uint32_t s1 = std::rotr(v[4], 6) ^ std::rotr(v[4], 11) ^ std::rotr(v[4], 25);
      const std::uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
      const std::uint32_t t1 = v[7] + s1 + choice + round_constants[i] + w[i];
      const std::uint32_t s0 = std::rotr(v[0], 2) ^ std::rotr(v[0], 13) ^ std::rotr(v[0], 22);
      const std::uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
      std::copy_backward(v, v + 7, v + 8);
      v[4] += t1;
      v[0] = t1 + s0 + majority;
    }
    for (int i = 0; i < 8; ++i) state[i] += v[i];
  }
}

bool mix_with_extensions(std::uint32_t* state, const std::uint8_t* blocks, std::size_t count) {
#if defined(__x86_64__)
  static const bool usable = has_sha_extensions();
  if (usable) mix_sha(state, blocks, count);
  return usable;
#else
  (void)state, (void)blocks, (void)count;
  return false;
#endif
}

}  // namespace sha256_detail

void Sha256::add(const void* data, std::size_t size) {
  const auto* bytes = static_cast<const std::uint8_t*>(data);
  size_bytes_ += size;
  if (filled_ > 0) {
    const std::size_t part = std::min(size, block_.size() - filled_);
    std::copy(bytes, bytes + part, block_.begin() + static_cast<std::ptrdiff_t>(filled_));
    filled_ += part;
    bytes += part;
    size -= part;
    if (filled_ < block_.size()) return;
    mix(state_.data(), block_.data(), 1);
    filled_ = 0;
  }
  mix(state_.data(), bytes, size / 64);
  bytes += size / 64 * 64;
  filled_ = size % 64;
  std::copy(bytes, bytes + filled_, block_.begin());
}

std::string Sha256::hex() {
  const std::uint64_t size_bits = size_bytes_ * 8;
  std::array<std::uint8_t, 72> tail{0x80};
  const std::size_t zeros = (filled_ < 56 ? 55 : 119) - filled_;
  for (int i = 0; i < 8; ++i) {
    tail[1 + zeros + static_cast<std::size_t>(i)] =
        static_cast<std::uint8_t>(size_bits >> (56 - 8 * i));
  }
  add(tail.data(), 1 + zeros + 8);
  std::string digits;
  for (std::uint32_t word : state_) digits += fmt::format("{:08x}", word);
  return digits;
}

}  // namespace kiln
