// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/render/plan/burn_in.h"

namespace kiln {
namespace {

/// Lags, as shares of all the time that points are watched.
struct Lags {
  double least, most;
};
constexpr Lags soon{0.22, 0.5}, late{0.72, 1};

/// see(before, after) of all pairs of looks with such a lag; the mean of the lags. The first look of a
/// pair is one that has late ones too: what left for ever between is no more seen then.
template <class Value, class See>
double each_pair(const Watched<Value>& seen, const Lags& lags, const See& see) {
  const double all = seen.steps.back() - seen.steps.front();
  double sum = 0, pairs = 0;
  for (std::size_t i = 0; seen.steps.back() - seen.steps[i] >= late.least * all; ++i)
    for (std::size_t j = i + 1; j < seen.steps.size(); ++j) {
      const double lag = seen.steps[j] - seen.steps[i];
      if (lag < lags.least * all || lag > lags.most * all) continue;
      see(seen.points[i], seen.points[j]);
      sum += lag;
      ++pairs;
    }
  return sum / pairs;
}

using Matrix = std::vector<double>;  // [n, n] symmetric

/// Adds A^T A, A the correlations of classes before with classes after, less what chance makes of it.
void add_squares(const Classes& before, const Classes& after, std::size_t n, Matrix& out) {
  const double points = double(before.size());
  std::vector<double> a(n * n), row(n), column(n);
  for (std::size_t i = 0; i < before.size(); ++i) {
    ++a[before[i] * n + after[i]];
    ++row[before[i]];
    ++column[after[i]];
  }
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t c = 0; c < n; ++c) {
      const double chance = row[r] * column[c];
      if (chance > 0) a[r * n + c] = (a[r * n + c] - chance / points) / std::sqrt(chance);
    }
  const double rows = double(n) - double(std::count(row.begin(), row.end(), 0.0));
  for (std::size_t c = 0; c < n; ++c) {
    if (column[c] > 0) out[c * n + c] -= (rows - 1) / points * (1 - column[c] / points);
    for (std::size_t d = 0; d < n; ++d)
      for (std::size_t r = 0; r < n; ++r) out[c * n + d] += a[r * n + c] * a[r * n + d];
  }
}

/// Jacobi's rotations: `a` becomes diagonal, and the rows of what comes back are its eigenvectors.
Matrix diagonalize(Matrix& a, std::size_t n) {
  constexpr int sweeps = 8;
  Matrix vectors(n * n);
  for (std::size_t i = 0; i < n; ++i) vectors[i * n + i] = 1;
  const auto turn = [](double& x, double& y, double c, double s) {
    const double before = x;
    x = c * before - s * y;
    y = s * before + c * y;
  };
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        if (a[p * n + q] == 0) continue;
        const double half = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
        const double tangent = (half < 0 ? -1 : 1) / (std::fabs(half) + std::sqrt(half * half + 1));
        const double c = 1 / std::sqrt(tangent * tangent + 1), s = tangent * c;
        for (std::size_t i = 0; i < n; ++i) turn(a[p * n + i], a[q * n + i], c, s);
        for (std::size_t i = 0; i < n; ++i) turn(a[i * n + p], a[i * n + q], c, s);
        for (std::size_t i = 0; i < n; ++i) turn(vectors[p * n + i], vectors[q * n + i], c, s);
      }
  return vectors;
}

double trace(const Matrix& a, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += a[i * n + i];
  return sum;
}

struct SoonLate {
  double soon, late;
  double left() const { return late / std::max(soon, 1e-9); }
};

/// Joins each part that fades a little slower than a larger one with that one: such a difference is
/// chance, or what one part lost to the other.
std::vector<SoonLate> joined(std::vector<SoonLate> parts) {
  constexpr double little = 0.2;
  std::sort(parts.begin(), parts.end(),
            [](const SoonLate& a, const SoonLate& b) { return a.late > b.late; });
  std::vector<SoonLate> out;
  for (const SoonLate& part : parts) {
    out.push_back(part);
    while (out.size() > 1) {
      const SoonLate last = out.back(), before = out[out.size() - 2];
      if (last.left() <= before.left() || last.left() > before.left() + little) break;
      out.pop_back();
      out.back() = {before.soon + last.soon, before.late + last.late};
    }
  }
  return out;
}

/// The fading of one number that falls with a correlation, not with its square.
Fade fade_of(double soon_lag, double late_lag, double soon_value, double late_value) {
  const SoonLate squares{soon_value * soon_value, late_value * late_value};
  return {late_lag, late_lag - soon_lag, {{squares.late, squares.left()}}};
}

}  // namespace

