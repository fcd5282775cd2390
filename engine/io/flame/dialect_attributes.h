// What the attributes of <flame> mean where the flame is not flam3's: those that other programs
// alone have and kiln has a counterpart of, the values of those that are left out, and what follows
// from several of them. The rest of what is not flam3's is in foreign_attributes.h.
#pragma once

#include "engine/io/flame/attribute_reader.h"

namespace kiln {

/// The values that the flame's dialect gives to attributes that a file leaves out.
void set_usual_values(Flame& flame);

/// Takes an attribute that the flame's dialect has and flam3 lacks; false if it is none.
bool take_dialect_attribute(const Attribute& attribute, const Flame& flame, FlameOrders& orders);

/// Carries out what those attributes order together, once all of the file's are read.
void finish_attributes(const FlameOrders& orders, Flame& flame);

/// What the dialect makes of an xform once all its attributes are read.
void finish_xform(Dialect dialect, Xform& xform);

}  // namespace kiln
