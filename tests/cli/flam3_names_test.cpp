// SPDX-License-Identifier: MIT
// kiln under flam3's names, by scripts as people have them: those of flam3's own documentation, of a media
// server that shows new flames without end, and what Electric Sheep's client asks for a frame. Where the
// real programs are installed, they make files of the same names.
#include <gtest/gtest.h>

#include <cstdlib>

#include "engine/io/flame/flame_reader.h"
#include "engine/io/picture/picture_format.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using namespace test;

constexpr const char* names[] = {"flam3-render", "flam3-animate", "flam3-genome", "flam3-convert"};

class flam3_names : public testing::Test {
 protected:
  flam3_names() {
    std::filesystem::create_directory(bin());
    for (const char* name : names)
      std::filesystem::create_symlink(program_path(), bin() + "/" + name);
    write_file(folder / "one.flam3", triangle("name=\"one\""));
    write_file(folder / "two.flam3", "<pick>" + triangle("time=\"0\" name=\"a\"") +
                                         triangle("time=\"1\" name=\"b\"") + "</pick>");
  }
  std::string bin() const { return links / "bin"; }

  /// A script of the shell in the folder, kiln standing for flam3; as `real`, flam3 itself.
  test::Outcome run(const std::string& script, bool real = false) const {
    write_file(links / "script",
               (real ? "" : "PATH=" + bin() + ":$PATH\n") + "cd " + folder.path() + "\n" + script);
    const std::string command =
        "sh " + (links / "script") + " >" + (links / "out") + " 2>" + (links / "err");
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), read_file(links / "out"), read_file(links / "err")};
  }
  std::size_t flames(const std::string& name) const {
    return read_flames(folder / name, {}).flames.size();
  }

  ScratchFolder folder, links;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool flam3_is_there() { return std::system("command -v flam3-genome >/dev/null 2>&1") == 0; }

TEST_F(flam3_names, files_are_named_as_flam3_names_them) {
  const std::string scripts[] = {
      "flam3-render < two.flam3",
      "env prefix=p. in=two.flam3 flam3-render",
      "env out=single.png in=one.flam3 verbose=0 flam3-render",
      "env name_enable=1 in=two.flam3 flam3-render",
      "env in=two.flam3 begin=0 end=1 flam3-animate",
      "env in=two.flam3 frame=0 prefix=at. flam3-animate",
      "env in=one.flam3 format=ppm flam3-render",
      "env in=one.flam3 format=jpg jpeg=90 prefix=j flam3-render",
  };
  for (const std::string& script : scripts) {
    const auto made_by = [&](bool real) {
      const std::vector<std::string> before = folder.entries();
      const test::Outcome outcome = run("isaac_seed=a; export isaac_seed\n" + script, real);
      EXPECT_EQ(outcome.code, 0) << script << "\n" << outcome.err;
      EXPECT_EQ(outcome.out, "") << script;
      std::vector<std::string> made;
      for (const std::string& name : folder.entries()) {
        if (std::find(before.begin(), before.end(), name) != before.end()) continue;
        made.push_back(name);
        std::filesystem::remove(folder / name);
      }
      return made;
    };
    const std::vector<std::string> ours = made_by(false);
    EXPECT_FALSE(ours.empty()) << script;
    if (flam3_is_there()) {
      EXPECT_EQ(ours, made_by(true)) << script;
    }
  }
}

TEST_F(flam3_names, variables_do_what_they_say) {
  EXPECT_EQ(
      run("env in=one.flam3 ss=2 qs=2 bpc=16 transparency=1 isaac_seed=7 nick=me url=me.example "
          "out=a.png nstrips=4 bits=64 use_mem=1e9 flam3-render")
          .code,
      0);
  EXPECT_EQ(run("kiln=$(readlink -f " + bin() +
                "/flam3-render); $kiln render one.flam3 -o b.png -q "
                "--scale 2 --quality-scale 2 --bits 16 --transparent --seed 7 "
                "--set nick=me --set url=me.example")
                .code,
            0);
  const Image ours = read_picture(folder / "a.png"), asked = read_picture(folder / "b.png");
  EXPECT_EQ(ours.width, 64);
  EXPECT_EQ(ours.bits(), 16);
  EXPECT_FALSE(ours.opaque);
  EXPECT_TRUE(ours.pixels == asked.pixels);
  EXPECT_EQ(read_flames(folder / "a.png", {}).flames[0].nick, "me");
}

TEST_F(flam3_names, progress_is_in_the_words_that_scripts_read) {
  const test::Outcome outcome = run("env in=two.flam3 qs=2000 flam3-render");
  EXPECT_TRUE(contains(outcome.err, "\rchaos: ")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "%  ETA: ")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "writing 00001.png...done.\n")) << outcome.err;
  EXPECT_EQ(run("env verbose=0 in=two.flam3 flam3-render").err, "");
}

