// SPDX-License-Identifier: MIT
#include "engine/flock/previews.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "engine/base/cores.h"
#include "engine/base/error.h"
#include "engine/base/ordered_work.h"
#include "engine/base/thread_pool.h"
#include "engine/device/device_kind.h"
#include "engine/device/shared_launches.h"
#include "engine/render/combinations.h"
#include "engine/render/plan/picture_buffers.h"
#include "engine/render/plan/prepared_frame.h"
#include "engine/render/renderer.h"
#include "engine/render/stages/stages.h"

namespace kiln {
namespace {

/// Groups of one GPU: a launch of 64 small pictures has a block for half of the places that it plays at; while some
/// groups go up and down, or wait for a flame that settles slowly, others fill the rest.
constexpr int most_groups = 8, seats_of_group = 64;
constexpr std::uint64_t bytes_of_seat = std::uint64_t(150) << 20;

/// Renderers of a GPU beside each other where it has no seats.
constexpr int renderers_of_gpu = 4;

std::vector<HelpingDevice> devices_of(const RenderOptions& options) {
  std::vector<HelpingDevice> devices = {{options.backend, options.device, options.threads}};
  devices.insert(devices.end(), options.helpers.begin(), options.helpers.end());
  return devices;
}

RenderOptions single_device(const RenderOptions& options, const HelpingDevice& device) {
  RenderOptions single = options;
  single.helpers.clear();
  single.backend = device.backend;
  single.device = device.device;
  single.threads = device.threads;
  return single;
}

/// Whether a share of a GPU's memory is enough for a picture, and a launch of many of them worth it.
bool is_small(const PreparedFrame& frame) {
  constexpr int most_side = 600;
  const BufferGeometry& buffer = frame.plan.geometry;
  return buffer.width <= most_side && buffer.height <= most_side && frame.flame.passes == 1 &&
         !frame.plan.effects.active() && !light_stage(frame.plan).needs_game &&
         frame.compiled.steering.empty() &&  // the interpreter plays no such game
         frame.compiled.sample_count <= 4 * unit_samples;
}

/// Calls `body`; what it throws is the flame's, unless it was stopped.
template <class Body>
void noting_failure(Preview& preview, const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    if (error.kind == ErrorKind::stopped) throw;
    preview.failure = error;
  } catch (const std::bad_alloc&) {
    preview.failure = Error(ErrorKind::device, "out of memory; a smaller picture needs less");
  }
  if (preview.failure) preview.image = {};
}

/// A flame that is ready for a seat.
struct ReadyFlame {
  std::size_t place;
  PreparedFrame frame;
};
struct MadePicture {
  std::size_t place;
  Preview preview;
};

/// All flames on their way: begun in their order, prepared where there are seats, made, looked at, and taken
/// in their order.
class Wall {
 public:
  /// Keeps at most `ahead` flames under way, and `ready` of them waiting for seats.
  Wall(const Previews::Steps& steps, std::size_t ahead, std::size_t ready)
      : steps_(steps), most_ready_(ready), pictures_(0, steps.count, ahead) {}

  /// Makes whole pictures, on the calling thread, until there is none to begin.
  template <class Make>
  void work(const Make& make) {
    for (;;) {
      MadePicture made{};
      {
        std::unique_lock lock(mutex_);
        changed_.wait(
            lock, [&] { return is_over() || pictures_.to_begin() == 0 || pictures_.may_begin(); });
        if (is_over() || pictures_.to_begin() == 0) return;
        made.place = pictures_.begin();
      }
      batch_.notify_all();  // this may have been the last that a group waits for
      noting_failure(made.preview,
                     [&] { made.preview.image = make(steps_.flame(made.place), made.preview); });
      finish(std::move(made));
    }
  }

