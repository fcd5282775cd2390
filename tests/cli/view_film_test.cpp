// SPDX-License-Identifier: MIT
// Films of pages: key flames that are edited as one, a hand that goes over their times, tracks, and films
// into files.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/io/flame/flame_reader.h"
#include "engine/io/picture/picture_format.h"
#include "engine/live/live_film.h"
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

/// A file of two keys at 0 and 10, the first with an easing.
std::string film_file() {
  std::string text = test::two_keys();
  return text.replace(text.find(" time="), 0, " name=\"film\" kiln_easing=\"ease-in\"");
}

std::vector<double> times_of(const json& head) {
  std::vector<double> times;
  for (const Flame& key : keys_of(head)) times.push_back(key.time);
  return times;
}

TEST_F(view_film, a_file_of_key_flames_opens_as_a_film_whatever_else_is_open) {
  end();
  test::write_file(folder / "film.flam3", film_file());
  ASSERT_TRUE(begin({"a.flam3", "film.flam3", "b.flam3"}));
  Page page(port, token);
  const json welcome = page.wait("welcome").head;
  EXPECT_EQ(welcome["flames"], json({"a", "film", "b"}));
  EXPECT_EQ(welcome["frames"], json({0, 10, 0}));
  page.send({{"type", "select"}, {"index", 1}});
  json head = flame_with(page, "film");
  EXPECT_EQ(times_of(head), (std::vector<double>{0, 10}));
  EXPECT_EQ(keys_of(head)[0].easing.kind, EasingKind::ease_in);
  EXPECT_EQ(head["undo"], 0);
  page.send({{"type", "edit"}, {"number", 1}, {"flame", brighter(head)}});
  page.send({{"type", "save"}, {"name", "film.flam3"}, {"replace", true}});
  page.wait("saved");
  const std::vector<Flame> saved = read_flames(folder / "film.flam3", {}).flames;
  ASSERT_EQ(saved.size(), 2u);
  EXPECT_EQ(saved[0].brightness, 11);
  EXPECT_EQ(saved[1].time, 10);
  page.send({{"type", "select"}, {"index", 0}});
  page.send({{"type", "film"}, {"make", "opened"}, {"frames", 7}});
  head = flame_with(page, "film");
  EXPECT_EQ(times_of(head), (std::vector<double>{0, 7})) << "of the two that are of no film";
}

TEST_F(view_film, what_is_opened_dropped_or_put_in_place_is_a_film_too) {
  test::write_file(folder / "film.flam3", film_file());
  Page page(port, token);
  page.send({{"type", "open"}, {"path", "film.flam3"}});
  json head = page.wait("flames").head;
  EXPECT_EQ(head["frames"], json({0, 0, 10}));
  EXPECT_EQ(times_of(flame_with(page, "film")), (std::vector<double>{0, 10}));
  EXPECT_EQ(page.wait("opened").head["count"], 1);
  const std::string bytes = test::base64(film_file());
  page.send({{"type", "take"}, {"name", "dropped.flam3"}, {"bytes", bytes}});
  EXPECT_EQ(page.wait("flames").head["frames"], json({0, 0, 10, 10}));
  page.wait("opened");
  page.send({{"type", "select"}, {"index", 0}});
  page.send({{"type", "take"}, {"name", "x"}, {"bytes", bytes}, {"replace", true}});
  head = page.wait("flame",
                   [](const Page::Said& said) {
                     return said.head["index"] == 0 && said.head.contains("film");
                   })
             .head;
  EXPECT_EQ(times_of(head), (std::vector<double>{0, 10}));
  EXPECT_EQ(head["undo"], 1);
}

TEST_F(view_film, its_keys_become_flames_of_their_own_and_it_stays) {
  Page page(port, token);
  page.send({{"type", "film"}, {"make", "flames"}});
  EXPECT_EQ(page.error(), "film: the flame is of no film");
  page.send({{"type", "film"}, {"make", "opened"}, {"frames", 10}});
  page.send({{"type", "film"}, {"make", "flames"}});
  const json head = page.wait("flames").head;
  EXPECT_EQ(head["flames"], json({"a", "b", "a", "b"}));
  EXPECT_EQ(head["frames"], json({10, 0, 0, 0}));
}

