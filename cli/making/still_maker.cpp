// SPDX-License-Identifier: MIT
// Makes stills through the pipeline (engine/pipeline/pipeline.h): this thread renders, says and
// reports, others prepare the next picture and write the one before. A picture that is made in
// stripes is written while it is made.
#include <algorithm>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <set>
#include <utility>
#include <vector>

#include "cli/making/render_jobs.h"
#include "cli/making/stop_request.h"
#include "cli/options/checkpoint_options.h"
#include "cli/options/output_files.h"
#include "cli/says/console.h"
#include "engine/api/api_impl.h"
#include "engine/base/cores.h"
#include "engine/base/ranks.h"
#include "engine/base/resources.h"
#include "engine/base/text.h"
#include "engine/device/device_kind.h"
#include "engine/flock/previews.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/picture_record.h"
#include "engine/model/image.h"
#include "engine/pipeline/forecast.h"
#include "engine/pipeline/pipeline.h"
#include "engine/program/sample_shares.h"
#include "kernels/pool.h"

namespace kiln::cli {
namespace {

struct Rendered {
  std::optional<Image> image;  // nothing where it was stopped or is a shard: its state is written
  RenderStatistics statistics;
  bool stopped = false;
  std::exception_ptr unsaved;  // why the state of a finished picture could not be written
};

constexpr double usual_seconds = 60;  // between two states

/// Decides when the state is written, and whether the game stops.
class Watch {
 public:
  explicit Watch(double seconds) : seconds_(seconds) {}

  std::stop_token stop() const { return requests_.token(); }
  Checkpoint::Request request() {
    if (requests_.stop()) return Checkpoint::Request::stop;
    const bool asked = requests_.save();
    if (!asked && seconds_since(last_) < seconds_) return Checkpoint::Request::go_on;
    last_ = Clock::now();
    return Checkpoint::Request::save;
  }

 private:
  StopRequests requests_;
  const double seconds_;
  Clock::time_point last_ = Clock::now();
};

std::string samples_of(const SavedSums& sums) {
  return with_prefix(double(sums.done.count() * sums.shape.unit_samples)) + " samples";
}

void say_how_to_go_on(const Job& job, const SavedSums& sums, const char* what, Console& console) {
  console.note(
      fmt::format("{}; {} has {}. To go on:", what, printable_whole(job.state), samples_of(sums)));
  console.note("  " + command_to_resume());
}

std::string noise_in_words(const PictureNoise& noise, const Flame& flame) {
  const char* const counted = flame.clean > 0 ? "; what cleaning blurs is counted"
                              : counts_grain_alone(flame)
                                  ? "; that is grain, the estimator's blur is not counted"
                                  : "";
  return fmt::format("noise {:.3g} % (within {:.1g}, 95 %), {:.1f} dB{}", 100 * noise.rms,
                     100 * noise.error, noise.psnr_db(), counted);
}

/// Reports how the still ended.
void say_end(const Job& job, const Checkpoint& checkpoint, Console& console) {
  const std::string name = printable_whole(job.path),
                    noise =
                        checkpoint.noise ? ": " + noise_in_words(*checkpoint.noise, job.flame) : "";
  if (checkpoint.end == Checkpoint::End::time) {
    console.note(fmt::format("{}: the time limit ended it at quality {}{}", name,
                             fmt::format("{:.6g}", job.flame.quality), noise));
  } else if (checkpoint.end == Checkpoint::End::noise) {
    console.note(fmt::format("{}: good enough at quality {}{}", name,
                             fmt::format("{:.6g}", job.flame.quality), noise));
  } else if (job.making.options.until_noise > 0) {
    console.warning(fmt::format("{}: quality {} is not enough for that{}{}", name,
                                fmt::format("{:.6g}", job.flame.quality), noise,
                                checkpoint.noise ? "" : ": too few samples for two halves"));
  } else if (checkpoint.noise) {
    console.note(fmt::format("{}{}", name, noise));
  }
}

void keep_state(const RenderPlan& plan, const Job& job, std::optional<Watch>& watch,
                Console& console, Checkpoint& checkpoint) {
  if (job.state.empty()) return;
  watch.emplace(plan.checkpoint.checkpoint_s.value_or(usual_seconds));
  checkpoint.ask = [&] { return watch->request(); };
  checkpoint.stop = watch->stop();
  checkpoint.warn = [&](const std::string& message) {
    console.warning(message + "; the render goes on without it");
  };
  if (plan.checkpoint.shard) checkpoint.shard = *plan.checkpoint.shard;
}

/// The renderer that stays for the next job, or one for this job alone. What failed does not stay, and neither does
/// one with the memory of a large picture.
class KeptRenderer {
 public:
  KeptRenderer(std::unique_ptr<Renderer>* place, const RenderOptions& options) : place_(place) {
    if (place_ && *place_) {
      renderer_ = std::move(*place_);
      renderer_->change(options);
    } else {
      renderer_ = std::make_unique<Renderer>(options);
    }
  }
  Renderer& get() { return *renderer_; }
  void keep(const RenderStatistics& made) {
    constexpr std::uint64_t large_bytes = std::uint64_t(512) << 20;
    if (place_ && made.peak_memory_bytes < large_bytes) *place_ = std::move(renderer_);
  }

