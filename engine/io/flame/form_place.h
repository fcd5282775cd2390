// SPDX-License-Identifier: MIT
// The weights and parameters of an xform's variations by the names that kiln writes: "julian",
// "julian_power", "pre_crop", and of one that comes again "julian.1.", "julian.1._power".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/flame.h"

namespace kiln {

/// The place of that number in the xform, made with usual values where it lacks the form; null where
/// there is no such variation or parameter.
double* form_number(Xform& xform, std::string_view name);

/// The names of a form's parameters, as it is written; nothing where there is no such variation.
std::optional<std::vector<std::string>> form_parameters(std::string_view name);

/// Removes the form; its parameters are the usual ones then. Whether it was there.
bool remove_form(Xform& xform, std::string_view name);

/// The names of the forms that an xform uses, as it is written.
std::vector<std::string> form_names(const Xform& xform);

}  // namespace kiln
