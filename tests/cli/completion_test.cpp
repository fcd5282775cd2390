// SPDX-License-Identifier: MIT
// Completion in real shells, and the pages of the manual, both from the declarations of the options.
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>

#include "tests/cli/program.h"

namespace kiln {
namespace {

using namespace test;

class completion : public testing::Test {
 protected:
  Outcome kiln(const std::vector<std::string>& arguments) const {
    return run_program(arguments, {folder.path(), "", {}, {}});
  }
  /// Runs a script of a shell and gives what it printed.
  std::string of_shell(const std::string& shell, const std::string& script) const {
    write_file(folder / "script", script);
    const std::string command = "cd " + folder.path() + " && " + shell + " script > said 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << read_file(folder / "said");
    return read_file(folder / "said");
  }
  /// What bash completes the last of the words to.
  std::string completed(const std::string& words) const {
    std::istringstream in(words);
    std::string list;
    int count = 0;
    for (std::string word; in >> word; ++count) list += " '" + word + "'";
    if (words.ends_with(' ')) {
      list += " ''";
      ++count;
    }
    return of_shell("bash --norc", kiln({"completion", "bash"}).out +
                                       "compopt() { :; }\nCOMP_WORDS=(" + list +
                                       ")\nCOMP_CWORD=" + std::to_string(count - 1) +
                                       "\n_kiln\necho \"${COMPREPLY[*]}\"\n");
  }
  /// What fish offers for the last of the words.
  std::string offered_by_fish(const std::string& words) const {
    return of_shell("HOME=. XDG_CONFIG_HOME=. XDG_DATA_HOME=. fish --no-config",
                    kiln({"completion", "fish"}).out + "\ncomplete -C '" + words +
                        "' | cut -f 1 | tr '\\n' ' '\n");
  }
  /// What zsh makes of lines by the tabs in them, each of which puts the next word that fits in
  /// place of the last one. A terminal is needed for it; zpty is one.
  std::string lines_of_zsh(const std::vector<std::string>& lines) const {
    write_file(folder / "_kiln", kiln({"completion", "zsh"}).out);
    std::string script =
        "zmodload zsh/zpty\n"
        "zpty shell zsh -f -i\n"
        "zpty -w shell 'fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; "
        "setopt menu_complete; tell() { print -r -- \"$BUFFER\" >>lines }; zle -N tell; "
        "bindkey \"^X\" tell; bindkey \"^G\" kill-whole-line; PS1=rea\"\"dy'\n"
        "zpty -r -m shell said '*ready*'\n";
    for (const std::string& line : lines)
      script += "zpty -w -n shell '" + line + "'$'\\x18\\x07'\n";
    of_shell("HOME=. timeout 60 zsh -f",
             script + "zpty -w shell exit\nwhile zpty -r shell; do :; done\n");
    return read_file(folder / "lines");
  }

