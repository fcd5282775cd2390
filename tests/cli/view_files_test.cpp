// SPDX-License-Identifier: MIT
// What pages open, keep and render, where files, folders or pages are not as one expects.
#include <sys/stat.h>

#include <array>
#include <map>

#include "engine/io/flame/flame_reader.h"
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

TEST_F(view_files, a_flame_for_flam3_says_what_it_lacks_and_stays_unsaved) {
  Page page(port, token);
  const auto save = [&](const char* program) {
    page.send({{"type", "save"}, {"name", "plain.flam3"}, {"for", program}, {"replace", true}});
  };
  page.send({{"type", "edit"}, {"number", 1}, {"flame", test::triangle("brightness=\"7\"")}});
  page.wait("mark", [](const Page::Said& said) { return said.head["unsaved"] == true; });
  save("flam3");
  EXPECT_FALSE(page.wait("saved").head.contains("lost"));
  page.send({{"type", "edit"},
             {"number", 2},
             {"flame", test::triangle("brightness=\"8\" kiln_clean=\"1\"")}});
  page.wait("flame", [](const Page::Said& said) { return said.head["number"] == 2; });
  save("flam3");
  const std::string lost = page.wait("saved").head.value("lost", "");
  EXPECT_NE(lost.find("setting kiln_clean"), std::string::npos) << lost;
  const Flame written = read_flames(folder / "plain.flam3", {}).flames.at(0);
  EXPECT_EQ(written.brightness, 8);
  EXPECT_EQ(written.clean, 0);
  EXPECT_EQ(Page(port, token).wait("welcome").head["unsaved"], json({0}));
  save("apophysis");
  EXPECT_EQ(page.error(), "save: \"for\" is flam3");
}