 private:
  std::unique_ptr<Renderer>* const place_;
  std::unique_ptr<Renderer> renderer_;
};

/// Renders the picture of a job, perhaps of a frame that is `ready`; where it ends early, the job's
/// flame gets the quality that it came to.
Rendered render_job(const RenderPlan& plan, Job& job, std::future<PreparedFrame> ready,
                    const RenderOptions& options, Console& console) {
  Still still{job.flame,        plan.beginnings(job), job.state,         {},
              std::move(ready), job.making.exr,       job.making.credits};
  Checkpoint& checkpoint = still.checkpoint;
  checkpoint.regrade = plan.regrade;
  std::optional<Watch> watch;
  keep_state(plan, job, watch, console, checkpoint);
  KeptRenderer renderer(plan.mail ? plan.mail->renderer : nullptr, options);
  Rendered made;
  try {
    made.image = render_still(renderer.get(), options, still, &made.statistics);
    renderer.keep(made.statistics);
  } catch (...) {
    if (checkpoint.saved) say_how_to_go_on(job, checkpoint.sums, "the device failed", console);
    throw;
  }
  made.stopped = checkpoint.stopped;
  made.unsaved = checkpoint.unsaved;
  job.flame.quality = still.flame.quality;
  if (made.stopped)
    say_how_to_go_on(job, checkpoint.sums, "stopped", console);
  else
    say_end(job, checkpoint, console);
  return made;
}

/// `threads` compress the picture of a job.
Saving saving_of(const RenderPlan& plan, const Job& job, int threads) {
  Saving saving = plan.saving;
  saving.threads = threads;
  saving.exr = job.making.exr;
  saving.credits = job.making.credits;
  return saving;
}

/// Writes a picture that is made in stripes while it is made, so that it is never in memory as a
/// whole. The file is that of the whole picture, byte for byte.
class RowsWriter {
 public:
  RowsWriter(const RenderPlan& plan, const Job& job) : plan_(plan), job_(job) {}

  /// Adds rows, as RenderOptions::on_rows has them.
  void add(const RowsOfPicture& part) {
    const auto start = Clock::now();
    const Image& rows = part.rows;
    if (!file_) {
      written_.width = rows.width;
      written_.height = part.height;
      written_.bits = rows.bits();
      hash_.emplace(rows.width, part.height, rows.bits());
      RenderStatistics expected;
      expected.samples = part.samples;
      const std::string hash_to_come(64, '0');
      file_ = format_for(rows, job_.path)
                  .write_rows(job_.path, rows, part.height,
                              picture_texts(genome_xml(job_.flame), record(expected, hash_to_come),
                                            job_.making.credits),
                              saving_of(plan_, job_, plan_.options.threads));
    }
    hash_->add(rows);
    file_->add(rows);
    written_.encode_s += seconds_since(start);
  }
  bool has_begun() const { return file_ != nullptr; }
  /// Ends the file after the last rows; returns what is known of it.
  PictureReport finish(const RenderStatistics& statistics) {
    const auto start = Clock::now();
    written_.hash = hash_->hex();
    file_->finish(record(statistics, written_.hash));
    written_.encode_s += seconds_since(start);
    return written_;
  }

