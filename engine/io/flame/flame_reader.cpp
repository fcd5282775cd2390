// SPDX-License-Identifier: MIT
#include "engine/io/flame/flame_reader.h"

#include <tinyxml2.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "engine/base/text.h"
#include "engine/io/file/input_file.h"
#include "engine/io/file/link_text.h"
#include "engine/io/flame/attribute_reader.h"
#include "engine/io/flame/attributes.h"
#include "engine/io/flame/dialect.h"
#include "engine/io/flame/film_parts.h"
#include "engine/io/flame/formula_reader.h"
#include "engine/io/flame/jwildfire_steps.h"
#include "engine/io/flame/layers.h"
#include "engine/io/flame/link_reader.h"
#include "engine/io/flame/messages.h"
#include "engine/io/flame/motion_curves.h"
#include "engine/io/flame/number_link_reader.h"
#include "engine/io/flame/palette_library.h"
#include "engine/io/flame/unsupported.h"
#include "engine/io/flame/xform_parts.h"
#include "engine/io/flame/xform_reader.h"
#include "engine/io/flame/xml_scan.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/state/state_file.h"
#include "engine/model/formula.h"

namespace kiln {
namespace {

// The flames of an XML text.

/// `name` stands for the file in messages. Throws Error: kind input, or unsupported where a flame
/// needs what kiln does not have.
FlameFile read_xml_flames(std::string_view xml, const std::string& name,
                          const ReaderOptions& options);

constexpr std::size_t max_xforms = 4096;          // of a flame
constexpr std::size_t max_finals = 64;            // of a flame, or of a layer
constexpr std::size_t max_layers = 16;            // of a flame: 256 colors each, 4096 in all
constexpr std::size_t max_layered_xforms = 1024;  // each has chaos for all
constexpr int max_symmetry = 512;
constexpr std::size_t max_palettes = 1 << 16;    // of a file
constexpr std::size_t max_edit_bytes = 1 << 20;  // of a flame
constexpr std::size_t max_all_xforms = 1 << 18;  // of a file, motions included: 17 KB each

class FlameReader {
 public:
  FlameReader(const std::string& name, const ReaderOptions& options)
      : messages_(name, options), options_(options) {}

  void read(std::string_view xml, FlameFile& file) {
    tinyxml2::XMLDocument document;
    parse_xml(xml, messages_, document);
    visit(document);
    if (flames_.empty() && bad_.empty())
      messages_.error(0, "there is no <flame> in this file{}", found_instead(document));
    reset_smooth_ends();
    unwind_rotations();
    file.flames = std::move(flames_);
    file.bad = std::move(bad_);
    file.warnings = messages_.move_warnings();
  }

 private:
  // Every <flame>, depth first; wrappers of any name are looked through. A flame without `time` has
  // the time of the one before it under the same parent (flam3).
  void visit(const tinyxml2::XMLNode& parent) {
    double time = 0;
    for (const auto* e = parent.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      if (!is_flame(*e)) {
        visit(*e);
        continue;
      }
      if (std::size_t(count_) >= options_.max_flames)
        messages_.error(e->GetLineNum(), "the file has more than {} flames; split it",
                        options_.max_flames);
      Flame flame;
      flame.source = messages_.file();
      flame.line = e->GetLineNum();
      flame.index = count_++;
      flame.time = time;
      const int frames =
          options_.curves_are_films && is_foreign_jwildfire(*e) ? frames_of_curves(*e) : 0;
      // one key more than frames: a film ends a frame before its last key
      const int keys = frames > 0 ? frames + 1 : 0;
      film_xforms_ += std::size_t(keys) * (1 + xforms_in(*e));
      if (film_xforms_ > most_film_xforms)
        messages_.error(
            e->GetLineNum(),
            "the frames of its curves have more than {} xforms in all; give the flame a "
            "smaller frame_count",
            most_film_xforms);
      for (frame_ = std::min(keys, 1); frame_ <= keys; ++frame_) {
        Flame one = flame;
        messages_.be_silent(frame_ > 1);  // the first frame has said it
        take_flame(*e, one);
        if (!bad_.empty() && bad_.back().index == flame.index) break;
        if (frame_ > 1) {
          one.missing.clear();
          one.edits.clear();
        }
        if (frames > 0) one.time = flame.time + frame_ - 1;
        time = one.time;
        flames_.push_back(std::move(one));
      }
      messages_.be_silent(false);
    }
  }

