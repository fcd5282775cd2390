// SPDX-License-Identifier: MIT
// The program from outside: exit codes, names, streams, and what stays on the disk when something
// goes wrong.
#include "tests/cli/program.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <algorithm>
#include <regex>

#include "engine/fft/plan.h"
#include "engine/io/picture/picture_format.h"
#include "tests/places.h"

namespace kiln {
namespace {

using namespace test;
using Names = std::vector<std::string>;

class program : public testing::Test {
 protected:
  /// Runs the program in the scratch folder.
  Outcome kiln(const std::vector<std::string>& arguments, const std::string& input = "") const {
    return run_program(arguments, {folder.path(), input, {}, {}});
  }
  void put(const std::string& name, const std::string& bytes) const {
    write_file(folder / name, bytes);
  }

  ScratchFolder folder;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

int lines_of(const std::string& text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

// ---- usage ----

TEST_F(program, help_and_version_are_results) {
  for (const char* command :
       {"render", "info", "validate", "variations", "devices", "compare", "check", "animate"}) {
    const Outcome help = kiln({command, "--help"});
    EXPECT_EQ(help.code, 0) << command;
    EXPECT_TRUE(contains(help.out, "Examples:")) << command;
    EXPECT_TRUE(contains(help.out, std::string("kiln ") + command)) << command;
    EXPECT_EQ(help.err, "");
    EXPECT_TRUE(contains(kiln({"--help"}).out, command)) << command;
  }
  const Outcome version = kiln({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_EQ(version.out, "kiln " KILN_VERSION "\n");
}

TEST_F(program, every_example_of_the_help_works) {
  std::filesystem::create_directory(folder / "flames");
  std::filesystem::create_directory(folder / "pictures");
  std::filesystem::create_directory(folder / "out");
  std::string keys = two_keys();
  keys.replace(keys.find("time=\"10\""), 9, "time=\"100\"");  // the examples want frames 0 to 99
  put("keys.flame", keys);
  put("rose.flame", triangle());
  put("flames/other.flame", triangle());
  put("jobs.json", "{\"in\":\"rose.flame\"}\n");
  std::string twirl = triangle();
  twirl.insert(twirl.find("<xform"), "<variation name=\"twirl\" x=\"2*y\" y=\"-x\"/>");
  put("twirl.flame", twirl);
  ASSERT_EQ(kiln({"render", "rose.flame", "-q"}).code, 0);
  for (const char* copy : {"a.png", "b.png"})
    std::filesystem::copy_file(folder / "rose.png", folder / copy);
  for (const char* some : {"before", "after"}) {
    std::filesystem::create_directory(folder / some);
    std::filesystem::copy_file(folder / "rose.png", folder / (std::string(some) + "/rose.png"));
  }
  int count = 0;
  for (const Names& help :
       {Names{"--help"}, Names{"render", "--help"}, Names{"info", "--help"},
        Names{"validate", "--help"}, Names{"variations", "--help"}, Names{"devices", "--help"},
        Names{"compare", "--help"}, Names{"animate", "--help"}, Names{"completion", "--help"},
        Names{"man", "--help"}}) {
    std::istringstream lines(kiln(help).out);
    for (std::string line; std::getline(lines, line);) {
      if (line.rfind("  kiln ", 0) != 0) continue;
      if (contains(line, "--video") && !has_program("ffmpeg")) continue;
      if (contains(line, "--watch")) continue;  // never ends
      const std::size_t end = std::min(line.find(" #"), line.find(" |"));
      const std::string arguments = line.substr(7, end - 7);
      const std::string command =
          "cd " + folder.path() + " && " + program_path() + " " + arguments + " > out.log 2>&1";
      EXPECT_EQ(std::system(command.c_str()), 0) << line << "\n" << read_file(folder / "out.log");
      ++count;
    }
  }
  EXPECT_GE(count, 18);
}

TEST_F(program, help_of_a_command_by_two_ways_and_beside_anything) {
  const std::string help = kiln({"help", "render"}).out;
  EXPECT_TRUE(contains(help, "Size and quality:\n"));
  EXPECT_EQ(help, kiln({"render", "--help"}).out);
  EXPECT_EQ(help, kiln({"render", "--width", "wide", "--nonsense", "-h"}).out);
  std::istringstream lines(help.substr(0, help.find("Examples:")));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

TEST_F(program, unknown_words_name_the_nearest) {
  put("a.flame", triangle());
  const auto says = [&](const Names& arguments, const std::string& part) {
    const Outcome outcome = kiln(arguments);
    EXPECT_EQ(outcome.code, 2) << part;
    EXPECT_TRUE(contains(outcome.err, part)) << outcome.err;
  };
  says({"rendr", "a.flame"}, "did you mean \"render\"?");
  says({"a.flame"}, "to render it: kiln render a.flame");
  says({"render", "a.flame", "--qualty=3"}, "\"--qualty\" (did you mean \"--quality\"?)");
  says({"render", "a.flame", "--backend", "cdua"}, "did you mean \"cuda\"?");
  says({"help", "rendr"}, "did you mean \"render\"?");
  says({"compare", "a.png", "b.png", "c.png"}, "\"c.png\" is one argument too many");
  says({"render", "a.flame", "--width"}, "--width: its value is missing");
}

TEST_F(program, numbers_are_decimal_and_never_empty) {
  put("a.flame", triangle());
  const Outcome outcome = kiln({"render", "a.flame", "--width", "0040", "--json", "-q"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "\"width\":40,")) << outcome.out;
  for (const char* option : {"--width", "--quality", "--psf", "--seed", "-o", "--max-memory"})
    EXPECT_EQ(kiln({"render", "a.flame", option, ""}).code, 2) << option;
}

TEST_F(program, wrong_usage_is_2_and_says_where_help_is) {
  put("a.flame", triangle());
  const Outcome alone = kiln({});
  EXPECT_EQ(alone.code, 2);
  EXPECT_EQ(alone.out, "");
  EXPECT_TRUE(contains(alone.err, "render"));
  const std::vector<Names> wrong = {{"paint"},
                                    {"render"},
                                    {"render", "a.flame", "--qualty", "3"},
                                    {"render", "a.flame", "--quality", "many"},
                                    {"render", "a.flame", "--quality", "0"},
                                    {"render", "a.flame", "--quality", "nan"},
                                    {"render", "a.flame", "--quality", "1e10"},
                                    {"render", "a.flame", "--quality-scale", "-1"},
                                    {"render", "a.flame", "--scale", "0.001"},
                                    {"render", "a.flame", "--scale", "1e6"},
                                    {"render", "a.flame", "--width", "0"},
                                    {"render", "a.flame", "--height", "1000001"},
                                    {"render", "a.flame", "--supersample", "17"},
                                    {"render", "a.flame", "--pixel-aspect", "0"},
                                    {"render", "a.flame", "--bits", "12"},
                                    {"render", "a.flame", "--seed", "-1"},
                                    {"render", "a.flame", "--threads", "-1"},
                                    {"render", "a.flame", "--backend", "vulkan"},
                                    {"render", "a.flame", "--compat", "flam4"},
                                    {"render", "a.flame", "--max-memory", "lots"},
                                    {"render", "a.flame", "--max-memory", "0"},
                                    {"render", "a.flame", "--max-input", "-3"},
                                    {"render", "a.flame", "--progress", "loud"},
                                    {"render", "a.flame", "--flame", "1"},
                                    {"render", "a.flame", "--flame", "rose"},
                                    {"render", "a.flame", "-o", "a.gif"},
                                    {"render", "a.flame", "-o", "{nome}.png"},
                                    {"render", "a.flame", "-o", "-", "--json"},
                                    {"render", "-", "-", "-o", "{index}.png"},
                                    {"compare", "a.png"},
                                    {"compare", "a.png", "b.png", "--hash", "--max-rms", "1"}};
  for (const Names& arguments : wrong) {
    const Outcome outcome = kiln(arguments);
    std::string shown;
    for (const std::string& argument : arguments) shown += argument + " ";
    EXPECT_EQ(outcome.code, 2) << shown << outcome.err;
    EXPECT_EQ(outcome.out, "") << shown;
    EXPECT_EQ(outcome.err.rfind("kiln: ", 0), 0u) << shown << outcome.err;
  }
  EXPECT_EQ(folder.entries(), Names{"a.flame"});
}

// ---- names ----

TEST_F(program, one_flame_gets_the_stem_and_several_an_index) {
  put("rose.flame", triangle());
  put("two.flame", "<flames>" + triangle("name=\"a\"") + triangle("name=\"b\"") + "</flames>");
  const Outcome outcome = kiln({"render", "rose.flame", "two.flame"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "rose.png\ntwo_0.png\ntwo_1.png\n");
  EXPECT_EQ(folder.entries(),
            (Names{"rose.flame", "rose.png", "two.flame", "two_0.png", "two_1.png"}));
  EXPECT_EQ(lines_of(outcome.err), 1) << outcome.err;  // the closing line
  EXPECT_TRUE(std::regex_search(
      outcome.err,
      std::regex("3 pictures, .* samples in .* s \\(.* samples/s\\), [0-9]+ bad values "
                 "\\(.*\\), peak memory .*B, ")))
      << outcome.err;
}

TEST_F(program, templates) {
  put("two.flame",
      "<flames>" + triangle("name=\"red rose\"") + triangle("name=\"../../x\"") + "</flames>");
  std::filesystem::create_directory(folder / "out");
  const auto names = [&](const std::string& pattern) {
    const Outcome outcome = kiln({"render", "two.flame", "-q", "-o", pattern});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  };
  EXPECT_EQ(names("out/f####.png"), "out/f0000.png\nout/f0001.png\n");
  EXPECT_EQ(names("%03d.png"), "000.png\n001.png\n");
  EXPECT_EQ(names("out/{stem}-{index}-{frame}.png"), "out/two-0-0.png\nout/two-1-1.png\n");
  // the reader writes blanks as _
  EXPECT_EQ(names("out/{name}.png"), "out/red_rose.png\nout/___.._x.png\n");
  EXPECT_EQ(names("out"), "out/two_0.png\nout/two_1.png\n");
  EXPECT_EQ(names("out/"), "out/two_0.png\nout/two_1.png\n");
  EXPECT_TRUE(std::filesystem::exists(folder / "out/___.._x.png"));
}

TEST_F(program, one_flame_of_several) {
  put("two.flame", "<flames>" + triangle("name=\"a\"") + triangle("name=\"b\"") +
                       triangle("name=\"0\"") + "</flames>");
  EXPECT_EQ(kiln({"render", "two.flame", "-q", "--flame", "1"}).out, "two.png\n");
  EXPECT_EQ(kiln({"render", "two.flame", "-q", "--flame", "b", "-o", "{name}{index}.png"}).out,
            "b1.png\n");
  EXPECT_EQ(kiln({"render", "two.flame", "-q", "--flame", "0", "-o", "x{index}.png"}).out,
            "x2.png\n");  // a name comes first
}

TEST_F(program, two_pictures_to_one_name_are_refused_before_rendering) {
  put("two.flame", "<flames>" + triangle("name=\"a\"") + triangle("name=\"a\"") + "</flames>");
  std::filesystem::create_directory(folder / "sub");
  put("sub/two.flame", triangle());
  put("x.flame", triangle());
  for (const Names& arguments :
       {Names{"render", "two.flame", "-o", "a.png"},
        Names{"render", "two.flame", "-o", "{name}.png"},
        Names{"render", "two.flame", "--flame", "0", "sub/two.flame", "-o", "{stem}.png"},
        Names{"render", "x.flame", "./x.flame"}, Names{"render", "two.flame", "-o", "-"}}) {
    const Outcome outcome = kiln(arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_EQ(folder.entries(), (Names{"sub", "two.flame", "x.flame"}));
}

TEST_F(program, an_input_is_never_replaced_by_its_picture) {
  put("a.flame", triangle());
  ASSERT_EQ(kiln({"render", "a.flame", "-q"}).code, 0);
  const std::string before = read_file(folder / "a.png");
  EXPECT_EQ(kiln({"render", "a.png", "-q"}).code, 2);
  EXPECT_EQ(kiln({"render", "a.flame", "-q", "-o", "./a.flame"}).code, 2);
  EXPECT_EQ(read_file(folder / "a.png"), before);
  EXPECT_EQ(read_file(folder / "a.flame"), triangle());
}

TEST_F(program, existing_files_are_replaced_unless_no_clobber) {
  put("a.flame", triangle());
  put("a.png", "mine");
  const Outcome kept = kiln({"render", "a.flame", "--no-clobber"});
  EXPECT_EQ(kept.code, 5);
  EXPECT_TRUE(contains(kept.err, "a.png: exists already")) << kept.err;
  EXPECT_EQ(read_file(folder / "a.png"), "mine");
  EXPECT_EQ(kiln({"render", "a.flame"}).code, 0);
  EXPECT_NO_THROW(read_png(folder / "a.png"));
}

// ---- what is in the picture ----

TEST_F(program, options_override_the_file_and_keep_the_framing) {
  put("a.flame", triangle());
  const auto genome_after = [&](const Names& options) {
    Names arguments = {"render", "a.flame", "-q", "-o", "x.png"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome rendered = kiln(arguments);
    EXPECT_EQ(rendered.code, 0) << rendered.err;
    return kiln({"info", "x.png", "--json"}).out;
  };
  const std::string doubled =
      genome_after({"--scale", "2", "--quality", "8", "--quality-scale", "0.5"});
  EXPECT_TRUE(contains(doubled, R"("width":64,"height":48,"quality":4,"scale":40)")) << doubled;
  // flam3 truncates: 47.68 x 35.76
  const std::string truncated = genome_after({"--scale", "1.49"});
  EXPECT_TRUE(contains(truncated, R"("width":47,"height":35,"quality":5,"scale":29.8)"))
      << truncated;
  const std::string wide = genome_after({"--width", "16"});
  EXPECT_TRUE(contains(wide, R"("width":16,"height":12,"quality":5,"scale":10)")) << wide;
  const std::string high = genome_after({"--height", "48"});
  EXPECT_TRUE(contains(high, R"("width":64,"height":48,"quality":5,"scale":40)")) << high;
  const std::string both = genome_after({"--width", "64", "--height", "10", "--supersample", "2"});
  EXPECT_TRUE(contains(both, R"("width":64,"height":10,"quality":5,"scale":40)")) << both;
  EXPECT_TRUE(contains(both, R"("supersample":2)")) << both;
  const Image image = read_png(folder / "x.png");
  EXPECT_EQ(image.width, 64);
  EXPECT_EQ(image.height, 10);
}

TEST_F(program, a_picture_renders_again_from_its_own_genome) {
  put("a.flame", triangle("name=\"a\" background=\"0.1 0.2 0.3\""));
  ASSERT_EQ(kiln({"render", "a.flame", "-q", "--seed", "9", "--width", "40"}).code, 0);
  ASSERT_EQ(kiln({"render", "a.png", "-q", "--seed", "9", "-o", "b.png"}).code, 0);
  EXPECT_EQ(read_file(folder / "a.png"), read_file(folder / "b.png"));
  ASSERT_EQ(kiln({"render", "a.png", "-q", "--seed", "10", "-o", "c.png"}).code, 0);
  EXPECT_EQ(kiln({"compare", "a.png", "b.png"}).code, 0);
  EXPECT_EQ(kiln({"compare", "a.png", "c.png"}).code, 1);
}

TEST_F(program, depth_and_transparency) {
  put("a.flame", triangle());
  ASSERT_EQ(kiln({"render", "a.flame", "-q", "--bits", "16", "--transparent"}).code, 0);
  const Image image = read_png(folder / "a.png");
  EXPECT_EQ(image.bits(), 16);
  EXPECT_EQ(image.pixels16().at(3), 0);  // the corner is empty
}

// ---- streams ----

TEST_F(program, reads_standard_input_and_writes_standard_output) {
  const Outcome piped = kiln({"render", "-", "-o", "-"}, triangle());
  EXPECT_EQ(piped.code, 0) << piped.err;
  EXPECT_TRUE(folder.entries().empty());
  put("piped.png", piped.out);
  const Outcome named = kiln({"render", "-", "-q"}, triangle());
  EXPECT_EQ(named.out, "stdin.png\n");
  EXPECT_EQ(read_file(folder / "stdin.png"), piped.out);
}

TEST_F(program, a_pipe_gets_no_control_characters) {
  put("a.flame", "<flames>" +
                     triangle("name=\"\x7f\" unknown_thing=\"1\"",
                              "<xform weight=\"1\" no_such_variation=\"1\"/>") +
                     triangle() + "</flames>");
  for (const Names& arguments :
       {Names{"render", "a.flame"}, Names{"render", "a.flame", "--approximate"},
        Names{"render", "a.flame", "--approximate", "--progress", "json"}, Names{"info", "a.flame"},
        Names{"info", "a.flame", "--json"}, Names{"validate", "a.flame"},
        Names{"render", "\x1b[2J.flame"}, Names{"validate", "\x1b[2J.flame"}}) {
    const Outcome outcome = kiln(arguments);
    for (char c : outcome.out + outcome.err) {
      EXPECT_TRUE(c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f))
          << arguments[0] << static_cast<int>(c);
    }
  }
}

TEST_F(program, progress_as_json) {
  put("a.flame", triangle("", "<xform weight=\"1\" no_such_variation=\"1\"/>"));
  const Outcome outcome =
      kiln({"render", "a.flame", "none.flame", "--progress", "json", "--approximate"});
  EXPECT_EQ(outcome.code, 7);
  std::string line;
  std::istringstream lines(outcome.err);
  std::string events;
  while (std::getline(lines, line)) {
    std::smatch event;
    ASSERT_TRUE(std::regex_match(line, event, std::regex("\\{\"event\":\"([a-z]+)\",.*\\}")))
        << line;
    if (!contains(events, event[1].str())) events += event[1].str() + " ";
    if (event[1] == "progress") {
      EXPECT_FALSE(contains(line, "\"done\":1,")) << line;
    }
    if (event[1] == "finished") {
      EXPECT_TRUE(contains(line, "\"file\":\"a.png\"")) << line;
    }
  }
  EXPECT_EQ(events, "warning error progress finished summary ");
}

TEST_F(program, the_result_as_json) {
  put("a.flame", triangle("name=\"a\""));
  const Outcome outcome = kiln({"render", "a.flame", "none.flame", "--json", "-q", "--seed", "5"});
  EXPECT_EQ(outcome.code, 7);
  EXPECT_EQ(lines_of(outcome.out), 1);
  const std::string hash = kiln({"compare", "--hash", "a.png"}).out.substr(0, 64);
  for (const std::string part :
       {"{\"pictures\":[{\"file\":\"a.png\",\"input\":\"a.flame\",\"name\":\"a\",\"index\":0,"
        "\"width\":32",
        "\"seed\":5", "\"failed\":[{\"item\":\"none.flame\",\"code\":3,", "\"exit_code\":7}"}) {
    EXPECT_TRUE(contains(outcome.out, part)) << part << outcome.out;
  }
  EXPECT_TRUE(contains(outcome.out, "\"pixel_hash\":\"" + hash + "\"")) << outcome.out;
}

// ---- faults ----

TEST_F(program, bad_input_is_3_with_file_and_line) {
  put("bad.flame", "<flame size=\"32 24\">\n<xform weight=\"1\" linear=\"1\"\n");
  const Outcome outcome = kiln({"render", "bad.flame"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(std::regex_search(outcome.err, std::regex("^kiln: bad\\.flame:[0-9]+: ")))
      << outcome.err;
  EXPECT_EQ(lines_of(outcome.err), 1);
  EXPECT_EQ(folder.entries(), Names{"bad.flame"});
  EXPECT_EQ(kiln({"render", "none.flame"}).code, 3);
  EXPECT_EQ(kiln({"render", "-"}, "").code, 3);
}

TEST_F(program, one_bad_file_does_not_stop_the_others) {
  put("good.flame", triangle());
  put("bad.flame", "<flame");
  const Outcome outcome = kiln({"render", "bad.flame", "good.flame"});
  EXPECT_EQ(outcome.code, 7);
  EXPECT_EQ(outcome.out, "good.png\n");
  EXPECT_TRUE(contains(outcome.err, "bad.flame"));
}

/// A picture is written beside the next one's rendering; with one thread it waits its turn.
TEST_F(program, a_picture_that_cannot_be_written_does_not_stop_the_next) {
  put("a.flame", "<flames>" + triangle("name=\"first\"") + triangle("name=\"second\"") +
                     triangle("name=\"third\" zoom=\"1\"") + "</flames>");
  ASSERT_EQ(kiln({"render", "a.flame", "-o", "whole_{index}.png", "--backend", "cpu"}).code, 0);
  const auto hash_of = [&](const std::string& name) {
    return kiln({"compare", "--hash", name}).out.substr(0, 64);
  };
  ASSERT_EQ(hash_of("whole_1.png").size(), 64u);
  ASSERT_NE(hash_of("whole_1.png"), hash_of("whole_2.png"));
  struct Fault {
    std::string folders, reason;  // {index} in it; what the message says
  };
  for (const Fault& fault : {Fault{"early{index}", "the folder \"early0\" does not exist"},
                             Fault{"late{index}", "free some space"}}) {
    const std::string stem = fault.folders.substr(0, fault.folders.find('{'));
    for (const char* index : {"1", "2"}) std::filesystem::create_directory(folder / (stem + index));
    if (stem == "late") {  // a name that looks well until its picture is written
      std::filesystem::create_directory(folder / "late0");
      std::filesystem::create_symlink("/dev/full", folder / "late0/a.png");
    }
    for (const char* threads : {"1", "2"}) {
      SCOPED_TRACE(stem + ", --threads " + threads);
      for (const char* index : {"1", "2"})
        std::filesystem::remove(folder / (stem + index + "/a.png"));
      const Outcome outcome =
          kiln({"render", "a.flame", "-o", fault.folders + "/a.png", "--threads", threads,
                "--backend", "cpu", "--progress", "none"});
      EXPECT_EQ(outcome.code, 7);
      EXPECT_EQ(outcome.out, stem + "1/a.png\n" + stem + "2/a.png\n");
      EXPECT_EQ(outcome.err.rfind("kiln: " + stem + "0/a.png: ", 0), 0u) << outcome.err;
      EXPECT_TRUE(contains(outcome.err, fault.reason)) << outcome.err;
      EXPECT_FALSE(contains(outcome.err, stem + "1") || contains(outcome.err, stem + "2"))
          << outcome.err;
      for (const char* index : {"1", "2"}) {
        EXPECT_EQ(hash_of(stem + index + "/a.png"),
                  hash_of(std::string("whole_") + index + ".png"));
      }
    }
  }
}

TEST_F(program, what_kiln_does_not_have_is_4) {
  put("a.flame", triangle("", "<xform weight=\"1\" no_such_variation=\"1\"/>"));
  const Outcome refused = kiln({"render", "a.flame"});
  EXPECT_EQ(refused.code, 4);
  EXPECT_TRUE(contains(refused.err, "variation no_such_variation (xform 4)")) << refused.err;
  EXPECT_EQ(kiln({"validate", "a.flame"}).code, 4);
  const Outcome without = kiln({"render", "a.flame", "--approximate"});
  EXPECT_EQ(without.code, 0);
  EXPECT_TRUE(contains(without.err, "kiln: warning: a.flame:1: ")) << without.err;
  EXPECT_TRUE(
      contains(read_file(folder / "a.png"), R"("approximate":["variation no_such_variation"])"));
}

TEST_F(program, strict_is_4) {
  put("a.flame", triangle("no_such_attribute=\"1\""));
  const Outcome lenient = kiln({"render", "a.flame"});
  EXPECT_EQ(lenient.code, 0);
  EXPECT_TRUE(contains(lenient.err, "kiln: warning: a.flame:1: ")) << lenient.err;
  EXPECT_EQ(kiln({"render", "a.flame", "--quiet"}).err, "");
  const Outcome strict = kiln({"render", "a.flame", "--strict"});
  EXPECT_EQ(strict.code, 4) << strict.err;
  EXPECT_EQ(kiln({"validate", "a.flame", "--strict"}).code, 4);
}

TEST_F(program, max_input_bounds_what_is_read) {
  put("a.flame", triangle() + std::string(5000, ' '));
  EXPECT_EQ(kiln({"validate", "a.flame"}).code, 0);
  EXPECT_EQ(kiln({"validate", "a.flame", "--max-input", "2K"}).code, 3);
}

TEST_F(program, output_that_cannot_be_written_is_5_with_a_remedy) {
  put("a.flame", triangle());
  const auto error_of = [&](const std::string& output) {
    const Outcome outcome = kiln({"render", "a.flame", "-o", output});
    EXPECT_EQ(outcome.code, 5) << output << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(lines_of(outcome.err), 1) << outcome.err;
    return outcome.err;
  };
  EXPECT_TRUE(contains(error_of("none/a.png"), "the folder \"none\" does not exist; create it"));
  EXPECT_TRUE(contains(error_of("a.flame/b.png"), "is not a folder"));
  EXPECT_TRUE(contains(error_of("/dev/full"), "free some space"));
  error_of("/proc/kiln.png");
  EXPECT_EQ(folder.entries(), Names{"a.flame"});
}

TEST_F(program, a_name_that_cannot_be_written_is_noticed_before_rendering) {
  put("a.flame", triangle());
  put("a.png", "mine");
  const auto within_a_minute = [] { alarm(60); };  // the rendering would take hours
  for (const Names& arguments : {Names{"-o", "none/a.png"}, Names{"--no-clobber"}}) {
    Names all = {"render", "a.flame", "--quality", "1e9", "--scale", "20", "--backend", "cpu"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    EXPECT_EQ(run_program(all, {folder.path(), "", {}, within_a_minute}).code, 5);
  }
}

TEST_F(program, standard_output_that_is_full_is_5) {
  put("a.flame", triangle());
  for (const Names& arguments : {Names{"render", "a.flame", "-o", "-"}, Names{"info", "a.flame"},
                                 Names{"--version"}, Names{"variations"}}) {
    const Outcome outcome = run_program(arguments, {folder.path(), "", "/dev/full", {}});
    EXPECT_EQ(outcome.code, 5) << arguments[0];
    EXPECT_TRUE(contains(outcome.err, "standard output")) << outcome.err;
  }
}

TEST_F(program, the_file_size_limit_leaves_nothing_behind) {
  put("a.flame", triangle());
  const auto limit = [] {
    const rlimit bytes{600, 600};
    setrlimit(RLIMIT_FSIZE, &bytes);
  };
  const Outcome outcome = run_program({"render", "a.flame"}, {folder.path(), "", {}, limit});
  EXPECT_EQ(outcome.code, 5) << outcome.err;
  EXPECT_EQ(folder.entries(), Names{"a.flame"});
}

TEST_F(program, a_cuda_device_that_is_not_there_is_6) {
  put("a.flame", triangle());
  const Outcome outcome = kiln({"render", "a.flame", "--backend", "cuda", "--device", "999"});
  EXPECT_EQ(outcome.code, 6);
  EXPECT_EQ(lines_of(outcome.err), 1) << outcome.err;
  EXPECT_EQ(folder.entries(), Names{"a.flame"});
}

TEST_F(program, max_memory_is_6) {
  put("a.flame", triangle());
  const Outcome outcome = kiln({"render", "a.flame", "--max-memory", "10K"});
  EXPECT_EQ(outcome.code, 6) << outcome.err;
  EXPECT_EQ(folder.entries(), Names{"a.flame"});
}

TEST_F(program, interrupts_leave_nothing_behind) {
  put("a.flame", triangle());
  for (auto [signal, code] : {std::pair{SIGINT, 130}, {SIGTERM, 143}}) {
    const ScratchFolder logs;
    const Start start{folder.path(), "", {}, {}};
    const pid_t child = start_program(
        {"render", "a.flame", "--quality", "1e8", "--progress", "json", "--backend", "cpu"}, logs,
        start);
    while (!contains(read_file(logs / "err"), "progress") && is_running(child)) usleep(2000);
    usleep(100000);
    kill(child, signal);
    EXPECT_EQ(wait_for(child), code) << read_file(logs / "err");
    EXPECT_EQ(folder.entries(), Names{"a.flame"});
  }
}

/// Whether the program has a file in the folder open, with a name or without.
bool writes_in(const std::string& folder, pid_t child) {
  std::error_code error;
  const std::filesystem::directory_iterator open("/proc/" + std::to_string(child) + "/fd", error);
  for (const auto& entry : open) {
    if (std::filesystem::read_symlink(entry, error).string().rfind(folder + "/", 0) == 0)
      return true;
  }
  return false;
}

TEST_F(program, an_interrupt_while_writing_removes_the_temporary) {
  put("a.flame", triangle());
  int code = 0;
  // 0: the file was whole before the signal came
  for (int attempt = 0; attempt < 10 && code == 0; ++attempt) {
    std::filesystem::remove(folder / "a.png");
    const ScratchFolder logs;
    const pid_t child =
        start_program({"render", "a.flame", "--quality", "0.1", "--scale", "60", "--bits", "16"},
                      logs, {folder.path(), "", {}, {}});
    while (!writes_in(folder.path(), child) && is_running(child)) usleep(100);
    kill(child, SIGTERM);
    code = wait_for(child);
  }
  EXPECT_EQ(code, 143);
  EXPECT_EQ(folder.entries(), Names{"a.flame"});
}

// ---- the other commands ----

TEST_F(program, info) {
  put("a.flame", "<flames>" + triangle("name=\"first\" zoom=\"1\"") +
                     triangle("palette_mode=\"linear\"", "<finalxform color=\"0\" swirl=\"1\"/>") +
                     "</flames>");
  const Outcome text = kiln({"info", "a.flame"});
  EXPECT_EQ(text.code, 0);
  for (const char* part :
       {"a.flame: 2 flames", "\"first\"", "32 x 24 pixels, quality 5", "3 xforms: linear",
        "3 xforms and a final one: linear, swirl", "palette: linear, ", "15.4 k samples"}) {
    EXPECT_TRUE(contains(text.out, part)) << part << "\n" << text.out;
  }
  const Outcome json = kiln({"info", "a.flame", "--json"});
  EXPECT_EQ(lines_of(json.out), 1);
  EXPECT_TRUE(contains(json.out, "\"samples\":15360")) << json.out;  // 5 * 32 * 24 * 4^1
  EXPECT_TRUE(contains(json.out, R"("variations":["linear","swirl"])")) << json.out;
  EXPECT_EQ(kiln({"info", "none.flame"}).code, 3);
}

TEST_F(program, info_says_what_moves_a_flame_in_a_film) {
  put("a.flame", triangle("kiln_easing=\"hold\"",
                          "<kiln_track name=\"zoom\"><key time=\"2\" value=\"0\"/>"
                          "<key time=\"90\" value=\"1\"/></kiln_track>"
                          "<kiln_track xform=\"2\" name=\"turn\"><key time=\"5\" value=\"1\"/>"
                          "</kiln_track>"));
  const std::string text = kiln({"info", "a.flame"}).out;
  EXPECT_TRUE(contains(text, "\n    track of zoom: 2 keys, times 2 to 90\n")) << text;
  EXPECT_TRUE(contains(text, "\n    track of turn of xform 2: 1 key, times 5 to 5\n")) << text;
  EXPECT_TRUE(contains(text, "\n    easing to the next key flame: hold\n")) << text;
  const std::string json = kiln({"info", "a.flame", "--json"}).out;
  EXPECT_TRUE(contains(json, R"("tracks":[{"of":"zoom","keys":2,"begin":2,"end":90},)")) << json;
  EXPECT_TRUE(contains(json, R"({"of":"turn of xform 2","keys":1,"begin":5,"end":5}])")) << json;
  EXPECT_TRUE(contains(json, R"("easing":"hold")")) << json;
}

/// Of a flame that is not played in double; render, info and validate say it in the same words.
TEST_F(program, says_where_coordinates_are_too_coarse_for_the_picture) {
  struct Depth {
    const char *scale, *word, *words;
  };
  for (const auto& [scale, word, words] :
       {Depth{"100", "whole", ""}, Depth{"4e6", "soft", "expect a soft picture"},
        Depth{"4e7", "blocks", "expect blocks"}, Depth{"4e10", "black", "expect black"}}) {
    SCOPED_TRACE(scale);
    put("deep.flame", "<flames>\n<flame size=\"32 24\" quality=\"1\" center=\"0.5 0.5\" scale=\"" +
                          std::string(scale) +
                          "\"><xform weight=\"1\" disc=\"1\" coefs=\"0.5 0 0 0.5 0.5 0.5\"/>"
                          "<color index=\"0\" rgb=\"9 9 9\"/></flame></flames>");
    const Outcome text = kiln({"info", "deep.flame"}),
                  json = kiln({"info", "deep.flame", "--json"});
    EXPECT_TRUE(contains(json.out, R"("resolution":")" + std::string(word) + "\"")) << json.out;
    const Outcome made = kiln({"render", "deep.flame", "-o", "deep.png", "--force"}),
                  valid = kiln({"validate", "deep.flame"});
    EXPECT_EQ(made.code, 0);
    EXPECT_EQ(valid.code, 0);
    for (const std::string& said : {text.out, made.err, valid.err}) {
      if (*words) {
        EXPECT_TRUE(contains(said, words)) << said;
      } else {
        EXPECT_FALSE(contains(said, "expect")) << said;
      }
    }
    if (!*words) continue;
    for (const std::string& said : {made.err, valid.err}) {
      EXPECT_TRUE(contains(said, "deep.flame:2: ")) << said;
      EXPECT_FALSE(contains(said, "deep.flame: deep.flame")) << said;
    }
  }
}

TEST_F(program, info_counts_the_memory_of_bloom_and_glare) {
  const auto memory = [&](const std::string& attributes) {
    put("a.flame", triangle(attributes));
    const std::string out = kiln({"info", "a.flame", "--json"}).out;
    const std::string name = "\"memory_bytes\":";
    const std::size_t at = out.find(name);
    return at == std::string::npos ? -1.0 : std::strtod(out.c_str() + at + name.size(), nullptr);
  };
  const double plain = memory("");
  EXPECT_GT(plain, 32 * 24 * 40);
  // 32 x 24 pixels padded to twice the size less one: taps and spectrum, 12 bytes, and rows of Vec4
  const double width = next_fft_length(63), height = next_fft_length(47);
  const double planes = width * height * 12 + width * 24 * 16;
  EXPECT_EQ(memory("kiln_bloom=\"0.3 2 0\"") - plain, planes);
  EXPECT_EQ(memory("kiln_glare=\"6 0 0.1\"") - plain, planes);
  EXPECT_EQ(memory("kiln_bloom=\"0 2 0\"") - plain, 0);
}

TEST_F(program, validate_prints_one_line_a_file) {
  put("good.flame", triangle());
  put("bad.flame", "<flame><xform weight=\"x\"/></flame>");
  const Outcome good = kiln({"validate", "good.flame"});
  EXPECT_EQ(good.code, 0);
  EXPECT_EQ(good.out, "good.flame: complete, 1 flame\n");
  const Outcome mixed = kiln({"validate", "bad.flame", "good.flame", "none.flame"});
  EXPECT_EQ(mixed.code, 3);
  EXPECT_EQ(lines_of(mixed.out), 3) << mixed.out;
  EXPECT_EQ(mixed.out.rfind("bad.flame:1: ", 0), 0u) << mixed.out;
}

TEST_F(program, lists) {
  const Outcome variations = kiln({"variations"});
  EXPECT_EQ(variations.code, 0);
  EXPECT_EQ(variations.out.rfind("linear\n", 0), 0u);
  EXPECT_TRUE(contains(variations.out, "julian julian_power=1 julian_dist=1  (random)\n"))
      << variations.out;
  EXPECT_TRUE(contains(kiln({"variations", "--json"}).out,
                       R"({"name":"linear","random":false,"parameters":[],)"));
  const Outcome devices = kiln({"devices"});
  EXPECT_EQ(devices.code, 0);
  EXPECT_EQ(devices.out.rfind("cpu   0  ", 0), 0u) << devices.out;
  EXPECT_EQ(kiln({"devices", "--json"}).out.rfind("[{\"kind\":\"cpu\",\"index\":0,", 0), 0u);
}

TEST_F(program, compare) {
  put("a.flame", triangle());
  ASSERT_EQ(kiln({"render", "a.flame", "-q", "-o", "a.png"}).code, 0);
  ASSERT_EQ(kiln({"render", "a.flame", "-q", "-o", "b.png", "--seed", "2"}).code, 0);
  ASSERT_EQ(kiln({"render", "a.flame", "-q", "-o", "wide.png", "--width", "40"}).code, 0);
  const Outcome same = kiln({"compare", "a.png", "a.png"});
  EXPECT_EQ(same.code, 0);
  EXPECT_TRUE(contains(same.out, "identical: rms 0,")) << same.out;
  const Outcome other = kiln({"compare", "a.png", "b.png"});
  EXPECT_EQ(other.code, 1);
  EXPECT_EQ(other.out.rfind("different: rms 0.", 0), 0u) << other.out;
  EXPECT_EQ(kiln({"compare", "a.png", "b.png", "--max-rms", "0.9", "--min-psnr", "1", "--min-ssim",
                  "-1", "--max-differing", "1"})
                .code,
            0);
  EXPECT_EQ(kiln({"compare", "a.png", "b.png", "--max-rms", "1e-6"}).code, 1);
  EXPECT_EQ(kiln({"compare", "a.png", "b.png", "--min-psnr", "90"}).code, 1);
  EXPECT_EQ(kiln({"compare", "a.png", "b.png", "--min-ssim", "0.9999"}).code, 1);
  EXPECT_EQ(kiln({"compare", "a.png", "b.png", "--max-differing", "0.0001"}).code, 1);
  EXPECT_EQ(kiln({"compare", "a.png", "b.png", "--max-rms", "1", "--min-psnr", "90"}).code, 1)
      << "all limits have to hold";
  EXPECT_EQ(kiln({"compare", "a.png", "wide.png"}).code, 1);
  EXPECT_EQ(kiln({"compare", "a.png", "wide.png", "--max-rms", "1"}).code, 1);
  EXPECT_EQ(kiln({"compare", "a.png", "b.png", "--hash"}).code, 1);
  EXPECT_EQ(kiln({"compare", "a.png", "a.png", "--hash"}).code, 0);
  EXPECT_EQ(kiln({"compare", "a.png", "none.png"}).code, 3);
  EXPECT_EQ(kiln({"compare", "a.png", "a.flame"}).code, 3);
  EXPECT_TRUE(contains(kiln({"compare", "a.png", "a.png", "--json"}).out,
                       R"("same":true,"same_size":true,"rms":0,)"));
}

// ---- a terminal ----

/// What a terminal of this kind is shown while a picture is rendered in the folder.
std::string shown_on_terminal(const char* kind, const std::string& folder) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) return "no terminal";
  const std::string name = ptsname(terminal);
  const auto on_terminal = [&] {
    setenv("TERM", kind, 1);
    dup2(open(name.c_str(), O_RDWR | O_NOCTTY), 2);
  };
  // what was written stays readable after the program's end
  const int keep_open = open(name.c_str(), O_RDWR | O_NOCTTY);
  const ScratchFolder logs;
  const pid_t child = start_program({"render", "a.flame", "--quality", "60000", "--backend", "cpu",
                                     "--threads", "1"},  // a GPU or many cores are done at once
                                    logs, {folder, "", {}, on_terminal});
  std::string shown;  // the kernel hands it on in pieces, and holds the program up when it has many
  for (bool running = true, more = true; running || more;) {
    running = is_running(child);
    pollfd arrives{terminal, POLLIN, 0};
    more = poll(&arrives, 1, running ? 50 : 500) > 0;
    if (!more) continue;
    char piece[4096];
    const ssize_t size = read(terminal, piece, sizeof piece);
    if (size <= 0) break;
    shown.append(piece, std::size_t(size));
  }
  EXPECT_EQ(wait_for(child), 0) << shown;
  close(keep_open);
  close(terminal);
  return shown;
}

TEST_F(program, a_terminal_gets_a_line_that_ends_at_100_only_when_the_file_is_there) {
  put("a.flame", triangle());
  const std::string shown = shown_on_terminal("xterm", folder.path());
  EXPECT_TRUE(contains(shown, " left  a.png\x1b[K")) << shown;
  EXPECT_EQ(shown.find("100 %"), shown.rfind("100 %")) << shown;
  EXPECT_TRUE(contains(shown, "100 %  a.png")) << shown;
}

/// As of an editor, which would show the signs that go back in a line.
TEST_F(program, a_terminal_that_cannot_go_back_gets_whole_lines) {
  put("a.flame", triangle());
  const std::string shown = shown_on_terminal("dumb", folder.path());
  EXPECT_TRUE(contains(shown, "1 picture, ")) << shown;
  EXPECT_EQ(shown.find('\x1b'), std::string::npos) << shown;
}

}  // namespace
}  // namespace kiln
