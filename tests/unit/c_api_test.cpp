// SPDX-License-Identifier: MIT
// kiln_c.h in the hands of a careless caller: NULL everywhere, a session within its own callback.
// Nothing may crash; everything has a status and a message.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/api/kiln_c.h"
#include "tests/cli/program.h"
#include "tests/slow_still.h"

namespace kiln {
namespace {

using namespace test;

template <auto Free>
struct Freed {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};

/// A call that gives an object back.
template <class Object, class Call>
Object* object_of(Call call) {
  Object* object = nullptr;
  EXPECT_EQ(call(&object), KILN_OK) << kiln_message();
  return object;
}

/// One of each object, on the CPU with two threads.
struct Objects {
  Objects() : options(kiln_usual_options()) {
    options.backend = KILN_CPU;
    options.threads = 2;
    const std::string xml = triangle();
    scenes.reset(object_of<kiln_scenes>(
        [&](kiln_scenes** at) { return kiln_parse(xml.c_str(), 0, nullptr, nullptr, at); }));
    session.reset(
        object_of<kiln_session>([&](kiln_session** at) { return kiln_open(&options, at); }));
    picture.reset(object_of<kiln_picture>([&](kiln_picture** at) {
      return kiln_render(session.get(), scenes.get(), 0, &options, at);
    }));
    turn.reset(object_of<kiln_animation>(
        [&](kiln_animation** at) { return kiln_sequence(scenes.get(), 4, 1, 0, 1, at); }));
    live.reset(object_of<kiln_live>(
        [&](kiln_live** at) { return kiln_open_live(scenes.get(), &options, at); }));
  }
  kiln_options options;
  std::unique_ptr<kiln_scenes, Freed<&kiln_free_scenes>> scenes;
  std::unique_ptr<kiln_session, Freed<&kiln_close>> session;
  std::unique_ptr<kiln_picture, Freed<&kiln_free_picture>> picture;
  std::unique_ptr<kiln_animation, Freed<&kiln_free_animation>> turn;
  std::unique_ptr<kiln_live, Freed<&kiln_close_live>> live;
};

/// Wrong usage, with the argument's name.
void expect_null(kiln_status status, const std::string& argument) {
  EXPECT_EQ(status, KILN_USAGE) << argument;
  EXPECT_EQ(kiln_message(), argument + " is NULL");
}

TEST(CApi, RefusesNullOfScenes) {
  Objects all;
  kiln_scenes* const scenes = all.scenes.get();
  kiln_scenes* other = nullptr;
  const char* text = nullptr;
  int count = 7;
  expect_null(kiln_load(nullptr, 0, nullptr, nullptr, &other), "path");
  expect_null(kiln_load("a.flame", 0, nullptr, nullptr, nullptr), "scenes");
  expect_null(kiln_parse(nullptr, 0, nullptr, nullptr, &other), "xml");
  expect_null(kiln_parse("<flame/>", 0, nullptr, nullptr, nullptr), "scenes");
  expect_null(kiln_attribute(nullptr, 0, "gamma", &text), "scenes");
  expect_null(kiln_attribute(scenes, 0, nullptr, &text), "name");
  expect_null(kiln_attribute(scenes, 0, "gamma", nullptr), "value");
  expect_null(kiln_set(nullptr, 0, "gamma", "2"), "scenes");
  expect_null(kiln_set(scenes, 0, nullptr, "2"), "name");
  expect_null(kiln_set(scenes, 0, "gamma", nullptr), "value");
  expect_null(kiln_set_width(nullptr, 0, 10), "scenes");
  expect_null(kiln_xml(nullptr, 0, &text), "scenes");
  expect_null(kiln_xml(scenes, 0, nullptr), "xml");
  expect_null(kiln_flam3_xml(nullptr, 0, 0, nullptr, nullptr, &text), "scenes");
  expect_null(kiln_flam3_xml(scenes, 0, 0, nullptr, nullptr, nullptr), "xml");
  expect_null(kiln_list_devices(nullptr, 1, &count), "list");
  expect_null(kiln_list_devices(nullptr, 0, nullptr), "count");
  EXPECT_EQ(kiln_list_devices(nullptr, 0, &count), KILN_OK);
  EXPECT_GE(count, 1);
  expect_null(kiln_load_point_spread(nullptr, nullptr), "psf");
  kiln_point_spread* psf = nullptr;
  expect_null(kiln_load_point_spread(nullptr, &psf), "option");
  EXPECT_EQ(kiln_scene_count(nullptr), 0);
  kiln_request_stop(nullptr);
  EXPECT_EQ(kiln_message(), std::string("stop is NULL"));
}

TEST(CApi, TellsFlamesToFlam3) {
  kiln_scenes* scenes = nullptr;
  const std::string xml = triangle("kiln_bloom=\"0.5 2 0\"");
  ASSERT_EQ(kiln_parse(xml.c_str(), 0, nullptr, nullptr, &scenes), KILN_OK);
  const std::unique_ptr<kiln_scenes, Freed<&kiln_free_scenes>> all(scenes);
  const char* text = nullptr;
  EXPECT_EQ(kiln_flam3_xml(scenes, 0, 0, nullptr, nullptr, &text), KILN_UNSUPPORTED);
  EXPECT_NE(std::string(kiln_message()).find("setting kiln_bloom"), std::string::npos);
  std::string said;
  const kiln_warn warn = [](const char* line, void* user) {
    *static_cast<std::string*>(user) += line;
  };
  ASSERT_EQ(kiln_flam3_xml(scenes, 0, 1, warn, &said, &text), KILN_OK) << kiln_message();
  EXPECT_EQ(std::string(text).find("kiln_bloom"), std::string::npos);
  EXPECT_NE(said.find("which flam3 does not have; it is written without"), said.npos) << said;
  EXPECT_NE(std::string((kiln_xml(scenes, 0, &text), text)).find("kiln_bloom"), std::string::npos);
}

TEST(CApi, MakesFlamesByChance) {
  Objects all;
  kiln_scenes* const scenes = all.scenes.get();
  kiln_scenes* made = nullptr;
  expect_null(kiln_random_scenes(1, 0, nullptr, nullptr), "made");
  expect_null(kiln_mutants(nullptr, 0, 1, 0, 0.5, "any", nullptr, &made), "scenes");
  expect_null(kiln_mutants(scenes, 0, 1, 0, 0.5, nullptr, nullptr, &made), "direction");
  expect_null(kiln_children(nullptr, 1, 0, "any", nullptr, &made), "scenes");
  EXPECT_EQ(kiln_mutants(scenes, 7, 1, 0, 0.5, "any", nullptr, &made), KILN_USAGE);
  EXPECT_EQ(kiln_children(scenes, 1, 0, "any", nullptr, &made), KILN_USAGE) << "one parent";
  ASSERT_EQ(kiln_random_scenes(2, 3, &all.options, &made), KILN_OK) << kiln_message();
  const std::unique_ptr<kiln_scenes, Freed<&kiln_free_scenes>> two(made);
  EXPECT_EQ(kiln_scene_count(two.get()), 2);
  ASSERT_EQ(kiln_children(two.get(), 3, 0, "unite", &all.options, &made), KILN_OK);
  EXPECT_EQ(kiln_scene_count(made), 3);
  kiln_free_scenes(made);
  ASSERT_EQ(kiln_mutants(two.get(), 1, 1, 0, 0.5, "palette", nullptr, &made), KILN_OK);
  EXPECT_EQ(kiln_scene_count(made), 1);
  kiln_free_scenes(made);
}

TEST(CApi, MakesPreviewsWithThePixelsOfRenders) {
  Objects all;
  kiln_scenes* const scenes = all.scenes.get();
  constexpr int width = 40, height = 30;
  constexpr std::size_t bytes = std::size_t(width) * height * 4;
  std::vector<std::uint8_t> pixels(bytes, 7);
  expect_null(kiln_previews(nullptr, width, height, 5, nullptr, pixels.data(), nullptr, nullptr),
              "scenes");
  expect_null(kiln_previews(scenes, width, height, 5, nullptr, nullptr, nullptr, nullptr),
              "pixels");
  EXPECT_EQ(kiln_previews(scenes, 0, height, 5, nullptr, pixels.data(), nullptr, nullptr),
            KILN_USAGE);
  EXPECT_EQ(kiln_previews(scenes, width, height, 0, nullptr, pixels.data(), nullptr, nullptr),
            KILN_USAGE);
  kiln_options deep = all.options;
  deep.bits = 16;
  EXPECT_EQ(kiln_previews(scenes, width, height, 5, &deep, pixels.data(), nullptr, nullptr),
            KILN_USAGE);
  ASSERT_EQ(kiln_previews(scenes, width, height, 5, &all.options, pixels.data(), nullptr, nullptr),
            KILN_OK)
      << kiln_message();
  ASSERT_EQ(kiln_set_width(scenes, 0, width), KILN_OK);
  ASSERT_EQ(kiln_set(scenes, 0, "quality", "5"), KILN_OK);
  const std::unique_ptr<kiln_picture, Freed<&kiln_free_picture>> picture(
      object_of<kiln_picture>([&](kiln_picture** at) {
        return kiln_render(all.session.get(), scenes, 0, &all.options, at);
      }));
  ASSERT_EQ(kiln_height(picture.get()), height);
  EXPECT_EQ(std::memcmp(pixels.data(), kiln_pixels(picture.get()), bytes), 0);
}

TEST(CApi, SequencesHoldAndKeepToBeats) {
  Objects all;
  using Turn = std::unique_ptr<kiln_animation, Freed<&kiln_free_animation>>;
  kiln_sequence_options options = kiln_usual_sequence();
  EXPECT_EQ(options.nframes, 100);
  const auto frames = [&] {
    const Turn turn(object_of<kiln_animation>(
        [&](kiln_animation** at) { return kiln_sequence_with(all.scenes.get(), &options, at); }));
    return kiln_frame_count(turn.get());
  };
  options.nframes = 4;
  EXPECT_EQ(frames(), 4);
  options.hold = 3;
  EXPECT_EQ(frames(), 7);
  options.part_frames = 5.5;
  EXPECT_EQ(frames(), 9);
  kiln_animation* none = nullptr;
  options.easing = "soon";
  EXPECT_EQ(kiln_sequence_with(all.scenes.get(), &options, &none), KILN_USAGE);
  EXPECT_NE(std::string(kiln_message()).find("easing soon"), std::string::npos);
  options.size = 8;
  EXPECT_EQ(kiln_sequence_with(all.scenes.get(), &options, &none), KILN_USAGE);
  EXPECT_EQ(none, nullptr);
}

TEST(CApi, RefusesNullOfRenders) {
  Objects all;
  kiln_scenes* const scenes = all.scenes.get();
  kiln_session* const session = all.session.get();
  kiln_picture* picture = nullptr;
  kiln_animation* animation = nullptr;
  const char* const no_names[] = {nullptr};
  expect_null(kiln_open(nullptr, nullptr), "session");
  expect_null(kiln_render(nullptr, scenes, 0, nullptr, &picture), "session");
  expect_null(kiln_render(session, nullptr, 0, nullptr, &picture), "scenes");
  expect_null(kiln_render(session, scenes, 0, nullptr, nullptr), "picture");
  expect_null(kiln_render_kept(nullptr, scenes, 0, nullptr, "a", 60, &picture), "session");
  expect_null(kiln_render_kept(session, nullptr, 0, nullptr, "a", 60, &picture), "scenes");
  expect_null(kiln_render_kept(session, scenes, 0, nullptr, nullptr, 60, &picture), "state");
  expect_null(kiln_render_kept(session, scenes, 0, nullptr, "a", 60, nullptr), "picture");
  expect_null(kiln_render_shard(nullptr, scenes, 0, nullptr, "a", 60, 1, 2), "session");
  expect_null(kiln_render_shard(session, nullptr, 0, nullptr, "a", 60, 1, 2), "scenes");
  expect_null(kiln_render_shard(session, scenes, 0, nullptr, nullptr, 60, 1, 2), "state");
  expect_null(kiln_merge(no_names, 1, "a", nullptr), "a name in states");
  EXPECT_EQ(kiln_merge(nullptr, 1, "a", nullptr), KILN_USAGE);
  const char* const names[] = {"none.kiln"};
  expect_null(kiln_merge(names, 1, nullptr, nullptr), "path");
  expect_null(kiln_grade(nullptr, scenes, 0, nullptr, "a", &picture), "session");
  expect_null(kiln_grade(session, nullptr, 0, nullptr, "a", &picture), "scenes");
  expect_null(kiln_grade(session, scenes, 0, nullptr, nullptr, &picture), "state");
  expect_null(kiln_grade(session, scenes, 0, nullptr, "a", nullptr), "picture");
  expect_null(kiln_animate(nullptr, 1, &animation), "keys");
  expect_null(kiln_animate(scenes, 1, nullptr), "animation");
  expect_null(kiln_sequence(nullptr, 4, 1, 0, 1, &animation), "scenes");
  expect_null(kiln_sequence(scenes, 4, 1, 0, 1, nullptr), "animation");
  const kiln_sequence_options usual = kiln_usual_sequence();
  expect_null(kiln_sequence_with(nullptr, &usual, &animation), "scenes");
  expect_null(kiln_sequence_with(scenes, nullptr, &animation), "options");
  expect_null(kiln_sequence_with(scenes, &usual, nullptr), "animation");
  kiln_animation* const turn = all.turn.get();
  expect_null(kiln_render_frame(nullptr, turn, 0, nullptr, &picture), "session");
  expect_null(kiln_render_frame(session, nullptr, 0, nullptr, &picture), "animation");
  expect_null(kiln_render_frame(session, turn, 0, nullptr, nullptr), "picture");
  EXPECT_EQ(kiln_frame_count(nullptr), 0);
  EXPECT_EQ(kiln_device(nullptr), std::string());
  EXPECT_EQ(picture, nullptr);
}

TEST(CApi, SavesOverNoFlamesAndByNoOtherEnding) {
  Objects all;
  const test::ScratchFolder folder;
  test::write_file(folder / "mine.flam3", "<flame/>");
  for (const char* name : {"mine.flam3", "a.gif", "a"})
    EXPECT_EQ(kiln_save(all.picture.get(), (folder / name).c_str(), 0), KILN_USAGE) << name;
  EXPECT_EQ(test::read_file(folder / "mine.flam3"), "<flame/>");
  EXPECT_EQ(kiln_save(all.picture.get(), (folder / "a.png").c_str(), 0), KILN_OK);
}

TEST(CApi, RefusesNullOfPicturesAndLiveScenes) {
  Objects all;
  kiln_picture* picture = all.picture.get();
  const void* bytes = nullptr;
  size_t size = 0;
  expect_null(kiln_save(nullptr, "a.png", 0), "picture");
  expect_null(kiln_save(picture, nullptr, 0), "path");
  const kiln_credits nobody = kiln_no_credits();
  expect_null(kiln_save_with(picture, "a.png", 0, nullptr), "credits");
  expect_null(kiln_save_with(picture, nullptr, 0, &nobody), "path");
  expect_null(kiln_encode_with(picture, 0, nullptr, &bytes, &size), "credits");
  expect_null(kiln_encode(nullptr, 0, &bytes, &size), "picture");
  expect_null(kiln_encode(picture, 0, nullptr, &size), "bytes");
  expect_null(kiln_encode(picture, 0, &bytes, nullptr), "size");
  EXPECT_EQ(kiln_width(nullptr) + kiln_height(nullptr) + kiln_bits(nullptr), 0);
  EXPECT_EQ(kiln_pixels(nullptr), nullptr);
  EXPECT_EQ(kiln_hits(nullptr), nullptr);
  EXPECT_EQ(kiln_hash(nullptr) + std::string(kiln_record(nullptr)), "");
  EXPECT_EQ(kiln_get_statistics(nullptr).ended_by, std::string());
  kiln_live* const live = all.live.get();
  kiln_live* none = nullptr;
  kiln_live_frame frame;
  expect_null(kiln_open_live(nullptr, nullptr, &none), "scenes");
  expect_null(kiln_open_live(all.scenes.get(), nullptr, nullptr), "live");
  kiln_scenes* other = nullptr;
  expect_null(kiln_live_scene(nullptr, &other), "live");
  expect_null(kiln_live_scene(live, nullptr), "scenes");
  expect_null(kiln_live_edit(nullptr, all.scenes.get(), 0, 0, nullptr), "live");
  expect_null(kiln_live_edit(live, nullptr, 0, 0, nullptr), "scenes");
  expect_null(kiln_live_edit_xml(nullptr, "<flame/>", 0, nullptr), "live");
  expect_null(kiln_live_edit_xml(live, nullptr, 0, nullptr), "xml");
  expect_null(kiln_live_undo(nullptr, nullptr), "live");
  expect_null(kiln_live_redo(nullptr, nullptr), "live");
  expect_null(kiln_live_select(nullptr, 0, nullptr), "live");
  expect_null(kiln_live_next(nullptr, 0, &frame, &picture), "live");
  expect_null(kiln_live_next(live, 0, nullptr, &picture), "frame");
  expect_null(kiln_live_next(live, 0, &frame, nullptr), "picture");
  EXPECT_EQ(kiln_live_device(nullptr), std::string());
  kiln_live_set_effort(nullptr, 1e6, 1);
  EXPECT_EQ(kiln_message(), std::string("live is NULL"));
}

TEST(CApi, FilesSayWhoMadeThem) {
  Objects all;
  kiln_picture* const picture = all.picture.get();
  const void* bytes = nullptr;
  size_t size = 0;
  const auto file = [&] { return std::string(static_cast<const char*>(bytes), size); };
  kiln_credits credits = kiln_no_credits();
  ASSERT_EQ(kiln_encode_with(picture, 0, &credits, &bytes, &size), KILN_OK);
  const std::string plain = file();
  ASSERT_EQ(kiln_encode(picture, 0, &bytes, &size), KILN_OK);
  EXPECT_TRUE(file() == plain);
  credits.author = "Anna";
  credits.copyright = "(c) Anna";
  ASSERT_EQ(kiln_encode_with(picture, 0, &credits, &bytes, &size), KILN_OK);
  EXPECT_NE(file().find(std::string("tEXtAuthor\0Anna", 15)), std::string::npos);
  EXPECT_NE(file().find("(c) Anna</rdf:li>"), std::string::npos);
  EXPECT_EQ(file().find("Title"), std::string::npos);
  const test::ScratchFolder folder;
  ASSERT_EQ(kiln_save_with(picture, (folder / "a.png").c_str(), 0, &credits), KILN_OK);
  EXPECT_TRUE(test::read_file(folder / "a.png") == file());
  credits.title = "two\nlines";
  EXPECT_EQ(kiln_encode_with(picture, 0, &credits, &bytes, &size), KILN_USAGE);
  EXPECT_NE(std::string(kiln_message()).find("one line"), std::string::npos) << kiln_message();
  credits.size = 1;
  EXPECT_EQ(kiln_save_with(picture, (folder / "b.png").c_str(), 0, &credits), KILN_USAGE);
  EXPECT_FALSE(std::filesystem::exists(folder / "b.png"));
}

/// Renders again with the session that calls, once.
struct Again {
  kiln_session* session;
  const kiln_scenes* scenes;
  int calls = 0;
  kiln_status status = KILN_OK;
  std::string message;
};
void again(double, double, void* user) {
  Again& self = *static_cast<Again*>(user);
  if (self.calls++ > 0) return;
  kiln_picture* inner = nullptr;
  self.status = kiln_render(self.session, self.scenes, 0, nullptr, &inner);
  self.message = kiln_message();
  kiln_free_picture(inner);
}

TEST(CApi, ASessionIsNotUsedAgainInItsOwnCallback) {
  Objects all;
  const auto rendered = [&](kiln_options options) {
    const std::unique_ptr<kiln_picture, Freed<&kiln_free_picture>> picture(
        object_of<kiln_picture>([&](kiln_picture** at) {
          return kiln_render(all.session.get(), all.scenes.get(), 0, &options, at);
        }));
    return std::string(kiln_hash(picture.get()));
  };
  ASSERT_EQ(kiln_set(all.scenes.get(), 0, "quality", many_samples), KILN_OK);
  const std::string whole = rendered(all.options);
  Again inner{all.session.get(), all.scenes.get(), 0, KILN_OK, {}};
  all.options.on_progress = again;
  all.options.user = &inner;
  EXPECT_EQ(rendered(all.options), whole);
  ASSERT_GT(inner.calls, 0);
  EXPECT_EQ(inner.status, KILN_USAGE);
  EXPECT_NE(inner.message.find("the session renders already"), std::string::npos) << inner.message;
  all.options.on_progress = nullptr;
  EXPECT_EQ(rendered(all.options), whole);
}

TEST(CApi, ThreadsHaveTheProgramsLimit) {
  Objects all;
  for (const int threads : {4097, 1'000'000'000, -1}) {
    all.options.threads = threads;
    kiln_session* session = nullptr;
    EXPECT_EQ(kiln_open(&all.options, &session), KILN_USAGE) << threads;
    EXPECT_NE(std::string(kiln_message()).find("1 to 4096"), std::string::npos) << kiln_message();
    kiln_live* live = nullptr;
    EXPECT_EQ(kiln_open_live(all.scenes.get(), &all.options, &live), KILN_USAGE) << threads;
  }
}

}  // namespace
}  // namespace kiln
