// SPDX-License-Identifier: MIT
// --clean as users meet it: one picture whoever made it, in the place of the estimator, and nearer to
// the finished one.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/io/picture/picture_format.h"
#include "tests/cli/settings.h"
#include "tests/places.h"

namespace kiln::test {
namespace {

/// Three contractions that leave a veil of 320 x 240 pixels with the corners of a triangle.
std::string veil(const std::string& attributes = "") {
  const auto corner = [](const char* color, const char* place) {
    return fmt::format(
        "<xform weight=\"1\" color=\"{}\" linear=\"1\" coefs=\"0.72 0.1 -0.1 0.72 {}\"/>", color,
        place);
  };
  return "<flame size=\"320 240\" center=\"0.5 0.5\" scale=\"110\" quality=\"40\" " + attributes +
         ">" + corner("0", "0 0") + corner("0.5", "0.5 0") + corner("1", "0.25 0.5") +
         "<color index=\"0\" rgb=\"255 128 0\"/><color index=\"255\" rgb=\"0 128 255\"/></flame>\n";
}

class clean_program : public Settings {
 protected:
  clean_program() { put("v.flame", veil()); }
  static Names render(const Names& more) {
    return joined({"render", "v.flame", "--clean", "--backend", "cpu", "-q"}, more);
  }
  void done(const Names& words) const {
    const Outcome outcome = kiln(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  }
  std::string file(const std::string& name) const { return read_file(folder / name); }
};

TEST_F(clean_program, is_one_picture_for_every_number_of_threads_and_in_stripes) {
  done(render({"-o", "one.png", "--threads", "1"}));
  for (const char* threads : {"2", "7"}) {
    done(render({"-o", "more.png", "--threads", threads}));
    EXPECT_EQ(file("more.png"), file("one.png")) << threads;
  }
  done(render({"-o", "stripes.png", "--max-memory", "22M"}));
  EXPECT_EQ(file("stripes.png"), file("one.png"));
}

TEST_F(clean_program, works_on_sums_that_were_kept_shared_out_or_made_without_it) {
  const Names longer = {"--quality", "200"};  // 7 units and a bit
  done(render(joined({"-o", "whole.png"}, longer)));
  for (const char* shard : {"1/2", "2/2"})
    done(render(joined({"-o", "part.png", "--shard", shard}, longer)));
  done({"merge", "-q", "part.1-2.kiln", "part.2-2.kiln", "-o", "merged.png"});
  EXPECT_EQ(file("merged.png"), file("whole.png"));
  const Names raw = {"render", "v.flame", "--backend", "cpu", "-q", "-o", "raw.png", "--state"};
  done(joined(raw, {"raw.kiln", "--quality", "200"}));
  done({"grade", "raw.kiln", "-q", "--clean", "-o", "graded.png"});
  EXPECT_EQ(hashes({"render", "graded.png", "-o", "a.png"}),
            hashes({"render", "whole.png", "-o", "b.png"}));
  EXPECT_EQ(read_picture(folder / "graded.png").pixels, read_picture(folder / "whole.png").pixels);
  done(joined(raw, {"short.kiln", "--quality", "60", "--force"}));
  done({"render", "short.kiln", "-q", "--quality", "200", "--clean", "-o", "longer.png"});
  EXPECT_EQ(read_picture(folder / "longer.png").pixels, read_picture(folder / "whole.png").pixels);
}

TEST_F(clean_program, is_off_unless_asked_and_replaces_the_estimator) {
  const std::string raw = hash_of(veil());
  EXPECT_EQ(hash_of(veil(), {"--clean", "0"}), raw);
  const std::string clean = hash_of(veil("kiln_clean=\"1\""));
  EXPECT_NE(clean, raw);
  EXPECT_EQ(hash_of(veil("clean=\"1\"")), clean);
  EXPECT_EQ(hash_of(veil(), {"--clean"}), clean);
  EXPECT_EQ(hash_of(veil(), {"--clean", "1", "--set", "estimator_curve=0.8"}), clean);
  EXPECT_NE(hash_of(veil(), {"--clean", "0.5"}), clean);
  const Outcome share = kiln({"render", "v.flame", "--clean", "50%", "-o", "no.png"});
  EXPECT_EQ(share.code, 2);
  EXPECT_NE(share.err.find("--clean 50%: must be a number"), std::string::npos) << share.err;
  EXPECT_EQ(hash_of(veil(), {"--clean", ".5"}), hash_of(veil("kiln_clean=\"0.5\"")));
}

TEST_F(clean_program, lets_a_film_have_fewer_samples_for_its_noise) {
  const auto quality = [&](const Names& more) {
    const Outcome film =
        kiln(joined({"animate", std::string(source_dir()) + "/flames/halo.flam3", "--spin", "2",
                     "--width", "480", "--backend", "cpu", "--until-noise", "2", "--set",
                     "estimator_radius=0", "--dry-run", "-o", "#.png"},
                    more));
    const std::size_t at = film.err.find("quality ");
    EXPECT_NE(at, std::string::npos) << film.err;
    return std::strtod(film.err.c_str() + at + 8, nullptr);
  };
  const double cleaned = quality({"--clean"});
  EXPECT_GT(cleaned, 10);
  EXPECT_LT(cleaned, 0.9 * quality({}));
}

TEST_F(clean_program, is_from_0_to_1) {
  const Outcome outcome = kiln({"render", "v.flame", "-o", "x.png", "--clean", "1.5"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "--clean")) << outcome.err;
}

/// Root mean square of how far two pictures are apart, in levels of 8 bits.
double distance(const Image& a, const Image& b) {
  const auto &p = std::get<std::vector<std::uint8_t>>(a.pixels),
             &q = std::get<std::vector<std::uint8_t>>(b.pixels);
  double squares = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double d = double(p[i]) - double(q[i]);
    squares += d * d;
  }
  return std::sqrt(squares / double(p.size()));
}

TEST_F(clean_program, comes_nearer_to_64_times_the_samples) {
  const auto picture = [&](const std::string& name, const Names& more) {
    done(joined({"render", "v.flame", "--backend", "cpu", "-q", "-o", name}, more));
    return read_picture(folder / name);
  };
  const Image finished =
      picture("finished.png", {"--quality", "640", "--seed", "9", "--set", "estimator_radius=0"});
  const auto error = [&](const Names& more) {
    return distance(picture("some.png", joined({"--quality", "10", "--force"}, more)), finished);
  };
  const double raw = error({"--set", "estimator_radius=0"}), estimated = error({}),
               clean = error({"--clean", "--set", "estimator_radius=0"});
  EXPECT_LT(clean, raw / 2) << estimated;
  EXPECT_LT(clean, estimated) << raw;
}

class clean_film : public clean_program {
 protected:
  clean_film() { put("film.flam3", "<flames>" + key(0, "0.72") + key(6, "0.74") + "</flames>"); }
  static std::string key(int time, const char* size) {
    const std::string flame =
        veil(fmt::format("time=\"{}\" temporal_samples=\"5\" kiln_clean=\"1\"", time));
    return flame.substr(0, 20) + flame.substr(20).replace(flame.find("0.72 0.1") - 20, 4, size);
  }
  void animate(const std::string& name, const Names& more = {}) const {
    done(joined({"animate", "film.flam3", "--end", "5", "--backend", "cpu", "-q", "-o", name},
                more));
  }
  static std::string number(int frame) { return std::to_string(frame) + ".png"; }
};

TEST_F(clean_film, has_the_same_frames_whatever_part_of_it_is_made) {
  animate("whole-#.png");
  for (const char* chunk : {"1/3", "2/3", "3/3"})
    animate("chunk-#.png", {"--chunk", chunk, "--threads", "1"});
  for (const char* frames : {"5", "0,3"}) animate("some-#.png", {"--frames", frames});
  animate("resumed-#.png");
  for (const int frame : {1, 4}) std::filesystem::remove(folder / ("resumed-" + number(frame)));
  animate("resumed-#.png", {"--resume"});
  for (int frame = 0; frame < 6; ++frame) {
    const std::string whole = file("whole-" + number(frame));
    EXPECT_TRUE(file("chunk-" + number(frame)) == whole) << frame;
    EXPECT_TRUE(file("resumed-" + number(frame)) == whole) << frame;
    if (frame % 5 == 0 || frame == 3) {
      EXPECT_TRUE(file("some-" + number(frame)) == whole) << frame;
    }
  }
  // another end: the last frames are cleaned with others, and are no longer the same
  animate("resumed-#.png", {"--resume", "--end", "4"});
  EXPECT_TRUE(file("resumed-2.png") == file("whole-2.png"));
  EXPECT_FALSE(file("resumed-3.png") == file("whole-3.png"));
}

TEST_F(clean_film, is_checked_by_its_manifest) {
  animate("#.png", {"--manifest", "frames.tsv"});
  const Outcome checked =
      kiln({"check", "--manifest", "frames.tsv", "--render", "1", "--backend", "cpu"});
  EXPECT_EQ(checked.code, 0) << checked.err;
}

TEST_F(clean_film, is_nearer_to_the_finished_one_than_frames_alone) {
  const auto frame = [&](const std::string& name, const Names& more) {
    animate(name, joined({"--frames", "3", "--temporal-samples", "1"}, more));
    return read_picture(folder / name);
  };
  const Image finished = frame("finished.png", {"--clean", "0", "--set", "estimator_radius=0",
                                                "--quality", "640", "--seed", "9"});
  const Image together = frame("together.png", {});
  const Image alone = frame("alone.png", {"--begin", "3", "--end", "3"});
  EXPECT_LT(distance(together, finished), distance(alone, finished));
}

TEST_F(clean_film, that_does_not_fit_is_refused_with_what_helps) {
  const Names words = {"animate", "film.flam3", "--backend",    "cpu", "-q",
                       "-o",      "#.png",      "--max-memory", "22M"};
  const Outcome outcome = kiln(words);
  EXPECT_EQ(outcome.code, 6) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "without --clean they can be")) << outcome.err;
  done(joined(words, {"--clean", "0"}));
}

/// Shapes without noise but for their edges and colors, on black: nothing is to be had here but harm.
TEST_F(clean_program, does_no_harm_to_what_is_sharp) {
  for (const char* name : {"heighway", "sierpinski"}) {
    const auto picture = [&](const Names& more) {
      const std::string flame = std::string(source_dir()) + "/flames/" + name + ".flam3";
      done(joined({"render", flame, "--backend", "cpu", "-q", "-o", "some.png", "--force"},
                  joined({"--width", "240", "--set", "estimator_radius=0"}, more)));
      return read_picture(folder / "some.png");
    };
    const Image finished = picture({"--quality", "600", "--seed", "9"});
    for (const char* quality : {"10", "100"}) {
      const double raw = distance(picture({"--quality", quality}), finished),
                   clean = distance(picture({"--quality", quality, "--clean"}), finished);
      EXPECT_LE(clean, raw * 1.005) << name << ", " << quality;
    }
  }
}

}  // namespace
}  // namespace kiln::test
