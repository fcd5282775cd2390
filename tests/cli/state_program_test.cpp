// SPDX-License-Identifier: MIT
// Renders that are stopped, killed, shared out, taken further and looked at again, as a user does
// it: the picture is always the file that one undisturbed render writes.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <random>

#include "engine/io/picture/exr.h"
#include "engine/io/picture/picture_format.h"
#include "tests/cli/program.h"
#include "tests/cli/rounds.h"

namespace kiln {
namespace {

using namespace test;
using Names = std::vector<std::string>;

/// 70 units of work and a bit: some half a second of two cores.
constexpr const char* long_render[] = {"--width", "320", "--quality", "1910"};
constexpr int usual_kills = 20;  // KILN_TEST_ROUNDS=200 asks for as many

class state_program : public testing::Test {
 protected:
  state_program() { write_file(folder / "t.flame", triangle("name=\"mine\"")); }

  Outcome kiln(Names arguments) const {
    arguments.insert(arguments.begin() + 1, {"--backend", "cpu", "--threads", "2"});
    return run_program(arguments, {folder.path(), "", {}, {}});
  }
  /// `render` of the flame with options, and those of a long render.
  static Names render(const Names& more, bool is_long = true) {
    Names words = {"render", "t.flame", "-q"};
    if (is_long) words.insert(words.end(), std::begin(long_render), std::end(long_render));
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  void expect_done(const Names& arguments) const {
    const Outcome outcome = kiln(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  }
  void expect_refused(const Names& arguments, int code, const std::string& text) const {
    const Outcome outcome = kiln(arguments);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  }
  std::string file(const std::string& name) const { return read_file(folder / name); }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder / name); }

