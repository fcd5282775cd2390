// SPDX-License-Identifier: MIT
#include "engine/sound/beats.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "engine/model/exact_math.h"

namespace kiln {
namespace {

using Series = std::vector<double>;

/// The low bands count more: a drum tells where the beat is, a hat often where it is not.
constexpr std::array<double, rhythm_band_count> band_weights = {1.6, 1, 0.8, 0.6};

/// The series without its mean over a second around each value, and without what is then below 0.
Series above_its_mean(const std::vector<float>& series, double rate) {
  const auto half = std::ptrdiff_t(rate / 2), size = std::ptrdiff_t(series.size());
  Series sums(series.size() + 1, 0.0), result(series.size());
  for (std::size_t i = 0; i < series.size(); ++i) sums[i + 1] = sums[i] + double(series[i]);
  for (std::ptrdiff_t i = 0; i < size; ++i) {
    const std::ptrdiff_t begin = std::max<std::ptrdiff_t>(0, i - half),
                         end = std::min(size, i + half + 1);
    const double mean = (sums[std::size_t(end)] - sums[std::size_t(begin)]) / double(end - begin);
    result[std::size_t(i)] = std::max(0.0, double(series[std::size_t(i)]) - mean);
  }
  return result;
}

// ---- tempo ----

constexpr int steps_of_octave = 36;
constexpr double window_s = 8, window_step_s = 0.5, usual_bpm = 120;
constexpr std::array<double, 4> multiples = {1, 0.8, 0.6, 0.5};  // weights of 1, 2, 3, 4 beats

int tempo_count() {
  int count = 1;
  while (slowest_bpm * exact::exp2(double(count) / steps_of_octave) <= fastest_bpm) ++count;
  return count;
}
double tempo_of(int i) { return slowest_bpm * exact::exp2(double(i) / steps_of_octave); }

/// A series at half its rate, each value the sum of two.
Series halved(const Series& series) {
  Series half(series.size() / 2);
  for (std::size_t i = 0; i < half.size(); ++i) half[i] = series[2 * i] + series[2 * i + 1];
  return half;
}

/// The autocorrelation of the part [begin, end) for lags up to `most`, for as many products each.
Series correlation(const Series& series, std::size_t begin, std::size_t end, std::size_t most) {
  Series result(most + 1, 0.0);
  for (std::size_t lag = 0; lag <= most && begin + lag < end; ++lag) {
    double sum = 0;
    for (std::size_t i = begin; i + lag < end; ++i) sum += series[i] * series[i + lag];
    result[lag] = sum * double(end - begin) / double(end - begin - lag);
  }
  return result;
}

/// The fit of each tempo to a window, 0 to 1; `clear`: how much of the window's rise its best beat explains.
Series fits_of(const std::array<Series, rhythm_band_count>& bands, std::size_t begin,
               std::size_t end, double& clear) {
  const double rate = onset_rate / 2;
  const auto most = std::size_t(std::min(4 * rate * 60 / slowest_bpm + 2, double(end - begin) / 2));
  Series sum(most + 1, 0.0);
  for (std::size_t b = 0; b < bands.size(); ++b) {
    const Series own = correlation(bands[b], begin, end, most);
    for (std::size_t lag = 0; lag <= most; ++lag)
      sum[lag] += band_weights[b] * band_weights[b] * own[lag];
  }
  Series fits(std::size_t(tempo_count()), 0.0);
  clear = 0;
  if (!(sum[0] > 0)) return fits;
  const auto near = [&](double lag) {  // the largest within the width of a beat
    const auto from = std::size_t(std::max(0.0, lag - 1.5)), to = std::size_t(lag + 1.5);
    double best = 0;
    for (std::size_t i = from; i <= to && i <= most; ++i) best = std::max(best, sum[i]);
    return best / sum[0];
  };
  for (std::size_t s = 0; s < fits.size(); ++s) {
    const double bpm = tempo_of(int(s)), lag = rate * 60 / bpm;
    double fit = 0, weights = 0;
    for (std::size_t m = 0; m < multiples.size(); ++m) {
      if (double(m + 1) * lag > double(most) - 2) break;
      fit += multiples[m] * near(double(m + 1) * lag);
      weights += multiples[m];
    }
    if (weights == 0) continue;
    clear = std::max(clear, near(lag));
    const double octaves = exact::log(bpm / usual_bpm) / exact::log(2.0);
    fits[s] = fit / weights * exact::exp(-0.5 * octaves * octaves / (0.9 * 0.9));
  }
  return fits;
}

/// The tempo at each step of the windows: the path that fits best. Empty where nothing repeats.
std::vector<int> tempo_path(const std::array<Series, rhythm_band_count>& rises) {
  constexpr double least_clear = 0.12, price = 0.06;
  constexpr int furthest = 3;  // steps that it may change by from window to window
  std::array<Series, rhythm_band_count> bands;
  for (std::size_t b = 0; b < bands.size(); ++b) bands[b] = halved(rises[b]);
  const auto size = bands[0].size();
  const auto step = std::size_t(window_step_s * onset_rate / 2),
             half = std::size_t(window_s * onset_rate / 4);
  const int tempos = tempo_count();
  std::vector<std::vector<int>> came_from;
  Series best(std::size_t(tempos), 0.0), clears;
  for (std::size_t center = 0; center < size; center += step) {
    const std::size_t begin = center > half ? center - half : 0,
                      end = std::min(size, center + half);
    double clear = 0;
    const Series fits = fits_of(bands, begin, end, clear);
    clears.push_back(clear);
    Series next(best.size(), 0.0);
    std::vector<int> from(best.size(), 0);
    for (int s = 0; s < tempos; ++s) {
      double most = -1e300;
      for (int p = std::max(0, s - furthest); p <= std::min(tempos - 1, s + furthest); ++p) {
        const double gathered = best[std::size_t(p)] - price * std::abs(s - p);
        if (gathered > most) most = gathered, from[std::size_t(s)] = p;
      }
      next[std::size_t(s)] = most + fits[std::size_t(s)];
    }
    best = next;
    came_from.push_back(std::move(from));
  }
  if (clears.empty() || quantile(clears, 0.6) < least_clear) return {};
  std::vector<int> path(came_from.size());
  int now = int(std::max_element(best.begin(), best.end()) - best.begin());
  for (std::size_t i = path.size(); i-- > 0;) {
    path[i] = now;
    now = came_from[i][std::size_t(now)];
  }
  return path;
}

// ---- beats ----

/// A mean over neighbors, so that a beat that is late by a little counts as well.
Series softened(const Series& series) {
  constexpr std::array<double, 4> weights = {1, 0.8, 0.4, 0.1};
  const auto size = std::ptrdiff_t(series.size());
  Series result(series.size(), 0.0);
  for (std::ptrdiff_t i = 0; i < size; ++i)
    for (std::ptrdiff_t k = -3; k <= 3; ++k)
      if (i + k >= 0 && i + k < size)
        result[std::size_t(i)] = std::max(
            result[std::size_t(i)], weights[std::size_t(std::abs(k))] * series[std::size_t(i + k)]);
  return result;
}

/// The chain of times, in steps of the onset rate, that gathers most.
std::vector<std::size_t> best_chain(const Series& rise, const std::vector<int>& path) {
  constexpr double tightness = 30;
  const Series soft = softened(rise);
  const auto window_step = std::size_t(window_step_s * onset_rate);
  std::vector<Series> prices;  // [tempo][steps back]
  std::vector<std::size_t> periods;
  for (int s = 0; s < tempo_count(); ++s) {
    const double period = onset_rate * 60 / tempo_of(s);
    Series price(std::size_t(2 * period) + 1, 1e300);
    for (auto back = std::size_t(period / 2); back < price.size(); ++back) {
      const double off = exact::log(double(std::max<std::size_t>(1, back)) / period);
      price[back] = tightness * off * off;
    }
    prices.push_back(std::move(price));
    periods.push_back(std::size_t(period));
  }
  Series gathered(rise.size(), 0.0);
  std::vector<std::ptrdiff_t> before(rise.size(), -1);
  for (std::size_t t = 0; t < rise.size(); ++t) {
    const auto s = std::size_t(path[std::min(path.size() - 1, t / window_step)]);
    double best = 0;  // a chain may begin anywhere
    for (std::size_t back = periods[s] / 2; back < prices[s].size() && back <= t; ++back) {
      const double all = gathered[t - back] - prices[s][back];
      if (all > best) best = all, before[t] = std::ptrdiff_t(t - back);
    }
    gathered[t] = soft[t] + best;
  }
  std::vector<std::size_t> chain;
  if (rise.empty()) return chain;
  const std::size_t tail = std::min(rise.size(), periods[std::size_t(path.back())] + 1);
  auto at =
      std::max_element(gathered.end() - std::ptrdiff_t(tail), gathered.end()) - gathered.begin();
  for (; at >= 0; at = before[std::size_t(at)]) chain.push_back(std::size_t(at));
  std::reverse(chain.begin(), chain.end());
  return chain;
}

/// The summit near a time, between the steps by a parabola; the time itself where nothing rises there.
double summit_near(const Series& rise, std::size_t t) {
  constexpr std::size_t reach = 5;  // 25 ms
  std::size_t best = t;
  for (std::size_t i = t > reach ? t - reach : 0; i <= t + reach && i < rise.size(); ++i)
    if (rise[i] > rise[best]) best = i;
  double place = double(best);
  if (rise[best] > 0 && best > 0 && best + 1 < rise.size()) {
    const double a = rise[best - 1], b = rise[best], c = rise[best + 1], bend = a - 2 * b + c;
    if (bend < 0) place += std::clamp(0.5 * (a - c) / bend, -0.5, 0.5);
  }
  return place;
}

// A window of 23 ms hears a click from its end on, and 10 ms of it are compared: the summit stands so much before the
// note (measured on clicks and drums, tests/unit/sound_test.cpp).
constexpr double late_s = 0.003;

double seconds_of(double place) { return std::max(0.0, place / onset_rate + late_s); }

std::vector<double> onsets_of(const Series& rise, double strong) {
  constexpr std::ptrdiff_t reach = 6;  // 30 ms on both sides
  std::vector<double> onsets;
  const auto size = std::ptrdiff_t(rise.size());
  for (std::ptrdiff_t t = 0; t < size; ++t) {
    const double here = rise[std::size_t(t)];
    if (!(here > 0.15 * strong)) continue;
    bool is_summit = true;
    for (std::ptrdiff_t i = std::max<std::ptrdiff_t>(0, t - reach);
         i <= std::min(size - 1, t + reach); ++i)
      is_summit &= i < t ? rise[std::size_t(i)] < here : rise[std::size_t(i)] <= here;
    if (is_summit) onsets.push_back(seconds_of(summit_near(rise, std::size_t(t))));
  }
  return onsets;
}

/// Beats before the music and after it are none.
void cut_ends(const Series& rise, std::vector<std::size_t>& chain) {
  constexpr double share = 0.2;
  Series strengths;
  const Series soft = softened(rise);
  for (const std::size_t t : chain) strengths.push_back(soft[t]);
  const double least = share * quantile(strengths, 0.5);
  while (!chain.empty() && soft[chain.back()] <= least) chain.pop_back();
  const auto first =
      std::find_if(chain.begin(), chain.end(), [&](std::size_t t) { return soft[t] > least; });
  chain.erase(chain.begin(), first);
}

/// The tempo over eight beats, at each of them that has so many behind it.
Series tempos_of(const std::vector<double>& beats) {
  const std::size_t span = std::min<std::size_t>(8, beats.size() - 1);
  Series tempos;
  for (std::size_t i = 0; i + span < beats.size(); ++i)
    tempos.push_back(60 * double(span) / (beats[i + span] - beats[i]));
  return tempos;
}

}  // namespace

Rhythm rhythm_of(const SongSpectrum& spectrum) {
  Rhythm rhythm;
  std::array<Series, rhythm_band_count> rises;
  for (std::size_t b = 0; b < rises.size(); ++b)
    rises[b] = above_its_mean(spectrum.rise[b], onset_rate);
  Series all(rises[0].size(), 0.0);
  for (std::size_t b = 0; b < rises.size(); ++b)
    for (std::size_t t = 0; t < all.size(); ++t) all[t] += band_weights[b] * rises[b][t];
  // notes are few among so many moments: the strong ones are far above most
  const double strong = quantile(all, 0.98);
  if (!(strong > 1e-4)) return rhythm;
  rhythm.onsets = onsets_of(all, strong);
  const std::vector<int> path = tempo_path(rises);
  if (path.empty()) return rhythm;
  Series even = all;  // one very loud note is one beat and no more
  for (double& value : even) value = std::min(1.5, value / strong);
  std::vector<std::size_t> chain = best_chain(even, path);
  cut_ends(even, chain);
  for (const std::size_t t : chain) {
    const double beat = seconds_of(summit_near(all, t));
    if (!rhythm.beats.empty() && beat <= rhythm.beats.back()) continue;
    rhythm.beats.push_back(beat);
    double weight = 0;
    for (std::size_t i = t > 6 ? t - 6 : 0; i <= t + 6 && i < all.size(); ++i)
      weight = std::max(weight, rises[0][i] + 0.5 * rises[1][i]);
    rhythm.weight.push_back(weight);
  }
  if (rhythm.beats.size() < 4) {
    rhythm.beats.clear();
    rhythm.weight.clear();
    return rhythm;
  }
  const Series tempos = tempos_of(rhythm.beats);
  rhythm.bpm = quantile(tempos, 0.5);
  rhythm.least_bpm = *std::min_element(tempos.begin(), tempos.end());
  rhythm.most_bpm = *std::max_element(tempos.begin(), tempos.end());
  return rhythm;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto at = std::ptrdiff_t(share * double(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[std::size_t(at)];
}

std::vector<double> bars_of(const Rhythm& rhythm, int n) {
  const auto count = std::size_t(std::max(1, n));
  std::size_t first = 0;
  double most = -1;
  for (std::size_t i = 0; i < std::min(count, rhythm.beats.size()); ++i) {
    double sum = 0;
    std::size_t beats = 0;
    for (std::size_t k = i; k < rhythm.beats.size(); k += count, ++beats) sum += rhythm.weight[k];
    // where all are alike the first beat of the song begins a bar
    if (sum / double(beats) > 1.05 * most) most = sum / double(beats), first = i;
  }
  std::vector<double> bars;
  for (std::size_t k = first; k < rhythm.beats.size(); k += count) bars.push_back(rhythm.beats[k]);
  return bars;
}

}  // namespace kiln
