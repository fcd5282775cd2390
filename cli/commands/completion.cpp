// SPDX-License-Identifier: MIT
// kiln completion bash|zsh|fish|powershell: what a shell needs to complete commands, options and the words of
// choices, written from the declarations that also make the help. The script says everything itself:
// completing does not run kiln.
#include <algorithm>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/says/console.h"
#include "engine/base/text.h"

namespace kiln::cli {
namespace {

std::string replaced(std::string text, const std::string& part, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += by.size())
    text.replace(at, part.size(), by);
  return text;
}

/// The text within single quotes of every shell.
std::string shell_word(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

/// Whether file names fit where this value stands.
bool takes_a_file(const OptionText& option) {
  if (option.is_input) return option.choices().empty();
  static const std::vector<std::string> files = {"FILE", "TEMPLATE", "OUT", "PALETTE", "FOLDER"};
  return std::any_of(files.begin(), files.end(),
                     [&](const std::string& type) { return option.type.starts_with(type); });
}

std::vector<std::string> option_words(const Command& command) {
  std::vector<std::string> words = {"--help"};
  for (const OptionText& option : command.options()) {
    if (option.is_input) continue;
    for (const std::string& name : option.all_names()) words.push_back(name);
  }
  return words;
}

std::vector<std::string> command_names(const Program& program) {
  std::vector<std::string> names;
  for (const auto& command : program.commands()) names.push_back(command->name());
  names.push_back("help");
  return names;
}

/// The choices for the first argument, where it has some.
std::vector<std::string> input_choices(const Command& command) {
  for (const OptionText& option : command.options())
    if (option.is_input) return option.choices();
  return {};
}

// ---- bash ----

/// The branch of a command: its options, and for options with a value what fits there.
std::string bash_branch(const Command& command) {
  std::string choices;
  std::vector<std::string> files, others;
  for (const OptionText& option : command.options()) {
    if (option.is_flag || option.is_input) continue;
    const std::string names = joined(option.all_names(), "|");
    if (option.choices().empty()) {
      (takes_a_file(option) ? files : others).push_back(names);
    } else {
      choices += "        " + names + ") of_option='" + joined(option.choices(), " ") + "' ;;\n";
    }
  }
  if (!files.empty()) choices += "        " + joined(files, "|") + ") of_option=FILES ;;\n";
  if (!others.empty()) choices += "        " + joined(others, "|") + ") of_option=NONE ;;\n";
  return "    " + command.name() + ")\n      options='" + joined(option_words(command), " ") +
         "'\n      words='" + joined(input_choices(command), " ") + "'\n" +
         (choices.empty() ? "" : "      case $before in\n" + choices + "      esac\n") +
         "      ;;\n";
}

std::string bash_script(const Program& program) {
  const std::string names = joined(command_names(program), " ");
  std::string text =
      "# bash completion of kiln; made by: kiln completion bash\n"
      "_kiln() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  local options= words= of_option=\n"
      "  COMPREPLY=()\n"
      "  if [ \"$word\" = = ]; then word=\n"  // --option=VALUE comes as three words
      "  elif [ \"$before\" = = ]; then before=${COMP_WORDS[COMP_CWORD-2]}\n"
      "  fi\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    COMPREPLY=($(compgen -W '" +
      names +
      " --help --version' -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${COMP_WORDS[1]} in\n"
      "    help) ((COMP_CWORD > 2)) || COMPREPLY=($(compgen -W '" +
      names + " attributes' -- \"$word\")); return ;;\n";
  for (const auto& command : program.commands()) text += bash_branch(*command);
  return text +
         "  esac\n"
         "  case $of_option in\n"
         "    NONE) compopt +o default; return ;;\n"
         "    FILES) return ;;\n"  // readline's own, of `complete -o default`
         "    ?*) COMPREPLY=($(compgen -W \"$of_option\" -- \"$word\"))\n"
         "      case ${COMPREPLY[0]} in *=) compopt -o nospace ;; esac\n"  // its value follows
         "      return ;;\n"
         "  esac\n"
         "  case $word in\n"
         "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
         "    *) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) ;;\n"
         "  esac\n"
         "}\n"
         "complete -o default -F _kiln kiln\n";
}

// ---- zsh ----

/// Text within the brackets of a specification of _arguments.
std::string zsh_text(const std::string& text) {
  std::string safe = text;
  for (const char* special : {"\\", "[", "]", ":"})
    safe = replaced(safe, special, std::string("\\") + special);
  return safe;
}

std::string zsh_action(const OptionText& option) {
  if (!option.suggested.empty() && option.suggested[0].ends_with('='))  // the value follows
    return "compadd -S \"\" - " + joined(option.suggested, " ");
  if (!option.choices().empty()) return "(" + joined(option.choices(), " ") + ")";
  return takes_a_file(option) ? "_files" : " ";
}

/// A name, which may be given as --name=VALUE, too, unless it is a flag.
std::string zsh_name(const OptionText& option, const std::string& name) {
  return name + (!option.is_flag && name.starts_with("--") ? "=" : "");
}

std::string zsh_argument(const OptionText& option) {
  if (option.is_input) {
    return shell_word((option.is_list ? "*:" : ":") + zsh_text(option.names) + ":" +
                      zsh_action(option));
  }
  const std::vector<std::string> names = option.all_names();
  const std::string value =
      option.is_flag ? "" : ":" + zsh_text(option.type) + ":" + zsh_action(option);
  const std::string help = "[" + zsh_text(option.help) + "]" + value;
  const std::string repeated = option.is_list ? "*" : "";
  if (names.size() == 1) return shell_word(repeated + zsh_name(option, names[0]) + help);
  std::vector<std::string> given;
  for (const std::string& name : names) given.push_back(zsh_name(option, name));
  return shell_word("(" + joined(names, " ") + ")" + repeated) + "{" + joined(given, ",") + "}" +
         shell_word(help);
}

std::string zsh_script(const Program& program) {
  std::string text =
      "#compdef kiln\n"
      "# zsh completion of kiln; made by: kiln completion zsh\n"
      "_kiln() {\n"
      "  local -a commands=(\n";
  for (const auto& command : program.commands())
    text += "    " + shell_word(command->name() + ":" + zsh_text(command->description())) + "\n";
  text +=
      "    'help:Show the options of a command'\n"
      "  )\n"
      "  if ((CURRENT == 2)); then\n"
      "    if [[ $PREFIX == -* ]]; then\n"
      "      _arguments '(- *)'{-h,--help}'[Show the options]' '(- *)--version[Show the version]'\n"
      "    else\n"
      "      _describe -t commands command commands\n"
      "    fi\n"
      "    return\n"
      "  fi\n"
      "  shift words\n"
      "  ((CURRENT--))\n"
      "  case $words[1] in\n"
      "    help) _describe -t commands command commands; compadd attributes ;;\n";
  for (const auto& command : program.commands()) {
    text += "    " + command->name() + ")\n      _arguments '(- *)'{-h,--help}'[Show the options]'";
    for (const OptionText& option : command->options())
      text += " \\\n        " + zsh_argument(option);
    text += " ;;\n";
  }
  return text +
         "  esac\n"
         "}\n"
         "if [ \"$funcstack[1]\" = _kiln ]; then _kiln \"$@\"; else compdef _kiln kiln; fi\n";
}

// ---- fish ----

/// The text within single quotes of fish, where only ' and \ are special.
std::string fish_quoted(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

std::string fish_option(const std::string& condition, const OptionText& option) {
  std::string line = "complete -c kiln -n " + condition;
  for (const std::string& name : option.all_names())
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.choices().empty()) {
    line += " -xa " + fish_quoted(joined(option.choices(), " "));
  } else if (!option.is_flag) {
    line += takes_a_file(option) ? " -rF" : " -x";
  }
  return line + " -d " + fish_quoted(option.help) + "\n";
}

std::string fish_script(const Program& program) {
  const std::string none = "'__kiln_runs \"\"'";
  std::string text =
      "# fish completion of kiln; made by: kiln completion fish\n"
      "function __kiln_runs\n"  // the command is the second word, no later one
      "  set -l words (commandline -opc)\n"
      "  test \"$words[2]\" = $argv[1]\n"
      "end\n"
      "complete -c kiln -n " +
      none +
      " -f -l version -d 'Show the version'\n"
      "complete -c kiln -f -s h -l help -d 'Show the options'\n"
      "complete -c kiln -n " +
      none + " -f -a help -d 'Show the options of a command'\n";
  for (const auto& command : program.commands()) {
    text += "complete -c kiln -n " + none + " -f -a " + command->name() + " -d " +
            fish_quoted(command->description()) + "\n";
  }
  text += "complete -c kiln -n '__kiln_runs help' -f -a " +
          fish_quoted(joined(command_names(program), " ") + " attributes") + "\n";
  for (const auto& command : program.commands()) {
    const std::string condition = "'__kiln_runs " + command->name() + "'";
    if (const auto words = input_choices(*command); !words.empty())
      text +=
          "complete -c kiln -n " + condition + " -f -a " + fish_quoted(joined(words, " ")) + "\n";
    for (const OptionText& option : command->options())
      if (!option.is_input) text += fish_option(condition, option);
  }
  return text;
}

// ---- PowerShell ----

/// The text within single quotes of PowerShell, which end at another of them.
std::string powershell_quoted(const std::string& text) {
  return "'" + replaced(text, "'", "''") + "'";
}

/// A row of the table of options: its names, its help, and what its value is, if it has one.
std::string powershell_option(const OptionText& option) {
  std::string value = "FLAG";
  if (!option.choices().empty()) {
    value = joined(option.choices(), " ");
  } else if (!option.is_flag) {
    value = takes_a_file(option) ? "FILES" : "NONE";
  }
  const std::string names =
      joined(option.is_input ? std::vector<std::string>{""} : option.all_names(), " ");
  return "      , @(" + powershell_quoted(names) + ", " + powershell_quoted(option.help) + ", " +
         powershell_quoted(value) + ")\n";
}

/// Looks into the table for what fits the word; nothing at all lets PowerShell offer files.
constexpr const char* powershell_body =
    "  function Show($words, $tips) {\n"
    "    $words | Where-Object { $_.StartsWith($word) } | ForEach-Object {\n"
    "      $tip = if ($tips -and $tips[$_]) { $tips[$_] } else { $_ }\n"
    "      [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $tip)\n"
    "    }\n"
    "  }\n"
    "  $before = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $place } |\n"
    "    ForEach-Object { $_.ToString() })\n"
    "  if ($before.Count -le 1) { return Show (@($commands.Keys) + '--help' + '--version') "
    "$commands }\n"
    "  if ($before[1] -eq 'help') { return Show (@($commands.Keys) + 'attributes') $commands }\n"
    "  if (-not $options.ContainsKey($before[1])) { return }\n"
    "  $last = $before[-1]\n"
    "  $head = ''\n"
    "  if ($word -match '^(--[a-z0-9-]+=)(.*)$') {  # --option=VALUE\n"
    "    $head = $Matches[1]\n"
    "    $last = $head.TrimEnd('=')\n"
    "  }\n"
    "  $tips = @{ '--help' = 'Show the options' }\n"
    "  $inputs = @()\n"
    "  foreach ($option in $options[$before[1]]) {\n"
    "    $names = $option[0].Split(' ')\n"
    "    if ($option[0] -eq '') {\n"
    "      if ($option[2] -notin 'FILES', 'NONE', 'FLAG') { $inputs += $option[2].Split(' ') }\n"
    "      continue\n"
    "    }\n"
    "    if ($names -ccontains $last -and $option[2] -ne 'FLAG') {\n"
    "      if ($option[2] -in 'FILES', 'NONE') { return }\n"
    "      return Show ($option[2].Split(' ') | ForEach-Object { $head + $_ }) $null\n"
    "    }\n"
    "    foreach ($name in $names) { $tips[$name] = $option[1] }\n"
    "  }\n"
    "  if ($word.StartsWith('-')) { return Show ($tips.Keys | Sort-Object) $tips }\n"
    "  Show $inputs $null\n"
    "}\n";

std::string powershell_script(const Program& program) {
  std::string text =
      "# PowerShell completion of kiln; made by: kiln completion powershell\n"
      "Register-ArgumentCompleter -Native -CommandName kiln, kiln.exe -ScriptBlock {\n"
      "  param($word, $line, $place)\n"
      "  $commands = [ordered]@{\n";
  for (const auto& command : program.commands()) {
    text += "    " + powershell_quoted(command->name()) + " = " +
            powershell_quoted(command->description()) + "\n";
  }
  text += "    'help' = 'Show the options of a command'\n  }\n  $options = @{\n";
  for (const auto& command : program.commands()) {
    text += "    " + powershell_quoted(command->name()) + " = @(\n";
    for (const OptionText& option : command->options()) text += powershell_option(option);
    text += "    )\n";
  }
  return text + "  }\n" + powershell_body;
}

}  // namespace

void add_completion(Program& program) {
  const auto shell = std::make_shared<std::string>();
  Command& command = program.command(
      "completion", "Write what a shell needs to complete kiln's commands and options");
  command.input_choice("SHELL", {"bash", "zsh", "fish", "powershell"}, *shell, "The shell");
  command.examples(
      {"kiln completion bash     # source it, or into /usr/share/bash-completion/completions/kiln",
       "kiln completion zsh      # into a folder of $fpath, as _kiln",
       "kiln completion fish     # into ~/.config/fish/completions/kiln.fish",
       "kiln completion powershell | Out-String | Invoke-Expression     # a line of $PROFILE"});
  command.runs([shell, &program] {
    print("{}", *shell == "bash"   ? bash_script(program)
                : *shell == "zsh"  ? zsh_script(program)
                : *shell == "fish" ? fish_script(program)
                                   : powershell_script(program));
    return exit_done;
  });
}

}  // namespace kiln::cli
