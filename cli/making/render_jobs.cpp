// SPDX-License-Identifier: MIT
#include "cli/making/render_jobs.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/options/device_list.h"
#include "cli/options/flame_selection.h"
#include "cli/options/output_files.h"
#include "cli/options/sequence_words.h"
#include "cli/says/console.h"
#include "engine/api/api_impl.h"
#include "engine/base/error.h"
#include "engine/base/ranks.h"
#include "engine/base/resources.h"
#include "engine/base/text.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/flame_options.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/flame/palette_library.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/picture_settings.h"
#include "engine/io/picture/video_writer.h"
#include "engine/io/state/state_file.h"
#include "engine/pipeline/forecast.h"
#include "engine/program/sample_shares.h"
#include "engine/render/combinations.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

std::string template_for(const RenderArguments& args, std::size_t flames_of_file, bool linear) {
  const bool by_palette = args.settings.color.palettes.size() > 1;
  const std::string usual = std::string(flames_of_file > 1 ? "{stem}_{index}" : "{stem}") +
                            (by_palette ? "_{palette}" : "") +
                            std::string(format_for(linear).ending);
  if (args.output.empty()) return usual;
  return is_folder(args.output) ? (fs::path(args.output) / usual).string() : args.output;
}

/// Whether two flames are the same, shape of the pixels included.
bool same_flame(const Flame& a, const Flame& b) {
  return a.pixel_aspect == b.pixel_aspect && genome_xml(a) == genome_xml(b);
}

/// Sets the files that the job's sums come from, and the one that keeps them.
void add_states(const RenderArguments& args, const NameValues& values, Job& job) {
  if (args.options.ranks && is_state_file(job.input))
    fail(ErrorKind::usage,
         "{}: every rank would begin with the same sums, and they would count several times; "
         "start one process, or give the flame and let each rank go on with its own by --resume",
         printable_whole(job.input));
  if (args.is_merge)
    job.states = args.inputs;
  else if (!job.came_as_text && is_state_file(job.input))
    job.states = {job.input};
  if (args.regrade && job.states.empty())
    fail(ErrorKind::usage, "{}: is no state file; kiln render --checkpoint or --shard makes them",
         printable_whole(job.input));
  if (!args.checkpoint.wanted()) return;
  if (args.checkpoint.state.empty() && is_standard_output(job.path))
    fail(ErrorKind::usage, "-o -: the state file needs a name of its own; give one with --state");
  job.state = args.checkpoint.state.empty()
                  ? args.checkpoint.usual_name(job.path)
                  : expand_template(args.checkpoint.state, values, "--state");
}

/// A palette that was asked for, and its part in names.
struct ChosenPalette {
  std::string label;
  std::optional<Palette> palette;  // nothing: the reader's
};

/// The palettes to render each flame with: several, or the one that it has when it was read.
std::vector<ChosenPalette> chosen_palettes(const RenderArguments& args) {
  const ColorSettings& color = args.settings.color;
  if (color.palettes.empty()) return {{}};
  if (color.palettes.size() == 1) return {{palette_label(color.palettes.front()), {}}};
  std::vector<ChosenPalette> all;
  for (const std::string& wanted : color.palettes)
    all.push_back({palette_label(wanted), color.chosen(wanted, args.read.palettes)});
  return all;
}

/// Chooses the light and the colors, of those that are asked for or were a record's, that the picture's format has.
void choose_light(const RenderArguments& args, Job& job) {
  const PictureFormat& format = format_named(job.path);
  RenderOptions& options = job.making.options;
  if (!format.names_colors) {
    if (args.exr.hdr_peak > 0)
      fail(ErrorKind::usage, "{}: stills are HDR as PNG only; name it .png, or leave --hdr out{}",
           printable_whole(job.path), format.linear ? ": OpenEXR has all light without it" : "");
    job.making.exr.hdr_peak = 0;
  }
  if (job.is_hdr() && options.transparent)
    fail(ErrorKind::usage, "--hdr pq: is of light over a background; leave --transparent out");
  if (args.as_floats && !format.has_floats)
    fail(ErrorKind::usage, "--float: {} has whole numbers; name it .tif or .exr",
         printable_whole(job.path));
  options.linear = format.linear || job.is_hdr() || args.as_floats;
  if (options.linear && !args.crop_marks) options.crop_marks = 0;  // those of a record
  if (job.is_hdr() || args.crop_marks) check_options(options);
}

/// A source of flames: a file, or the text that a job brought.
struct Source {
  std::string name;
  bool is_text = false;
};

/// Makes jobs of what is read; what cannot be read is a failure.
class JobReader {
 public:
  JobReader(const RenderArguments& args, Console& console, Outcome& outcome)
      : args_(args), console_(console), outcome_(outcome), palettes_(chosen_palettes(args)) {}

