// SPDX-License-Identifier: MIT
// Flames of forty different variations are one picture too: for any number of threads, with every
// instruction set, and on a GPU by the interpreter and by kernels of the flame's own.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "engine/io/flame/flame_reader.h"
#include "tests/kernels/one_picture.h"
#include "tests/places.h"

namespace kiln::test {
namespace {

/// The variations of a flame, whatever their forms.
std::set<int> variations_of(const Flame& flame) {
  std::set<int> used;
  const auto add = [&](const Xform& xform) {
    for (std::size_t v = 0; v < xform.variations.size(); ++v)
      if (xform.variations[v] != 0) used.insert(int(v));
    for (const StagedVariation& form : xform.staged) used.insert(form.variation);
  };
  for (const Xform& xform : flame.xforms) add(xform);
  if (flame.final_xform) add(*flame.final_xform);
  return used;
}

class FortyVariations : public testing::TestWithParam<const char*> {};

TEST_P(FortyVariations, AreOnePictureEverywhere) {
  const Flame flame = read_flames(std::string(source_dir()) + "/" + GetParam(), {}).flames.at(0);
  EXPECT_GE(variations_of(flame).size(), 40u);
  expect_one_picture_everywhere(flame);
}

INSTANTIATE_TEST_SUITE_P(Parity, FortyVariations,
                         testing::Values("tests/kernels/forty.flame",
                                         "tests/kernels/forty_deep.flame"));

}  // namespace
}  // namespace kiln::test
