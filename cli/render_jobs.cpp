// SPDX-License-Identifier: MIT
#include "cli/render_jobs.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/console.h"
#include "cli/options/device_list.h"
#include "cli/options/flame_selection.h"
#include "cli/options/output_files.h"
#include "cli/options/sequence_words.h"
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

void add_job(const RenderArguments& args, const Source& input, const Flame& flame,
             const ChosenPalette& colors, const Making& making, const std::string& pattern,
             std::vector<Job>& jobs, Console& console) {
  Job job{input.name, flame, flame.index, {}, making, {}, {}, input.is_text};
  if (colors.palette)
    job.flame.palette =
        flame.dialect == Dialect::flam3 ? resampled(*colors.palette) : *colors.palette;
  args.settings.apply(job.flame);
  const NameValues values{input_stem(input.name), job.flame.name, job.index,
                          static_cast<int>(jobs.size()), colors.label};
  job.path = is_standard_output(pattern) ? pattern : expand_template(pattern, values);
  add_states(args, values, job);
  const PictureFormat& format = format_named(job.path);
  choose_light(args, job);
  const bool is_shallow =
      !args.given("--bits") && !args.as_floats && job.making.options.bits > format.most_bits;
  if (is_shallow) job.making.options.bits = format.most_bits;  // those of a record
  if (job.making.options.linear) PictureOptions::tell_of_curves(job.path, job.flame, console);
  if (job.making.options.linear != making.was_linear || is_shallow || args.settings.are_read() ||
      ends_early(args.options) || args.options.halves || !same_flame(flame, job.flame))
    job.making.made_before.clear();
  if (args.settings.asks_quality()) job.making.options.most_quality = job.flame.quality;
  jobs.push_back(std::move(job));
}

void add_jobs(const RenderArguments& args, const Source& input, const FlameFile& chosen,
              const std::vector<ChosenPalette>& palettes, Console& console,
              std::vector<Job>& jobs) {
  if (chosen.flames.empty()) return;
  const Making making = making_of(args, chosen, console);
  const std::string pattern = template_for(args, chosen.flames.size() + chosen.bad.size(),
                                           making.was_linear && making.exr.hdr_peak == 0);
  for (const Flame& flame : chosen.flames)
    for (const ChosenPalette& colors : palettes)
      add_job(args, input, flame, colors, making, pattern, jobs, console);
}

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

/// A state that is gone on with may take its own place; no other file that is read.
void check_state_names(const RenderArguments& args, const std::vector<Job>& jobs) {
  OutputNames names(args.force || args.no_clobber);
  for (const Job& job : jobs) {
    if (job.state.empty()) continue;
    const bool goes_on_with_it =
        job.states.size() == 1 && is_same_file(job.state, job.states.front());
    if (goes_on_with_it) names.go_on_with(job.state);
    names.claim(job.state, fmt::format("flame {} of {}", job.index, job.input),
                "{index}, {stem} or {name}, also in --state");
    if (!fs::path(job.state).extension().string().ends_with(".kiln"))
      fail(ErrorKind::usage, "--state {}: the name of a state must end in .kiln",
           printable_whole(job.state));
    const bool goes_on = args.checkpoint.resume || goes_on_with_it;
    if (!goes_on && !args.force && !args.no_clobber) check_no_state_is_lost(job.state);
  }
  for (const std::string& input : args.inputs) {
    const bool goes_on = std::any_of(jobs.begin(), jobs.end(), [&](const Job& job) {
      return job.states.size() == 1 && job.input == input && is_same_file(job.state, input);
    });
    if (!goes_on) names.keep_input(input);
  }
  if (args.queue.memory) names.keep_input(args.queue.memory->list);
}

/// The words that this template lacks to tell pictures of the same name apart.
std::string more_of_template(const std::string& pattern) {
  std::vector<std::string> words;
  for (const char* word : {"{index}", "{stem}", "{name}", "{palette}"})
    if (pattern.find(word) == std::string::npos) words.emplace_back(word);
  words.emplace_back("####");
  const std::string last = words.back();
  words.pop_back();
  return words.empty() ? last : kiln::joined(words, ", ") + " or " + last;
}

