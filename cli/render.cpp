// kiln render: reads all files, names all pictures, and only then renders them one after the other.
// Wrong usage stops before anything is written; one bad file or picture does not stop the others.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <future>
#include <memory>
#include <system_error>

#include "cli/commands.h"
#include "cli/flame_selection.h"
#include "cli/forecast.h"
#include "cli/inputs.h"
#include "cli/outcome.h"
#include "cli/output_files.h"
#include "cli/picture_options.h"
#include "cli/print.h"
#include "cli/render_queue.h"
#include "cli/repeat.h"
#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "engine/io/genome_writer.h"
#include "engine/io/output_name.h"
#include "engine/io/output_target.h"
#include "engine/io/png_writer.h"
#include "engine/model/pixel_hash.h"
#include "engine/render/renderer.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

struct RenderArguments : PictureOptions {
  std::vector<std::string> inputs;
  std::string output, flame, strategy, rng;
  bool dry_run = false;
  RenderQueue queue;
};

/// One picture to make.
struct Job {
  std::string input;
  Flame flame;
  int index = 0;  // of the flame in its file
  std::string path;
  Making making;
};

// ---- reading and choosing ----

std::string template_for(const RenderArguments& args, std::size_t pictures_of_file, bool linear) {
  const std::string usual =
      std::string(pictures_of_file > 1 ? "{stem}_{index}" : "{stem}") + (linear ? ".exr" : ".png");
  if (args.output.empty()) return usual;
  return is_folder(args.output) ? (fs::path(args.output) / usual).string() : args.output;
}

/// Whether two flames are the same, shape of the pixels included.
bool same_flame(const Flame& a, const Flame& b) {
  return a.pixel_aspect == b.pixel_aspect && genome_xml(a) == genome_xml(b);
}

void add_jobs(const RenderArguments& args, const std::string& input, const FlameFile& chosen,
              Talk& talk, std::vector<Job>& jobs) {
  if (chosen.flames.empty()) return;
  const Making making = making_of(args, chosen, talk);
  const std::string pattern =
      template_for(args, chosen.flames.size() + chosen.bad.size(), making.was_linear);
  for (const Flame& flame : chosen.flames) {
    Job job{input, flame, flame.index, {}, making};
    args.settings.apply(job.flame);
    const NameValues values{input_stem(input), job.flame.name, job.index,
                            static_cast<int>(jobs.size())};
    job.path = pattern == "-" ? "-" : expand_template(pattern, values);
    job.making.options.linear = is_exr(job.path);
    PictureOptions::tell_of_curves(job.path, job.flame, talk);
    if (job.making.options.linear != making.was_linear || args.settings.are_read() ||
        !same_flame(flame, job.flame))
      job.making.made_before.clear();
    jobs.push_back(std::move(job));
  }
}

std::vector<Job> read_jobs(const RenderArguments& args, Talk& talk, Outcome& outcome) {
  std::vector<Job> jobs;
  ReaderOptions options = args.read.options();
  options.seed = args.options.seed;
  args.settings.complete(options);
  options.warn = [&](const std::string& message) { talk.warning(message); };
  FlameSelection selection(args.flame);
  const auto note_failure = [&](const std::string& item, ErrorKind kind,
                                const std::string& message) {
    talk.error(kind, message);
    outcome.failures.push_back({item, kind, message});
  };
  for (const std::string& input : args.inputs) {
    try {
      const FlameFile chosen = read_chosen(input, options, selection, Use::stills);
      for (const BadFlame& bad : chosen.bad)
        note_failure(fmt::format("{} flame {}", input, bad.index), bad.kind, bad.message);
      add_jobs(args, input, chosen, talk, jobs);
    } catch (const Error& error) {
      if (error.kind == ErrorKind::usage) throw;
      note_failure(input, error.kind, error.what());
    }
  }
  selection.check();
  return jobs;
}

// ---- checks before the first picture ----