  /// Adds the flames that read() gives.
  template <class Read>
  void add(const Source& input, const Read& read) {
    try {
      const FlameFile chosen = read();
      for (const BadFlame& bad : chosen.bad)
        note_failure(fmt::format("{} flame {}", input.name, bad.index), bad.kind, bad.message);
      if (!chosen.flames.empty()) add_flames(input, chosen);
    } catch (const Error& error) {
      if (error.kind == ErrorKind::usage) throw;
      note_failure(input.name, error.kind, error.what());
    }
  }
  bool is_empty() const { return jobs_.empty(); }
  std::vector<Job> take() { return std::move(jobs_); }

 private:
  void note_failure(const std::string& item, ErrorKind kind, const std::string& message) {
    outcome_.note_failure(item, kind, message, console_);
  }

  void add_flames(const Source& input, const FlameFile& chosen) {
    const Making making = making_of(args_, chosen, console_);
    const std::string pattern = template_for(args_, chosen.flames.size() + chosen.bad.size(),
                                             making.was_linear && making.exr.hdr_peak == 0);
    for (const Flame& flame : chosen.flames) {
      for (const ChosenPalette& colors : palettes_) {
        Job job{input.name, flame, flame.index, {}, making, {}, {}, input.is_text};
        complete(flame, colors, pattern, job);
        jobs_.push_back(std::move(job));
      }
    }
  }

  /// Sets what the command line makes of a flame.
  void complete(const Flame& flame, const ChosenPalette& colors, const std::string& pattern,
                Job& job) {
    if (colors.palette)
      job.flame.palette =
          flame.dialect == Dialect::flam3 ? resampled(*colors.palette) : *colors.palette;
    args_.settings.apply(job.flame);
    const NameValues values{input_stem(job.input), job.flame.name, job.index,
                            static_cast<int>(jobs_.size()), colors.label};
    job.path = is_standard_output(pattern) ? pattern : expand_template(pattern, values);
    add_states(args_, values, job);
    choose_light(args_, job);
    Making& making = job.making;
    const int most_bits = format_named(job.path).most_bits;
    const bool is_shallow =
        !args_.given("--bits") && !args_.as_floats && making.options.bits > most_bits;
    if (is_shallow) making.options.bits = most_bits;  // those of a record
    if (making.options.linear) PictureOptions::tell_of_curves(job.path, job.flame, console_);
    if (making.options.linear != making.was_linear || is_shallow || args_.settings.are_read() ||
        ends_early(args_.options) || args_.options.halves || !same_flame(flame, job.flame))
      making.made_before.clear();
    if (args_.settings.asks_quality()) making.options.most_quality = job.flame.quality;
  }

  const RenderArguments& args_;
  Console& console_;
  Outcome& outcome_;
  const std::vector<ChosenPalette> palettes_;
  std::vector<Job> jobs_;
};

/// Joins the ranks of mpirun and srun: each plays its part and its state is a file of its own, and
/// rank 0 writes the pictures and talks.
void join_ranks(RenderArguments& args) {
  args.options.ranks = Ranks::join();
  const auto& ranks = args.options.ranks;
  if (!ranks) return;
  if (args.queue.wanted() || args.queue.memory)
    fail(ErrorKind::usage, "ranks share the pictures of one command; leave --jobs and --watch out");
  if (args.checkpoint.shard) fail(ErrorKind::usage, "ranks are shards already; leave --shard out");
  if (!args.checkpoint.state.empty())
    fail(ErrorKind::usage, "each rank has a state file of its own; leave --state out");
  if (args.checkpoint.wanted()) args.checkpoint.shard = Shard{ranks->rank() + 1, ranks->count()};
  if (!ranks->is_first()) args.quiet = true;
  if (!args.given("--device") && args.devices.empty()) choose_gpu_of_rank(args.options);
}

/// Whoever writes `kiln render a.flame x.png` means a picture to be made, not one to be read.
void check_no_output(const std::vector<std::string>& inputs) {
  if (inputs.size() < 2) return;
  for (const std::string& input : inputs) {
    const std::string ending = ending_of(input);
    std::error_code ignored;
    const bool is_picture = format_with_ending(ending) || video_format_with(ending);
    if (is_picture && fs::symlink_status(input, ignored).type() == fs::file_type::not_found)
      fail(ErrorKind::usage, "{}: there is no such file; to write it: -o {}",
           printable_whole(input), printable_whole(input));
  }
}

RenderPlan plan_of(const RenderArguments& args, std::vector<Job> jobs) {
  RenderPlan plan;
  plan.jobs = std::move(jobs);
  plan.options = args.options;
  plan.checkpoint = args.checkpoint;
  plan.saving = args.saving(args.options.threads, args.exr);
  plan.output = args.output;
  plan.keeps_files = args.no_clobber;
  plan.as_json = args.json;
  plan.regrade = args.regrade;
  plan.mail = args.mail();
  return plan;
}

