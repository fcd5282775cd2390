// SPDX-License-Identifier: MIT
#include "engine/live/named_numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/model/formula.h"
#include "engine/model/track_target.h"

namespace kiln {
namespace {

constexpr std::string_view root = "/kiln/";
constexpr int most_xforms = 4096;

struct Bound {
  TrackTarget target;
  std::vector<double> value;
};

Bound bound(const Flame& flame, const NamedNumber& number) {
  const std::string address = address_of(number.xform, number.name);
  std::optional<TrackTarget> target = find_track_target(number.xform, number.name);
  if (!target)
    fail(ErrorKind::usage, "{}: nothing of a flame that can be moved has this name",
         printable_whole(address));
  if (!has_xform(flame, number.xform))
    fail(ErrorKind::usage, "{}: the flame has {} xforms{}", address, flame.xforms.size(),
         flame.final_xform ? " and a final one" : " and no final one");
  std::vector<double> value = number.value;
  if (value.size() < target->least || value.size() > target->most)
    fail(ErrorKind::usage, "{}: has {} numbers, not {}", address, target->least, value.size());
  const double low = target->above ? target->low + least_above : target->low;
  for (double& one : value) {
    if (!std::isfinite(one)) fail(ErrorKind::usage, "{}: is no finite number", address);
    one = std::clamp(one, low, target->high);
    if (!target->words.empty()) one = std::floor(one);
  }
  const double words = double(target->words.size());
  if (!target->words.empty() && !(value[0] >= 0 && value[0] < words))
    fail(ErrorKind::usage, "{}: is the place of a word, from 0 to {}", address, words - 1);
  return {*std::move(target), std::move(value)};
}

}  // namespace

std::string address_of(int xform, std::string_view name) {
  const std::string owner = xform == track_of_flame   ? ""
                            : xform == track_of_final ? "final/"
                                                      : fmt::format("xform/{}/", xform + 1);
  return fmt::format("{}{}{}", root, owner, name);
}

std::optional<NamedNumber> number_at(std::string_view address) {
  if (!address.starts_with(root)) return std::nullopt;
  std::string_view rest = address.substr(root.size());
  NamedNumber number;
  if (rest.starts_with("final/")) {
    number.xform = track_of_final;
    rest.remove_prefix(6);
  } else if (rest.starts_with("xform/")) {
    rest.remove_prefix(6);
    int place = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), place);
    const auto digits = std::size_t(end - rest.data());
    if (error != std::errc() || place < 1 || place > most_xforms || digits >= rest.size() ||
        rest[digits] != '/')
      return std::nullopt;
    number.xform = place - 1;
    rest.remove_prefix(digits + 1);
  }
  const auto target = find_track_target(number.xform, rest);
  if (!target) return std::nullopt;
  number.name = target->name;
  return number;
}

void put_numbers(Flame& flame, const std::vector<NamedNumber>& numbers) {
  const FormulaNames names(flame);
  std::vector<Bound> all;
  for (const NamedNumber& number : numbers) all.push_back(bound(flame, number));
  for (const Bound& one : all) one.target.put(flame, one.value);
}

std::vector<NamedNumber> ChangedNumbers::since_last(const Flame& flame) {
  const FormulaNames formulas(flame);
  std::vector<NamedNumber> changed;
  const auto look = [&](int xform, std::string text) {
    std::string& before = texts_[xform];
    if (before == text) return;
    before = std::move(text);
    for (const std::string& name : track_target_names(xform)) {
      const auto target = find_track_target(xform, name);
      if (!target || target->name != name) continue;
      std::vector<double> value = target->get(flame);
      std::vector<double>& known = values_[address_of(xform, name)];
      if (known == value) continue;
      known = value;
      if (has_begun_) changed.push_back({xform, name, std::move(value)});
    }
  };
  Flame alone = flame;
  alone.xforms.clear();
  alone.final_xform.reset();
  alone.time = 0;
  look(track_of_flame, brief_genome_xml(alone, BriefPalette::none));
  for (std::size_t i = 0; i < flame.xforms.size(); ++i)
    look(int(i), xform_xml(flame.xforms[i], false));
  if (flame.final_xform) look(track_of_final, xform_xml(*flame.final_xform, true));
  has_begun_ = true;
  return changed;
}

}  // namespace kiln
