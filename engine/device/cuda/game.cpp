// SPDX-License-Identifier: MIT
// The chaos game on a GPU. Records of a launch wait in pages of their tile (record_ring.cuh), and
// are summed from there (record_sorter.h).
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/device/cuda/check.h"
#include "engine/device/cuda/checks/divergent_shares.h"
#include "engine/device/cuda/checks/mtgp32.h"
#include "engine/device/cuda/jit/flame_code.h"
#include "engine/device/cuda/kernel.h"
#include "engine/device/cuda/memory.h"
#include "engine/device/cuda/own_kernels.h"
#include "engine/device/cuda/record_sorter.h"
#include "engine/program/compiled_flame.h"
#include "kernels/formula_list.h"
#include "kernels/thread_formula.h"

KILN_DEVICE_CODE(plain_games)
KILN_DEVICE_CODE(extended_game)
KILN_DEVICE_CODE(jwildfire_game)
KILN_DEVICE_CODE(formula_game)
KILN_DEVICE_CODE(plain_formula_game)
KILN_DEVICE_CODE(fine_game)
KILN_DEVICE_CODE(divergent)
KILN_DEVICE_CODE(mtgp32)

namespace kiln {
namespace {

using UnitsKernel = Kernel<PoolArguments>;
using ManyKernel = Kernel<Many<UnitsOfOne>>;

UnitsKernel warm_any(code_plain_games, "kiln_warm_any", pool_lanes);
UnitsKernel play_any(code_plain_games, "kiln_play_any", pool_lanes);
UnitsKernel play_plain(code_plain_games, "kiln_play_plain", pool_lanes);
UnitsKernel play_final(code_plain_games, "kiln_play_final", pool_lanes);
UnitsKernel play_xaos(code_plain_games, "kiln_play_xaos", pool_lanes);
UnitsKernel play_xaos_final(code_plain_games, "kiln_play_xaos_final", pool_lanes);
ManyKernel many_any(code_plain_games, "kiln_many_any", pool_lanes);
ManyKernel many_plain(code_plain_games, "kiln_many_plain", pool_lanes);
UnitsKernel warm_extended(code_extended_game, "kiln_warm_extended", pool_lanes);
UnitsKernel play_extended(code_extended_game, "kiln_play_extended", pool_lanes);
ManyKernel many_extended(code_extended_game, "kiln_many_extended", pool_lanes);
ManyKernel many_jwildfire(code_jwildfire_game, "kiln_many_jwildfire", pool_lanes);
ManyKernel many_formula(code_formula_game, "kiln_many_formula", pool_lanes);
UnitsKernel warm_plain_formula(code_plain_formula_game, "kiln_warm_plain_formula", pool_lanes);
UnitsKernel play_plain_formula(code_plain_formula_game, "kiln_play_plain_formula", pool_lanes);
UnitsKernel warm_fine(code_fine_game, "kiln_warm_fine", pool_lanes);
UnitsKernel play_fine(code_fine_game, "kiln_play_fine", pool_lanes);
ManyKernel many_fine(code_fine_game, "kiln_many_fine", pool_lanes);
UnitsKernel warm_divergent(code_divergent, "kiln_warm_divergent", pool_lanes);
UnitsKernel play_divergent(code_divergent, "kiln_play_divergent", pool_lanes);

using Mtgp32Kernel = Kernel<PoolArguments, void*, u32*, u32*>;
Mtgp32Kernel warm_mtgp32(code_mtgp32, "kiln_warm_mtgp32", pool_lanes);
Mtgp32Kernel play_mtgp32(code_mtgp32, "kiln_play_mtgp32", pool_lanes);
Kernel<void*> fill_mtgp32_tables(code_mtgp32, "kiln_mtgp32_tables", 16);
Kernel<void*, void*, u32*, u64, u32> seed_mtgp32(code_mtgp32, "kiln_mtgp32_seed", 128);

constexpr int static_shared = 5120;  // more than what the kernels declare statically
constexpr int plain_formula_shared =
    most_thread_registers * thread_register_bytes;      // beside that, of plain formula flames
constexpr int usual_moving_shared = 3840;               // and the numbers of most flames in motion
constexpr std::uint64_t worth_own_kernels = 200000000;  // samples: some milliseconds of work
constexpr int waves = 3;  // units of a launch at most, in blocks that run at once
constexpr std::uint64_t records_a_pixel = 700;  // of a launch, if its units allow

/// The part that all ways of playing share; each says which kernels it launches.
class CudaGame : public DeviceGame {
 public:
  explicit CudaGame(CudaMemory& device) : device_(device) {}
  ~CudaGame() override { CudaGame::end(); }

