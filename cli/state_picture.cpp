#include "cli/state_picture.h"

#include "engine/base/error.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/picture/picture_record.h"
#include "engine/io/picture/picture_settings.h"
#include "engine/io/state/state_reader.h"
#include "engine/measure/halves.h"
#include "engine/model/flame_attributes.h"
#include "engine/render/prepared_frame.h"

namespace kiln::cli {
namespace {

/// What decides the picture beside the sums, as text. What decides the sums is left out: they say
/// themselves whether they are alike.
std::string look_of(const Flame& flame, const PictureRecord& record) {
  Flame look;
  for (const FlameAttribute& attribute : flame_attributes())
    if (attribute.has(FlameAttribute::look)) copy_attribute(attribute, flame, look);
  PictureRecord settings = record;
  for (const PictureSetting& setting : picture_settings())
    if (setting.decides != PictureSetting::Decides::pixels)
      copy_setting(setting, {}, settings.options);
  settings.options.seed = 0;
  return genome_xml(look) + in_words(settings);
}

}  // namespace

Compared read_compared_state(const std::string& path, std::uint64_t most_bytes) {
  const FlameFile file = read_flames(path, {});
  const PictureRecord record = file.record.value_or(PictureRecord{});
  if (record.options.psf)
    fail(
        ErrorKind::usage,
        "{}: was made with a --psf of which it has only the hash; kiln grade makes its picture, to "
        "be compared",
        printable_whole(path));
  RenderOptions options = repeated(record, {});
  options.backend = Backend::cpu;
  options.linear = record.is_linear();
  Frame frame{file.flames.at(0), {}, {}, 0};
  Keeping keeping;
  keeping.sums = read_state(path, most_bytes);
  keeping.only_look = true;
  frame.gutter = int(keeping.sums.shape.gutter);
  Compared state{path, {}, {}, look_of(frame.flame, record)};
  const bool has_both = keeping.sums.shape.halves && keeping.sums.done.contains({0, 2});
  if (has_both) state.light = light_of_sums(keeping.sums);
  try {
    state.picture = *Renderer(options).render(prepare(frame, options), keeping, nullptr);
  } catch (const Error& error) {
    fail(error.kind, "{}: {}", printable_whole(path), error.what());
  }
  return state;
}

}  // namespace kiln::cli