  /// Prepares flames and looks at pictures of seats, on the calling thread, until all are looked at.
  template <class Prepare>
  void prepare(const Prepare& prepare) {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] {
        return is_over() || !unseen_.empty() || can_prepare() || unfinished() == 0;
      });
      if (is_over()) return;
      if (!unseen_.empty()) {
        MadePicture made = std::move(unseen_.front());
        unseen_.pop_front();
        lock.unlock();
        finish(std::move(made));
        lock.lock();
      } else if (can_prepare()) {
        MadePicture made{pictures_.begin(), {}};
        ++preparing_;
        lock.unlock();
        std::optional<PreparedFrame> frame;
        noting_failure(made.preview, [&] { frame = prepare(steps_.flame(made.place)); });
        lock.lock();
        --preparing_;
        if (frame)
          ready_.push_back({made.place, std::move(*frame)});
        else
          unseen_.push_back(std::move(made));
      } else {
        return;
      }
      lock.unlock();
      changed_.notify_all();
      batch_.notify_all();
    }
  }
  /// Takes as many flames as there are seats, or what is left of them; none: there will be no more.
  std::vector<ReadyFlame> take_batch(std::size_t seats) {
    std::unique_lock lock(mutex_);
    batch_.wait(lock, [&] {
      const bool comes = preparing_ > 0 || can_prepare();
      return is_over() || ready_.size() >= seats || (!comes && !ready_.empty()) ||
             (pictures_.to_begin() == 0 && preparing_ == 0);
    });
    std::vector<ReadyFlame> batch;
    if (is_over()) return batch;
    while (!ready_.empty() && batch.size() < seats) {
      batch.push_back(std::move(ready_.front()));
      ready_.pop_front();
    }
    rendering_ += batch.size();
    lock.unlock();
    changed_.notify_all();
    return batch;
  }
  void made(std::vector<MadePicture> pictures) {
    {
      const std::lock_guard lock(mutex_);
      rendering_ -= pictures.size();
      for (MadePicture& picture : pictures) unseen_.push_back(std::move(picture));
    }
    changed_.notify_all();
  }

  /// Runs the body; an exception ends the work of all.
  template <class Body>
  void guard(const Body& body) {
    try {
      body();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!trouble_) trouble_ = std::current_exception();
    }
    wake();
  }
  /// Hands the pictures on in their order, until the last one.
  void report() {
    for (std::size_t place = 0; place < steps_.count; ++place) {
      std::unique_lock lock(mutex_);
      reported_to_.wait(lock, [&] { return trouble_ || pictures_.is_next_done(); });
      if (trouble_) std::rethrow_exception(trouble_);
      Preview preview = std::exchange(pictures_.take(), {});
      lock.unlock();
      steps_.take(place, std::move(preview));
      lock.lock();
      pictures_.pass();
      lock.unlock();
      changed_.notify_all();  // whoever of them can go on
      batch_.notify_all();
    }
  }
  void end() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    wake();
  }

 private:
  bool is_over() const { return ending_ || trouble_; }
  bool can_prepare() const {
    return pictures_.may_begin() && ready_.size() + preparing_ < most_ready_;
  }
  std::size_t unfinished() const {
    return pictures_.to_begin() + preparing_ + ready_.size() + rendering_ + unseen_.size();
  }
  void wake() {
    changed_.notify_all();
    batch_.notify_all();
    reported_to_.notify_all();
  }
  void finish(MadePicture made) {
    steps_.see(made.place, made.preview);
    {
      const std::lock_guard lock(mutex_);
      pictures_.finish(made.place, std::move(made.preview));
    }
    reported_to_.notify_one();
  }

  const Previews::Steps& steps_;
  const std::size_t most_ready_;
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_, batch_, reported_to_;
  std::deque<ReadyFlame> ready_;
  std::deque<MadePicture> unseen_;
  OrderedWork<Preview> pictures_;
  std::size_t preparing_ = 0, rendering_ = 0;
  bool ending_ = false;
  std::exception_ptr trouble_;
};

}  // namespace

struct Previews::Worker {
  RenderOptions options;
  std::optional<Renderer> renderer;  // once there was something to do
};

/// Seats whose pictures are made together.
struct Previews::Group {
  Group(const RenderOptions& o, std::unique_ptr<SharedLaunches> s, int l)
      : options(o), shared(std::move(s)), seats(std::size_t(l)) {}

  const RenderOptions options;
  const std::unique_ptr<SharedLaunches> shared;
  const std::size_t seats;
  struct Open {
    Seat* seat;
    Renderer renderer;
  };
  std::vector<Open> open;
  std::optional<ThreadPool> pool;
  std::mutex large_mutex;
  std::optional<Renderer> large;  // of pictures that are not small

