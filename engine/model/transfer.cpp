// SPDX-License-Identifier: MIT
#include "engine/model/transfer.h"

#include <algorithm>

#include "engine/model/exact_math.h"

namespace kiln {
namespace {

constexpr double m1 = 2610.0 / 16384, m2 = 2523.0 / 4096 * 128;
constexpr double c1 = 3424.0 / 4096, c2 = 2413.0 / 4096 * 32, c3 = 2392.0 / 4096 * 32;

}  // namespace

double light_of_srgb(double signal) {
  return signal <= 0.04045 ? signal / 12.92 : exact::pow((signal + 0.055) / 1.055, 2.4);
}

double srgb_of(double light) {
  return light <= 0.0031308 ? 12.92 * light : 1.055 * exact::pow(light, 1 / 2.4) - 0.055;
}

double pq_of(double light) {
  const double y = exact::pow(std::clamp(light / 10000, 0.0, 1.0), m1);
  return exact::pow((c1 + c2 * y) / (1 + c3 * y), m2);
}

double light_of_pq(double signal) {
  const double y = exact::pow(std::clamp(signal, 0.0, 1.0), 1 / m2);
  return 10000 * exact::pow(std::max(0.0, y - c1) / (c2 - c3 * y), 1 / m1);
}

}  // namespace kiln
