// The thread of a live flame: looks what is wanted most and does that, one thing at a time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/base/clock.h"
#include "engine/live/live_flame.h"
#include "engine/live/painter.h"

namespace kiln {

class LiveFlame::Worker {
 public:
  Worker(LiveFlame& live, const RenderOptions& options, DevicePicture* place)
      : live_(live), painter_(options, place) {}

  /// Until the live flame ends.
  void run();
  std::string device() const { return painter_.device(); }

 private:
  enum class Kind { end, randomize, play, paint, thumbnail, improve };
  /// What is done next, and what has to be known for it.
  struct Work {
    Kind kind = Kind::end;
    std::shared_ptr<const Flame> flame;  // the open one; of thumbnails their parent
    std::uint64_t revision = 0, plays = 0, set = 0, seed = 0;
    int index = 0;
    View view;
    Mutations mutations;
    double seconds_a_key = 0;
  };

  Work next();
  Work about(Kind kind);
  bool overtaken(const Work& work) const;
  void run(const Work& work);
  void fail_with(const Work& work, const std::string& message);
  void randomize(const Work& work);
  void begin_play();
  void play(const Work& work);
  void paint(const Work& work);
  void improve(const Work& work);
  void make_thumbnail(const Work& work);
  void show(const Work& work, Painter::Painted painted, std::shared_ptr<const Flame> flame) const;

  LiveFlame& live_;
  Painter painter_;
  std::uint64_t painted_ = 0;           // the revision that was painted last
  std::shared_ptr<const Flame> flame_;  // of it
  bool finished_ = false;               // nothing better of it is to be had
  Clock::time_point painted_at_;
  std::uint64_t set_ = 0;  // of thumbnails
  int place_ = 0;          // of the next one
  std::uint64_t plays_ = 0;
  std::vector<Flame> keys_;  // of what is played
  Clock::time_point play_start_, next_frame_;
};

}  // namespace kiln
