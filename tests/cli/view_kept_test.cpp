// SPDX-License-Identifier: MIT
// What kiln view keeps beside other programs of its kind, and what it believes of flames that it has taken over.
#include <filesystem>

#include "tests/cli/view_page.h"

namespace kiln {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::Page;

class view_kept : public test::ViewProgram {
 protected:
  /// All that was sent before has been heard.
  static void wait_until_heard(Page& page) {
    page.send({{"type", "ping"}, {"number", 1}});
    page.wait("pong");
  }
  void edit(Page& page, int index, int brightness) const {
    const std::string bright = std::to_string(brightness);
    page.send({{"type", "select"}, {"index", index}});
    page.send({{"type", "edit"},
               {"number", brightness},
               {"flame", test::triangle("name=\"lost\" brightness=\"" + bright + "\"")}});
    page.settled(std::uint64_t(brightness));
  }
  /// Edits on the disk.
  std::vector<fs::path> kept() const {
    std::vector<fs::path> files;
    std::error_code none;
    for (fs::recursive_directory_iterator entry(desk / "kiln/edits", none), end; entry != end;
         ++entry)
      if (entry->path().extension() == ".flam3") files.push_back(entry->path());
    return files;
  }
  void wait_for_kept(std::size_t count) const {
    for (int i = 0; i < 400 && kept().size() != count; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(kept().size(), count);
  }
  json states() const { return Page(port, token).wait("states").head["states"]; }
  json recent() const {
    Page page(port, token);
    page.send({{"type", "files"}, {"folder", ""}});
    return page.wait("recent").head["files"];
  }
};

/// Two programs of one user at once: what one is at work on is no lost edit of the other.
TEST_F(view_kept, edits_of_a_program_that_runs_are_not_offered_to_another) {
  {
    Page page(port, token);
    edit(page, 0, 7);
  }
  wait_for_kept(1);
  const pid_t first = program;
  ASSERT_TRUE(begin({"b.flam3"}));
  {
    Page page(port, token);
    page.send({{"type", "lost"}, {"take", true}});
    wait_until_heard(page);
    EXPECT_EQ(Page(port, token).wait("welcome").head["flames"], json({"b"}));
  }
  EXPECT_EQ(kept().size(), 1u);
  kill(first, SIGKILL);
  test::wait_for(first);
  end();
  ASSERT_TRUE(begin({"b.flam3"}));
  EXPECT_EQ(Page(port, token).wait("lost").head["flames"].size(), 1u) << "now nobody is at it";
}

/// As those that it keeps itself.
TEST_F(view_kept, a_state_that_another_program_has_kept_outlives_the_removal_of_one) {
  Page page(port, token);
  const auto state_of = [](const std::string& name) {
    return json{
        {"type", "state"}, {"flame", test::triangle("name=\"" + name + "\"")}, {"name", name}};
  };
  page.send(state_of("mine"));
  wait_until_heard(page);
  const pid_t first = program;
  const int first_port = port;
  const std::string first_token = token;
  ASSERT_TRUE(begin({"a.flam3"}));
  {
    Page other(port, token);
    other.send(state_of("its"));
    wait_until_heard(other);
  }
  json wanted = state_of("mine");
  wanted["remove"] = true;
  page.send(wanted);
  wait_until_heard(page);
  const json here = Page(first_port, first_token).wait("states").head["states"];
  ASSERT_EQ(here.size(), 1u);
  EXPECT_EQ(here[0]["name"], "its");
  kill(first, SIGTERM);
  test::wait_for(first);
  end();
  ASSERT_TRUE(begin({"a.flam3"}));
  ASSERT_EQ(states().size(), 1u);
  EXPECT_EQ(states()[0]["name"], "its");
}

TEST_F(view_kept, a_file_that_is_opened_again_is_recent_once) {
  Page page(port, token);
  for (const char* name : {"b.flam3", "a.flam3", "b.flam3"}) {
    page.send({{"type", "open"}, {"path", name}});
    page.wait("opened");
  }
  const json files = recent();
  ASSERT_EQ(files.size(), 2u) << files;
  EXPECT_EQ(fs::path(files[0].get<std::string>()).filename(), "b.flam3") << "the newest first";
  EXPECT_EQ(fs::path(files[1].get<std::string>()).filename(), "a.flam3");
}

}  // namespace
}  // namespace kiln
