// SPDX-License-Identifier: MIT
#include "engine/io/picture/tiff.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <new>
#include <type_traits>
#include <vector>

#include "engine/base/cores.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/base/thread_pool.h"
#include "engine/io/picture/png_colors.h"

namespace kiln {
namespace {

constexpr int strip_rows = 64;
constexpr std::string_view own_texts_mark{"kiln texts\0\1", 12};
constexpr std::size_t most_tiff_texts = 16u << 20;
constexpr std::uint64_t most_tiff_bytes = std::numeric_limits<std::uint32_t>::max();

enum TiffType : unsigned {
  ascii_type = 2,
  short16 = 3,
  long32 = 4,
  rational_type = 5,
  bytes_type = 7
};

void add_number(std::string& bytes, std::uint64_t value, int count) {
  for (int i = 0; i < count; ++i, value >>= 8) bytes += static_cast<char>(value & 255);
}

std::uint32_t tiff_number(std::string_view bytes, std::size_t at, int count) {
  std::uint32_t value = 0;
  for (int i = count; i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[at + std::size_t(i)]);
  return value;
}

/// The block that stands behind the head: mark, length, then KEY 0, length, text.
std::string texts_block(const FileTexts& texts) {
  std::string inside;
  for (const FileText& text : texts) {
    inside += text.key + '\0';
    add_number(inside, text.value.size(), 4);
    inside += text.value;
  }
  std::string block(own_texts_mark);
  add_number(block, inside.size(), 4);
  return block + inside;
}

std::string text_of(const FileTexts& texts, std::string_view key) {
  for (const FileText& text : texts)
    if (text.key == key) return text.value;
  return "";
}

/// A tag whose data are where it says.
struct TiffTag {
  unsigned number, type;
  std::uint32_t count, value;
};

// what tags say
constexpr unsigned along_rows = 2, of_floats = 3;         // differences: 317
constexpr unsigned multiplied = 1, straight = 2;          // alpha: 338
constexpr unsigned whole_numbers = 1, float_samples = 3;  // 339

/// The predictor of floats (Adobe Photoshop TIFF Technical Note 3): a row has the first bytes of all its numbers, the sign
/// first, then the second ones and so on; and of these bytes the differences between pixels.
void part_floats(std::string& rows, std::size_t row_bytes, std::size_t channels) {
  const std::size_t count = row_bytes / 4;
  std::string row(row_bytes, '\0');
  for (std::size_t begin = 0; begin < rows.size(); begin += row_bytes) {
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t b = 0; b < 4; ++b) row[(3 - b) * count + i] = rows[begin + 4 * i + b];
    for (std::size_t i = row_bytes - 1; i >= channels; --i)
      row[i] = static_cast<char>(row[i] - row[i - channels]);
    rows.replace(begin, row_bytes, row);
  }
}

/// Undoes it.
void join_floats(std::string& rows, std::size_t row_bytes, std::size_t channels) {
  const std::size_t count = row_bytes / 4;
  for (std::size_t begin = 0; begin < rows.size(); begin += row_bytes) {
    std::string row = rows.substr(begin, row_bytes);
    for (std::size_t i = channels; i < row_bytes; ++i)
      row[i] = static_cast<char>(row[i] + row[i - channels]);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t b = 0; b < 4; ++b) rows[begin + 4 * i + b] = row[(3 - b) * count + i];
  }
}

/// Colors that are multiplied by alpha, as they are without.
template <class Sample>
void divide_by_alpha(std::vector<Sample>& pixels) {
  constexpr unsigned full = Sample(~Sample(0));
  for (std::size_t i = 0; i < pixels.size(); i += 4) {
    const unsigned alpha = pixels[i + 3];
    for (std::size_t c = i; alpha > 0 && c < i + 3; ++c)
      pixels[c] = Sample(
          std::min<std::uint64_t>((std::uint64_t(pixels[c]) * full + alpha / 2) / alpha, full));
  }
}

/// Takes the next bytes of the file.
using PutTiff = std::function<void(const std::string& bytes)>;

