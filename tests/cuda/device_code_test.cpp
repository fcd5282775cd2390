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

#include "engine/base/error.h"
#include "engine/device/cuda/code_images.h"
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

/// As device_code.cmake lays it into a program.
void append(std::string& code, int arch, bool is_ptx, int base, const std::string& packed) {
  code.resize((code.size() + 15) / 16 * 16);
  for (const std::size_t word :
       {std::size_t(arch), std::size_t(is_ptx), std::size_t(base), packed.size()}) {
    const auto written = std::uint32_t(word);
    code.append(reinterpret_cast<const char*>(&written), sizeof written);
  }
  code += packed;
}
std::string packed_by(const std::string& base, const std::string& bytes) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_refPrefix(context, base.data(), base.size());
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  packed.resize(ZSTD_compress2(context, packed.data(), packed.size(), bytes.data(), bytes.size()));
  ZSTD_freeCCtx(context);
  return packed;
}

TEST(DeviceCode, IsThatOfTheNearestGpuBelow) {
  std::string code;
  for (const int arch : {75, 86, 89, 100}) append(code, arch, false, 0, std::to_string(arch));
  append(code, 100, true, 0, "ptx");
  const DeviceCode all("all", code.data(), code.data() + code.size());
  EXPECT_EQ(all.image(75), "75");
  EXPECT_EQ(all.image(86), "86");
  EXPECT_EQ(all.image(87), "86");
  EXPECT_EQ(all.image(89), "89");
  EXPECT_EQ(all.image(103), "100");
  EXPECT_EQ(all.image(120), "ptx");  // the driver compiles it
  for (const int none : {61, 72, 80, 90}) EXPECT_EQ(all.image(none), "") << none;
  const char nothing[] = "";
  EXPECT_EQ(DeviceCode("none", nothing, nothing + 1).image(90), "");
}

TEST(DeviceCode, IsUnpackedByWhatItWasPackedBy) {
  std::string base, own;
  for (int i = 0; i < 20000; ++i) base += char(i * i >> 5);
  own = base;
  for (std::size_t i = 0; i < own.size(); i += 3000) own[i] = '!';
  std::string code;
  append(code, 80, false, 86, packed_by(base, own));
  append(code, 86, false, 0, packed_by("", base));
  EXPECT_LT(code.size(), packed_by("", base).size() + packed_by("", own).size());
  const DeviceCode both("both", code.data(), code.data() + code.size());
  EXPECT_EQ(both.image(80), own);
  EXPECT_EQ(both.image(86), base);
  std::string cut;
  append(cut, 86, false, 0, packed_by("", base).substr(0, 300));
  EXPECT_THROW((void)DeviceCode("cut", cut.data(), cut.data() + cut.size()).image(86), Error);
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
    std::vector<int> archs;
    bool has_ptx = false;
    const std::vector<CodeImage> images = code_images(code->begin(), code->end());
    for (const CodeImage& image : images) {
      const std::string bytes = unpacked_code(images, image);
      if (image.is_ptx) {
        has_ptx = true;
        EXPECT_EQ(image.arch, device_code_archs().back());
        for (const AnyKernel* kernel : kernels)
          EXPECT_NE(bytes.find(".entry " + std::string(kernel->name())), std::string::npos)
              << kernel->name();
        continue;
      }
      archs.push_back(image.arch);
      EXPECT_EQ(code->image(image.arch), bytes);
      const std::map<std::string, CompiledKernel> compiled = kernels_of(bytes);
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
    EXPECT_EQ(archs, device_code_archs());
    EXPECT_TRUE(has_ptx);
  }
}

}  // namespace
}  // namespace kiln::test
