// SPDX-License-Identifier: MIT
// Which program a flame comes from, and so what its names and numbers mean. The same attribute means
// different things in flam3, Fractorium (and Ember, its library), Apophysis (and Chaotica's export)
// and JWildfire, and each leaves out other attributes when they have its own usual value.
//
// `version` decides; without one, attributes that only one of the programs writes. `nick` alone is
// none of Apophysis where flam3's own are there: flam3 writes it too. What kiln writes says its
// dialect in kiln_dialect, since a flame keeps its meaning when it is written again.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/flame/attributes.h"
#include "engine/model/flame.h"

namespace kiln {

// Values of parameters that a file leaves out. Fractorium and Apophysis, from whose plug-ins many
// variations are, have others than flam3 for some of flam3's own.

/// The defaults of all parameters, in the order of the registry.
const std::vector<double>& default_parameters(Dialect dialect);

/// The defaults in JWildfire's own files.
const std::vector<double>& jwildfires_parameters();

// What the attributes of <flame> mean where the flame is not flam3's: those that other programs
// alone have and kiln has a counterpart of, the values of those that are left out, and what follows
// from several of them. The rest of what is not flam3's is in unsupported.h.

/// The values that the flame's dialect gives to attributes that a file leaves out.
void set_usual_values(Flame& flame);

/// Sets what JWildfire itself gives beside them, and what kiln's own files say.
void set_jwildfires_usual_values(Flame& flame);

/// Takes an attribute that the flame's dialect has and flam3 lacks; false if it is none.
bool set_dialect_attribute(const Attribute& attribute, const Flame& flame,
                           DeferredAttributes& deferred);

/// Carries out what those attributes order together, once all of the file's are read.
void finish_attributes(const DeferredAttributes& deferred, Flame& flame);

/// Applies the dialect to an xform once all its attributes are read.
void finish_xform(Dialect dialect, Xform& xform);

}  // namespace kiln

namespace tinyxml2 {
class XMLElement;
}

namespace kiln {

inline constexpr const char* dialect_attribute = "kiln_dialect";

struct DialectFound {
  Dialect dialect;
  std::string reason;  // `version "Apophysis 7X"`, `attribute plugins`, or "nothing else is said"
};

/// The dialect of a <flame>, by its attributes and children.
DialectFound dialect_of(const tinyxml2::XMLElement& flame);

/// Whether kiln wrote it: then its numbers and names are kiln's own, whatever its dialect.
bool is_written_by_kiln(const tinyxml2::XMLElement& flame);

/// The number in a version text of JWildfire, 7.3 in "JWildfire V7.30 (27.11.2021)"; 0 where there is none.
double jwildfires_version(const char* version);

/// Whether the element is a flame: <flame>, or JWildfire's <jwf-flame>.
bool is_flame(const tinyxml2::XMLElement& element);

}  // namespace kiln
