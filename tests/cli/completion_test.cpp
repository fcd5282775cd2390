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
  EXPECT_EQ(completed("kiln completion "), "bash zsh fish\n");
  EXPECT_EQ(completed("kiln variations julian"), "julian julian2\n");
  EXPECT_EQ(completed("kiln help an"), "animate\n");
  EXPECT_EQ(completed("kiln man co"), "compare convert completion\n");
  EXPECT_EQ(completed("kiln --vers"), "--version\n");
}

TEST_F(completion, every_option_of_the_help_is_in_every_shell) {
  const std::string bash = kiln({"completion", "bash"}).out, zsh = kiln({"completion", "zsh"}).out,
                    fish = kiln({"completion", "fish"}).out;
  int options = 0;
  for (const std::string& command : commands_of(kiln({"--help"}).out)) {
    const std::string help = kiln({command, "--help"}).out, man = kiln({"man", command}).out;
    const std::size_t begin = bash.find("    " + command + ")\n      options='");
    const std::string bash_branch =
        begin == std::string::npos
            ? ""
            : bash.substr(begin, bash.find('\n', begin + command.size() + 7) - begin);
    std::istringstream lines(help.substr(0, help.find("Examples:")));
    std::smatch match;
    for (std::string line; std::getline(lines, line);) {
      if (!std::regex_search(line, match, std::regex("^  (?:-[a-z], )?--([a-z0-9-]+)"))) continue;
      const std::string name = match[1];
      ++options;
      EXPECT_TRUE(contains(bash_branch, " --" + name + " ") ||
                  contains(bash_branch, " --" + name + "'"))
          << name;
      EXPECT_TRUE(contains(zsh, "--" + name + "[") || contains(zsh, "--" + name + "}")) << name;
      EXPECT_TRUE(contains(fish, "from " + command + "'")) << command;
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
