// SPDX-License-Identifier: MIT
// kiln variations: the list of what this build knows, one variation with its formula, its picture.
#include "engine/model/variations.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/options/output_files.h"
#include "cli/says/console.h"
#include "engine/api/api_impl.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/flame/shelved_formulas.h"
#include "engine/io/picture/picture_format.h"
#include "engine/model/formula.h"
#include "kernels/variations/extended.h"

namespace kiln::cli {
namespace {

struct VariationArguments {
  std::string name, output, file;
  bool json = false, force = false;
};

constexpr const char* letters =
    "x y z: the point after the affine map; r2 = x^2 + y^2, r its distance, phi = atan2(y, x), "
    "theta = atan2(x, y);\nw: the weight; a .. f: the affine map; U: a random number from 0 to 1\n";

// ---- what is said of one ----

int index_of(const VariationInfo& variation) { return *find_variation(variation.name); }

bool has_depth(const VariationInfo::Traits& traits) {
  return traits.reads_depth || traits.only_depth || traits.makes_depth != makes_depth_never;
}

/// "in the plane, random".
std::string kind_of(const VariationInfo& variation) {
  const VariationInfo::Traits& traits = variation.traits;
  std::string kind = has_depth(traits) ? "in space" : "in the plane";
  if (traits.only_depth) kind += ", depth alone";
  if (variation.random) kind += ", random";
  if (traits.changes_color) kind += ", colors directly";
  if (traits.restarts) kind += ", begins the sum anew";
  return kind;
}

std::string source_of(const VariationInfo& variation) {
  const int index = index_of(variation);
  if (index < flam3_variation_count())
    return fmt::format("flam3, variation {} (docs/flam3/flam3-variations.md)", index);
  if (variation.name.starts_with("apophysis_"))
    return "Apophysis 7X (docs/reference/compatibility.md)";
  const VariationFamily* family = find_variation_note(variation.name).family;
  if (family && family->name == "plugin_maps")
    return "published formulas (kernels/variations/plugin_maps.txt)";
  return "Fractorium, Apophysis and its plug-ins, as Ember means it (docs/reference/variations.md)";
}

std::string json_list(const std::vector<std::string>& texts) {
  JsonArray array;
  for (const std::string& text : texts) array.add_json(json_string(text));
  return array.text();
}

std::string variation_json(const VariationInfo& variation) {
  const auto [family, note] = find_variation_note(variation.name);
  JsonArray parameters;
  for (const ParameterInfo& parameter : variation.parameters) {
    const ParameterNote said = parameter_note(note, parameter.name);
    parameters.add_json(JsonObject()
                            .add("name", parameter.name)
                            .add("default", parameter.default_value)
                            .add("range", said.range)
                            .add("meaning", said.meaning)
                            .text());
  }
  return JsonObject()
      .add("name", variation.name)
      .add("random", variation.random)
      .add_json("parameters", parameters.text())
      .add("family", family ? family->name : "")
      .add("kind", kind_of(variation))
      .add("depth", has_depth(variation.traits))
      .add("idea", note ? note->idea : "")
      .add_json("formula", json_list(note ? note->formula : std::vector<std::string>()))
      .add_json("other_names", json_list(other_names(index_of(variation))))
      .add("source", source_of(variation))
      .text();
}

/// A line of the list.
std::string variation_line(const VariationInfo& variation) {
  std::string text = variation.name;
  for (const ParameterInfo& parameter : variation.parameters) {
    text += fmt::format(" {}={}", parameter.name, shortest(parameter.default_value));
  }
  return text + (variation.random ? "  (random)" : "");
}

std::string parameter_lines(const VariationInfo& variation, const VariationNote* note) {
  std::size_t widest = 0;
  for (const ParameterInfo& parameter : variation.parameters)
    widest = std::max(widest, parameter.name.size() + shortest(parameter.default_value).size());
  std::string text = "\nParameters, with what they are where a file does not say:\n";
  for (const ParameterInfo& parameter : variation.parameters) {
    const ParameterNote said = parameter_note(note, parameter.name);
    text +=
        fmt::format("  {:<{}}  {}{}\n", parameter.name + "=" + shortest(parameter.default_value),
                    widest + 1, said.meaning, said.range.empty() ? "" : " [" + said.range + "]");
  }
  return text;
}

std::string variation_text(const VariationInfo& variation) {
  const auto [family, note] = find_variation_note(variation.name);
  std::string text = variation.name + "\n";
  if (note) {
    text += note->idea + "\n\n";
    for (const std::string& line : note->formula) text += "  " + line + "\n";
  }
  if (!variation.parameters.empty()) text += parameter_lines(variation, note);
  text += "\nKind: " + kind_of(variation) + "\n";
  if (family) text += "Family: " + family->title + " (kernels/variations/" + family->name + ".h)\n";
  const std::vector<std::string> others = other_names(index_of(variation));
  if (!others.empty()) text += "Other names: " + joined(others, ", ") + "\n";
  return text + "Source: " + source_of(variation) + "\n\n" + letters;
}

// ---- the command ----

const VariationInfo& find_named(const std::string& name) {
  if (const auto form = find_form(name)) return variations()[std::size_t(form->variation)];
  std::vector<std::string> names;
  for (const VariationInfo& variation : variations()) names.push_back(variation.name);
  fail(ErrorKind::usage, "unknown variation \"{}\"{}; kiln variations lists them",
       printable_whole(name), did_you_mean(name, names));
}

std::string scene_of(const VariationInfo& variation) {
  const VariationNote* note = find_variation_note(variation.name).note;
  return variation_scene(note ? *note : VariationNote{variation.name, "", "", {}, {}, ""});
}

/// The picture, or the flame that it is made of.
void write_scene(const std::string& xml, const VariationArguments& arguments) {
  const std::string& path = arguments.output;
  OutputNames names(arguments.force);
  names.claim(path, "variations", "another name");
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".flame" || ending == ".flam3") {
    AtomicFile file(path);
    file.write(xml.data(), xml.size());
    file.commit();
    return;
  }
  if (ending != format_for(false).ending)
    fail(ErrorKind::usage, "--output: {} ends neither in {}, for the picture, nor in .flame",
         printable_whole(path), picture_endings(false));
  check_output_path(path);
  const Scene scene = parse_scenes(xml).front();
  names.keep_picture_of_another(path, "variations", &scene.impl().flame);
  save(render(scene), path);
}

// ---- formulas that a file brings along ----

/// The formulas of all flames of a file, those that are alike once.
std::vector<int> formulas_of_file(const std::string& path) {
  ReaderOptions options;
  options.approximate = true;  // whatever else the flames want
  options.warn = [](const std::string&) {};
  std::vector<int> found;
  for (const Flame& flame : read_flames(path, options).flames)
    for (const int formula : formulas_of(flame))
      if (std::find(found.begin(), found.end(), formula) == found.end()) found.push_back(formula);
  return found;
}

std::string formula_text(int formula) {
  const FormulaText& text = formula_at(formula).text;
  const VariationInfo& info = info_of(formula);
  std::string shown = variation_line(info) + "\n";
  for (std::size_t i = 0; i < std::size(FormulaText::parts); ++i)
    if (const std::string& part = text.*FormulaText::parts[i]; !part.empty())
      shown += fmt::format("  {} = {}\n", FormulaText::part_names[i], printable_whole(part));
  for (const FormulaParameter& one : text.parameters)
    shown += fmt::format("  {}_{}: from {} to {}\n", text.name, one.name, shortest(one.low),
                         shortest(one.high));
  return shown + "  kind: " + kind_of(info) + "\n  digest: " + formula_digest(text) + "\n";
}

std::string formula_json(int formula) {
  const FormulaText& text = formula_at(formula).text;
  const VariationInfo& info = info_of(formula);
  JsonArray parameters;
  for (std::size_t p = 0; p < info.parameters.size(); ++p)
    parameters.add_json(JsonObject()
                            .add("name", info.parameters[p].name)
                            .add("default", info.parameters[p].default_value)
                            .add("from", text.parameters[p].low)
                            .add("to", text.parameters[p].high)
                            .text());
  JsonObject parts;
  for (std::size_t i = 0; i < std::size(FormulaText::parts); ++i)
    if (const std::string& part = text.*FormulaText::parts[i]; !part.empty())
      parts.add(FormulaText::part_names[i], part);
  return JsonObject()
      .add("name", info.name)
      .add("random", info.random)
      .add_json("parameters", parameters.text())
      .add("kind", kind_of(info))
      .add("depth", has_depth(info.traits))
      .add_json("formula", parts.text())
      .add("digest", formula_digest(text))
      .text();
}

int run_formulas(const VariationArguments& arguments) {
  std::vector<int> found = formulas_of_file(arguments.file);
  if (!arguments.name.empty()) {
    std::vector<std::string> names;
    for (const int formula : found) names.push_back(info_of(formula).name);
    std::erase_if(found, [&](int formula) { return info_of(formula).name != arguments.name; });
    if (found.empty())
      fail(ErrorKind::usage, "{}: has no formula \"{}\"{}; kiln variations --file {} lists them",
           printable_whole(arguments.file), printable(arguments.name),
           did_you_mean(arguments.name, names), printable_whole(arguments.file));
  }
  if (!arguments.output.empty()) {
    write_scene(formula_scene(found.front()), arguments);
    print("{}\n", arguments.output);
    return exit_done;
  }
  JsonArray array;
  for (const int formula : found) {
    if (arguments.json)
      array.add_json(formula_json(formula));
    else
      print("{}", formula_text(formula));
  }
  if (arguments.json) print("{}\n", array.text());
  return exit_done;
}

int run_variations(const VariationArguments& arguments) {
  if (!arguments.file.empty()) return run_formulas(arguments);
  if (arguments.name.empty() && arguments.json) {
    print("{}\n", variations_json());
    return exit_done;
  }
  if (arguments.name.empty()) {
    for (const VariationInfo& variation : variations()) print("{}\n", variation_line(variation));
    return exit_done;
  }
  const VariationInfo& variation = find_named(arguments.name);
  if (arguments.output.empty()) {
    print("{}{}", arguments.json ? variation_json(variation) : variation_text(variation),
          arguments.json ? "\n" : "");
    return exit_done;
  }
  write_scene(scene_of(variation), arguments);
  print("{}\n", arguments.output);
  return exit_done;
}

}  // namespace

