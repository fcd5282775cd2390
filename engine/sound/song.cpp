// SPDX-License-Identifier: MIT
#include "engine/sound/song.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>

#include "engine/animation/film.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/file/input_file.h"
#include "engine/model/exact_math.h"

namespace kiln {
namespace {

using Series = std::vector<double>;

constexpr double loudest_share = 0.995, sensation = 0.3;  // Stevens' power of the power
constexpr double band_floor = 1e-6;                       // 60 dB below the loudest
constexpr double silent_power = 1e-9;                     // 90 dB below full scale
constexpr double ring_out_s = 4;                          // of a course behind the song's end

struct Band {
  double low, high;
};
Band band_of(SoundPart part) {
  switch (part) {
    case SoundPart::bass:
      return {20, 150};
    case SoundPart::low:
      return {150, 500};
    case SoundPart::mid:
      return {500, 2500};
    case SoundPart::high:
      return {2500, 18000};
    default:
      return {least_sound_hz, most_sound_hz};
  }
}

/// A level at a time of a series at band_rate.
double at_time(const Series& levels, double seconds) {
  const double place = seconds * band_rate;
  if (levels.empty() || !(place >= 0)) return 0;
  if (place >= double(levels.size() - 1)) return place <= double(levels.size()) ? levels.back() : 0;
  const auto i = std::size_t(place);
  return levels[i] + (place - double(i)) * (levels[i + 1] - levels[i]);
}

double above(double level, double threshold) {
  return level <= threshold ? 0 : (level - threshold) / (1 - threshold);
}

/// The share of the way to a new value that a step of time goes, where 63 % takes `seconds`.
double share_of_step(double seconds) {
  return seconds > 0 ? 1 - exact::exp(-1 / (seconds * onset_rate)) : 1;
}

/// A level that rises by its attack and falls by its release.
void follow(const Series& levels, const SoundDrive& drive, SoundCourse& course) {
  const double rise = share_of_step(drive.attack()), fall = share_of_step(drive.release());
  double now = 0;
  for (std::size_t i = 0; i < course.values.size(); ++i) {
    const double wanted = above(at_time(levels, double(i) / course.rate), drive.threshold);
    now += (wanted > now ? rise : fall) * (wanted - now);
    if (now < 1e-9) now = 0;
    course.values[i] = float(now);
  }
}

/// A moment and the level that it is taken at.
struct Hit {
  double seconds, level;
};

/// A course that jumps at each hit, or goes there within its attack, and then falls, stays or has gone a step on.
void jump(const std::vector<Hit>& hits, const SoundDrive& drive, SoundCourse& course) {
  const double attack = drive.attack(), release = drive.release();
  const double fall = release > 0 ? exact::exp(-1 / (release * onset_rate)) : 0;
  double from = 0, goal = 0, now = 0, count = 0;
  std::size_t next = 0;
  double begun = -1e9;
  for (std::size_t i = 0; i < course.values.size(); ++i) {
    const double seconds = double(i) / course.rate;
    now *= drive.shape == SoundShape::decay ? fall : 1;
    for (; next < hits.size() && hits[next].seconds <= seconds + 0.5 / course.rate; ++next) {
      from = drive.shape == SoundShape::steps ? count : now;
      goal = drive.shape == SoundShape::held    ? hits[next].level
             : drive.shape == SoundShape::steps ? ++count
                                                : std::max(now, hits[next].level);
      begun = hits[next].seconds;
    }
    const double share = attack > 0 ? std::clamp((seconds - begun) / attack, 0.0, 1.0) : 1;
    if (drive.shape != SoundShape::decay) {
      now = from + share * (goal - from);
    } else if (goal > 0) {
      now = from + share * (goal - from);
      if (share >= 1) goal = 0;  // it has been there: falls from now on
    }
    course.values[i] = float(now < 1e-9 ? 0 : now);
  }
}

std::string key_of(const SoundDrive& d, int beats_of_bar) {
  return fmt::format("{} {} {} {} {} {} {} {}", sound_part_text(d), int(d.each), int(d.shape),
                     d.threshold, d.attack(), d.release(), beats_of_bar, 0);
}

/// The songs that were heard last, by what tells that a file is still the same.
class Heard {
 public:
  std::shared_ptr<const Song> find(const std::string& key) {
    for (std::size_t i = 0; i < songs_.size(); ++i) {
      if (songs_[i].key != key) continue;
      std::rotate(songs_.begin(), songs_.begin() + std::ptrdiff_t(i),
                  songs_.begin() + std::ptrdiff_t(i) + 1);
      return songs_.front().song;
    }
    return nullptr;
  }
  std::shared_ptr<const Song> with_digest(const std::string& sha256) const {
    for (const Entry& entry : songs_)
      if (entry.song->sha256() == sha256) return entry.song;
    return nullptr;
  }
  void add(std::string key, std::shared_ptr<const Song> song) {
    constexpr std::size_t most = 4;
    songs_.insert(songs_.begin(), {std::move(key), std::move(song)});
    if (songs_.size() > most) songs_.pop_back();
  }

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const Song> song;
  };
  std::vector<Entry> songs_;
};

std::mutex heard_mutex;
Heard& heard() {
  static Heard all;
  return all;
}

/// A text that changes when the file does; empty for what is no file.
std::string key_of_file(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(fs::path(path), error);
  if (error || !fs::is_regular_file(whole, error)) return "";
  const auto size = fs::file_size(whole, error);
  const auto time = fs::last_write_time(whole, error);
  if (error) return "";
  return fmt::format("{} {} {}", whole.string(), size, time.time_since_epoch().count());
}

}  // namespace

