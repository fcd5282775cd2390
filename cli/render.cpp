// kiln render: reads all files, names all pictures, and only then renders them one after the other.
// Wrong usage stops before anything is written; one bad file or picture does not stop the others.
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <future>
#include <map>
#include <memory>

#include "cli/commands.h"
#include "cli/overrides.h"
#include "cli/talk.h"
#include "engine/io/genome_writer.h"
#include "engine/io/output_name.h"
#include "engine/io/png_writer.h"
#include "engine/io/text.h"
#include "engine/render/renderer.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

struct RenderArguments {
  std::vector<std::string> inputs;
  std::string output, flame, max_memory, seed;
  std::string backend = "auto", progress = "auto", compat, strategy, rng;
  Overrides overrides;
  RenderOptions options;
  ReadArguments read;
  bool quiet = false, no_clobber = false, json = false;
};

/// One picture to make.
struct Job {
  std::string input;
  Flame flame;
  int index = 0;  // of the flame in its file
  std::string path;
};

struct Failure {
  std::string item;
  ErrorKind kind;
  std::string message;
};

/// What became of the command, and what of it is said at the end.
struct Outcome {
  std::vector<Failure> failures;
  JsonArray pictures;
  int done = 0;
  std::uint64_t samples = 0, bad_values = 0, peak_memory_bytes = 0;
  std::string device;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// ---- reading and choosing ----

std::vector<int> chosen_flames(const FlameFile& file, const std::string& wanted) {
  std::vector<int> chosen;
  const int count = static_cast<int>(file.flames.size());
  int index = -1;
  const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), index);
  const bool is_index = error == std::errc() && end == wanted.data() + wanted.size();
  for (int i = 0; i < count; ++i) {
    if (wanted.empty() || file.flames[static_cast<std::size_t>(i)].name == wanted)
      chosen.push_back(i);
  }
  if (chosen.empty() && is_index && index >= 0 && index < count) chosen.push_back(index);
  if (chosen.empty()) {
    fail(ErrorKind::usage,
         "--flame {}: {} has {} flame{}, numbered from 0; \"kiln info\" lists their names",
         printable_whole(wanted), printable_whole(file.name), count, count == 1 ? "" : "s");
  }
  return chosen;
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return !path.empty() && path != "-" && (path.back() == '/' || fs::is_directory(path, ignored));
}

std::string template_for(const RenderArguments& args, std::size_t pictures_of_file) {
  const std::string usual = pictures_of_file > 1 ? "{stem}_{index}.png" : "{stem}.png";
  if (args.output.empty()) return usual;
  return is_folder(args.output) ? (fs::path(args.output) / usual).string() : args.output;
}

void add_jobs(const RenderArguments& args, const std::string& input, FlameFile file,
              std::vector<Job>& jobs) {
  const std::vector<int> chosen = chosen_flames(file, args.flame);
  const std::string pattern = template_for(args, chosen.size());
  for (int index : chosen) {
    Job job{input, std::move(file.flames[static_cast<std::size_t>(index)]), index, {}};
    apply(args.overrides, job.flame);
    const NameValues values{input_stem(input), job.flame.name, index,
                            static_cast<int>(jobs.size())};
    job.path = pattern == "-" ? "-" : expand_template(pattern, values);
    jobs.push_back(std::move(job));
  }
}

std::vector<Job> read_jobs(const RenderArguments& args, Talk& talk, Outcome& outcome) {
  std::vector<Job> jobs;
  ReaderOptions options = args.read.options();
  options.seed = args.options.seed;
  options.warn = [&](const std::string& message) { talk.warning(message); };
  for (const std::string& input : args.inputs) {
    try {
      add_jobs(args, input, read_flames(input, options), jobs);
    } catch (const Error& error) {
      if (error.kind == ErrorKind::usage) throw;
      talk.error(error.kind, error.what());
      outcome.failures.push_back({input, error.kind, error.what()});
    }
  }
  return jobs;
}

// ---- checks before the first picture ----

