// SPDX-License-Identifier: MIT
// SHA-256 for programs that are carried (KILN_STATIC): OpenSSL's own functions for this one digest,
// the same code without the choice among all others, which would bring 4.5 MB of libcrypto along.
// OpenSSL calls them deprecated; what is linked in does not go away.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <fmt/format.h>
#include <openssl/sha.h>

#include <array>

#include "engine/base/sha256.h"

namespace kiln {
namespace {

SHA256_CTX* of(const std::unique_ptr<void, void (*)(void*)>& context) {
  return static_cast<SHA256_CTX*>(context.get());
}

}  // namespace

Sha256::Sha256()
    : context_(new SHA256_CTX, [](void* context) { delete static_cast<SHA256_CTX*>(context); }) {
  SHA256_Init(of(context_));
}

void Sha256::add(const void* data, std::size_t size) { SHA256_Update(of(context_), data, size); }

std::string Sha256::hex() {
  std::array<unsigned char, 32> digest{};
  SHA256_Final(digest.data(), of(context_));
  std::string digits;
  for (const unsigned char byte : digest) digits += fmt::format("{:02x}", byte);
  return digits;
}

}  // namespace kiln