Song::Song(const SongSamples& samples, std::string sha256, std::string path)
    : seconds_(samples.seconds()),
      sha256_(std::move(sha256)),
      path_(std::move(path)),
      spectrum_(spectrum_of(samples)) {
  rhythm_ = rhythm_of(spectrum_);
  loudest_power_ = quantile(powers(least_sound_hz, most_sound_hz), loudest_share);
}

std::vector<double> Song::powers(double low_hz, double high_hz) const {
  // the share of each narrow band, by the frequencies that it has in common with this one
  Series parts(narrow_bands, 0.0);
  for (int i = 0; i < narrow_bands; ++i) {
    const double begin = narrow_band_begin(i), end = narrow_band_begin(i + 1);
    const double common = std::min(end, high_hz) - std::max(begin, low_hz);
    parts[std::size_t(i)] = std::max(0.0, common / (end - begin));
  }
  Series sums(spectrum_.power.size(), 0.0);
  for (std::size_t t = 0; t < sums.size(); ++t)
    for (std::size_t i = 0; i < parts.size(); ++i)
      sums[t] += parts[i] * double(spectrum_.power[t][i]);
  return sums;
}

std::vector<double> Song::band_levels(double low_hz, double high_hz) const {
  Series levels = powers(low_hz, high_hz);
  const double top = quantile(levels, loudest_share);
  const bool is_there = top > silent_power && top > band_floor * loudest_power_;
  for (double& level : levels)
    level = is_there ? exact::pow(std::min(1.0, level / top), sensation) : 0;
  return levels;
}

std::vector<double> Song::centroids() const {
  Series result(spectrum_.power.size(), 0.0);
  double now = 0;
  const double least = std::max(silent_power, band_floor * loudest_power_);
  for (std::size_t t = 0; t < result.size(); ++t) {
    double sum = 0, weighed = 0;
    for (int i = 0; i < narrow_bands; ++i) {
      const double power = double(spectrum_.power[t][std::size_t(i)]);
      sum += power;
      weighed += power * 0.5 * (narrow_band_begin(i) + narrow_band_begin(i + 1));
    }
    if (sum > least) now = weighed / sum;
    result[t] = now;
  }
  return result;
}

std::vector<double> Song::levels(SoundPart part) const {
  if (part == SoundPart::centroid) {  // 0 at 100 Hz, 1 at 10 kHz, even steps an octave
    Series result = centroids();
    for (double& hz : result)
      hz = hz > 100 ? std::min(1.0, exact::log(hz / 100) / exact::log(100.0)) : 0;
    return result;
  }
  if (part == SoundPart::silence) {
    Series result = powers(least_sound_hz, most_sound_hz);
    const double least = std::max(silent_power, 10 * band_floor * loudest_power_);
    for (double& power : result) power = power < least ? 1 : 0;
    return result;
  }
  if (part == SoundPart::onset || part == SoundPart::beat || part == SoundPart::bar)
    return Series(spectrum_.power.size(), 1.0);
  const Band band = band_of(part);
  return band_levels(band.low, band.high);
}

std::vector<double> Song::moments(SoundEvent event, int beats_of_bar) const {
  return event == SoundEvent::onset  ? rhythm_.onsets
         : event == SoundEvent::beat ? rhythm_.beats
                                     : bars_of(rhythm_, beats_of_bar);
}