void check_format(const std::string& path) {
  std::string ending = fs::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  for (const char* other : {".jpg", ".jpeg", ".ppm", ".exr", ".tif", ".tiff", ".webp", ".bmp",
                            ".gif", ".avif", ".jxl"}) {
    if (ending == other)
      fail(ErrorKind::usage, "{}: kiln writes PNG only; name it .png", printable_whole(path));
  }
}

/// One spelling for all ways to write the same path, as far as it exists.
std::string identity(const std::string& path) {
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(fs::absolute(path).parent_path(), error);
  return (error ? fs::path(path).parent_path() : folder) / fs::path(path).filename();
}

bool is_device_or_pipe(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return !error && fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

/// Several pictures to one name, or onto an input, are wrong usage.
void check_names(const RenderArguments& args, const std::vector<Job>& jobs) {
  std::map<std::string, const Job*> taken;
  for (const Job& job : jobs) {
    if (job.path == "-" && jobs.size() > 1) {
      fail(ErrorKind::usage, "-o -: {} pictures do not fit one stream; choose one with --flame",
           jobs.size());
    }
    if (job.path == "-" || is_device_or_pipe(job.path)) continue;
    check_format(job.path);
    const auto [first, is_new] = taken.emplace(identity(job.path), &job);
    if (!is_new) {
      fail(ErrorKind::usage,
           "two pictures would be called {} (flame {} of {}, flame {} of {}); tell them apart with "
           "{{index}}, {{stem}}, "
           "{{name}} or #### in -o",
           printable_whole(job.path), first->second->index, printable_whole(first->second->input),
           job.index, printable_whole(job.input));
    }
  }
  for (const std::string& input : args.inputs) {
    if (input != "-" && taken.count(identity(input)) > 0) {
      fail(ErrorKind::usage, "{} would be replaced by its own picture; give another name with -o",
           printable_whole(input));
    }
  }
}

void check_output(const RenderArguments& args, const Job& job) {
  check_output_path(job.path);
  std::error_code ignored;
  if (args.no_clobber && job.path != "-" && fs::is_regular_file(job.path, ignored)) {
    fail(ErrorKind::output, "{}: exists already; remove it or leave out --no-clobber",
         printable_whole(job.path));
  }
}

// ---- rendering ----

std::string picture_json(const Job& job, const RenderArguments& args,
                         const RenderStatistics& statistics, const std::string& hash,
                         double encode_s, double seconds) {
  return JsonObject()
      .add("file", job.path)
      .add("input", job.input)
      .add("name", job.flame.name)
      .add("index", job.index)
      .add("width", job.flame.width)
      .add("height", job.flame.height)
      .add("bits", args.options.bits)
      .add("seed", args.options.seed)
      .add("samples", statistics.samples)
      .add("bad_values", statistics.bad_values)
      .add("iterate_s", statistics.iterate_s)
      .add("output_s", statistics.output_s)
      .add("encode_s", encode_s)
      .add("seconds", seconds)
      .add("samples_per_s", statistics.iterate_s > 0
                                ? static_cast<double>(statistics.samples) / statistics.iterate_s
                                : 0.0)
      .add("peak_memory_bytes", statistics.peak_memory_bytes)
      .add("device", statistics.device)
      .add("pixel_hash", hash)
      .text();
}

/// Writes pictures while the next one is rendered. At most one picture waits: the next is handed
/// over only when it is written. Nothing but the writing itself happens on another thread; messages
/// and results come from the thread that calls. With one thread allowed, writing waits its turn.
class PictureWriter {
 public:
  PictureWriter(const RenderArguments& args, Talk& talk, Outcome& outcome)
      : args_(args), talk_(talk), outcome_(outcome) {}

  void start(const Job& job, int number, Image image, const RenderStatistics& statistics,
             std::chrono::steady_clock::time_point begun) {
    finish();
    job_ = &job;
    number_ = number;
    statistics_ = statistics;
    begun_ = begun;
    const auto policy = args_.options.threads == 1 ? std::launch::deferred : std::launch::async;
    writing_ = std::async(policy, [this, &job, statistics, image = std::move(image)] {
      return write(job, image, statistics);
    });
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
    double encode_s = 0;
  };

  Written write(const Job& job, const Image& image, const RenderStatistics& statistics) const {
    const auto start = std::chrono::steady_clock::now();
    const std::string hash = pixel_hash(image);
    const std::string record = render_record(job.flame, args_.options, statistics, hash);
    write_png(job.path, image, picture_texts(genome_xml(job.flame), record),
              args_.no_clobber ? AtomicFile::Existing::keep : AtomicFile::Existing::replace);
    return {hash, seconds_since(start)};
  }
  void report(const Written& written) {
    talk_.finished_picture(job_->path, number_);
    if (!statistics_.warning.empty())
      talk_.warning(fmt::format("{}: {}", job_->input, statistics_.warning));
    if (!args_.json && job_->path != "-") {
      fmt::print("{}\n", job_->path);
      std::fflush(stdout);
    }
    if (args_.json) {
      outcome_.pictures.add_json(picture_json(*job_, args_, statistics_, written.hash,
                                              written.encode_s, seconds_since(begun_)));
    }
    ++outcome_.done;
    outcome_.samples += statistics_.samples;
    outcome_.bad_values += statistics_.bad_values;
    outcome_.peak_memory_bytes =
        std::max(outcome_.peak_memory_bytes, statistics_.peak_memory_bytes);
    outcome_.device = statistics_.device;
  }

  const RenderArguments& args_;
  Talk& talk_;
  Outcome& outcome_;
  const Job* job_ = nullptr;  // the picture under way
  int number_ = 0;
  RenderStatistics statistics_;
  std::chrono::steady_clock::time_point begun_;
  std::future<Written> writing_;
};

void render_all(const RenderArguments& args, const std::vector<Job>& jobs, Talk& talk,
                Outcome& outcome) {
  PictureWriter writer(args, talk, outcome);
  RenderOptions options = args.options;
  options.on_progress = [&](const Progress& progress) {
    writer.poll();
    talk.progress(progress);
  };
  int number = 0;
  for (const Job& job : jobs) {
    talk.start_picture(job.path, ++number, static_cast<int>(jobs.size()));
    try {
      const auto begun = std::chrono::steady_clock::now();
      check_output(args, job);
      RenderStatistics statistics;
      Image image = render(job.flame, options, &statistics);
      writer.start(job, number, std::move(image), statistics, begun);
    } catch (const Error& error) {
      writer.note_failure(job, error.kind, error.what());
    } catch (const std::bad_alloc&) {
      writer.note_failure(job, ErrorKind::device, PictureWriter::out_of_memory(job));
    }
  }
  writer.finish();
}

// ---- the end ----

int exit_code(const Outcome& outcome) {
  if (outcome.failures.empty()) return exit_done;
  return outcome.done > 0 ? int{exit_some_failed} : static_cast<int>(outcome.failures.front().kind);
}

std::uint64_t process_peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

void say_summary(const Outcome& outcome, double seconds, Talk& talk) {
  const std::uint64_t memory = std::max(outcome.peak_memory_bytes, process_peak_bytes());
  const double samples = static_cast<double>(outcome.samples);
  const double attempts = samples + static_cast<double>(outcome.bad_values);
  const double bad_percent =
      attempts > 0 ? 100 * static_cast<double>(outcome.bad_values) / attempts : 0;
  const double rate = seconds > 0 ? samples / seconds : 0;
  talk.summary(fmt::format("{} picture{}, {} samples in {:.2f} s ({} samples/s), {} bad values "
                           "({:.2f} %), peak memory {}, {}",
                           outcome.done, outcome.done == 1 ? "" : "s", with_prefix(samples),
                           seconds, with_prefix(rate), outcome.bad_values, bad_percent,
                           byte_size(memory), outcome.device),
               JsonObject()
                   .add("event", "summary")
                   .add("pictures", outcome.done)
                   .add("failed", static_cast<int>(outcome.failures.size()))
                   .add("samples", outcome.samples)
                   .add("seconds", seconds)
                   .add("samples_per_s", rate)
                   .add("bad_values", outcome.bad_values)
                   .add("peak_memory_bytes", memory)
                   .add("device", outcome.device)
                   .text());
}

std::string result_json(const Outcome& outcome) {
  JsonArray failed;
  for (const Failure& failure : outcome.failures) {
    failed.add_json(JsonObject()
                        .add("item", failure.item)
                        .add("code", static_cast<int>(failure.kind))
                        .add("message", failure.message)
                        .text());
  }
  return JsonObject()
      .add_json("pictures", outcome.pictures.text())
      .add_json("failed", failed.text())
      .add("exit_code", exit_code(outcome))
      .text();
}

/// CLI11 would take -1 for the largest seed.
std::uint64_t seed_option(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size()) {
    fail(ErrorKind::usage, "--seed {}: must be a whole number from 0 to 2^64 - 1",
         printable_whole(text));
  }
  return seed;
}

