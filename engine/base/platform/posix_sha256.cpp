// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <array>
#include <new>

#include "engine/base/error.h"
#include "engine/base/sha256.h"

namespace kiln {
namespace {

/// The algorithm, fetched once; the machine's OpenSSL configuration is not looked at, so that no
/// policy of a system can take the identity of pictures away.
const EVP_MD* algorithm() {
  static const EVP_MD* const sha256 = [] {
    OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
    return EVP_MD_fetch(nullptr, "SHA256", nullptr);
  }();
  return sha256;
}

void require(bool done) {
  if (!done) fail(ErrorKind::device, "SHA-256: OpenSSL's libcrypto failed; is its memory full?");
}

EVP_MD_CTX* of(const std::unique_ptr<void, void (*)(void*)>& context) {
  return static_cast<EVP_MD_CTX*>(context.get());
}

}  // namespace

Sha256::Sha256()
    : context_(EVP_MD_CTX_new(),
               [](void* context) { EVP_MD_CTX_free(static_cast<EVP_MD_CTX*>(context)); }) {
  if (!context_) throw std::bad_alloc();
  require(algorithm() && EVP_DigestInit_ex2(of(context_), algorithm(), nullptr) == 1);
}

void Sha256::add(const void* data, std::size_t size) {
  require(EVP_DigestUpdate(of(context_), data, size) == 1);
}

std::string Sha256::hex() {
  std::array<unsigned char, 32> digest{};
  require(EVP_DigestFinal_ex(of(context_), digest.data(), nullptr) == 1);
  std::string digits;
  for (const unsigned char byte : digest) digits += fmt::format("{:02x}", byte);
  return digits;
}

}  // namespace kiln
