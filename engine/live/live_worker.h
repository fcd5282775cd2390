// SPDX-License-Identifier: MIT
// The thread of a live flame: looks what is wanted most and does that, one thing at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/resources.h"
#include "engine/live/live_flame.h"

namespace kiln {

class LiveFlame::Worker {
 public:
  Worker(LiveFlame& live, const RenderOptions& options, DevicePicture* place)
      : live_(live), pictures_(options, place, live.listener_.noise != nullptr) {}

  /// Works until the live flame ends.
  void run();
  std::string device() const { return pictures_.device(); }

 private:
  enum class Kind { end, randomize, fit, play, paint, given, thumbnail, opened, improve, measure };
  /// The work that is next, and all that has to be known for it.
  struct Work {
    Kind kind = Kind::end;
    std::shared_ptr<const Flame> flame;  // the open one; of thumbnails their parent
    std::uint64_t revision = 0, plays = 0, newest_set = 0, seed = 0;
    int index = 0;  // of the open flame; of small pictures their place
    View view;
    int who = 0;  // of small pictures, and what follows
    std::uint64_t set = 0;
    Mutations mutations;
    std::shared_ptr<std::vector<Look>> looks;
    double seconds_a_key = 0;
    FilmPlace place;
    std::stop_token overtaken;  // of what cannot be asked about often
  };

  Work next();
  Work about(Kind kind, Wanted* wishes = nullptr);
  static void take_wish(Work& work, Wanted& wishes);
  bool overtaken(const Work& work) const;
  bool is_unwanted(const Work& work) const;
  void run(const Work& work);
  void fail_with(const Work& work, const std::string& message);
  void randomize(const Work& work);
  void fit(const Work& work);
  void take(const Work& work, Flame flame);
  void begin_play();
  void play(const Work& work);
  void play_film(const Work& work);
  void paint(const Work& work);
  void improve(const Work& work);
  static std::function<Frame()> frame_of(const Work& work);
  void measure(const Work& work);
  void make_thumbnail(const Work& work);
  Flame draft(const Work& work, std::uint64_t seed);
  Flame flame_at(const Work& work);
  void picture_one(const Work& work);
  Image small_picture(const Flame& flame, int width);
  void show(const Work& work, LivePictures::Picture preview,
            std::shared_ptr<const Flame> flame) const;

  LiveFlame& live_;
  LivePictures pictures_;
  std::uint64_t painted_ = 0;           // the revision that was shown last
  std::shared_ptr<const Flame> flame_;  // of it
  FilmPlace film_;
  HeldFilm held_;
  bool finished_ = false;  // nothing better of it is to be had
  Clock::time_point painted_at_;
  std::uint64_t plays_ = 0;
  std::vector<Flame> keys_;         // of what is played
  std::optional<Playing> playing_;  // it is this film
  std::shared_ptr<const LiveFilm> played_;
  Clock::time_point play_start_, next_frame_;
};

}  // namespace kiln
