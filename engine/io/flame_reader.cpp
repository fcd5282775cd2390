#include "engine/io/flame_reader.h"

#include <tinyxml2.h>

#include <array>
#include <cmath>
#include <memory>

#include "engine/io/attributes.h"
#include "engine/io/flame_attributes.h"
#include "engine/io/input_file.h"
#include "engine/io/messages.h"
#include "engine/io/palette_library.h"
#include "engine/io/palette_reader.h"
#include "engine/io/png_genome.h"
#include "engine/io/symmetry.h"
#include "engine/io/xform_reader.h"
#include "engine/io/xml_scan.h"

namespace kiln {
namespace {

constexpr std::size_t max_xforms = 4096;  // of a flame
constexpr int max_symmetry = 512;
constexpr std::size_t max_flames = 1 << 16;      // of a file: 8 KB each
constexpr std::size_t max_all_xforms = 1 << 18;  // of a file, motions included: 2 KB each

class FlameReader {
 public:
  FlameReader(const std::string& name, const ReaderOptions& options)
      : messages_(name, options), options_(options) {}

  std::vector<Flame> read(std::string_view xml) {
    tinyxml2::XMLDocument document;
    parse_xml(xml, messages_, document);
    visit(document);
    if (flames_.empty())
      messages_.error(0, "there is no <flame> in this file{}", found_instead(document));
    reset_smooth_ends();
    unwind_rotations();
    return std::move(flames_);
  }

 private:
  // Every <flame>, depth first; wrappers of any name are looked through. A flame without `time` has
  // the time of the one before it under the same parent (flam3).
  void visit(const tinyxml2::XMLNode& parent) {
    double time = 0;
    for (const auto* e = parent.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      if (std::string_view(e->Name()) != "flame") {
        visit(*e);
        continue;
      }
      if (flames_.size() >= max_flames)
        messages_.error(e->GetLineNum(), "the file has more than {} flames; split it", max_flames);
      flames_.push_back(read_flame(*e, time));
      time = flames_.back().time;
    }
  }

  Flame read_flame(const tinyxml2::XMLElement& element, double time) {
    Flame flame;
    FlameOrders orders;
    flame.source = messages_.file();
    flame.line = element.GetLineNum();
    flame.time = time;
    for (const Attribute& a : attributes_of(element, flame_owner_, messages_))
      take_flame_attribute(a, flame, orders);

    PaletteReader palette(messages_, library_, options_.seed);
    for (const auto* child = element.FirstChildElement(); child != nullptr;
         child = child->NextSiblingElement()) {
      const std::string_view name = child->Name();
      if (name == "xform") {
        add_xform(*child, flame);
      } else if (name == "finalxform") {
        set_final_xform(*child, flame);
      } else if (name == "symmetry") {
        add_symmetry(*child, flame);
      } else if (palette.take(*child) && name != "color" && ++palettes_ > max_flames) {
        messages_.error(child->GetLineNum(), "the file has more than {} palettes; split it",
                        max_flames);
      }
    }
    if (orders.library_palette) palette.use_library(*orders.library_palette, flame.hue, flame.line);

    cut_chaos(flame);
    show_only(orders.solo_xform, flame);
    check_flame(flame, messages_);
    flame.palette = palette.finish(flame.line);
    return flame;
  }

  void add_xform(const tinyxml2::XMLElement& element, Flame& flame) {
    const int before = int(flame.xforms.size()) + (flame.final_xform ? 1 : 0);
    flame.xforms.push_back(read_xform(element, XformRole::standard, before, messages_));
    count_xforms(flame, 1 + flame.xforms.back().motions.size(), element.GetLineNum());
  }

  void set_final_xform(const tinyxml2::XMLElement& element, Flame& flame) {
    const int line = element.GetLineNum();
    if (flame.final_xform)
      messages_.error(line, "a flame has one finalxform at most; this is the second");
    Xform xform = read_xform(element, XformRole::final, int(flame.xforms.size()), messages_);
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
    flame.final_xform = std::move(xform);
  }

  void add_symmetry(const tinyxml2::XMLElement& element, Flame& flame) {
    static const std::string owner = "symmetry";
    int kind = 0;
    for (const Attribute& a : attributes_of(element, owner, messages_)) {
      if (a.name != "kind") a.reject("<symmetry> has no such attribute; it knows kind");
      kind = read_integer(a, -max_symmetry, max_symmetry);
    }
    const std::size_t before = flame.xforms.size();
    append_symmetry(kind == 0 ? random_symmetry_kind(options_.seed + flames_.size()) : kind, flame);
    count_xforms(flame, flame.xforms.size() - before, element.GetLineNum());
  }

