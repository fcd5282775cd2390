// SPDX-License-Identifier: MIT
#include "engine/device/cuda/code_images.h"

#include <zstd.h>

#include <cstddef>
#include <cstring>
#include <memory>

#include "engine/device/device.h"
#include "kernels/platform.h"

namespace kiln {
namespace {

struct Head {
  u32 arch, is_ptx, base, bytes;
};
constexpr std::size_t alignment = 16;  // of heads

std::string unpacked(const std::string_view packed, const std::string& base) {
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_ERROR) return std::string(packed);  // it is no frame of zstd
  const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(),
                                                                        ZSTD_freeDCtx);
  std::string bytes;
  if (context && size < (1ull << 30)) {
    bytes.resize(std::size_t(size));
    ZSTD_DCtx_refPrefix(context.get(), base.data(), base.size());
    if (ZSTD_decompressDCtx(context.get(), bytes.data(), bytes.size(), packed.data(),
                            packed.size()) == bytes.size())
      return bytes;
  }
  device_error(
      "the code for GPUs in this program is damaged; install it anew or use "
      "--backend cpu");
}

}  // namespace

std::vector<CodeImage> code_images(const char* begin, const char* end) {
  std::vector<CodeImage> images;
  const std::size_t all = std::size_t(end - begin);
  for (std::size_t at = 0; at + sizeof(Head) <= all;) {
    Head head{};
    std::memcpy(&head, begin + at, sizeof head);
    at += sizeof head;
    images.push_back({int(head.arch), head.is_ptx != 0, int(head.base), {begin + at, head.bytes}});
    at = (at + head.bytes + alignment - 1) / alignment * alignment;
  }
  return images;
}

const CodeImage* image_for(const std::vector<CodeImage>& images, int capability) {
  const CodeImage* best = nullptr;
  for (const CodeImage& image : images) {
    const bool runs = image.is_ptx ? !best : image.arch / 10 == capability / 10;
    if (runs && image.arch <= capability) best = &image;
  }
  return best;
}

std::string unpacked_code(const std::vector<CodeImage>& images, const CodeImage& image) {
  std::string base;
  for (const CodeImage& other : images)
    if (image.base != 0 && !other.is_ptx && other.arch == image.base)
      base = unpacked_code(images, other);
  return unpacked(image.packed, base);
}

}  // namespace kiln