  bool can_sort(const CompiledFlame& flame) const override {
    return shape_of(flame.program, recorded_tiling(flame), 1, statics_of(flame.program))
               .shared_bytes > 0;
  }
  GamePlan plan(const CompiledFlame& flame, std::uint64_t unit_count,
                std::uint64_t max_memory_bytes) override {
    const Tiling tiling = tiles_of(flame), recorded = recorded_tiling(flame);
    GamePlan plan;
    const int statics = statics_of(flame.program);
    shape_ = shape_of(flame.program, recorded, 2, statics);
    if (shape_.shared_bytes == 0) shape_ = shape_of(flame.program, recorded, 1, statics);
    if (shape_.shared_bytes == 0) {
      device_error("the picture has " + std::to_string(tiling.tile_count) + " tiles of " +
                   std::to_string(tiling.columns()) + "x" + std::to_string(tiling.rows()) +
                   " buffer pixels, more than this GPU's shared memory can sort; lower "
                   "--supersample or the size, or use --backend cpu");
    }
    const std::uint64_t wave = std::uint64_t(device_.units_at_once());
    // as many as RecordPages::pages_for has
    const std::uint64_t page_bytes = RecordPages::page_bytes,
                        four_steps_pages = 9 * pool_slots / record_page;
    const std::uint64_t unit_most = unit_steps + 64;  // bad values make a unit longer
    std::uint64_t budget = device_.free_memory_bytes() / 3;
    if (max_memory_bytes) budget = std::min(budget, max_memory_bytes / 2);
    const std::uint64_t recorded_budget =
        std::min(budget, std::uint64_t(16) << 30);  // below 2^32 records
    const std::uint64_t fixed = std::uint64_t(recorded.tile_count) * page_bytes;
    const std::uint64_t steps =
        recorded_budget > fixed ? (recorded_budget - fixed) / page_bytes * 4 / four_steps_pages : 1;
    // a tile visit must bring many more records than the tile has pixels
    const std::uint64_t pixels = std::uint64_t(tiling.tile_count) * std::uint64_t(tiling.pixels());
    const std::uint64_t wanted = pixels * records_a_pixel / (wave * unit_samples) + 1;
    plan.units =
        int(std::min(unit_count, wave * std::clamp<std::uint64_t>(
                                            std::min(wanted, steps / unit_most / wave), 1, waves)));
    step_quota_ = int(
        std::clamp<std::uint64_t>(steps / std::uint64_t(plan.units), std::uint64_t(1), unit_most));
    const auto plan_records = [&] {
      records_.plan(tiling, recorded,
                    std::uint64_t(step_quota_) * std::uint64_t(plan.units) * pool_slots);
    };
    plan_records();
    while (records_.sorts_twice() && records_.bytes() > budget && step_quota_ > 1) {
      step_quota_ = step_quota_ * 3 / 4;
      plan_records();
    }
    plan.memory_bytes = records_.bytes();
    return plan;
  }
  void begin(const GamePlan&, const CompiledFlame&) override {
    device_.come_here();  // kernels of the flame's own are loaded into its context
    records_.begin(*this);
    unfinished_ = game_array<u32>(1);
  }
  void warm_up(const ChaosGame& game, int units) override {
    device_.check_stop();
    device_.come_here();
    launch(game, nullptr, units);
  }
  void play(const ChaosGame& game, const AccumulateTiles& sums, int units) override {
    device_.come_here();
    ChaosGame part = game;
    part.program.tiling = records_.recorded_tiling();
    u32 unfinished = 0;
    do {
      device_.check_stop();
      records_.reset(device_.properties(), device_.stream());
      device_.clear(unfinished_, sizeof(u32));
      launch(part, unfinished_, units);
      records_.add_to_histogram(sums, device_.properties(), device_.stream());
      device_.download(&unfinished, unfinished_, sizeof unfinished);
    } while (unfinished > 0);
  }
  void end() override {
    for (void* memory : game_memory_) device_.release(memory);
    game_memory_.clear();
  }

