// SPDX-License-Identifier: MIT
// Compiled kernels on disk, so that a flame's structure is compiled once per machine. One file a
// kernel, named by a SHA-256 over everything that decides its content. What is read back runs on
// the GPU, so it is believed only from a folder that nobody else can write, and only if its own
// hash is right: what is truncated, foreign or damaged counts as absent and is written anew. A file
// appears under its name whole or not at all, so processes share the folder without locks. Nothing
// here ever fails a render: what cannot be read or written is not there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// A kernel as the cache keeps it.
struct CachedKernels {
  std::vector<char> cubin;
  std::string log;  // the compiler's warnings
};

class KernelCache {
 public:
  static constexpr std::uint64_t default_max_bytes = std::uint64_t{256} << 20;

  /// An empty folder name disables the cache. The folder is made when first written to.
  explicit KernelCache(std::string folder, std::uint64_t max_bytes = default_max_bytes);

  /// `key`: 64 hexadecimal digits.
  std::optional<CachedKernels> load(const std::string& key) const;
  /// Stores them, and removes what was unused for longest while all files exceed the cache's size.
  void store(const std::string& key, const CachedKernels& kernels) const;

  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
  std::uint64_t max_bytes_;
};

/// $KILN_CACHE_DIR/`name`, $XDG_CACHE_HOME/kiln/`name` or ~/.cache/kiln/`name`; empty if
/// KILN_CACHE_DIR is "off", or nothing says where (a relative $XDG_CACHE_HOME does not count).
std::string default_cache_folder(const std::string& name);

}  // namespace kiln