TEST_F(flam3_names, failures_end_with_1) {
  for (const char* script :
       {"env in=nowhere flam3-render", "echo garbage | flam3-render",
        "env in=one.flam3 format=gif flam3-render", "env mutate=nowhere flam3-genome",
        "env fields=1 in=two.flam3 flam3-animate", "env cross0=one.flam3 flam3-genome",
        "flam3-render --help"}) {
    EXPECT_EQ(run(script).code, 1) << script;
  }
  EXPECT_TRUE(
      contains(run("env in=nowhere flam3-render").err, "nowhere: cannot be opened: No such file"));
  EXPECT_EQ(run("flam3-genome --version").code, 0);
}

TEST_F(flam3_names, the_examples_of_flam3s_documentation_run) {
  const test::Outcome outcome = run(R"(set -e
cp one.flam3 vidres.flam3
env template=vidres.flam3 repeat=3 flam3-genome > new.flam3
flam3-render < new.flam3
env template=vidres.flam3 symmetry=3 flam3-genome > new3.flam3
env template=vidres.flam3 symmetry=-2 flam3-genome > new-2.flam3
env template=vidres.flam3 flam3-genome > parent.flam3
env prefix=parent. flam3-render < parent.flam3
env template=vidres.flam3 mutate=parent.flam3 repeat=2 flam3-genome > mutation.flam3
env template=vidres.flam3 flam3-genome > parent1.flam3
env template=vidres.flam3 cross0=parent.flam3 cross1=parent1.flam3 method=union flam3-genome > crossover.flam3
env sequence=two.flam3 nframes=2 flam3-genome > seq.flam3
env begin=1 end=3 flam3-animate < seq.flam3
env rotate=parent.flam3 frame=10 nframes=20 flam3-genome > rot10.flam3
env frame=10 prefix=rot. flam3-animate < rot10.flam3
env inter=two.flam3 frame=10 nframes=20 flam3-genome > inter10.flam3
env strip=one.flam3 frame=1 nframes=3 noedits=1 flam3-genome > strip.flam3
env clone_all=two.flam3 template=vidres.flam3 flam3-genome > clones.flam3
env animate=two.flam3 flam3-genome > between.flam3
)");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(flames("new.flam3"), 3u);
  EXPECT_EQ(flames("mutation.flam3"), 2u);
  EXPECT_EQ(flames("crossover.flam3"), 1u);
  EXPECT_EQ(flames("seq.flam3"), 7u);
  EXPECT_EQ(flames("rot10.flam3"), 3u);
  EXPECT_EQ(flames("inter10.flam3"), 3u);
  EXPECT_EQ(flames("strip.flam3"), 1u);
  EXPECT_FALSE(contains(read_file(folder / "strip.flam3"), "<edit"));
  EXPECT_EQ(flames("between.flam3"), 2u);
  EXPECT_TRUE(std::filesystem::exists(folder / "00003.png"));
  EXPECT_TRUE(std::filesystem::exists(folder / "rot.00010.png"));
  const Flame made = read_flames(folder / "new.flam3", {}).flames[0];
  EXPECT_EQ(made.width, 32);
  EXPECT_EQ(made.quality, 5);
}

TEST_F(flam3_names, without_a_seed_each_flame_is_another) {
  run("flam3-genome > a.flam3; sleep 0.01; flam3-genome > b.flam3; env seed=5 flam3-genome > "
      "c.flam3; "
      "env seed=5 flam3-genome > d.flam3");
  EXPECT_NE(read_file(folder / "a.flam3"), read_file(folder / "b.flam3"));
  EXPECT_EQ(read_file(folder / "c.flam3"), read_file(folder / "d.flam3"));
  EXPECT_EQ(read_flames(folder / "c.flam3", {}).flames.at(0).width, 100);
}

TEST_F(flam3_names, a_media_server_gets_flames_without_end) {
  const test::Outcome outcome = run(R"(i=0
while [ $i -lt 2 ]; do
  flam3-genome > flame.flam3 || exit 1
  qs=5 ss=0.5 format=jpg jpeg=95 out=show.tmp.jpg in=flame.flam3 verbose=1 nthreads=2 flam3-render 2> render.log || exit 1
  mv show.tmp.jpg show.jpg
  i=$((i + 1))
done)");
  EXPECT_EQ(outcome.code, 0) << outcome.err << read_file(folder / "render.log");
  EXPECT_EQ(read_picture(folder / "show.jpg").width, 50);
}

