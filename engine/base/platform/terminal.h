// SPDX-License-Identifier: MIT
// The program's streams, and the terminal that they may be.
#pragma once

namespace kiln {

/// Opens the three streams, which take bytes as they are: before anything is opened, said or read.
void open_standard_streams();
/// Drops all that is written to standard output from now on.
void silence_standard_output();

/// Whether shells leave patterns of file names (*.flam3) to the program.
bool must_expand_patterns();

bool is_terminal(int descriptor);
/// Whether "\r" and "\x1b[K" go back and erase there.
bool rewrites_lines(int descriptor);
/// Columns of the terminal; 0: there is none, or it does not say.
int terminal_columns(int descriptor);

}  // namespace kiln
