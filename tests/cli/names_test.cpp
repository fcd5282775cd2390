// SPDX-License-Identifier: MIT
// What names on the command line may stand for: outputs that replace nothing but what they are, and
// inputs that are understood before anything is rendered.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/program.h"

namespace kiln {
namespace {

using test::Outcome;
using test::read_file;
using test::run_program;
using test::triangle;
using Names = std::vector<std::string>;

class names : public testing::Test {
 protected:
  names() {
    put("a.flame", triangle());
    put("mine.flam3", mine);
    start.folder = folder.path();
  }

  void put(const std::string& name, const std::string& bytes) const {
    test::write_file(folder / name, bytes);
  }
  Outcome kiln(const Names& arguments) const { return run_program(arguments, start); }
  Outcome render(Names arguments) const {
    arguments.insert(arguments.begin(), {"render", "--backend", "cpu"});
    return kiln(arguments);
  }
  std::string bytes(const std::string& name) const { return read_file(folder / name); }
  bool is_there(const std::string& name) const { return std::filesystem::exists(folder / name); }
  static bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  const std::string mine = "<flames>" + triangle("brightness=\"9\"") + "</flames>";
  const test::ScratchFolder folder;
  test::Start start;
};

// ---- outputs ----

TEST_F(names, a_picture_has_the_ending_of_a_picture) {
  for (const char* name : {"x.flam3", "x.flame", "x.xml", "x.mp4", "x.xyz", "x.BMP", "x.kiln",
                           "x.html", "new/x.gif"}) {
    const Outcome outcome = render({"a.flame", "-o", name});
    EXPECT_EQ(outcome.code, 2) << name << outcome.err;
    EXPECT_TRUE(contains(outcome.err, ".png")) << outcome.err;
    EXPECT_FALSE(is_there(name));
  }
  // what follows the last dot of these is a part of the name
  for (const char* name : {"x", "sheep.248", "St. Anna", "x.PNG", ".hidden.png"})
    EXPECT_EQ(render({"a.flame", "-o", name, "-q"}).code, 0) << name;
  EXPECT_EQ(kiln({"animate", "a.flame", "-o", "##.flam3", "--frames", "0"}).code, 2);
  EXPECT_EQ(kiln({"convert", "a.flame", "-o", "x.mp4"}).code, 2);
  EXPECT_EQ(kiln({"sequence", "a.flame", "-o", "x.png", "--nframes", "2"}).code, 2);
}

TEST_F(names, a_folder_that_is_not_there_is_the_same_message_of_every_command) {
  ASSERT_EQ(render({"a.flame", "-q", "-o", "frame.png"}).code, 0);
  const bool has_films = test::has_program("ffmpeg");
  const auto refused = [&](const Names& words, const std::string& says) {
    const Outcome outcome = kiln(words);
    EXPECT_EQ(outcome.code, 5) << words[0];
    EXPECT_EQ(outcome.err, "kiln: " + words.back() + ": " + says + "\n");
    EXPECT_FALSE(is_there("new"));
  };
  const std::string missing =
      "the folder \"new\" does not exist; create it (mkdir -p) or choose another";
  const std::string folder_itself = "is a folder; give the name of a file";
  refused({"render", "a.flame", "-o", "new/a.png"}, missing);
  refused({"sheet", "a.flame", "-o", "new/a.png"}, missing);
  refused({"sheet", "a.flame", "-o", "new/a.html"}, missing);
  refused({"sheet", "a.flame", "-o", "new/"}, folder_itself);
  if (!has_films) return;
  refused({"video", "frame.png", "-o", "new/a.mp4"}, missing);
  refused({"animate", "a.flame", "--frames", "0", "--video", "new/a.mp4"}, missing);
  refused({"video", "frame.png", "-o", "new/"}, folder_itself);
}

// The options say themselves what they read: none is named by hand where names are checked.
TEST_F(names, no_command_replaces_what_any_of_its_options_reads) {
  std::string colors;
  for (int i = 0; i < 256; ++i) colors += "00777777";
  put("lib.xml",
      "<palettes><palette number=\"1\" name=\"one\" data=\"" + colors + "\"/></palettes>");
  ASSERT_EQ(render({"a.flame", "-q", "-o", "point.png"}).code, 0);
  ASSERT_EQ(render({"a.flame", "-q", "-o", "b.png"}).code, 0);
  std::filesystem::create_symlink("lib.xml", folder / "page.html");
  std::vector<Names> wrong = {
      {"genome", "rotate", "a.flame", "-n", "2", "-o", "mine.flam3", "--palette", "mine.flam3"},
      {"mutate", "a.flame", "-n", "1", "-o", "mine.flam3", "--template", "mine.flam3"},
      {"breed", "a.flame", "a.flame", "-n", "1", "-o", "mine.flam3", "--palette", "mine.flam3"},
      {"random", "-o", "mine.flam3", "--like", "mine.flam3"},
      {"random", "-o", "mine.flam3", "--palette", "mine.flam3"},
      {"random", "-o", "mine.flam3", "--template", "mine.flam3"},
      {"convert", "a.flame", "-o", "mine.flam3", "--palette", "mine.flam3"},
      {"sequence", "a.flame", "-o", "./mine.flam3", "--template", "mine.flam3"},
      {"find", "xforms>0", "a.flame", "-o", "lib.xml", "--palettes", "lib.xml"},
      {"sheet", "a.flame", "-o", "page.html", "--palettes", "lib.xml"},
      {"palettes", "lib.xml", "-o", "page.html"},
      {"render", "a.flame", "-o", "point.png", "--psf", "point.png,0.5"},
      {"render", "a.flame", "-o", "point.png", "--palette", "point.png"},
      {"animate", "a.flame", "-o", "#.png", "--frames", "0", "--manifest", "lib.xml", "--palettes",
       "lib.xml"},
      {"animate", "a.flame", "-o", "point.png", "--frames", "0", "--psf", "point.png"},
      {"compare", "b.png", "point.png", "--diff", "point.png"}};
  if (test::has_program("ffmpeg") && test::has_program("ffprobe")) {
    ASSERT_EQ(std::system(("cd " + folder.path() +
                           " && ffmpeg -v error -f lavfi -i sine=duration=1 song.wav"
                           " && ffmpeg -v error -f lavfi -i sine=duration=1 clip.mp4")
                              .c_str()),
              0);
    std::filesystem::create_symlink("clip.mp4", folder / "link.mp4");
    const Names spin = {"animate", "a.flame", "--spin", "2", "--audio"};
    for (const Names& more :
         {Names{"clip.mp4", "--video", "clip.mp4"},
          {"clip.mp4", "--video", "./clip.mp4"},
          {"clip.mp4", "--video", "link.mp4"},
          {"link.mp4", "--video", "clip.mp4"},
          {"song.wav", "--video", "v.mp4", "-o", "#.png", "--manifest", "song.wav"}}) {
      wrong.push_back(spin);
      wrong.back().insert(wrong.back().end(), more.begin(), more.end());
    }
    wrong.push_back({"video", "b.png", "-o", "clip.mp4", "--audio", "clip.mp4"});
  }
  const auto all_bytes = [&] {
    std::string all;
    for (const char* name : {"mine.flam3", "lib.xml", "point.png", "clip.mp4", "song.wav"})
      if (is_there(name)) all += bytes(name);
    return all;
  };
  const std::string before = all_bytes();
  for (Names arguments : wrong) {
    arguments.push_back("--force");
    const Outcome outcome = kiln(arguments);
    std::string line;
    for (const std::string& word : arguments) line += word + " ";
    EXPECT_EQ(outcome.code, 2) << line << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "is read and would be replaced")) << line << outcome.err;
    EXPECT_TRUE(all_bytes() == before) << line;
  }
}