std::vector<double> Song::loudest(std::size_t count, double apart_s) const {
  const Series power = powers(least_sound_hz, most_sound_hz);
  std::vector<std::size_t> order(power.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return power[a] > power[b]; });
  std::vector<double> found;
  for (const std::size_t i : order) {
    const double seconds = double(i) / band_rate;
    const bool is_near = std::any_of(found.begin(), found.end(), [&](double other) {
      return std::fabs(other - seconds) < apart_s;
    });
    if (power[i] <= silent_power || found.size() >= count) break;
    if (!is_near) found.push_back(seconds);
  }
  return found;
}

std::shared_ptr<const SoundCourse> Song::course(const SoundDrive& drive, int beats_of_bar) const {
  const std::string key = key_of(drive, beats_of_bar);
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const SoundCourse>& kept = courses_[key];
  if (!kept) kept = made(drive, beats_of_bar);
  return kept;
}

std::shared_ptr<const SoundCourse> Song::made(const SoundDrive& drive, int beats_of_bar) const {
  const auto course = std::make_shared<SoundCourse>();
  course->rate = onset_rate;
  const double rings_s = std::min(ring_out_s + 4 * drive.release(), 300.0);
  course->values.resize(std::size_t((seconds_ + rings_s) * onset_rate) + 1);
  const Series levels = drive.part == SoundPart::band ? band_levels(drive.low_hz, drive.high_hz)
                                                      : this->levels(drive.part);
  if (drive.moments() == SoundEvent::none) {
    follow(levels, drive, *course);
    return course;
  }
  constexpr double before_s = 0.02, after_s = 0.08;  // a note is loudest a little later
  std::vector<Hit> hits;
  for (const double seconds : moments(drive.moments(), beats_of_bar)) {
    double level = 0;
    for (double t = seconds - before_s; t <= seconds + after_s; t += 1 / band_rate)
      level = std::max(level, at_time(levels, t));
    level = above(level, drive.threshold);
    if (level > 0 || drive.shape == SoundShape::held) hits.push_back({seconds, level});
  }
  jump(hits, drive, *course);
  return course;
}

// ---- files ----

std::shared_ptr<const Song> hear(const std::string& path) {
  const std::lock_guard lock(heard_mutex);  // two who want one song hear it once
  const std::string key = key_of_file(path);
  if (!key.empty())
    if (auto known = heard().find(key)) return known;
  const SongSamples samples = read_samples(path);
  std::error_code error;
  const auto song =
      std::make_shared<const Song>(samples, file_hash(path, InputFile::Opens::regular_files),
                                   std::filesystem::weakly_canonical(path, error).string());
  if (!key.empty()) heard().add(key, song);
  return song;
}

std::string song_path(const Flame& flame) {
  namespace fs = std::filesystem;
  const fs::path file(flame.sound->file);
  if (file.is_absolute()) return flame.sound->file;
  const std::string& folder = flame.sound->folder;
  return ((folder.empty() ? fs::path(flame.source).parent_path() : fs::path(folder)) / file)
      .string();
}

std::string song_beside(const std::string& song, const std::string& film) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder = fs::absolute(fs::path(film), error).parent_path();
  const fs::path near = fs::proximate(fs::absolute(fs::path(song), error), folder, error);
  return error || near.empty() ? song : near.generic_string();
}

void hear_song(std::vector<Flame>& keys) {
  if (!needs_song(keys)) return;
  for (Flame& key : keys) {
    if (!key.sound || key.sound->heard) continue;
    FilmSound& sound = *key.sound;
    const std::string place = fmt::format("{}:{}: kiln_sound", key.source, sound.line);
    std::shared_ptr<const Song> song;
    if (!sound.sha256.empty()) {  // a page's film has no folder, and its song was heard before
      const std::lock_guard lock(heard_mutex);
      song = heard().with_digest(sound.sha256);
    }
    if (!song) {
      try {
        song = hear(song_path(key));
      } catch (const Error& error) {
        throw Error(error.kind, place + ": " + error.what());
      }
    }
    if (!sound.sha256.empty() && song->sha256() != sound.sha256)
      fail(
          ErrorKind::input,
          "{}: another song lies there than the film was made with: {} has the SHA-256 {}, not {}; "
          "put the old one back, or write the new digest into the film (or none) to play this one",
          place, printable_whole(song_path(key)), song->sha256(), sound.sha256);
    if (sound.start_s >= song->seconds())
      fail(ErrorKind::input, "{}: start=\"{}\": the song ends at {} s", place,
           shortest(sound.start_s), shortest(song->seconds()));
    sound.sha256 = song->sha256();
    sound.heard = song;
  }
}

}  // namespace kiln