  static constexpr std::size_t most_film_xforms = 1 << 16;  // of a file; each takes some 17 KB
  static std::size_t xforms_in(const tinyxml2::XMLElement& element) {
    std::size_t count = 0;
    for (const auto* e = element.FirstChildElement(); e; e = e->NextSiblingElement())
      count += std::string_view(e->Name()).ends_with("xform") + xforms_in(*e);
    return count;
  }

  // Reads it, or notes why it cannot be rendered.
  void take_flame(const tinyxml2::XMLElement& element, Flame& flame) {
    try {
      messages_.begin_flame(flame.index);
      read_flame(element, flame);
      if (!flame.missing.empty() && !options_.approximate)
        fail(ErrorKind::unsupported, "{}; --approximate renders it without", missing_text(flame));
    } catch (const Error& error) {
      if (!options_.keep_bad || error.kind == ErrorKind::usage) throw;
      const char* name = element.Attribute("name");
      bad_.push_back({flame.index, name ? flame_name(name) : "", error.kind, error.what()});
    }
    messages_.begin_flame(-1);
  }

  void read_flame(const tinyxml2::XMLElement& element, Flame& flame) {
    DeferredAttributes deferred;
    find_dialect(element, flame);
    set_usual_values(flame);
    if (rules_.is_foreign_jwildfire) set_jwildfires_usual_values(flame);
    const std::vector<Attribute> attributes = attributes_of(element, flame_owner_, messages_);
    if (rules_.is_foreign_jwildfire) {
      rules_.frame = frame_ > 0 ? frame_ : element.DoubleAttribute("frame", 1);
      MotionCurves curves(attributes);
      for (const Attribute& a :
           curves.applied(attributes, CurveOwner::flame, rules_.frame, flame.missing))
        set_flame_attribute(a, flame, deferred);
    } else {
      for (const Attribute& a : attributes) set_flame_attribute(a, flame, deferred);
    }
    finish_attributes(deferred, flame);
    if (rules_.is_foreign_jwildfire) flame.preserve_z = rules_.new_linear;
    if (frame_ > 0) flame.temporal_samples = 1;  // JWildfire's frames are stills
    apply_settings(options_.set, flame, deferred);
    if (rules_.is_foreign_jwildfire) rules_.new_linear = flame.preserve_z != 0;
    rules_.names = name_rules(element, flame, options_.meaning);
    if (rules_.is_foreign_jwildfire) rules_.names.may_show_depth |= shows_depth(deferred);
    renamed_.clear();
    flame.formulas = read_formulas(element, rules_.is_foreign_jwildfire, messages_);
    const FormulaNames names(flame.formulas);

    PaletteReader palette(messages_, library_, options_.seed, flame.dialect);
    layers_.clear();
    in_space_.clear();
    finals_in_space_.clear();
    read_children(element, flame, palette);
    const bool has_layers = !layers_.empty(), has_several = layers_.size() > 1;
    if (has_layers) join_layers(std::move(layers_), flame);
    if (deferred.library_palette && !options_.palette)
      palette.use_library(*deferred.library_palette, flame.hue, flame.line);

    tell_of_names(flame);
    if (!options_.unfinished) cut_chaos(flame, messages_);
    show_only(deferred.solo_xform, flame);
    apply_parts(options_.set, flame);
    follow_links_of_file(options_, flame, messages_);
    if (options_.unfinished)
      check_attributes(flame, messages_);
    else
      check_flame(flame, messages_);
    if (!has_layers)
      flame.palette = options_.palette ? *options_.palette : palette.finish(flame.line);
    if (flame.dialect == Dialect::flam3) flame.palette = resampled(flame.palette);
    if (rules_.is_foreign_jwildfire) {
      add_color_types(in_space_, finals_in_space_, has_several, flame);
      add_camera(deferred, flame);
    }
    for (Rgba& color : flame.palette) {
      color.r *= deferred.balance[0];
      color.g *= deferred.balance[1];
      color.b *= deferred.balance[2];
    }
  }

  bool is_foreign_jwildfire(const tinyxml2::XMLElement& element) const {
    return options_.dialect.value_or(dialect_of(element).dialect) == Dialect::jwildfire &&
           !is_written_by_kiln(element);
  }

