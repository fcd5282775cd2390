// What pages open, keep and render, where files, folders or pages are not as one expects.
#include "tests/cli/view_page.h"
#include "view/server/render_desk.h"

namespace kiln {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::base64;
using test::Page;
using view_files = test::ViewProgram;

/// What a page is told of its first render when that is over.
json render(Page& page, const json& wanted) {
  page.send(wanted);
  return page
      .wait("renders",
            [](const Page::Said& said) {
              const json& jobs = said.head["jobs"];
              return !jobs.empty() && jobs[0]["state"] != "waiting" &&
                     jobs[0]["state"] != "running";
            })
      .head["jobs"][0];
}

TEST_F(view_files, a_file_called_minus_is_a_file) {
  test::write_file(folder / "-", test::triangle("name=\"minus\""));
  Page page(port, token);
  page.send({{"type", "open"}, {"path", "-"}});
  EXPECT_EQ(page.wait("flames").head["flames"], json({"a", "b", "minus"}));
}

TEST_F(view_files, links_in_a_folder_lead_nowhere_else) {
  fs::create_directory(folder / "pack");
  test::write_file(folder / "pack/in.flam3", test::triangle("name=\"in\""));
  test::write_file(logs / "out.flam3", test::triangle("name=\"out\""));
  fs::create_symlink("../a.flam3", folder / "pack/here.flam3");
  fs::create_symlink(logs / "out.flam3", folder / "pack/there.flam3");
  Page page(port, token);
  page.send({{"type", "open"}, {"path", "pack"}});
  EXPECT_EQ(page.wait("flames").head["flames"], json({"a", "b", "a", "in"}));
}

TEST_F(view_files, pictures_that_carry_no_flame_are_not_listed) {
  for (const char* name : {"p.ppm", "p.png", "p.jpeg", "p.txt"})
    test::write_file(folder / name, "");
  Page page(port, token);
  page.send({{"type", "files"}, {"folder", ""}});
  std::vector<std::string> names;
  const json files = page.wait("files").head["files"];
  for (const json& file : files) names.push_back(file["name"]);
  EXPECT_EQ(std::count(names.begin(), names.end(), "p.png"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "p.jpeg"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "p.ppm"), 0);
}

/// Or a pack of all the flames of the world takes the memory of the machine before it is refused.
TEST_F(view_files, more_flames_than_may_be_open_are_not_read) {
  std::string many;
  for (int i = 0; i < 1500; ++i) many += test::triangle();
  test::write_file(folder / "many.flam3", "<flames>" + many + many + "</flames>");
  fs::create_directory(folder / "pack");
  for (const char* name : {"pack/a.flam3", "pack/b.flam3", "pack/c.flam3"})
    test::write_file(folder / name, "<flames>" + many + "</flames>");
  Page page(port, token);
  page.send({{"type", "open"}, {"path", "many.flam3"}});
  EXPECT_NE(page.error().find("more than 2000 flames"), std::string::npos);
  page.send({{"type", "open"}, {"path", "pack"}});
  EXPECT_NE(page.error().find("3000 flames beside 2"), std::string::npos);
}

TEST_F(view_files, a_new_flame_that_was_edited_is_not_new_any_more) {
  Page page(port, token);
  page.wait("flame");
  page.send({{"type", "new"}});
  page.send({{"type", "edit"}, {"number", 1}, {"flame", test::triangle("brightness=\"7\"")}});
  page.wait("mark", [](const Page::Said& said) { return said.head["unsaved"] == true; });
  page.send({{"type", "random"}, {"seed", 1}});
  page.wait("flame", [](const Page::Said& said) { return said.head["own"] == false; });
  EXPECT_EQ(Page(port, token).wait("welcome").head["unsaved"], json({2}));
}

TEST_F(view_files, who_saves_one_flame_over_a_file_of_two_is_told_of_the_other) {
  test::write_file(folder / "two.flam3", "<flames>" + test::triangle("name=\"c\"") +
                                             test::triangle("name=\"d\"") + "</flames>");
  Page page(port, token);
  page.send({{"type", "open"}, {"path", "two.flam3"}});
  page.wait("opened");
  page.send({{"type", "save"}, {"name", "two.flam3"}, {"replace", true}});
  page.wait("mark", [](const Page::Said& said) { return said.head["unsaved"] == true; });
  EXPECT_EQ(Page(port, token).wait("welcome").head["unsaved"], json({3}));
}

TEST_F(view_files, a_part_that_is_refused_is_no_beginning_of_the_next_file) {
  Page page(port, token);
  const auto take = [&](const std::string& bytes, bool more) {
    page.send({{"type", "take"}, {"name", "x"}, {"bytes", bytes}, {"more", more}});
  };
  take(base64("<flames>"), true);
  take("%", true);
  EXPECT_NE(page.error().find("base64"), std::string::npos);
  const std::string flame = test::triangle("name=\"sent\"");
  take(base64(flame.substr(0, 99)), true);
  take(base64(flame.substr(99)), false);
  EXPECT_EQ(page.wait("flames").head["flames"], json({"a", "b", "sent"}));
}

/// One edit has no place on the disk; the other has, and nobody says that both are kept.
TEST_F(view_files, an_edit_that_cannot_be_kept_is_said_and_hinders_no_other) {
  Page page(port, token);
  const std::string run = page.wait("welcome").head.value("run", "");
  const fs::path edits = fs::path(desk / "kiln/edits") / run;
  fs::create_directories(edits / "0.flam3");
  for (const int index : {0, 1}) {
    page.send({{"type", "select"}, {"index", index}});
    page.send({{"type", "edit"},
               {"number", index + 1},
               {"flame", test::triangle("brightness=\"" + std::to_string(7 + index) + "\"")}});
    page.wait("mark", [&](const Page::Said& said) { return said.head["index"] == index; });
  }
  end();
  EXPECT_TRUE(fs::is_regular_file(edits / "1.flam3"));
  const std::string said = test::read_file(logs / "err");
  EXPECT_EQ(said.find("are kept in"), std::string::npos) << said;
  EXPECT_NE(said.find("could not all be written"), std::string::npos) << said;
}

/// Which sockets a process has open.
int sockets_of(const fs::path& process) {
  int count = 0;
  std::error_code gone;
  for (const auto& file : fs::directory_iterator(process / "fd", gone))
    count += fs::read_symlink(file.path(), gone).string().starts_with("socket:");
  return count;
}

/// Or a page that is gone, and the port, would be held until the render ends.
TEST_F(view_files, a_render_holds_no_socket) {
  Page page(port, token);
  page.send({{"type", "render"}, {"name", "slow.png"}, {"quality", 1e7}});
  fs::path child;
  for (int i = 0; i < 600 && child.empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const std::string words = test::read_file(entry.path() / "cmdline");
      const std::string parent = "PPid:\t" + std::to_string(program) + "\n";
      if (words.starts_with(std::string("kiln\0render\0", 12)) &&
          test::read_file(entry.path() / "status").find(parent) != std::string::npos)
        child = entry.path();
    }
  }
  ASSERT_FALSE(child.empty());
  EXPECT_GT(sockets_of("/proc/" + std::to_string(program)), 0);
  EXPECT_EQ(sockets_of(child), 0);
  page.send({{"type", "cancel"}, {"id", 1}});
}

