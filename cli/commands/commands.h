// SPDX-License-Identifier: MIT
// The commands. Each function adds one to the program, with its options, its help and what it does.
// docs/reference/cli.md describes them for users.
#pragma once

#include <optional>
#include <string>

#include "cli/options/command.h"
#include "cli/says/console.h"

namespace kiln::cli {

void add_render(Program& program);
void add_animate(Program& program);
void add_info(Program& program);
void add_validate(Program& program);
void add_variations(Program& program);
void add_devices(Program& program);
void add_compare(Program& program);
void add_check(Program& program);
void add_sequence(Program& program);
void add_convert(Program& program);
void add_warm(Program& program);
void add_completion(Program& program);
void add_man(Program& program);
void add_merge(Program& program);
void add_grade(Program& program);
void add_video(Program& program);
void add_view(Program& program);
void add_serve(Program& program);
void add_random(Program& program);
void add_mutate(Program& program);
void add_breed(Program& program);
void add_genome(Program& program);
void add_sheet(Program& program);
void add_find(Program& program);
void add_palettes(Program& program);
void add_diff(Program& program);
void add_verify(Program& program);
void add_selftest(Program& program);
void add_link(Program& program);
void add_gallery(Program& program);
void add_points(Program& program);
void add_layers(Program& program);
void add_light(Program& program);
void add_listen(Program& program);

/// Runs the program of flam3 by whose name kiln is called; its exit code (cli/flam3_names.cpp), or
/// none if it is called by another name.
std::optional<int> run_flam3_name(Program& program, int argc, char** argv);

/// Throws Error (usage) where the value of `option` is no address; none is one.
void check_page_address(const char* option, const std::string& address);

/// All that is known of all variations, as kiln variations --json writes it.
std::string variations_json();

}  // namespace kiln::cli