  void find_dialect(const tinyxml2::XMLElement& element, Flame& flame) {
    const DialectFound found = dialect_of(element);
    flame.dialect = options_.dialect.value_or(found.dialect);
    if (flame.dialect != Dialect::flam3) messages_.be_mild();
    flame.dialect_reason = options_.dialect ? "asked for" : found.reason;
    const bool jwildfire = flame.dialect == Dialect::jwildfire;
    rules_ = {flame.dialect,
              is_on(element, "new_linear") || (jwildfire && is_on(element, "preserve_z")),
              is_foreign_jwildfire(element),
              is_written_by_kiln(element),
              jwildfires_version(element.Attribute("version")),
              1,
              {}};
    if (const char* version = element.Attribute("version"))
      flame.version = printable(version, max_credit_bytes);
  }

  // The file's version says it, but not whether its author had switched to flam3's meaning.
  void tell_of_names(const Flame& flame) {
    if (renamed_.empty() || options_.meaning) return;
    std::string names;
    for (const std::string& name : renamed_) names += (names.empty() ? "" : ", ") + name;
    messages_.warn(
        flame.line,
        fmt::format("flame: {}: as Fractorium means it since 2024; --meaning flam3 reads "
                    "it as flam3 means it",
                    names));
  }

  static bool is_on(const tinyxml2::XMLElement& element, const char* attribute) {
    const char* const value = element.Attribute(attribute);
    return value != nullptr && to_real(value) == 1.0;
  }

  void read_children(const tinyxml2::XMLElement& element, Flame& flame, PaletteReader& palette) {
    int layers = 0;
    for (const auto* child = element.FirstChildElement(); child != nullptr;
         child = child->NextSiblingElement()) {
      const std::string_view name = child->Name();
      if (name == "xform") {
        add_xform(*child, flame);
      } else if (name == "finalxform") {
        set_final_xform(*child, flame);
      } else if (name == "symmetry") {
        add_symmetry(*child, flame);
      } else if (name == "edit") {
        keep_edit(*child, flame);
      } else if (film_parts_.read(*child, flame, messages_)) {
        continue;
      } else if (name == "flame_motion") {
        if (messages_.is_mild())
          messages_.note(child->GetLineNum(), "flame_motion", [] {
            return std::string("flame_motion: what it moves in an animation stands still here");
          });
      } else if (name == "layer" && is_flame(element)) {
        read_layer(*child, ++layers, flame);
      } else if (palette.read(*child)) {
        if (name != "color" && ++palettes_ > max_palettes)
          messages_.error(child->GetLineNum(), "the file has more than {} palettes; split it",
                          max_palettes);
      } else if (name != formula_element && name != "xdata" && name != "xformset") {
        add_unknown_element(name, child->GetLineNum(), flame_owner_, flame.missing);
      }
    }
  }

  // JWildfire: flames on top of each other. They become one, in which chaos keeps each to itself.
  void read_layer(const tinyxml2::XMLElement& element, int number, Flame& flame) {
    if (element.IntAttribute("visible", 1) == 0 || element.FirstChildElement("xform") == nullptr)
      return;
    if (layers_.size() >= max_layers) {
      flame.missing.push_back({fmt::format("layer {}, more than {} of them", number, max_layers),
                               "flame", element.GetLineNum()});
      return;
    }
    Flame part;
    part.dialect = flame.dialect;
    part.index = flame.index;
    part.line = element.GetLineNum();
    PaletteReader palette(messages_, library_, options_.seed, flame.dialect);
    read_children(element, part, palette);
    std::size_t xforms = part.xforms.size();
    for (const Layer& layer : layers_) xforms += layer.part.xforms.size();
    if (!layers_.empty() && xforms > max_layered_xforms)
      messages_.error(part.line, "the layers have more than {} xforms", max_layered_xforms);
    for (Missing& missing : part.missing) flame.missing.push_back(std::move(missing));
    part.missing.clear();
    part.palette = options_.palette ? *options_.palette : palette.finish(part.line);
    cut_chaos(part, messages_);
    Layer layer{std::move(part), 1, 1, number};
    constexpr double most_weight = 1000;
    for (const Attribute& a : attributes_of(element, "layer", messages_)) {
      if (a.name == "weight") layer.weight = read_real(a, -most_weight, most_weight);
      if (a.name == "density")
        layer.density = std::min(read_real(a), 1.0);  // above it does nothing
    }
    layers_.push_back(std::move(layer));
  }

