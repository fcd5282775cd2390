// What a flame needs and kiln does not have. Such a flame has another picture here than its author
// saw, so it is refused (exit code 4), naming all of it; who wants the rest all the same asks for
// it (--approximate), and the picture's record says what it lacks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/model/flame.h"

namespace kiln {

/// `"name"` and index of a flame for messages: `flame 1 "second"`.
std::string flame_label(int index, const std::string& name);

/// `file:line: flame 1 "second" needs variation crackle (xform 1), which kiln does not have`; its
/// line is that of the first thing. The flame lacks at least one.
std::string missing_text(const Flame& flame);

/// Each missing thing once, in the order of the file: "variation crackle".
std::vector<std::string> missing_names(const Flame& flame);

/// An element that kiln does not know may hold the flame: it is missing, once for each name.
void add_unknown_element(std::string_view name, int line, const std::string& place,
                         std::vector<Missing>& missing);

}  // namespace kiln