/// A TIFF whose rows come piece by piece; the place of its tags, which the head says, is known at the end.
class TiffStream {
 public:
  TiffStream(PutTiff put, const Image& first_rows, int height, const FileTexts& texts,
             const Saving& saving)
      : put_(std::move(put)),
        shape_(first_rows),
        height_(height),
        threads_(saving.threads > 0 ? saving.threads : usable_cores()) {
    shape_.pixels = {};
    bytes_ = first_rows.bits() / 8;
    channels_ = shape_.opaque && bytes_ < 4 ? 3 : 4;
    const std::string block = texts_block(texts);
    std::string head(tiff_signature);
    add_number(head, 0, 4);  // written again at the end
    tags_.push_back({65123, bytes_type, std::uint32_t(block.size()), 8});
    send(head + block);
    if (bytes_ < 4) point_to(34675, bytes_type, srgb_profile());
    if (const std::string xmp = xmp_of(texts); !xmp.empty()) point_to(700, 1, xmp);
    constexpr std::pair<unsigned, const char*> credits[] = {
        {270, "Title"}, {305, "Software"}, {315, "Author"}, {33432, "Copyright"}};
    for (const auto& [number, key] : credits)
      if (const std::string text = text_of(texts, key); !text.empty())
        point_to(number, ascii_type, text + '\0');
    add_shape();
    std::string depths;
    for (int c = 0; c < channels_; ++c) add_number(depths, std::uint64_t(8 * bytes_), 2);
    point_to(258, short16, depths);
    if (bytes_ < 4) return;
    std::string floats;
    for (int c = 0; c < channels_; ++c) add_number(floats, float_samples, 2);
    point_to(339, short16, floats);
  }

  void add(const Image& rows) {
    const std::size_t row_bytes = std::size_t(shape_.width) * std::size_t(channels_ * bytes_);
    rest_.reserve(rest_.size() + std::size_t(rows.height) * row_bytes);
    if (bytes_ == 1)
      append(rows.pixels8());
    else if (bytes_ == 2)
      append(rows.pixels16());
    else
      append(rows.linear().rgba);
    rows_ += rows.height;
    const std::size_t there = rest_.size() / row_bytes;
    const std::size_t strips =
        rows_ == height_ ? (there + strip_rows - 1) / strip_rows : there / strip_rows;
    std::vector<std::string> packed(strips);
    ThreadPool(std::clamp(int(strips), 1, threads_)).run(int(strips), [&](int i, int) {
      const std::size_t first = std::size_t(i) * strip_rows;
      const std::size_t count = std::min<std::size_t>(strip_rows, there - first);
      packed[std::size_t(i)] =
          packed_strip(rest_.substr(first * row_bytes, count * row_bytes), row_bytes);
    });
    for (const std::string& strip : packed) {
      offsets_.push_back(std::uint32_t(at_));
      lengths_.push_back(std::uint32_t(strip.size()));
      send(strip);
    }
    rest_.erase(0, std::min(rest_.size(), strips * strip_rows * row_bytes));
  }

  /// The tags; gives back what stands in the head in the place of their offset.
  std::string finish() {
    const auto one = [&](unsigned number, unsigned type, std::uint32_t value) {
      tags_.push_back({number, type, 1, value});
    };
    one(256, long32, std::uint32_t(shape_.width));
    one(257, long32, std::uint32_t(height_));
    one(259, short16, 8);  // Deflate
    one(262, short16, 2);  // RGB
    one(277, short16, std::uint32_t(channels_));
    one(278, long32, strip_rows);
    one(284, short16, 1);  // channels beside each other
    one(317, short16, bytes_ < 4 ? along_rows : of_floats);
    if (channels_ == 4) one(338, short16, bytes_ < 4 ? straight : multiplied);
    for (const auto& [number, list] : {std::pair{273u, &offsets_}, {279u, &lengths_}}) {
      std::string table;
      for (const std::uint32_t value : *list) add_number(table, value, 4);
      point_to(number, long32, table);
    }
    if (at_ % 2 == 1) send(std::string(1, '\0'));
    std::string offset, list;
    add_number(offset, at_, 4);
    std::sort(tags_.begin(), tags_.end(),
              [](const TiffTag& a, const TiffTag& b) { return a.number < b.number; });
    add_number(list, tags_.size(), 2);
    for (const TiffTag& tag : tags_) {
      add_number(list, tag.number, 2);
      add_number(list, tag.type, 2);
      add_number(list, tag.count, 4);
      add_number(list, tag.value, 4);
    }
    add_number(list, 0, 4);  // no other picture
    send(list);
    return offset;
  }