TEST_F(names, no_command_replaces_the_palettes_that_the_environment_names) {
  std::string colors;
  for (int i = 0; i < 256; ++i) colors += "00777777";
  const std::string library =
      "<palettes><palette number=\"1\" name=\"one\" data=\"" + colors + "\"/></palettes>";
  put("lib.xml", library);
  std::filesystem::create_symlink("lib.xml", folder / "page.html");
  setenv("flam3_palettes", (folder / "lib.xml").c_str(), 1);
  for (const Names& arguments :
       {Names{"find", "xforms>0", "a.flame", "-o", "lib.xml"},
        {"palettes", "-o", "page.html"},
        {"animate", "a.flame", "-o", "#.png", "--frames", "0", "--manifest", "./lib.xml"}}) {
    Names forced = arguments;
    forced.push_back("--force");
    const Outcome outcome = kiln(forced);
    EXPECT_EQ(outcome.code, 2) << arguments[0] << ": " << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "is read and would be replaced")) << outcome.err;
  }
  unsetenv("flam3_palettes");
  EXPECT_EQ(bytes("lib.xml"), library);
}

TEST_F(names, no_command_replaces_a_file_that_holds_a_flame) {
  ASSERT_EQ(render({"a.flame", "-q", "-o", "a.png"}).code, 0);
  ASSERT_EQ(render({"a.flame", "-q", "-o", "b.png", "--checkpoint", "60"}).code, 0);
  std::filesystem::copy(folder / "mine.flam3", folder / "page.html");
  std::filesystem::copy(folder / "mine.flam3", folder / "bare");
  std::filesystem::copy(folder / "mine.flam3", folder / "named.png");
  std::filesystem::create_symlink("mine.flam3", folder / "link.png");
  const Names wrong[] = {
      {"render", "a.flame", "-o", "bare"},
      {"render", "a.flame", "-o", "named.png"},
      {"render", "a.flame", "-o", "link.png"},
      {"animate", "a.flame", "--frames", "0", "-o", "####.png", "--manifest", "mine.flam3"},
      {"grade", "b.kiln", "-o", "named.png"},
      {"merge", "b.kiln", "-o", "bare"},
      {"convert", "a.flame", "-o", "mine.flam3"},
      {"sequence", "a.flame", "--nframes", "2", "-o", "mine.flam3"},
      {"compare", "a.png", "b.png", "--html", "page.html"},
      {"compare", "a.png", "b.png", "--diff", "named.png"},
      {"variations", "julian", "-o", "mine.flam3"},
      {"variations", "julian", "-o", "named.png"}};
  for (const Names& arguments : wrong) {
    const Outcome outcome = kiln(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments[0] << " " << arguments.back() << ": " << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "--force")) << outcome.err;
    for (const char* name : {"mine.flam3", "page.html", "bare", "named.png"})
      EXPECT_EQ(bytes(name), mine) << arguments[0] << " " << arguments.back();
  }
}