/// Several pictures to one name, or onto an input, are wrong usage.
void check_names(const RenderArguments& args, const std::vector<Job>& jobs) {
  OutputNames names;
  for (const Job& job : jobs) {
    if (job.path == "-" && jobs.size() > 1) {
      fail(ErrorKind::usage, "-o -: {} pictures do not fit one stream; choose one with --flame",
           jobs.size());
    }
    PictureOptions::check_linear(job.path, job.making.options);
    names.take(job.path, fmt::format("flame {} of {}", job.index, job.input),
               "{index}, {stem}, {name} or ####");
  }
  names.keep_inputs(args.inputs);
  names.keep_inputs(args.files_read());
}

// ---- rendering ----

/// Writes pictures while the next one is rendered. At most one picture waits: the next is handed
/// over only when it is written. Nothing but the writing itself happens on another thread; messages
/// and results come from the thread that calls. With one thread allowed, writing waits its turn.
class PictureWriter {
 public:
  PictureWriter(const RenderArguments& args, Talk& talk, Outcome& outcome)
      : args_(args), talk_(talk), outcome_(outcome) {}

  void start(const Job& job, int number, bool is_last, Image image,
             const RenderStatistics& statistics, Clock::time_point begun) {
    finish();
    job_ = &job;
    number_ = number;
    statistics_ = statistics;
    begun_ = begun;
    const auto policy = args_.options.threads == 1 ? std::launch::deferred : std::launch::async;
    // nothing renders on the cores beside the last picture, or ever if a GPU does it
    const bool cores_are_free = is_last || statistics.device.rfind("cuda", 0) == 0;
    const auto kept = std::make_shared<const Image>(std::move(image));
    const auto task = [this, &job, statistics, kept, cores_are_free] {
      return write(job, *kept, statistics, cores_are_free);
    };
    try {
      writing_ = std::async(policy, task);
    } catch (const std::system_error&) {  // no thread is to be had: in this one
      writing_ = std::async(std::launch::deferred, task);
      finish();
    }
    if (policy == std::launch::deferred) finish();
  }
  /// Reports the picture under way if it is written.
  void poll() {
    if (writing_.valid() && writing_.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
      finish();
  }
  /// Waits for the picture under way, if any, and reports it.
  void finish() {
    if (!writing_.valid()) return;
    try {
      report(writing_.get());
    } catch (const Error& error) {
      note_failure(*job_, error.kind, error.what());
    } catch (const std::bad_alloc&) {
      note_failure(*job_, ErrorKind::device, out_of_memory(*job_));
    }
  }
  void note_failure(const Job& job, ErrorKind kind, const std::string& message) {
    talk_.error(kind, message);
    outcome_.failures.push_back({job.path, kind, message});
  }
  static std::string out_of_memory(const Job& job) {
    return fmt::format(
        "{}: out of memory for {} x {} pixels with supersample {}; a smaller --scale or "
        "--supersample needs less",
        printable_whole(job.path), job.flame.width, job.flame.height, job.flame.supersample);
  }

 private:
  struct Written {
    std::string hash;
    int width = 0, height = 0, bits = 0;
    double encode_s = 0;
  };

  Written write(const Job& job, const Image& image, const RenderStatistics& statistics,
                bool cores_are_free) const {
    const auto start = Clock::now();
    const std::string hash = pixel_hash(image);
    RenderOptions options = job.making.options;
    options.bits = image.bits();
    const std::string record = render_record(job.flame, options, statistics, hash);
    args_.write(job.path, image, picture_texts(genome_xml(job.flame), record),
                cores_are_free ? args_.options.threads : 1, job.making.precision);
    return {hash, image.width, image.height, image.bits(), seconds_since(start)};
  }
  void report(const Written& written) {
    talk_.finished_picture(job_->path, number_);
    if (!statistics_.warning.empty())
      talk_.warning(fmt::format("{}: {}", job_->input, statistics_.warning));
    if (!job_->making.made_before.empty() && job_->making.made_before != written.hash)
      talk_.warning(fmt::format("{}: other pixels than those of {}", job_->path, job_->input));
    if (!args_.json && job_->path != "-") {
      print("{}\n", job_->path);
      std::fflush(stdout);
    }
    const Flame& flame = job_->flame;
    outcome_.note({job_->path, job_->input, flame.name, job_->index, written.width, written.height,
                   written.bits, job_->making.options.seed, statistics_, written.hash,
                   written.encode_s, seconds_since(begun_)},
                  args_.json);
  }

  const RenderArguments& args_;
  Talk& talk_;
  Outcome& outcome_;
  const Job* job_ = nullptr;  // the picture under way
  int number_ = 0;
  RenderStatistics statistics_;
  Clock::time_point begun_;
  std::future<Written> writing_;
};

void render_all(const RenderArguments& args, const std::vector<Job>& jobs, Talk& talk,
                Outcome& outcome) {
  talk.at_interrupt(
      jobs.size() > 1 ? "the finished pictures stay; the same command with --no-clobber makes the "
                        "others"
                      : "no picture was written; --dry-run shows how long it takes");
  PictureWriter writer(args, talk, outcome);
  const auto on_progress = [&](const Progress& progress) {
    writer.poll();
    talk.progress(progress);
  };
  int number = 0;
  for (const Job& job : jobs) {
    talk.start_picture(job.path, ++number, static_cast<int>(jobs.size()));
    try {
      const auto begun = Clock::now();
      check_output(job.path, args.no_clobber);
      RenderStatistics statistics;
      RenderOptions options = job.making.options;
      options.on_progress = on_progress;
      Image image = render(job.flame, options, &statistics);
      writer.start(job, number, number == static_cast<int>(jobs.size()), std::move(image),
                   statistics, begun);
    } catch (const Error& error) {
      writer.note_failure(job, error.kind, error.what());
    } catch (const std::bad_alloc&) {
      writer.note_failure(job, ErrorKind::device, PictureWriter::out_of_memory(job));
    }
  }
  writer.finish();
}

// ---- the command ----

Game game_option(const RenderArguments& args) {
  if (args.rng == "mtgp32") {
    if (args.strategy == "divergent")
      fail(ErrorKind::usage, "--rng mtgp32 is of --strategy permutation; leave out one of the two");
    return Game::mtgp32;
  }
  return args.strategy == "divergent" ? Game::divergent : Game::permutation;
}

void complete_options(RenderArguments& args) {
  args.complete();
  args.options.game = game_option(args);
  check_options(args.options);
  if (is_standard_output(args.output)) args.output.assign(1, '-');
  if (args.json && args.output == "-")
    fail(ErrorKind::usage, "-o - and --json both want standard output; choose one");
  args.inputs = expand_inputs(args.inputs);
}

/// Says what would be made and what it would take. Pictures that could not be made are failures.
void foretell_all(const RenderArguments& args, const std::vector<Job>& jobs, Talk& talk,
                  Outcome& outcome) {
  Forecaster forecaster(args.options, true);
  double seconds = 0;
  for (const Job& job : jobs) {
    try {
      check_output(job.path, args.no_clobber);
      const RenderOptions& options = job.making.options;
      forecaster.settings(options);
      const Forecast forecast = forecaster.of(job.flame);
      check_memory(job.flame, forecast.memory, forecaster.open(), options);
      seconds += forecast.seconds;
      outcome.foretell(job.path, job.flame, forecast, args.json);
    } catch (const Error& error) {
      talk.error(error.kind, error.what());
      outcome.failures.push_back({job.path, error.kind, error.what()});
    }
  }
  talk.summary(fmt::format("dry run: {} picture{}, about {} on {}; nothing was written",
                           outcome.done, outcome.done == 1 ? "" : "s",
                           clock_time(std::ceil(seconds)), forecaster.device()),
               "");
}

/// One command's pictures. Says everything but the result as JSON.
Outcome render_inputs(RenderArguments& args) {
  const auto start = Clock::now();
  complete_options(args);
  // the next job may want another GPU
  if (args.options.backend != Backend::cpu && !args.queue.inside)
    see_cuda_devices({args.options.device});
  Talk talk(args.progress_mode(), args.quiet);
  Outcome outcome;
  const std::vector<Job> jobs = read_jobs(args, talk, outcome);
  check_names(args, jobs);
  args.dry_run ? foretell_all(args, jobs, talk, outcome) : render_all(args, jobs, talk, outcome);
  if (outcome.done > 0 && !args.dry_run) outcome.say_summary(seconds_since(start), "picture", talk);
  return outcome;
}

void add_options(Command& command, RenderArguments& args) {
  command.inputs("IN", args.inputs,
                 "Flames: .flam3, .flame, a picture that carries its genome, a folder of such "
                 "files, or - for standard input",
                 false);
  command.text(flame_option.names, flame_option.type, args.flame, flame_option.help);
  command.group("Output");
  command.text("-o,--output", "TEMPLATE", args.output,
               "Name of the picture, a folder, or - for standard output. Knows {stem} {name} "
               "{index} {frame} #### %05d (default {stem}.png here, {stem}_{index}.png for several "
               "flames)");
  command.flag("--dry-run", args.dry_run,
               "Render nothing: show names, sizes, samples, memory and the time it would take");
  args.add_picture_options(command);
  args.add_machine_options(command);
  args.queue.add_to(command);
  command.flag("--ignore-record", args.ignore_record,
               "Take only the flame from a picture that kiln made, with the usual settings instead "
               "of those it was made with");
  command.group("Cross-checks (slower, the same picture within noise, other pixels)");
  command.choice("--strategy", {"permutation", "divergent"}, args.strategy,
                 "divergent: every lane draws its own xform, to check the permutation method");
  command.choice("--rng", {"philox", "mtgp32"}, args.rng,
                 "mtgp32: cuRAND's Mersenne Twister, CUDA only, to check the random numbers");
}

Outcome render_words(std::vector<std::string> words, bool as_json) {
  RenderArguments args;
  Program program("", "");
  add_options(program.command("render", ""), args);
  words.insert(words.begin(), "render");
  if (!program.read(words)) fail(ErrorKind::usage, "a job has no \"help\"");
  if (args.inputs.empty()) fail(ErrorKind::usage, "\"in\" is missing: the flame to render");
  args.json = as_json;
  args.queue.inside = true;
  return render_inputs(args);
}

int run_render(const Command& command, RenderArguments& args) {
  if (args.queue.wanted()) {
    return run_render_queue(args.queue, args.inputs, command, args.json, render_words);
  }
  if (args.inputs.empty())
    fail(ErrorKind::usage, "IN is missing; kiln render --help shows what it stands for");
  const Outcome outcome = render_inputs(args);
  if (args.json) print("{}\n", outcome.result_json());
  return outcome.exit_code();
}

}  // namespace

void add_render(Program& program) {
  Command& command = program.command("render", "Render flames to PNG or OpenEXR files");
  const auto args = std::make_shared<RenderArguments>();
  add_options(command, *args);
  command.examples(
      {"kiln render rose.flame                           # makes rose.png in this folder",
       "kiln render rose.flame -o draft.png --quality 20 --width 480",
       "kiln render rose.flame -o glow.png --bloom 0.2 --glare 6,15",
       "kiln render rose.flame -o phone.png --fill 1080x1920 --rotate 30 --background '#102030'",
       "kiln render rose.flame -o part.png --size 1600x1200 --crop 400,300,640x480",
       "kiln render *.flame -o pictures/{stem}_{index}.png",
       "kiln render rose.flame -o - | display", "kiln render rose.png -o again.png --seed 7",
       "kiln render --watch flames -o pictures           # whatever comes into the folder",
       "kiln render --jobs - < jobs.json                 # a JSON object a line, answers alike"});
  command.runs([args, &command] { return run_render(command, *args); });
}

}  // namespace kiln::cli
