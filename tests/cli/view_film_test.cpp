// Films of pages: key flames that are edited as one, a hand that goes over their times, tracks, and films
// into files.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/io/flame/flame_reader.h"
#include "tests/cli/view_page.h"

namespace kiln {
namespace {

using nlohmann::json;
using test::Page;

class view_film : public test::ViewProgram {
 protected:
  /// Hashes of the frames that `kiln animate` makes of a file.
  std::vector<std::string> animated(const std::string& file) const {
    const test::Outcome outcome = test::run_program(
        {"animate", file, "--backend", "cpu", "--json", "-q", "-o", "made/####.png"},
        {folder.path(), "", "", {}});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::vector<std::string> hashes;
    const json report = json::parse(outcome.out);
    for (const json& picture : report["pictures"]) hashes.push_back(picture["pixel_hash"]);
    return hashes;
  }
};

/// The newest film that the page was told.
std::vector<Flame> keys_of(const json& head) {
  return parse_flames(head["film"].get<std::string>(), "film", {}).flames;
}

json flame_with(Page& page, const std::string& key) {
  return page.wait("flame", [&](const Page::Said& said) { return said.head.contains(key); }).head;
}

std::string brighter(const json& head) {
  std::string xml = head["flame"];
  const std::size_t at = xml.find("brightness=\"");
  return xml.replace(at, xml.find('"', at + 12) - at, "brightness=\"11");
}

TEST_F(view_film, an_edit_between_keys_is_a_key_there_and_undo_takes_it_away) {
  Page page(port, token);
  page.send({{"type", "film"}, {"make", "opened"}, {"frames", 10}});
  json head = flame_with(page, "film");
  ASSERT_EQ(keys_of(head).size(), 2u);
  EXPECT_EQ(keys_of(head)[1].time, 10);
  page.send({{"type", "scrub"}, {"time", 4}});
  head = flame_with(page, "time");
  EXPECT_EQ(head["time"], 4);
  EXPECT_EQ(head["undo"], 1) << "a way of the hand is no step";
  const std::string edited = brighter(head);
  page.send({{"type", "edit"}, {"number", 1}, {"flame", edited}});
  head = flame_with(page, "film");
  ASSERT_EQ(keys_of(head).size(), 3u);
  EXPECT_EQ(keys_of(head)[1].time, 4);
  EXPECT_EQ(keys_of(head)[1].brightness, 11);
  page.send({{"type", "undo"}});
  EXPECT_EQ(keys_of(flame_with(page, "film")).size(), 2u);
  page.send({{"type", "edit"}, {"number", 2}, {"apart", true}, {"flame", edited}});
  head = flame_with(page, "time");
  EXPECT_FALSE(head.contains("film")) << "the same one as before";
}

TEST_F(view_film, the_picture_of_a_time_is_the_frame_of_the_command) {
  Page page(port, token);
  page.send({{"type", "film"}, {"make", "opened"}, {"frames", 3}});
  page.send({{"type", "scrub"}, {"time", 1}});
  const std::string hash =
      page.wait("frame",
                [](const Page::Said& said) {
                  return said.head["settled"] == true && said.head.value("time", 0.0) == 1;
                })
          .head["hash"];
  page.send({{"type", "save"}, {"name", "film.flam3"}});
  page.wait("saved");
  const std::vector<std::string> hashes = animated("film.flam3");
  ASSERT_EQ(hashes.size(), 3u);
  EXPECT_EQ(hashes[1], hash);
  EXPECT_NE(hashes[0], hash);
}

TEST_F(view_film, a_number_that_has_a_track_gets_its_keys_by_edits) {
  Page page(port, token);
  page.send({{"type", "film"}, {"make", "this"}});
  page.send({{"type", "film"}, {"track", "brightness"}, {"time", 0}});
  flame_with(page, "film");
  page.send({{"type", "scrub"}, {"time", 8}});
  json head =
      page.wait("flame", [](const Page::Said& said) { return said.head.value("time", 0.0) == 8; })
          .head;
  page.send({{"type", "edit"}, {"number", 1}, {"flame", brighter(head)}});
  head = page.wait("flame",
                   [](const Page::Said& said) {
                     return said.head.contains("film") && said.head["number"] == 1;
                   })
             .head;
  const std::vector<Flame> keys = keys_of(head);
  ASSERT_EQ(keys[0].tracks.size(), 1u);
  ASSERT_EQ(keys[0].tracks[0].keys.size(), 2u);
  EXPECT_EQ(keys[0].tracks[0].keys[1].time, 8);
  EXPECT_EQ(keys[0].tracks[0].keys[1].value, std::vector<double>{11});
  page.send({{"type", "film"}, {"track", "nonsense"}, {"time", 0}});
  EXPECT_EQ(page.error(), "nothing of a flame that can be animated has the name \"nonsense\"");
}

TEST_F(view_film, a_film_is_exported_as_the_command_makes_it_and_goes_on) {
  Page page(port, token);
  page.send({{"type", "film"}, {"make", "loop"}, {"frames", 4}});
  flame_with(page, "film");
  page.send({{"type", "save"}, {"name", "loop.flam3"}});
  page.wait("saved");
  const std::vector<std::string> hashes = animated("loop.flam3");
  ASSERT_EQ(hashes.size(), 4u);
  const json wish = {{"type", "export"}, {"name", "out.png"}, {"begin", 0}, {"end", 3}};
  const auto done = [&](std::size_t count) {
    return page.wait("renders", [&](const Page::Said& said) {
      const json& jobs = said.head["jobs"];
      return jobs.size() == count && jobs.back()["state"] == "done";
    });
  };
  page.send(wish);
  done(1);
  for (int i = 0; i < 4; ++i) {
    const std::string name = "/0000" + std::to_string(i) + ".png";
    const auto made = folder / ("out-frames" + name),
               by_command = folder / ("made/000" + std::to_string(i) + ".png");
    EXPECT_EQ(test::read_file(made).size(), test::read_file(by_command).size()) << i;
  }
  const auto first = folder / "out-frames/00000.png", last = folder / "out-frames/00003.png";
  const auto before = std::filesystem::last_write_time(first);
  std::filesystem::remove(last);
  page.send(wish);
  done(2);
  EXPECT_TRUE(std::filesystem::exists(last));
  EXPECT_EQ(std::filesystem::last_write_time(first), before) << "what is there is not made again";
  page.send({{"type", "export"}, {"name", "out.exe"}, {"begin", 0}, {"end", 3}});
  EXPECT_NE(page.error().find(".mp4"), std::string::npos) << "it says which endings there are";
}

class view_export : public view_film {
 protected:
  void SetUp() override {
    view_film::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    page = std::make_unique<Page>(port, token);
    page->send({{"type", "film"}, {"make", "loop"}, {"frames", 3}});
    flame_with(*page, "film");
  }
  json wish(const std::string& name, const json& more = json::object()) const {
    json all = {{"type", "export"}, {"name", name}, {"begin", 0},  {"end", 2},
                {"width", 32},      {"height", 18}, {"samples", 1}};
    all.update(more);
    return all;
  }
  /// The newest job's end.
  json made(const json& wanted) {
    page->send(wanted);
    const json jobs = page->wait("renders",
                                 [&](const Page::Said& said) {
                                   const json& all = said.head["jobs"];
                                   return all.size() > std::size_t(count_) &&
                                          all.back()["state"] != "waiting" &&
                                          all.back()["state"] != "running";
                                 })
                          .head["jobs"];
    count_ = int(jobs.size());
    return jobs.back();
  }
  json asked(const json& wanted) {
    page->send(wanted);
    return page->wait("exists").head;
  }
  std::string frame(const std::string& folder_name, int number) const {
    return test::read_file(folder / (folder_name + "/0000" + std::to_string(number) + ".png"));
  }

