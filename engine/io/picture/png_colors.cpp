// SPDX-License-Identifier: MIT
#include "engine/io/picture/png_colors.h"

#include <zlib.h>

#include <cmath>
#include <limits>
#include <new>
#include <vector>

#include "engine/io/picture/primaries.h"
#include "engine/model/transfer.h"

namespace kiln {
namespace {

constexpr std::string_view cicp_p3{"\x0C\x0D\x00\x01", 4}, cicp_pq{"\x09\x10\x00\x01", 4};

void add16(std::string& bytes, unsigned value) {
  bytes += {static_cast<char>(value >> 8), static_cast<char>(value)};
}
void add32(std::string& bytes, std::uint32_t value) {
  add16(bytes, value >> 16);
  add16(bytes, value & 0xFFFF);
}
void add_fixed(std::string& bytes, double value) {  // s15Fixed16Number
  add32(bytes, static_cast<std::uint32_t>(std::int32_t(std::floor(value * 65536 + 0.5))));
}

std::string in_english(std::string_view text) {  // multiLocalizedUnicodeType
  std::string bytes("mluc\0\0\0\0\0\0\0\1\0\0\0\14enUS", 20);
  add32(bytes, static_cast<std::uint32_t>(2 * text.size()));
  add32(bytes, 28);
  for (const char c : text) add16(bytes, static_cast<unsigned char>(c));
  return bytes;
}

std::string xyz_type(double x, double y, double z) {
  std::string bytes("XYZ \0\0\0\0", 8);
  for (const double value : {x, y, z}) add_fixed(bytes, value);
  return bytes;
}

std::string srgb_curve() {  // parametricCurveType, function 3
  std::string bytes("para\0\0\0\0\0\3\0\0", 12);
  for (const double value : {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045})
    add_fixed(bytes, value);
  return bytes;
}

std::string adaptation_type(const ColorMatrix& matrix) {
  std::string bytes("sf32\0\0\0\0", 8);
  for (const auto& row : matrix)
    for (const double value : row) add_fixed(bytes, value);
  return bytes;
}

/// A profile of three primaries and the curve of sRGB; tags with the same data share it.
std::string matrix_profile(std::string_view name, const Chromaticities& c) {
  const ColorMatrix m = colorants_at_d50(c);
  const std::string curve = srgb_curve();
  const std::pair<const char*, std::string> tags[] = {
      {"desc", in_english(name)},
      {"cprt", in_english("CC0")},
      {"wtpt", xyz_type(0.9642, 1, 0.8249)},
      {"chad", adaptation_type(adaptation_to_d50(c))},
      {"rXYZ", xyz_type(m[0][0], m[1][0], m[2][0])},
      {"gXYZ", xyz_type(m[0][1], m[1][1], m[2][1])},
      {"bXYZ", xyz_type(m[0][2], m[1][2], m[2][2])},
      {"rTRC", curve},
      {"gTRC", curve},
      {"bTRC", curve}};
  constexpr std::size_t head_bytes = 128, tag_count = std::size(tags);
  std::string table, data;
  add32(table, tag_count);
  std::size_t at = 0;
  for (std::size_t i = 0; i < tag_count; ++i) {
    if (i == 0 || tags[i].second != tags[i - 1].second) {
      at = head_bytes + 4 + 12 * tag_count + data.size();
      data += tags[i].second + std::string((4 - tags[i].second.size() % 4) % 4, '\0');
    }
    table += tags[i].first;
    add32(table, static_cast<std::uint32_t>(at));
    add32(table, static_cast<std::uint32_t>(tags[i].second.size()));
  }
  std::string head;
  add32(head, static_cast<std::uint32_t>(head_bytes + table.size() + data.size()));
  head += std::string("\0\0\0\0\4\x40\0\0mntrRGB XYZ ", 20);  // any CMM, version 4.4, a display
  for (const unsigned part : {2026, 1, 1, 0, 0, 0}) add16(head, part);  // the same file every day
  head += "acsp" + std::string(28, '\0');
  for (const double value : {0.9642, 1.0, 0.8249}) add_fixed(head, value);
  head.resize(head_bytes, '\0');
  return head + table + data;
}

/// Light of each number that a sample can have.
template <class Sample, class Light>
std::vector<float> lights(Light light) {
  constexpr std::size_t full = std::numeric_limits<Sample>::max();
  std::vector<float> table(full + 1);
  for (std::size_t i = 0; i <= full; ++i)
    table[i] = static_cast<float>(light(double(i) / double(full)));
  return table;
}

template <class Sample, class Light>
void change(std::vector<Sample>& samples, const ColorMatrix& m, Light light) {
  static const LightTable signal(srgb_of);
  constexpr float full = std::numeric_limits<Sample>::max();
  const std::vector<float> table = lights<Sample>(light);
  float factors[3][3];
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) factors[i][j] = static_cast<float>(m[i][j]);
  for (std::size_t i = 0; i < samples.size(); i += 4) {
    const float from[3] = {table[samples[i]], table[samples[i + 1]], table[samples[i + 2]]};
    for (std::size_t c = 0; c < 3; ++c) {
      const float* f = factors[c];
      const float light_now = f[0] * from[0] + f[1] * from[1] + f[2] * from[2];
      samples[i + c] = static_cast<Sample>(signal(std::min(light_now, 1.0f)) * full + 0.5f);
    }
  }
}

template <class Light>
void change(Image& image, Primaries from, Primaries to, Light light) {
  const ColorMatrix m = color_matrix(chromaticities_of(from), chromaticities_of(to));
  if (image.bits() == 8)
    change(image.pixels8(), m, light);
  else
    change(image.pixels16(), m, light);
}

}  // namespace