  // ---- with others: what launches of many games need of this one ----

  UnitsOfOne units_of_one(const UnitsTogether& units) const {
    if (!units.plays) return {arguments_for(shape_, units.chaos, nullptr), units.warms_up};
    ChaosGame part = units.chaos;
    part.program.tiling = records_.recorded_tiling();
    return {arguments_for(shape_, part, unfinished_), units.warms_up};
  }
  int shared_bytes() const { return shape_.shared_bytes; }
  const RecordSorter& records() const { return records_; }
  u32* unfinished() const { return unfinished_; }

  /// Memory until the game's end.
  template <class T>
  T* game_array(std::size_t count) {
    T* array = static_cast<T*>(device_.allocate(count * sizeof(T)));
    game_memory_.push_back(array);
    return array;
  }

 protected:
  /// The division of a block's shared memory.
  struct PoolShape {
    int tail_bytes = 0, shared_bytes = 0;  // 0: does not fit
  };

  /// Runs the units: warms them up, or records and counts those that are not `unfinished`.
  virtual void launch(const ChaosGame& game, u32* unfinished, int units) = 0;
  /// Bytes of a block's dynamic shared memory in front of the records.
  virtual int tail_bytes(const Program& program) const {
    return int(program.has_xaos || program.steering ? sizeof(CudaPoolShared) : sizeof(PoolPoints));
  }

  PoolShape shape_of(const Program& program, const Tiling& recorded, int blocks_a_multiprocessor,
                     int statics) const {
    const int tiles = recorded.tile_count;
    PoolShape shape;
    shape.tail_bytes = tail_bytes(program);
    const int bytes = shape.tail_bytes + CudaRing::bytes(tiles);
    if (bytes <= block_bytes(blocks_a_multiprocessor, statics) && tiles < no_tile)
      shape.shared_bytes = bytes;
    return shape;
  }
  /// Static shared memory of the interpreter's kernel for the registers of formulas; 0 where a block has no room for
  /// them, and the flame is not played as a plain one.
  int thread_formula_shared(const Program& program) const {
    if (program.extended != of_plain_formulas_list) return 0;
    constexpr int usual_tiles = 600;
    const int bytes = tail_bytes(program) + CudaRing::bytes(usual_tiles);
    const int blocks = bytes <= block_bytes(2, static_shared) ? 2 : 1;
    return bytes <= block_bytes(blocks, static_shared + plain_formula_shared) ? plain_formula_shared
                                                                              : 0;
  }
  int statics_of(const Program& program) const {
    return static_shared + thread_formula_shared(program);
  }
  int statics_of(const CompiledFlame& flame) const {
    if (flame.program.time_sample_count == 1) return statics_of(flame.program);
    return static_shared + std::max(usual_moving_shared, int(moving_bytes(flame)));
  }
  const Tiling& recorded_tiling() const { return records_.recorded_tiling(); }
  /// The arguments of a kernel with this shape.
  PoolArguments arguments_for(const PoolShape& shape, const ChaosGame& game,
                              u32* unfinished) const {
    PoolArguments arguments{game, unfinished, records_.store()};
    arguments.store.step_quota = step_quota_;
    arguments.store.tail_bytes = shape.tail_bytes;
    return arguments;
  }