/// A folder that is not there yet reads like a name without an ending.
void check_is_no_folder(const std::string& output, std::size_t pictures) {
  std::error_code ignored;
  if (pictures < 2 || output.empty() || is_standard_output(output) || is_folder(output)) return;
  if (!ending_of(output).empty() || output.find_first_of("{#%") != std::string::npos ||
      fs::exists(output, ignored))
    return;
  fail(ErrorKind::usage,
       "{0}: {1} pictures do not fit one file, and there is no such folder; {0}/ makes it",
       printable_whole(output), pictures);
}

/// Pictures that would replace those of other flames of the same queue are failures.
void drop_replacing(const RenderArguments& args, std::vector<Job>& jobs, Console& console,
                    Outcome& outcome) {
  if (!args.queue.memory || args.force) return;
  std::erase_if(jobs, [&](const Job& job) {
    if (is_standard_output(job.path)) return false;  // its answer's
    const auto other = args.queue.memory->pictures.claimed_by_another(
        job.path, fmt::format("flame {} of {}", job.index, job.input));
    if (!other) return false;
    const std::string message = fmt::format(
        "{}: is the picture of {}; tell them apart with {{stem}}, {{index}} or {{name}} in -o, or "
        "replace it with --force",
        printable_whole(job.path), printable_whole(*other));
    outcome.note_failure(job.path, ErrorKind::usage, message, console);
    return true;
  });
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

/// The settings of the record, but for the options that were given: gives their names. The pixels
/// may be other ones where they decide them.
std::string merge(const PictureOptions& args, const PictureRecord& record, Making& making) {
  RenderOptions& options = making.options = repeated(record, args.options);
  std::string given;
  for (const PictureSetting& setting : picture_settings()) {
    if (!setting.record || setting.is_file() || !args.given(setting.option)) continue;
    copy_setting(setting, args.options, options);
    given += (given.empty() ? "" : " ") + std::string(setting.option);
    if (setting.decides == PictureSetting::Decides::pixels) making.made_before.clear();
  }
  // a window is of one size of the picture, and so is what is cut away
  if (args.settings.resizes()) options.crop = args.options.crop;
  if (args.settings.resizes() || args.given("--crop")) options.crop_marks = args.options.crop_marks;
  if (options.crop_marks > 0 && options.dpi != record.options.dpi) making.made_before.clear();
  return given;
}

/// Checks the point spread function: a record has only its hash.
void check_psf(const PictureOptions& args, const PictureRecord& record, const std::string& name,
               Console& console) {
  if (!record.options.psf) return;
  if (!args.options.psf)
    fail(ErrorKind::usage,
         "{}: was made with a --psf of which it has only the hash; name the file again with --psf, "
         "or take the flame alone with --ignore-record",
         name);
  if (psf_hash(args.options) != psf_hash(record.options))
    console.warning(fmt::format("{}: was made with another --psf than the one given", name));
}

/// The record with what really holds.
std::string repeated_words(const PictureRecord& record, const RenderOptions& options,
                           const std::string& given) {
  PictureRecord holds = record;
  holds.options = options;
  holds.options.psf = record.options.psf;
  if (record.is_linear()) holds.options.bits = record.options.bits;
  return in_words(holds) + (given.empty() ? "" : " (" + given + " given)") +
         (record.frame ? fmt::format("; frame {} without its motion blur", *record.frame) : "");
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
  std::vector<Job> jobs;
  ReaderOptions options = args.read.options();
  options.only_regular_files = args.queue.memory && args.queue.memory->watches;
  options.seed = args.options.seed;
  args.settings.complete(options);
  options.warn = [&](const std::string& message) { console.warning(message); };
  const std::vector<ChosenPalette> palettes = chosen_palettes(args);
  FlameSelection selection(args.flame);
  const auto note_failure = [&](const std::string& item, ErrorKind kind,
                                const std::string& message) {
    outcome.note_failure(item, kind, message, console);
  };
  const auto add = [&](const Source& input, const auto& read) {
    try {
      const FlameFile chosen = read();
      for (const BadFlame& bad : chosen.bad)
        note_failure(fmt::format("{} flame {}", input.name, bad.index), bad.kind, bad.message);
      add_jobs(args, input, chosen, palettes, console, jobs);
    } catch (const Error& error) {
      if (error.kind == ErrorKind::usage) throw;
      note_failure(input.name, error.kind, error.what());
    }
  };
  for (const std::string& input : args.inputs) {
    if (args.is_merge && !jobs.empty()) break;  // the first one has the flame of all
    add({input}, [&] { return read_chosen(input, options, selection, Use::stills); });
  }
  const std::size_t texts = args.mail() ? args.mail()->genomes.size() : 0;
  for (std::size_t i = 0; i < texts; ++i) {
    const std::string name = i == 0 ? "genome" : fmt::format("genome {}", i + 1);
    add({name, true}, [&] {
      return read_chosen_text(args.mail()->genomes[i], name, options, selection, Use::stills);
    });
  }
  selection.check();
  return jobs;
}

void check_names(const RenderArguments& args, const std::vector<Job>& jobs) {
  check_is_no_folder(args.output, jobs.size());
  const std::string remedy = more_of_template(args.output);
  OutputNames names(args.force || args.no_clobber);
  for (const Job& job : jobs) {
    if (is_standard_output(job.path) && jobs.size() > 1) {
      fail(ErrorKind::usage, "-o -: {} pictures do not fit one stream; choose one with --flame",
           jobs.size());
    }
    args.check_colors(job.path);
    PictureOptions::check_format(job.path, job.flame, job.making.options);
    if (args.checkpoint.shard && !args.options.ranks) continue;  // no picture is written
    if (job.path.ends_with(".kiln"))
      fail(ErrorKind::usage, "{}: a picture is {}; --state names the state file",
           printable_whole(job.path), picture_endings());
    const std::string what = fmt::format("flame {} of {}", job.index, job.input);
    names.claim_picture(job.path, what, remedy.c_str());
    const bool is_watched = args.queue.memory && args.queue.memory->watches;
    if (!is_watched) names.keep_picture_of_another(job.path, what, &job.flame);
  }
  names.keep_inputs(args.inputs);
  if (args.queue.memory) names.keep_input(args.queue.memory->list);
  check_state_names(args, jobs);
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

Making making_of(const PictureOptions& args, const FlameFile& file, Console& console) {
  Making making{args.options, args.exr, args.credits, false, {}, false};
  if (!file.record || args.ignore_record) return making;
  const PictureRecord& record = *file.record;
  const std::string name = printable_whole(file.name);
  check_psf(args, record, name, console);
  if (!record.frame && psf_hash(args.options) == psf_hash(record.options))
    making.made_before = record.pixel_hash;
  making.repeats = true;
  const std::string given = merge(args, record, making);
  making.was_linear = record.is_linear();
  if (!args.given("--exr")) {
    making.exr.precision = record.exr.precision;
    making.exr.compression = record.exr.compression;
  }
  if (!args.given("--primaries")) making.exr.primaries = record.exr.primaries;
  if (!args.given("--hdr")) making.exr.hdr_peak = record.exr.hdr_peak;
  for (std::string Credits::*text :
       {&Credits::title, &Credits::author, &Credits::copyright, &Credits::source})
    if ((making.credits.*text).empty()) making.credits.*text = record.credits.*text;
  if (record.asks_stages) making.options.stages = true;
  try {
    check_options(making.options);  // those of the record and the given ones together
  } catch (const Error& error) {
    fail(error.kind, "{}: {}", name, error.what());
  }
  console.note(
      fmt::format("{}: repeating {}", name, repeated_words(record, making.options, given)));
  if (record.version != KILN_VERSION)
    console.warning(fmt::format("{}: was made by kiln {}, this is {}: pixels may differ", name,
                                printable(record.version), KILN_VERSION));
  return making;
}

}  // namespace kiln::cli
