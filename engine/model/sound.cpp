// SPDX-License-Identifier: MIT
#include "engine/model/sound.h"

#include <iterator>

#include "engine/base/text.h"

namespace kiln {

std::string sound_part_text(const SoundDrive& drive) {
  if (drive.part != SoundPart::band) return std::string(sound_part_words[std::size_t(drive.part)]);
  return shortest(drive.low_hz) + "-" + shortest(drive.high_hz);
}

bool take_sound_part(std::string_view text, SoundDrive& drive) {
  const auto word = std::find(std::begin(sound_part_words), std::end(sound_part_words), text);
  if (word != std::end(sound_part_words)) {
    drive.part = SoundPart(word - std::begin(sound_part_words));
    return true;
  }
  const std::size_t dash = text.find('-');
  if (dash == 0 || dash == text.npos) return false;
  const auto low = to_real(text.substr(0, dash)), high = to_real(text.substr(dash + 1));
  if (!low || !high || !(*low >= least_sound_hz && *low < *high && *high <= most_sound_hz))
    return false;
  drive.part = SoundPart::band;
  drive.low_hz = *low;
  drive.high_hz = *high;
  return true;
}

}  // namespace kiln
