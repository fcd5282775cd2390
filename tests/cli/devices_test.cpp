// SPDX-License-Identifier: MIT
// --devices from outside: one picture on several devices, and what is said when one is lost.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace kiln {
namespace {

using namespace test;
using Arguments = std::vector<std::string>;

class Devices : public testing::Test {
 protected:
  Devices() { write_file(folder / "a.flame", triangle()); }

  Outcome render(const Arguments& arguments, const std::string& lost = "") const {
    Arguments all = {"render", "a.flame", "--json", "--quality", "200000"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run_program(all, {folder.path(), "", {}, [&] {
                               if (!lost.empty()) setenv("KILN_TEST_LOSE_HELPER", lost.c_str(), 1);
                             }});
  }
  static std::string hash(const Outcome& outcome) {
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out).at("pictures").at(0).at("pixel_hash");
  }

  ScratchFolder folder;
};

TEST_F(Devices, share_a_picture) {
  const std::string expected = hash(render({"--backend", "cpu"}));
  const Outcome shared = render({"--devices", "cpu,cpu,cpu", "--threads", "3"});
  EXPECT_EQ(hash(shared), expected);
  EXPECT_NE(shared.out.find(" + cpu"), std::string::npos) << shared.out;
}

TEST_F(Devices, a_lost_one_gives_its_units_to_the_others) {
  const std::string expected = hash(render({"--backend", "cpu"}));
  for (const char* lost : {"2:1", "2:2", "3:1"}) {
    const Outcome outcome = render({"--devices", "cpu,cpu,cpu"}, lost);
    EXPECT_EQ(hash(outcome), expected);
    EXPECT_NE(outcome.err.find("is lost, the other devices played its part"), std::string::npos)
        << outcome.err;
    // two are left: "cpu (...) + cpu (...)"
    const std::string names = nlohmann::json::parse(outcome.out).at("pictures").at(0).at("device");
    EXPECT_EQ(names.find(" + cpu"), names.rfind(" + cpu")) << names;
    EXPECT_NE(names.find(" + cpu"), std::string::npos) << names;
  }
}

TEST_F(Devices, lists_that_make_no_sense_are_refused) {
  for (const char* list :
       {"0,,1", "gpu", "0,cpu", "-1", "cpu,0", "3-1", "0-", "1-cpu", "0-9999", "0-64"}) {
    const Outcome outcome = render({"--devices", list});
    EXPECT_EQ(outcome.code, 2) << list;
    EXPECT_NE(outcome.err.find("--devices"), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(render({"--devices", "cpu,cpu", "--backend", "cuda"}).code, 2);
  EXPECT_EQ(render({"--devices", "0,1", "--backend", "cpu"}).code, 2);
  // sixty-four in a row are a range, as one is; whether they are there is another question
  for (const char* list : {"0-63", "7-7"}) {
    const Outcome outcome = render({"--devices", list});
    EXPECT_NE(outcome.code, 2) << list << ": " << outcome.err;
  }
}

TEST_F(Devices, keep_their_sums) {
  const std::string expected = hash(render({"--backend", "cpu"}));
  for (const char* shard : {"1/2", "2/2"}) {
    const std::string state = std::string("part") + shard[0] + ".kiln";
    EXPECT_EQ(render({"--devices", "cpu,cpu", "--shard", shard, "--state", state}).code, 0);
  }
  const Outcome merged = run_program({"merge", "part1.kiln", "part2.kiln", "--json", "-o", "m.png"},
                                     {folder.path(), "", {}, {}});
  EXPECT_EQ(hash(merged), expected);
  const Outcome noise = render({"--devices", "cpu,cpu", "--until-noise", "3%"});
  EXPECT_EQ(hash(noise), hash(render({"--backend", "cpu", "--until-noise", "3%"})));
  EXPECT_NE(noise.out.find("\"ended_by\":\"noise\""), std::string::npos) << noise.out;
}

TEST_F(Devices, frames_that_are_fewer_are_shared) {
  write_file(folder / "keys.flame", two_keys());
  const auto animate = [&](const std::string& frames, const std::string& devices) {
    const std::string name = devices + "-" + frames;
    std::filesystem::create_directory(folder / name);
    const Outcome outcome =
        run_program({"animate", "keys.flame", "-q", "--frames", frames, "--quality", "30000",
                     "--devices", devices, "-o", name + "/##.png"},
                    {folder.path(), "", {}, {}});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return read_file(folder / (name + "/03.png"));
  };
  const std::string expected = animate("3", "cpu");
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(animate("3", "cpu,cpu,cpu"), expected);
  EXPECT_EQ(animate("3-4", "cpu,cpu,cpu"), expected);
  EXPECT_EQ(animate("2-5", "cpu,cpu"), expected);
}

TEST_F(Devices, make_runs_of_frames_that_are_cleaned) {
  write_file(folder / "clean.flame", two_keys("kiln_clean=\"1\""));
  const auto animate = [&](const std::string& devices, const Arguments& more = {}) {
    const std::string name = devices + std::to_string(more.size());
    std::filesystem::create_directory(folder / name);
    Arguments words = {"animate", "clean.flame", "--dtime",       "0.5",   "--quality",
                       "300",     "--json",      "--devices",     devices, "--threads",
                       "3",       "-o",          name + "/##.png"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run_program(words, {folder.path(), "", {}, {}});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::vector<std::string> files;
    int last = -1;  // they are told in order
    const auto said = nlohmann::json::parse(outcome.out);
    for (const auto& picture : said.at("pictures")) {
      EXPECT_GT(picture.at("frame").get<int>(), last);
      last = picture.at("frame").get<int>();
      files.push_back(read_file(folder / picture.at("file").get<std::string>()));
    }
    return files;
  };
  const std::vector<std::string> expected = animate("cpu");
  ASSERT_EQ(expected.size(), 20u);
  EXPECT_TRUE(animate("cpu,cpu") == expected);
  EXPECT_TRUE(animate("cpu,cpu,cpu") == expected);
  const std::vector<std::string> part = animate("cpu,cpu", {"--frames", "4-16"});
  EXPECT_TRUE(part == std::vector(expected.begin() + 4, expected.begin() + 17));
}

}  // namespace
}  // namespace kiln
