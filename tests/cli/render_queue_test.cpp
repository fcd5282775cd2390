// SPDX-License-Identifier: MIT
// kiln render as a service: a list of jobs, and a folder that is watched.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "tests/cli/program.h"

namespace kiln {
namespace {

using nlohmann::json;
using test::Outcome;
using test::run_program;
using test::triangle;

class render_queue : public testing::Test {
 protected:
  render_queue() {
    test::write_file(folder / "a.flame", triangle());
    test::write_file(folder / "b.flame", triangle("brightness=\"9\""));
    start.folder = folder.path();
  }

  Outcome jobs(const std::string& lines, std::vector<std::string> more = {}) {
    start.input = lines;
    more.insert(more.begin(), {"render", "--jobs", "-", "--backend", "cpu"});
    return run_program(more, start);
  }
  static std::vector<json> answers(const Outcome& outcome) {
    std::vector<json> all;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) all.push_back(json::parse(line));
    return all;
  }
  std::string bytes(const std::string& name) { return test::read_file(folder / name); }
  bool is_there(const std::string& name) { return std::filesystem::exists(folder / name); }

  const test::ScratchFolder folder;
  test::Start start;
};

TEST_F(render_queue, every_job_gets_an_answer_and_the_picture_of_its_own_command) {
  const Outcome outcome = jobs(
      R"({"id":"first","in":"a.flame","output":"1.png","width":16,"transparent":true})"
      "\n\n"
      R"({"in":["a.flame","b.flame"],"output":"2_{stem}.png","set":["gamma=2","vibrancy=0.5"]})"
      "\n"
      R"({"id":{"frame":7},"in":"b.flame","output":"3.png","quality":2.5,"seed":4,"bits":"8"})"
      "\n",
      {"--quality", "20"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::vector<json> all = answers(outcome);
  ASSERT_EQ(all.size(), 3u) << outcome.out;
  EXPECT_EQ(all[0]["id"], "first");
  EXPECT_EQ(all[0]["line"], 1);
  EXPECT_EQ(all[0]["pictures"][0]["file"], "1.png");
  EXPECT_EQ(all[1]["id"], nullptr);
  EXPECT_EQ(all[1]["line"], 3);
  EXPECT_EQ(all[1]["pictures"].size(), 2u);
  EXPECT_EQ(all[2]["id"]["frame"], 7);
  for (const json& answer : all) EXPECT_EQ(answer["exit_code"], 0) << answer;

  const std::vector<std::vector<std::string>> alone = {
      {"a.flame", "-o", "x1.png", "--width", "16", "--transparent", "--quality", "20"},
      {"a.flame", "-o", "x2_a.png", "--set", "gamma=2", "--set", "vibrancy=0.5", "--quality", "20"},
      {"b.flame", "-o", "x3.png", "--quality", "2.5", "--seed", "4"}};
  for (std::vector<std::string> words : alone) {
    words.insert(words.begin(), {"render", "--backend", "cpu"});
    ASSERT_EQ(run_program(words, start).code, 0);
  }
  EXPECT_EQ(bytes("1.png"), bytes("x1.png"));
  EXPECT_EQ(bytes("2_a.png"), bytes("x2_a.png"));
  EXPECT_EQ(bytes("3.png"), bytes("x3.png"));
}

TEST_F(render_queue, a_job_brings_its_flame_and_takes_its_picture_along) {
  const auto line = [](const json& job) { return job.dump() + "\n"; };
  const Outcome outcome =
      jobs(line({{"id", 1}, {"genome", triangle()}, {"output", "-"}, {"width", 48}}) +
           line({{"id", 2}, {"genome", triangle("brightness=\"9\"")}, {"output", "ppm:-"}}) +
           line({{"id", 3}, {"genome", "<flame"}, {"output", "-"}}) +
           line({{"id", 4}, {"genome", triangle()}, {"output", "gif:-"}}) +
           line({{"id", 5}, {"in", "a.flame"}, {"output", "-"}}) +
           line({{"id", 6}, {"genome", 7}, {"output", "-"}}));
  const std::vector<json> all = answers(outcome);
  ASSERT_EQ(all.size(), 6u) << outcome.out;
  for (const char* name : {"1.png", "2.ppm", "5.png"}) {
    std::vector<std::string> words = {
        "render", name[0] == '2' ? "b.flame" : "a.flame", "-o", name, "--backend", "cpu"};
    if (name[0] == '1') words.insert(words.end(), {"--width", "48"});
    ASSERT_EQ(run_program(words, start).code, 0);
  }
  const auto decoded = [](const std::string& text) {
    const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
      if (c == '=') break;
      bits = bits << 6 | std::uint32_t(letters.find(c));
      count += 6;
      if (count >= 8) bytes += char(bits >> (count -= 8) & 255);
    }
    return bytes;
  };
  // the flame of a file says where it was: pixels alone are the same
  EXPECT_EQ(decoded(all[0].at("picture")).substr(0, 8), bytes("1.png").substr(0, 8));
  EXPECT_EQ(all[0]["media_type"], "image/png");
  EXPECT_TRUE(decoded(all[1].at("picture")) == bytes("2.ppm"));
  EXPECT_TRUE(decoded(all[4].at("picture")) == bytes("5.png"));
  EXPECT_EQ(all[0]["pictures"][0]["file"], "-");
  EXPECT_EQ(all[0]["pictures"][0]["input"], "genome");
  // "o" is "output", and of several flames each says which it is
  const Outcome more = jobs(
      line({{"genome", triangle()}, {"o", "-"}}) +
      line({{"genome", {triangle(), triangle("brightness=\"9\"")}}, {"output", "both_####.png"}}));
  const std::vector<json> two = answers(more);
  ASSERT_EQ(two.size(), 2u) << more.out << more.err;
  EXPECT_TRUE(two[0].contains("picture")) << two[0];
  ASSERT_EQ(two[1]["pictures"].size(), 2u) << two[1];
  EXPECT_EQ(two[1]["pictures"][0]["input"], "genome");
  EXPECT_EQ(two[1]["pictures"][1]["input"], "genome 2");  // which of them
  EXPECT_EQ(more.out.find("kiln-job"), std::string::npos) << more.out;
  EXPECT_EQ(all[2]["exit_code"], 3);
  EXPECT_EQ(all[3]["exit_code"], 2);
  EXPECT_EQ(all[5]["exit_code"], 2);
  for (const int failed : {2, 3, 5}) {
    EXPECT_FALSE(all[std::size_t(failed)].contains("picture"));
    EXPECT_EQ(all[std::size_t(failed)].dump().find("kiln-job"), std::string::npos)
        << all[std::size_t(failed)];
  }
}

/// A state beside a picture that has no name would stay for ever where nobody looks.
TEST_F(render_queue, an_answer_keeps_no_state_behind) {
  const json kept = {{"genome", triangle()}, {"output", "-"}, {"checkpoint", 60}},
             asked = {{"genome", triangle()}, {"output", "-"}, {"dry-run", true}};
  const Outcome outcome = jobs(kept.dump() + "\n" + asked.dump() + "\n");
  const std::vector<json> said = answers(outcome);
  ASSERT_EQ(said.size(), 2u) << outcome.out << outcome.err;
  EXPECT_EQ(said[0]["exit_code"], 2) << outcome.out;
  EXPECT_NE(outcome.out.find("name it"), std::string::npos) << outcome.out;
  EXPECT_FALSE(said[1].contains("picture")) << outcome.out;
}

TEST_F(render_queue, a_bad_job_is_answered_and_does_not_end_the_others) {
  const Outcome outcome = jobs(
      "not json\n"
      "[1]\n"
      R"({"id":3,"output":"x.png"})"
      "\n"
      R"({"id":4,"in":"missing.flame"})"
      "\n"
      R"({"id":5,"in":"a.flame","qualty":3})"
      "\n"
      R"({"id":6,"in":"a.flame","quality":null})"
      "\n"
      R"({"id":7,"in":"-"})"
      "\n"
      R"({"id":8,"in":"a.flame","jobs":"-"})"
      "\n"
      R"({"id":9,"in":"a.flame","help":true})"
      "\n"
      R"({"id":10,"in":"a.flame","output":"good.png"})"
      "\n");
  EXPECT_EQ(outcome.code, 7) << outcome.err;
  const std::vector<json> all = answers(outcome);
  ASSERT_EQ(all.size(), 10u) << outcome.out;
  const std::vector<int> codes = {3, 3, 2, 3, 2, 2, 2, 2, 2, 0};
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i]["exit_code"], codes[i]) << all[i];
  EXPECT_EQ(all[2]["failed"][0]["message"], "\"in\" is missing: the flame to render");
  EXPECT_NE(all[4]["failed"][0]["message"].get<std::string>().find("did you mean \"--quality\""),
            std::string::npos)
      << all[4];
  EXPECT_TRUE(is_there("good.png"));
  EXPECT_FALSE(is_there("a.png"));
}

