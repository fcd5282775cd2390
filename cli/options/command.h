// SPDX-License-Identifier: MIT
// The words of the command line: commands, their options in groups, and the help that follows from
// them. CLI11 takes the arguments apart; its header is included by program.cpp alone, because every
// file with it takes twenty seconds to compile. What a value means is decided here, the same for
// all options: decimal numbers, no empty values, every error with the option's name and the remedy.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/option_value.h"

namespace CLI {
class App;
}

namespace kiln::cli {

/// One option or argument of a command as help, manual and completion show it.
struct OptionText {
  std::string group, names, type, help;  // names: "-o,--output"; type: "N", "a|b|c"
  bool is_flag = false, is_input = false, is_required = false, is_list = false;

  /// "-o", "--output".
  std::vector<std::string> all_names() const;
  /// The words of a choice, or those that fit; none for another type.
  std::vector<std::string> choices() const;
  std::vector<std::string> suggested;
};

class Command {
 public:
  Command(std::string name, std::string description);
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  const std::string& name() const { return name_; }
  const std::string& description() const { return description_; }
  /// All options and arguments, in the order of the help, which groups them.
  std::vector<OptionText> options() const;
  const std::vector<std::string>& example_lines() const { return examples_; }
  /// The headings of the help, in their order.
  std::vector<std::string> groups() const;
  /// "kiln render IN... [options]".
  std::string usage() const;

  /// The options that follow stand under this heading of the help.
  void group(const char* heading);

  /// Arguments without a name, in the order of the calls.
  void input(const char* name, std::string& value, const char* help, bool required = true);
  /// One of a few words, which the help shows as "a|b|c".
  void input_choice(const char* name, std::initializer_list<const char*> words, std::string& value,
                    const char* help);
  void inputs(const char* name, std::vector<std::string>& values, const char* help,
              bool required = true);

  // Options with a value; `type` stands for it in the help. A value that cannot be read is wrong
  // usage. Given twice, the last one counts.
  void text(const char* names, const char* type, std::string& value, const char* help);
  void text(const char* names, const char* type, std::optional<std::string>& value,
            const char* help);
  void number(const char* names, const char* type, double& value, const char* help,
              Range range = {});
  /// `bare`: the value of the option alone, where no number follows.
  void number(const char* names, const char* type, std::optional<double>& value, const char* help,
              Range range = {}, const char* bare = "");
  void whole(const char* names, const char* type, int& value, const char* help, Range range = {});
  void whole(const char* names, const char* type, std::optional<int>& value, const char* help,
             Range range = {});
  void seed(const char* names, std::uint64_t& value, const char* help);
  /// A size such as 512M or 8G, in bytes.
  void bytes(const char* names, std::uint64_t& value, const char* help);
  /// One of a few words, which the help shows as "a|b|c".
  void choice(const char* names, std::initializer_list<const char*> words, std::string& value,
              const char* help);
  /// May be given several times; every value is kept.
  void texts(const char* names, const char* type, std::vector<std::string>& values,
             const char* help);
  /// `set` gets the text and throws Error (usage) for one that it cannot read.
  void value(const char* names, const char* type, std::function<void(const std::string&)> set,
             const char* help);
  /// The same, given as often as wanted.
  void list(const char* names, const char* type, std::function<void(const std::string&)> set,
            const char* help);
  void flag(const char* names, bool& value, const char* help);

  /// The option has to be given.
  void require(const char* option);
  /// The two options (names with their dashes) may not be given together.
  void exclude(const char* one, const char* other);
  /// `option` means something only beside `other`.
  void need(const char* option, const char* other);

  /// `option` names a file that is read, which no output of the command may replace; arguments of inputs() do
  /// so anyway. `file` gives the file's name where the value says more; `otherwise` is read where no value is
  /// given.
  void reads(const char* option, std::string (*file)(const std::string& value) = nullptr,
             std::string otherwise = "");

