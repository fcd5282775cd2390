// SPDX-License-Identifier: MIT
#include "engine/io/picture/picture_record.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/picture/picture_settings.h"
#include "engine/io/picture/png_colors.h"
#include "engine/model/image.h"
#include "engine/model/transfer.h"

namespace kiln {
namespace {

using Json = nlohmann::json;

constexpr std::size_t max_record_bytes = 1 << 16;  // kiln's have less than 1000
constexpr double max_pixel_aspect = 1000;          // as of --pixel-aspect
constexpr std::size_t hash_digits = 64;

using Place = PictureSetting::Place;

constexpr struct {
  const char* name;
  std::string StageHashes::*hash;
} hashed_stages[] = {{"histogram", &StageHashes::histogram},
                     {"light", &StageHashes::light},
                     {"filtered", &StageHashes::filtered}};

constexpr struct {
  const char* key;
  std::string Credits::*text;
} state_credits[] = {{"title", &Credits::title},
                     {"author", &Credits::author},
                     {"copyright", &Credits::copyright},
                     {"source", &Credits::source}};
constexpr std::size_t most_credit_bytes = 4000;  // as check_credit() has it

/// A member that is not what it has to be; the text names it.
struct Misfit {
  std::string text;
};

/// The members of a record, each by its type. A member that is absent keeps its usual value.
class Members {
 public:
  explicit Members(const Json& object) : object_(object) {}

  void read(const char* key, bool& value) const {
    const Json* member = find(key);
    if (!member) return;
    if (!member->is_boolean()) bad(key);
    value = member->get<bool>();
  }
  void read(const char* key, std::uint64_t& value) const {
    const Json* member = find(key);
    if (!member) return;
    if (!member->is_number_unsigned()) bad(key);
    value = member->get<std::uint64_t>();
  }
  void read(const char* key, std::string& value, std::size_t longest) const {
    const Json* member = find(key);
    if (!member) return;
    if (!member->is_string()) bad(key);
    value = member->get<std::string>();
    if (value.size() > longest) bad(key);
  }
  /// One line of text, as check_credit() has it.
  void read_line(const char* key, std::string& value, std::size_t longest) const {
    read(key, value, longest);
    if (printable(value, longest) != value) bad(key);
  }
  /// Reads a list of at most `most` texts.
  void read(const char* key, std::vector<std::string>& values, std::size_t most,
            std::size_t longest) const {
    const Json* member = find(key);
    if (!member) return;
    if (!member->is_array() || member->size() > most) bad(key);
    for (const Json& one : *member) {
      if (!one.is_string() || one.get_ref<const std::string&>().size() > longest) bad(key);
      values.push_back(printable(one.get<std::string>(), longest));
    }
  }
  /// A number between `low` and `high`.
  void read(const char* key, double& value, double low, double high) const {
    const Json* member = find(key);
    if (!member) return;
    if (!member->is_number()) bad(key);
    value = member->get<double>();
    if (!(value >= low && value <= high)) bad(key);
  }
  /// A window as four whole numbers: x, y, width, height.
  void read(const char* key, std::optional<Window>& value) const {
    const Json* member = find(key);
    if (!member) return;
    constexpr std::uint64_t most = 1'000'000;  // a side, as everywhere
    if (!member->is_array() || member->size() != 4) bad(key);
    for (const Json& number : *member)
      if (!number.is_number_unsigned() || number.get<std::uint64_t>() > most) bad(key);
    const auto number = [&](std::size_t i) { return (*member)[i].get<int>(); };
    if (number(2) < 1 || number(3) < 1) bad(key);
    value = Window{number(0), number(1), number(2), number(3)};
  }
  void read(const char* key, StageHashes& stages) const {
    const Json* member = find(key);
    if (!member) return;
    if (!member->is_object()) bad(key);
    for (const auto& stage : hashed_stages)
      Members(*member).read(stage.name, stages.*stage.hash, hash_digits);
  }
  /// The number of one of these words, "half", "float".
  template <class Enum>
  void read_word(const char* key, const std::vector<std::string>& words, Enum& value) const {
    std::string word;
    read(key, word, 64);
    if (!find(key)) return;
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end()) bad(key);
    value = Enum(found - words.begin());
  }
  /// "float,piz".
  void read_packing(const char* key, ExrForm& form) const {
    std::string words;
    read(key, words, 64);
    if (!find(key)) return;
    for (const auto precision : {ExrPrecision::half_float, ExrPrecision::single_float}) {
      for (std::size_t c = 0; c < exr_compressions.size(); ++c) {
        const std::string before = precision == ExrPrecision::half_float ? "half," : "float,";
        if (words != before + exr_compressions[c]) continue;
        form.precision = precision;
        form.compression = ExrCompression(c);
        return;
      }
    }
    bad(key);
  }
  /// A setting of options that are the usual ones otherwise.
  void read(const PictureSetting& setting, RenderOptions& options) const {
    const char* const key = setting.record;
    visit_value(setting, options, [&]<class T>(T& value) {
      if constexpr (std::is_same_v<T, int>) {  // the bits
        double bits = value;
        read(key, bits, 8, 32);
        if (bits != 8 && bits != 16 && bits != 32)
          throw Misfit{"its bits are neither 8, 16 nor 32"};
        value = int(bits);
      } else if constexpr (std::is_same_v<T, PictureSetting::File>) {
        PointSpread of_file;
        read(key, of_file.hash, hash_digits);
        if (!of_file.hash.empty()) value = std::make_shared<const PointSpread>(of_file);
      } else if constexpr (std::is_same_v<T, double>) {
        read(key, value, setting.least, setting.most);
      } else if (setting.has_words()) {
        std::string word;
        read(key, word, 64);
        if (find(key) && !choose(setting, word, options)) bad(key);
      } else if constexpr (!std::is_enum_v<T>) {
        read(key, value);
      }
    });
  }

