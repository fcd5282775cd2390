// The program's streams, and the terminal that they may be.
#pragma once

namespace kiln {

/// Before anything is opened, said or read: the three streams are open, and take bytes as they are.
void open_standard_streams();
/// What is written to standard output goes nowhere from now on.
void silence_standard_output();

/// Whether shells leave patterns of file names (*.flam3) to the program.
bool must_expand_patterns();

bool is_terminal(int descriptor);
/// Whether "\r" and "\x1b[K" go back and erase there.
bool rewrites_lines(int descriptor);
/// Of the terminal; 0: it has none, or does not say.
int terminal_columns(int descriptor);

}  // namespace kiln