 private:
  void send(const std::string& bytes) {
    put_(bytes);
    at_ += bytes.size();
    if (at_ > most_tiff_bytes)
      fail(ErrorKind::output, "a TIFF holds 4 GB, and this picture has more; name it .png");
  }

  /// A tag with data of its own; of at most four bytes they stand in the tag.
  void point_to(unsigned number, unsigned type, const std::string& data) {
    const std::size_t size = type == short16         ? 2
                             : type == long32        ? 4
                             : type == rational_type ? 8
                                                     : 1;
    const auto count = std::uint32_t(data.size() / size);
    if (data.size() <= 4) {
      tags_.push_back(
          {number, type, count, tiff_number(data + std::string(4 - data.size(), '\0'), 0, 4)});
      return;
    }
    if (at_ % 2 == 1) send(std::string(1, '\0'));
    tags_.push_back({number, type, count, std::uint32_t(at_)});
    send(data);
  }

  /// Pixels of an inch across and down, or only as they are to each other.
  void add_shape() {
    constexpr double parts = 1000;
    const double across = shape_.dpi > 0 ? shape_.dpi : 1 / std::max(1e-3, shape_.pixel_aspect);
    const double down = shape_.dpi > 0 ? shape_.dpi * shape_.pixel_aspect : 1;
    for (const auto& [number, pixels] : {std::pair{282u, across}, {283u, down}}) {
      std::string data;
      add_number(data, std::uint64_t(std::lround(std::clamp(pixels, 1e-3, 1e6) * parts)), 4);
      add_number(data, std::uint64_t(parts), 4);
      point_to(number, rational_type, data);
    }
    tags_.push_back({296, short16, 1, shape_.dpi > 0 ? 2u : 1u});
  }

  template <class Sample>
  void append(const std::vector<Sample>& pixels) {
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      if (channels_ == 3 && i % 4 == 3) continue;
      std::uint32_t bits;
      if constexpr (std::is_same_v<Sample, float>)
        bits = std::bit_cast<std::uint32_t>(pixels[i]);
      else
        bits = pixels[i];
      for (int b = 0; b < bytes_; ++b) rest_ += static_cast<char>(bits >> (8 * b) & 255);
    }
  }

  std::string packed_strip(std::string rows, std::size_t row_bytes) const {
    if (bytes_ == 4) part_floats(rows, row_bytes, std::size_t(channels_));
    for (std::size_t begin = 0; bytes_ < 4 && begin < rows.size(); begin += row_bytes) {
      const std::size_t step = std::size_t(channels_ * bytes_);
      for (std::size_t i = row_bytes; i > step; i -= std::size_t(bytes_)) {
        const std::size_t at = begin + i - std::size_t(bytes_);
        const std::uint32_t difference =
            tiff_number(rows, at, bytes_) - tiff_number(rows, at - step, bytes_);
        for (int b = 0; b < bytes_; ++b)
          rows[at + std::size_t(b)] = static_cast<char>(difference >> (8 * b) & 255);
      }
    }
    uLongf size = compressBound(uLong(rows.size()));
    std::string packed(size, '\0');
    if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                  reinterpret_cast<const Bytef*>(rows.data()), uLong(rows.size()), 6) != Z_OK)
      throw std::bad_alloc();
    packed.resize(size);
    return packed;
  }

  const PutTiff put_;
  Image shape_;  // without pixels
  const int height_, threads_;
  int bytes_ = 1, channels_ = 3;
  std::vector<TiffTag> tags_;
  std::vector<std::uint32_t> offsets_, lengths_;
  std::string rest_;  // rows of the strip that is not whole
  std::uint64_t at_ = 0;
  int rows_ = 0;
};