 private:
  const Json* find(const char* key) const {
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }
  [[noreturn]] static bool bad(const char* key) {
    throw Misfit{fmt::format("its member {} is not what kiln writes", key)};
  }

  const Json& object_;
};

PictureRecord record_from(const Json& object) {
  if (!object.is_object()) throw Misfit{"it is no JSON object"};
  const Members members(object);
  PictureRecord record;
  members.read("kiln", record.version, 64);
  members.read("samples", record.samples);
  for (const PictureSetting& setting : picture_settings())
    if (setting.record) members.read(setting, record.options);
  members.read("pixel_aspect", record.pixel_aspect, 1 / max_pixel_aspect, max_pixel_aspect);
  members.read("stages", record.stages);
  members.read("pixel_hash", record.pixel_hash, hash_digits);
  members.read("approximate", record.approximate, 1000, 200);
  double frame = -1;
  members.read("frame", frame, -0x1p31, 0x1p31 - 1);
  members.read("time", record.time, -1e38, 1e38);
  members.read("frame_digest", record.frame_digest, hash_digits);
  members.read("film_digest", record.film_digest, hash_digits);
  if (object.contains("frame")) record.frame = int(frame);
  members.read_packing("exr", record.exr);
  members.read_word("primaries", primaries_names, record.exr.primaries);
  if (object.contains("hdr_peak"))
    members.read("hdr_peak", record.exr.hdr_peak, hdr_white, most_hdr_peak);
  for (const auto& credit : state_credits)
    members.read_line(credit.key, record.credits.*credit.text, most_credit_bytes);
  members.read("asks_stages", record.asks_stages);
  return record;
}

void add_member(JsonObject& record, const PictureSetting& setting, const RenderOptions& options) {
  visit_value(setting, options, [&]<class T>(const T& value) {
    if constexpr (std::is_same_v<T, std::optional<Window>>)
      record.add_json(setting.record, window_json(*value));
    else if constexpr (std::is_same_v<T, PictureSetting::File>)
      record.add(setting.record, value->hash);
    else if constexpr (std::is_same_v<T, int>)
      record.add(setting.record, value);
    else if (setting.has_words())
      record.add(setting.record, word_of(setting, options));
    else if constexpr (!std::is_enum_v<T>)
      record.add(setting.record, value);
  });
}

std::string said(const PictureSetting& setting, const PictureRecord& record) {
  std::string words = setting.record;
  visit_value(setting, record.options, [&]<class T>(const T& value) {
    if constexpr (std::is_same_v<T, int>)
      words = record.is_linear()
                  ? "linear (" + record.exr.text() + ")"
                  : fmt::format("{} bits{}", value,
                                record.exr.primaries == Primaries::p3 ? ", colors of P3" : "");
    else if (setting.has_words())
      words += std::string(" ") + word_of(setting, record.options);
    else if constexpr (std::is_same_v<T, std::optional<Window>>)
      words += " " + window_text(*value);
    else if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
      words += fmt::format(" {}", value);
  });
  return words;
}

/// Calls use(setting) with those of a place in the record, perhaps without the usual ones.
template <class Use>
void each_in(Place place, const RenderOptions& options, bool usual_ones, Use use) {
  for (const PictureSetting& setting : picture_settings())
    if (setting.record && setting.place == place && (usual_ones || !is_usual(setting, options)))
      use(setting);
}

}  // namespace