TEST_F(view_film, a_pack_of_kept_states_is_no_film) {
  Page page(port, token);
  page.send({{"type", "film"}, {"make", "opened"}, {"frames", 10}});
  json states = json::array();
  for (const double time : {2.0, 4.0, 6.0}) {
    page.send({{"type", "scrub"}, {"time", time}});
    const auto at = [&](const Page::Said& said) { return said.head.value("time", -1.0) == time; };
    states.push_back(page.wait("flame", at).head["flame"]);
  }
  page.send({{"type", "save"}, {"name", "states.flam3"}, {"flames", states}});
  page.wait("saved");
  page.send({{"type", "open"}, {"path", "states.flam3"}});
  EXPECT_EQ(page.wait("opened").head["count"], 3);
}

TEST_F(view_film, a_key_of_what_is_there_splits_the_way) {
  test::write_file(folder / "film.flam3", film_file());
  Page page(port, token);
  page.send({{"type", "open"}, {"path", "film.flam3"}});
  const auto film = live_film(film_file(), {});
  page.send({{"type", "film"}, {"key", true}, {"time", 4}});
  const json head = page.wait("flame",
                              [](const Page::Said& said) {
                                return said.head.contains("film") && keys_of(said.head).size() == 3;
                              })
                        .head;
  const auto split = live_film(head["film"].get<std::string>(), {});
  for (const double time : {2.0, 4.0, 7.0}) {
    const AffineD &one = moment_of(*split, time).xforms[0].coefs,
                  &other = moment_of(*film, time).xforms[0].coefs;
    EXPECT_NEAR(one.a, other.a, 1e-8) << time;
    EXPECT_NEAR(one.c, other.c, 1e-8) << time;
  }
}

TEST_F(view_film, without_auto_key_a_key_is_made_of_what_is_looked_at) {
  Page page(port, token);
  page.send({{"type", "film"}, {"make", "opened"}, {"frames", 10}});
  page.send({{"type", "scrub"}, {"time", 4}});
  json head = flame_with(page, "time");
  while (head["time"] != 4) head = flame_with(page, "time");
  page.send({{"type", "edit"}, {"number", 1}, {"apart", true}, {"flame", brighter(head)}});
  page.send({{"type", "film"}, {"key", true}, {"time", 4}});
  head = flame_with(page, "film");
  ASSERT_EQ(keys_of(head).size(), 3u);
  EXPECT_EQ(keys_of(head)[1].brightness, 11);
}

TEST_F(view_film, a_page_is_told_a_film_once_and_again_where_its_own_is_refused) {
  Page page(port, token);
  page.send({{"type", "film"}, {"make", "opened"}, {"frames", 10}});
  const std::string film = flame_with(page, "film")["film"];
  page.send({{"type", "scrub"}, {"time", 4}});
  EXPECT_FALSE(flame_with(page, "time").contains("film")) << "a film may have megabytes";
  std::string twice = film;  // two keys of one time
  twice.replace(twice.find("time=\"10\""), 9, "time=\"0\"");
  page.send({{"type", "film"}, {"film", twice}, {"time", 0}});
  EXPECT_EQ(flame_with(page, "film")["film"], film);
  EXPECT_NE(page.error().find("time=\"0\" does not come after"), std::string::npos);
}

TEST_F(view_film, a_film_may_be_longer_than_a_message) {
  Page page(port, token);
  std::string keys;
  for (int k = 0; k < 300; ++k)
    keys += test::triangle("time=\"" + std::to_string(k) + "\"",
                           "<!--" + std::string(8000, 'x') + "-->");
  const std::string bytes = test::base64("<flames>" + keys + "</flames>");
  ASSERT_GT(bytes.size(), 3u << 20);
  constexpr std::size_t part = 1200000;
  for (std::size_t at = 0; at < bytes.size(); at += part)
    page.send({{"type", "film"},
               {"time", 7},
               {"bytes", bytes.substr(at, part)},
               {"more", at + part < bytes.size()}});
  const json head = flame_with(page, "film");
  EXPECT_EQ(head["time"], 7);
  EXPECT_EQ(keys_of(head).size(), 300u);
}

