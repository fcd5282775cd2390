// SPDX-License-Identifier: MIT
#include "engine/fft/transform.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/error.h"
#include "engine/fft/jobs.h"

namespace kiln {
namespace {

constexpr i64 most_spectrum_in_cache = 8 << 20;  // bytes, beside the lines in work

constexpr i32 spectrum_tile = 4;  // pixels: with two halves each, the columns one CUDA block takes

LineAddress contiguous(i64 points) {
  LineAddress address;
  address.outer_step = points;
  return address;
}

/// Columns of pictures of two complex numbers a pixel.
LineAddress pixel_columns(i32 stride, i32 extent) {
  LineAddress address;
  address.inner = 2 * stride;
  address.inner_step = 1;
  address.point_step = 2 * i64(stride);
  address.extent = extent;
  return address;
}

/// Columns of contiguous height x width pictures; one complex number a pixel.
LineAddress complex_columns(i32 width, i32 height) {
  LineAddress address;
  address.inner = width;
  address.inner_step = 1;
  address.outer_step = i64(width) * height;
  address.point_step = width;
  return address;
}

i32 row_length(i64 points) {
  return is_one_line(points) ? i32(points) : split_long_line(points).rows;
}

void check_length(i64 points) {
  if (!is_fft_length(points)) {
    throw Error(
        ErrorKind::unsupported,
        fmt::format("there is no FFT of {} points; lengths are 2^a 3^b 5^c up to 2^24", points));
  }
}

/// The points that the widest filter needs beyond a picture's edge, on its wider side.
i32 padding(const std::vector<FilterTaps>& filters, bool horizontal) {
  i32 most = 0;
  for (const FilterTaps& filter : filters) {
    const i32 size = horizontal ? filter.width : filter.height;
    const i32 center = horizontal ? filter.center_x : filter.center_y;
    if (size < 1 || filter.height < 1 ||
        filter.values.size() != std::size_t(filter.width) * std::size_t(filter.height)) {
      throw Error(ErrorKind::usage, "a filter needs width x height taps");
    }
    most = std::max({most, std::abs(center), std::abs(size - 1 - center)});
  }
  return most;
}

bool is_symmetric(const FilterTaps& filter) {
  if (2 * filter.center_x != filter.width - 1 || 2 * filter.center_y != filter.height - 1)
    return false;
  const std::size_t n = filter.values.size();
  for (std::size_t i = 0; i < n / 2; ++i) {
    if (filter.values[i] != filter.values[n - 1 - i]) return false;
  }
  return true;
}

FftPlan column_plan(Device& device, i32 points, std::size_t filters) {
  return FftPlan(device, points, filters == 1 ? convolution_column_radix(points) : 0);
}

}  // namespace

// ---- one line after the other ----

Fft::Fft(Device& device, i64 points, i32 lines, std::optional<LineAddress> address,
         int largest_radix)
    : device_(device),
      points_((check_length(points), points)),
      lines_(lines),
      address_(address.value_or(contiguous(points))),
      rows_(device, row_length(points), largest_radix) {
  address_.extent = 1 << 30;
  if (is_one_line(points)) return;
  if (address_.middle != 1) {
    throw Error(ErrorKind::unsupported, "long FFT lines have two levels of addresses at most");
  }
  columns_.emplace(device, split_long_line(points).columns, largest_radix);
  rotation_.emplace(device, columns_->line(), rows_.line().points);
  between_ = DeviceArray<Complex>(device, std::size_t(points) * std::size_t(lines));
}

void Fft::run(const Complex* in, Complex* out, bool inverse) const {
  const float scale = inverse ? float(1 / double(points_)) : 1.0f;
  if (!columns_) {
    FftLines job = job_of(rows_.line(), lines_, !inverse, inverse);
    job.in[0] = in;
    job.out = out;
    job.from = job.to = address_;
    job.scale = scale;
    device_.transform(job);
    return;
  }
  const i32 n1 = columns_->line().points, n2 = rows_.line().points;
  // point j1 n2 + j2 of a user's line, as columns; frequency k1 + n1 k2, as rows
  LineAddress user_columns = address_, user_rows = address_;
  user_columns.middle = user_rows.middle = address_.inner;
  user_columns.middle_step = user_rows.middle_step = address_.inner_step;
  user_columns.inner_step = user_rows.inner_step = address_.point_step;
  user_columns.inner = n2;
  user_columns.point_step = n2 * address_.point_step;
  user_rows.inner = n1;
  user_rows.point_step = n1 * address_.point_step;
  const LineAddress between_columns = complex_columns(n2, n1), between_rows = contiguous(n2);

  FftLines columns = job_of(columns_->line(), i64(lines_) * n2, !inverse, inverse);
  columns.rotation = rotation_->rotation();
  FftLines rows = job_of(rows_.line(), i64(lines_) * n1, !inverse, inverse);
  (inverse ? columns : rows).scale = scale;
  columns.from = columns.to = between_columns;
  rows.from = rows.to = between_rows;
  FftLines& first = inverse ? rows : columns;
  FftLines& second = inverse ? columns : rows;
  first.in[0] = in;
  first.from = inverse ? user_rows : user_columns;
  first.out = between_.data();
  second.in[0] = between_.data();
  second.out = out;
  second.to = inverse ? user_columns : user_rows;
  device_.transform(first);
  device_.transform(second);
}

// ---- forward x spectrum x inverse ----

FftChain::FftChain(Device& device, i64 points, i32 lines, int largest_radix)
    : device_(device),
      points_((check_length(points), points)),
      lines_(lines),
      rows_(device, row_length(points), largest_radix),
      spectrum_(device, std::size_t(points)) {
  if (is_one_line(points)) return;
  columns_.emplace(device, split_long_line(points).columns, largest_radix);
  rotation_.emplace(device, columns_->line(), rows_.line().points);
}

FftLines FftChain::columns_job(bool inverse) const {
  const i32 n1 = columns_->line().points, n2 = rows_.line().points;
  FftLines job = job_of(columns_->line(), i64(lines_) * n2, !inverse, inverse);
  job.from = job.to = complex_columns(n2, n1);
  job.rotation = rotation_->rotation();
  return job;
}

void FftChain::set_kernel(const std::vector<Complex>& taps) {
  if (i64(taps.size()) != points_) {
    throw Error(ErrorKind::usage, fmt::format("{} taps for {} points", taps.size(), points_));
  }
  device_.upload(spectrum_.data(), taps.data(), taps.size() * sizeof(Complex));
  FftLines rows = job_of(rows_.line(), 1, true, false);
  if (columns_) {
    FftLines columns = columns_job(false);
    columns.lines = rows_.line().points;
    columns.in[0] = spectrum_.data();
    columns.out = spectrum_.data();
    device_.transform(columns);
    rows.lines = columns_->line().points;
  }
  rows.in[0] = spectrum_.data();
  rows.out = spectrum_.data();
  rows.from = rows.to = contiguous(rows_.line().points);
  device_.transform(rows);
}

void FftChain::run(const Complex* in, Complex* out) const {
  const i32 n1 = columns_ ? columns_->line().points : 1, n2 = rows_.line().points;
  FftLines rows = job_of(rows_.line(), i64(lines_) * n1, true, true);
  rows.in[0] = columns_ ? out : in;
  rows.out = out;
  rows.from = contiguous(n2);
  rows.spectrum[0].complex = spectrum_.data();
  rows.spectrum[0].count = n1;
  if (points_ * i64(sizeof(Complex)) > most_spectrum_in_cache) {
    // all lines' row k1 in turn: neighboring blocks read the same part of the spectrum
    rows.from.inner = lines_;
    rows.from.inner_step = points_;
    rows.from.outer_step = n2;
    rows.spectrum[0].share = lines_;
  }
  rows.to = rows.from;
  if (!columns_) {
    rows.scale = float(1 / double(points_));
    device_.transform(rows);
    return;
  }
  FftLines columns = columns_job(false), back = columns_job(true);
  columns.in[0] = in;
  columns.out = out;
  back.in[0] = out;
  back.out = out;
  back.scale = float(1 / double(points_));
  device_.transform(std::array{columns, rows, back}, lines_);
}

// ---- pictures ----

Fft2d::Fft2d(Device& device, i32 width, i32 height, i32 batch, int largest_radix)
    : device_(device),
      width_(width),
      height_(height),
      batch_(batch),
      rows_(device, width, largest_radix),
      columns_(device, height, largest_radix) {}

void Fft2d::forward(const Complex* in, Complex* out) const { run(in, out, false); }
void Fft2d::inverse(const Complex* in, Complex* out) const { run(in, out, true); }

void Fft2d::run(const Complex* in, Complex* out, bool inverse) const {
  FftLines rows = job_of(rows_.line(), i64(height_) * batch_, !inverse, inverse);
  rows.from = rows.to = contiguous(width_);
  FftLines columns = job_of(columns_.line(), i64(width_) * batch_, !inverse, inverse);
  columns.from = columns.to = complex_columns(width_, height_);
  FftLines& first = inverse ? columns : rows;
  FftLines& second = inverse ? rows : columns;
  first.in[0] = in;
  first.out = second.out = out;
  second.in[0] = out;
  if (inverse) second.scale = float(1 / (double(width_) * height_));
  device_.transform(std::array{first, second}, batch_);
}

Convolution::Convolution(Device& device, i32 width, i32 height,
                         const std::vector<FilterTaps>& filters)
    : device_(device),
      width_(width),
      height_(height),
      rows_(device, next_fft_length(width + padding(filters, true))),
      columns_(
          column_plan(device, next_fft_length(height + padding(filters, false)), filters.size())),
      real_(filters.size()),
      complex_(filters.size()) {
  if (filters.empty() || filters.size() > std::size_t(fft_most_terms)) {
    throw Error(ErrorKind::usage,
                fmt::format("1 to {} filters, not {}", fft_most_terms, filters.size()));
  }
  for (std::size_t i = 0; i < filters.size(); ++i) {
    set_spectrum(i, filters[i]);
  }
  make_work(filters.size());
}

Convolution::Convolution(Device& device, i32 width, i32 height, const DeviceTaps& filter)
    : device_(device),
      width_(width),
      height_(height),
      rows_(device, filter.padded_width),
      columns_(column_plan(device, filter.padded_height, 1)),
      real_(1),
      complex_(1) {
  {
    const DeviceArray<Complex> taps(
        device, std::size_t(filter.padded_width) * std::size_t(filter.padded_height));
    filter.write(taps.data());
    transform_taps(0, taps.data(), filter.symmetric);
  }
  make_work(1);
}

void Convolution::make_work(std::size_t terms) {
  tile_ = device_.picture_tile(padded_width());
  if (tile_ != 0 && padded_width() % tile_ != 0) tile_ = 0;
  // rows without padding stay where the result goes
  if (terms == 1 && width_ == padded_width() && tile_ == 0) return;
  for (std::size_t i = 0; i < terms; ++i) {
    work_.emplace_back(device_, 2 * std::size_t(padded_width()) * std::size_t(height_));
  }
}

void Convolution::set_spectrum(std::size_t term, const FilterTaps& filter) {
  const i32 w = padded_width(), h = padded_height();
  const std::size_t size = std::size_t(w) * std::size_t(h);
  std::vector<Complex> taps(size, Complex{0, 0});
  for (i32 y = 0; y < filter.height; ++y) {
    for (i32 x = 0; x < filter.width; ++x) {
      // correlation by convolution: the tap for offset +d stands at -d
      const i32 at_x = ((filter.center_x - x) % w + w) % w,
                at_y = ((filter.center_y - y) % h + h) % h;
      taps[std::size_t(at_y) * std::size_t(w) + std::size_t(at_x)].re +=
          filter.values[std::size_t(y) * std::size_t(filter.width) + std::size_t(x)];
    }
  }
  const DeviceArray<Complex> picture(device_, taps);
  transform_taps(term, picture.data(), is_symmetric(filter));
}

/// The spectrum of taps that are on the device; they are used up.
void Convolution::transform_taps(std::size_t term, Complex* taps, bool symmetric) {
  const i32 w = padded_width(), h = padded_height();
  const std::size_t size = std::size_t(w) * std::size_t(h);
  FftLines rows = job_of(rows_.line(), h, true, false);
  rows.in[0] = taps;
  rows.out = taps;
  rows.from = rows.to = contiguous(w);
  device_.transform(rows);

  FftLines columns = job_of(columns_.line(), w, true, false);
  columns.in[0] = taps;
  columns.from = complex_columns(w, h);
  columns.to.inner = spectrum_tile;
  columns.to.inner_step = 1;
  columns.to.outer_step = i64(spectrum_tile) * h;
  columns.to.point_step = spectrum_tile;
  columns.scale = float(1 / (double(w) * h));
  columns.real_output = symmetric;
  if (columns.real_output) {
    real_[term] = DeviceArray<float>(device_, size);
    columns.out = real_[term].data();
  } else {
    complex_[term] = DeviceArray<Complex>(device_, size);
    columns.out = complex_[term].data();
  }
  device_.transform(columns);
  device_.wait();
}

void Convolution::run(const std::vector<const Vec4*>& pictures, Vec4* out) const {
  const i32 w = padded_width();
  // between rows and columns: [height, w, 2], or tiles of [height, tile, 2]
  LineAddress between_rows = pixel_rows(w, w), between_columns = pixel_columns(w, height_);
  if (tile_ != 0) {
    between_rows.outer_step = 2 * tile_;
    between_rows.tile = tile_;
    between_rows.tile_step = 2 * i64(tile_) * height_;
    between_columns.inner = 2 * tile_;
    between_columns.outer_step = between_rows.tile_step;
    between_columns.point_step = 2 * tile_;
  }
  if (pictures.size() != real_.size()) {
    throw Error(ErrorKind::usage,
                fmt::format("{} pictures for {} filters", pictures.size(), real_.size()));
  }
  const auto work = [&](std::size_t i) {
    return work_.empty() ? reinterpret_cast<Complex*>(out) : work_[i].data();
  };
  FftLines columns = job_of(columns_.line(), 2 * i64(w), true, true);
  columns.terms = i32(pictures.size());
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    FftLines rows = job_of(rows_.line(), 2 * i64(height_), true, false);
    rows.in[0] = reinterpret_cast<const Complex*>(pictures[i]);
    rows.from = pixel_rows(width_, width_);
    rows.out = work(i);
    rows.to = between_rows;
    device_.transform(rows);

    columns.in[i] = work(i);
    columns.spectrum[i].real = real_[i].data();
    columns.spectrum[i].complex = complex_[i].data();
    columns.spectrum[i].share = 2;
    columns.spectrum[i].count = w;
    columns.spectrum[i].tile = spectrum_tile;
  }
  columns.out = work(0);
  columns.from = columns.to = between_columns;
  device_.transform(columns);

  FftLines rows = job_of(rows_.line(), 2 * i64(height_), false, true);
  rows.in[0] = work(0);
  rows.from = between_rows;
  rows.out = out;
  rows.to = pixel_rows(width_, width_);
  device_.transform(rows);
}

}  // namespace kiln