/// What was saved there is in no file any more.
TEST_F(view_files, a_flame_for_flam3_in_place_of_its_own_file_is_unsaved) {
  Page page(port, token);
  page.send({{"type", "edit"}, {"number", 1}, {"flame", test::triangle("kiln_clean=\"1\"")}});
  page.wait("mark", [](const Page::Said& said) { return said.head["unsaved"] == true; });
  page.send({{"type", "save"}, {"name", "mine.flam3"}});
  page.wait("mark", [](const Page::Said& said) { return said.head["unsaved"] == false; });
  page.send({{"type", "save"}, {"name", "mine.flam3"}, {"for", "flam3"}, {"replace", true}});
  page.wait("mark", [](const Page::Said& said) { return said.head["unsaved"] == true; });
  EXPECT_EQ(Page(port, token).wait("welcome").head["unsaved"], json({0}));
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

/// What a run has left that was killed: flame `index` with this brightness.
class view_lost : public view_files {
 protected:
  void lose(const std::vector<int>& indices) {
    Page page(port, token);
    for (const int index : indices) {
      page.send({{"type", "select"}, {"index", index}});
      page.send({{"type", "edit"},
                 {"number", index + 1},
                 {"flame",
                  test::triangle("name=\"lost" + std::to_string(index) + "\" brightness=\"7\"")}});
      page.wait("mark", [&](const Page::Said& said) { return said.head["index"] == index; });
    }
    wait_for_kept(indices.size());
  }
  std::vector<fs::path> kept() const { return below("kiln/edits"); }
  std::vector<fs::path> thrown() const { return below("kiln/thrown"); }
  void wait_for_kept(std::size_t count) const {
    for (int i = 0; i < 200 && kept().size() != count; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(kept().size(), count);
  }
  /// It dies and another one begins.
  void begin_anew() {
    kill(program, SIGKILL);
    test::wait_for(program);
    ASSERT_TRUE(begin({"a.flam3", "b.flam3"}));
  }

 private:
  std::vector<fs::path> below(const char* name) const {
    std::vector<fs::path> files;
    std::error_code none;
    for (fs::recursive_directory_iterator entry(desk / name, none), end; entry != end; ++entry)
      if (entry->path().extension() == ".flam3") files.push_back(entry->path());
    return files;
  }
};

TEST_F(view_lost, some_are_taken_some_thrown_away_and_the_rest_stays) {
  test::write_file(folder / "c.flam3", test::triangle("name=\"c\""));
  end();
  ASSERT_TRUE(begin({"a.flam3", "b.flam3", "c.flam3"}));
  lose({0, 1, 2});
  begin_anew();
  Page page(port, token);
  json lost = page.wait("lost").head;
  ASSERT_EQ(lost["flames"].size(), 3u);
  std::map<std::string, json> by_name;
  for (const json& one : lost["flames"]) by_name[one["name"]] = one;
  EXPECT_EQ(fs::path(by_name["lost1"]["source"].get<std::string>()).filename(), "b.flam3");
  EXPECT_NE(by_name["lost1"]["flame"].get<std::string>().find("brightness=\"7\""),
            std::string::npos);
  page.send({{"type", "lost"}, {"take", false}, {"which", {by_name["lost0"]["key"]}}});
  EXPECT_EQ(page.wait("lost").head["flames"].size(), 2u);
  page.send({{"type", "lost"}, {"take", true}, {"which", {by_name["lost2"]["key"]}}});
  EXPECT_EQ(page.wait("flames").head["flames"], json({"a", "b", "lost2"}));
  lost = page.wait("lost").head;
  ASSERT_EQ(lost["flames"].size(), 1u);
  EXPECT_EQ(lost["flames"][0]["name"], "lost1");
  wait_for_kept(2);
  ASSERT_EQ(thrown().size(), 1u);
  EXPECT_TRUE(thrown()[0].filename().string().starts_with("lost0-")) << thrown()[0];
  EXPECT_EQ(lost["days"], 30);
}

TEST_F(view_lost, what_was_thrown_away_long_ago_is_gone) {
  fs::create_directories(desk / "kiln/thrown");
  const auto now = fs::file_time_type::clock::now();
  for (const int days : {29, 31}) {
    const fs::path file = desk / ("kiln/thrown/" + std::to_string(days) + ".flam3");
    test::write_file(file, test::triangle());
    fs::last_write_time(file, now - std::chrono::hours(24 * days));
  }
  begin_anew();
  Page(port, token).wait("flame");
  for (int i = 0; i < 100 && thrown().size() > 1; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ASSERT_EQ(thrown().size(), 1u);
  EXPECT_EQ(thrown()[0].filename(), "29.flam3");
}

/// Who throws old edits away may want them back for as long as any others.
TEST_F(view_lost, what_is_thrown_away_stays_from_that_day_on) {
  lose({0});
  const auto now = fs::file_time_type::clock::now();
  fs::last_write_time(kept().at(0), now - std::chrono::hours(24 * 40));
  begin_anew();
  {
    Page page(port, token);
    page.wait("lost");
    page.send({{"type", "lost"}, {"take", false}});
    wait_for_kept(0);
  }
  end();
  ASSERT_EQ(thrown().size(), 1u);
  EXPECT_GT(fs::last_write_time(thrown()[0]), now - std::chrono::hours(1));
}

TEST_F(view_lost, of_edits_that_could_not_be_kept_the_newest_is) {
  fs::create_directories(desk / "kiln");
  test::write_file(desk / "kiln/edits", "no folder");
  Page page(port, token);
  for (const int number : {1, 2}) {
    const std::string flame = test::triangle("brightness=\"" + std::to_string(6 + number) + "\"");
    page.send({{"type", "edit"}, {"number", number}, {"flame", flame}});
    if (number == 1)
      page.wait("keeping");
    else
      page.settled(number);
  }
  fs::remove(desk / "kiln/edits");
  EXPECT_EQ(page.wait("keeping").head["trouble"], "");
  ASSERT_EQ(kept().size(), 1u);
  EXPECT_NE(test::read_file(kept()[0]).find("brightness=\"8\""), std::string::npos);
}

/// A full disk, here: what should be a file is a folder.
TEST_F(view_lost, what_is_taken_stays_where_it_is_until_this_run_has_it) {
  lose({0});
  const fs::path before = kept().at(0);
  begin_anew();
  Page page(port, token);
  const std::string run = page.wait("welcome").head.value("run", "");
  page.wait("lost");
  fs::create_directories(fs::path(desk / "kiln/edits") / run / "2.flam3");
  page.send({{"type", "lost"}, {"take", true}});
  page.wait("flames");
  EXPECT_NE(page.wait("keeping").head["trouble"], "");
  end();
  EXPECT_TRUE(fs::is_regular_file(before));
}

TEST_F(view_lost, edits_of_a_flame_that_was_closed_are_not_offered) {
  lose({1});
  {
    Page page(port, token);
    page.send({{"type", "close"}, {"index", 1}});
    page.wait("flames");
  }
  wait_for_kept(0);
  begin_anew();
  Page page(port, token);
  page.wait("flame");
  page.send({{"type", "ping"}, {"number", 1}});
  page.wait("pong");
  EXPECT_EQ(Page(port, token).wait("welcome").head["unsaved"], json::array());
  EXPECT_TRUE(kept().empty());
}

TEST_F(view_lost, pages_and_the_terminal_say_why_edits_are_not_kept) {
  fs::create_directories(desk / "kiln");
  test::write_file(desk / "kiln/edits", "no folder");
  Page page(port, token);
  page.send({{"type", "edit"}, {"number", 1}, {"flame", test::triangle("brightness=\"7\"")}});
  const std::string trouble = page.wait("keeping").head["trouble"];
  EXPECT_NE(trouble.find("the folder cannot be made"), std::string::npos) << trouble;
  EXPECT_EQ(Page(port, token).wait("keeping").head["trouble"], trouble) << "one that comes later";
  fs::remove(desk / "kiln/edits");
  EXPECT_EQ(page.wait("keeping").head["trouble"], "") << "it is tried again";
  EXPECT_EQ(kept().size(), 1u);
  fs::remove_all(desk / "kiln/edits");
  test::write_file(desk / "kiln/edits", "no folder");
  page.send({{"type", "edit"}, {"number", 2}, {"flame", test::triangle("brightness=\"8\"")}});
  page.wait("keeping");
  end();
  const std::string said = test::read_file(logs / "err");
  EXPECT_EQ(said.find("HOME"), std::string::npos) << said;
  EXPECT_NE(said.rfind("are lost: "), std::string::npos) << said;
}

TEST_F(view_files, kept_states_are_those_of_all_pages_and_of_another_day) {
  const std::string flame = test::triangle("name=\"kept\"");
  {
    Page one(port, token), other(port, token);
    EXPECT_EQ(other.wait("states").head["states"], json::array());
    one.send({{"type", "state"}, {"flame", flame}, {"name", "kept-A"}, {"thumb", "javascript:1"}});
    const json states = other.wait("states").head["states"];
    ASSERT_EQ(states.size(), 1u);
    EXPECT_EQ(states[0], json({{"name", "kept-A"}, {"flame", flame}, {"thumb", ""}}));
    one.send({{"type", "state"}, {"flame", flame}, {"name", "better"}});
    EXPECT_EQ(other.wait("states").head["states"][0]["name"], "better");
  }
  kill(program, SIGKILL);
  test::wait_for(program);
  ASSERT_TRUE(begin({"b.flam3"}));
  Page one(port, token), other(port, token);
  EXPECT_EQ(one.wait("states").head["states"][0]["flame"], flame);
  other.wait("states");
  one.send({{"type", "state"}, {"flame", flame}, {"remove", true}});
  EXPECT_EQ(other.wait("states").head["states"], json::array());
  for (int i = 0; i < 61; ++i)
    one.send(
        {{"type", "state"}, {"flame", flame + "<!--" + std::to_string(i) + "-->"}, {"name", "x"}});
  const json said = one.wait("message").head;
  EXPECT_NE(said["text"].get<std::string>().find("60 states are kept"), std::string::npos) << said;
  EXPECT_EQ(Page(port, token).wait("states").head["states"].size(), 60u);
}

TEST_F(view_files, each_folder_has_states_of_its_own) {
  const test::ScratchFolder other;
  test::write_file(other / "a.flam3", test::triangle());
  const auto keep = [&](const char* name) {
    Page one(port, token), page(port, token);
    const json before = page.wait("states").head["states"];
    one.send({{"type", "state"}, {"flame", test::triangle()}, {"name", name}});
    page.wait("states");
    return before;
  };
  EXPECT_EQ(keep("here"), json::array());
  end();
  runs_in = other.path();
  ASSERT_TRUE(begin({"a.flam3"}));
  EXPECT_EQ(keep("there"), json::array());
  end();
  runs_in = folder.path();
  ASSERT_TRUE(begin({"a.flam3"}));
  EXPECT_EQ(keep("again")[0]["name"], "here");
}

TEST_F(view_files, states_that_another_program_has_kept_stay) {
  Page one(port, token), page(port, token);
  const auto keep = [&](const std::string& name) {
    one.send(
        {{"type", "state"}, {"flame", test::triangle("name=\"" + name + "\"")}, {"name", name}});
    const json states =
        page.wait("states", [](const Page::Said& said) { return !said.head["states"].empty(); })
            .head["states"];
    return states.size();
  };
  EXPECT_EQ(keep("one"), 1u);
  fs::path list;
  for (const auto& entry : fs::directory_iterator(desk / "kiln/states")) list = entry.path();
  const std::string of_another = test::read_file(list);
  EXPECT_EQ(keep("two"), 2u);
  const std::size_t at = of_another.find("one");
  ASSERT_NE(at, std::string::npos);
  std::string other = of_another;
  for (std::size_t i = at; i != std::string::npos; i = other.find("one", i + 1))
    other.replace(i, 3, "its");
  test::write_file(list, other);  // as if another had kept but this one
  EXPECT_EQ(keep("three"), 2u) << "its and three";
  EXPECT_NE(test::read_file(list).find("its"), std::string::npos);
}

/// The triangle with so many samples a pixel.
std::string triangle_of(const std::string& quality) {
  std::string xml = test::triangle();
  return xml.replace(xml.find("quality=\"5\""), 11, "quality=\"" + quality + "\"");
}

TEST_F(view_files, a_flame_that_is_looked_at_beside_is_finished) {
  Page page(port, token);
  page.wait("flame");
  page.send({{"type", "see"}, {"number", 3}, {"flame", test::triangle("brightness=\"6\"")}});
  const Page::Said seen = page.wait("seen");
  EXPECT_EQ(seen.head["number"], 3);
  test::write_file(folder / "seen.png", seen.picture);
  test::write_file(folder / "same.flam3", test::triangle("brightness=\"6\""));
  EXPECT_EQ(rendered_hash("seen.png"), rendered_hash("same.flam3"));
  page.send({{"type", "see"}, {"number", 4}, {"flame", triangle_of("1e8")}});
  page.send({{"type", "see"}, {"number", 5}, {"flame", test::triangle()}});
  EXPECT_EQ(page.wait("seen").head["number"], 5) << "the one before is given up";
}

TEST_F(view_files, a_page_looks_beside_at_one_flame_until_it_looks_away_or_leaves) {
  Page one(port, token), other(port, token);
  one.wait("flame");
  other.wait("flame");
  const std::string quick = test::triangle(), endless = triangle_of("1e8");
  const auto see = [](Page& page, int number, const std::string& flame) {
    page.send({{"type", "see"}, {"number", number}, {"flame", flame}});
  };
  see(one, 1, test::triangle("brightness=\"6\""));
  see(other, 2, quick);
  EXPECT_EQ(one.wait("seen").head["number"], 1) << "what another page looks at ends nothing";
  EXPECT_EQ(other.wait("seen").head["number"], 2);
  see(one, 3, endless);
  one.send({{"type", "see"}});
  see(other, 4, quick);
  EXPECT_EQ(other.wait("seen").head["number"], 4) << "one looks away";
  {
    Page leaves(port, token);
    leaves.wait("flame");
    see(leaves, 5, endless);
    leaves.send({{"type", "ping"}, {"number", 1}});
    leaves.wait("pong");  // it was heard
  }
  see(other, 6, quick);
  EXPECT_EQ(other.wait("seen").head["number"], 6) << "who asked has left";
  // beside their common picture, while that is not finished
  other.send({{"type", "edit"}, {"number", 9}, {"flame", triangle_of("3e3")}});
  see(one, 7, quick);
  EXPECT_EQ(one.wait("seen").head["number"], 7);
  other.settled(9);
}

TEST_F(view_files, a_pipe_in_the_place_of_the_list_of_files_is_not_waited_for) {
  end();
  fs::create_directories(desk / "kiln");
  fs::remove(desk / "kiln/recent");
  ASSERT_EQ(mkfifo((desk / "kiln/recent").c_str(), 0600), 0);
  ASSERT_TRUE(begin({"a.flam3"}));
  Page page(port, token);
  page.send({{"type", "files"}, {"folder", ""}});
  EXPECT_EQ(page.wait("recent").head["files"].size(), 1u) << "a file, again, with the one of now";
}

TEST_F(view_files, all_of_this_folder_are_opened_but_a_link_that_leads_elsewhere) {
  test::write_file(logs / "out.flam3", test::triangle("name=\"out\""));
  fs::create_symlink(logs / "out.flam3", folder / "there.flam3");
  Page page(port, token);
  page.send({{"type", "open"}, {"path", ""}});
  EXPECT_EQ(page.wait("flames").head["flames"], json({"a", "b", "a", "b"}));
  page.send({{"type", "files"}, {"folder", ""}});
  const json files = page.wait("files").head["files"];
  for (const json& file : files) EXPECT_NE(file["name"], "there.flam3");
}

/// The first goes on and is done.
TEST_F(view_files, a_render_of_a_window_has_its_corner) {
  Page page(port, token);
  page.wait("flame");
  EXPECT_EQ(render(page, {{"type", "render"},
                          {"name", "part.png"},
                          {"quality", 1},
                          {"crop_x", 3},
                          {"crop_y", 5},
                          {"crop_width", 9},
                          {"crop_height", 7}})["state"],
            "done");
  const FlameFile made = read_flames(folder / "part.png", {});
  ASSERT_TRUE(made.record && made.record->options.crop);
  const Window& crop = *made.record->options.crop;
  EXPECT_EQ((std::array{crop.x, crop.y, crop.width, crop.height}), (std::array{3, 5, 9, 7}));
}

TEST_F(view_files, to_cancel_a_render_that_waits_ends_no_other) {
  Page page(port, token);
  page.wait("flame");
  page.send({{"type", "render"}, {"name", "one.png"}, {"quality", 2e5}});
  page.wait("renders", [](const Page::Said& said) {
    return !said.head["jobs"].empty() && said.head["jobs"][0]["state"] == "running";
  });
  page.send({{"type", "render"}, {"name", "two.png"}});
  page.wait("renders", [](const Page::Said& said) {
    return said.head["jobs"].size() == 2 && said.head["jobs"][0]["done"] > 0;
  });
  page.send({{"type", "cancel"}, {"id", 2}});
  const json jobs = page.wait("renders",
                              [](const Page::Said& said) {
                                const json& all = said.head["jobs"];
                                return all.size() == 2 && all[0]["state"] != "running";
                              })
                        .head["jobs"];
  EXPECT_EQ(jobs[0]["state"], "done") << jobs;
  EXPECT_EQ(jobs[1]["state"], "cancelled") << jobs;
  page.send({{"type", "again"}, {"id", 1}});  // it is done
  page.send({{"type", "ping"}, {"number", 1}});
  page.wait("pong");
  page.send({{"type", "cancel"}, {"id", 99}});  // says the list
  EXPECT_EQ(page.wait("renders").head["jobs"].size(), 2u);
}

TEST_F(view_files, a_render_that_waits_again_says_no_time_of_the_one_before) {
  Page page(port, token);
  const auto wait = [&](const std::function<bool(const json&)>& wanted) {
    return page.wait("renders", [&](const Page::Said& said) { return wanted(said.head["jobs"]); })
        .head["jobs"];
  };
  for (const char* name : {"one.png", "two.png"})
    page.send({{"type", "render"}, {"name", name}, {"quality", 1e7}});
  wait([](const json& jobs) { return jobs.size() == 2 && jobs[0].contains("remaining_s"); });
  page.send({{"type", "cancel"}, {"id", 1}});
  wait([](const json& jobs) { return jobs[1]["state"] == "running"; });
  page.send({{"type", "again"}, {"id", 1}});
  const json jobs = wait([](const json& all) { return all.back()["id"] == 3; });
  EXPECT_EQ(jobs.back()["state"], "waiting");
  EXPECT_FALSE(jobs.back().contains("remaining_s")) << jobs;
  EXPECT_EQ(jobs.back()["done"], 0);
  for (const int id : {3, 2}) page.send({{"type", "cancel"}, {"id", id}});
}

TEST_F(view_files, five_hundred_renders_wait_and_two_hundred_pictures_are_asked_for) {
  Page page(port, token);
  page.wait("flame");
  page.send({{"type", "render"}, {"name", "x0.png"}, {"quality", 1e7}});
  page.wait("renders", [](const Page::Said& said) {
    return !said.head["jobs"].empty() && said.head["jobs"][0]["state"] == "running";
  });
  for (int i = 1; i <= 501; ++i)
    page.send({{"type", "render"}, {"name", "x" + std::to_string(i) + ".png"}});
  EXPECT_EQ(page.error(), "500 renders are waiting already");
  page.send({{"type", "wall"}, {"want", std::vector<int>(200, 5)}});
  page.send({{"type", "wall"}, {"want", std::vector<int>(201, 5)}});
  EXPECT_EQ(page.error(), "wall: \"want\" is a list of at most 200 indices");
  page.send({{"type", "ping"}, {"number", 1}});
  page.wait("pong");  // and nothing of the 200
  for (int id = 1; id <= 501; ++id) page.send({{"type", "cancel"}, {"id", id}});
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
