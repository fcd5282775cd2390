#include "engine/io/picture_record.h"

#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/base/printable.h"
#include "engine/base/text.h"
#include "engine/io/missing.h"
#include "engine/model/crop.h"

namespace kiln {
namespace {

using Json = nlohmann::json;

constexpr std::size_t max_record_bytes = 1 << 16;  // kiln's have less than 1000
constexpr double max_pixel_aspect = 1000;          // as of --pixel-aspect

/// A member that is not what it has to be; the text names it.
struct Misfit {
  std::string text;
};

/// The members of a record, each by its type. A member that is absent keeps its usual value.
class Members {
 public:
  explicit Members(const Json& object) : object_(object) {}

  void take(const char* key, bool& value) const {
    const Json* member = find(key);
    if (!member) return;
    if (!member->is_boolean()) bad(key);
    value = member->get<bool>();
  }
  void take(const char* key, std::uint64_t& value) const {
    const Json* member = find(key);
    if (!member) return;
    if (!member->is_number_unsigned()) bad(key);
    value = member->get<std::uint64_t>();
  }
  void take(const char* key, std::string& value, std::size_t longest) const {
    const Json* member = find(key);
    if (!member) return;
    if (!member->is_string()) bad(key);
    value = member->get<std::string>();
    if (value.size() > longest) bad(key);
  }
  /// At most `most` texts.
  void take(const char* key, std::vector<std::string>& values, std::size_t most,
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
  void take(const char* key, double& value, double low, double high) const {
    const Json* member = find(key);
    if (!member) return;
    if (!member->is_number()) bad(key);
    value = member->get<double>();
    if (!(value >= low && value <= high)) bad(key);
  }
  /// A window as four whole numbers: x, y, width, height.
  void take(const char* key, std::optional<Window>& value) const {
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
  /// The place of a word in a list, 0 if there is no such member.
  int choice(const char* key, std::initializer_list<std::string_view> words) const {
    const Json* member = find(key);
    if (!member) return 0;
    if (!member->is_string()) bad(key);
    int place = 0;
    for (const std::string_view word : words) {
      if (member->get_ref<const std::string&>() == word) return place;
      ++place;
    }
    bad(key);
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
  constexpr std::size_t hash_digits = 64;
  const Members members(object);
  PictureRecord record;
  members.take("kiln", record.version, 64);
  members.take("seed", record.seed);
  members.take("samples", record.samples);
  if (members.choice("strategy", {"permutation", "divergent"}) == 1) record.game = Game::divergent;
  if (members.choice("rng", {"philox", "mtgp32"}) == 1) record.game = Game::mtgp32;
  double bits = 8, frame = -1;
  members.take("bits", bits, 8, 32);
  if (bits != 8 && bits != 16 && bits != 32) throw Misfit{"its bits are neither 8, 16 nor 32"};
  record.bits = int(bits);
  members.take("transparent", record.transparent);
  members.take("earlyclip", record.earlyclip);
  record.compat_flam3 = members.choice("compat", {"none", "flam3"}) == 1;
  record.exact_density = members.choice("de", {"fast", "exact"}) == 1;
  members.take("pixel_aspect", record.pixel_aspect, 1 / max_pixel_aspect, max_pixel_aspect);
  members.take("psf", record.psf_hash, hash_digits);
  members.take("crop", record.crop);
  members.take("pixel_hash", record.pixel_hash, hash_digits);
  members.take("approximate", record.approximate, 1000, 200);
  members.take("frame", frame, -0x1p31, 0x1p31 - 1);
  members.take("time", record.time, -1e38, 1e38);
  members.take("frame_digest", record.frame_digest, hash_digits);
  if (object.contains("frame")) record.frame = int(frame);
  return record;
}

}  // namespace

std::string render_record(const Flame& flame, const RenderOptions& options,
                          const RenderStatistics& statistics, const std::string& pixel_hash) {
  JsonObject record;
  record.add("kiln", KILN_VERSION).add("seed", options.seed);
  if (options.game == Game::divergent) record.add("strategy", "divergent");
  if (options.game == Game::mtgp32) record.add("rng", "mtgp32");
  record.add("samples", statistics.samples);
  if (statistics.noise >= 0)
    record.add("noise_percent", 100 * statistics.noise)
        .add("noise_error_percent", 100 * statistics.noise_error);
  record.add("bits", options.bits)
      .add("transparent", options.transparent)
      .add("earlyclip", options.earlyclip)
      .add("compat", options.compat_flam3 ? "flam3" : "none")
      .add("de", options.exact_density ? "exact" : "fast")
      .add("pixel_aspect", flame.pixel_aspect);
  if (options.psf) record.add("psf", options.psf->hash);
  if (options.crop) record.add_json("crop", window_json(*options.crop));
  if (!flame.missing.empty()) {
    JsonArray without;
    for (const std::string& name : missing_names(flame)) without.add_json(json_string(name));
    record.add_json("approximate", without.text());
  }
  return record.add("pixel_hash", pixel_hash).text();
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
  options.seed = record.seed;
  options.game = record.game;
  if (record.bits != 32) options.bits = record.bits;
  options.transparent = record.transparent;
  options.earlyclip = record.earlyclip;
  options.compat_flam3 = record.compat_flam3;
  options.exact_density = record.exact_density;
  options.crop = record.crop;
  return options;
}

std::string in_words(const PictureRecord& record) {
  std::string words = fmt::format("seed {}", record.seed);
  words += record.bits != 32     ? fmt::format(", {} bits", record.bits)
           : record.single_float ? ", linear (float)"
                                 : ", linear (half)";
  const auto add = [&](bool holds, const std::string& word) {
    if (holds) words += ", " + word;
  };
  add(record.transparent, "transparent");
  add(record.earlyclip, "earlyclip");
  add(record.compat_flam3, "compat flam3");
  add(record.exact_density, "de exact");
  add(record.pixel_aspect != 1, "pixel aspect " + shortest(record.pixel_aspect));
  add(record.game == Game::divergent, "strategy divergent");
  add(record.game == Game::mtgp32, "rng mtgp32");
  add(!record.psf_hash.empty(), "psf");
  if (record.crop) add(true, "crop " + window_text(*record.crop));
  return words;
}

}  // namespace kiln
