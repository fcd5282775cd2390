// SPDX-License-Identifier: MIT
// Frame lists, chunks, templates of names and the texts of option values. A line each.
#include <cstring>

#include "cli/options/option_value.h"
#include "engine/animation/frame_at.h"
#include "engine/base/text.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/effects_text.h"
#include "engine/io/flame/flame_options.h"
#include "tests/fuzz/fuzz.h"

using namespace kiln;

namespace {

void check_frames(const std::string& list, const std::string& part) {
  const std::vector<FrameTime> all = frame_times(-3, 40, 1);
  std::vector<FrameTime> frames = all;
  fuzz::answered([&] { frames = select_frames(all, list); });
  fuzz::expect(!frames.empty() && frames.size() <= all.size(), "some of the frames", list);
  for (std::size_t i = 1; i < frames.size(); ++i)
    fuzz::expect(frames[i].number > frames[i - 1].number, "frames are in order", list);
  Chunk chunk;
  const auto variable = [&](const char* name) {
    return std::strstr(name, "MIN") ? "1" : std::strstr(name, "MAX") ? "9" : part.c_str();
  };
  if (!fuzz::answered([&] { chunk = parse_chunk(part, variable); }) &&
      !fuzz::answered([&] { chunk = parse_chunk("auto", variable); }))
    return;
  std::size_t together = 0;
  for (int i = 1; i <= std::min(chunk.count, 100); ++i)
    together += chunk_of(frames, {i, std::min(chunk.count, 100)}).size();
  fuzz::expect(together == frames.size(), "all chunks are all frames", part);
  chunk_of(frames, chunk);
}

void check_times(const std::string& text) {
  fuzz::answered([&] {
    const double begin = cli::number_value("--begin", text);
    const auto frames = frame_times(begin, begin + 1000, 0.5);
    fuzz::expect(!frames.empty() && frames.size() <= 2001, "as many frames as there are times");
  });
}

void check_names(const std::string& pattern, const std::string& name) {
  const std::string safe = safe_file_name(name);
  fuzz::expect(!safe.empty() && safe != "." && safe != ".." && safe.size() <= 140 &&
                   safe.find('/') == std::string::npos && safe.find('\0') == std::string::npos,
               "a name stays in its folder", name);
  fuzz::answered([&] { expand_template(pattern, {input_stem(name), name, 3, 42}); });
  fuzz::answered([&] {
    const std::string path = expand_template("{name}{index}.png", {"s", name, 3, 42});
    fuzz::expect(path.find('/') == std::string::npos && path.size() <= 255, "a plain name", path);
  });
}

void check_values(const std::string& text) {
  using namespace cli;
  fuzz::answered([&] { number_value("--x", text); });
  fuzz::answered([&] { whole_value("--x", text); });
  fuzz::answered([&] { seed_value("--x", text); });
  fuzz::answered([&] { fuzz::expect(bytes_value("--x", text) > 0, "a size is above 0", text); });
  fuzz::answered([&] {
    const Size size = size_value("--x", text);
    fuzz::expect(size.width > 0 && size.height > 0, "a size is above 0", text);
  });
  fuzz::answered([&] { point_value("--x", text); });
  fuzz::answered([&] { window_value("--x", text); });
  fuzz::answered([&] { color_value("--x", text); });
  fuzz::answered([&] {
    Effects effects;
    const std::vector<double> numbers = option_numbers("--x", text, 1);
    set_bloom(effects.bloom, numbers);
    set_glare(effects.glare, numbers);
  });
  parse_byte_size(text);
  printable_whole(text);
  json_string(text);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const std::string first(input.line()), second(input.line());
  check_frames(first, second);
  check_times(first);
  check_names(first, second);
  check_values(first);
  return 0;
}
