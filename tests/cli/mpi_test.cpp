// SPDX-License-Identifier: MIT
// kiln under mpirun: the ranks make the picture of one process, and a rank that fails is no riddle.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace kiln {
namespace {

using namespace test;

/// Whether mpirun and kiln's module for MPI are here.
bool has_mpi() {
  const auto module = std::filesystem::path(program_path()).parent_path() / "kiln_mpi.so";
  if (has_program("mpirun") && std::filesystem::exists(module)) return true;
  std::puts("skipped: no mpirun, or kiln was built without KILN_MPI");
  return false;
}

class Mpi : public testing::Test {
 protected:
  Mpi() { write_file(folder / "a.flame", triangle()); }

  struct Run {
    int code = 0;
    std::string out, err;
  };
  /// `before`: words before mpirun, such as a variable.
  Run ranks(int count, const std::string& arguments, const std::string& before = "") const {
    const std::string command =
        "cd " + folder.path() + " && " + before +
        " OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,vader "
        "timeout 200 mpirun --oversubscribe --bind-to none -n " +
        std::to_string(count) + " " + program_path() + " " + arguments + " > out.txt 2> err.txt";
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), read_file(folder / "out.txt"), read_file(folder / "err.txt")};
  }
  static std::string hash(const std::string& json) {
    return nlohmann::json::parse(json).at("pictures").at(0).at("pixel_hash");
  }
  std::string hash_of_one() const {
    const Outcome outcome = run_program({"render", "a.flame", "-o", "one.png", "--json",
                                         "--backend", "cpu", "--quality", "60000", "-q"},
                                        {folder.path(), "", {}, {}});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return hash(outcome.out);
  }
  const std::string render = "render a.flame --backend cpu --threads 1 --json --quality 60000 ";

  ScratchFolder folder;
};

TEST_F(Mpi, ranks_make_the_picture_of_one_process) {
  if (!has_mpi()) GTEST_SKIP();
  const std::string expected = hash_of_one();
  for (const char* more : {"", "--devices cpu,cpu"}) {
    const Run run = ranks(3, render + more);
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(hash(run.out), expected) << more;
    EXPECT_EQ(nlohmann::json::parse(run.out).at("pictures").at(0).at("samples"), 32 * 24 * 60000);
  }
}

TEST_F(Mpi, a_lost_rank_costs_its_own_units_alone) {
  if (!has_mpi()) GTEST_SKIP();
  const std::string expected = hash_of_one();
  const Run run = ranks(3, render + "--checkpoint 60 -o kept.png");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(hash(run.out), expected);
  std::filesystem::remove(folder /
                          "kept.2-3.kiln");  // what a rank leaves that died before its state
  std::filesystem::remove(folder / "kept.png");
  const Run again = ranks(3, render + "--checkpoint 60 --resume -o kept.png");
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(hash(again.out), expected);
  EXPECT_GT(nlohmann::json::parse(again.out).at("pictures").at(0).at("earlier_samples"), 0);
}

TEST_F(Mpi, ranks_meet_where_one_of_them_has_all_units) {
  if (!has_mpi()) GTEST_SKIP();
  const std::string one_unit = "4000";  // and a cut one
  const Run run = ranks(2,
                        "render a.flame --backend cpu --threads 1 --json --checkpoint 60 "
                        "-o kept.png --quality " +
                            one_unit);
  ASSERT_EQ(run.code, 0) << run.err;
  const Outcome alone = run_program({"render", "a.flame", "-o", "one.png", "--json", "--backend",
                                     "cpu", "--quality", one_unit, "-q"},
                                    {folder.path(), "", {}, {}});
  EXPECT_EQ(hash(run.out), hash(alone.out));
}

TEST_F(Mpi, ranks_never_share_a_state_file) {
  if (!has_mpi()) GTEST_SKIP();
  const Run one_name = ranks(2, render + "--state a.kiln");
  EXPECT_NE(one_name.code, 0);
  EXPECT_NE(one_name.err.find("leave --state out"), std::string::npos) << one_name.err;
  const Outcome outcome = run_program({"render", "a.flame", "-o", "one.png", "--checkpoint", "60",
                                       "--backend", "cpu", "--quality", "9000", "-q"},
                                      {folder.path(), "", {}, {}});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Run one_state = ranks(2, "render one.kiln --backend cpu --quality 60000 --checkpoint 60");
  EXPECT_NE(one_state.code, 0);
  EXPECT_NE(one_state.err.find("same sums"), std::string::npos) << one_state.err;
}

TEST_F(Mpi, a_rank_that_fails_is_told_to_the_others) {
  if (!has_mpi()) GTEST_SKIP();
  const Run run = ranks(3, "render a.flame --backend cpu --threads 1 --quality 60000",
                        "env KILN_TEST_LOSE_RANK=1");
  EXPECT_NE(run.code, 0);
  EXPECT_NE(run.err.find("another rank failed"), std::string::npos) << run.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "a.png"));
}

TEST_F(Mpi, frames_are_shared) {
  if (!has_mpi()) GTEST_SKIP();
  write_file(folder / "keys.flame", two_keys());
  const Run run = ranks(3, "animate keys.flame --backend cpu --threads 1 -o 'out/##.png'");
  ASSERT_EQ(run.code, 0) << run.err;
  ASSERT_EQ(run_program({"animate", "keys.flame", "-q", "--backend", "cpu", "-o", "alone/##.png"},
                        {folder.path(), "", {}, {}})
                .code,
            0);
  for (int frame = 0; frame < 10; ++frame) {
    const std::string name = "/0" + std::to_string(frame) + ".png";
    EXPECT_EQ(read_file(folder / ("out" + name)), read_file(folder / ("alone" + name)));
  }
}

}  // namespace
}  // namespace kiln
