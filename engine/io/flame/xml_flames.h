// The flames of an XML text.
#pragma once

#include <string>
#include <string_view>

#include "engine/io/flame/flame_reader.h"

namespace kiln {

/// `name` stands for the file in messages. Throws Error: kind input, or unsupported where a flame
/// needs what kiln does not have.
FlameFile read_xml_flames(std::string_view xml, const std::string& name,
                          const ReaderOptions& options);

}  // namespace kiln