  CudaMemory& device_;
  PoolShape shape_;  // of kernels that serve many flames

 private:
  Tiling tiles_of(const CompiledFlame& flame) const {
    return tiles_with_room(flame.program, flame.table, device_.properties());
  }
  /// The tiles by which blocks record: those of the picture, or coarser ones if those leave room
  /// for fewer blocks.
  Tiling recorded_tiling(const CompiledFlame& flame) const {
    const int room =
        block_bytes(2, statics_of(flame)) - tail_bytes(flame.program) - CudaRing::bytes(0);
    const int most = tiles_at_once(std::max(1, room / CudaRing::tile_bytes));
    const Tiling tiling = tiles_of(flame);
    if (tiling.tile_count <= most) return tiling;
    int row_bits = 0;
    while ((1 << row_bits) < flame.table.rows) ++row_bits;
    return coarser(tiling, most, flame.table.index_bits + row_bits);
  }
  /// Dynamic shared memory that a block may have.
  int block_bytes(int blocks_a_multiprocessor, int statics) const {
    const GpuProperties& properties = device_.properties();
    const int share = int(properties.shared_multiprocessor) / blocks_a_multiprocessor -
                      int(properties.reserved_shared_block);
    return std::min(share, int(properties.shared_block)) - statics;
  }

  RecordSorter records_;
  int step_quota_ = 0;
  std::vector<void*> game_memory_;
  u32* unfinished_ = nullptr;  // units
};

/// Plays permutations: by the interpreter, until the flame's own kernels are there.
class PermutationGame : public CudaGame {
 public:
  explicit PermutationGame(CudaMemory& device, bool of_many = false)
      : CudaGame(device), of_many_(of_many) {}

  void begin(const GamePlan& plan, const CompiledFlame& flame) override {
    CudaGame::begin(plan, flame);
    if (!of_many_) specialize(flame);
  }

 protected:
  /// The source of the flame's own kernel, and of one that later renders of it may want.
  virtual std::optional<FlameCode> code_of(const CompiledFlame& flame) const {
    return flame_code(flame);
  }
  virtual std::string near_source(const CompiledFlame& flame) const {
    return flame_source(flame,
                        flame.program.time_sample_count == 1);  // stills of an animation's flame
  }
  virtual void interpret(const PoolArguments& arguments, int units) {
    if (units == 0) return;
    const Program& program = arguments.game.program;
    if (program.extended >= of_jwildfires_list && !thread_formula_shared(program)) {
      // its code stands once
      Many<UnitsOfOne> one;
      one.add({arguments, !arguments.unfinished}, units);
      ManyKernel& kernel = program.extended >= of_formulas_list ? many_formula : many_jwildfire;
      kernel(u32(units), shape_.shared_bytes, device_.stream(), one);
      return;
    }
    interpreter_of(program, !arguments.unfinished)(u32(units), shape_.shared_bytes,
                                                   device_.stream(), arguments);
  }

