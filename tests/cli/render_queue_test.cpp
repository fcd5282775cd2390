// kiln render as a service: a list of jobs, and a folder that is watched.
#include <gtest/gtest.h>

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
  EXPECT_TRUE(test::is_running(child));
  std::filesystem::remove_all(folder / "in");
  EXPECT_EQ(test::wait_for(child), 3);
  const std::string said = test::read_file(logs / "err");
  EXPECT_NE(said.find("in/bad.flame"), std::string::npos) << said;
  EXPECT_NE(said.find("in: the folder is gone"), std::string::npos) << said;
  EXPECT_EQ(test::read_file(logs / "out").find("notes"), std::string::npos);
}

}  // namespace
}  // namespace kiln