TEST_F(render_queue, the_list_itself_is_never_replaced) {
  const std::string list = R"({"in":"a.flame","output":"own.png"})"
                           "\n";
  test::write_file(folder / "own.png", list);
  const Outcome named = run_program({"render", "--jobs", "own.png", "--backend", "cpu"}, start);
  EXPECT_EQ(named.code, 2) << named.out;
  EXPECT_NE(named.out.find("own.png is read and would be replaced"), std::string::npos);
  EXPECT_EQ(bytes("own.png"), list);
  start.prepare = [this] { dup2(open((folder / "own.png").c_str(), O_RDONLY), 0); };
  EXPECT_EQ(run_program({"render", "--jobs", "-", "--backend", "cpu", "--force"}, start).code, 2);
  EXPECT_EQ(bytes("own.png"), list);
}

TEST_F(render_queue, deep_lists_and_nul_characters_are_answered) {
  const auto deep = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  const Outcome outcome =
      jobs(R"({"in":"a.flame","output":"1.png","id":)" + deep(60'000) + "}\n" +
           R"({"in":"a.flame","output":"1.png","set":)" + deep(49'000) + "}\n" +
           R"({"in":"a.flame","output":"1.png","id":)" + std::string(400'000, '[') + "\n" +
           R"({"id":4,"in":"a.flame","output":"1\u0000b.png"})" + "\n" +
           R"({"id":5,"in":["a.flame","b\u0000"],"output":"1.png"})" + "\n" + R"({"id":)" +
           deep(60) + R"(,"in":"a.flame","output":"good.png"})" + "\n");
  EXPECT_EQ(outcome.code, 7) << outcome.err;
  const std::vector<json> all = answers(outcome);
  ASSERT_EQ(all.size(), 6u) << outcome.out;
  const std::vector<int> codes = {3, 3, 3, 2, 2, 0};
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i]["exit_code"], codes[i]) << all[i];
  EXPECT_NE(outcome.out.find("more than 64 lists in each other"), std::string::npos);
  EXPECT_NE(all[3]["failed"][0]["message"].get<std::string>().find("NUL"), std::string::npos);
  EXPECT_EQ(all[5]["id"].dump(), deep(60));
  EXPECT_TRUE(is_there("good.png"));
  EXPECT_FALSE(is_there("1.png"));
  EXPECT_FALSE(is_there("1"));
}

TEST_F(render_queue, a_list_that_cannot_be_read_is_an_error_and_not_its_end) {
  for (const char* list : {".", "/dev/zero"}) {
    const Outcome outcome = run_program({"render", "--jobs", list}, start);
    EXPECT_EQ(outcome.code, 3) << list;
    EXPECT_NE(outcome.err.find(list), std::string::npos) << outcome.err;
  }
  start.prepare = [] { dup2(open("/tmp", O_RDONLY), 0); };
  const Outcome outcome = run_program({"render", "--jobs", "-"}, start);
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("standard input: cannot be read"), std::string::npos) << outcome.err;
}

TEST_F(render_queue, a_line_beyond_the_limit_is_answered_in_little_memory) {
  const Outcome outcome = jobs(
      std::string(std::size_t{80} << 20, 'x') + "\n" + R"({"in":"a.flame","output":"good.png"})",
      {"--json"});
  EXPECT_EQ(outcome.code, 7);
  const std::vector<json> all = answers(outcome);
  ASSERT_EQ(all.size(), 2u) << outcome.out.substr(0, 400);
  EXPECT_EQ(all[0]["failed"][0]["message"], "a job of more than 1 MiB");
  EXPECT_LT(all[1]["pictures"][0]["peak_memory_bytes"], 60 << 20);
  EXPECT_TRUE(is_there("good.png"));
}

TEST_F(render_queue, pictures_of_two_flames_do_not_replace_each_other) {
  const std::string a = R"({"in":"a.flame","output":"same.png"})"
                        "\n",
                    b = R"({"in":"b.flame","output":"./same.png"})"
                        "\n",
                    forced = R"({"in":"b.flame","output":"same.png","force":true})"
                             "\n";
  const Outcome outcome = jobs(a + b + a);
  EXPECT_EQ(outcome.code, 7) << outcome.err;
  const std::vector<json> all = answers(outcome);
  ASSERT_EQ(all.size(), 3u);
  ASSERT_EQ(all[1]["exit_code"], 2) << all[1];
  EXPECT_NE(all[1]["failed"][0]["message"].get<std::string>().find("flame 0 of a.flame"),
            std::string::npos)
      << all[1];
  EXPECT_EQ(all[2]["exit_code"], 0);  // the same one again
  const std::string kept = bytes("same.png");
  EXPECT_EQ(jobs(a + forced).code, 0);
  EXPECT_NE(bytes("same.png"), kept);
}

/// A list that is given again makes what is not there yet, and says of the others that they are.
TEST_F(render_queue, a_picture_that_is_there_is_answered_for_with_no_clobber) {
  test::write_file(folder / "there.png", "mine");
  const Outcome outcome = jobs(R"({"id":1,"in":"a.flame","output":"there.png","no-clobber":true})"
                               "\n"
                               R"({"id":2,"in":"a.flame","output":"new.png","no-clobber":true})"
                               "\n"
                               R"({"id":3,"in":"a.flame","output":"-","no-clobber":true})"
                               "\n");
  EXPECT_EQ(outcome.code, 7) << outcome.err;  // something is there and something is not
  const std::vector<json> all = answers(outcome);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0]["exit_code"], 5);
  EXPECT_EQ(all[0]["failed"][0]["item"], "there.png");
  EXPECT_NE(all[0]["failed"][0]["message"].get<std::string>().find("exists already"),
            std::string::npos);
  EXPECT_EQ(bytes("there.png"), "mine");
  EXPECT_EQ(all[1]["exit_code"], 0);
  EXPECT_TRUE(is_there("new.png"));
  EXPECT_EQ(all[2]["exit_code"], 0);
  EXPECT_TRUE(all[2].contains("picture"));
  EXPECT_EQ(jobs(R"({"in":"a.flame","output":"new.png","no-clobber":true})"
                 "\n")
                .code,
            5);  // nothing is
}

