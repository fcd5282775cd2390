#include "engine/program/structure.h"

#include <algorithm>
#include <cmath>

#include "engine/model/variations.h"
#include "kernels/variations/all.h"

namespace kiln {
namespace {

template <class... Vs>
std::vector<bool> pre_flags(VariationList<Vs...>) {
  return {runs_before_others<Vs>...};
}

/// The variations of an xform that are used, those first that run before the others.
std::vector<int> list_of(const std::vector<char>& used) {
  static const std::vector<bool> is_pre = pre_flags(AllVariations{});
  std::vector<int> list;
  for (const bool pre : {true, false}) {
    for (std::size_t v = 0; v < used.size(); ++v) {
      if (used[v] && is_pre[v] == pre) list.push_back(int(v));
    }
  }
  return list;
}

}  // namespace

void StructureFinder::add(const Flame& flame) {
  count_ = std::max(count_, flame.xforms.size());
  if (used_.size() < count_) used_.resize(count_);
  for (std::size_t f = 0; f < flame.xforms.size(); ++f) add(flame.xforms[f], used_[f]);
  if (flame.final_xform) add(*flame.final_xform, final_used_);
  found_.has_final = found_.has_final || flame.final_xform;
  found_.has_xaos = found_.has_xaos || has_xaos(flame);
}

void StructureFinder::add(const XformValues& xform, Used& used) {
  used.resize(std::size_t(variation_count()));
  for (std::size_t v = 0; v < used.size(); ++v) used[v] |= char(xform.variations[v] != 0);
}

Structure StructureFinder::found() {
  found_.xform_count = int(count_);
  found_.variations.clear();
  for (const Used& used : used_) found_.variations.push_back(list_of(used));
  if (found_.has_final) found_.variations.push_back(list_of(final_used_));
  return found_;
}

bool has_xaos(const Flame& flame) {
  for (const Xform& xform : flame.xforms) {
    for (double c : xform.chaos) {
      if (std::fabs(c - 1) > 1e-10) return true;
    }
  }
  return false;
}

Structure folded(const Structure& structure, const SymmetryGroup& group) {
  Structure images = structure;
  images.variations.clear();
  for (const int f : group.others())
    images.variations.insert(images.variations.end(), std::size_t(group.order()),
                             structure.variations[std::size_t(f)]);
  images.xform_count = int(images.variations.size());
  if (structure.has_final) images.variations.push_back(structure.variations.back());
  return images;
}

}  // namespace kiln