  void add_xform(const tinyxml2::XMLElement& element, Flame& flame) {
    const int before = int(flame.xforms.size()) + (flame.final_xform ? 1 : 0);
    flame.xforms.push_back(read_xform(element, XformRole::standard, before, rules_, flame.missing,
                                      messages_, &renamed_, &in_space_.emplace_back()));
    count_xforms(flame, 1 + flame.xforms.back().motions.size(), element.GetLineNum());
  }

  void set_final_xform(const tinyxml2::XMLElement& element, Flame& flame) {
    if (flame.dialect != Dialect::flam3 && element.IntAttribute("enabled", 1) == 0) return;
    const int line = element.GetLineNum();
    const bool may_have_more = flame.dialect == Dialect::jwildfire;
    if (flame.final_xform && !may_have_more)
      messages_.error(line, "a flame has one finalxform at most; this is the second");
    if (1 + flame.more_finals.size() >= max_finals)
      messages_.error(line, "the flame has more than {} finalxforms", max_finals);
    Xform xform = read_xform(element, XformRole::final, int(flame.xforms.size()), rules_,
                             flame.missing, messages_, &renamed_, &finals_in_space_.emplace_back());
    if (flame.dialect != Dialect::flam3) xform.chaos.clear();
    if (rules_.is_foreign_jwildfire) xform.opacity = 1;  // there it does nothing
    if (!xform.chaos.empty()) {
      // flam3 gives it to the xform before; a file that has none would make it write outside its
      // memory
      messages_.warn(
          line, flame.xforms.empty()
                    ? "finalxform: chaos has no meaning here; it is ignored"
                    : fmt::format(
                          "finalxform: chaos is taken, as in flam3, as that of xform {} before it",
                          flame.xforms.size()));
      if (!flame.xforms.empty()) flame.xforms.back().chaos = std::move(xform.chaos);
      xform.chaos.clear();
    }
    count_xforms(flame, 1 + xform.motions.size(), line);
    if (flame.final_xform)
      flame.more_finals.push_back(std::move(xform));
    else
      flame.final_xform = std::move(xform);
  }

  void add_symmetry(const tinyxml2::XMLElement& element, Flame& flame) {
    // it has the xforms themselves; JWildfire passes it over
    if (flame.dialect == Dialect::fractorium || rules_.is_foreign_jwildfire) return;
    static const std::string owner = "symmetry";
    int kind = 0;
    for (const Attribute& a : attributes_of(element, owner, messages_)) {
      if (a.name != "kind") a.reject("<symmetry> has no such attribute; it knows kind");
      kind = read_integer(a, -max_symmetry, max_symmetry);
    }
    const std::size_t before = flame.xforms.size();
    append_symmetry(
        kind == 0 ? random_symmetry_kind(options_.seed + std::uint64_t(flame.index)) : kind, flame);
    count_xforms(flame, flame.xforms.size() - before, element.GetLineNum());
  }

  // Who changed what, as flam3-genome notes it: text for people, passed on as it is.
  void keep_edit(const tinyxml2::XMLElement& element, Flame& flame) {
    tinyxml2::XMLPrinter printer(nullptr, true);
    element.Accept(&printer);
    std::string text = printer.CStr();
    if (flame.edits.size() + text.size() > max_edit_bytes) {
      messages_.warn(element.GetLineNum(),
                     "the flame's edit history is longer than 1 MB; this "
                     "<edit> is left out of what is written");
      return;
    }
    const auto is_control = [](char c) {  // no XML may hold it
      return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
    };
    std::replace_if(text.begin(), text.end(), is_control, '_');
    flame.edits += text + "\n";
  }

  void count_xforms(const Flame& flame, std::size_t added, int line) {
    if (flame.xforms.size() > max_xforms)
      messages_.error(line, "the flame has more than {} xforms (symmetry included)", max_xforms);
    if ((all_xforms_ += added) > max_all_xforms)
      messages_.error(line, "the file has more than {} xforms and motions; split it",
                      max_all_xforms);
  }

  void show_only(int solo, Flame& flame) {
    if (solo < 0) return;
    if (std::size_t(solo) >= flame.xforms.size())
      messages_.warn(
          flame.line,
          fmt::format("flame: soloxform=\"{}\" hides everything: xforms are numbered 0 to {}", solo,
                      int(flame.xforms.size()) - 1));
    for (std::size_t i = 0; i < flame.xforms.size(); ++i) {
      if (i != std::size_t(solo)) {
        flame.xforms[i].opacity = 0;
      } else if (flame.dialect != Dialect::flam3) {
        flame.xforms[i].opacity = 1;
      }
    }
  }

