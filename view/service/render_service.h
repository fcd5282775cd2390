// SPDX-License-Identifier: MIT
// The queue of kiln serve: what clients asked for, made one after the other by one thread that keeps its renderer. Who
// was served longest ago is next, so that a client with many jobs does not stand in the way of one with one. A client
// has a limited number of jobs, a picture a limited time. It knows nothing of HTTP but the numbers of its status.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/api/kiln/render_options.h"

namespace kiln::cli {

/// A picture, or why there is none.
struct Served {
  int status = 200;     // of HTTP
  int exit_code = 0;    // of the command line
  std::string message;  // why there is none
  int retry_s = 0;      // when to ask again; 0: it would be the same
  std::string picture, type;
  std::string result = "{}";                                      // what --json says of it
  std::vector<std::pair<std::string, std::string>> headers = {};  // that say so, too
  std::vector<std::string> warnings = {};

  bool is_picture() const { return status == 200; }
};

/// A picture that a client asks for.
struct Order {
  std::string client;
  int owner = 0;                            // the token that it showed: nobody else sees the job
  std::vector<std::string> words, genomes;  // as a line of --jobs has them
  std::string type;                         // of the picture
  bool is_kept = false;                     // until somebody asks for it
};

class RenderService {
 public:
  enum class State { waiting, rendering, done, failed, cancelled };
  static const char* name_of(State state);

  struct Limits {
    double seconds = 60;                 // of a picture
    std::size_t waiting = 16;            // jobs of a client, with the one that is rendered
    std::size_t all_waiting = 256;       // of all
    std::size_t kept_bytes = 256 << 20;  // of pictures that nobody has fetched
    std::chrono::seconds kept{std::chrono::minutes(10)};  // so long
  };
  /// A picture to make, for the service's thread alone.
  struct Work {
    const Order& order;
    std::stop_token stop;
    std::function<void(const Progress&)> on_progress;
  };
  using Render = std::function<Served(const Work&)>;

  /// A job as it is now.
  struct JobNow {
    std::string id;
    int owner = 0;
    State state = State::waiting;
    std::size_t before = 0;  // jobs that are made sooner, at most
    Progress progress;
    std::shared_ptr<const Served> served;  // of one that is over
    bool is_over() const { return state != State::waiting && state != State::rendering; }
  };
  /// Hears, from any thread, that the job is another than it was.
  using Changed = std::function<void(const std::string& id)>;

  RenderService(Limits limits, Render render, Changed changed = {});
  /// Stops what is rendered.
  ~RenderService();
  RenderService(const RenderService&) = delete;
  RenderService& operator=(const RenderService&) = delete;

  /// Takes the order, or says why not. `finished` is called, from any thread, when it is over; of a job that is not
  /// kept this is all that is ever heard.
  std::pair<std::string, std::optional<Served>> add(
      Order order, std::function<void(std::shared_ptr<const Served>)> finished = {});
  std::optional<JobNow> look(const std::string& id) const;
  /// Ends a job that is not over; one that is over is forgotten. False: there is none.
  bool cancel(const std::string& id);

  /// Takes nothing more; what waits is refused, what is rendered is finished.
  void end();
  bool is_ending() const;
  /// Whether nothing is left to do.
  bool is_idle() const;
  /// Stops what takes too long, forgets what nobody fetches. To be called now and then.
  void tick(std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now());

  struct Counts {
    std::size_t waiting = 0, rendering = 0, kept = 0;
    std::uint64_t done = 0, failed = 0;
    double seconds_each = 0;  // lately
  };
  Counts counts() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Job {
    std::string id;
    Order order;
    State state = State::waiting;
    Progress progress;
    std::shared_ptr<const Served> served;
    std::function<void(std::shared_ptr<const Served>)> finished;
    std::stop_source stop;
    Clock::time_point begun, over;
    bool is_late = false, is_unwanted = false;
    std::uint64_t number = 0, over_number = 0;
  };
  using JobPointer = std::shared_ptr<Job>;

  void run();
  JobPointer next();
  void make(const JobPointer& job);
  void finish(const JobPointer& job, State state, Served served);
  std::size_t jobs_of(const std::string& client) const;
  int seconds_until(std::size_t jobs) const;
  void forget(const JobPointer& job);

  const Limits limits_;
  const Render render_;
  const Changed changed_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::map<std::string, JobPointer> jobs_;       // by id: all that are known
  std::map<std::uint64_t, JobPointer> waiting_;  // by age
  std::map<std::uint64_t, JobPointer>
      over_;                    // that are kept, the one that ended first before others
  std::size_t kept_bytes_ = 0;  // of these
  std::map<std::string, std::uint64_t> last_turn_;  // of clients that have jobs
  JobPointer rendered_;
  std::uint64_t last_number_ = 0, last_over_ = 0, turns_ = 0, done_ = 0, failed_ = 0;
  double seconds_each_ = 0;
  bool ending_ = false, stopped_ = false;
  std::thread thread_;
};

}  // namespace kiln::cli
