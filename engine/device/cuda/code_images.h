// SPDX-License-Identifier: MIT
// The device code of one .cu file, as the build lays it into the program (device_code.cmake): for
// each GPU an image, machine code (ELF) or PTX, with a head before it; packed by zstd, mostly, and
// then often as what differs from the image for another GPU. One is unpacked when it is wanted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

struct CodeImage {
  int arch = 0;  // the GPU, by compute capability (90); of PTX the oldest that it is for
  bool is_ptx = false;
  int base = 0;             // the GPU whose machine code it was packed by; 0: none
  std::string_view packed;  // or as it is
};

/// The images between the two, in the order of their GPUs, PTX last; none in a build without nvcc.
std::vector<CodeImage> code_images(const char* begin, const char* end);

/// The image that drivers take for GPUs of a compute capability: machine code of the same number
/// before the point and the nearest below, else PTX; null: there is neither.
const CodeImage* image_for(const std::vector<CodeImage>& images, int capability);

/// Unpacks an image to what the compiler made; behind it there is a zero. Throws Error (device) if the
/// program is damaged there.
std::string unpacked_code(const std::vector<CodeImage>& images, const CodeImage& image);

}  // namespace kiln