std::string stages_json(const StageHashes& stages) {
  JsonObject json;
  for (const auto& stage : hashed_stages) json.add(stage.name, stages.*stage.hash);
  return json.text();
}

bool counts_grain_alone(const Flame& flame) { return flame.is_estimated(); }

const char* counted_noise(const Flame& flame) {
  return counts_grain_alone(flame) ? "grain" : "all";
}

std::string render_record(const Flame& flame, const RenderOptions& options,
                          const RenderStatistics& statistics, const std::string& pixel_hash) {
  JsonObject record;
  const auto add_here = [&](const PictureSetting& setting) {
    add_member(record, setting, options);
  };
  record.add("kiln", KILN_VERSION);
  each_in(Place::first, options, true, add_here);
  each_in(Place::game, options, false, add_here);
  record.add("samples", statistics.samples);
  if (statistics.noise >= 0)
    record.add("noise_percent", 100 * statistics.noise)
        .add("noise_error_percent", 100 * statistics.noise_error)
        .add("noise_counts", counted_noise(flame));
  each_in(Place::depth, options, true, add_here);
  each_in(Place::look, options, true, add_here);
  record.add("pixel_aspect", flame.pixel_aspect);
  each_in(Place::last, options, false, add_here);
  if (!flame.missing.empty()) {
    JsonArray without;
    for (const std::string& name : missing_names(flame)) without.add_json(json_string(name));
    record.add_json("approximate", without.text());
  }
  if (!statistics.stages.histogram.empty())
    record.add_json("stages", stages_json(statistics.stages));
  return record.add("pixel_hash", pixel_hash).text();
}

std::string record_of_state(const std::string& record, const ExrForm& form, const Credits& credits,
                            bool asks_stages) {
  JsonObject more;
  const ExrForm usual;
  if (form.precision != usual.precision || form.compression != usual.compression)
    more.add("exr", std::string(form.precision == ExrPrecision::single_float ? "float," : "half,") +
                        exr_compressions[std::size_t(form.compression)]);
  if (form.primaries != usual.primaries)
    more.add("primaries", primaries_names[std::size_t(form.primaries)]);
  if (form.hdr_peak > 0) more.add("hdr_peak", form.hdr_peak);
  for (const auto& credit : state_credits)
    if (!(credits.*credit.text).empty()) more.add(credit.key, credits.*credit.text);
  if (asks_stages) more.add("asks_stages", true);
  const std::string text = more.text();
  if (text == "{}") return record;
  return record.substr(0, record.size() - 1) + "," + text.substr(1);
}