std::string cicp_of(const ExrForm& form) {
  if (form.hdr_peak > 0) return std::string(cicp_pq);
  return form.primaries == Primaries::p3 ? std::string(cicp_p3) : "";
}

std::optional<ExrForm> form_of_cicp(std::string_view data) {
  ExrForm form;
  if (data == cicp_p3)
    form.primaries = Primaries::p3;
  else if (data == cicp_pq)
    form.hdr_peak = usual_hdr_peak;
  else
    return std::nullopt;
  return form;
}

std::string mdcv_of(double peak) {
  std::string data;
  for (const auto& xy : chromaticities_of(Primaries::rec709))
    for (const double value : xy) add16(data, unsigned(std::floor(value * 50000 + 0.5)));
  add32(data, static_cast<std::uint32_t>(peak * 10000));
  add32(data, 1);
  return data;
}

double peak_of_mdcv(std::string_view data) {
  if (data.size() != 24) return 0;
  std::uint32_t peak = 0;
  for (std::size_t i = 16; i < 20; ++i) peak = peak << 8 | static_cast<unsigned char>(data[i]);
  return peak / 10000.0;
}

std::string clli_of(double brightest, double brightest_mean) {
  std::string data;
  for (const double light : {brightest, brightest_mean})
    add32(data, static_cast<std::uint32_t>(std::floor(light * 10000 + 0.5)));
  return data;
}

std::string srgb_profile() { return matrix_profile("sRGB", chromaticities_of(Primaries::rec709)); }

std::string p3_profile() {
  constexpr std::string_view name = "Display P3";
  const std::string profile = matrix_profile(name, chromaticities_of(Primaries::p3));
  uLongf size = compressBound(static_cast<uLong>(profile.size()));
  std::string packed(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                reinterpret_cast<const Bytef*>(profile.data()), static_cast<uLong>(profile.size()),
                Z_BEST_COMPRESSION) != Z_OK)
    throw std::bad_alloc();
  packed.resize(size);
  return std::string(name) + std::string(2, '\0') + packed;  // end of the name, method: deflate
}

void to_form(const ExrForm& form, Image& image) {
  if (form.hdr_peak > 0 || form.primaries != Primaries::p3) return;
  change(image, Primaries::rec709, Primaries::p3, light_of_srgb);
}

void to_srgb(const ExrForm& form, Image& image) {
  if (form.hdr_peak > 0)
    change(image, Primaries::rec2020, Primaries::rec709,
           [](double signal) { return light_of_pq(signal) / hdr_white; });
  else if (form.primaries == Primaries::p3)
    change(image, Primaries::p3, Primaries::rec709, light_of_srgb);
}

}  // namespace kiln