  void count_xforms(const Flame& flame, std::size_t added, int line) {
    if (flame.xforms.size() > max_xforms)
      messages_.error(line, "the flame has more than {} xforms (symmetry included)", max_xforms);
    if ((all_xforms_ += added) > max_all_xforms)
      messages_.error(line, "the file has more than {} xforms and motions; split it",
                      max_all_xforms);
  }

  void cut_chaos(Flame& flame) {
    for (std::size_t i = 0; i < flame.xforms.size(); ++i) {
      Xform& xform = flame.xforms[i];
      if (xform.chaos.size() <= flame.xforms.size()) continue;
      messages_.warn(
          xform.line,
          fmt::format("xform {}: chaos has {} entries for {} xforms; the rest is ignored", i + 1,
                      xform.chaos.size(), flame.xforms.size()));
      xform.chaos.resize(flame.xforms.size());
    }
  }

  void show_only(int solo, Flame& flame) {
    if (solo < 0) return;
    if (std::size_t(solo) >= flame.xforms.size())
      messages_.warn(
          flame.line,
          fmt::format("flame: soloxform=\"{}\" hides everything: xforms are numbered 0 to {}", solo,
                      int(flame.xforms.size()) - 1));
    for (std::size_t i = 0; i < flame.xforms.size(); ++i)
      if (i != std::size_t(solo)) flame.xforms[i].opacity = 0;
  }

  // Smooth interpolation needs a neighbour on both sides.
  void reset_smooth_ends() {
    const auto reset = [&](std::size_t i) {
      if (flames_[i].interpolation != Interpolation::smooth) return;
      messages_.warn(
          flames_[i].line,
          fmt::format("flame: interpolation=\"smooth\" cannot be used for the {} segment; "
                      "linear is used",
                      i == 0 ? "first" : "last"));
      flames_[i].interpolation = Interpolation::linear;
    };
    reset(0);
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
  const ReaderOptions& options_;
  const std::string flame_owner_ = "flame";
  std::unique_ptr<PaletteLibrary> loaded_library_;
  const LibrarySource library_ = [this](int line) -> const PaletteLibrary& {
    return load_library(line);
  };
  std::vector<Flame> flames_;
  std::size_t all_xforms_ = 0;
  std::size_t palettes_ = 0;
};

FlameFile from_xml(std::string_view xml, const std::string& name, const ReaderOptions& options) {
  return {name, FlameReader(name, options).read(xml)};
}

FlameFile from_png(const ReadBytes& read, const std::string& name, const ReaderOptions& options) {
  const std::string genome = read_png_genome(read, name);
  if (genome.size() > options.max_input_bytes)
    fail(ErrorKind::input,
         "{}: its genome is larger than {} bytes; raise the limit with --max-input",
         printable(name, 240), options.max_input_bytes);
  FlameFile file = from_xml(genome, name + "(genome)", options);
  file.name = name;
  return file;
}

}  // namespace

FlameFile read_flames(const std::string& path_or_dash, const ReaderOptions& options) {
  InputFile file(path_or_dash);
  std::string start(png_signature.size(), '\0');
  start.resize(file.read(start.data(), start.size()));
  if (start == png_signature)
    return from_png([&](char* buffer, std::size_t count) { return file.read(buffer, count); },
                    file.name(), options);
  return from_xml(file.read_all(options.max_input_bytes, std::move(start)), file.name(), options);
}

FlameFile parse_flames(std::string_view bytes, const std::string& name,
                       const ReaderOptions& options) {
  if (bytes.size() >= png_signature.size() &&
      bytes.substr(0, png_signature.size()) == png_signature) {
    std::string_view rest = bytes.substr(png_signature.size());
    const ReadBytes read = [&](char* buffer, std::size_t count) {
      const std::size_t got = rest.copy(buffer, count);
      rest.remove_prefix(got);
      return got;
    };
    return from_png(read, name, options);
  }
  if (bytes.size() > options.max_input_bytes)
    fail(ErrorKind::input,
         "{}: is larger than {} bytes; raise the limit with --max-input if it is meant to be",
         printable(name, 240), options.max_input_bytes);
  return from_xml(bytes, name, options);
}

}  // namespace kiln
