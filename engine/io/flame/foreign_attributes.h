// Attributes that other programs write and flam3 does not know. Some describe the work in an
// editor and leave the picture alone; some change the picture unless they have a neutral value, and
// a flame with such a one needs what kiln does not have. flam3 ignores both without a word, so this
// list decides what is refused: it names only what is known to change pictures.
#pragma once

#include <string_view>

#include "engine/model/flame.h"

namespace kiln {

enum class Foreign {
  unknown,   // of no program that is known here
  harmless,  // does not change the picture: editor data, or a neutral value
  missing    // changes the picture, and kiln cannot do it
};

/// What an attribute of <flame> that flam3 does not know is.
Foreign foreign_in_flame(std::string_view name, std::string_view value, Dialect dialect);

/// The same in <xform>, <finalxform> and <motion>; variations and their parameters are not looked
/// at here.
Foreign foreign_in_xform(std::string_view name, std::string_view value);

/// Whether an attribute of <flame> is of the camera in three dimensions, without which the picture
/// is another one.
bool is_camera(std::string_view name);

}  // namespace kiln