 private:
  std::string record(const RenderStatistics& statistics, const std::string& hash) const {
    RenderOptions options = job_.making.options;
    options.bits = written_.bits;
    return render_record(job_.flame, options, statistics, hash);
  }

  const RenderPlan& plan_;
  const Job& job_;
  std::unique_ptr<PictureRows> file_;
  std::optional<PixelHash> hash_;
  PictureReport written_;
};

/// The words for what Ctrl-C leaves.
std::string at_interrupt(const RenderPlan& plan, std::size_t count) {
  if (plan.checkpoint.wanted())
    return "the state is as it was written last; --resume goes on with it";
  return count > 1 ? "the finished pictures stay; the same command with --no-clobber makes the "
                     "others"
                   : "no picture was written; --dry-run shows how long it takes";
}

std::string out_of_memory(const Job& job) {
  const bool has_many = job.making.options.threads > 2 * usable_cores();
  return fmt::format(
      "{}: out of memory for {} x {} pixels with supersample {}; {}a smaller --scale or "
      "--supersample needs less",
      printable_whole(job.path), job.flame.width, job.flame.height, job.flame.supersample,
      has_many ? "fewer --threads, " : "");
}

std::vector<PictureCost> costs_of(const std::vector<Job>& jobs) {
  std::vector<PictureCost> costs;
  for (const Job& job : jobs) costs.push_back(rough_cost(job.flame, job.making.options));
  return costs;
}

/// Whether the pictures are so many and so small that they are made beside each other (engine/flock/previews.h), and
/// nothing else is asked of them.
bool are_small_stills(const RenderPlan& plan) {
  constexpr std::size_t least = 16;
  constexpr double most_pixels = 600 * 600, most_samples = 4.0 * double(unit_samples);
  const RenderOptions& all = plan.options;
  if (plan.jobs.size() < least || plan.mail || plan.regrade || plan.checkpoint.wanted() ||
      all.ranks || all.threads == 1 || all.game != Game::permutation || all.max_memory_bytes > 0 ||
      all.halves || all.stages || ends_early(all))
    return false;
  const RenderOptions& first = plan.jobs.front().making.options;
  return std::all_of(plan.jobs.begin(), plan.jobs.end(), [&](const Job& job) {
    const double pixels = double(job.flame.width) * job.flame.height;
    const RenderOptions& own = job.making.options;
    return !job.making.repeats && job.states.empty() && !job.is_hdr() &&
           !is_standard_output(job.path) && own.linear == first.linear && own.bits == first.bits &&
           pixels * job.flame.supersample * job.flame.supersample <= most_pixels &&
           rough_samples(job.flame) <= most_samples;
  });
}

class StillMaker {
 public:
  StillMaker(RenderPlan& plan, Console& console, Outcome& outcome)
      : plan_(plan),
        jobs_(plan.jobs),
        console_(console),
        outcome_(outcome),
        time_to_go_(costs_of(jobs_)),
        pipeline_({static_cast<int>(jobs_.size()), [this](int i) { return prepare(i); }},
                  {.render = 0, .sequential = plan.options.threads == 1}) {}

  void run() {
    console_.at_interrupt(at_interrupt(plan_, jobs_.size()));
    if (is_small_) return make_small();
    if (const auto trouble = pipeline_.run()) std::rethrow_exception(trouble->reason);
  }

