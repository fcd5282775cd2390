// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <map>

#include "engine/animation/frame_at.h"
#include "engine/base/error.h"

namespace kiln {
namespace {

std::string numbers(const std::vector<FrameTime>& frames) {
  std::string text;
  for (const FrameTime& frame : frames) text += std::to_string(frame.number) + " ";
  return text;
}

TEST(frame_list, a_frame_is_numbered_by_its_time_where_times_are_whole) {
  EXPECT_EQ(numbers(frame_times(-2, 7, 3)), "-2 1 4 7 ");
  EXPECT_EQ(frame_times(10, 12.9, 1).back().time, 12);
  const auto slow = frame_times(2, 4, 0.5);
  EXPECT_EQ(numbers(slow), "0 1 2 3 4 ");
  EXPECT_EQ(slow[3].time, 3.5);
  EXPECT_EQ(frame_times(0, 0.7, 0.1).size(), 8u);  // 0.7 / 0.1 is below 7
  EXPECT_EQ(numbers(frame_times(5, 5, 1)), "5 ");
}

TEST(frame_list, times_without_frames_are_wrong_usage) {
  try {
    frame_times(1, 0, 1);
    ADD_FAILURE() << "taken";
  } catch (const Error& error) {  // libraries say it too, and have no options
    EXPECT_EQ(std::string(error.what()).find("--"), std::string::npos) << error.what();
  }
  EXPECT_THROW(frame_times(0, 1, 0), Error);
  EXPECT_THROW(frame_times(0, 1, -1), Error);
  EXPECT_THROW(frame_times(0, 1e9, 1), Error);
  EXPECT_THROW(frame_times(0, 0.0 / 0.0, 1), Error);
}

TEST(frame_list, selections) {
  const auto frames = frame_times(-1, 9, 1);
  EXPECT_EQ(numbers(select_frames(frames, "7")), "7 ");
  EXPECT_EQ(numbers(select_frames(frames, "-1-1")), "-1 0 1 ");
  EXPECT_EQ(numbers(select_frames(frames, "1-9:3")), "1 4 7 ");
  EXPECT_EQ(numbers(select_frames(frames, "5-6,2,6")), "2 5 6 ");
  EXPECT_EQ(numbers(select_frames(frame_times(0, 9, 2), "0-8:3")), "0 6 ");
  for (const char* wrong :
       {"", "a", "1-", "3-1", "1-3:0", "1-3:", "1,,2", "0-99", "-2", "1 - 2", "99999999999", "1.5"})
    EXPECT_THROW(select_frames(frames, wrong), Error) << wrong;
  EXPECT_THROW(select_frames(frame_times(0, 9, 2), "3"), Error);
}

TEST(frame_list, chunks_are_all_frames_once) {
  for (int count : {1, 2, 7, 16, 20}) {
    const auto frames = frame_times(0, 15, 1);
    std::string all;
    std::size_t least = 99, most = 0;
    for (int i = 1; i <= count; ++i) {
      const auto part = chunk_of(frames, {i, count});
      all += numbers(part);
      least = std::min(least, part.size());
      most = std::max(most, part.size());
    }
    EXPECT_EQ(all, numbers(frames));
    EXPECT_LE(most - least, 1u);
  }
}

using Variables = std::map<std::string, std::string>;
Chunk chunk(const std::string& text, const Variables& variables = {}) {
  return parse_chunk(text, [&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(frame_list, chunks_by_number_and_by_array_task) {
  EXPECT_EQ(chunk("2/4").index, 2);
  EXPECT_EQ(chunk("2/4").count, 4);
  for (const char* wrong : {"0/4", "5/4", "1", "1/", "/4", "1/4/2", "-1/4", "1/0", "", "automatic"})
    EXPECT_THROW(chunk(wrong), Error) << wrong;
  EXPECT_THROW(chunk("auto"), Error);

  Variables slurm = {{"SLURM_ARRAY_TASK_ID", "7"},
                     {"SLURM_ARRAY_TASK_MIN", "3"},
                     {"SLURM_ARRAY_TASK_MAX", "9"},
                     {"SLURM_ARRAY_TASK_STEP", "2"},
                     {"SLURM_ARRAY_TASK_COUNT", "4"}};
  EXPECT_EQ(chunk("auto", slurm).index, 3);
  EXPECT_EQ(chunk("auto", slurm).count, 4);
  slurm["SLURM_ARRAY_TASK_COUNT"] = "2";  // --array=3,9 or so: which frames would 7 be?
  EXPECT_THROW(chunk("auto", slurm), Error);
  const Variables sge = {{"SGE_TASK_ID", "2"}, {"SGE_TASK_FIRST", "1"}, {"SGE_TASK_LAST", "5"}};
  EXPECT_EQ(chunk("auto", sge).index, 2);
  EXPECT_EQ(chunk("auto", sge).count, 5);
  EXPECT_THROW(chunk("auto", {{"SGE_TASK_ID", "undefined"}}), Error);
}

}  // namespace
}  // namespace kiln