 private:
  /// The interpreter with the features that the flame has, and no more.
  static UnitsKernel& interpreter_of(const Program& program, bool warm) {
    if (program.extended == of_plain_formulas_list)  // and its registers have room
      return warm ? warm_plain_formula : play_plain_formula;
    if (program.extended) return warm ? warm_extended : play_extended;
    if (program.fine) return warm ? warm_fine : play_fine;
    if (warm) return warm_any;
    if (program.time_sample_count > 1) return play_any;
    if (program.has_xaos) return program.has_final ? play_xaos_final : play_xaos;
    return program.has_final ? play_final : play_plain;
  }
  void launch(const ChaosGame& game, u32* unfinished, int units) final {
    own_.use_compiled();
    if (game.program.steering && !own_.now())
      device_error(
          "--steer auto needs kernels of the flame's own, and this GPU has none for it; leave the "
          "option out, or use "
          "--backend cpu");
    if (!own_.now() || game.flam3_transients)  // those are left to the interpreter
      return interpret(arguments_for(shape_, game, unfinished), units);
    const CudaFunction function = own_.now()->play;
    KILN_CUDA_CHECK(allow_shared(function, own_shape_.shared_bytes));
    PoolArguments arguments = arguments_for(own_shape_, game, unfinished);
    void* all[] = {&arguments, moving_numbers_ ? static_cast<void*>(&moving_numbers_)
                                               : static_cast<void*>(own_numbers_.data())};
    KILN_CUDA_CHECK(cuda().launch(function, u32(units), 1, 1, pool_lanes, 1, 1,
                                  u32(own_shape_.shared_bytes), device_.stream(), all, nullptr));
  }
  /// Asks for kernels of the flame's own where they pay.
  void specialize(const CompiledFlame& flame) {
    own_.forget();
    if (flame.sample_count == 0) return;  // of a pilot (engine/render/plan/burn_in.h)
    played_samples_ += flame.sample_count;
    const char* const wish = std::getenv("KILN_KERNELS");  // for tests and benchmarks
    const bool steered = !flame.steering.empty();          // the interpreter plays no such game
    const char* needed = nullptr;
    if (steered)
      needed = "--steer auto needs kernels of the flame's own";
    else if (wish && std::string_view(wish) == "own")
      needed = "no kernels of the flame's own";
    else if (wish && std::string_view(wish) == "interpreter")
      return;
    if (!needed && played_samples_ < worth_own_kernels) return;
    own_shape_ = shape_of(flame.program, recorded_tiling(), 2, statics_of(flame));
    if (own_shape_.shared_bytes == 0)
      own_shape_ = shape_of(flame.program, recorded_tiling(), 1, statics_of(flame));
    if (own_shape_.shared_bytes == 0) return;
    std::optional<FlameCode> code = code_of(flame);
    if (!code) return;
    own_numbers_ = std::move(code->numbers);
    moving_numbers_ = nullptr;
    if (flame.program.time_sample_count > 1) {
      const std::vector<std::uint32_t>& numbers =
          flame.time_sample_numbers.empty() ? own_numbers_ : flame.time_sample_numbers;
      moving_numbers_ = game_array<u32>(numbers.size());
      device_.upload(moving_numbers_, numbers.data(), numbers.size() * sizeof(u32));
    }
    own_.want(std::move(code->source), near_source(flame), device_.properties().capability(),
              needed);
  }

  const bool of_many_;  // plays with others, by the interpreter
  OwnKernels own_;
  PoolShape own_shape_;
  std::vector<std::uint32_t> own_numbers_;
  u32* moving_numbers_ = nullptr;  // the same in device memory, of a flame in motion
  std::uint64_t played_samples_ = 0;
};

/// The divergent reference: lanes go their own ways.
class DivergentGame : public PermutationGame {
 public:
  using PermutationGame::PermutationGame;

 private:
  int tail_bytes(const Program& program) const override {
    return 4 * divergent_shares(program.xform_count, program.has_xaos);
  }
  std::optional<FlameCode> code_of(const CompiledFlame& flame) const override {
    return flame_code(flame, true);
  }
  std::string near_source(const CompiledFlame&) const override { return {}; }
  void interpret(const PoolArguments& arguments, int units) override {
    if (units > 0)
      (arguments.unfinished ? play_divergent : warm_divergent)(u32(units), shape_.shared_bytes,
                                                               device_.stream(), arguments);
  }
};

/// All random numbers by cuRAND's Mersenne Twister.
class Mtgp32Game : public CudaGame {
 public:
  using CudaGame::CudaGame;