TEST_F(names, flames_of_programs_with_capital_letters_are_flames) {
  const std::string theirs = "<Flames name=\"theirs\">\n<Flame name=\"a\"/>\n</Flames>\n";
  put("theirs.flame", theirs);
  const Outcome outcome = kiln({"convert", "a.flame", "-o", "theirs.flame"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "theirs.flame: holds a flame")) << outcome.err;
  EXPECT_EQ(bytes("theirs.flame"), theirs);
}

TEST_F(names, a_file_of_palettes_may_have_a_hash_in_its_name) {
  put("my#1.gpl", "GIMP Palette\nName: p\n255 0 0\n0 0 255\n");
  put("plain.gpl", bytes("my#1.gpl"));
  const auto picture = [&](const char* palette) {
    const Outcome outcome = render({"a.flame", "-q", "-o", "p.png", "--palette", palette});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const std::string made = bytes("p.png");
    std::filesystem::remove(folder / "p.png");
    return made;
  };
  EXPECT_TRUE(picture("my#1.gpl#0") == picture("plain.gpl#0"));
}

TEST_F(names, force_replaces_a_flame_and_pictures_are_replaced_without) {
  put("named.png", mine);
  EXPECT_EQ(render({"a.flame", "-o", "named.png", "--force"}).code, 0);
  EXPECT_NE(bytes("named.png"), mine);
  // a picture carries a genome and is a picture
  EXPECT_EQ(render({"a.flame", "-o", "named.png", "--quality", "3"}).code, 0);
  EXPECT_EQ(kiln({"convert", "a.flame", "-o", "mine.flam3", "--force"}).code, 0);
  EXPECT_NE(bytes("mine.flam3"), mine);
  // what is there is kept anyway: its own message
  EXPECT_EQ(kiln({"convert", "a.flame", "-o", "mine.flam3", "--no-clobber"}).code, 5);
}