/// Shares the work of --devices all, which is known now.
void share_jobs(RenderArguments& args, std::vector<Job>& jobs) {
  if (!waits_for_work(args.devices)) return;
  double seconds = 0;
  for (const Job& job : jobs)
    seconds += rough_gpu_seconds(rough_samples(job.flame), job.making.options);
  share_worth(seconds, !args.queue.memory, args.options);
  for (Job& job : jobs) {
    RenderOptions& options = job.making.options;
    options.backend = args.options.backend;
    options.device = args.options.device;
    options.helpers = args.options.helpers;
  }
}

}  // namespace

void RenderArguments::add_hdr(Command& command) {
  command.choice("--hdr", {"pq", "none"}, hdr,
                 "A PNG of linear light: BT.2020, PQ, 16 bits (default none)");
  add_hdr_peak(command, hdr_peak);
}

void RenderArguments::add_crop_marks(Command& command) {
  command.flag("--crop-marks", crop_marks,
               "Marks where the print is to be cut, in a margin of paper outside of --bleed");
  command.need("--crop-marks", "--bleed");
  command.exclude("--crop-marks", "--crop");
}

void complete_render(RenderArguments& args) {
  args.complete();
  if (args.hdr == "pq") args.exr.hdr_peak = std::floor(args.hdr_peak);
  if (args.crop_marks) args.options.crop_marks = args.settings.size.bleed_px();
  if (args.crop_marks && args.options.crop_marks == 0)
    fail(ErrorKind::usage,
         "--crop-marks: a print is cut inside of its bleed; give one, --bleed 3mm");
  if (!args.is_merge && !args.regrade && !args.dry_run) join_ranks(args);
  check_options(args.options);
  args.checkpoint.complete(args.options);
  if (is_standard_output(args.output) && stream_kind(args.output).empty())
    args.output.assign(1, '-');
  const bool has_answer = args.mail() && args.mail()->wants_picture;
  if (args.json && is_standard_output(args.output) && !has_answer)
    fail(ErrorKind::usage, "-o - and --json both want standard output; choose one");
  if (waits_for_work(args.devices)) return;
  if (!args.devices.empty()) share_listed(args.devices, args.options);
  // the next job may want another GPU
  if (!args.queue.memory) see_devices_of(args.options);
}

std::vector<Job> read_jobs(const RenderArguments& args, Console& console, Outcome& outcome) {
  check_no_output(args.inputs);
  ReaderOptions options = args.read.options();
  options.only_regular_files = args.queue.memory && args.queue.memory->watches;
  options.seed = args.options.seed;
  args.settings.complete(options);
  options.warn = [&](const std::string& message) { console.warning(message); };
  JobReader reader(args, console, outcome);
  FlameSelection selection(args.flame);
  for (const std::string& input : args.inputs) {
    if (args.is_merge && !reader.is_empty()) break;  // the first one has the flame of all
    reader.add({input}, [&] { return read_chosen(input, options, selection, Use::stills); });
  }
  const std::size_t texts = args.mail() ? args.mail()->genomes.size() : 0;
  for (std::size_t i = 0; i < texts; ++i) {
    const std::string name = i == 0 ? "genome" : fmt::format("genome {}", i + 1);
    reader.add({name, true}, [&] {
      return read_chosen_text(args.mail()->genomes[i], name, options, selection, Use::stills);
    });
  }
  selection.check();
  return reader.take();
}

std::vector<std::string> RenderPlan::beginnings(const Job& job) const {
  if (checkpoint.resume && fs::exists(job.state)) return {job.state};
  return job.states;
}

Outcome make_pictures(RenderArguments& args, MakeAll& make) {
  const auto start = Clock::now();
  complete_render(args);
  Console console(args.progress_mode(), args.quiet);
  if (args.mail() && args.mail()->warned) console.be_silent(args.mail()->warned);
  Outcome outcome;
  if (const std::string odd = args.settings.size.slip(); !odd.empty()) console.warning(odd);
  std::vector<Job> jobs = read_jobs(args, console, outcome);
  share_jobs(args, jobs);
  RenderPlan plan = plan_of(args, std::move(jobs));
  check_names(args, plan.jobs);
  drop_replacing(args, plan.jobs, console, outcome);
  if (!args.dry_run) make_folder(args.output);
  if (plan.mail && plan.mail->check) plan.mail->check(plan);
  make(plan, console, outcome);
  if ((outcome.done > 0 || outcome.failures.size() > 1) && !args.dry_run)
    outcome.say_summary(seconds_since(start), "picture", console);
  return outcome;
}

int say_result(const RenderArguments& args, const Outcome& outcome) {
  const bool speaks = !args.options.ranks || args.options.ranks->is_first();
  if (args.json && speaks) print("{}\n", outcome.result_json());
  return outcome.exit_code();
}

}  // namespace kiln::cli
