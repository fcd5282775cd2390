// SPDX-License-Identifier: MIT
// Songs whose beats are known, made of clicks, drums, hats and noise by whole numbers alone, so that they are the same
// samples on every machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/model/exact_math.h"
#include "engine/sound/samples.h"

namespace kiln::test {

class MadeSong {
 public:
  explicit MadeSong(double seconds, int rate = 44100)
      : rate_(rate), sound_(std::size_t(seconds * rate), 0.0) {}

  /// 2 ms of a high tone.
  void click(double at, double loud = 0.8) {
    ring(at, 0.002, loud, [](double t) { return exact::sin(exact::two_pi * 2000 * t); });
  }
  /// A tone that falls from 120 to 50 Hz, with a knock at its begin.
  void kick(double at, double loud = 0.8) {
    ring(at, 0.25, loud, [](double t) {
      const double phase = 50 * t + 70 * 0.03 * (1 - exact::exp(-t / 0.03));
      return exact::sin(exact::two_pi * phase) * exact::exp(-t / 0.08);
    });
  }
  void snare(double at, double loud = 0.5) {
    ring(at, 0.2, loud, [this](double t) {
      return (noise() * 0.7 + 0.5 * exact::sin(exact::two_pi * 190 * t)) * exact::exp(-t / 0.05);
    });
  }
  void hat(double at, double loud = 0.2) {
    double before = 0;
    ring(at, 0.06, loud, [this, before](double t) mutable {
      const double now = noise(), high = now - before;
      before = now;
      return high * exact::exp(-t / 0.015);
    });
  }
  /// A tone from `at` on.
  void tone(double at, double seconds, double hz, double loud) {
    ring(at, seconds, loud, [hz](double t) { return exact::sin(exact::two_pi * hz * t); });
  }
  void hiss(double loud) {
    for (double& value : sound_) value += loud * noise();
  }

  SongSamples samples() const {
    SongSamples made;
    made.rate = rate_;
    for (const double value : sound_)
      made.mono.push_back(std::int16_t(std::floor(std::clamp(value, -1.0, 1.0) * 32000 + 0.5)));
    return made;
  }
  double seconds() const { return double(sound_.size()) / rate_; }

 private:
  void ring(double at, double seconds, double loud, const std::function<double(double)>& wave) {
    const auto begin = std::size_t(at * rate_ + 0.5);
    const auto count = std::size_t(seconds * rate_);
    for (std::size_t i = 0; i < count && begin + i < sound_.size(); ++i)
      sound_[begin + i] += loud * wave(double(i) / rate_);
  }
  double noise() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return double(std::int32_t(state_ >> 32)) / 2147483648.0;
  }

  int rate_;
  std::vector<double> sound_;
  std::uint64_t state_ = 7;
};

/// A song and where its beats are.
struct KnownSong {
  std::string name;
  double bpm = 0;  // the middle
  std::vector<double> beats;
  SongSamples samples;
};

/// The times of beats from `first` on, of a tempo that goes evenly from one to the other.
inline std::vector<double> beat_times(double first, double end, double from_bpm, double to_bpm) {
  std::vector<double> beats;
  for (double t = first; t < end - 0.1;) {
    beats.push_back(t);
    const double share = (t - first) / (end - first);
    t += 60 / (from_bpm + share * (to_bpm - from_bpm));
  }
  return beats;
}

inline std::vector<KnownSong> ten_songs() {
  std::vector<KnownSong> songs;
  const auto add = [&](const char* name, double seconds, double first, double from, double to,
                       int rate,
                       const std::function<void(MadeSong&, const std::vector<double>&)>& play) {
    MadeSong song(seconds, rate);
    const std::vector<double> beats = beat_times(first, seconds, from, to);
    play(song, beats);
    songs.push_back({name, (from + to) / 2, beats, song.samples()});
  };
  const auto each = [](const std::vector<double>& beats, const auto& strike) {
    for (std::size_t i = 0; i < beats.size(); ++i) {
      const double next = i + 1 < beats.size() ? beats[i + 1] : 2 * beats[i] - beats[i - 1];
      strike(i, beats[i], next - beats[i]);
    }
  };
  add("clicks", 20, 0.5, 120, 120, 44100, [&](MadeSong& s, const auto& beats) {
    for (const double t : beats) s.click(t);
  });
  add("clicks in noise", 20, 0.31, 100, 100, 44100, [&](MadeSong& s, const auto& beats) {
    for (const double t : beats) s.click(t);
    s.hiss(0.05);
  });
  add("off-beat hats", 20, 0.2, 128, 128, 48000, [&](MadeSong& s, const auto& beats) {
    each(beats, [&](std::size_t, double t, double length) {
      s.kick(t);
      s.hat(t + length / 2, 0.35);
    });
  });
  add("swing", 20, 0.4, 110, 110, 44100, [&](MadeSong& s, const auto& beats) {
    each(beats, [&](std::size_t i, double t, double length) {
      i % 2 == 0 ? s.kick(t) : s.snare(t);
      s.hat(t, 0.2);
      s.hat(t + length * 2 / 3, 0.15);
    });
  });
  add("ramp", 45, 0.5, 90, 140, 44100, [&](MadeSong& s, const auto& beats) {
    each(beats, [&](std::size_t i, double t, double) { i % 2 == 0 ? s.kick(t) : s.snare(t); });
  });
  add("house and a pad", 20, 0.1, 140, 140, 44100, [&](MadeSong& s, const auto& beats) {
    each(beats, [&](std::size_t, double t, double length) {
      s.kick(t, 0.6);
      s.hat(t + length / 2);
    });
    s.tone(0, 20, 220, 0.1);
    s.tone(0, 20, 277.2, 0.1);
    s.tone(0, 20, 329.6, 0.1);
  });
  add("slow", 24, 0.6, 75, 75, 32000, [&](MadeSong& s, const auto& beats) {
    each(beats, [&](std::size_t i, double t, double) { i % 2 == 0 ? s.kick(t) : s.snare(t); });
    s.hiss(0.02);
  });
  add("fast", 20, 0.25, 160, 160, 44100, [&](MadeSong& s, const auto& beats) {
    each(beats, [&](std::size_t i, double t, double) { i % 4 == 2 ? s.snare(t) : s.kick(t); });
  });
  add("begins late", 24, 4.13, 93.7, 93.7, 22050, [&](MadeSong& s, const auto& beats) {
    each(beats, [&](std::size_t, double t, double length) {
      s.kick(t);
      s.hat(t + length / 2, 0.1);
    });
  });
  add("slows down in noise", 45, 0.3, 140, 100, 44100, [&](MadeSong& s, const auto& beats) {
    each(beats, [&](std::size_t i, double t, double length) {
      s.kick(t);
      if (i % 2 == 1) s.snare(t, 0.4);
      s.hat(t + length / 2, 0.15);
    });
    s.hiss(0.03);
  });
  return songs;
}

}  // namespace kiln::test
