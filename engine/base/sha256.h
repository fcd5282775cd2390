// SPDX-License-Identifier: MIT
// SHA-256 (FIPS 180-4), for the identity of pictures and nothing secret: the system's, which
// has a form for every CPU (OpenSSL's libcrypto; on Windows its own), in WebAssembly Nettle's.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace kiln {

class Sha256 {
 public:
  Sha256();
  void add(const void* data, std::size_t size);
  /// The digest as 64 lower-case hex digits. Call once, last.
  std::string hex();

 private:
  std::unique_ptr<void, void (*)(void*)> context_;  // the library's own
};

}  // namespace kiln