Game game_option(const RenderArguments& args) {
  if (args.rng == "mtgp32") {
    if (args.strategy == "divergent")
      fail(ErrorKind::usage, "--rng mtgp32 is of --strategy permutation; leave out one of the two");
    if (args.backend == "cpu")
      fail(ErrorKind::usage, "--rng mtgp32 is cuRAND's generator; use --backend cuda");
    return Game::mtgp32;
  }
  if (args.strategy != "divergent") return Game::permutation;
  if (args.compat == "flam3")
    fail(ErrorKind::usage, "--strategy divergent has no --compat flam3; leave out one of the two");
  return Game::divergent;
}

void complete_options(RenderArguments& args) {
  args.options.backend = args.backend == "cuda"  ? Backend::cuda
                         : args.backend == "cpu" ? Backend::cpu
                                                 : Backend::automatic;
  if (!args.seed.empty()) args.options.seed = seed_option(args.seed);
  args.options.compat_flam3 = args.compat == "flam3";
  args.options.game = game_option(args);
  if (!args.max_memory.empty())
    args.options.max_memory_bytes = size_option("--max-memory", args.max_memory);
  if (args.json && args.output == "-")
    fail(ErrorKind::usage, "-o - and --json both want standard output; choose one");
  if (std::count(args.inputs.begin(), args.inputs.end(), "-") > 1) {
    fail(ErrorKind::usage, "\"-\" (standard input) can be read only once");
  }
}