std::string variations_json() {
  JsonArray array;
  for (const VariationInfo& variation : variations()) array.add_json(variation_json(variation));
  return array.text();
}

void add_variations(Program& program) {
  const auto arguments = std::make_shared<VariationArguments>();
  Command& command = program.command(
      "variations", "List all variations, or show one: formula, parameters, picture");
  command.input("NAME", arguments->name, "A variation; without it all are listed", false);
  std::vector<std::string> names;
  for (const VariationInfo& variation : variations()) names.push_back(variation.name);
  command.suggest("NAME", names);
  command.group("Result");
  command.flag("--json", arguments->json, "JSON on standard output, with all that is known");
  command.text(
      "--file", "FLAMES", arguments->file,
      "The formulas that the flames of this file bring along, in place of kiln's variations");
  command.text("-o,--output", "FILE", arguments->output,
               "A picture that shows what NAME does (.png), or the flame of it (.flame)");
  command.flag("--force", arguments->force, force_help);
  command.need("--output", "NAME");
  command.exclude("--output", "--json");
  command.examples(
      {"kiln variations", "kiln variations julian", "kiln variations julian -o julian.png",
       "kiln variations --json | jq -r .[].name", "kiln variations --file twirl.flame"});
  command.runs([arguments] { return run_variations(*arguments); });
}

}  // namespace kiln::cli
