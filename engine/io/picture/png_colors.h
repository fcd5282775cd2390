// SPDX-License-Identifier: MIT
// What the numbers of a PNG stand for where that is not sRGB: Display P3, or PQ of BT.2020. Said by the chunk
// cICP (PNG, third edition, 11.3.2.6; code points of ITU-T H.273), for PQ beside mDCV and cLLI, and for programs
// that know none of them by an ICC profile (ICC.1:2022) where there is one for it.
//
// Pictures are of sRGB's primaries in memory: the numbers are turned into others on their way into a file,
// and back. A number of P3 that is saturated and dark comes back off by eight at most.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/api/kiln/image.h"
#include "engine/io/picture/primaries.h"

namespace kiln {

/// The data of cICP; empty: sRGB, which has a chunk of its own.
std::string cicp_of(const ExrForm& form);
/// The form that such data stand for; none if kiln does not write such.
std::optional<ExrForm> form_of_cicp(std::string_view data);

/// The data of mDCV: the display that shows all of it, which has sRGB's colors, since there are no others.
std::string mdcv_of(double peak);
/// The peak that they say; 0: none.
double peak_of_mdcv(std::string_view data);
/// The data of cLLI, of cd/m2.
std::string clli_of(double brightest, double brightest_mean);

/// The data of iCCP for Display P3.
std::string p3_profile();
/// The ICC profile of sRGB (ICC.1:2022), for formats that have no other word for it.
std::string srgb_profile();

/// Turns sRGB into P3, where the form says so.
void to_form(const ExrForm& form, Image& image);
/// Turns what the form says into sRGB; of PQ what is above white is white.
void to_srgb(const ExrForm& form, Image& image);

}  // namespace kiln