TEST_F(names, a_picture_of_another_flame_is_not_replaced) {
  const auto flame = [](const std::string& name, const std::string& xform = "") {
    return triangle("name=\"" + name + "\"", xform);
  };
  const std::string more = "<xform weight=\"1\" spherical=\"1\" coefs=\"1 0 0 1 0 0\"/>";
  put("rose.flam3", flame("rose"));
  put("fern.flam3", flame("fern", more));
  ASSERT_EQ(render({"rose.flam3", "-q", "-o", "rose.png"}).code, 0);
  const std::string rose = bytes("rose.png");
  const Names wrong[] = {{"render", "fern.flam3", "-o", "rose.png"},
                         {"sheet", "fern.flam3", "-o", "rose.png"},
                         {"variations", "julian", "-o", "rose.png"},
                         {"compare", "rose.png", "rose.png", "--diff", "./rose.png"},
                         {"palettes", "fern.flam3", "-o", "rose.png"}};
  for (const Names& arguments : wrong) {
    const Outcome outcome = kiln(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments[0] << outcome.err;
    EXPECT_TRUE(bytes("rose.png") == rose) << arguments[0];
  }
  const Outcome said = render({"fern.flam3", "-o", "rose.png"});
  EXPECT_TRUE(contains(said.err, "rose.png: is the picture of another flame, \"rose\""))
      << said.err;
  // the same name, whatever the settings and xforms; the same xforms by another name; one without a name
  put("rose.flam3", flame("rose", more));
  EXPECT_EQ(render({"rose.flam3", "-q", "-o", "rose.png", "--width", "20"}).code, 0);
  put("rose.flam3", flame("a rose", more));
  EXPECT_EQ(render({"rose.flam3", "-q", "-o", "rose.png"}).code, 0);
  ASSERT_EQ(render({"a.flame", "-q", "-o", "a.png"}).code, 0);
  EXPECT_EQ(render({"fern.flam3", "-q", "-o", "a.png"}).code, 0);
  EXPECT_EQ(render({"a.flame", "-q", "-o", "rose.png"}).code, 2);
  EXPECT_EQ(render({"a.flame", "-q", "-o", "rose.png", "--force"}).code, 0);
}

TEST_F(names, a_folder_is_made_where_its_name_ends_like_one) {
  put("two.flame", "<flames>" + triangle() + triangle() + "</flames>");
  const Outcome outcome = render({"two.flame", "-q", "-o", "new/er/"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "new/er/two_0.png\nnew/er/two_1.png\n");
  EXPECT_EQ(render({"two.flame", "-o", "dry/", "--dry-run"}).code, 0);
  EXPECT_FALSE(is_there("dry"));
  const Outcome album = render({"two.flame", "-o", "album"});
  EXPECT_EQ(album.code, 2);
  EXPECT_TRUE(contains(album.err, "there is no such folder; album/ makes it")) << album.err;
  const Outcome index = render({"two.flame", "a.flame", "-o", "{index}.png"});
  EXPECT_EQ(index.code, 2);
  EXPECT_TRUE(contains(index.err, "with {stem}, {name}, {palette} or #### in -o")) << index.err;
}

TEST_F(names, two_dashes_end_the_options) {
  put("-odd.flam3", triangle());
  EXPECT_EQ(render({"-q", "-o", "odd.png", "--", "-odd.flam3"}).code, 0);
  EXPECT_TRUE(is_there("odd.png"));
  EXPECT_EQ(render({"-q", "-o", "b.png", "--", "a.flame"}).code, 0);
  EXPECT_EQ(kiln({"info", "--", "--json"}).code, 3) << "a file of that name";
  EXPECT_EQ(kiln({"-V"}).out, kiln({"--version"}).out);
}

TEST_F(names, frames_go_to_standard_output) {
  const Outcome outcome = kiln({"animate", "a.flame", "-q", "--frames", "0", "-o", "-"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.substr(1, 3), "PNG");
  EXPECT_FALSE(is_there("_"));
}

TEST_F(names, what_standard_input_reads_is_not_replaced) {
  start.prepare = [this] { dup2(open((folder / "a.flame").c_str(), O_RDONLY), 0); };
  const Outcome outcome = kiln({"convert", "-", "-o", "a.flame", "--force"});
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "standard input is read")) << outcome.err;
  EXPECT_EQ(bytes("a.flame"), triangle());
}

TEST_F(names, a_terminal_gets_no_picture) {
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_GE(master, 0);
  ASSERT_EQ(grantpt(master), 0);
  ASSERT_EQ(unlockpt(master), 0);
  start.out_path = ptsname(master);
  for (const char* name : {"-", "/dev/stdout"}) {
    const Outcome outcome = render({"a.flame", "-o", name});
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "standard output is a terminal")) << outcome.err;
  }
  close(master);
}

