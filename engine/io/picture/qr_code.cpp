// SPDX-License-Identifier: MIT
#include "engine/io/picture/qr_code.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>

#include "engine/base/error.h"

namespace kiln {
namespace {

constexpr int versions = 40;
constexpr int quiet_zone = 4;  // modules of light around, which scanners look for

/// A level of error correction: its two bits, and of each version from 1 on how many bytes of correction a block
/// has, and how many blocks there are (ISO/IEC 18004, table 9).
struct Level {
  unsigned bits;
  std::array<int, versions> correction, blocks;
};
constexpr Level low = {
    1,
    {7,  10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28,
     28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30},
    {1, 1, 1, 1,  1,  2,  2,  2,  2,  4,  4,  4,  4,  4,  6,  6,  6,  6,  7,  8,
     8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25}};
constexpr Level medium = {
    0,
    {10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26,
     26, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28},
    {1,  1,  1,  2,  2,  4,  4,  4,  5,  5,  5,  8,  9,  9,  10, 10, 11, 13, 14, 16,
     17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49}};

int side_of(int version) { return 4 * version + 17; }

/// Rows, and columns, in which alignment patterns have their middle.
std::vector<int> alignments(int version) {
  if (version == 1) return {};
  const int count = version / 7 + 2;
  const int step = version == 32 ? 26 : (4 * version + 2 * count + 1) / (2 * count - 2) * 2;
  std::vector<int> places(std::size_t(count), 6);
  for (int i = 1; i < count; ++i)
    places[std::size_t(i)] = side_of(version) - 7 - (count - 1 - i) * step;
  return places;
}

/// Bytes of data and correction together.
int all_bytes(int version) {
  int modules = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const int n = version / 7 + 2;
    modules -= (25 * n - 10) * n - 55;
  }
  if (version >= 7) modules -= 36;
  return modules / 8;
}

int data_bytes(int version, const Level& level) {
  const std::size_t row = std::size_t(version - 1);
  return all_bytes(version) - level.correction[row] * level.blocks[row];
}

/// Whether a text of so many bytes fits, with what is said of it before: 4 bits of its kind, 8 or 16 of its length.
bool fits(std::size_t count, int version, const Level& level) {
  return 4 + (version < 10 ? 8 : 16) + 8 * count <= 8 * std::size_t(data_bytes(version, level));
}

Bytes data_of(std::string_view text, int version, const Level& level) {
  std::vector<bool> bits;
  const auto add = [&](unsigned value, int count) {
    for (int i = count - 1; i >= 0; --i) bits.push_back((value >> i & 1) != 0);
  };
  const std::size_t room = 8 * std::size_t(data_bytes(version, level));
  add(4, 4);  // bytes
  add(unsigned(text.size()), version < 10 ? 8 : 16);
  for (const char c : text) add(std::uint8_t(c), 8);
  add(0, 4);  // the end, with which bytes are whole
  for (unsigned filler = 0xEC; bits.size() < room; filler ^= 0xEC ^ 0x11) add(filler, 8);
  Bytes bytes(room / 8);
  for (std::size_t i = 0; i < room; ++i) bytes[i / 8] |= std::uint8_t(bits[i] << (7 - i % 8));
  return bytes;
}

// ---- Reed and Solomon's correction, in the field of 256 numbers modulo x^8 + x^4 + x^3 + x^2 + 1 ----

unsigned product(unsigned a, unsigned b) {
  unsigned sum = 0;
  for (int i = 7; i >= 0; --i) {
    sum = sum << 1 ^ (sum >> 7) * 0x11D;
    if ((b >> i & 1) != 0) sum ^= a;
  }
  return sum;
}

/// The coefficients of (x - 1)(x - 2)(x - 4) ... below the highest, which is 1; the highest one first.
Bytes divisor(int degree) {
  Bytes result(std::size_t(degree), 0);
  result.back() = 1;
  unsigned root = 1;
  for (int i = 0; i < degree; ++i) {
    for (std::size_t j = 0; j < result.size(); ++j)
      result[j] =
          std::uint8_t(product(result[j], root) ^ (j + 1 < result.size() ? result[j + 1] : 0u));
    root = product(root, 2);
  }
  return result;
}

Bytes remainder(const Bytes& data, const Bytes& by) {
  Bytes result(by.size(), 0);
  for (const std::uint8_t byte : data) {
    const unsigned factor = byte ^ result.front();
    result.erase(result.begin());
    result.push_back(0);
    for (std::size_t i = 0; i < by.size(); ++i) result[i] ^= std::uint8_t(product(by[i], factor));
  }
  return result;
}

/// The data in blocks with their corrections, a byte of each by turns.
Bytes interleaved(const Bytes& data, int version, const Level& level) {
  const std::size_t row = std::size_t(version - 1);
  const std::size_t blocks = std::size_t(level.blocks[row]);
  const std::size_t correction = std::size_t(level.correction[row]);
  const std::size_t short_ones = blocks - std::size_t(all_bytes(version)) % blocks;
  const std::size_t short_size = data.size() / blocks;
  const Bytes by = divisor(int(correction));
  std::vector<Bytes> parts, checks;
  auto at = data.begin();
  for (std::size_t i = 0; i < blocks; ++i) {
    const auto end = at + std::ptrdiff_t(short_size + (i < short_ones ? 0 : 1));
    parts.emplace_back(at, end);
    checks.push_back(remainder(parts.back(), by));
    at = end;
  }
  Bytes result;
  for (std::size_t i = 0; i <= short_size; ++i)
    for (const Bytes& part : parts)
      if (i < part.size()) result.push_back(part[i]);
  for (std::size_t i = 0; i < correction; ++i)
    for (const Bytes& check : checks) result.push_back(check[i]);
  return result;
}

// ---- modules ----

class Drawing {
 public:
  Drawing(int version, const Level& level) : version_(version), level_(level) {
    code_.side = side_of(version);
    code_.dark.resize(std::size_t(code_.side) * std::size_t(code_.side));
    fixed_.resize(code_.dark.size());
    draw_patterns();
    draw_format(0);  // its places, for the data to go around them
  }

