// SPDX-License-Identifier: MIT
// Other programs: found, started with pipes to them, told to end, waited for; and the time of this one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// Seconds that this thread has had of a processor, or by a clock that ticks as finely.
double thread_seconds();

/// The number of this process; a child of fork() has another.
int process_id();

/// A program to be started and its surroundings; streams without another end lead nowhere.
struct ChildProgram {
  std::vector<std::string> command;  // the first word is where the program is
  bool is_fed = false;               // there is a pipe to its standard input
  bool is_heard = false;             // and from its standard output
  int file = -1;                     // what it has as descriptor child_file, too; -1: none
  bool is_helper = true;             // dies with the thread that starts it; Ctrl-C is not for it
  int niceness = 0;
};
constexpr int child_file = 3;

/// The name by which a child writes what it has as descriptor `number`, which is called `path` here.
std::string name_in_child(const std::string& path, int number);

class Child {
 public:
  /// Throws std::system_error. A program that is not there ends with exit code 127.
  explicit Child(const ChildProgram& program);
  /// Kills it, unless its end was waited for, and closes the pipes that nobody has taken.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// The parent's end of a pipe, at the first call; the caller closes it. Complaints are always heard.
  int take_input() { return take(input_); }
  int take_output() { return take(output_); }
  int take_errors() { return take(errors_); }

  /// Asks it to end; it may finish or undo first what is under way.
  void ask_to_end();

  struct End {
    bool by_signal;
    int code;  // exit code or signal
    bool is_well() const { return !by_signal && code == 0; }
  };
  /// The end of its program; none if it still runs and is not to be waited for.
  std::optional<End> wait(bool patiently = true);

 private:
  static int take(int& end);

  int input_ = -1, output_ = -1, errors_ = -1;
  long long process_ = 0;  // 0: its end is known
};

/// Writes all of it into a child's input; false: it reads no more. Also in a program that dies of broken pipes.
bool feed(int pipe, const char* from, std::size_t bytes);

/// Keeps a descriptor, or a handle of Windows, from being open in programs that are started.
void keep_from_children(long long handle);

/// Full path of a program that is installed; empty: it is not.
std::string find_program(const char* name);
/// The path by which Child starts this very program.
std::string own_program();

/// Whether there is a screen for show_file().
bool has_screen();
/// Asks the desktop to show a file; what goes wrong there is not our business.
void show_file(const std::string& path);

/// A library that is loaded while the program runs; null, and why. `for_all`: libraries that it loads in turn look for
/// its names among those that all see.
void* open_library(const std::string& path, std::string& reason, bool for_all = false);
/// The file of a library that is loaded, and the one that has this very function: the program, or a library in another
/// program. Empty if nothing says so.
std::string file_of_library(void* library);
std::string file_of_this_code();
/// Sets a variable of the environment for all that this process loads or starts from now on.
void set_variable(const char* name, const std::string& value);
/// The address of a library's symbol; null if it has none of that name.
void* symbol_of(void* library, const char* name);

}  // namespace kiln
