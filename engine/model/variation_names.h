// Names of variations and parameters as files of several programs have them: with or without capital
// letters, with pre_ and post_, and by other names that mean the same. kiln writes the names of
// kernels/variations/.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/flame.h"

namespace kiln {

/// A form of a variation.
struct NamedForm {
  Stage stage = Stage::regular;
  int variation = 0;
};

/// A parameter of a form.
struct NamedParameter {
  Stage stage = Stage::regular;
  int variation = 0;
  int parameter = 0;  // of the variation
};

/// "swirl", "Mobius", "pre_crop", "linear3D", "bwraps7"; nothing for what kiln does not have.
std::optional<NamedForm> find_form(std::string_view name);

/// "blob_low", "Re_A", "post_crop_left", "pre_bwraps7_gain".
std::optional<NamedParameter> find_form_parameter(std::string_view name);

/// "pre_crop": as kiln writes a form.
std::string form_name(Stage stage, int variation);

/// "pre_crop_left".
std::string form_parameter_name(Stage stage, int variation, int parameter);

/// What other programs call a variation, in small letters: "linear3d"; forms among them
/// ("pre_gaussian_blur").
std::vector<std::string> other_names(int variation);

/// Small letters of ASCII.
std::string in_small_letters(std::string_view text);

}  // namespace kiln
