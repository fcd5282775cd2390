// SPDX-License-Identifier: MIT
#include "engine/render/plan/burn_in_memory.h"

#include <cmath>
#include <cstring>

#include "engine/base/sha256.h"

namespace kiln {

extern const char
    burn_in_rule[];  // a digest of the sources of rule and arithmetic: burn_in_rule.cmake

namespace {

constexpr std::size_t steps_at = sizeof(double), record_bytes = steps_at + sizeof(std::uint32_t);

std::vector<char> bytes_of(const TimeSampleBurnIn& known) {
  std::vector<char> bytes(record_bytes);
  std::memcpy(bytes.data(), &known.first_look, sizeof known.first_look);
  std::memcpy(bytes.data() + steps_at, &known.forgotten, sizeof known.forgotten);
  return bytes;
}
std::optional<TimeSampleBurnIn> burn_in_in(const std::vector<char>& bytes) {
  if (bytes.size() != record_bytes) return std::nullopt;
  TimeSampleBurnIn known;
  std::memcpy(&known.first_look, bytes.data(), sizeof known.first_look);
  std::memcpy(&known.forgotten, bytes.data() + steps_at, sizeof known.forgotten);
  const bool possible = known.first_look >= 0 && std::isfinite(known.first_look) &&
                        known.forgotten <= most_burn_in_steps;
  return possible ? std::optional(known) : std::nullopt;
}

}  // namespace

BurnInMemory& BurnInMemory::shared() {
  static BurnInMemory memory(default_cache_folder("burn-in"));
  return memory;
}

std::optional<TimeSampleBurnIn> BurnInMemory::recall(const std::string& key) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
  }
  const std::optional<CachedKernels> file = disk_.load(key);
  const std::optional<TimeSampleBurnIn> known = file ? burn_in_in(file->cubin) : std::nullopt;
  if (known) keep(key, *known, false);
  return known;
}

void BurnInMemory::keep(const std::string& key, const TimeSampleBurnIn& known, bool on_disk) {
  {
    const std::lock_guard lock(mutex_);
    if (known_.size() >= most_known) known_.clear();
    known_[key] = known;
  }
  if (on_disk) disk_.store(key, {bytes_of(known), {}});
}

std::string burn_in_key(const CompiledFlame& flame, std::size_t time_sample) {
  const Program& program = flame.program;
  Sha256 digest;
  digest.add(burn_in_rule, std::strlen(burn_in_rule));
  const i32 numbers[] = {program.xform_count, program.copy_count, program.share_stride,
                         program.has_xaos,    program.extended,   program.has_z,
                         program.fine};
  digest.add(numbers, sizeof numbers);
  const auto add = [&](const auto& all, std::size_t first, i32 count) {
    if (!all.empty()) digest.add(all.data() + first, std::size_t(count) * sizeof all[0]);
  };
  // of the final xform, which moves no point, the terms alone come in; no type here has padding
  add(flame.xforms, time_sample * std::size_t(program.xform_stride), program.xform_count);
  add(flame.cumulative, time_sample * std::size_t(program.share_stride), program.share_stride);
  add(flame.symmetry, time_sample * std::size_t(program.copy_count), program.copy_count);
  add(flame.terms, 0, i32(flame.terms.size()));
  add(flame.parameters, 0, i32(flame.parameters.size()));
  add(flame.fine_xforms, time_sample * std::size_t(program.xform_stride), program.xform_count);
  add(flame.fine_terms, 0, i32(flame.fine_terms.size()));
  return digest.hex();
}

}  // namespace kiln
