// The inputs of a command as files: a folder stands for the flames in it.
#pragma once

#include <string>
#include <vector>

namespace kiln::cli {

/// The inputs with each folder replaced by its .flam3 and .flame files, in the order of their
/// names. Throws Error: kind usage for a folder without any, or for "-" given twice.
std::vector<std::string> expand_inputs(const std::vector<std::string>& inputs);

}  // namespace kiln::cli