std::optional<PictureRecord> parse_picture_record(
    std::string_view json, const std::string& name,
    const std::function<void(const std::string&)>& warn) {
  std::string reason;
  try {
    if (json.size() > max_record_bytes) throw Misfit{"it is longer than 64 KiB"};
    const Json object = Json::parse(json, nullptr, false);
    if (object.is_discarded()) throw Misfit{"it is not JSON"};
    return record_from(object);
  } catch (const Misfit& misfit) {
    reason = misfit.text;
  } catch (const Json::exception&) {
    reason = "it is not JSON";
  }
  if (warn) {
    warn(
        fmt::format("{}: its {} cannot be used: {}; the usual settings hold, give others as "
                    "options (--seed, --bits ...)",
                    printable(name, 240), record_key, reason));
  }
  return std::nullopt;
}

RenderOptions repeated(const PictureRecord& record, RenderOptions options) {
  const int bits = record.is_linear() ? options.bits : record.options.bits;
  for (const PictureSetting& setting : picture_settings())
    if (setting.record && !setting.is_file()) copy_setting(setting, record.options, options);
  options.bits = bits;
  return options;
}

std::string in_words(const PictureRecord& record) {
  std::vector<std::string> words;
  const auto say = [&](const PictureSetting& setting) { words.push_back(said(setting, record)); };
  each_in(Place::first, record.options, true, say);
  each_in(Place::depth, record.options, true, say);
  each_in(Place::look, record.options, false, say);
  if (record.pixel_aspect != 1) words.push_back("pixel aspect " + shortest(record.pixel_aspect));
  each_in(Place::game, record.options, false, say);
  each_in(Place::last, record.options, false, say);
  return joined(words, ", ");
}

bool is_kept_text(std::string_view key) {
  constexpr std::string_view kept[] = {genome_key, record_key, "flam3_nickname", "flam3_url",
                                       "Title",    "Author",   "Copyright",      "Source"};
  return std::find(std::begin(kept), std::end(kept), key) != std::end(kept);
}

std::string psf_hash(const RenderOptions& options) {
  return options.psf ? options.psf->hash : std::string();
}

namespace {

// of one text, packed or not: a 1 MB chunk can hold 1 GB of zeros
constexpr std::size_t max_text_bytes = 16u << 20;

std::uint32_t big_endian(const char* bytes) {
  const auto byte = [&](int i) { return std::uint32_t(static_cast<unsigned char>(bytes[i])); };
  return byte(0) << 24 | byte(1) << 16 | byte(2) << 8 | byte(3);
}

class PngReader {
 public:
  PngReader(const ReadBytes& read, const std::string& name)
      : read_(read), name_(printable(name, 240)) {}

  /// The file is read to its end.
  PngTexts texts() {
    PngTexts found;
    bool first = true;
    double peak = 0;
    for (Chunk chunk = next(); chunk.type != "IEND"; chunk = next()) {
      if (first) check_header(chunk);
      first = false;
      if (chunk.type == "IDAT") found.has_pixels = true;
      if (chunk.type == "cICP") found.form = form_of_cicp(chunk.data).value_or(ExrForm{});
      if (chunk.type == "mDCV") peak = peak_of_mdcv(chunk.data);
      read_text(chunk, found.texts);
    }
    if (found.form.hdr_peak > 0 && peak >= hdr_white && peak <= most_hdr_peak)
      found.form.hdr_peak = peak;
    char behind;
    found.ends_there = read_(&behind, 1) == 0;
    return found;
  }

 private:
  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    fail(ErrorKind::input, "{}: {}", name_, fmt::format(format, std::forward<Args>(args)...));
  }

  struct Chunk {
    std::string type;
    std::string data;  // of IHDR, of colors and of text chunks only
  };

  void fill(char* buffer, std::size_t count) {
    if (read_(buffer, count) != count) refuse("the PNG file is cut off; get an undamaged copy");
  }

