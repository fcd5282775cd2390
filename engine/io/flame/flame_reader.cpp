#include "engine/io/flame/flame_reader.h"

#include "engine/base/printable.h"
#include "engine/io/flame/attribute_reader.h"
#include "engine/io/file/input_file.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/state/state_format.h"
#include "engine/io/state/state_reader.h"
#include "engine/io/flame/xml_flames.h"

namespace kiln {
namespace {

/// Who made a picture, where flam3 wrote it into a chunk of its own.
void take_credit(const PictureTexts& texts, std::string_view key, std::string& field) {
  const auto text = texts.find(key);
  if (field.empty() && text != texts.end()) field = printable(text->second, max_credit_bytes);
}

/// How a picture was made; what it lacks is said again when it is repeated.
void take_record(const std::string& text, FlameFile& file) {
  file.record = parse_picture_record(text, file.name, [&](const std::string& warning) {
    file.warnings.push_back({-1, warning, "", false});
  });
  if (!file.record) return;
  for (Flame& flame : file.flames)
    for (const std::string& name : file.record->approximate)
      flame.missing.push_back({name, "says the record", 0});
}

/// The flames of a picture that carries them, and how it was made.
FlameFile from_picture(const PictureTexts& texts, const std::string& name,
                       const ReaderOptions& options) {
  const auto genome = texts.find(genome_key);
  if (genome == texts.end())
    fail(ErrorKind::input,
         "{}: the picture carries no flame (no text {}); give the .flam3 file it was made from",
         printable(name, 240), genome_key);
  if (genome->second.size() > options.max_input_bytes)
    fail(ErrorKind::input,
         "{}: its genome is larger than {} bytes; raise the limit with --max-input",
         printable(name, 240), options.max_input_bytes);
  FlameFile file = read_xml_flames(genome->second, name + "(genome)", options);
  file.name = name;
  if (const auto record = texts.find(record_key); record != texts.end())
    take_record(record->second, file);
  for (Flame& flame : file.flames) {
    take_credit(texts, "flam3_nickname", flame.nick);
    take_credit(texts, "flam3_url", flame.url);
    if (file.record) flame.pixel_aspect = file.record->pixel_aspect;
  }
  return file;
}

/// `before`, then what `read` gives.
ReadBytes after(std::string_view before, const ReadBytes& read) {
  return [before, read](char* buffer, std::size_t count) mutable {
    const std::size_t kept = before.copy(buffer, count);
    before.remove_prefix(kept);
    return kept + (kept < count ? read(buffer + kept, count - kept) : 0);
  };
}

/// The flames of a file that begins with `start`, if that is the beginning of a picture.
std::optional<FlameFile> from_picture_file(std::string_view start, const ReadBytes& rest,
                                           const std::string& name, const ReaderOptions& options) {
  if (const PictureFormat* format = format_beginning(start)) {
    const PictureFileTexts said =
        format->read_texts(after(start.substr(format->signature.size()), rest), name);
    FlameFile file = from_picture(said.texts, name, options);
    if (file.record) file.record->single_float = format->linear && said.holds_pixels;
    return file;
  }
  if (start.starts_with(state_signature)) {
    const ReadBytes state = after(start.substr(state_signature.size()), rest);
    return from_picture(read_state_texts(state, name), name, options);
  }
  return {};
}

FlameFile told(FlameFile file, const ReaderOptions& options) {
  if (options.warn)
    tell(
        file, [](int) { return true; }, Use::stills, options.warn);
  return file;
}

}  // namespace

FlameFile read_flames(const std::string& path_or_dash, const ReaderOptions& options) {
  InputFile file(path_or_dash, options.only_regular_files ? InputFile::Opens::regular_files
                                                          : InputFile::Opens::anything);
  const ReadBytes read = [&](char* buffer, std::size_t count) { return file.read(buffer, count); };
  std::string start(png_signature.size(), '\0');
  start.resize(file.read(start.data(), start.size()));
  if (std::optional<FlameFile> picture = from_picture_file(start, read, file.name(), options))
    return told(*std::move(picture), options);
  return told(read_xml_flames(file.read_all(options.max_input_bytes, std::move(start)), file.name(),
                              options),
              options);
}

FlameFile parse_flames(std::string_view bytes, const std::string& name,
                       const ReaderOptions& options) {
  const ReadBytes nothing = [](char*, std::size_t) { return std::size_t(0); };
  if (std::optional<FlameFile> picture = from_picture_file(bytes, nothing, name, options))
    return told(*std::move(picture), options);
  if (bytes.size() > options.max_input_bytes)
    fail(ErrorKind::input,
         "{}: is larger than {} bytes; raise the limit with --max-input if it is meant to be",
         printable(name, 240), options.max_input_bytes);
  return told(read_xml_flames(bytes, name, options), options);
}

}  // namespace kiln