bool Fade::lasts(const Mode& mode) const {
  constexpr double never =
      10000;  // steps in which a correlation falls to 1/e: nobody waits for that
  return mode.left > 1 - 2 * steps / never;
}

bool Fade::all_last() const {
  return !modes.empty() &&
         std::all_of(modes.begin(), modes.end(), [&](const Mode& mode) { return lasts(mode); });
}

double Fade::steps_to(double enough, double most) const {
  std::vector<Mode> fading;
  for (const Mode& mode : modes)
    if (!lasts(mode)) fading.push_back(mode);
  double at = lag;
  while (at < most) {
    double sum = 0;
    for (Mode& mode : fading) {
      sum += mode.amount;
      mode.amount *= mode.left;
    }
    if (sum <= enough) break;
    at += steps;
  }
  return at;
}

Fade fade_of_classes(const Watched<std::uint16_t>& seen, std::size_t classes) {
  const std::size_t n = classes;
  std::array<Matrix, 2> squares;
  std::array<double, 2> lag;
  const std::array<Lags, 2> lags = {soon, late};
  for (std::size_t when = 0; when < 2; ++when) {
    double pairs = 0;
    squares[when].resize(n * n);
    lag[when] = each_pair(seen, lags[when], [&](const Classes& before, const Classes& after) {
      add_squares(before, after, n, squares[when]);
      ++pairs;
    });
    for (double& square : squares[when]) square /= pairs;
  }
  Fade fade{lag[1], lag[1] - lag[0], {}};
  const SoonLate all{trace(squares[0], n), trace(squares[1], n)};
  if (const Mode mode{all.late, all.left()}; fade.lasts(mode)) {
    fade.modes = {mode};
    return fade;
  }
  // in which classes slow parts are is best seen when the fast ones are gone
  const Matrix vectors = diagonalize(squares[1], n);
  std::vector<SoonLate> parts;
  const double chance = 4 * double(n) / double(seen.points[0].size());
  for (std::size_t v = 0; v < n; ++v) {
    double before = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        before += vectors[v * n + i] * squares[0][i * n + j] * vectors[v * n + j];
    if (squares[1][v * n + v] > chance) parts.push_back({before, squares[1][v * n + v]});
  }
  for (const SoonLate& part : joined(parts)) fade.modes.push_back({part.late, part.left()});
  return fade;
}

Fade fade_of_staying(const Watched<std::uint16_t>& seen, std::size_t classes, double surprise) {
  const auto more_than_chance = [&](const Lags& lags, std::vector<double>& more) {
    double pairs = 0;
    const double lag = each_pair(seen, lags, [&](const Classes& before, const Classes& after) {
      std::vector<double> was(classes), is(classes);
      for (std::size_t i = 0; i < before.size(); ++i) {
        ++was[before[i]];
        ++is[after[i]];
        more[before[i]] += before[i] == after[i];
      }
      for (std::size_t c = 0; c < classes; ++c) more[c] -= was[c] * is[c] / double(before.size());
      ++pairs;
    });
    for (double& m : more) m /= pairs;
    return lag;
  };
  std::vector<double> early(classes), later(classes);
  const double soon_lag = more_than_chance(soon, early), late_lag = more_than_chance(late, later);
  const std::size_t most =
      std::size_t(std::max_element(later.begin(), later.end()) - later.begin());
  if (later[most] <= surprise) return {late_lag, late_lag - soon_lag, {}};
  return fade_of(soon_lag, late_lag, early[most], later[most]);
}

Fade fade_of_colors(const Watched<float>& seen) {
  const auto slope = [&](const Lags& lags, double& lag) {
    double together = 0, alone = 0;
    lag = each_pair(seen, lags, [&](const std::vector<float>& before, const auto& after) {
      double x = 0, y = 0, xx = 0, xy = 0;
      for (std::size_t i = 0; i < before.size(); ++i) {
        x += before[i];
        y += after[i];
        xx += double(before[i]) * before[i];
        xy += double(before[i]) * after[i];
      }
      together += xy - x * y / double(before.size());
      alone += xx - x * x / double(before.size());
    });
    return alone > 0 ? together / alone : 0;
  };
  double soon_lag, late_lag;
  const double soon_slope = slope(soon, soon_lag), late_slope = slope(late, late_lag);
  return fade_of(soon_lag, late_lag, soon_slope, std::max(late_slope, 0.0));
}

}  // namespace kiln
