// SPDX-License-Identifier: MIT
// The parts of a flame in the public header: engine/io/flame/flame_parts.h has them.
#include "engine/api/api_impl.h"
#include "engine/base/sha256.h"
#include "engine/base/text.h"
#include "engine/io/flame/flame_diff.h"
#include "engine/io/flame/flame_parts.h"
#include "engine/io/flame/genome_writer.h"

namespace kiln {

Scene::Scene() : impl_(std::make_unique<Impl>(Impl{empty_flame(), true})) {}

std::string Scene::get(const std::string& part) const {
  return guarded([&] { return part_text(impl_->flame, part); });
}

std::vector<double> Scene::numbers(const std::string& part) const {
  return guarded([&] { return part_numbers(impl_->flame, part); });
}

void Scene::set_numbers(const std::string& part, const std::vector<double>& numbers) {
  guarded([&] {
    set_part_numbers(impl_->flame, part, numbers);
    impl_->edited |= !part.starts_with("palette");
  });
}

std::vector<std::string> Scene::names(const std::string& of) const {
  return guarded([&] { return part_names(impl_->flame, of); });
}

int Scene::count(const std::string& of) const { return part_count(impl_->flame, of); }

void Scene::insert(const std::string& at, const std::string& element) {
  guarded([&] { insert_part(impl_->flame, at, element); });
  impl_->edited = true;
}

void Scene::remove(const std::string& at) {
  guarded([&] { remove_part(impl_->flame, at); });
  impl_->edited = true;
}

void Scene::move(const std::string& at, int to) {
  guarded([&] { move_part(impl_->flame, at, to); });
  impl_->edited = true;
}

std::string Scene::digest() const {
  return guarded([&] {
    const std::string all = genome_xml(impl_->flame) + shortest(impl_->flame.pixel_aspect);
    Sha256 sha;
    sha.add(all.data(), all.size());
    return sha.hex();
  });
}

std::vector<std::string> differences(const Scene& a, const Scene& b) {
  return guarded([&] { return in_words(diff_flames(a.impl().flame, b.impl().flame)); });
}

std::string differences_json(const Scene& a, const Scene& b) {
  return guarded([&] { return diff_json(diff_flames(a.impl().flame, b.impl().flame)); });
}

}  // namespace kiln