int run_render(RenderArguments& args) {
  const auto start = std::chrono::steady_clock::now();
  complete_options(args);
  const ProgressMode mode = args.progress == "json"                 ? ProgressMode::json
                            : args.progress == "none" || args.quiet ? ProgressMode::none
                                                                    : ProgressMode::automatic;
  Talk talk(mode, args.quiet);
  Outcome outcome;
  const std::vector<Job> jobs = read_jobs(args, talk, outcome);
  check_names(args, jobs);
  render_all(args, jobs, talk, outcome);
  if (outcome.done > 0) say_summary(outcome, seconds_since(start), talk);
  if (args.json) fmt::print("{}\n", result_json(outcome));
  return exit_code(outcome);
}

void add_options(CLI::App& command, RenderArguments& args) {
  Overrides& o = args.overrides;
  command
      .add_option("IN", args.inputs,
                  "Flames: .flam3, .flame, a PNG that carries its genome, or - for standard input")
      ->required();
  command
      .add_option("-o,--output", args.output,
                  "Name of the picture, a folder, or - for standard output. Knows {stem} {name} "
                  "{index} {frame} #### "
                  "%05d (default {stem}.png here, {stem}_{index}.png for several flames)")
      ->type_name("TEMPLATE");
  command.add_option("--flame", args.flame, "Only this flame: its name, or its number from 0")
      ->type_name("INDEX|NAME");
  command.add_option("--quality", o.quality, "Samples per pixel instead of the file's")
      ->type_name("Q");
  command.add_option("--quality-scale", o.quality_scale, "Multiply the quality (flam3: qs)")
      ->type_name("F");
  command.add_option("--scale", o.scale, "Multiply the size, same framing (flam3: ss)")
      ->type_name("F");
  command.add_option("--width", o.width, "Width in pixels; the height follows unless given")
      ->type_name("N");
  command.add_option("--height", o.height, "Height in pixels; the width follows unless given")
      ->type_name("N");
  command.add_option("--supersample", o.supersample, "Histogram buckets per pixel side, 1 to 16")
      ->type_name("N");
  command
      .add_option("--pixel-aspect", o.pixel_aspect, "Width of a pixel over its height (default 1)")
      ->type_name("F");
  command.add_option("--bits", args.options.bits, "Bits a channel: 8 (default) or 16")
      ->type_name("8|16")
      ->check(CLI::IsMember({8, 16}).description(""));
  command.add_option("--seed", args.seed, "Same seed, same picture, on any machine (default 0)")
      ->type_name("N");
  command.add_flag("--transparent", args.options.transparent,
                   "Alpha instead of the background colour");
  command.add_flag("--earlyclip", args.options.earlyclip,
                   "Clip colours before the spatial filter, as flam3's earlyclip");
  command
      .add_option("--compat", args.compat,
                  "flam3: keep also the flam3 behaviour that kiln corrects")
      ->type_name("flam3")
      ->check(CLI::IsMember({"flam3"}).description(""));
  command.add_option("--backend", args.backend, "auto (default): a GPU if there is one")
      ->type_name("auto|cpu|cuda")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}).description(""));
  command
      .add_option("--device", args.options.device,
                  "Number of the GPU, as \"kiln devices\" shows it")
      ->type_name("N")
      ->check(CLI::Range(0, 1023).description(""));
  command.add_option("--threads", args.options.threads, "Threads (default 0: all cores)")
      ->type_name("N")
      ->check(CLI::Range(0, 4096).description(""));
  command
      .add_option("--strategy", args.strategy,
                  "divergent: every lane draws its own xform. A cross-check of the permutation "
                  "method: slower, the same picture within noise, other pixels")
      ->type_name("permutation|divergent")
      ->check(CLI::IsMember({"permutation", "divergent"}).description(""));
  command
      .add_option("--rng", args.rng,
                  "mtgp32: cuRAND's Mersenne Twister, CUDA only. A cross-check of the random "
                  "numbers: slower, the same picture within noise, other pixels")
      ->type_name("philox|mtgp32")
      ->check(CLI::IsMember({"philox", "mtgp32"}).description(""));
  command.add_option("--max-memory", args.max_memory, "Refuse pictures that need more, e.g. 4G")
      ->type_name("SIZE");
  args.read.add_to(command);
  command.add_flag("--no-clobber", args.no_clobber,
                   "Keep files that exist (a picture that would replace one fails)");
  command
      .add_option("--progress", args.progress,
                  "auto (default): on a terminal; json: one object a line")
      ->type_name("auto|json|none")
      ->check(CLI::IsMember({"auto", "json", "none"}).description(""));
  command.add_flag("-q,--quiet", args.quiet, "Only errors");
  command.add_flag("--json", args.json, "The result as one JSON object on standard output");
}

}  // namespace

void add_render(CLI::App& program, Run& run) {
  CLI::App& command = *program.add_subcommand("render", "Render flames to PNG files");
  const auto args = std::make_shared<RenderArguments>();
  add_options(command, *args);
  command.footer(examples(
      {"kiln render rose.flame                           # makes rose.png in this folder",
       "kiln render rose.flame -o draft.png --quality 20 --width 480",
       "kiln render *.flame -o pictures/{stem}_{index}.png",
       "kiln render rose.flame -o - | display", "kiln render rose.png -o again.png --seed 7"}));
  command.callback([args, &run] { run = [args] { return run_render(*args); }; });
}

}  // namespace kiln::cli