  GamePlan plan(const CompiledFlame& flame, std::uint64_t unit_count,
                std::uint64_t max_memory_bytes) override {
    GamePlan plan = CudaGame::plan(flame, unit_count, max_memory_bytes);
    plan.units = std::min(plan.units, device_.units_at_once() / 2);
    plan.memory_bytes += std::uint64_t(plan.units) * (mtgp32_word_bytes + mtgp32_state_bytes);
    return plan;
  }
  void begin(const GamePlan& plan, const CompiledFlame& flame) override {
    CudaGame::begin(plan, flame);
    const std::size_t units = std::size_t(plan.units);
    memory_.parameters = game_array<char>(mtgp32_parameter_bytes);
    memory_.states = game_array<char>(units * mtgp32_state_bytes);
    memory_.words = game_array<u32>(units * mtgp32_word_bytes / sizeof(u32));
    memory_.exhausted = game_array<u32>(1);
    fill_mtgp32_tables(u32(mtgp32_tables), 0, device_.stream(), memory_.parameters);
  }
  void warm_up(const ChaosGame& game, int units) override {
    if (!game.goes_on && units > 0) {
      const std::vector<std::uint32_t> seeds =
          mtgp32_seeds(game.seed, game.pass, game.number, game.first_unit, units);
      // until the generators are seeded nobody needs the rings
      device_.upload(memory_.words, seeds.data(), seeds.size() * sizeof(u32));
      const u32 count = u32(seeds.size());
      seed_mtgp32((count + 127) / 128, 0, device_.stream(), memory_.states, memory_.parameters,
                  memory_.words, u64(game.first_unit) * mtgp32_generators, count);
      device_.clear(memory_.exhausted, sizeof(u32));
    }
    CudaGame::warm_up(game, units);
  }
  void play(const ChaosGame& game, const AccumulateTiles& sums, int units) override {
    CudaGame::play(game, sums, units);
    u32 exhausted = 0;
    device_.download(&exhausted, memory_.exhausted, sizeof exhausted);
    if (exhausted) {
      device_error(
          "this flame draws more random numbers a point than --rng mtgp32 provides; leave the "
          "option out");
    }
  }

 private:
  void launch(const ChaosGame& game, u32* unfinished, int units) override {
    if (units == 0) return;
    (unfinished ? play_mtgp32 : warm_mtgp32)(u32(units), shape_.shared_bytes, device_.stream(),
                                             arguments_for(shape_, game, unfinished),
                                             memory_.states, memory_.words, memory_.exhausted);
  }

