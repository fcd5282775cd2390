// SPDX-License-Identifier: MIT
#include "engine/animation/frame_manifest.h"

#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/base/sha256.h"
#include "engine/base/text.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/file/input_file.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/picture_record.h"

namespace kiln {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::string_view first_line = "# kiln frames 1", words_mark = "# made by\t";
constexpr std::uint64_t most_bytes = std::uint64_t(256) << 20;  // a million frames
constexpr std::size_t hash_digits = 64;

fs::path folder_of(const std::string& manifest) {
  return fs::absolute(manifest).lexically_normal().parent_path();
}

/// A line of a manifest, with its place for messages.
struct Line {
  const std::string& file;
  std::size_t number;
  std::string_view text;

  [[noreturn]] void refuse(const char* what) const {
    fail(ErrorKind::input, "{}:{}: {}; kiln animate --manifest writes such lists",
         printable_whole(file), number, what);
  }
  template <class Number>
  Number value(std::string_view digits) const {
    Number number{};
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (end.ec != std::errc() || end.ptr != digits.data() + digits.size())
      refuse("a frame or a time is no number");
    return number;
  }
  std::string hash(std::string_view digits) const {
    if (digits.size() != hash_digits ||
        digits.find_first_not_of("0123456789abcdef") != std::string_view::npos)
      refuse("a hash is not of 64 hex digits");
    return std::string(digits);
  }
};

std::vector<std::string> words_of(const Line& line) {
  const Json array = Json::parse(line.text.substr(words_mark.size()), nullptr, false);
  std::vector<std::string> words;
  if (!array.is_array()) line.refuse("the command line is no list of words");
  for (const Json& word : array) {
    if (!word.is_string()) line.refuse("the command line is no list of words");
    words.push_back(word.get<std::string>());
  }
  return words;
}

ManifestRow row_of(const Line& line) {
  std::vector<std::string_view> fields;
  std::string_view rest = line.text;
  for (std::size_t tab; (tab = rest.find('\t')) != std::string_view::npos;) {
    fields.push_back(rest.substr(0, tab));
    rest.remove_prefix(tab + 1);
  }
  fields.push_back(rest);
  if (fields.size() != 6 || rest.empty()) line.refuse("it does not have six fields");
  return {{line.value<int>(fields[0]), line.value<double>(fields[1])},
          line.hash(fields[2]),
          line.hash(fields[3]),
          line.hash(fields[4]),
          std::string(rest)};
}

constexpr const char* digest_key = "frame_digest";

/// `"frame_digest":"..."` as it stands in a record.
std::string digest_member(const std::string& digest) {
  const std::string object = JsonObject().add(digest_key, digest).text();
  return object.substr(1, object.size() - 2);
}

}  // namespace

std::optional<ManifestRow> manifest_row(const std::string& path, const FrameTime& frame,
                                        const std::string& manifest) {
  try {
    const PictureFileTexts file = read_picture_texts(path);
    const auto text = file.texts.find(record_key);
    if (text == file.texts.end() || !file.ends_there) return {};
    const auto record = parse_picture_record(text->second, path, nullptr);
    if (!record) return {};
    const fs::path named = fs::absolute(path).lexically_normal();
    return ManifestRow{frame, record->pixel_hash, record->frame_digest, file_hash(path),
                       named.lexically_proximate(folder_of(manifest)).generic_string()};
  } catch (const Error&) {  // not there, cut off, damaged
    return {};
  }
}

void write_manifest(const std::string& path, const FrameManifest& manifest) {
  JsonArray words;
  for (const std::string& word : manifest.words) words.add_json(json_string(word));
  std::string text =
      fmt::format("{}\n{}{}\n# frame\ttime\tpixel_hash\tframe_digest\tsha256\tfile\n", first_line,
                  words_mark, words.text());
  for (const ManifestRow& row : manifest.rows) {
    if (row.file.find_first_of("\t\n\r") != std::string::npos)
      fail(ErrorKind::usage, "{}: --manifest needs names without tabs and ends of lines",
           printable_whole(row.file));
    text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", row.frame.number, shortest(row.frame.time),
                        row.pixel_hash, row.frame_digest, row.sha256, row.file);
  }
  AtomicFile file(path);
  file.write(text.data(), text.size());
  file.commit();
}

FrameManifest read_manifest(const std::string& path) {
  InputFile file(path);
  std::string start(first_line.size(), '\0');
  start.resize(file.read(start.data(), start.size()));
  if (start != first_line) Line{path, 1, {}}.refuse("this is no list of frames");
  const std::string text =
      file.read_all(most_bytes, std::move(start), "several --manifest may name a part each");
  FrameManifest manifest;
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const Line line{path, ++number, std::string_view(text).substr(at, end - at)};
    at = end + 1;
    if (number == 1 && line.text != first_line) line.refuse("this is no list of frames");
    if (line.text.starts_with(words_mark)) manifest.words = words_of(line);
    if (!line.text.empty() && line.text.front() != '#') manifest.rows.push_back(row_of(line));
  }
  return manifest;
}

std::string path_of(const ManifestRow& row, const std::string& manifest) {
  return (fs::path(manifest).parent_path() / row.file).lexically_normal().string();
}

std::string animation_digest(const FilmKeys& keys, const RenderOptions& options) {
  Sha256 sha;
  const auto add = [&](const std::string& text) { sha.add(text.c_str(), text.size() + 1); };
  add(render_record(keys.front(), options, RenderStatistics{}, ""));
  keys.each([&](const Flame& key) {
    if (!key.sound) return add(genome_xml(key));
    Flame of_no_folder = key;  // a song is known by its bytes, wherever it lies
    of_no_folder.sound->file.clear();
    add(genome_xml(of_no_folder));
  });
  return sha.hex();
}

std::string frame_digest(const std::string& animation_digest, const FrameTime& frame) {
  const std::string text =
      fmt::format("{} {} {}", animation_digest, frame.number, shortest(frame.time));
  Sha256 sha;
  sha.add(text.data(), text.size());
  return sha.hex();
}

FrameDigests::FrameDigests(const KeyFrames& film, const RenderOptions& options)
    : film_(film),
      animation_(animation_digest(film.keys, options)),
      is_cleaned_(is_cleaned(film.keys)) {}

std::string FrameDigests::of(const FrameTime& frame) const {
  std::string of_all = animation_;
  if (is_cleaned_)
    for (const FrameTime& one : frames_around(film_.frames, frame))
      of_all += fmt::format(" {} {}", one.number, shortest(one.time));
  return frame_digest(of_all, frame);
}

std::string frame_record(const std::string& record, const FrameTime& frame,
                         const std::string& digest, const std::string& animation_digest) {
  const std::string members = JsonObject()
                                  .add("frame", frame.number)
                                  .add("time", frame.time)
                                  .add("film_digest", animation_digest)
                                  .text();
  return record.substr(0, record.size() - 1) + "," + members.substr(1, members.size() - 2) + "," +
         digest_member(digest) + "}";
}

bool is_frame(const std::string& path, const std::string& digest) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  try {
    const PictureFileTexts file = read_picture_texts(path);
    const auto record = file.texts.find(record_key);
    return file.is_whole && record != file.texts.end() &&
           record->second.find(digest_member(digest)) != std::string::npos;
  } catch (const Error&) {  // cut off, damaged, unreadable: to be made again
    return false;
  }
}

}  // namespace kiln