  /// Words that a shell may complete the option or argument to, though it takes others too.
  void suggest(const char* option, std::vector<std::string> words);
  /// "kiln render rose.flam3   # what it does"; stand below the options of the help.
  void examples(std::initializer_list<const char*> lines);
  /// What the command does; its result is the exit code.
  void runs(std::function<int()> body);

  /// Whether the option was on the command line (after parsing).
  bool given(const char* option) const;
  /// The options of the command line (after parsing) as words, but for these.
  std::vector<std::string> given_options(std::initializer_list<const char*> but) const;
  /// What stood behind the command's name (after parsing).
  const std::vector<std::string>& words() const { return words_; }
  /// The files that the arguments and options say to read (after parsing).
  std::vector<std::string> files_read() const;
  /// The help, `width` columns wide.
  std::string help(int width) const;

 private:
  friend class Program;
  struct Entry;
  Entry& add(const char* names, const char* type, const char* help);
  const Entry* find(const std::string& option) const;
  Entry* find(const std::string& option);
  std::vector<std::string> option_names() const;
  /// The checks between the options, then every value into its place. Throws Error (usage).
  void read_values();

  const std::string name_, description_;
  std::string group_;
  std::vector<std::unique_ptr<Entry>> entries_;
  std::vector<std::string> examples_, words_;
  std::function<int()> body_;
};

/// The files_read() of the command line that was read last.
const std::vector<std::string>& files_of_command_line();

/// Version and what this build has, as a JSON object (version.cpp).
std::string version_json();

/// All commands.
class Program {
 public:
  Program(const char* description, const char* version);

  Command& command(const char* name, const char* description);
  void examples(std::initializer_list<const char*> lines);
  const std::string& description() const { return description_; }
  const std::string& version() const { return version_; }
  const std::vector<std::unique_ptr<Command>>& commands() const { return commands_; }
  const std::vector<std::string>& example_lines() const { return examples_; }
  /// The command of this name; throws Error (usage) with the nearest one.
  const Command& named(const std::string& name) const;
  /// Reads the command line and runs the command. Wrong usage is an Error of kind usage.
  int run(int argc, char** argv);
  /// The command of these words, all its values taken, but not run; null where they ask for help.
  Command* read(const std::vector<std::string>& words) const;

 private:
  std::string help(int width) const;
  int show_version(const std::vector<std::string>& words) const;
  int show_help(const std::vector<std::string>& words) const;
  const Command* find(const std::string& name) const;
  [[noreturn]] void refuse_command(const std::string& word) const;
  static void add_to_parser(Command::Entry& entry, CLI::App& parser);
  static void complete_bare(const Command::Entry& entry, std::vector<std::string>& words);
  [[noreturn]] static void refuse_extra(const Command& command, const std::string& word);
  /// Puts the words into the command's entries; false if the help was asked for.
  static bool read_arguments(Command& command, std::vector<std::string> words);

  const std::string description_, version_;
  std::vector<std::unique_ptr<Command>> commands_;
  std::vector<std::string> examples_;
};

// One option or argument of a command: shared by command.cpp, which says what it means, and
// program.cpp, which finds it on the command line.

/// An option or argument: its text, what was given for it, and where a value goes.
struct Command::Entry : OptionText {
  std::vector<std::string> values;              // as on the command line
  std::string bare;                             // the value where no number follows; empty: none
  int count = 0;                                // how often it was given
  std::function<void(const std::string&)> set;  // called with each value that counts
  std::vector<std::string> excluded, needed;
  bool is_read = false;                          // the values name files that are read
  std::string (*file)(const std::string&) = {};  // the name in a value; null: all of it
  std::string otherwise;                         // the file that is read without a value, if any

  /// The name for messages: the long one.
  std::string label() const {
    const std::size_t comma = names.rfind(',');
    return comma == std::string::npos ? names : names.substr(comma + 1);
  }
  bool has_name(const std::string& name) const {
    const std::string list = "," + names + ",";
    return list.find("," + name + ",") != std::string::npos;
  }
};

}  // namespace kiln::cli
