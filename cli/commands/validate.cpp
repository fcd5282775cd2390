// SPDX-License-Identifier: MIT
// kiln validate: reads and plans the flames of files as render would, and says on standard output
// whether they are complete: a line a file, before it one for each flame that is refused, or whose
// picture is made without something.
#include <algorithm>
#include <functional>
#include <memory>
#include <set>

#include "cli/commands/commands.h"
#include "cli/options/flame_selection.h"
#include "cli/options/settings.h"
#include "cli/says/console.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/render/still.h"

namespace kiln::cli {
namespace {

struct ValidateArguments {
  std::vector<std::string> inputs;
  std::string flame;
  ReadArguments read;
  bool quiet = false, json = false;
};

/// A flame that cannot be rendered, and what it lacks if that is why.
struct Refused {
  BadFlame flame;  // index -1: the whole file
  std::vector<Missing> missing;
};

/// A flame whose picture is made without something.
struct Approximation {
  int index;
  std::string name;
  std::vector<std::string> without;  // "variation crackle", "saturation"
};

/// The findings about a file.
struct Flaws {
  int good = 0;  // flames
  std::vector<Refused> bad;
  std::vector<Approximation> approximate;  // of the good ones
  std::set<std::string> dialects;

  bool has(ErrorKind kind) const {
    return std::any_of(bad.begin(), bad.end(),
                       [kind](const Refused& refused) { return refused.flame.kind == kind; });
  }
  int code() const {
    if (bad.empty()) return exit_done;
    for (const ErrorKind kind : {ErrorKind::input, ErrorKind::unsupported})
      if (has(kind)) return static_cast<int>(kind);
    return static_cast<int>(bad.front().flame.kind);
  }
  const char* word() const {
    if (!bad.empty()) return "refused";
    return approximate.empty() ? "complete" : "approximate";
  }
};

/// The names of all that the flame's picture is made without, by the reader's notes.
std::vector<std::string> left_out(const Flame& flame, const std::vector<Warning>& warnings) {
  std::vector<std::string> names = missing_names(flame);
  for (const Warning& warning : warnings) {
    if (warning.flame == flame.index && warning.key.starts_with(note_key))
      names.push_back(warning.key.substr(note_key.size()));
  }
  return names;
}

/// Everything that render does before it opens a device.
void plan(const Flame& flame, const std::vector<Warning>& warnings,
          const std::function<void(const std::string&)>& say, Flaws& verdict) {
  try {
    Frame still;
    still.flame = flame;
    const std::string warning = check_still(still, {});
    if (!warning.empty() && say)
      say(fmt::format("{}: {}", printable_whole(flame.place()), warning));
    ++verdict.good;
    std::vector<std::string> without = left_out(flame, warnings);
    if (!without.empty())
      verdict.approximate.push_back({flame.index, flame.name, std::move(without)});
  } catch (const Error& error) {
    verdict.bad.push_back({{flame.index, flame.name, error.kind, error.what()}, {}});
  }
}

/// Moves the flames that need what kiln does not have to those that are refused.
void refuse_incomplete(FlameFile& file, Flaws& verdict) {
  for (const Flame& flame : file.flames) {
    if (flame.missing.empty()) continue;
    verdict.bad.push_back({{flame.index, flame.name, ErrorKind::unsupported,
                            missing_text(flame) + "; --approximate renders it without"},
                           flame.missing});
  }
  std::erase_if(file.flames, [](const Flame& flame) { return !flame.missing.empty(); });
}

/// Reads and plans every chosen flame. Throws what is wrong with the options.
Flaws verdict(const std::string& input, ReaderOptions options, FlameSelection& selection) {
  Flaws verdict;
  const bool approximate = options.approximate;
  const auto say = std::move(options.warn);
  options.warn = nullptr;
  options.approximate = true;  // so that it is known what each flame lacks
  try {
    FlameFile chosen = read_chosen(input, options, selection, Use::motion);
    std::set<int> indices;
    for (const Flame& flame : chosen.flames) {
      indices.insert(flame.index);
      verdict.dialects.insert(dialect_name(flame.dialect));
    }
    for (BadFlame& bad : chosen.bad) {
      indices.insert(bad.index);
      verdict.bad.push_back({std::move(bad), {}});
    }
    if (!approximate) refuse_incomplete(chosen, verdict);
    tell(
        chosen, [&](int index) { return indices.contains(index); }, Use::motion, say);
    for (const Flame& flame : chosen.flames) plan(flame, chosen.warnings, say, verdict);
    std::sort(verdict.bad.begin(), verdict.bad.end(),
              [](const Refused& a, const Refused& b) { return a.flame.index < b.flame.index; });
  } catch (const Error& error) {
    if (error.kind == ErrorKind::usage) throw;
    verdict.bad.push_back({{-1, "", error.kind, error.what()}, {}});
  }
  return verdict;
}

std::string counted(int flames) {
  return fmt::format("{} flame{}", flames, flames == 1 ? "" : "s");
}

/// `a.flame: complete, 2 flames`, after a line for each flame that is not.
std::string verdict_text(const std::string& input, const Flaws& verdict) {
  std::string text;
  for (const Refused& refused : verdict.bad) text += printable_whole(refused.flame.message) + "\n";
  const std::string file = printable_whole(input);
  for (const Approximation& flame : verdict.approximate) {
    std::string names;
    for (const std::string& name : flame.without) names += (names.empty() ? "" : ", ") + name;
    text += fmt::format("{}: {} is approximate, without {}\n", file,
                        flame_label(flame.index, flame.name), names);
  }
  if (!verdict.bad.empty() && verdict.good == 0) return text;
  const std::string bad =
      verdict.bad.empty() ? "" : fmt::format(" good, {} bad", static_cast<int>(verdict.bad.size()));
  return text + fmt::format("{}: {}, {}{}\n", file, verdict.word(), counted(verdict.good), bad);
}

std::string array_of(const auto& texts) {
  JsonArray array;
  for (const std::string& text : texts) array.add_json(json_string(text));
  return array.text();
}

std::string missing_json(const std::vector<Missing>& all) {
  JsonArray array;
  for (const Missing& missing : all) {
    JsonObject json;
    json.add("what", missing.what).add("place", missing.place).add("line", missing.line);
    if (!missing.hint.empty()) json.add("hint", missing.hint);
    array.add_json(json.text());
  }
  return array.text();
}

std::string verdict_json(const std::string& input, const Flaws& verdict) {
  JsonArray bad, approximate;
  for (const auto& [flame, missing] : verdict.bad) {
    JsonObject json;
    if (flame.index >= 0) json.add("index", flame.index).add("name", flame.name);
    json.add("code", static_cast<int>(flame.kind)).add("message", flame.message);
    if (!missing.empty()) json.add_json("missing", missing_json(missing));
    bad.add_json(json.text());
  }
  for (const auto& [index, name, without] : verdict.approximate) {
    approximate.add_json(JsonObject()
                             .add("index", index)
                             .add("name", name)
                             .add_json("without", array_of(without))
                             .text());
  }
  return JsonObject()
             .add("file", input)
             .add("code", verdict.code())
             .add("flames", verdict.good)
             .add_json("bad", bad.text())
             .add("verdict", verdict.word())
             .add_json("dialects", array_of(verdict.dialects))
             .add_json("approximate", approximate.text())
             .text() +
         "\n";
}

int run_validate(const ValidateArguments& args) {
  Console console(ProgressMode::none, args.quiet);
  ReaderOptions options = args.read.options();
  options.warn = [&](const std::string& message) { console.warning(message); };
  Flaws all;
  FlameSelection selection(args.flame);
  for (const std::string& input : expand_inputs(args.inputs)) {
    const Flaws found = verdict(input, options, selection);
    all.bad.insert(all.bad.end(), found.bad.begin(), found.bad.end());
    print("{}", args.json ? verdict_json(input, found) : verdict_text(input, found));
    std::fflush(stdout);
  }
  selection.check();
  return all.code();
}

}  // namespace

void add_validate(Program& program) {
  Command& command = program.command("validate", "Check files without rendering them");
  const auto args = std::make_shared<ValidateArguments>();
  command.inputs("IN", args->inputs,
                 "Files of flames, folders of such files, or - for standard input");
  command.text(flame_option.names, flame_option.type, args->flame, flame_option.help);
  args->read.add_to(command);
  command.group("Messages");
  command.flag("-q,--quiet", args->quiet, "No warnings");
  command.flag("--json", args->json, "One JSON object a file on standard output");
  command.examples({"kiln validate flames/*.flame",
                    "kiln validate --strict rose.flame   # unknown attributes are errors too"});
  command.runs([args] { return run_validate(*args); });
}

}  // namespace kiln::cli