 private:
  /// Makes all pictures beside each other, each written by the thread that has it.
  void make_small() {
    struct Made {
      Clock::time_point begun;
      Rendered picture;
      PictureReport written;
    };
    std::vector<Made> all(jobs_.size());
    Previews::Steps steps;
    steps.count = jobs_.size();
    steps.flame = [&](std::size_t i) {
      all[i].begun = Clock::now();
      check_output(jobs_[i].path, plan_.keeps_files);
      return jobs_[i].flame;
    };
    steps.see = [&](std::size_t i, Preview& made) {
      if (made.failure) return;
      try {
        all[i].picture.image = std::move(made.image);
        all[i].picture.statistics = made.statistics;
        all[i].written = write_whole(jobs_[i], all[i].picture, 1);
      } catch (const Error& error) {
        made.failure = error;
      } catch (const std::bad_alloc&) {
        made.failure = Error(ErrorKind::device, out_of_memory(jobs_[i]));
      }
    };
    steps.take = [&](std::size_t i, const Preview& made) {
      const Job& job = jobs_[i];
      const int number = int(i) + 1;
      time_to_go_.start(int(i));
      console_.start_picture(job.path, number, int(jobs_.size()),
                             time_to_go_.of_all({}, seconds_since(begun_)));
      attempt(job, [&] {
        if (made.failure) throw *made.failure;
        report(job, number, all[i].written, all[i].picture, all[i].begun);
      });
      all[i] = {};
    };
    Previews(jobs_.front().making.options).make(steps);
  }

  /// Prepares a picture ahead, unless sums are kept: then it depends on the file. The first is
  /// prepared by its renderer, which has the device for it.
  Render prepare(int i) {
    const Job& job = jobs_[static_cast<std::size_t>(i)];
    const auto ready = std::make_shared<std::future<PreparedFrame>>();
    if (i > 0 && job.states.empty() && job.state.empty())
      *ready = prepare_ahead(job.flame, job.making.options);
    return [this, i, ready](int) { return render(i, std::move(*ready)); };
  }

  Encode render(int i, std::future<PreparedFrame> ready) {
    if (outcome_.stopped) return {};
    const int number = i + 1, count = static_cast<int>(jobs_.size());
    Job& job = jobs_[static_cast<std::size_t>(i)];
    time_to_go_.start(i);
    console_.start_picture(job.path, number, count, time_to_go_.of_all({}, seconds_since(begun_)));
    Encode encode;
    attempt(job, [&] { encode = render_one(job, number, std::move(ready)); });
    if (encode && number == count && last_.elapsed_s > 0 && plan_.options.threads != 1) {
      last_.done = 1;
      last_.remaining_s = 0;
      last_.stage = "encode";
      say_progress(last_);
    }
    return encode;
  }

  Encode render_one(Job& job, int number, std::future<PreparedFrame> ready) {
    const auto begun = Clock::now();
    RenderOptions options = job.making.options;
    const Ranks::Agreement agreement(options.ranks);
    const bool makes_picture = options.ranks ? options.ranks->is_first() : !plan_.checkpoint.shard;
    if (makes_picture) check_output(job.path, plan_.keeps_files);
    if (!job.state.empty()) check_output(job.state, plan_.keeps_files && !plan_.checkpoint.resume);
    options.on_progress = [this](const Progress& progress) { say_progress(progress); };
    if (plan_.mail) options.stop = plan_.mail->stop;
    RowsWriter rows(plan_, job);
    if (job.may_come_in_rows())
      options.on_rows = [&](const RowsOfPicture& part) { rows.add(part); };
    const auto made =
        std::make_shared<Rendered>(render_job(plan_, job, std::move(ready), options, console_));
    outcome_.stopped = made->stopped;
    std::function<PictureReport()> write;
    if (rows.has_begun()) {
      write = [written = rows.finish(made->statistics)] { return written; };
    } else if (made->image && makes_picture) {
      write = [=, this, &job] { return write_whole(job, *made, number); };
    } else {
      if (!outcome_.stopped && !options.ranks) report_shard(job, made->statistics);
      if (made->unsaved) note_unsaved(job, made->unsaved);
      return {};
    }
    return [=, this, &job] {
      const auto task = std::make_shared<std::packaged_task<PictureReport()>>(write);
      (*task)();
      return [=, this, &job] {
        if (made->unsaved) note_unsaved(job, made->unsaved);
        attempt(job, [&] { report(job, number, task->get_future().get(), *made, begun); });
      };
    };
  }

