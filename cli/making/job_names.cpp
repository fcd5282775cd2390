// SPDX-License-Identifier: MIT
// Names of pictures and of states before the first is made: nothing is written twice, onto an input, or onto what
// others made.
#include <algorithm>
#include <filesystem>

#include "cli/making/render_jobs.h"
#include "cli/options/output_files.h"
#include "cli/says/console.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/file/output_name.h"
#include "engine/io/picture/picture_format.h"

namespace kiln::cli {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

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

}  // namespace kiln::cli