  std::unique_ptr<Page> page;

 private:
  int count_ = 0;
};

/// Whoever has kept frames there made them of another film, or by hand.
TEST_F(view_export, frames_that_it_did_not_make_are_asked_for) {
  std::filesystem::create_directory(folder / "out-frames");
  test::write_file(folder / "out-frames/00001.png", "mine");
  const json question = asked(wish("out.png"));
  EXPECT_EQ(question["name"], "out.png");
  EXPECT_EQ(question["folder"], "out-frames");
  EXPECT_EQ(asked(wish("out.gif", {{"keeps", true}}))["folder"], "out-frames");
  EXPECT_EQ(frame("out-frames", 1), "mine");
  EXPECT_FALSE(std::filesystem::exists(folder / "out-frames/00000.png"));
  EXPECT_EQ(made(wish("out.png", {{"replace", true}}))["state"], "done");
  EXPECT_NE(frame("out-frames", 1), "mine");
  const std::string before = frame("out-frames", 0);
  EXPECT_EQ(made(wish("out.png"))["state"], "done") << "its own are no question";
  EXPECT_EQ(asked(wish("out.png", {{"quality", 1}}))["folder"], "out-frames")
      << "those of other settings are";
  EXPECT_EQ(frame("out-frames", 0), before);
}

TEST_F(view_export, a_frame_that_comes_while_it_waits_stays) {
  page->send({{"type", "render"}, {"name", "slow.png"}, {"quality", 1e7}});
  page->send(wish("out.png"));
  page->wait("renders", [](const Page::Said& said) { return said.head["jobs"].size() == 2; });
  std::filesystem::create_directory(folder / "out-frames");
  test::write_file(folder / "out-frames/00001.png", "mine");
  page->send({{"type", "cancel"}, {"id", 1}});
  const json jobs = page->wait("renders",
                               [](const Page::Said& said) {
                                 return said.head["jobs"].size() == 2 &&
                                        said.head["jobs"][1]["state"] == "failed";
                               })
                        .head["jobs"];
  EXPECT_NE(jobs[1].value("error", "").find("00001.png"), std::string::npos) << jobs;
  EXPECT_EQ(test::read_file(folder / "out-frames/00001.png"), "mine");
}

TEST_F(view_export, frames_go_through_no_link_and_into_no_file) {
  std::filesystem::create_directory(logs / "elsewhere");
  std::filesystem::create_directory_symlink(logs / "elsewhere", folder / "link-frames");
  test::write_file(folder / "file-frames", "mine");
  for (const char* name : {"link.png", "file.png"}) {
    page->send(wish(name, {{"replace", true}}));
    EXPECT_NE(page->error().find("is a link, a file or a pipe"), std::string::npos) << name;
  }
  page->send(wish("link.gif", {{"replace", true}, {"keeps", true}}));
  EXPECT_NE(page->error().find("link-frames"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(logs / "elsewhere"));
  EXPECT_EQ(test::read_file(folder / "file-frames"), "mine");
}

TEST_F(view_export, a_film_that_is_there_is_asked_for) {
  test::write_file(folder / "out.gif", "mine");
  const json question = asked(wish("out.gif"));
  EXPECT_EQ(question["name"], "out.gif");
  EXPECT_FALSE(question.contains("folder"));
  EXPECT_EQ(test::read_file(folder / "out.gif"), "mine");
}

}  // namespace
}  // namespace kiln
