// SPDX-License-Identifier: MIT
// Launches that are many: each block finds out whose it is, and runs with that one's arguments. They are
// arguments of the launch itself, up to 32 KB, so a block reads them as it reads those of a launch alone.
#pragma once

#include "kernels/platform.h"

KILN_BEGIN

/// The arguments of so many, and which blocks are whose.
template <class Item>
struct Many {
  static constexpr int room = 32000;  // of the 32,764 bytes that a launch's arguments may have
  static constexpr int most = room / int(sizeof(Item)) < 64 ? room / int(sizeof(Item)) - 1 : 64;

  Item item[most];
  u32 first[most + 1];  // the first block of each, and the one behind the last
  int count;

  Many() : item{}, first{}, count(0) {}
  bool is_full() const { return count == most; }
  void add(const Item& one, int blocks) {
    item[count] = one;
    first[count + 1] = first[count] + u32(blocks);
    ++count;
  }
  u32 blocks() const { return first[count]; }
};

/// The number of the item that a block works for.
template <class Item>
KILN_FN int item_of(const Many<Item>& many, u32 block) {
  int low = 0;  // first[low] <= block
  for (int left = many.count; left > 1;) {
    const int half = left / 2;
    low += many.first[low + half] <= block ? half : 0;
    left -= half;
  }
  return low;
}

KILN_END

namespace kiln {

/// launch(many, blocks) for items that `each` hands to its argument as (item, blocks), as many at a time as
/// one launch has room for.
template <class Item, class Each, class Launch>
void launch_many(const Each& each, const Launch& launch) {
  Many<Item> many;
  const auto send = [&] {
    if (many.blocks() > 0) launch(many, many.blocks());
    many = {};
  };
  each([&](const Item& item, int blocks) {
    if (many.is_full()) send();
    if (blocks > 0) many.add(item, blocks);
  });
  send();
}

}  // namespace kiln