  PictureReport write_whole(const Job& job, Rendered& made, int number) const {
    const auto start = Clock::now();
    // nothing renders on the cores beside the last picture, or ever if a GPU does it
    const bool cores_are_free =
        !is_small_ && (number == static_cast<int>(jobs_.size()) || is_gpu(made.statistics.device));
    Picture picture;
    picture.image = std::move(*made.image);
    picture.statistics = made.statistics;
    describe(job.flame, job.making.options, picture);
    Saving saving = saving_of(plan_, job, cores_are_free ? plan_.options.threads : 1);
    develop_hdr(job.flame, job.making.options.crop, picture.image, saving);
    if (plan_.mail && plan_.mail->wants_picture)
      plan_.mail->picture = picture_bytes(picture, job.path, saving);
    else
      write_picture(picture, job.path, saving);
    PictureReport written;
    written.hash = picture.hash;
    written.width = picture.image.width;
    written.height = picture.image.height;
    written.bits = picture.image.bits();
    written.encode_s = seconds_since(start);
    return written;
  }

  void report(const Job& job, int number, PictureReport written, const Rendered& made,
              Clock::time_point begun) {
    console_.finished_picture(job.path, number);
    if (!made.statistics.warning.empty())
      console_.warning(
          fmt::format("{}: {}", printable_whole(job.flame.place()), made.statistics.warning));
    if (!job.making.made_before.empty() && job.making.made_before != written.hash)
      console_.warning(fmt::format("{}: other pixels than those of {}", job.path, job.input));
    if (!plan_.as_json && !is_standard_output(job.path)) {
      print("{}\n", job.path);
      std::fflush(stdout);
    }
    written.path = is_standard_output(job.path) ? "-" : job.path;
    written.seconds = seconds_since(begun);
    note(job, written, made.statistics);
  }

  /// A shard has a state and no picture.
  void report_shard(const Job& job, const RenderStatistics& statistics) {
    if (!plan_.as_json) print("{}\n", job.state);
    PictureReport written;
    written.path = job.state;
    written.width = job.flame.width;
    written.height = job.flame.height;
    written.bits = job.making.options.bits;
    written.seconds = statistics.iterate_s;
    note(job, written, statistics);
  }

  void note(const Job& job, PictureReport& picture, const RenderStatistics& statistics) {
    picture.noise_counts = counted_noise(job.flame);
    picture.input = job.input;
    picture.name = job.flame.name;
    picture.index = job.index;
    picture.seed = job.making.options.seed;
    picture.statistics = statistics;
    outcome_.note(picture, plan_.as_json);
  }

  template <class Body>
  void attempt(const Job& job, Body body) {
    try {
      body();
    } catch (const Error& error) {
      note_failure(job, error.kind, error.what());
    } catch (const std::bad_alloc&) {
      note_failure(job, ErrorKind::device, out_of_memory(job));
    }
  }

  void note_failure(const Job& job, ErrorKind kind, const std::string& message) {
    // many pictures may lack the same folder: one line, and the closing line counts them
    const std::string name = printable_whole(job.path);
    const std::string reason = message.starts_with(name) ? message.substr(name.size()) : message;
    const bool known = kind == ErrorKind::output && !reasons_said_.insert(reason).second;
    outcome_.note_failure(job.path, kind, message, console_, known);
  }

  /// Notes a failure of its state alone: the picture stays.
  void note_unsaved(const Job& job, const std::exception_ptr& why) {
    std::string message;
    try {
      std::rethrow_exception(why);
    } catch (const std::exception& error) {
      message = fmt::format("{} (the picture is made, its state is not kept)", error.what());
    }
    outcome_.note_failure(job.state, ErrorKind::output, message, console_);
    ++outcome_.unsaved;
  }

  void say_progress(const Progress& progress) {
    pipeline_.report_ready();
    last_ = progress;
    if (plan_.mail && plan_.mail->on_progress) plan_.mail->on_progress(progress);
    console_.progress(progress, time_to_go_.of_all(progress, seconds_since(begun_)));
  }

  const RenderPlan& plan_;
  std::vector<Job>& jobs_;
  Console& console_;
  Outcome& outcome_;
  TimeToGo time_to_go_;
  Pipeline pipeline_;
  std::set<std::string> reasons_said_;  // of files that cannot be written
  Progress last_;
  const Clock::time_point begun_ = Clock::now();
  const bool is_small_ = are_small_stills(plan_);
};

}  // namespace

void render_all(RenderPlan& plan, Console& console, Outcome& outcome) {
  StillMaker(plan, console, outcome).run();
}

}  // namespace kiln::cli
