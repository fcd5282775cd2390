// SPDX-License-Identifier: MIT
// kiln man [COMMAND]: the pages of the manual, as troff, from the declarations that also make the
// help. `cmake --install` writes them to share/man/man1; docs/reference/cli.md says what options mean together.
#include <memory>

#include "cli/commands/commands.h"
#include "cli/says/console.h"
#include "engine/io/file/atomic_file.h"

namespace kiln::cli {
namespace {

/// Plain text for troff: no minus that becomes a hyphen, no line that looks like a request.
std::string troff(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\\') {
      safe += "\\e";
    } else if (c == '-') {
      safe += "\\-";
    } else {
      safe += c;
    }
  }
  return safe.starts_with('.') || safe.starts_with('\'') ? "\\&" + safe : safe;
}

std::string in_capitals(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = char(c - 'a' + 'A');
  return text;
}

std::string head(const Program& program, const std::string& page, const std::string& what) {
  return ".TH " + in_capitals(troff(page)) + " 1 \"\" \"" + program.version() +
         "\" \"Manual of kiln\"\n.SH NAME\n" + troff(page) + " \\- " + troff(what) + "\n";
}

std::string example_section(const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  std::string text = ".SH EXAMPLES\n.nf\n";
  for (const std::string& line : lines) text += troff(line) + "\n";
  return text + ".fi\n";
}

/// One option: "-o, --output FILE" and what it does.
std::string option_entry(const OptionText& option) {
  std::string names;
  for (const std::string& name : option.all_names())
    names += (names.empty() ? "\\fB" : ", \\fB") + troff(name) + "\\fR";
  return ".TP\n" + names + (option.type.empty() ? "" : " \\fI" + troff(option.type) + "\\fR") +
         "\n" + troff(option.help) + "\n";
}

constexpr const char* exit_section =
    ".SH EXIT STATUS\n"
    "0: all is done; 1: compare found differences; 2: wrong usage; 3: bad input;\n"
    "4: input needs what kiln does not have; 5: output could not be written;\n"
    "6: memory, GPU or device failure; 7: some pictures failed; 130, 143: interrupted.\n";

std::string command_page(const Program& program, const Command& command) {
  std::string text = head(program, "kiln-" + command.name(), command.description());
  text += ".SH SYNOPSIS\n" + troff(command.usage()) + "\n.SH OPTIONS\n";
  for (const std::string& group : command.groups()) {
    text += ".SS " + troff(group) + "\n";
    for (const OptionText& option : command.options())
      if (option.group == group) text += option_entry(option);
  }
  return text + example_section(command.example_lines()) + exit_section +
         ".SH SEE ALSO\n.BR kiln (1)\n";
}

std::string program_page(const Program& program) {
  std::string text = head(program, "kiln", "render fractal flames");
  text += ".SH SYNOPSIS\nkiln COMMAND [arguments] [options]\n.SH DESCRIPTION\n" +
          troff(program.description()) + "\n.SH COMMANDS\n";
  for (const auto& command : program.commands()) {
    text += ".TP\n\\fB" + troff(command->name()) + "\\fR\n" + troff(command->description()) + "\n";
  }
  text += example_section(program.example_lines()) + exit_section + ".SH SEE ALSO\n";
  std::string between;
  for (const auto& command : program.commands()) {
    text += between + ".BR kiln\\-" + troff(command->name()) + " (1)";
    between = ",\n";
  }
  return text + "\n";
}

void write_page(const std::string& path, const std::string& text) {
  AtomicFile file(path);
  file.write(text.data(), text.size());
  file.commit();
}

void write_pages(const Program& program, const std::string& folder) {
  write_page(folder + "/kiln.1", program_page(program));
  for (const auto& command : program.commands())
    write_page(folder + "/kiln-" + command->name() + ".1", command_page(program, *command));
}

}  // namespace

void add_man(Program& program) {
  const auto name = std::make_shared<std::string>(), folder = std::make_shared<std::string>();
  Command& command = program.command("man", "Write a page of the manual, for man -l -");
  command.input("COMMAND", *name, "The command; without it the page of kiln", false);
  std::vector<std::string> names;
  for (const auto& known : program.commands()) names.push_back(known->name());
  command.suggest("COMMAND", names);
  command.group("Result");
  command.text("--into", "FOLDER", *folder, "All pages, as files of this folder");
  command.exclude("--into", "COMMAND");
  command.examples({"kiln man render | man -l -", "kiln man"});
  command.runs([name, folder, &program] {
    if (!folder->empty()) {
      write_pages(program, *folder);
    } else {
      print("{}",
            name->empty() ? program_page(program) : command_page(program, program.named(*name)));
    }
    return exit_done;
  });
}

}  // namespace kiln::cli