TEST_F(view_files, renders_that_are_over_do_not_grow_for_ever) {
  constexpr int renders = cli::RenderDesk::most_over + 30;
  Page page(port, token);
  for (int id = 1; id <= renders; ++id) {
    page.send({{"type", "render"}, {"name", "x" + std::to_string(id) + ".png"}, {"quality", 1e7}});
    page.send({{"type", "cancel"}, {"id", id}});
  }
  const json jobs = page.wait("renders",
                              [](const Page::Said& said) {
                                const json& last = said.head["jobs"];
                                return !last.empty() && last.back()["id"] == renders &&
                                       last.back()["state"] == "cancelled";
                              })
                        .head["jobs"];
  EXPECT_LE(jobs.size(), std::size_t(cli::RenderDesk::most_over) + 2);
}

TEST_F(view_files, a_picture_is_for_pages_and_has_time) {
  Page page(port, token);
  page.send({{"type", "render"}, {"name", "x.mp4"}});
  EXPECT_TRUE(page.error().starts_with("render: \"x.mp4\" is no name"));
  EXPECT_EQ(render(page, {{"type", "render"}, {"name", "x.png"}})["state"], "done");
  const std::string here = "Host: " + host() + "\r\n", with_token = "?token=" + token;
  EXPECT_EQ(status("/picture/1" + with_token, here), 200);
  EXPECT_EQ(status("/picture/2" + with_token, here), 404);
  EXPECT_EQ(status("/picture/1", here), 403);
  EXPECT_EQ(status("/picture/2", here), 403);  // nor whether it is there
  // more than what waits in sockets, for who reads slowly
  test::write_file(folder / "x.png", std::string(32 << 20, 'x'));
  test::WebClient slow(port);
  slow.send_bytes("GET /picture/1" + with_token + " HTTP/1.1\r\nConnection: close\r\n" + here +
                  "\r\n");
  std::this_thread::sleep_for(std::chrono::seconds(6));
  EXPECT_GT(slow.rest().size(), std::size_t(32 << 20));
}

}  // namespace
}  // namespace kiln