  Chunk next() {
    std::array<char, 8> head;
    fill(head.data(), head.size());
    std::uint32_t left = big_endian(head.data());
    Chunk chunk{std::string(head.data() + 4, 4), {}};
    const bool letters = std::all_of(chunk.type.begin(), chunk.type.end(), [](char c) {
      return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    });
    if (!letters || left > 0x7FFFFFFF) refuse("the PNG file is damaged: this is no chunk");
    const bool text = chunk.type == "tEXt" || chunk.type == "zTXt" || chunk.type == "iTXt";
    const bool keep = text || chunk.type == "IHDR" || chunk.type == "cICP" || chunk.type == "mDCV";
    if (keep && left > max_text_bytes) refuse("a text in the PNG file is larger than 16 MB");

    auto checksum = crc32(0, reinterpret_cast<const Bytef*>(head.data() + 4), 4);
    std::array<char, 1 << 14> piece;
    while (left > 0) {
      const std::size_t count = std::min<std::size_t>(left, piece.size());
      fill(piece.data(), count);
      checksum = crc32(checksum, reinterpret_cast<const Bytef*>(piece.data()), uInt(count));
      if (keep) chunk.data.append(piece.data(), count);
      left -= std::uint32_t(count);
    }
    std::array<char, 4> stored;
    fill(stored.data(), stored.size());
    if (big_endian(stored.data()) != checksum)
      refuse("the PNG file is damaged: checksum of chunk {} is wrong", chunk.type);
    return chunk;
  }

  void check_header(const Chunk& chunk) const {
    if (chunk.type != "IHDR" || chunk.data.size() != 13)
      refuse("the PNG file is damaged: it has no header");
    const std::uint32_t width = big_endian(chunk.data.data()),
                        height = big_endian(chunk.data.data() + 4);
    if (width == 0 || height == 0 || width > 0x7FFFFFFF || height > 0x7FFFFFFF)
      refuse("the PNG file is damaged: its size is {} x {}", width, height);
  }

  void read_text(const Chunk& chunk, PictureTexts& texts) const {
    const std::string_view keyword =
        std::string_view(chunk.data).substr(0, std::min(chunk.data.find('\0'), chunk.data.size()));
    if (!is_kept_text(keyword)) return;
    if (texts.contains(keyword)) return;
    if (std::optional<std::string> text = text_in(chunk)) texts.emplace(keyword, *std::move(text));
  }

  // tEXt: keyword 0 text. zTXt: keyword 0 method packed. iTXt: keyword 0 packed? method language 0
  // translation 0 text.
  std::optional<std::string> text_in(const Chunk& chunk) const {
    const std::size_t end = chunk.data.find('\0');
    if (end == std::string::npos) return std::nullopt;
    std::string_view rest = std::string_view(chunk.data).substr(end + 1);
    if (chunk.type == "tEXt") return std::string(rest);
    if (chunk.type == "zTXt") {
      if (rest.empty() || rest[0] != 0) refuse("a text is packed in an unknown way");
      return unpack(rest.substr(1));
    }
    if (chunk.type != "iTXt") return std::nullopt;
    if (rest.size() < 2) refuse("a text chunk is damaged");
    const bool packed = rest[0] != 0;
    if (packed && rest[1] != 0) refuse("a text is packed in an unknown way");
    rest.remove_prefix(2);
    for (int part = 0; part < 2; ++part) {  // language, translated keyword
      const std::size_t stop = rest.find('\0');
      if (stop == rest.npos) refuse("a text chunk is damaged");
      rest.remove_prefix(stop + 1);
    }
    return packed ? unpack(rest) : std::string(rest);
  }

  std::string unpack(std::string_view packed) const {
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) fail(ErrorKind::device, "{}: zlib could not start", name_);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = uInt(packed.size());
    std::string text;
    int status = Z_OK;
    std::array<char, 1 << 14> piece;
    while (status == Z_OK && text.size() <= max_text_bytes) {
      stream.next_out = reinterpret_cast<Bytef*>(piece.data());
      stream.avail_out = uInt(piece.size());
      status = inflate(&stream, Z_NO_FLUSH);
      text.append(piece.data(), piece.size() - stream.avail_out);
    }
    inflateEnd(&stream);
    if (text.size() > max_text_bytes) refuse("a text unpacks to more than 16 MB");
    if (status != Z_STREAM_END) refuse("a packed text is damaged");
    return text;
  }

  const ReadBytes& read_;
  std::string name_;
};

}  // namespace

PngTexts read_png_texts(const ReadBytes& read, const std::string& name) {
  return PngReader(read, name).texts();
}

}  // namespace kiln