  Mtgp32Memory memory_;
};

// ---- many games at once ----

/// Launches the units of all by the code that each needs, each code in a stream of its own.
void launch_together(const std::vector<UnitsTogether>& all, const Streams& streams) {
  enum Code { extended, jwildfire, formula, any, fine, plain };
  static_assert(plain == Streams::others);
  static_assert(Many<UnitsOfOne>::most ==
                64);  // as many as come at once (engine/flock/previews.cpp)
  const auto code_of = [](const Program& program) {
    if (program.extended)
      return program.extended >= of_formulas_list     ? formula
             : program.extended == of_jwildfires_list ? jwildfire
                                                      : extended;
    if (program.fine) return fine;
    return program.has_xaos || program.has_final || program.time_sample_count > 1 ? any : plain;
  };
  KILN_CUDA_CHECK(cuda().record_event(streams.begin, streams.main));
  for (const Code code : {extended, jwildfire, formula, any, fine, plain}) {
    const CudaStream stream = code == plain ? streams.main : streams.beside[code];
    if (code != plain) KILN_CUDA_CHECK(cuda().stream_waits(stream, streams.begin, 0));
    int shared_bytes = 0;
    const auto each = [&](const auto& add) {
      for (const UnitsTogether& one : all) {
        if (code_of(one.chaos.program) != code) continue;
        const CudaGame& game = static_cast<const CudaGame&>(*one.game);
        shared_bytes = std::max(shared_bytes, game.shared_bytes());
        add(game.units_of_one(one), one.units);
      }
    };
    ManyKernel& kernel = code == extended    ? many_extended
                         : code == jwildfire ? many_jwildfire
                         : code == formula   ? many_formula
                         : code == fine      ? many_fine
                         : code == any       ? many_any
                                             : many_plain;
    launch_many<UnitsOfOne>(each, [&](const Many<UnitsOfOne>& many, u32 blocks) {
      kernel(blocks, shared_bytes, stream, many);
    });
    if (code != plain) KILN_CUDA_CHECK(cuda().record_event(streams.end[code], stream));
  }
  for (const CudaEvent end : streams.end)
    KILN_CUDA_CHECK(cuda().stream_waits(streams.main, end, 0));
}

/// Adds what they recorded to their histograms.
void sum_together(const std::vector<UnitsTogether>& all, const GpuProperties& properties,
                  CudaStream stream) {
  std::vector<std::pair<AccumulateTiles, const RecordPages*>> together;
  for (const UnitsTogether& one : all) {
    if (!one.plays) continue;
    const RecordSorter& records = static_cast<const CudaGame&>(*one.game).records();
    if (!sums_with_others(records, one.sums)) {
      records.add_to_histogram(one.sums, properties, stream);
      continue;
    }
    together.emplace_back(one.sums, &records.recorded());
    together.back().first.tiling = records.tiling();
  }
  const auto each_list = [&](int blocks) {
    return [&, blocks](const auto& add) {
      for (const auto& [sums, pages] : together)
        add(pages->list_to_come(pages_of_share(sums)), blocks);
    };
  };
  launch_many<ListOfStore>(each_list(1), [&](const Many<ListOfStore>& many, u32 blocks) {
    plan_many(blocks, 0, stream, many);
  });
  launch_many<ListOfStore>(each_list(list_blocks), [&](const Many<ListOfStore>& many, u32 blocks) {
    list_many(blocks, 0, stream, many);
  });
  int bytes = 0;
  const auto each_sum = [&](const auto& add) {
    for (const auto& [sums, pages] : together) {
      const int limit = pages_of_share(sums);
      bytes = std::max(bytes, tile_sum_bytes(sums.palette, sums.tiling.pixels()));
      add(narrow_sums(sums, pages->list_to_come(limit).list()), int(pages->most_shares(limit)));
    }
  };
  launch_many<NarrowSums>(
      each_sum, [&](const auto& many, u32 blocks) { sum_many(blocks, bytes, stream, many); });
}

}  // namespace

std::unique_ptr<DeviceGame> make_cuda_game(CudaMemory& device, Game game) {
  if (game == Game::mtgp32) return std::make_unique<Mtgp32Game>(device);
  if (game == Game::divergent) return std::make_unique<DivergentGame>(device);
  return std::make_unique<PermutationGame>(device);
}

std::unique_ptr<DeviceGame> make_cuda_game_of_many(CudaMemory& device) {
  return std::make_unique<PermutationGame>(device, true);
}

void play_together(std::vector<UnitsTogether>& all, const GpuProperties& properties,
                   const Streams& streams) {
  const auto each = [&](const auto& add) {
    for (UnitsTogether& one : all) {
      if (!one.plays) continue;
      const CudaGame& game = static_cast<const CudaGame&>(*one.game);
      one.unfinished = game.unfinished();
      const RecordPages& pages = game.records().recorded();
      add({pages.store(), u32(pages.pages()), one.unfinished}, reset_blocks);
    }
  };
  launch_many<StoreToReset>(each, [&](const Many<StoreToReset>& many, u32 blocks) {
    reset_many(blocks, 0, streams.main, many);
  });
  launch_together(all, streams);
  sum_together(all, properties, streams.main);
}

}  // namespace kiln