  /// Starts a render and sends a signal when its state is there, or after so many microseconds.
  Outcome signalled(const Names& arguments, int signal, const std::string& state, int after_us,
                    bool& ran) const {
    const ScratchFolder logs;
    const pid_t child = start_program(arguments, logs, {folder.path(), "", {}, {}});
    if (!state.empty()) {
      for (int i = 0; i < 30'000 && !exists(state) && is_running(child); ++i) usleep(1000);
    }
    usleep(useconds_t(after_us));
    ran = is_running(child);
    kill(child, signal);
    const int code = wait_for(child);
    return {code, read_file(logs / "out"), read_file(logs / "err")};
  }
  ScratchFolder folder;
};

TEST_F(state_program, killed_at_any_moment_it_goes_on) {
  const int kills = rounds(usual_kills);
  // 29 units of work, of which two threads take few at a time: there are states on the way
  const Names shorter = {"--quality", "800", "--backend", "cpu", "--threads", "2"};
  const auto words = [&](Names more) {
    more.insert(more.end(), shorter.begin(), shorter.end());
    return render(more);
  };
  const Names plain = words({"-o", "whole.png"});
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(run_program(plain, {folder.path(), "", {}, {}}).code, 0);
  const auto took = std::chrono::steady_clock::now() - start;
  int whole_us = int(std::chrono::duration_cast<std::chrono::microseconds>(took).count());
  const std::string whole = file("whole.png");
  const Names kept = words({"-o", "out.png", "--checkpoint", "0", "--resume"});
  std::mt19937 random(1);
  int killed = 0, with_state = 0;
  for (int round = 0; killed < kills && round < 20 * kills; ++round) {
    bool ran = false;
    const Outcome outcome =
        signalled(kept, SIGKILL, "", int(random() % unsigned(std::max(whole_us, 1))), ran);
    killed += ran;
    if (!ran) whole_us -= whole_us / 4;  // other programs ran when it was measured
    with_state += exists("out.kiln");
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      EXPECT_EQ(entry.path().string().find(".tmp-"), std::string::npos) << entry.path();
    if (exists("out.png")) {  // it was quicker this time
      EXPECT_EQ(file("out.png"), whole) << round;
    }
    if (round % 4 != 3 && !exists("out.png")) continue;  // killed again, further on
    EXPECT_EQ(run_program(kept, {folder.path(), "", {}, {}}).code, 0);
    EXPECT_EQ(file("out.png"), whole) << round;
    EXPECT_EQ(folder.entries(), (Names{"out.kiln", "out.png", "t.flame", "whole.png"})) << round;
    std::filesystem::remove(folder / "out.png");
    std::filesystem::remove(folder / "out.kiln");
    if (HasFailure()) return;
  }
  EXPECT_EQ(killed, kills);
  EXPECT_GT(with_state, 0);
  std::printf("killed %d times while it ran, a state was there %d times\n", killed, with_state);
}

TEST_F(state_program, stopped_by_a_signal_it_says_how_to_go_on) {
  expect_done(render({"-o", "whole.png"}));
  for (const int signal : {SIGTERM, SIGINT}) {
    std::filesystem::remove(folder / "out.kiln");
    bool ran = false;
    const Outcome stopped = signalled({"render", "t.flame", "--backend", "cpu", "--width", "320",
                                       "--quality", "9000", "-o", "out.png", "--checkpoint", "0"},
                                      signal, "out.kiln", 0, ran);
    ASSERT_TRUE(ran);
    EXPECT_EQ(stopped.code, 75) << stopped.err;
    EXPECT_FALSE(exists("out.png"));
    EXPECT_NE(stopped.err.find("out.kiln has "), std::string::npos) << stopped.err;
    EXPECT_NE(stopped.err.find("To go on:\n  "), std::string::npos) << stopped.err;
    EXPECT_NE(stopped.err.find("-o out.png --checkpoint 0 --resume\n"), std::string::npos)
        << stopped.err;
  }
}

/// Minutes of density estimation behind a game of a moment.
TEST_F(state_program, signals_are_heard_behind_the_game) {
  const Names words = {
      "render",  "t.flame", "--backend", "cpu",     "--threads",    "2",
      "--width", "2400",    "--quality", "1",       "--set",        "estimator_radius=300",
      "--de",    "exact",   "-o",        "out.png", "--checkpoint", "1e6"};
  for (const Names& more : {Names{}, {"--until-noise", "0.001"}}) {
    Names kept = words;
    kept.insert(kept.end(), more.begin(), more.end());
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
      std::filesystem::remove(folder / "out.kiln");
      bool ran = false;
      const std::string state = more.empty() ? "out.kiln" : "";  // a look comes before any state
      const auto begun = std::chrono::steady_clock::now();
      const Outcome stopped = signalled(kept, signal, state, 1'500'000, ran);
      EXPECT_TRUE(ran);
      EXPECT_EQ(stopped.code, 75) << stopped.err;
      EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(30));
      EXPECT_NE(stopped.err.find("out.kiln has "), std::string::npos) << stopped.err;
      EXPECT_EQ(folder.entries(), (Names{"out.kiln", "t.flame"}));
    }
  }
}

TEST_F(state_program, sigusr1_writes_and_goes_on) {
  const ScratchFolder logs;
  const pid_t child = start_program({"render", "t.flame", "--backend", "cpu", "--width", "320",
                                     "--quality", "20000", "-o", "out.png", "--checkpoint", "1e6"},
                                    logs, {folder.path(), "", {}, {}});
  usleep(500'000);
  EXPECT_FALSE(exists("out.kiln"));
  kill(child, SIGUSR1);
  for (int i = 0; i < 20'000 && !exists("out.kiln") && is_running(child); ++i) usleep(1000);
  EXPECT_TRUE(exists("out.kiln"));
  EXPECT_TRUE(is_running(child));
  kill(child, SIGTERM);
  EXPECT_EQ(wait_for(child), 75);
}

TEST_F(state_program, without_a_state_signals_end_it_as_ever) {
  bool ran = false;
  const Outcome ended = signalled({"render", "t.flame", "--backend", "cpu", "--quality", "1e6"},
                                  SIGTERM, "", 300'000, ran);
  EXPECT_TRUE(ran);
  EXPECT_EQ(ended.code, 128 + SIGTERM);
  EXPECT_EQ(folder.entries(), Names{"t.flame"});
}

TEST_F(state_program, a_finished_one_is_taken_further) {
  expect_done(render({"-o", "out.png", "--state", "s.kiln", "--bits", "16", "--seed", "7"}));
  expect_done({"render", "s.kiln", "-q", "--quality", "2500", "-o", "more.png"});
  expect_done(render({"--bits", "16", "--seed", "7", "--quality", "2500", "-o", "fresh.png"}));
  EXPECT_EQ(file("more.png"), file("fresh.png"));
  expect_done({"render", "s.kiln", "-q", "-o", "again.png"});
  EXPECT_EQ(file("again.png"), file("out.png"));
  // in its own place, and further again
  expect_done({"render", "s.kiln", "-q", "--quality", "2200", "-o", "x.png", "--state", "s.kiln"});
  expect_done({"render", "s.kiln", "-q", "--quality", "2500", "-o", "more.png"});
  EXPECT_EQ(file("more.png"), file("fresh.png"));
}

/// What a run counts as its own is what it has played, not what the state brought.
TEST_F(state_program, a_resumed_one_counts_the_samples_of_this_run) {
  expect_done(render({"-o", "out.png", "--state", "s.kiln"}));
  const Outcome more = kiln(
      {"render", "s.kiln", "--quality", "2500", "-o", "more.png", "--json", "--progress", "json"});
  ASSERT_EQ(more.code, 0) << more.err;
  const auto member = [](const std::string& text, const std::string& name, std::size_t from = 0) {
    const std::size_t at = text.find("\"" + name + "\":", from);
    return at == std::string::npos ? -1 : std::atof(text.c_str() + at + name.size() + 3);
  };
  const double all = member(more.out, "samples"), earlier = member(more.out, "earlier_samples");
  EXPECT_GT(earlier, 0) << more.out;
  EXPECT_GT(all, earlier);
  EXPECT_EQ(member(more.err, "samples", more.err.find("\"summary\"")), all - earlier) << more.err;
}

/// --no-clobber is about pictures that are there; the state is what --resume goes on with.
TEST_F(state_program, no_clobber_lets_a_state_go_on) {
  const Names words = render({"-o", "out.png", "--state", "s.kiln", "--resume", "--no-clobber"});
  expect_done(words);
  const std::string picture = file("out.png");
  expect_refused(words, 5, "exists already");
  std::filesystem::remove(folder / "out.png");
  expect_done(words);
  EXPECT_EQ(file("out.png"), picture);
}

TEST_F(state_program, shards_are_merged) {
  expect_done(render({"-o", "whole.png"}));
  for (const char* shard : {"1/3", "2/3", "3/3"})
    expect_done(render({"-o", "out.png", "--shard", shard}));
  EXPECT_EQ(folder.entries(),
            (Names{"out.1-3.kiln", "out.2-3.kiln", "out.3-3.kiln", "t.flame", "whole.png"}));
  expect_done({"merge", "-q", "out.3-3.kiln", "out.1-3.kiln", "out.2-3.kiln", "-o", "merged.png"});
  EXPECT_EQ(file("merged.png"), file("whole.png"));
  expect_done({"merge", "-q", "out.1-3.kiln", "out.3-3.kiln", "-o", "some.kiln"});
  expect_refused({"merge", "out.1-3.kiln", "out.3-3.kiln", "-o", "no.png"}, 3, "are missing");
  expect_refused({"merge", "out.1-3.kiln", "some.kiln", "-o", "no.kiln"}, 3, "already");
  expect_done({"render", "some.kiln", "-q", "-o", "mended.png"});
  EXPECT_EQ(file("mended.png"), file("whole.png"));
  // no picture before the gap is filled, whatever the time
  expect_done({"render", "some.kiln", "-q", "--time-limit", "0.01", "-o", "limited.png"});
  EXPECT_EQ(file("limited.png"), file("whole.png"));
  const Outcome said = kiln(render({"-o", "out.png", "--shard", "1/3", "--json", "--force"}));
  EXPECT_EQ(said.out.find("{\"pictures\":[{\"file\":\"out.1-3.kiln\""), 0u) << said.out;
  expect_done(render({"-o", "other.png", "--shard", "2/3", "--seed", "4"}));
  expect_refused({"merge", "out.1-3.kiln", "other.2-3.kiln", "-o", "no.png"}, 3, "another flame");
  expect_done(render({"-o", "other.png", "--shard", "2/3", "--gamma", "2", "--force"}));
  expect_refused({"merge", "out.1-3.kiln", "other.2-3.kiln", "-o", "no.png"}, 3, "another look");
  EXPECT_FALSE(exists("no.png"));
}

/// What no sum says: the colors, the form and the words of the file.
TEST_F(state_program, what_the_file_shall_be_is_kept) {
  const Names form = {"--width",  "320",         "--quality", "100", "--primaries", "p3",
                      "--author", "Anna \"Oz\"", "--title",   "T",   "--stages"};
  const auto with = [&](Names words) {
    words.insert(words.end(), form.begin(), form.end());
    return render(words, false);
  };
  expect_done(with({"-o", "whole.png", "--state", "whole.kiln"}));
  for (const char* shard : {"1/2", "2/2"}) expect_done(with({"-o", "out.png", "--shard", shard}));
  expect_done({"merge", "-q", "out.1-2.kiln", "out.2-2.kiln", "-o", "merged.png"});
  EXPECT_TRUE(file("merged.png") == file("whole.png"));
  expect_done({"render", "-q", "whole.kiln", "-o", "again.png"});
  EXPECT_TRUE(file("again.png") == file("whole.png"));
  expect_done({"grade", "-q", "whole.kiln", "-o", "graded.png"});
  EXPECT_TRUE(file("graded.png") == file("whole.png"));
  expect_done({"grade", "-q", "whole.kiln", "-o", "other.png", "--author", "Bo Other",
               "--primaries", "rec709"});
  EXPECT_NE(file("other.png").find("Bo Other"), std::string::npos);
  EXPECT_EQ(file("other.png").find("Anna"), std::string::npos);
  expect_done(render({"-o", "hdr.png", "--hdr", "pq", "--state", "hdr.kiln"}, false));
  expect_done({"merge", "-q", "hdr.kiln", "-o", "hdr2.png"});
  EXPECT_TRUE(file("hdr2.png") == file("hdr.png"));
  if (!exr_supported()) return;
  expect_done(
      render({"-o", "a.exr", "--exr", "float,piz", "--primaries", "acescg", "--state", "exr.kiln"},
             false));
  expect_done({"merge", "-q", "exr.kiln", "-o", "b.exr"});
  EXPECT_TRUE(file("b.exr") == file("a.exr"));
}

/// Whoever's work it is: also in what is made from a state of a state.
TEST_F(state_program, credits_go_from_state_to_state) {
  expect_done(render({"--title", "T", "--author", "Anna", "--copyright", "CC0", "-o", "a.png",
                      "--state", "a.kiln"},
                     false));
  expect_done({"render", "-q", "a.kiln", "-o", "b.png", "--quality", "10", "--state", "b.kiln"});
  expect_done({"render", "-q", "b.kiln", "-o", "c.png"});
  for (const char* name : {"a.png", "b.png", "c.png"}) {
    const auto texts = read_picture_texts(folder / name).texts;
    for (const auto& [key, text] :
         {std::pair{"Title", "T"}, {"Author", "Anna"}, {"Copyright", "CC0"}}) {
      const auto found = texts.find(key);
      ASSERT_TRUE(found != texts.end()) << name << key;
      EXPECT_EQ(found->second, text) << name;
    }
  }
}

TEST_F(state_program, the_form_of_an_exr_is_kept_where_a_part_of_it_is_the_usual) {
  if (!exr_supported()) GTEST_SKIP() << "no OpenEXR";
  for (const std::string form : {"float", "half,piz"}) {
    expect_done(render({"-o", "a.exr", "--exr", form, "--state", "a.kiln", "--force"}, false));
    expect_done({"merge", "-q", "a.kiln", "-o", "b.exr", "--force"});
    EXPECT_TRUE(file("b.exr") == file("a.exr")) << form;
  }
}

TEST_F(state_program, merging_counts_what_is_read_already) {
  for (const char* shard : {"1/2", "2/2"})  // 33.6 MB each
    expect_done({"render", "t.flame", "-q", "--size", "1024x1024", "--quality", "5", "-o", "o.png",
                 "--shard", shard});
  const Names merge = {"merge", "-q", "o.1-2.kiln", "o.2-2.kiln", "-o", "all.kiln", "--max-memory"};
  const auto within = [&](const char* limit) {
    Names words = merge;
    words.push_back(limit);
    return words;
  };
  expect_refused(within("50M"), 6, "o.2-2.kiln: sums of");
  expect_done(within("70M"));
}

TEST_F(state_program, a_grade_is_a_render_with_that_look) {
  expect_done(render({"-o", "out.png", "--state", "s.kiln"}));
  const Names look = {"--brightness", "9",         "--gamma",   "2.5",    "--vibrancy",
                      "0.5",          "--crop",    "9,8,70x50", "--bits", "16",
                      "--background", "0.2,0.1,0", "--bloom",   "0.2"};
  Names grade = {"grade", "s.kiln", "-q", "-o", "graded.png"}, again = render({"-o", "look.png"});
  grade.insert(grade.end(), look.begin(), look.end());
  again.insert(again.end(), look.begin(), look.end());
  expect_done(grade);
  expect_done(again);
  EXPECT_EQ(file("graded.png"), file("look.png"));
  EXPECT_NE(file("graded.png"), file("out.png"));
  expect_refused({"grade", "s.kiln", "--quality", "4000", "-o", "no.png"}, 3, "are missing");
  expect_refused({"grade", "s.kiln", "--rotate", "5", "-o", "no.png"}, 2, "another flame");
  expect_refused({"grade", "s.kiln", "--set", "estimator_radius=20", "-o", "no.png"}, 2,
                 "beyond the picture");
  expect_refused({"grade", "t.flame", "-o", "no.png"}, 2, "is no state file");
  EXPECT_FALSE(exists("no.png"));
}

TEST_F(state_program, what_cannot_be_kept_is_wrong_usage) {
  const auto refused = [&](const Names& more, const std::string& text) {
    expect_refused(render(more, false), 2, text);
  };
  refused({"-o", "-", "--checkpoint", "1"}, "--state");
  refused({"--state", "s.png"}, "must end in .kiln");
  refused({"-o", "s.kiln"}, "a picture is .png, .jpg, .tif, .webp, .avif, .jxl, .exr or .ppm");
  refused({"--shard", "5/4"}, "there are 4 shards");
  refused({"--shard", "2"}, "--shard 2: needs I/N");
  refused({"--checkpoint", "1", "--set", "passes=2"}, "passes");
  refused({"--checkpoint", "1", "--strategy", "divergent"}, "cross-checks");
  expect_done(render({"--seed", "1", "--state", "s.kiln"}, false));
  expect_refused(render({"--state", "s.kiln", "--resume"}, false), 2, "s.kiln: the state is of");
  write_file(folder / "s.kiln", file("s.kiln").substr(0, 999));
  expect_refused(render({"--seed", "1", "--state", "s.kiln", "--resume"}, false), 3, "cut off");
  expect_refused(render({"--seed", "1", "--state", "s.kiln"}, false), 2, "--force");
  expect_done(render({"--seed", "1", "--state", "s.kiln", "--force"}, false));
  expect_refused({"merge", "s.kiln", "-o", "s.kiln"}, 2, "is read and would be replaced");
  expect_refused({"merge", "s.kiln"}, 2, "-o is missing");
  expect_refused(
      render({"--seed", "1", "--state", "s.kiln", "--no-clobber", "-o", "new.png"}, false), 5,
      "exists already");
}

TEST_F(state_program, no_state_is_lost_where_resume_was_forgotten) {
  expect_done(render({"--state", "s.kiln", "-o", "out.png"}));
  const std::string state = file("s.kiln");
  std::filesystem::remove(folder / "out.png");
  write_file(folder / "other.flame", triangle("gamma=\"2\""));
  for (const Names& more : {Names{"--quality", "300"},
                            {"--quality", "3000"},
                            {"--seed", "4"},
                            {"--checkpoint", "0"},
                            {"--shard", "1/2"},
                            {"--dry-run"}}) {
    Names words = render({"-o", "out.png", "--state", "s.kiln"});
    words.insert(words.end(), more.begin(), more.end());
    expect_refused(words, 2, "--resume goes on with it");
  }
  expect_refused({"render", "other.flame", "--checkpoint", "1", "-o", "s.png"}, 2, "s.kiln: is a");
  expect_done(render({"-o", "a.png", "--shard", "1/2"}));
  expect_refused({"merge", "a.1-2.kiln", "-o", "s.kiln"}, 2, "s.kiln: is a state already");
  EXPECT_TRUE(file("s.kiln") == state);
  EXPECT_FALSE(exists("out.png"));
  expect_done({"merge", "-q", "a.1-2.kiln", "-o", "s.kiln", "--force"});
  EXPECT_FALSE(file("s.kiln") == state);
  expect_done(render({"-o", "out.png", "--state", "s.kiln", "--resume"}));
  EXPECT_TRUE(file("s.kiln") == state);
}

TEST_F(state_program, its_flame_is_read_as_a_pictures_is) {
  expect_done(render({"--seed", "3", "--state", "s.kiln"}, false));
  const Outcome convert =
      run_program({"convert", "s.kiln", "-o", "flame.flam3"}, {folder.path(), "", {}, {}});
  EXPECT_EQ(convert.code, 0) << convert.err;
  EXPECT_NE(file("flame.flam3").find("name=\"mine\""), std::string::npos);
  const Outcome info = run_program({"info", "s.kiln"}, {folder.path(), "", {}, {}});
  EXPECT_NE(info.out.find("32 x 24 pixels"), std::string::npos) << info.out << info.err;
}

/// The reader that docs/reference/kiln-file.md gives to others.
TEST_F(state_program, python_reads_it) {
  const std::string script = std::string(source_dir()) + "/examples/read_kiln.py";
  std::string python;
  for (const char* name : {"python3", "/usr/bin/python3"}) {
    const std::string check = std::string(name) + " -c 'import numpy, zstandard' 2>/dev/null";
    if (std::system(check.c_str()) == 0) python = name;
  }
  if (python.empty() || !std::filesystem::exists(script))
    GTEST_SKIP() << "no Python with numpy and zstandard, or no sources here";
  // white and opaque: each sample counts 255 of every channel
  write_file(folder / "t.flame", triangle("", "<palette count=\"256\" format=\"RGB\">" +
                                                  std::string(256 * 6, 'F') + "</palette>"));
  expect_done({"render", "t.flame", "-q", "--width", "150", "--quality", "600", "--supersample",
               "2", "--state", "s.kiln"});
  const std::string command =
      "cd '" + folder.path() + "' && " + python + " '" + script + "' s.kiln out.ppm > said";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const std::string said = file("said");
  EXPECT_NE(said.find(" buckets, 4 units"), std::string::npos) << said;
  const std::string all = std::to_string(4ull * 2048 * 1024 * 255);
  EXPECT_NE(said.find("sums: " + all + " " + all + " " + all + " " + all), std::string::npos)
      << said;
  EXPECT_TRUE(file("out.ppm").starts_with("P6 300 "));
}

}  // namespace
}  // namespace kiln