  std::vector<MadePicture> make(const std::vector<ReadyFlame>& batch) {
    while (open.size() < batch.size()) {
      std::unique_ptr<Seat> seat = shared->open_seat();
      Seat* const address = seat.get();
      open.push_back({address, Renderer(options, std::move(seat))});
      address->wait();  // its tables are there
    }
    if (!pool || std::size_t(pool->size()) < batch.size()) pool.emplace(int(batch.size()));
    if (std::size_t(pool->size()) < batch.size())
      fail(ErrorKind::device,
           "no further thread can be started; raise the limit of processes (ulimit -u)");
    std::vector<MadePicture> made(batch.size());
    std::vector<std::exception_ptr> troubles(batch.size());
    shared->expect(batch.size());
    // each of them goes in, whatever becomes of the others: they wait for it
    pool->run(int(batch.size()), [&](int piece, int worker) {
      const auto p = std::size_t(piece);
      made[p].place = batch[p].place;
      try {
        noting_failure(made[p].preview,
                       [&] { render(open[std::size_t(worker)], batch[p].frame, made[p].preview); });
      } catch (...) {
        troubles[p] = std::current_exception();
      }
    });
    for (const std::exception_ptr& trouble : troubles)
      if (trouble) std::rethrow_exception(trouble);
    return made;
  }

 private:
  void render(Open& mine, const PreparedFrame& frame, Preview& preview) {
    {
      const Seat::Inside inside(*mine.seat);
      if (is_small(frame)) {
        preview.image = mine.renderer.render(frame, &preview.statistics);
        return;
      }
    }
    const std::lock_guard lock(large_mutex);
    if (!large) large.emplace(options);
    preview.image = large->render(frame, &preview.statistics);
  }
};

std::vector<RenderOptions> options_of_many(const RenderOptions& options) {
  std::vector<RenderOptions> all;
  for (const HelpingDevice& device : devices_of(options)) {
    RenderOptions single = single_device(options, device);
    int count = renderers_of_gpu;
    if (is_cpu(*open_device(single))) {
      count = device.threads > 0 ? device.threads : usable_cores();
      single.backend = Backend::cpu;
      single.threads = 1;
    }
    all.insert(all.end(), std::size_t(count), single);
  }
  return all;
}

Previews::Previews(const RenderOptions& options) {
  check_options(options);
  for (const RenderOptions& single : options_of_many(options)) {
    if (single.backend == Backend::cpu) {
      workers_.push_back(std::make_unique<Worker>(Worker{single, {}}));
      continue;
    }
    const auto is_there = [&](const auto& group) { return group->options.device == single.device; };
    if (std::any_of(groups_.begin(), groups_.end(), is_there)) continue;
    const std::uint64_t free = open_device(single)->free_memory_bytes();
    const int groups =
        int(std::clamp<std::uint64_t>(free / (bytes_of_seat * seats_of_group), 1, most_groups));
    for (int g = 0; g < groups; ++g)
      groups_.push_back(std::make_unique<Group>(
          single, share_cuda(single.device, std::uint64_t(groups) * seats_of_group),
          seats_of_group));
    preparers_ = options.threads > 0 ? options.threads : usable_cores();
  }
}

Previews::Previews(const RenderOptions& options, const OpenShared& open, int groups, int seats,
                   int threads)
    : preparers_(threads) {
  for (int g = 0; g < groups; ++g)
    groups_.push_back(std::make_unique<Group>(options, open(), seats));
}

Previews::~Previews() = default;

void Previews::make(const Steps& steps) {
  std::size_t seats = 0;
  for (const auto& group : groups_) seats += group->seats;
  Wall wall(steps, 4 * (workers_.size() + seats) + std::size_t(preparers_),
            seats + std::size_t(preparers_));
  std::vector<std::jthread> threads;
  struct Ending {
    Wall& wall;
    ~Ending() { wall.end(); }  // before the threads are waited for
  } ending{wall};
  const auto start = [&](auto body) { threads.emplace_back([&wall, body] { wall.guard(body); }); };
  try {
    for (const auto& worker : workers_) {
      if (threads.size() >= steps.count) break;
      start([&wall, &worker = *worker] {
        wall.work([&](Flame flame, Preview& preview) {
          if (!worker.renderer) worker.renderer.emplace(worker.options);
          return worker.renderer->render(Frame{std::move(flame), {}, {}, 0}, &preview.statistics);
        });
      });
    }
    for (const auto& group : groups_) {
      start([&wall, &group = *group] {
        for (;;) {
          const std::vector<ReadyFlame> batch = wall.take_batch(group.seats);
          if (batch.empty()) return;
          wall.made(group.make(batch));
        }
      });
    }
    for (int p = 0; p < preparers_; ++p) {
      start([&wall, &options = groups_[0]->options] {
        wall.prepare([&](Flame flame) {
          return prepare(Frame{std::move(flame), {}, {}, 0}, options);
        });
      });
    }
  } catch (const std::system_error& error) {
    fail(ErrorKind::device,
         "no further thread can be started ({}); raise the limit of processes (ulimit -u)",
         error.code().message());
  }
  wall.report();
}

}  // namespace kiln