class TiffRows : public PictureRows {
 public:
  TiffRows(const std::string& path, const Image& first_rows, int height, const FileTexts& texts,
           const Saving& saving)
      : file_(path, saving.existing),
        stream_([this](const std::string& bytes) { file_.write(bytes.data(), bytes.size()); },
                first_rows, height, texts, saving),
        last_text_at_(8 + texts_block(texts).size() - texts.back().value.size()),
        last_text_bytes_(texts.back().value.size()) {}
  void add(const Image& rows) override { stream_.add(rows); }
  void finish(const std::string& last_text) override {
    KILN_CHECK(last_text.size() == last_text_bytes_, "{} bytes of text in the place of {}",
               last_text.size(), last_text_bytes_);
    const std::string offset = stream_.finish();
    file_.write_again(4, offset.data(), offset.size());
    file_.write_again(last_text_at_, last_text.data(), last_text.size());
    file_.commit();
  }

 private:
  AtomicFile file_;
  TiffStream stream_;
  const std::size_t last_text_at_, last_text_bytes_;
};

/// The tags of a file that is not trusted: each place is held against its size.
class TiffReader {
 public:
  TiffReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {
    if (!bytes.starts_with(tiff_signature) || bytes.size() < 8)
      refuse("is no TIFF that kiln reads");
    const std::size_t at = tiff_number(bytes, 4, 4);
    if (at + 2 > bytes.size()) refuse("is cut off");
    const std::size_t count = tiff_number(bytes, at, 2);
    if (at + 2 + 12 * count > bytes.size()) refuse("is cut off");
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t entry = at + 2 + 12 * i;
      tags_.push_back({tiff_number(bytes, entry, 2), tiff_number(bytes, entry + 2, 2),
                       tiff_number(bytes, entry + 4, 4), std::uint32_t(entry + 8)});
    }
  }

  Image image(const ImageLimits& limits) {
    const std::uint32_t width = number(256, 0), height = number(257, 0), depth = number(258, 1);
    const std::uint32_t channels = number(277, 1), packing = number(259, 1);
    const bool deflated = packing == 8 || packing == 32946;
    const std::uint32_t predictor = number(317, 1), alpha = number(338, 0);
    const bool floats = number(339, whole_numbers) == float_samples;
    const bool known_depth = floats ? depth == 32 : depth == 8 || depth == 16;
    const bool known_predictor = predictor == 1 || predictor == (floats ? of_floats : along_rows);
    if (number(262, 0) != 2 || (channels != 3 && channels != 4) || !known_depth ||
        number(284, 1) != 1 || (packing != 1 && !deflated) || !known_predictor || has(322))
      refuse(
          "is of another kind: kiln reads RGB of 8 or 16 bits or floats in strips, plain or "
          "Deflate (as kiln writes it; vips and ImageMagick make it of others)");
    check_limits(name_, width, height, depth / 2, limits);
    const std::size_t row = std::size_t(width) * channels * (depth / 8);
    constexpr std::uint64_t most_packed = 1032;  // bytes that one of Deflate unpacks to
    if (std::uint64_t(row) * height > most_packed * bytes_.size())
      refuse("is damaged: it cannot hold so many pixels");
    const std::vector<std::uint32_t> offsets = list(273), lengths = list(279);
    const std::uint64_t rows_each = std::min<std::uint64_t>(number(278, height), height);
    if (rows_each == 0 || offsets.size() != (height + rows_each - 1) / rows_each ||
        lengths.size() != offsets.size())
      refuse("is damaged: its strips are not those of its rows");
    Image image;
    image.width = int(width);
    image.height = int(height);
    image.opaque = channels == 3;
    const std::size_t samples = std::size_t(width) * height * 4;
    if (floats)
      image.pixels.emplace<LinearLight>().rgba.assign(samples, 1.0f);
    else if (depth == 8)
      image.pixels.emplace<Bytes>(samples, std::uint8_t(255));
    else
      image.pixels.emplace<Words>(samples, std::uint16_t(65535));
    for (std::size_t s = 0; s < offsets.size(); ++s) {
      const std::size_t first = s * std::size_t(rows_each);
      const std::size_t count = std::min<std::size_t>(std::size_t(rows_each), height - first);
      std::string rows = strip(offsets[s], lengths[s], count * row, deflated);
      if (predictor == along_rows) sum_along(rows, row, channels, depth / 8);
      if (predictor == of_floats) join_floats(rows, row, channels);
      if (floats)
        put(rows, first * width * 4, channels, image.linear().rgba);
      else if (depth == 8)
        put(rows, first * width * 4, channels, image.pixels8());
      else
        put(rows, first * width * 4, channels, image.pixels16());
    }
    if (image.opaque) return image;
    if (floats && alpha != multiplied) {
      std::vector<float>& rgba = image.linear().rgba;
      for (std::size_t i = 0; i < rgba.size(); ++i)
        if (i % 4 != 3) rgba[i] *= rgba[i | 3];
    } else if (!floats && alpha == multiplied) {
      depth == 8 ? divide_by_alpha(image.pixels8()) : divide_by_alpha(image.pixels16());
    }
    return image;
  }

 private:
  [[noreturn]] void refuse(const char* what) const {
    fail(ErrorKind::input, "{}: the TIFF {}", name_, what);
  }

  const TiffTag* find(unsigned number) const {
    const auto found = std::find_if(tags_.begin(), tags_.end(),
                                    [&](const TiffTag& tag) { return tag.number == number; });
    return found == tags_.end() ? nullptr : &*found;
  }
  bool has(unsigned number) const { return find(number); }

  /// The numbers of a tag, of 16 or 32 bits.
  std::vector<std::uint32_t> list(unsigned number) const {
    const TiffTag* const tag = find(number);
    if (!tag) return {};
    if (tag->type != short16 && tag->type != long32) refuse("is damaged: a tag is no number");
    const std::size_t size = tag->type == short16 ? 2 : 4;
    const std::uint64_t all = std::uint64_t(tag->count) * size;
    const std::uint64_t at = all <= 4 ? tag->value : tiff_number(bytes_, tag->value, 4);
    if (at + all > bytes_.size()) refuse("is cut off");
    std::vector<std::uint32_t> values;
    for (std::uint32_t i = 0; i < tag->count; ++i)
      values.push_back(tiff_number(bytes_, std::size_t(at) + i * size, int(size)));
    return values;
  }

  std::uint32_t number(unsigned tag, std::uint32_t otherwise) const {
    const std::vector<std::uint32_t> values = list(tag);
    return values.empty() ? otherwise : values.front();
  }

  std::string strip(std::uint32_t at, std::uint32_t size, std::size_t wanted, bool deflated) const {
    if (std::uint64_t(at) + size > bytes_.size()) refuse("is cut off");
    if (!deflated) {
      if (size != wanted) refuse("is damaged: a strip is too short");
      return std::string(bytes_.substr(at, size));
    }
    std::string rows(wanted, '\0');
    uLongf got = uLongf(wanted);
    const int result = uncompress(reinterpret_cast<Bytef*>(rows.data()), &got,
                                  reinterpret_cast<const Bytef*>(bytes_.data() + at), size);
    if (result != Z_OK || got != wanted) refuse("is damaged: a strip does not unpack");
    return rows;
  }

  static void sum_along(std::string& rows, std::size_t row, std::size_t channels,
                        std::size_t bytes) {
    const std::size_t step = channels * bytes;
    for (std::size_t begin = 0; begin < rows.size(); begin += row)
      for (std::size_t i = step; i < row; i += bytes) {
        const std::uint32_t sum = tiff_number(rows, begin + i, int(bytes)) +
                                  tiff_number(rows, begin + i - step, int(bytes));
        for (std::size_t b = 0; b < bytes; ++b)
          rows[begin + i + b] = static_cast<char>(sum >> (8 * b) & 255);
      }
  }

  template <class Sample>
  static void put(const std::string& rows, std::size_t at, std::size_t channels,
                  std::vector<Sample>& pixels) {
    constexpr int bytes = int(sizeof(Sample));
    const std::size_t samples = rows.size() / sizeof(Sample);
    for (std::size_t i = 0; i < samples; ++i) {
      const std::uint32_t bits = tiff_number(rows, i * sizeof(Sample), bytes);
      Sample& sample = pixels[at + i / channels * 4 + i % channels];
      if constexpr (std::is_same_v<Sample, float>)
        sample = std::bit_cast<float>(bits);
      else
        sample = Sample(bits);
    }
  }

  const std::string_view bytes_;
  const std::string name_;
  std::vector<TiffTag> tags_;  // value: where the data or their place are
};

}  // namespace

