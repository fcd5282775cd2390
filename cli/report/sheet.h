// SPDX-License-Identifier: MIT
// A wall of small pictures: as one picture, or as a page for a browser that has all in one file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/flock/flock.h"
#include "engine/model/flame.h"

namespace kiln::cli {

/// A flame and its small picture.
struct SheetEntry {
  std::string file;
  Flame flame;  // as it is in the file
  Image image;
  Look look;
  std::string png = {};  // the picture as a file, for sheet_page()
};

/// An entry that is like one before it: "the same flame as", "looks like" or "nearly looks like" it.
struct Twin {
  std::size_t of = 0;
  const char* how = "";  // empty: it is like none
};
/// One for each entry.
std::vector<Twin> twins_of(const std::vector<SheetEntry>& entries);

/// The order of "file", "name", "brightness", "color", "similarity" or "xforms".
std::vector<std::size_t> sheet_order(const std::vector<SheetEntry>& entries, std::string_view by);

/// Cells of this size, with the pictures in their middles, on dark gray. Throws Error (usage) where that
/// is more than a picture can have.
Image sheet_picture(const std::vector<SheetEntry>& entries, const std::vector<std::size_t>& order,
                    int width, int height, int columns);

/// One HTML file: lazy, with search, orders, keys and each flame's XML.
std::string sheet_page(const std::string& title, const std::vector<SheetEntry>& entries,
                       const std::vector<std::size_t>& order, std::string_view by);

}  // namespace kiln::cli
