// SPDX-License-Identifier: MIT
// kiln info: what is in a file of flames and what rendering it would take, without rendering.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/commands/commands.h"
#include "cli/making/render_jobs.h"
#include "cli/making/triangles.h"
#include "cli/options/flame_selection.h"
#include "cli/options/output_files.h"
#include "cli/says/console.h"
#include "engine/base/text.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/dialect.h"
#include "engine/model/formula.h"
#include "engine/model/track_target.h"
#include "engine/model/variations.h"
#include "engine/pipeline/forecast.h"
#include "engine/program/structure.h"
#include "engine/render/combinations.h"
#include "engine/sound/song.h"

namespace kiln::cli {
namespace {

struct InfoArguments : RenderArguments {
  bool time = false;
  std::string triangles;
};

int color_count(const Palette& palette) {
  int count = 0;
  for (std::size_t i = 0; i < palette.size(); ++i) {
    count += std::find(palette.begin(), palette.begin() + static_cast<std::ptrdiff_t>(i),
                       palette[i]) == palette.begin() + static_cast<std::ptrdiff_t>(i);
  }
  return count;
}

bool is_opaque(const Palette& palette) {
  return std::all_of(palette.begin(), palette.end(),
                     [](const Rgba& color) { return color.a == 1; });
}

const char* resolution_word(Resolution resolution) {
  switch (resolution) {
    case Resolution::whole:
      return "whole";
    case Resolution::soft:
      return "soft";
    case Resolution::blocks:
      return "blocks";
    case Resolution::black:
      return "black";
  }
  return "";
}

/// Whether its song lies where the file says; nobody looks into it.
bool is_song_there(const Flame& flame) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(song_path(flame), ignored);
}

std::string flame_json(const Flame& flame, int index, const Forecast& forecast,
                       const RenderOptions& kept) {
  JsonArray names, formulas;
  for (const std::string& name : used_variations(flame)) names.add_json(json_string(name));
  for (const int formula : formulas_of(flame))
    formulas.add_json(json_string(info_of(formula).name));
  JsonObject palette;
  palette.add("mode", flame.palette_mode == PaletteMode::step ? "step" : "linear")
      .add("colors", color_count(flame.palette))
      .add("opaque", is_opaque(flame.palette));
  JsonObject json;
  json.add("index", index)
      .add("name", flame.name)
      .add("line", flame.line)
      .add("dialect", dialect_name(flame.dialect))
      .add("dialect_reason", flame.dialect_reason)
      .add("time", flame.time)
      .add("width", flame.width)
      .add("height", flame.height)
      .add("quality", flame.quality)
      .add("scale", flame.scale)
      .add("zoom", flame.zoom)
      .add("rotate", flame.rotate_deg)
      .add("supersample", flame.supersample)
      .add("passes", flame.passes)
      .add("temporal_samples", flame.temporal_samples)
      .add("xforms", static_cast<int>(flame.xforms.size()))
      .add("final_xform", flame.final_xform.has_value())
      .add("xaos", has_xaos(flame))
      .add_json("variations", names.text())
      .add_json("formulas", formulas.text())
      .add_json("palette", palette.text())
      .add("samples", forecast.samples)
      .add("memory_bytes", forecast.memory.usual())
      .add("memory_most_bytes", forecast.memory.most())
      .add("stripes", forecast.stripes)
      .add("coordinates", forecast.in_double ? "double" : "float")
      .add("resolution", resolution_word(forecast.resolution));
  if (!flame.tracks.empty()) {
    JsonArray tracks;
    for (const Track& track : flame.tracks) {
      JsonObject one;
      one.add("of", track_label(track));
      if (track.sound) {
        one.add("sound", sound_part_text(*track.sound));
      } else {
        one.add("keys", static_cast<int>(track.keys.size()))
            .add("begin", track.keys.front().time)
            .add("end", track.keys.back().time);
      }
      tracks.add_json(one.text());
    }
    json.add_json("tracks", tracks.text());
  }
  if (flame.sound)
    json.add_json("song", JsonObject()
                              .add("file", flame.sound->file)
                              .add("sha256", flame.sound->sha256)
                              .add("fps", flame.sound->rate)
                              .add("is_there", is_song_there(flame))
                              .text());
  if (!flame.markers.empty()) {
    JsonArray markers;
    for (const FilmMarker& marker : flame.markers)
      markers.add_json(
          JsonObject().add("time", marker.time).add("name", printable(marker.name)).text());
    json.add_json("markers", markers.text());
  }
  if (flame.easing.kind != EasingKind::linear) json.add("easing", easing_text(flame.easing));
  if (kept.crop) json.add_json("crop", window_json(*kept.crop));
  if (kept.dpi > 0) json.add("dpi", kept.dpi);
  if (kept.crop_marks > 0) json.add("crop_marks", kept.crop_marks);
  if (forecast.seconds > 0) json.add("seconds", forecast.seconds);
  if (!flame.missing.empty()) {
    JsonArray missing;
    for (const std::string& name : missing_names(flame)) missing.add_json(json_string(name));
    json.add_json("missing", missing.text());
  }
  return json.text();
}

/// Names the rules that the version of JWildfire, and the flame, decide.
std::string jwildfires_rules(const Flame& flame) {
  constexpr double first_that_weighs_mirrors = 7;
  const double version = jwildfires_version(flame.version.c_str());
  if (flame.dialect != Dialect::jwildfire || version == 0 || flame.version.starts_with("kiln"))
    return "";
  return fmt::format("; depth of flat variations is {}, mirrors of weight 0 {}",
                     flame.preserve_z ? "kept" : "dropped",
                     version < first_that_weighs_mirrors ? "work" : "do nothing");
}

/// The line about the program whose meaning its names have; empty where that is flam3.
std::string dialect_line(const Flame& flame) {
  if (flame.dialect == Dialect::flam3) return "";
  return fmt::format("    dialect: {} ({}){}\n", dialect_name(flame.dialect),
                     printable(flame.dialect_reason), jwildfires_rules(flame));
}

/// The line with its size on paper.
std::string print_line(const Flame& flame, const RenderOptions& kept) {
  const double dpi = kept.dpi;
  if (!(dpi > 0)) return "";
  const double cut = 2 * kept.crop_marks / dpi;
  const double width = (kept.crop ? kept.crop->width : flame.width) / dpi,
               height = (kept.crop ? kept.crop->height : flame.height) / dpi / flame.pixel_aspect;
  return fmt::format("    on paper: {:.2f} x {:.2f} in, {:.1f} x {:.1f} cm at {} dpi{}\n", width,
                     height, 2.54 * width, 2.54 * height, shortest(dpi),
                     cut > 0 ? fmt::format(", to be cut at its marks to {:.2f} x {:.2f} in",
                                           width - cut, height - cut)
                             : "");
}

std::string finals_text(const Flame& flame) {
  if (!flame.final_xform) return "";
  const std::size_t count = 1 + flame.more_finals.size();
  return count == 1 ? " and a final one" : fmt::format(" and {} final ones", count);
}

/// The line with what moves it in a film: tracks, and the way to the next key flame.
std::string film_line(const Flame& flame) {
  std::string text;
  if (flame.sound)
    text += fmt::format("    song: {}, {} units of time a second{}\n",
                        printable_whole(flame.sound->file), flame.sound->fps,
                        is_song_there(flame) ? "" : "; it is not there, and frames need it");
  for (const FilmMarker& marker : flame.markers)
    text += fmt::format("    marker at {}: {}\n", shortest(marker.time), printable(marker.name));
  for (const Track& track : flame.tracks) {
    if (track.sound) {
      text += fmt::format("    track of {}: driven by {} of the song\n", track_label(track),
                          sound_part_text(*track.sound));
      continue;
    }
    text += fmt::format("    track of {}: {} key{}, times {} to {}\n", track_label(track),
                        track.keys.size(), track.keys.size() == 1 ? "" : "s",
                        shortest(track.keys.front().time), shortest(track.keys.back().time));
  }
  if (flame.easing.kind != EasingKind::linear)
    text += "    easing to the next key flame: " + easing_text(flame.easing) + "\n";
  return text;
}

std::string resolution_line(const Forecast& forecast) {
  const std::string& warning = forecast.resolution_warning;
  return warning.empty() ? "" : "    " + warning + "\n";
}

/// The line about a flame that render refuses without --approximate.
std::string missing_line(const Flame& flame) {
  std::string names;
  for (const std::string& name : missing_names(flame)) names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? "" : "    kiln does not have: " + names + "\n";
}

/// The variations that the flame brings along, with their parameters.
std::string formula_line(const Flame& flame) {
  const FormulaNames own(flame);
  std::string names;
  for (const std::string& name : FormulaNames::all()) names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? "" : "    formulas of its own: " + names + "\n";
}

std::string flame_text(const Flame& flame, int index, const Forecast& forecast,
                       const RenderOptions& kept) {
  const std::size_t xforms = flame.xforms.size();
  std::string names;
  for (const std::string& name : used_variations(flame))
    names += (names.empty() ? "" : ", ") + name;
  return fmt::format(
      "  {} {}\n"
      "    {} x {} pixels{}, quality {}, supersample {}, scale {}, zoom {}{}\n"
      "    {} xform{}{}{}: {}\n{}"
      "    palette: {}, {} colors{}\n"
      "    {}\n{}{}{}{}{}",
      index, flame.name.empty() ? "(no name)" : "\"" + printable(flame.name) + "\"", flame.width,
      flame.height, kept.crop ? ", of them the window " + window_text(*kept.crop) : "",
      shortest(flame.quality), flame.supersample, shortest(flame.scale), shortest(flame.zoom),
      forecast.in_double ? ": coordinates are doubles" : "", xforms, xforms == 1 ? "" : "s",
      finals_text(flame), has_xaos(flame) ? ", xaos" : "", names.empty() ? "no variation" : names,
      formula_line(flame), flame.palette_mode == PaletteMode::step ? "step" : "linear",
      color_count(flame.palette), is_opaque(flame.palette) ? "" : ", with alpha",
      forecast_text(forecast), film_line(flame), resolution_line(forecast), print_line(flame, kept),
      dialect_line(flame), missing_line(flame));
}

/// A run of kiln info: its arguments, and what it has shown so far.
struct Inquiry {
  const InfoArguments& args;
  ReaderOptions options;
  FlameSelection selection;
  Forecaster forecaster;
  Console& console;
  OutputNames names;
  int shown = 0;                         // flames
  std::optional<ErrorKind> failed = {};  // of the first that could not be shown