TEST_F(flam3_names, the_client_of_electric_sheep_gets_its_frame) {
  write_file(folder / "spex.xml", read_file(folder / "two.flam3"));
  const test::Outcome outcome =
      run("env nick='a b' url='' in=spex.xml out=frame.jpg format=jpg jpeg=90 frame=0 id=247 "
          "nthreads=1 "
          "isaac_seed=\"$$\" flam3-animate");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read_picture(folder / "frame.jpg").height, 24);
}

TEST_F(flam3_names, variables_are_names_and_not_words_of_kiln) {
  write_file(folder / "-q.flam3", triangle());
  const test::Outcome file = run("env in=-q.flam3 verbose=0 flam3-render");
  EXPECT_EQ(file.code, 0) << file.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "00000.png"));
  const test::Outcome prefix = run("env in=one.flam3 verbose=0 'prefix=50%d{name}.' flam3-render");
  EXPECT_EQ(prefix.code, 0) << prefix.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "50%d{name}.00000.png"));
}

TEST_F(flam3_names, the_format_before_xml_is_read) {
  write_file(folder / "old.txt", R"(# an old flame
time 3 image_size 32 24 center 0.5 0.5 pixels_per_unit 20 sample_density 5 ; # no more
)");
  EXPECT_EQ(run("flam3-convert < old.txt").code, 1);  // a flame has xforms
  write_file(folder / "old.txt", R"(# an old flame
time 3 image_size 32 24 center 0.5 0.25 pixels_per_unit 20 sample_density 5 palette 255 0 0 0 0 255
xform 0 density 0.5 var 0 0 2 2 coefs 0.5 0 0 0.5 0.1 0.2
xform 1 color 0.75 var 1 coefs 0.5 0 0 0.5 0 0.5
;)");
  const test::Outcome outcome = run("flam3-convert < old.txt > new.flam3");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Flame flame = read_flames(folder / "new.flam3", {}).flames.at(0);
  EXPECT_EQ(flame.time, 3);
  EXPECT_EQ(flame.center_y, 0.25);
  ASSERT_EQ(flame.xforms.size(), 2u);
  EXPECT_EQ(flame.xforms[1].color, 0.75);
  const std::string text = read_file(folder / "new.flam3");
  EXPECT_TRUE(contains(text, "spherical=\"0.5\"")) << text;
  EXPECT_TRUE(contains(text, "swirl=\"0.5\"")) << text;
  write_file(folder / "bad.txt", "time 0 xform 0\ncoefs 1 2 ; nothing 3");
  EXPECT_TRUE(contains(run("flam3-convert < bad.txt").err,
                       "standard input:2: coefs is followed by 2 numbers"));
  write_file(folder / "bad.txt",
             "# two\ntime 0\n\nxform 0 coefs 1 0 0 1 0 0 palette 1 2 3 ;\n\ntime 1 ;");
  EXPECT_TRUE(contains(run("flam3-convert < bad.txt").err, "standard input:6: "));
  write_file(folder / "bad.txt", "xform 0.5 density 1 ;");
  EXPECT_TRUE(contains(run("flam3-convert < bad.txt").err, "there are xforms 0 to 11"));
  write_file(folder / "bad.txt", "time 0\nnothing 3");
  EXPECT_TRUE(
      contains(run("flam3-convert < bad.txt").err, ":2: nothing is no word of the old format"));
}

/// What one flame of the old format says is not said of the next one.
TEST_F(flam3_names, flames_of_the_format_before_xml_are_apart) {
  write_file(folder / "two.txt", R"(time 1 gamma 2.5 vibrancy 0.25 image_size 32 24
xform 0 density 0.5 color 0.9 var 1 coefs 0.5 0 0 0.5 0.1 0.2
xform 1 density 0.5 var 0 1 coefs 0.5 0 0 0.5 0 0.5
palette 255 0 0 0 0 255 ;
time 2 image_size 32 24 cmap 1
xform 0 var 1 coefs 0.5 0 0 0.5 0 0 ;)");
  std::string colors;
  for (int i = 0; i < 256; ++i) colors += "00777777";
  write_file(folder / "library.xml",
             "<palettes><palette number=\"1\" name=\"gray\" data=\"" + colors + "\"/></palettes>");
  const test::Outcome outcome =
      run("flam3_palettes=library.xml flam3-convert < two.txt > new.flam3");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::vector<Flame> flames = read_flames(folder / "new.flam3", {}).flames;
  ASSERT_EQ(flames.size(), 2u);
  EXPECT_EQ(flames[0].gamma, 2.5);
  EXPECT_EQ(flames[1].gamma, Flame().gamma);
  EXPECT_EQ(flames[1].vibrancy, Flame().vibrancy);
  ASSERT_EQ(flames[1].xforms.size(), 1u);
  EXPECT_EQ(flames[1].xforms[0].color, 0);
  EXPECT_NE(flames[1].palette, flames[0].palette);
}

}  // namespace
}  // namespace kiln
