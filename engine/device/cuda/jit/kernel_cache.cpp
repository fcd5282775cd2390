// SPDX-License-Identifier: MIT
#include "engine/device/cuda/jit/kernel_cache.h"

#include <algorithm>
#include <cstring>

#include "engine/base/platform/user_files.h"
#include "engine/base/sha256.h"

namespace kiln {
namespace {

constexpr std::string_view ending = ".kernels";
constexpr std::uint64_t largest_file_bytes = std::uint64_t{64} << 20;  // no kernel comes near

/// The first bytes of a file; its payload, the cubin and then the log, follows.
struct FileHead {
  char magic[8];
  char key[64];   // the file's own name, so that a renamed file is noticed
  char hash[64];  // SHA-256 of the payload
  std::uint64_t cubin_bytes, log_bytes;
};
constexpr char magic[8] = {'K', 'I', 'L', 'N', 'C', 'U', '0', '1'};

std::string hash_of(const char* data, std::size_t bytes) {
  Sha256 hash;
  hash.add(data, bytes);
  return hash.hex();
}

}  // namespace

KernelCache::KernelCache(std::string folder, std::uint64_t max_bytes)
    : folder_(std::move(folder)), max_bytes_(max_bytes) {}

std::optional<CachedKernels> KernelCache::load(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  const std::string file =
      PrivateFolder(folder_).read(key + std::string(ending), largest_file_bytes);
  FileHead head;
  if (file.size() < sizeof head) return std::nullopt;
  std::memcpy(&head, file.data(), sizeof head);
  const std::uint64_t payload_bytes = file.size() - sizeof head;
  if (std::memcmp(head.magic, magic, sizeof magic) != 0 ||
      std::string_view(head.key, sizeof head.key) != key || head.cubin_bytes > payload_bytes ||
      head.log_bytes != payload_bytes - head.cubin_bytes) {
    return std::nullopt;
  }
  const char* const payload = file.data() + sizeof head;
  if (std::string_view(head.hash, sizeof head.hash) != hash_of(payload, payload_bytes))
    return std::nullopt;
  const char* const log = payload + head.cubin_bytes;
  return CachedKernels{{payload, log}, {log, std::size_t(head.log_bytes)}};
}

void KernelCache::store(const std::string& key, const CachedKernels& kernels) const {
  FileHead head;
  if (folder_.empty() || key.size() != sizeof head.key) return;
  std::string file(sizeof head, '\0');
  file.append(kernels.cubin.data(), kernels.cubin.size()).append(kernels.log);
  if (file.size() > std::min(largest_file_bytes, max_bytes_)) return;
  const std::string hash = hash_of(file.data() + sizeof head, file.size() - sizeof head);
  std::memcpy(head.magic, magic, sizeof magic);
  std::memcpy(head.key, key.data(), sizeof head.key);
  std::memcpy(head.hash, hash.data(), sizeof head.hash);
  head.cubin_bytes = kernels.cubin.size();
  head.log_bytes = kernels.log.size();
  file.replace(0, sizeof head, reinterpret_cast<const char*>(&head), sizeof head);
  // Not flushed to the disk: after a power cut the hash tells a damaged file.
  const PrivateFolder folder(folder_);
  folder.write(key + std::string(ending), file);
  folder.remove_oldest(std::string(ending), max_bytes_);
}

std::string default_cache_folder(const std::string& name) {
  const std::string chosen = trusted_variable("KILN_CACHE_DIR");
  if (chosen == "off") return {};
  if (!chosen.empty()) return chosen + "/" + name;
  const std::string folder = user_folder(UserFolder::cache);
  return folder.empty() ? folder : folder + "/kiln/" + name;
}

}  // namespace kiln
