// SPDX-License-Identifier: MIT
// The commands together, and how the command line becomes one of them.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "cli/options/command.h"
#include "cli/options/help_text.h"
#include "cli/says/console.h"
#include "engine/base/error.h"
#include "engine/base/text.h"

namespace kiln::cli {

Program::Program(const char* description, const char* version)
    : description_(description), version_(version) {}

Command& Program::command(const char* name, const char* description) {
  Command& command = *commands_.emplace_back(std::make_unique<Command>(name, description));
  command.group("Input");
  return command;
}

void Program::examples(std::initializer_list<const char*> lines) {
  examples_.assign(lines.begin(), lines.end());
}

const Command* Program::find(const std::string& name) const {
  const auto found = std::find_if(commands_.begin(), commands_.end(),
                                  [&](const auto& command) { return command->name() == name; });
  return found == commands_.end() ? nullptr : found->get();
}

std::string Program::help(int width) const {
  std::vector<HelpRow> rows;
  for (const auto& command : commands_) rows.push_back({command->name(), command->description()});
  rows.push_back({"help [COMMAND]", "Show the options of a command"});
  return wrapped(description_, width, 0, 0) + "\n\nUsage: kiln COMMAND [arguments] [options]\n\n" +
         help_list("Commands", rows, width) + "\n" + help_examples(examples_) +
         "\nEach command has its own help: kiln render --help, or kiln help render\n";
}

void Program::refuse_command(const std::string& word) const {
  std::error_code ignored;
  if (std::filesystem::exists(word, ignored)) {
    fail(ErrorKind::usage, "\"{}\" is a file, not a command; to render it: kiln render {}",
         printable_whole(word), printable_whole(word));
  }
  std::vector<std::string> names = {"help"};
  for (const auto& command : commands_) names.push_back(command->name());
  fail(ErrorKind::usage, "unknown {} \"{}\"{}; kiln --help lists the commands",
       word.rfind('-', 0) == 0 ? "option" : "command", printable_whole(word),
       did_you_mean(word, names));
}

const Command& Program::named(const std::string& name) const {
  const Command* command = find(name);
  if (!command) refuse_command(name);
  return *command;
}

int Program::show_help(const std::vector<std::string>& words) const {
  if (words == std::vector<std::string>{"attributes"}) {
    print("{}", attributes_help(help_width()));
    return 0;
  }
  const Command* command = words.empty() ? nullptr : find(words.front());
  if (!words.empty() && !command) refuse_command(words.front());
  print("{}", command ? command->help(help_width()) : help(help_width()));
  return 0;
}

void Program::add_to_parser(Command::Entry& entry, CLI::App& parser) {
  if (entry.is_flag) {
    parser.add_flag_callback(entry.names, [&entry] { entry.count = 1; });
    return;
  }
  const auto keep = [&entry](const std::vector<std::string>& values) {
    entry.values = values;
    entry.count = static_cast<int>(values.size());
    return true;
  };
  CLI::Option* option = parser.add_option(entry.names, CLI::callback_t(keep));
  option->type_size(1)->expected(1);
  if (entry.is_input && !entry.is_list) return;
  constexpr int many = 1 << 24;
  if (entry.is_input) option->expected(1, many);
  option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(entry.is_input);
}

void Program::refuse_extra(const Command& command, const std::string& word) {
  if (word.rfind('-', 0) == 0 && word.size() > 1) {
    const std::string name = word.substr(0, word.find('='));
    fail(ErrorKind::usage, "unknown option \"{}\"{}; kiln {} --help lists the options",
         printable_whole(name), did_you_mean(name, command.option_names()), command.name());
  }
  fail(ErrorKind::usage, "\"{}\" is one argument too many; kiln {} --help shows how it is used",
       printable_whole(word), command.name());
}

/// Puts the value behind the option that stands alone.
void Program::complete_bare(const Command::Entry& entry, std::vector<std::string>& words) {
  const auto is_number = [](const std::string& word) {
    return word.find_first_of("0123456789") != std::string::npos &&
           word.find_first_not_of("+-.0123456789eE%") == std::string::npos;
  };
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i)
    if (entry.has_name(words[i]) && (i + 1 == words.size() || !is_number(words[i + 1])))
      words.insert(words.begin() + std::ptrdiff_t(i) + 1, entry.bare);
}

/// CLI11 only takes the arguments apart: no value is looked at, so the help is there beside any.
bool Program::read_arguments(Command& command, std::vector<std::string> words) {
  CLI::App parser;
  parser.set_help_flag("");
  parser.allow_windows_style_options(false);  // /name is a file of Windows, too
  parser.allow_extras();
  bool help_wanted = false;
  parser.add_flag("-h,--help", help_wanted);
  for (const auto& entry : command.entries_) {
    add_to_parser(*entry, parser);
    if (!entry->bare.empty()) complete_bare(*entry, words);
  }
  std::reverse(words.begin(), words.end());  // as CLI11 wants them
  try {
    parser.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    const std::string what = error.what();
    if (!help_wanted) {
      fail(ErrorKind::usage, "{}: its value is missing; kiln {} --help lists the options",
           what.substr(0, what.find(':')), command.name());
    }
  }
  if (help_wanted) return false;
  bool is_ended = false;  // "--" ends the options, and is left over itself
  for (const std::string& word : parser.remaining())
    if (word == "--" && !is_ended)
      is_ended = true;
    else
      refuse_extra(command, word);
  return true;
}

int Program::show_version(const std::vector<std::string>& words) const {
  const bool json = words.size() == 2 && words[1] == "--json";
  if (words.size() > 1 && !json)
    fail(ErrorKind::usage, "\"{}\" is one argument too many; kiln --version --json says more",
         printable_whole(words[json ? 0 : 1]));
  print("{}\n", json ? version_json() : version_);
  return 0;
}

int Program::run(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) {
    say("{}", help(100));
    return static_cast<int>(ErrorKind::usage);
  }
  const std::string& first = words.front();
  if (first == "--version" || first == "-V" || first == "version") return show_version(words);
  if (first == "help" || first == "--help" || first == "-h")
    return show_help({words.begin() + 1, words.end()});
  const Command* command = read(words);
  return command ? command->body_() : show_help({first});
}

namespace {

std::vector<std::string>& files_of_last_line() {
  static std::vector<std::string> files;
  return files;
}

}  // namespace

const std::vector<std::string>& files_of_command_line() { return files_of_last_line(); }

Command* Program::read(const std::vector<std::string>& words) const {
  Command* command = const_cast<Command*>(find(words.front()));
  if (!command) refuse_command(words.front());
  if (!read_arguments(*command, {words.begin() + 1, words.end()})) return nullptr;
  command->words_.assign(words.begin() + 1, words.end());
  command->read_values();
  files_of_last_line() = command->files_read();
  return command;
}

}  // namespace kiln::cli