TEST_F(view_film, a_frame_beyond_the_keys_is_the_one_that_is_exported) {
  Page page(port, token);
  page.send({{"type", "film"}, {"make", "opened"}, {"frames", 3}});
  page.send({{"type", "scrub"}, {"time", 5}});
  const std::string hash =
      page.wait("frame",
                [](const Page::Said& said) {
                  return said.head["settled"] == true && said.head.value("time", 0.0) == 5;
                })
          .head["hash"];
  page.send({{"type", "export"}, {"name", "out.png"}, {"begin", 5}, {"end", 5}});
  page.wait("renders", [&](const Page::Said& said) {
    const json& jobs = said.head["jobs"];
    return !jobs.empty() && jobs.back()["state"] == "done";
  });
  const auto texts = read_picture_texts(folder / "out-frames/00005.png");
  EXPECT_EQ(json::parse(texts.texts.at("kiln_record"))["pixel_hash"], hash);
}

TEST_F(view_film, a_frame_that_is_cleaned_alone_says_so) {
  end();
  std::string text = film_file();
  for (std::size_t at = 0; (at = text.find("<flame ", at)) != text.npos; at += 7)
    text.replace(at, 7, "<flame kiln_clean=\"1\" ");
  test::write_file(folder / "film.flam3", text);
  ASSERT_TRUE(begin({"a.flam3", "film.flam3"}));
  Page page(port, token);
  EXPECT_FALSE(page.settled().head.contains("alone"));
  page.send({{"type", "select"}, {"index", 1}});
  const auto is_it = [](const Page::Said& said) {
    return said.head["settled"] == true && said.head["index"] == 1;
  };
  const json frame = page.wait("frame", is_it).head;
  EXPECT_EQ(frame["alone"], true);
  page.send({{"type", "save"}, {"name", "alone.png"}});
  EXPECT_EQ(page.wait("saved").head["alone"], true);
  const std::vector<std::string> hashes = animated("film.flam3");
  const auto texts = read_picture_texts(folder / "alone.png");
  const auto frame_texts = read_picture_texts(folder / "made/0000.png");
  const json mine = json::parse(texts.texts.at("kiln_record")),
             theirs = json::parse(frame_texts.texts.at("kiln_record"));
  EXPECT_NE(hashes[0], frame["hash"].get<std::string>());
  EXPECT_NE(mine["frame_digest"], theirs["frame_digest"]) << "it is not taken for that frame";
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
  if (test::has_program("ffmpeg")) {
    EXPECT_EQ(asked(wish("out.gif", {{"keeps", true}}))["folder"], "out-frames");
  }
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

/// As a page says it that goes back to silence.
TEST_F(view_export, no_bytes_are_no_sound_any_more) {
  const auto name_after = [&](const json& sound) {
    page->send(sound);
    return page->wait("sound").head["name"];
  };
  EXPECT_EQ(name_after({{"type", "sound"}, {"name", "a.wav"}, {"bytes", test::base64("RIFF")}}),
            "a.wav");
  EXPECT_EQ(name_after({{"type", "sound"}, {"name", "b.wav"}, {"bytes", ""}}), "");
}

TEST_F(view_export, frames_of_the_film_before_an_edit_are_asked_for) {
  EXPECT_EQ(made(wish("out.png"))["state"], "done");
  const std::string before = frame("out-frames", 0);
  page->send({{"type", "film"}, {"make", "loop"}, {"frames", 4}});
  flame_with(*page, "film");
  EXPECT_EQ(asked(wish("out.png"))["folder"], "out-frames");
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

/// Nor does one that was cancelled before it began take frames that came meanwhile for its own.
TEST_F(view_export, a_frame_that_comes_before_it_waits_again_stays) {
  if (!format_with_ending(".jpg"))
    GTEST_SKIP() << "without JPEG";  // whose frames are never gone on with
  page->send({{"type", "render"}, {"name", "slow.png"}, {"quality", 1e7}});
  page->send(wish("out.jpg"));
  page->wait("renders", [](const Page::Said& said) { return said.head["jobs"].size() == 2; });
  page->send({{"type", "cancel"}, {"id", 2}});
  std::filesystem::create_directory(folder / "out-frames");
  test::write_file(folder / "out-frames/00001.jpg", "mine");
  page->send({{"type", "again"}, {"id", 2}});
  page->send({{"type", "cancel"}, {"id", 1}});
  const json jobs = page->wait("renders",
                               [](const Page::Said& said) {
                                 const json& last = said.head["jobs"].back();
                                 return last["id"] == 3 && last["state"] != "waiting" &&
                                        last["state"] != "running";
                               })
                        .head["jobs"];
  EXPECT_NE(jobs.back().value("error", "").find("00001.jpg"), std::string::npos) << jobs;
  EXPECT_EQ(test::read_file(folder / "out-frames/00001.jpg"), "mine");
}

TEST_F(view_export, frames_go_through_no_link_and_into_no_file) {
  std::filesystem::create_directory(logs / "elsewhere");
  std::filesystem::create_directory_symlink(logs / "elsewhere", folder / "link-frames");
  test::write_file(folder / "file-frames", "mine");
  for (const char* name : {"link.png", "file.png"}) {
    page->send(wish(name, {{"replace", true}}));
    EXPECT_NE(page->error().find("is a link, a file or a pipe"), std::string::npos) << name;
  }
  if (test::has_program("ffmpeg")) {
    page->send(wish("link.gif", {{"replace", true}, {"keeps", true}}));
    EXPECT_NE(page->error().find("link-frames"), std::string::npos);
  }
  EXPECT_TRUE(std::filesystem::is_empty(logs / "elsewhere"));
  EXPECT_EQ(test::read_file(folder / "file-frames"), "mine");
}

TEST_F(view_export, frames_are_of_any_kind_of_picture_and_their_job_says_where) {
  for (const PictureFormat& format : picture_formats()) {
    if (!format.supported()) continue;
    const std::string stem = format.name, ending(format.ending);
    if (ending == ".webp") continue;  // the name of a film
    const json job = made(wish(stem + ending));
    EXPECT_EQ(job["state"], "done") << job;
    EXPECT_EQ(job["folder"], stem + "-frames");
    EXPECT_TRUE(std::filesystem::exists(folder / (stem + "-frames/00002" + ending)));
  }
  if (!test::has_program("ffmpeg")) return;
  const json job = made(wish("out.gif", {{"keeps", true}}));
  EXPECT_EQ(job["state"], "done") << job;
  EXPECT_FALSE(job.contains("folder")) << "the file is what was wanted";
}

TEST_F(view_export, a_film_that_is_there_is_asked_for) {
  if (!test::has_program("ffmpeg")) GTEST_SKIP() << "no ffmpeg";
  test::write_file(folder / "out.gif", "mine");
  const json question = asked(wish("out.gif"));
  EXPECT_EQ(question["name"], "out.gif");
  EXPECT_FALSE(question.contains("folder"));
  EXPECT_EQ(test::read_file(folder / "out.gif"), "mine");
}

/// A browser plays what it is let to: a page's own policy has no films.
TEST_F(view_export, a_film_may_be_played_where_it_is_shown) {
  if (!test::has_program("ffmpeg")) GTEST_SKIP() << "no ffmpeg";
  ASSERT_EQ(made(wish("out.mp4"))["state"], "done");
  ASSERT_EQ(made({{"type", "render"}, {"name", "out.png"}, {"quality", 1}})["state"], "done");
  const std::string here = "Host: " + host() + "\r\nConnection: close\r\n";
  const auto answer = [&](const std::string& path) {
    const std::string all = test::WebClient(port).get(path + "?token=" + token, here);
    return all.substr(0, all.find("\r\n\r\n"));
  };
  for (const char* path : {"/picture/1", "/picture/2"})
    EXPECT_NE(answer(path).find("media-src 'self'"), std::string::npos) << answer(path);
  EXPECT_NE(answer("/picture/1").find("video/mp4"), std::string::npos);
  EXPECT_EQ(answer("/").find("media-src 'self'"), std::string::npos);
  EXPECT_NE(answer("/").find("media-src blob:;"), std::string::npos) << "the song of a film";
}

}  // namespace
}  // namespace kiln