TEST_F(names, one_missing_folder_is_said_once) {
  put("three.flame", "<flames>" + triangle() + triangle() + triangle() + "</flames>");
  const Outcome outcome = render({"three.flame", "-o", "none/{index}.png", "--json"});
  EXPECT_EQ(outcome.code, 5);
  const std::size_t said = outcome.err.find("the folder \"none\" does not exist");
  EXPECT_NE(said, std::string::npos);
  EXPECT_EQ(outcome.err.find("none", said + 20), std::string::npos) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "0 pictures, 3 failed, ")) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "none/2.png")) << outcome.out;
  const Outcome events = render({"three.flame", "-o", "none/{index}.png", "--progress", "json"});
  for (const char* name :
       {"none/0.png: ", "none/1.png: ", "none/2.png: "})  // a program counts them
    EXPECT_TRUE(contains(events.err, name)) << events.err;
  const Outcome proc = render({"a.flame", "-o", "/proc/x.png"});
  EXPECT_EQ(proc.code, 5);
  EXPECT_FALSE(contains(proc.err, "does not exist")) << proc.err;
}

TEST_F(names, many_frames_beside_others_are_asked_for_at_once) {
  put("keys.flame", test::two_keys());
  const auto seconds = [&](const char* into) {
    rusage before, after;
    getrusage(RUSAGE_CHILDREN, &before);
    const Outcome outcome =
        kiln({"animate", "keys.flame", "--backend", "cpu", "--dtime", "0.001", "--frames", "0-999",
              "-o", std::string(into) + "/#####.png", "--dry-run"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    getrusage(RUSAGE_CHILDREN, &after);
    return double(after.ru_utime.tv_sec - before.ru_utime.tv_sec) +
           1e-6 * double(after.ru_utime.tv_usec - before.ru_utime.tv_usec);
  };
  std::filesystem::create_directory(folder / "none");
  std::filesystem::create_directory(folder / "many");
  for (int i = 1000; i < 5000; ++i) put("many/0" + std::to_string(i) + ".png", "x");
  EXPECT_LT(seconds("many"), seconds("none") + 0.5);  // names that are not there are not looked for
}

// ---- inputs ----

TEST_F(names, a_second_name_is_no_output) {
  for (const Names& arguments : {Names{"a.flame", "x.png"}, Names{"x.exr", "a.flame"}}) {
    const Outcome outcome = render(arguments);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.err, "to write it: -o x.")) << outcome.err;
    EXPECT_FALSE(is_there("a.png"));
  }
  EXPECT_EQ(render({"x.png"}).code, 3);  // meant to be read
  const Outcome some = render({"a.flame", "none.flame"});
  EXPECT_EQ(some.code, 7);
  EXPECT_TRUE(contains(some.err, "1 picture, 1 failed, ")) << some.err;
}

TEST_F(names, what_is_no_flame_is_named) {
  put("a.zip", std::string("PK\x03\x04\0\0", 6));
  put("a.jpg", "\xFF\xD8\xFF\xE0" + std::string(9, '\0'));
  const std::pair<const char*, const char*> cases[] = {
      {"a.zip", "zip archive"},
      {"a.jpg", "JPEG"},
      {"https://example.org/a.flame", "download it"},
      {"mien.flam3", "(did you mean \"mine.flam3\"?)"}};
  for (const auto& [name, part] : cases) {
    const Outcome outcome = render({name});
    EXPECT_EQ(outcome.code, 3) << name;
    EXPECT_TRUE(contains(outcome.err, part)) << outcome.err;
  }
}

// ---- values ----

TEST_F(names, numbers_are_said_as_they_are_written) {
  const std::pair<Names, const char*> cases[] = {
      {{"--time-limit", "1e12"}, "from 0.001 to 1000000000"},
      {{"--time-limit", "1e9min"}, "from 0.001 to 1000000000, or a time such as 90s, 5min or 2h"},
      {{"--checkpoint", "soon"}, "seconds from 0 to 1000000000, or a time such as 90s"},
      {{"--max-memory", "4"}, "4 are bytes; write 4G"},
      {{"--until-noise", "0.0001%"}, "from 0.001 to 100"},
      {{"--out", "x.png"}, "did you mean \"--output\""}};
  for (const auto& [words, part] : cases) {
    Names arguments = {"a.flame"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    const Outcome outcome = render(arguments);
    EXPECT_EQ(outcome.code, 2) << words[0];
    EXPECT_TRUE(contains(outcome.err, part)) << outcome.err;
  }
  EXPECT_EQ(render({"a.flame", "--until-noise", "20%", "--dry-run"}).code, 0);
  EXPECT_EQ(kiln({"version"}).out, kiln({"--version"}).out);
  EXPECT_EQ(kiln({"version"}).code, 0);
}

}  // namespace
}  // namespace kiln