Image read_tiff(const std::string& path, const ImageLimits& limits) {
  const std::string bytes =
      InputFile(path, limits.opens).read_all(limits.bytes, {}, "raise the limit with --max-memory");
  return TiffReader(bytes, printable_whole(path)).image(limits);
}

PictureFileTexts read_tiff_texts(const ReadBytes& rest, const std::string& name) {
  PictureFileTexts found;
  found.holds_pixels = true;
  const auto get = [&](std::size_t size) {
    std::string bytes(size, '\0');
    std::size_t got = 0;
    while (got < size) {
      const std::size_t more = rest(bytes.data() + got, size - got);
      if (more == 0) break;
      got += more;
    }
    bytes.resize(got);
    return bytes;
  };
  const std::string head = get(4 + own_texts_mark.size() + 4);
  if (head.size() < 4 + own_texts_mark.size() + 4 ||
      head.substr(4, own_texts_mark.size()) != own_texts_mark)
    return found;  // another program's
  const std::size_t size = tiff_number(head, 4 + own_texts_mark.size(), 4);
  if (size > most_tiff_texts)
    fail(ErrorKind::input, "{}: the TIFF has more than 16 MB of text", printable(name, 240));
  const std::string block = get(size);
  if (block.size() != size)
    fail(ErrorKind::input, "{}: the TIFF is cut off; get an undamaged copy", printable(name, 240));
  for (std::size_t at = 0; at < size;) {
    const std::size_t end = block.find('\0', at);
    if (end == block.npos || end + 5 > size) break;
    const std::size_t length = tiff_number(block, end + 1, 4);
    if (length > size - end - 5) break;
    const std::string key = block.substr(at, end - at);
    if (is_kept_text(key)) found.texts.emplace(key, block.substr(end + 5, length));
    at = end + 5 + length;
  }
  // linear light lacks its hits, which were hashed too
  const auto record = found.texts.find(record_key);
  found.holds_pixels =
      record == found.texts.end() || record->second.find("\"bits\":32") == std::string::npos;
  return found;
}

std::string tiff_bytes(const Image& image, const FileTexts& texts, const Saving& saving) {
  std::string all;
  TiffStream tiff([&](const std::string& bytes) { all += bytes; }, image, image.height, texts,
                  saving);
  tiff.add(image);
  const std::string offset = tiff.finish();
  return all.replace(4, offset.size(), offset);
}

void write_tiff(const std::string& path, const Image& image, const FileTexts& texts,
                const Saving& saving) {
  const std::string bytes = tiff_bytes(image, texts, saving);
  AtomicFile file(path, saving.existing);
  file.write(bytes.data(), bytes.size());
  file.commit();
}

std::unique_ptr<PictureRows> tiff_rows(const std::string& path, const Image& first_rows, int height,
                                       const FileTexts& texts, const Saving& saving) {
  return std::make_unique<TiffRows>(path, first_rows, height, texts, saving);
}

}  // namespace kiln
