// SPDX-License-Identifier: MIT
// Nettle's, which has no form for a processor, and a small source.
#include <fmt/format.h>
#include <sha2.h>

#include <array>

#include "engine/base/sha256.h"

namespace kiln {
namespace {

sha256_ctx* own(const std::unique_ptr<void, void (*)(void*)>& context) {
  return static_cast<sha256_ctx*>(context.get());
}

}  // namespace

Sha256::Sha256()
    : context_(new sha256_ctx, [](void* context) { delete static_cast<sha256_ctx*>(context); }) {
  sha256_init(own(context_));
}

void Sha256::add(const void* data, std::size_t size) {
  sha256_update(own(context_), size, static_cast<const std::uint8_t*>(data));
}

std::string Sha256::hex() {
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(own(context_), digest.size(), digest.data());
  std::string digits;
  for (const std::uint8_t byte : digest) digits += fmt::format("{:02x}", byte);
  return digits;
}

}  // namespace kiln
