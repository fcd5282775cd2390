// SPDX-License-Identifier: MIT
// The device code that lies in the program, read without a GPU: every kernel that the host may ask
// for is in it, for every GPU, with the arguments and the threads that the host launches it with.
#include "engine/device/cuda/device_code.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/device/cuda/kernel.h"

namespace kiln::test {
namespace {

template <class T>
T read_at(const std::string& bytes, std::size_t at) {
  T value{};
  if (at + sizeof value > bytes.size()) {
    ADD_FAILURE() << "beyond the end, at " << at;
    return value;
  }
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// What a fatbin has for a GPU: machine code (ELF) or PTX.
struct Image {
  bool is_ptx;
  int arch;
  std::string bytes;
};

/// The images of a fatbin: a head of 16 bytes, then for each one a head (kind, its own size, the
/// image's, the GPU's number) and bytes, which are packed by zstd here.
std::vector<Image> images_of(const DeviceCode& code) {
  const std::string all(code.begin(), code.end());
  EXPECT_EQ(read_at<std::uint32_t>(all, 0), 0xBA55ED50u) << code.name();
  std::vector<Image> images;
  std::size_t at = 16;
  const std::size_t end = 16 + read_at<std::uint64_t>(all, 8);
  while (at < end) {
    const auto head = read_at<std::uint32_t>(all, at + 4);
    const auto bytes = read_at<std::uint64_t>(all, at + 8);
    Image image{
        read_at<std::uint16_t>(all, at) == 1, int(read_at<std::uint32_t>(all, at + 28)), {}};
    std::string packed = all.substr(at + head, bytes);
    if (packed.starts_with("\x28\xb5\x2f\xfd")) {
      const auto size = ZSTD_getFrameContentSize(packed.data(), packed.size());
      image.bytes.resize(size);
      const std::size_t frame = ZSTD_findFrameCompressedSize(packed.data(), packed.size());
      EXPECT_EQ(ZSTD_decompress(image.bytes.data(), size, packed.data(), frame), size);
    } else {
      image.bytes = packed;
    }
    images.push_back(std::move(image));
    at += head + bytes;
  }
  return images;
}

struct CompiledKernel {
  std::size_t argument_bytes = 0, threads = 0;  // that a block may have
};

/// The kernels of machine code by name: sections .text.NAME, and .nv.info.NAME that describes them.
std::map<std::string, CompiledKernel> kernels_of(const std::string& elf) {
  std::map<std::string, CompiledKernel> kernels;
  const auto table = read_at<std::uint64_t>(elf, 40);
  const auto entry = read_at<std::uint16_t>(elf, 58), count = read_at<std::uint16_t>(elf, 60);
  const auto names =
      read_at<std::uint64_t>(elf, table + entry * read_at<std::uint16_t>(elf, 62) + 24);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t section = table + i * entry;
    const std::string name = elf.c_str() + names + read_at<std::uint32_t>(elf, section);
    if (!name.starts_with(".nv.info.")) continue;
    CompiledKernel& kernel = kernels[name.substr(9)];
    std::size_t at = read_at<std::uint64_t>(elf, section + 24);
    const std::size_t end = at + read_at<std::uint64_t>(elf, section + 32);
    while (at + 4 <= end) {
      const auto format = read_at<std::uint8_t>(elf, at), kind = read_at<std::uint8_t>(elf, at + 1);
      const auto value = read_at<std::uint16_t>(elf, at + 2);
      if (kind == 0x19) kernel.argument_bytes = value;
      if (kind == 0x05) kernel.threads = read_at<std::uint32_t>(elf, at + 4);
      at += 4 + (format == 4 ? value : 0);
    }
  }
  return kernels;
}

TEST(DeviceCode, HasEveryKernelThatTheHostAsksFor) {
  if (!has_device_code()) GTEST_SKIP() << "skipped: built without nvcc";
  std::map<const DeviceCode*, std::vector<const AnyKernel*>> wanted;
  std::set<std::string> names;
  for (const AnyKernel* kernel : AnyKernel::all()) {
    wanted[&kernel->code()].push_back(kernel);
    EXPECT_TRUE(names.insert(kernel->name()).second) << kernel->name() << " twice";
  }
  EXPECT_GT(names.size(), 120u);
  for (const auto& [code, kernels] : wanted) {
    SCOPED_TRACE(code->name());
    std::set<int> archs;
    bool has_ptx = false;
    for (const Image& image : images_of(*code)) {
      if (image.is_ptx) {
        has_ptx = true;
        EXPECT_EQ(image.arch, device_code_archs().back());
        for (const AnyKernel* kernel : kernels)
          EXPECT_NE(image.bytes.find(".entry " + std::string(kernel->name())), std::string::npos)
              << kernel->name();
        continue;
      }
      archs.insert(image.arch);
      const std::map<std::string, CompiledKernel> compiled = kernels_of(image.bytes);
      for (const AnyKernel* kernel : kernels) {
        const auto found = compiled.find(kernel->name());
        if (found == compiled.end()) {
          ADD_FAILURE() << kernel->name() << " is not in the code for " << image.arch;
          continue;
        }
        EXPECT_EQ(found->second.argument_bytes, kernel->argument_bytes()) << kernel->name();
        if (found->second.threads > 0) {
          EXPECT_EQ(found->second.threads, kernel->threads()) << kernel->name();
        }
      }
      EXPECT_EQ(compiled.size(), kernels.size()) << "kernels that nobody launches";
    }
    EXPECT_EQ(std::vector<int>(archs.begin(), archs.end()), device_code_archs());
    EXPECT_TRUE(has_ptx);
  }
}

}  // namespace
}  // namespace kiln::test
