#include "engine/render/kept_game.h"

#include <algorithm>
#include <chrono>
#include <system_error>

#include "engine/base/error.h"
#include "engine/render/sums_digest.h"

namespace kiln {

UnitSet units_of_share(std::uint64_t whole_units, std::uint64_t lineages, const Share& share) {
  const auto part_of = [&](std::uint64_t all) {
    const std::uint64_t of = std::uint64_t(share.of), number = std::uint64_t(share.number);
    return UnitRange{all * (number - 1) / of, all * number / of};  // units are below 2^32
  };
  if (lineages == 0 || whole_units <= lineages) return UnitSet(part_of(whole_units));
  UnitSet units;
  const UnitRange part = part_of(lineages);
  for (std::uint64_t turn = 0; turn < whole_units; turn += lineages)
    units.add({turn + part.first, std::min(turn + part.end, whole_units)});
  return units;
}

void check_keeping(const PreparedFrame& frame, const RenderOptions& options) {
  const std::string place = frame.flame.place();
  if (frame.flame.passes > 1) {
    fail(ErrorKind::usage,
         "{}: the flame has {} passes, each with sums of its own, and a state holds one; "
         "--set passes=1 renders it in one",
         place, frame.flame.passes);
  }
  if (frame.compiled.program.moment_count > 1)
    fail(ErrorKind::usage, "{}: a state holds no motion blur; animations go on by --resume", place);
  if (!options.helpers.empty()) {
    fail(ErrorKind::usage,
         "{}: the sums of several devices are not kept together; leave --devices out, or give each "
         "device a --shard of its own",
         place);
  }
  if (options.game != Game::permutation)
    fail(ErrorKind::usage, "{}: cross-checks have no state; leave --strategy and --rng out", place);
}

std::uint64_t kept_bytes(const PreparedFrame& frame, const Keeping& keeping) {
  const BufferGeometry& buffer = frame.plan.geometry;
  const std::uint64_t channels = frame.compiled.table.opaque ? 4 : 5;
  const std::uint64_t bytes =
      std::uint64_t(buffer.width) * std::uint64_t(buffer.height) * channels * sizeof(std::uint64_t);
  const bool halves = keeping.sums.shape.half_units > 0;
  const int copies = keeping.save ? 1 : 0;
  return bytes * std::uint64_t(halves ? 2 * copies + 1 : copies);
}

KeptGame::KeptGame(Device& device, GameRunner& game, const PreparedFrame& frame,
                   const RenderOptions& options, Keeping& keeping, std::uint64_t* histogram)
    : device_(device),
      game_(game),
      options_(options),
      keeping_(keeping),
      shape_(sums_shape(frame, options)),
      histograms_{histogram} {
  game_.begin(options.seed, 0, flam3_fuse(options));
  shape_.lineages = std::uint32_t(game_.lineages());
  shape_.pool_bytes = game_.lineages() ? std::uint32_t(game_.pool_bytes()) : 0;
  shape_.half_units = keeping.sums.shape.half_units;
  if (!keeping.sums.shape.digest.empty()) check_shape();
  if (shape_.half_units) {
    odd_half_ = {device, shape_.values()};
    odd_half_.clear();
    histograms_.push_back(odd_half_.data());
  }
  restore();
}

void KeptGame::check_shape() const {
  const SumsShape& there = keeping_.sums.shape;
  if (there.width != shape_.width || there.height != shape_.height ||
      there.supersample != shape_.supersample) {
    fail(ErrorKind::usage,
         "the state has sums of {} x {} buckets (supersample {}, {} around the picture), and this "
         "picture needs {} x {} (supersample {}, {}); sizes, supersample and reach of filter and "
         "estimator have to stay, or the flame is rendered anew",
         there.width, there.height, there.supersample, there.gutter, shape_.width, shape_.height,
         shape_.supersample, shape_.gutter);
  }
  if (there != shape_)
    fail(ErrorKind::usage,
         "the state is of another flame, seed, camera, palette or --compat than this picture: its "
         "sums cannot be gone on with; leave out what changed, or render anew");
  const std::uint64_t whole = game_.whole_units();
  if (keeping_.sums.done.end() > whole) {
    fail(ErrorKind::usage,
         "the state has unit {} already and this picture ends with unit {}: sums cannot be taken "
         "back; ask for a higher --quality, or render anew",
         keeping_.sums.done.end() - 1, whole);
  }
}

void KeptGame::restore() {
  SavedSums& sums = keeping_.sums;
  if (sums.shape.digest.empty()) {
    device_.clear(histograms_[0], shape_.values() * sizeof(std::uint64_t));
    sums.shape = shape_;
    return;
  }
  for (std::size_t i = 0; i < histograms_.size(); ++i) {
    KILN_CHECK(sums.histograms[i].size() == shape_.values(), "{} sums", sums.histograms[i].size());
    device_.upload(histograms_[i], sums.histograms[i].data(),
                   shape_.values() * sizeof(std::uint64_t));
  }
  for (const auto& [lineage, pool] : sums.pools) {
    if (lineage < game_.units()) game_.restore_pool(lineage, pool);
  }
  sums.histograms.clear();  // the device has them
  done_ = sums.done;
  earlier_ = done_.count();
  earlier_bad_values_ = sums.bad_values;
}

std::uint64_t KeptGame::samples_to_play() const {
  const UnitSet share = units_of_share(game_.whole_units(), game_.lineages(), keeping_.share);
  std::uint64_t units = 0;
  for (const UnitRange& range : share.ranges()) units += done_.missing_of(range).count();
  return std::max<std::uint64_t>(units, 1) * unit_samples;
}

GameTotals KeptGame::totals() const {
  return {earlier_samples() + played_.samples, earlier_bad_values_ + played_.bad_values};
}

bool KeptGame::play(const std::function<void(std::uint64_t)>& on_progress) {
  const UnitSet share = units_of_share(game_.whole_units(), game_.lineages(), keeping_.share);
  for (const UnitRange& wanted : share.ranges()) {
    const UnitSet missing = done_.missing_of(wanted);
    if (keeping_.only_look && missing.count() > 0)
      fail(ErrorKind::input, "units {} are missing; kiln render of the state renders them",
           in_words(missing));
    for (const UnitRange& range : missing.ranges()) {
      if (play_range(range, on_progress)) continue;
      finish_saving(true);
      keeping_.stopped = true;
      return false;
    }
  }
  finish_saving(false);
  if (keeping_.save) start_saving();
  const bool whole_picture = done_.contains(whole());
  if (!whole_picture) {
    finish_saving(true);
    return false;
  }
  if (histograms_.size() > 1) join_halves();
  complete(played_);
  finish_saving(true);
  return true;
}

void KeptGame::complete(GameTotals& totals) {
  if (game_.whole_units() < game_.units())
    game_.play_some({game_.whole_units(), game_.units()}, histograms_[0], totals, [] {});
}

bool KeptGame::play_range(UnitRange range, const std::function<void(std::uint64_t)>& on_progress) {
  const auto ask = [&] { on_progress(played_.samples); };
  while (range.first < range.end) {
    UnitRange part = range;
    std::size_t half = 0;
    if (const std::uint64_t units = shape_.half_units) {
      half = range.first / units % 2;
      part.end = std::min(part.end, (range.first / units + 1) * units);
    }
    const std::uint64_t count = game_.play_some(part, histograms_[half], played_, ask);
    done_.add({range.first, range.first + count});
    range.first += count;
    ask();
    const Keeping::Wish wish = keeping_.ask ? keeping_.ask() : Keeping::Wish::go_on;
    if (wish == Keeping::Wish::stop) {
      finish_saving(false);
      start_saving();
      return false;
    }
    wants_save_ |= wish == Keeping::Wish::save;
    if (wants_save_ && !is_saving()) {
      finish_saving(false);
      start_saving();
    }
  }
  return true;
}

void KeptGame::copy_sums() {
  SavedSums& sums = keeping_.sums;
  sums.histograms.resize(histograms_.size());
  for (std::size_t i = 0; i < histograms_.size(); ++i) {
    sums.histograms[i].resize(shape_.values());
    device_.download(sums.histograms[i].data(), histograms_[i],
                     shape_.values() * sizeof(std::uint64_t));
  }
  for (std::uint64_t lineage = 0; lineage < game_.lineages(); ++lineage) {
    if (done_.contains({lineage, lineage + 1}))
      sums.pools[std::uint32_t(lineage)] = game_.pool(lineage);
  }
  sums.done = done_;
  sums.bad_values = totals().bad_values;
}

void KeptGame::start_saving() {
  wants_save_ = false;
  copy_sums();
  const auto save = [this] { keeping_.save(keeping_.sums); };
  const auto policy = options_.threads == 1 ? std::launch::deferred : std::launch::async;
  try {
    saving_ = std::async(policy, save);
  } catch (const std::system_error&) {  // no thread is to be had: when it is waited for
    saving_ = std::async(std::launch::deferred, save);
  }
}

bool KeptGame::is_saving() const {
  return saving_.valid() &&
         saving_.wait_for(std::chrono::seconds(0)) == std::future_status::timeout;
}

void KeptGame::finish_saving(bool last) {
  if (!saving_.valid()) return;
  try {
    saving_.get();
  } catch (const Error& error) {
    if (last) throw;
    if (keeping_.warn) keeping_.warn(error.what());
  }
}

void KeptGame::join_halves() {
  std::vector<std::uint64_t> sum(shape_.values());
  const std::vector<std::uint64_t> odd = odd_half_.download();
  device_.download(sum.data(), histograms_[0], sum.size() * sizeof(std::uint64_t));
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += odd[i];
  device_.upload(histograms_[0], sum.data(), sum.size() * sizeof(std::uint64_t));
}

}  // namespace kiln