  // Smooth interpolation needs a neighbor on both sides.
  void reset_smooth_ends() {
    const auto reset = [&](std::size_t i) {
      if (flames_[i].interpolation != Interpolation::smooth) return;
      flames_[i].interpolation = Interpolation::linear;
      if (flames_.size() < 2) return;  // there is no segment
      messages_.warn_of_motion(
          flames_[i].index, flames_[i].line,
          fmt::format("flame: interpolation=\"smooth\" cannot be used for the {} segment; "
                      "linear is used",
                      i == 0 ? "first" : "last"));
    };
    if (!flames_.empty()) reset(0);
    if (flames_.size() >= 2) reset(flames_.size() - 2);
  }

  // Key frames turn the short way: each rotation within half a turn of the one before.
  void unwind_rotations() {
    for (std::size_t i = 1; i < flames_.size(); ++i) {
      const InterpolationType type = flames_[i - 1].interpolation_type;
      if (type == InterpolationType::old || type == InterpolationType::older) continue;
      const double before = flames_[i - 1].rotate_deg;
      double& rotate = flames_[i].rotate_deg;
      rotate -= 360 * std::trunc((rotate - before) / 360);
      if (rotate - before > 180) rotate -= 360;
      if (rotate - before < -180) rotate += 360;
    }
  }

  std::string found_instead(const tinyxml2::XMLDocument& document) const {
    const auto* root = document.FirstChildElement();
    return root == nullptr
               ? ""
               : fmt::format("; its outermost element is <{}>", printable(root->Name()));
  }

  const PaletteLibrary& load_library(int line) {
    if (loaded_library_) return *loaded_library_;
    const std::string path = find_palette_library(options_.palettes_file);
    if (path.empty())
      messages_.error(line,
                      "the palette is given by its number in flam3's palette library, which was "
                      "not found; install it "
                      "(apt install flam3-palette) or name it with --palettes FILE or the variable "
                      "flam3_palettes");
    loaded_library_ = std::make_unique<PaletteLibrary>(PaletteLibrary::load(path));
    return *loaded_library_;
  }