  void draw_data(const Bytes& bytes) {
    std::size_t bit = 0;
    for (int right = code_.side - 1; right >= 1; right -= 2) {
      if (right == 6) right = 5;  // the column of the timing pattern
      for (int step = 0; step < code_.side; ++step)
        for (int x : {right, right - 1}) {
          const bool is_upwards = ((right + 1) & 2) == 0;
          const int y = is_upwards ? code_.side - 1 - step : step;
          if (fixed_[at(x, y)] || bit >= 8 * bytes.size()) continue;
          code_.dark[at(x, y)] = (bytes[bit / 8] >> (7 - bit % 8) & 1) != 0;
          ++bit;
        }
    }
  }

  QrCode masked(int mask) const {
    Drawing result = *this;
    for (int y = 0; y < code_.side; ++y)
      for (int x = 0; x < code_.side; ++x)
        if (!fixed_[at(x, y)] && turns(mask, x, y))
          result.code_.dark[at(x, y)] = !result.code_.dark[at(x, y)];
    result.draw_format(mask);
    return result.code_;
  }

 private:
  std::size_t at(int x, int y) const { return std::size_t(y * code_.side + x); }
  void set(int x, int y, bool is_dark) {
    code_.dark[at(x, y)] = is_dark;
    fixed_[at(x, y)] = true;
  }

  static bool turns(int mask, int x, int y) {
    switch (mask) {
      case 0:
        return (x + y) % 2 == 0;
      case 1:
        return y % 2 == 0;
      case 2:
        return x % 3 == 0;
      case 3:
        return (x + y) % 3 == 0;
      case 4:
        return (x / 3 + y / 2) % 2 == 0;
      case 5:
        return x * y % 2 + x * y % 3 == 0;
      case 6:
        return (x * y % 2 + x * y % 3) % 2 == 0;
      default:
        return ((x + y) % 2 + x * y % 3) % 2 == 0;
    }
  }

  /// Rings around a middle: `light` has a bit for each distance that is light.
  void draw_rings(int x, int y, int reach, unsigned light) {
    for (int dy = -reach; dy <= reach; ++dy)
      for (int dx = -reach; dx <= reach; ++dx) {
        const int distance = std::max(std::abs(dx), std::abs(dy));
        const bool is_inside =
            x + dx >= 0 && y + dy >= 0 && x + dx < code_.side && y + dy < code_.side;
        if (is_inside) set(x + dx, y + dy, (light >> distance & 1) == 0);
      }
  }

  void draw_patterns() {
    const int last = code_.side - 1;
    for (int i = 0; i <= last; ++i) {  // timing
      set(6, i, i % 2 == 0);
      set(i, 6, i % 2 == 0);
    }
    constexpr unsigned finder_light = 1 << 2 | 1 << 4, alignment_light = 1 << 1;
    draw_rings(3, 3, 4, finder_light);
    draw_rings(last - 3, 3, 4, finder_light);
    draw_rings(3, last - 3, 4, finder_light);
    const std::vector<int> places = alignments(version_);
    for (const int y : places)
      for (const int x : places) {
        const bool is_at_finder =
            (x == 6 && y == 6) || (x == 6 && y == last - 6) || (x == last - 6 && y == 6);
        if (!is_at_finder) draw_rings(x, y, 2, alignment_light);
      }
    if (version_ < 7) return;
    unsigned rest = unsigned(version_);
    for (int i = 0; i < 12; ++i) rest = rest << 1 ^ (rest >> 11) * 0x1F25;
    const unsigned bits = unsigned(version_) << 12 | rest;
    for (int i = 0; i < 18; ++i) {
      const bool bit = (bits >> i & 1) != 0;
      set(code_.side - 11 + i % 3, i / 3, bit);
      set(i / 3, code_.side - 11 + i % 3, bit);
    }
  }

