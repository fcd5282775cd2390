// SPDX-License-Identifier: MIT
#include <windows.h>

// which needs what stands above
#include <bcrypt.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>

#include "engine/base/error.h"
#include "engine/base/sha256.h"

namespace kiln {
namespace {

void require(NTSTATUS status) {
  if (status != 0) fail(ErrorKind::device, "SHA-256: Windows' BCrypt failed; is its memory full?");
}

BCRYPT_ALG_HANDLE algorithm() {
  static const BCRYPT_ALG_HANDLE sha256 = [] {
    BCRYPT_ALG_HANDLE opened = nullptr;
    BCryptOpenAlgorithmProvider(&opened, BCRYPT_SHA256_ALGORITHM, nullptr, 0);
    return opened;
  }();
  return sha256;
}

}  // namespace

Sha256::Sha256() : context_(nullptr, [](void* hash) { BCryptDestroyHash(hash); }) {
  BCRYPT_HASH_HANDLE hash = nullptr;
  require(algorithm() ? BCryptCreateHash(algorithm(), &hash, nullptr, 0, nullptr, 0, 0) : -1);
  context_.reset(hash);
}

void Sha256::add(const void* data, std::size_t size) {
  auto* bytes = static_cast<unsigned char*>(const_cast<void*>(data));
  while (size > 0) {
    const std::size_t piece = std::min(size, std::size_t(1) << 30);
    require(BCryptHashData(context_.get(), bytes, ULONG(piece), 0));
    bytes += piece;
    size -= piece;
  }
}

std::string Sha256::hex() {
  std::array<unsigned char, 32> digest{};
  require(BCryptFinishHash(context_.get(), digest.data(), ULONG(digest.size()), 0));
  std::string digits;
  for (const unsigned char byte : digest) digits += fmt::format("{:02x}", byte);
  return digits;
}

}  // namespace kiln
