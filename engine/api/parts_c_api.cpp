// SPDX-License-Identifier: MIT
// The parts of a flame in C.
#include <algorithm>

#include "engine/api/kiln_c_api.h"
#include "engine/render/light_at.h"

using namespace kiln::c_api;

namespace {

/// Runs `make`, whose text belongs to the scenes until the next call.
template <class Make>
kiln_status said_of(kiln_scenes* scenes, const char** result, const char* name, Make make) {
  return status_of([&] {
    const char*& said = at(result, name);
    at(scenes, "scenes").said = make();
    said = scenes->said.c_str();
  });
}

std::string in_lines(const std::vector<std::string>& words, const char* between) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : between) + word;
  return all;
}

}  // namespace

kiln_status kiln_new_scenes(kiln_scenes** scenes) {
  return made(scenes, "scenes", [] { return kiln_scenes{{kiln::Scene()}, {}}; });
}
kiln_status kiln_copy_scene(const kiln_scenes* scenes, int index, kiln_scenes** copy) {
  return made(copy, "copy", [&] { return kiln_scenes{{scene_at(scenes, index)}, {}}; });
}
kiln_status kiln_get(kiln_scenes* scenes, int index, const char* part, const char** value) {
  return said_of(scenes, value, "value",
                 [&] { return scene_at(scenes, index).get(text(part, "part")); });
}
kiln_status kiln_get_numbers(const kiln_scenes* scenes, int index, const char* part,
                             double* numbers, int most, int* count) {
  return status_of([&] {
    int& there = at(count, "count");
    require(numbers || most <= 0, "numbers is NULL");
    const std::vector<double> all = scene_at(scenes, index).numbers(text(part, "part"));
    there = static_cast<int>(all.size());
    std::copy_n(all.data(), std::clamp(most, 0, there), numbers);
  });
}
kiln_status kiln_set_numbers(kiln_scenes* scenes, int index, const char* part,
                             const double* numbers, int count) {
  return status_of([&] {
    require(count >= 0, "count is below 0");
    require(numbers || count == 0, "numbers is NULL");
    scene_at(scenes, index)
        .set_numbers(text(part, "part"), std::vector<double>(numbers, numbers + count));
  });
}
kiln_status kiln_names(kiln_scenes* scenes, int index, const char* of, const char** names) {
  return said_of(scenes, names, "names",
                 [&] { return in_lines(scene_at(scenes, index).names(text(of, "of")), " "); });
}
kiln_status kiln_count(const kiln_scenes* scenes, int index, const char* of, int* count) {
  return status_of([&] {
    int& there = at(count, "count");
    there = scene_at(scenes, index).count(text(of, "of"));
  });
}
kiln_status kiln_insert(kiln_scenes* scenes, int index, const char* place, const char* element) {
  return status_of(
      [&] { scene_at(scenes, index).insert(text(place, "at"), element ? element : ""); });
}
kiln_status kiln_remove(kiln_scenes* scenes, int index, const char* place) {
  return status_of([&] { scene_at(scenes, index).remove(text(place, "at")); });
}
kiln_status kiln_move(kiln_scenes* scenes, int index, const char* place, int to) {
  return status_of([&] { scene_at(scenes, index).move(text(place, "at"), to); });
}
kiln_status kiln_save_points(const kiln_scenes* scenes, int index, const char* path, uint64_t count,
                             uint64_t seed, int inside, int threads) {
  return status_of([&] {
    kiln::PointOptions options;
    options.count = count;
    options.seed = seed;
    options.inside = inside != 0;
    options.threads = threads;
    kiln::save_points(scene_at(scenes, index), text(path, "path"), options);
  });
}
kiln_status kiln_light_at(kiln_scenes* scenes, int index, double x, double y, double radius,
                          uint64_t seed, int threads, const char** json) {
  return said_of(scenes, json, "json", [&] {
    kiln::LightOptions options;
    options.x = x;
    options.y = y;
    options.radius = radius;
    options.seed = seed;
    options.threads = threads;
    return kiln::light_json(kiln::light_at(scene_at(scenes, index), options));
  });
}
kiln_status kiln_digest(kiln_scenes* scenes, int index, const char** digest) {
  return said_of(scenes, digest, "digest", [&] { return scene_at(scenes, index).digest(); });
}
kiln_status kiln_differences(kiln_scenes* a, int index_a, const kiln_scenes* b, int index_b,
                             int json, const char** differences) {
  return said_of(a, differences, "differences", [&] {
    const kiln::Scene &first = scene_at(a, index_a), &second = scene_at(b, index_b);
    return json ? kiln::differences_json(first, second)
                : in_lines(kiln::differences(first, second), "\n");
  });
}