  void note_failure(ErrorKind kind, const std::string& message) {
    console.error(kind, message);
    if (!failed) failed = kind;
  }
};

/// The drawing of its triangles, where one is asked for.
void draw_triangles(const std::string& input, const Flame& flame, Inquiry& inquiry) {
  const std::string& asked = inquiry.args.triangles;
  if (asked.empty()) return;
  const std::string path =
      is_standard_output(asked)
          ? asked
          : expand_template(asked, {input_stem(input), flame.name, flame.index, flame.index},
                            "--triangles");
  inquiry.names.claim(path, fmt::format("flame {} of {}", flame.index, input), "{name} or {index}");
  check_output(path, inquiry.args.no_clobber);
  const std::string text = triangles_svg(flame);
  AtomicFile file(path);
  file.write(text.data(), text.size());
  file.commit();
}

void print_file(const std::string& input, Inquiry& inquiry) {
  FlameFile chosen = read_chosen(input, inquiry.options, inquiry.selection, Use::stills);
  for (const BadFlame& bad : chosen.bad) inquiry.note_failure(bad.kind, bad.message);
  RenderOptions kept = inquiry.args.options;
  if (chosen.record && !inquiry.args.settings.resizes()) {  // as render does
    if (!kept.crop) kept.crop_marks = chosen.record->options.crop_marks;
    if (!kept.crop) kept.crop = chosen.record->options.crop;
  }
  if (!(kept.dpi > 0) && chosen.record) kept.dpi = chosen.record->options.dpi;
  JsonArray flames;
  std::string text;
  int shown = 0;
  for (Flame& flame : chosen.flames) {
    try {
      inquiry.args.settings.apply(flame);
      draw_triangles(input, flame, inquiry);
      // one measurement says enough about a pack
      const Forecast forecast =
          shown == 0 ? inquiry.forecaster.of(flame) : inquiry.forecaster.of_the_same_rate(flame);
      flames.add_json(flame_json(flame, flame.index, forecast, kept));
      text += flame_text(flame, flame.index, forecast, kept);
      ++shown;
    } catch (const Error& error) {
      if (error.kind == ErrorKind::usage) throw;
      inquiry.note_failure(error.kind, error.what());
    }
  }
  if (shown == 0) return;
  inquiry.shown += shown;
  text =
      fmt::format("{}: {} flame{}\n", printable_whole(input), shown, shown == 1 ? "" : "s") + text;
  if (inquiry.args.json)
    text = JsonObject().add("file", input).add_json("flames", flames.text()).text() + "\n";
  print("{}", text);
}

int run_info(InfoArguments& args) {
  args.dry_run = true;
  complete_render(args);
  args.options.linear = args.exr.hdr_peak > 0;
  check_options(args.options);
  if (!args.options.linear)
    args.options.on_rows = [](const RowsOfPicture&) {};  // as render writes a PNG
  Console console(args.progress_mode(), args.quiet);
  ReaderOptions options = args.read.options();
  options.seed = args.options.seed;
  args.settings.complete(options);
  options.approximate = true;  // what is missing is shown, not refused
  options.warn = [&](const std::string& message) { console.warning(message); };
  if (!args.triangles.empty() &&
      (!takes_rows(args.triangles) || ending_of(args.triangles) != ".svg"))
    fail(ErrorKind::usage, "--triangles {}: is a drawing; name it .svg",
         printable_whole(args.triangles));
  Inquiry inquiry{args,
                  options,
                  FlameSelection(args.flame),
                  Forecaster(args.options, args.time),
                  console,
                  OutputNames(args.force)};
  inquiry.forecaster.settings(args.options, args.checkpoint.wanted());
  for (const std::string& input : expand_inputs(args.inputs)) {
    try {
      print_file(input, inquiry);
    } catch (const Error& error) {
      if (error.kind == ErrorKind::usage) throw;
      inquiry.note_failure(error.kind, error.what());
    }
  }
  inquiry.selection.check();
  if (args.time) console.summary("measured on " + inquiry.forecaster.device(), "");
  if (!inquiry.failed) return exit_done;
  return inquiry.shown > 0 ? int{exit_some_failed} : static_cast<int>(*inquiry.failed);
}

}  // namespace

void add_info(Program& program) {
  Command& command =
      program.command("info", "Show what files hold: flames, sizes, variations, cost");
  const auto args = std::make_shared<InfoArguments>();
  command.inputs("IN", args->inputs,
                 "Files of flames, folders of such files, or - for standard input");
  command.text(flame_option.names, flame_option.type, args->flame, flame_option.help);
  command.group("Cost");
  command.flag("--time", args->time,
               "Also how long a render would take here, by a small picture that is rendered first");
  command.group("Output");
  command.text(
      "--triangles", "FILE.svg", args->triangles,
      "Draw the triangles of the xforms, of the picture's size, to lay over it; of several "
      "flames {name} or {index} in it");
  args->add_picture_options(command);
  args->add_hdr(command);
  args->add_crop_marks(command);
  args->add_machine_options(command);
  args->checkpoint.add_to(command, args->options);
  command.examples({"kiln info rose.flame", "kiln info rose.flame --time --scale 2 --quality 1000",
                    "kiln info rose.flame --fill 1080x1920 --quality 500",
                    "kiln info rose.flame --triangles rose.svg",
                    "kiln info rose.png --json | jq .flames[0].samples"});
  command.runs([args] { return run_info(*args); });
}

}  // namespace kiln::cli