  /// The level and the mask, twice, with their own correction.
  void draw_format(int mask) {
    const unsigned data = level_.bits << 3 | unsigned(mask);
    unsigned rest = data;
    for (int i = 0; i < 10; ++i) rest = rest << 1 ^ (rest >> 9) * 0x537;
    const unsigned bits = (data << 10 | rest) ^ 0x5412;
    const auto bit = [&](int i) { return (bits >> i & 1) != 0; };
    const int side = code_.side;
    for (int i = 0; i < 6; ++i) set(8, i, bit(i));
    set(8, 7, bit(6));
    set(8, 8, bit(7));
    set(7, 8, bit(8));
    for (int i = 9; i < 15; ++i) set(14 - i, 8, bit(i));
    for (int i = 0; i < 8; ++i) set(side - 1 - i, 8, bit(i));
    for (int i = 8; i < 15; ++i) set(8, side - 15 + i, bit(i));
    set(8, side - 8, true);
  }

  int version_;
  Level level_;
  QrCode code_;
  std::vector<bool> fixed_;  // [side, side]: not data
};

/// Counts what scanners find hard in a line: long runs, and what looks like a corner (rules 1 and 3 of the standard).
int hardness_of_line(const QrCode& code, int line, bool is_row) {
  constexpr unsigned corner = 0b10111010000, mirrored = 0b00001011101, window = 0b11111111111;
  int hard = 0, run = 0;
  unsigned last = 0;
  for (int i = 0; i < code.side; ++i) {
    const bool is_dark = is_row ? code.is_dark(i, line) : code.is_dark(line, i);
    run = i > 0 && is_dark == ((last & 1) != 0) ? run + 1 : 1;
    if (run == 5) hard += 3;
    if (run > 5) ++hard;
    last = (last << 1 | unsigned(is_dark)) & window;
    if (i >= 10 && (last == corner || last == mirrored)) hard += 40;
  }
  return hard;
}

int hardness(const QrCode& code) {
  int hard = 0, dark = 0;
  for (int y = 0; y < code.side; ++y) {
    hard += hardness_of_line(code, y, true) + hardness_of_line(code, y, false);
    for (int x = 0; x < code.side; ++x) {
      const bool here = code.is_dark(x, y);
      dark += here ? 1 : 0;
      if (x + 1 < code.side && y + 1 < code.side && here == code.is_dark(x + 1, y) &&
          here == code.is_dark(x, y + 1) && here == code.is_dark(x + 1, y + 1))
        hard += 3;
    }
  }
  const int all = code.side * code.side;
  return hard + std::abs(20 * dark - 10 * all) / all * 10;  // 10 for each 5 % away from a half
}

}  // namespace

QrCode qr_code(std::string_view text) {
  int version = 1;
  while (version <= versions && !fits(text.size(), version, low)) ++version;
  if (version > versions)
    fail(ErrorKind::usage,
         "{} characters are too many for a QR code, which holds {}; a flame with fewer xforms, or "
         "a palette of fewer colors, has a shorter link",
         text.size(), most_qr_bytes);
  const Level& level = fits(text.size(), version, medium) ? medium : low;
  Drawing drawing(version, level);
  drawing.draw_data(interleaved(data_of(text, version, level), version, level));
  std::optional<QrCode> best;
  int least = 0;
  for (int mask = 0; mask < 8; ++mask) {
    QrCode code = drawing.masked(mask);
    const int hard = hardness(code);
    if (best && hard >= least) continue;
    best = std::move(code);
    least = hard;
  }
  return *best;
}

Image qr_picture(const QrCode& code, int pixels) {
  const int side = (code.side + 2 * quiet_zone) * pixels;
  Image image;
  image.width = image.height = side;
  image.opaque = true;
  Bytes rgba;
  rgba.reserve(4 * std::size_t(side) * std::size_t(side));
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const bool is_dark = code.is_dark(x / pixels - quiet_zone, y / pixels - quiet_zone);
      const std::uint8_t light = is_dark ? 0 : 255;
      rgba.insert(rgba.end(), {light, light, light, 255});
    }
  image.pixels = std::move(rgba);
  return image;
}

std::string qr_text(const QrCode& code, bool sets_colors) {
  std::string text;
  for (int y = -quiet_zone; y < code.side + quiet_zone; y += 2) {
    if (sets_colors) text += "\033[38;5;231;48;5;16m";
    for (int x = -quiet_zone; x < code.side + quiet_zone; ++x) {
      const bool above = !code.is_dark(x, y), below = !code.is_dark(x, y + 1);
      text += above && below ? "█" : above ? "▀" : below ? "▄" : " ";
    }
    if (sets_colors) text += "\033[0m";
    text += "\n";
  }
  return text;
}

}  // namespace kiln