  ScratchFolder folder;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The commands that the help lists.
std::vector<std::string> commands_of(const std::string& help) {
  std::vector<std::string> names;
  std::istringstream lines(help.substr(help.find("Commands:"), help.find("Examples:")));
  std::smatch match;
  for (std::string line; std::getline(lines, line);)
    if (std::regex_search(line, match, std::regex("^  ([a-z]+) ")) && match[1] != "kiln" &&
        match[1] != "help")
      names.push_back(match[1]);
  return names;
}

TEST_F(completion, bash_completes_commands_options_and_words) {
  EXPECT_EQ(completed("kiln rend"), "render\n");
  EXPECT_EQ(completed("kiln render --qua"), "--quality --quality-scale\n");
  EXPECT_EQ(completed("kiln render --backe"), "--backend\n");
  EXPECT_EQ(completed("kiln render a.flame --backend c"), "cpu cuda\n");
  EXPECT_EQ(completed("kiln render --backend = c"), "cpu cuda\n");
  EXPECT_EQ(completed("kiln render --backend ="), "auto cpu cuda\n");
  EXPECT_EQ(completed("kiln render --width 3"), "\n");
  EXPECT_EQ(completed("kiln render --set gamm"), "gamma= gamma_threshold=\n");
  EXPECT_EQ(completed("kiln render --set = vib"), "vibrancy=\n");
  EXPECT_EQ(completed("kiln completion "), "bash zsh fish powershell\n");
  EXPECT_EQ(completed("kiln variations julian"), "julian julian2 julian3Dx\n");
  EXPECT_EQ(completed("kiln help an"), "animate\n");
  EXPECT_EQ(completed("kiln help at"), "attributes\n");
  EXPECT_EQ(completed("kiln man co"), "compare convert completion\n");
  EXPECT_EQ(completed("kiln --vers"), "--version\n");
}

TEST_F(completion, fish_completes_commands_options_and_words) {
  if (!has_program("fish")) GTEST_SKIP() << "fish is not installed";
  write_file(folder / "a.flame", "");
  EXPECT_EQ(offered_by_fish("kiln rend"), "render ");
  EXPECT_EQ(offered_by_fish("kiln render --qu"), "--quality --quality-scale --quiet ");
  EXPECT_EQ(offered_by_fish("kiln render a.fl"), "a.flame ");
  EXPECT_EQ(offered_by_fish("kiln render --backend c"), "cpu cuda ");
  EXPECT_EQ(offered_by_fish("kiln render --backend="),
            "--backend=auto --backend=cpu --backend=cuda ");
  EXPECT_EQ(offered_by_fish("kiln render --width 3"), "");
  EXPECT_EQ(offered_by_fish("kiln render -o a"), "a.flame ");
  EXPECT_EQ(offered_by_fish("kiln completion "), "bash fish powershell zsh ");
  EXPECT_EQ(offered_by_fish("kiln variations julian"), "julian julian2 julian3Dx ");
  EXPECT_EQ(offered_by_fish("kiln help an"), "animate ");
  EXPECT_EQ(offered_by_fish("kiln help at"), "attributes ");
  EXPECT_EQ(offered_by_fish("kiln render --set gamm"), "gamma= gamma_threshold= ");
  EXPECT_EQ(offered_by_fish("kiln man render --qu"), "") << "options of a later word";
  EXPECT_EQ(offered_by_fish("kiln --vers"), "--version ");
}

TEST_F(completion, zsh_completes_commands_options_and_words) {
  if (!has_program("zsh")) GTEST_SKIP() << "zsh is not installed";
  write_file(folder / "a.flame", "");
  EXPECT_EQ(
      lines_of_zsh({"kiln rend\t", "kiln render --qu\t", "kiln render --qu\t\t",
                    "kiln render --qu\t\t\t", "kiln render a.fl\t", "kiln render --backend c\t\t",
                    "kiln render --backend=\t", "kiln render --backend=cu\t",
                    "kiln render --width 3\t", "kiln render -o a\t", "kiln completion f\t",
                    "kiln variations julian\t\t", "kiln help an\t", "kiln help at\t",
                    "kiln render --set vibr\t", "kiln man render --qu\t", "kiln --vers\t"}),
      "kiln render \n"
      "kiln render --quality=\n"
      "kiln render --quality-scale=\n"
      "kiln render --quiet\n"
      "kiln render a.flame \n"
      "kiln render --backend cuda\n"
      "kiln render --backend=auto\n"
      "kiln render --backend=cuda \n"
      "kiln render --width 3\n"
      "kiln render -o a.flame \n"
      "kiln completion fish \n"
      "kiln variations julian2\n"
      "kiln help animate \n"
      "kiln help attributes \n"
      "kiln render --set vibrancy=\n"
      "kiln man render --qu\n"
      "kiln --version \n");
}

TEST_F(completion, every_option_of_the_help_is_in_every_shell) {
  const std::string bash = kiln({"completion", "bash"}).out, zsh = kiln({"completion", "zsh"}).out,
                    fish = kiln({"completion", "fish"}).out,
                    powershell = kiln({"completion", "powershell"}).out;
  int options = 0;
  for (const std::string& command : commands_of(kiln({"--help"}).out)) {
    const std::string help = kiln({command, "--help"}).out, man = kiln({"man", command}).out;
    const std::size_t begin = bash.find("    " + command + ")\n      options='");
    const std::string bash_branch =
        begin == std::string::npos
            ? ""
            : bash.substr(begin, bash.find('\n', begin + command.size() + 7) - begin);
    const std::size_t of_command = powershell.find("\n    '" + command + "' = @(\n");
    EXPECT_NE(of_command, std::string::npos) << command;
    const std::string powershell_rows =
        powershell.substr(of_command, powershell.find("\n    )\n", of_command) - of_command);
    std::istringstream lines(help.substr(0, help.find("Examples:")));
    std::smatch match;
    for (std::string line; std::getline(lines, line);) {
      if (!std::regex_search(line, match, std::regex("^  (?:-[a-z], )?--([a-z0-9-]+)"))) continue;
      const std::string name = match[1];
      ++options;
      EXPECT_TRUE(contains(bash_branch, " --" + name + " ") ||
                  contains(bash_branch, " --" + name + "'"))
          << name;
      EXPECT_TRUE(std::regex_search(zsh, std::regex("--" + name + "=?[[}]"))) << name;
      EXPECT_TRUE(std::regex_search(powershell_rows, std::regex("[' ]--" + name + "[' ]"))) << name;
      EXPECT_TRUE(contains(fish, "'__kiln_runs " + command + "'")) << command;
      EXPECT_TRUE(contains(fish, " -l " + name + " ")) << name;
      const std::string in_troff = std::regex_replace("--" + name, std::regex("-"), "\\-");
      EXPECT_TRUE(contains(man, "\\fB" + in_troff + "\\fR")) << command << " " << in_troff;
    }
  }
  EXPECT_GT(options, 150);
}

TEST_F(completion, shells_accept_their_scripts) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    if (!has_program(shell)) continue;
    write_file(folder / "script", kiln({"completion", shell}).out);
    const std::string check = std::string(shell) + " -n " + folder.path() + "/script";
    EXPECT_EQ(std::system(check.c_str()), 0) << shell;
  }
  EXPECT_EQ(kiln({"completion", "tcsh"}).code, 2);
  EXPECT_EQ(kiln({"completion"}).code, 2);
}

/// PowerShell is in no package of Debian: this looks at what it would stumble over first.
TEST_F(completion, powershell_script_has_pairs_of_quotes_and_brackets) {
  const std::string script = kiln({"completion", "powershell"}).out;
  std::string open;
  bool quoted = false, remark = false;
  for (const char c : script) {
    ASSERT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << "PowerShell 5 reads no UTF-8";
    if (c == '\n') {
      ASSERT_FALSE(quoted) << "a text goes over the end of its line";
      remark = false;
    }
    if (c == '\'' && !remark) quoted = !quoted;
    if (quoted || remark) continue;
    if (c == '#') remark = true;
    if (contains("({[", std::string(1, c))) open += c == '(' ? ')' : char(c + 2);
    if (!contains(")}]", std::string(1, c))) continue;
    ASSERT_FALSE(open.empty());
    ASSERT_EQ(open.back(), c);
    open.pop_back();
  }
  EXPECT_EQ(open, "");
  EXPECT_TRUE(contains(script, "-Native -CommandName kiln, kiln.exe "));
  EXPECT_TRUE(contains(script, ", 'auto cpu cuda')\n"));
  EXPECT_TRUE(contains(script, ", @('-o --output', "));
  EXPECT_TRUE(contains(script, "flame''s")) << "a quote within a text is two";
}

TEST_F(completion, pages_of_the_manual_are_clean_troff) {
  for (std::string command : commands_of(kiln({"--help"}).out)) {
    const Outcome page = kiln({"man", command});
    EXPECT_TRUE(page.out.starts_with(".TH KILN\\-")) << command;
    EXPECT_TRUE(contains(page.out, "\n.SH EXAMPLES\n")) << command;
    if (!has_program("groff")) continue;
    const std::string said = of_shell("groff -man -ww -b -z", page.out);
    EXPECT_EQ(said, "") << command;
  }
  EXPECT_TRUE(kiln({"man"}).out.starts_with(".TH KILN 1"));
  EXPECT_TRUE(contains(kiln({"man", "rendr"}).err, "did you mean \"render\"?"));
}

}  // namespace
}  // namespace kiln
