// SPDX-License-Identifier: MIT
// What ffmpeg is told: the kinds of films with their codecs, the filters from kiln's pixels to theirs, and the options
// of whoever wants it otherwise, which take the place of kiln's own.
#pragma once

#include <string>
#include <vector>

#include "engine/io/picture/video_settings.h"

namespace kiln {

// The light of HDR that waits for its numbers, which nothing else in a film has (video_writer.cpp).
inline constexpr int cll_to_come = 0xa5c3, fall_to_come = 0xb74d;

/// The row of a film. Throws Error (usage) where there is none, or it has not what is asked for.
const VideoFormat& format_of(const VideoSettings& settings);

/// Words with blanks between them; one in quotes, single or double, may hold some.
std::vector<std::string> words_in(const std::string& text);

/// `file`: what ffmpeg calls the file that it writes.
std::vector<std::string> ffmpeg_command(const VideoSettings& settings, const std::string& program,
                                        const std::string& file);

/// Throws Error (output) where this ffmpeg has not the encoder, before frames are rendered.
void check_encoder(const VideoSettings& settings, const std::string& program);

/// The exact rate behind a name of a television rate; another name stays as it is.
std::string meant_rate(const std::string& fps);

}  // namespace kiln