  Messages messages_;
  XformRules rules_;               // of the flame being read
  std::set<std::string> renamed_;  // its names with another meaning than flam3's
  const ReaderOptions& options_;
  const std::string flame_owner_ = "flame";
  std::unique_ptr<PaletteLibrary> loaded_library_;
  const LibrarySource library_ = [this](int line) -> const PaletteLibrary& {
    return load_library(line);
  };
  std::vector<Layer> layers_;                             // of the flame being read
  std::vector<XformInSpace> in_space_, finals_in_space_;  // of its xforms
  std::vector<Flame> flames_;
  std::vector<BadFlame> bad_;
  int count_ = 0;                // of flames, bad ones too
  int frame_ = 0;                // whose values the curves have; 0: the one that the flame says
  std::size_t film_xforms_ = 0;  // of all frames of curves
  std::size_t all_xforms_ = 0;
  std::size_t palettes_ = 0;
  FilmParts film_parts_;
};

FlameFile read_xml_flames(std::string_view text, const std::string& given,
                          const ReaderOptions& options) {
  const std::string name = is_link(text) ? link_name(text) : given;
  std::string inside = is_link(text) ? xml_of_link(text) : "";
  if (is_old_format(text)) inside = xml_of_old_format(text, name);
  FlameFile file;
  file.name = printable(name, 240);
  FlameReader(name, options).read(inside.empty() ? text : inside, file);
  return file;
}

/// Reads the author of a picture, where flam3 wrote a chunk of its own for it.
void read_credit(const PictureTexts& texts, std::string_view key, std::string& field) {
  const auto text = texts.find(key);
  if (field.empty() && text != texts.end()) field = printable(text->second, max_credit_bytes);
}

/// Reads how a picture was made; names that it was made without are missing in its flames.
void read_record(const std::string& text, FlameFile& file) {
  file.record = parse_picture_record(text, file.name, [&](const std::string& warning) {
    file.warnings.push_back({-1, warning, "", false});
  });
  if (!file.record) return;
  for (Flame& flame : file.flames)
    for (const std::string& name : file.record->approximate)
      flame.missing.push_back({name, "says the record", 0});
}

/// The flames of a picture that carries them, and how it was made.
FlameFile from_picture(const PictureTexts& texts, const std::string& name,
                       const ReaderOptions& options) {
  const auto genome = texts.find(genome_key);
  if (genome == texts.end())
    fail(ErrorKind::input,
         "{}: the picture carries no flame (no text {}); give the .flam3 file it was made from",
         printable(name, 240), genome_key);
  if (genome->second.size() > options.max_input_bytes)
    fail(ErrorKind::input,
         "{}: its genome is larger than {} bytes; raise the limit with --max-input",
         printable(name, 240), options.max_input_bytes);
  FlameFile file = read_xml_flames(genome->second, name + "(genome)", options);
  file.name = name;
  if (const auto record = texts.find(record_key); record != texts.end())
    read_record(record->second, file);
  for (Flame& flame : file.flames) {
    read_credit(texts, "flam3_nickname", flame.nick);
    read_credit(texts, "flam3_url", flame.url);
    if (file.record) flame.pixel_aspect = file.record->pixel_aspect;
  }
  return file;
}

/// `before`, then what `read` gives.
ReadBytes after(std::string_view before, const ReadBytes& read) {
  return [before, read](char* buffer, std::size_t count) mutable {
    const std::size_t kept = before.copy(buffer, count);
    before.remove_prefix(kept);
    return kept + (kept < count ? read(buffer + kept, count - kept) : 0);
  };
}

/// The flames of a file that begins with `start`, if that is the beginning of a picture.
std::optional<FlameFile> from_picture_file(std::string_view start, const ReadBytes& rest,
                                           const std::string& name, const ReaderOptions& options) {
  if (const PictureFormat* format = format_beginning(start)) {
    const PictureFileTexts said =
        format->read_texts(after(start.substr(format->signature.size()), rest), name);
    FlameFile file = from_picture(said.texts, name, options);
    if (file.record) file.record->exr = said.exr;
    return file;
  }
  if (start.starts_with(state_signature)) {
    const ReadBytes state = after(start.substr(state_signature.size()), rest);
    return from_picture(read_state_texts(state, name), name, options);
  }
  return {};
}

FlameFile announced(FlameFile file, const ReaderOptions& options) {
  if (options.warn)
    tell(
        file, [](int) { return true; }, Use::stills, options.warn);
  return file;
}

/// Flames of a file that is no link.
FlameFile read_any_flames(const std::string& path_or_dash, const ReaderOptions& options) {
  InputFile file(path_or_dash, options.only_regular_files ? InputFile::Opens::regular_files
                                                          : InputFile::Opens::anything);
  const ReadBytes read = [&](char* buffer, std::size_t count) { return file.read(buffer, count); };
  std::string start(png_signature.size(), '\0');
  start.resize(file.read(start.data(), start.size()));
  if (std::optional<FlameFile> picture = from_picture_file(start, read, file.name(), options))
    return announced(*std::move(picture), options);
  return announced(read_xml_flames(file.read_all(options.max_input_bytes, std::move(start)),
                                   file.name(), options),
                   options);
}

}  // namespace

FlameFile read_flames(const std::string& path_or_dash, const ReaderOptions& options) {
  if (is_link(path_or_dash)) return announced(read_xml_flames(path_or_dash, "", options), options);
  FlameFile read = read_any_flames(path_or_dash, options);
  for (Flame& flame : read.flames)  // the name that messages have is cut and printable
    if (flame.sound)
      flame.sound->folder = std::filesystem::path(path_or_dash).parent_path().string();
  return read;
}

FlameFile parse_flames(std::string_view bytes, const std::string& name,
                       const ReaderOptions& options) {
  const ReadBytes nothing = [](char*, std::size_t) { return std::size_t(0); };
  if (std::optional<FlameFile> picture = from_picture_file(bytes, nothing, name, options))
    return announced(*std::move(picture), options);
  if (bytes.size() > options.max_input_bytes)
    fail(ErrorKind::input,
         "{}: is larger than {} bytes; raise the limit with --max-input if it is meant to be",
         printable(name, 240), options.max_input_bytes);
  return announced(read_xml_flames(bytes, name, options), options);
}

}  // namespace kiln
