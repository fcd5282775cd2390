#include "engine/animation/frame_record.h"

#include <filesystem>

#include "engine/base/error.h"
#include "engine/base/sha256.h"
#include "engine/base/text.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/picture_record.h"

namespace kiln {
namespace {

constexpr const char* digest_key = "frame_digest";

/// `"frame_digest":"..."` as it stands in a record.
std::string digest_member(const std::string& digest) {
  const std::string object = JsonObject().add(digest_key, digest).text();
  return object.substr(1, object.size() - 2);
}

}  // namespace

std::string animation_digest(const std::vector<Flame>& keys, const RenderOptions& options) {
  Sha256 sha;
  const auto add = [&](const std::string& text) { sha.add(text.c_str(), text.size() + 1); };
  add(render_record(keys.front(), options, RenderStatistics{}, ""));
  for (const Flame& key : keys) add(genome_xml(key));
  return sha.hex();
}

std::string frame_digest(const std::string& animation_digest, const FrameTime& frame) {
  const std::string text =
      fmt::format("{} {} {}", animation_digest, frame.number, shortest(frame.time));
  Sha256 sha;
  sha.add(text.data(), text.size());
  return sha.hex();
}

std::string frame_record(const std::string& record, const FrameTime& frame,
                         const std::string& digest) {
  const std::string members =
      JsonObject().add("frame", frame.number).add("time", frame.time).text();
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
