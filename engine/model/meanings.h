// SPDX-License-Identifier: MIT
// What a program means by a name that others have too. kiln has each meaning under a name of its
// own (kernels/variations/plugin_meanings.h), so that a flame keeps it when it is written again; here
// is which of them a flame's program means, and the numbers that a formula of kiln needs to be
// another program's.
//
// Fractorium's own meanings came one after the other, and its programs can be switched to flam3's;
// a file does not say whether they were. Its files of version 1.0 mean flam3's.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "engine/model/flame.h"
#include "engine/model/variations.h"

namespace kiln {

// pre_ and post_ forms of several flames side by side.

/// The form that `like` is, at the same stage of the same variation; of several of these the one of number `use`. Put
/// behind the others with weight 0 and the default parameters where there is none.
StagedVariation& staged_form(std::vector<StagedVariation>& forms, const StagedVariation& like,
                             int use = 0);

/// The number of a form among those at the same stage of the same variation.
int use_of(const std::vector<StagedVariation>& forms, std::size_t index);

/// The program whose meaning counts where several have a name.
enum class Meaning { flam3, fractorium_as_flam3, fractorium, apophysis, jwildfire };

struct NameRules {
  Meaning meaning = Meaning::flam3;
  std::array<int, 3> version = {9999, 0, 0};  // of Fractorium
  bool may_show_depth = false;                // whether the picture may show depth
};

/// The first of Fractorium's versions after 1.0: from then on it may mean something of its own.
inline constexpr std::array<int, 3> first_own_version = {21, 0, 0};

/// The form that is meant by the name of `form`; itself where nobody disagrees.
NamedForm meant_by(const NamedForm& form, const NameRules& rules);

/// Whether Fractorium's programs, switched to flam3's meaning, mean something else by that name.
bool may_mean_flam3s(int variation, const NameRules& rules);

/// Changes the weight and the parameters (of the variation, registry order) of a form to those with
/// which kiln's formula is the program's.
void convert(int variation, Stage stage, const NameRules& rules, double& weight,
             double* parameters);

/// A variation of flam3's that others give more parameters, which make it another one.
struct Extension {
  int base, extended;  // with the parameters of the base first
  int first, last;     // the parameters that make the difference, unless they are `neutral`
  double neutral;

  bool decides(int parameter) const { return parameter >= first && parameter <= last; }
};

/// The extension that makes an extended variation; nothing for others.
std::optional<Extension> extension_to(int extended);

}  // namespace kiln