TEST_F(render_queue, resumed_pictures_keep_their_states_with_no_clobber) {
  const auto render = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"render", "a.flame", "--backend", "cpu", "--resume", "--state",
                               "a.kiln", "--no-clobber"});
    return run_program(more, start);
  };
  ASSERT_EQ(render({"-o", "1.png", "--quality", "200"}).code, 0);
  const Outcome again = render({"-o", "2.png", "--quality", "400"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(is_there("2.png"));
}

TEST_F(render_queue, an_input_that_looks_like_an_option_is_none) {
  test::write_file(folder / "-q.flam3", triangle());
  const Outcome outcome = jobs(R"({"in":"-q.flam3","output":"1.png"})"
                               "\n"
                               R"({"in":["a.flame","-q.flam3"],"output":"2_{stem}.png"})"
                               "\n");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_TRUE(is_there("1.png"));
  EXPECT_TRUE(is_there("2_-q.png"));
}

TEST_F(render_queue, a_stop_ends_the_list_with_the_state_saved) {
  test::write_file(folder / "jobs",
                   R"({"in":"a.flame","output":"1.png","width":320,"quality":20000})"
                   "\n"
                   R"({"in":"b.flame","output":"2.png"})"
                   "\n");
  const test::ScratchFolder logs;
  const pid_t child = test::start_program(
      {"render", "--jobs", "jobs", "--backend", "cpu", "--checkpoint", "0"}, logs, start);
  for (int tries = 0; !is_there("1.kiln") && test::is_running(child) && tries < 30'000; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ASSERT_TRUE(test::is_running(child));
  kill(child, SIGTERM);
  EXPECT_EQ(test::wait_for(child), 75) << test::read_file(logs / "err");
  EXPECT_TRUE(is_there("1.kiln"));
  EXPECT_FALSE(is_there("1.png"));
  EXPECT_FALSE(is_there("2.kiln"));
  EXPECT_FALSE(is_there("2.png"));
}

TEST_F(render_queue, nothing_beside_the_queue) {
  EXPECT_EQ(jobs("", {"a.flame"}).code, 2);
  EXPECT_EQ(jobs("", {"--watch", "."}).code, 2);
  EXPECT_EQ(jobs("").code, 0);
  EXPECT_EQ(run_program({"render", "--jobs", "missing.json"}, start).code, 3);
  EXPECT_EQ(run_program({"render", "--watch", "missing"}, start).code, 3);
  EXPECT_EQ(run_program({"render", "--watch", "a.flame"}, start).code, 3);
  EXPECT_EQ(run_program({"render"}, start).code, 2);
}

TEST_F(render_queue, a_watched_folder) {
  std::filesystem::create_directory(folder / "in");
  std::filesystem::create_directory(folder / "out");
  test::write_file(folder / "in/early.flam3", triangle());
  ASSERT_EQ(mkfifo((folder / "in/a-pipe.flam3").c_str(), 0600), 0);
  const test::ScratchFolder logs;
  const pid_t child = test::start_program(
      {"render", "--watch", "in", "-o", "out", "--backend", "cpu"}, logs, start);
  const auto comes = [&](const std::string& name) {
    for (int tries = 0; !is_there(name) && tries < 3000; ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return is_there(name);
  };
  EXPECT_TRUE(comes("out/early.png"));
  test::write_file(folder / "in/bad.flame", "<flame");
  test::write_file(folder / "in/notes.txt", "not a flame");
  test::write_file(folder / "in/late.flame", triangle());
  EXPECT_TRUE(comes("out/late.png"));
  test::write_file(folder / "elsewhere", triangle());
  std::filesystem::rename(folder / "elsewhere", folder / "in/moved.flame");
  EXPECT_TRUE(comes("out/moved.png"));
  std::filesystem::remove(folder / "out/late.png");
  test::write_file(folder / "in/late.flame", triangle("brightness=\"9\""));
  EXPECT_TRUE(comes("out/late.png"));
  std::filesystem::rename(folder / "in/a-pipe.flam3", folder / "in/b-pipe.flam3");
  test::write_file(folder / "in/late.flam3", triangle());  // late.png is late.flame's
  test::write_file(folder / "in/zlast.flame", triangle());
  EXPECT_TRUE(comes("out/zlast.png"));
  EXPECT_TRUE(test::is_running(child));
  std::filesystem::remove_all(folder / "in");
  EXPECT_EQ(test::wait_for(child), 3);
  const std::string said = test::read_file(logs / "err");
  EXPECT_NE(said.find("in/bad.flame"), std::string::npos) << said;
  EXPECT_NE(said.find("out/late.png: is the picture of flame 0 of in/late.flame"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("in: the folder is gone"), std::string::npos) << said;
  EXPECT_EQ(test::read_file(logs / "out").find("notes"), std::string::npos);
}

TEST_F(render_queue, files_are_seen_where_the_queue_of_events_overflows) {
  std::filesystem::create_directory(folder / "in");
  test::write_file(folder / "in/early.flame", triangle());
  const test::ScratchFolder logs;
  const pid_t child =
      test::start_program({"render", "--watch", "in", "--backend", "cpu"}, logs, start);
  const auto comes = [&](const std::string& name) {
    for (int tries = 0; !is_there(name) && tries < 3000; ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return is_there(name);
  };
  ASSERT_TRUE(comes("early.png"));
  kill(child, SIGSTOP);
  const int most = std::atoi(test::read_file("/proc/sys/fs/inotify/max_queued_events").c_str());
  for (int i = 0; i < most; ++i)  // events of one file in a row would count once
    test::write_file(folder / (i % 2 ? "in/one.txt" : "in/two.txt"), "");
  test::write_file(folder / "in/late.flame", triangle());
  kill(child, SIGCONT);
  EXPECT_TRUE(comes("late.png")) << test::read_file(logs / "err");
  kill(child, SIGTERM);
  test::wait_for(child);
}

}  // namespace
}  // namespace kiln
