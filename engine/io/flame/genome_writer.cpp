// SPDX-License-Identifier: MIT
#include "engine/io/flame/genome_writer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/flame/dialect.h"
#include "engine/io/flame/effects_text.h"
#include "engine/io/flame/track_reader.h"
#include "engine/model/flame_attributes.h"
#include "engine/model/formula.h"
#include "engine/model/meanings.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

// XML names, in the order of the enumeration.
constexpr std::array motion_functions = {"sin", "triangle", "hill"};

std::string escaped(std::string_view text) {
  std::string xml;
  for (char c : text) {
    switch (c) {
      case '&':
        xml += "&amp;";
        break;
      case '<':
        xml += "&lt;";
        break;
      case '>':
        xml += "&gt;";
        break;
      case '"':
        xml += "&quot;";
        break;
      default:
        // XML has no way to write most of them
        xml += static_cast<unsigned char>(c) < 0x20 ? '_' : c;
    }
  }
  return xml;
}

std::string list(std::initializer_list<double> numbers) {
  std::string text;
  for (double number : numbers) text += (text.empty() ? "" : " ") + shortest(number);
  return text;
}

/// The attributes of one element, in order.
class Attributes {
 public:
  void add(std::string_view name, std::string_view value) { all_.emplace_back(name, value); }
  void add(std::string_view name, double value) { add(name, shortest(value)); }
  void add(std::string_view name, int value) { add(name, fmt::format("{}", value)); }
  void add_unless(double usual, std::string_view name, double value) {
    if (value != usual) add(name, value);
  }
  std::string text() const {
    std::string text;
    for (const auto& [name, value] : all_) text += fmt::format(" {}=\"{}\"", name, escaped(value));
    return text;
  }
  const std::vector<std::pair<std::string, std::string>>& all() const { return all_; }

 private:
  std::vector<std::pair<std::string, std::string>> all_;
};

/// The text of an attribute that other members decide, too; none if it is left out.
std::optional<std::string> own_text(const FlameAttribute& attribute, const Flame& flame) {
  const std::string_view name = attribute.name;
  if (name == "version") return "kiln " KILN_VERSION;
  if (name == dialect_attribute && flame.dialect != Dialect::flam3)
    return dialect_name(flame.dialect);
  if (name == "new_linear" && flame.dialect != Dialect::flam3) return "1";
  if (name == "enable_de" && flame.dialect == Dialect::apophysis)
    return flame.estimator_radius > 0 ? "1" : "0";
  const bool exp = flame.temporal_filter == TemporalFilter::exp || flame.temporal_filter_exp != 0;
  if (name == "temporal_filter_exp" && exp) return value_text(attribute, flame);
  return std::nullopt;  // curves come as they fit together
}

/// Says whether what has its usual value is written where flam3 and editors write it, or never.
enum class Style { whole, brief };

Attributes flame_attributes_of(const Flame& flame, Style style = Style::whole) {
  Attributes a;
  for (const FlameAttribute& attribute : flame_attributes()) {
    if (attribute.has(FlameAttribute::own_writer)) {
      if (style == Style::brief && attribute.name == "version") continue;
      if (const auto text = own_text(attribute, flame)) a.add(attribute.name, *text);
    } else if (!attribute.has(FlameAttribute::only_read) &&
               !((style == Style::brief || attribute.has(FlameAttribute::if_unusual)) &&
                 has_usual_value(attribute, flame))) {
      a.add(attribute.name, value_text(attribute, flame));
    }
  }
  for (const auto& [name, value] : curve_attributes(flame)) a.add(name, value);
  return a;
}

/// Weights that are not 0, with all their parameters, and parameters that nobody uses yet but the
/// file set. `usual` holds the default of every parameter, or nothing where all defaults are 0
/// (motions).
void add_variations(Attributes& a, const XformValues& xform, const std::vector<double>* usual,
                    Style style = Style::whole) {
  for (std::size_t i = 0; i < xform.variations.size(); ++i) {
    const VariationInfo& variation = variations()[i];
    const double weight = xform.variations[i];
    a.add_unless(0, variation.name, weight);
    for (std::size_t p = 0; p < variation.parameters.size(); ++p) {
      const std::size_t index = static_cast<std::size_t>(variation.first_parameter) + p;
      if (index >= xform.parameters.size()) break;
      const double value = xform.parameters[index];
      if ((weight != 0 && style == Style::whole) || value != (usual ? (*usual)[index] : 0))
        a.add(variation.parameters[p].name, value);
    }
  }
}

/// Whether add_variations() writes something of it.
bool is_written(const XformValues& xform, int variation, const std::vector<double>* usual) {
  if (is_formula(variation)) return false;  // its place is among the staged ones
  if (xform.variations[std::size_t(variation)] != 0) return true;
  const VariationInfo& info = variations()[std::size_t(variation)];
  for (std::size_t p = 0; p < info.parameters.size(); ++p) {
    const std::size_t index = std::size_t(info.first_parameter) + p;
    if (index < xform.parameters.size() && xform.parameters[index] != (usual ? (*usual)[index] : 0))
      return true;
  }
  return false;
}

/// pre_ and post_ forms, in the order of their work, with all their parameters. The second use of one is julian.1.,
/// as JWildfire's julian#1# is read.
void add_staged(Attributes& a, const XformValues& xform, const std::vector<double>* usual) {
  for (std::size_t s = 0; s < xform.staged.size(); ++s) {
    const StagedVariation& form = xform.staged[s];
    const std::string name = form_name(form.stage, form.variation);
    const bool is_beside = form.stage == Stage::regular && is_written(xform, form.variation, usual);
    const int use = use_of(xform.staged, s) + is_beside;
    const std::string said = use == 0 ? name : fmt::format("{}.{}.", name, use);
    a.add(said, form.weight);
    for (std::size_t p = 0; p < form.parameters.size(); ++p) {
      const std::string parameter = form_parameter_name(form.stage, form.variation, int(p));
      a.add(use == 0 ? parameter : said + parameter.substr(name.size()), form.parameters[p]);
    }
  }
}

std::string coefficients(const AffineD& m) { return list({m.a, m.d, m.b, m.e, m.c, m.f}); }

std::string motion_element(const Motion& motion) {
  constexpr AffineD still{0, 0, 0, 0, 0, 0};
  Attributes a;
  a.add("motion_frequency", motion.frequency);
  a.add("motion_function", motion_functions.at(std::size_t(motion.function)));
  a.add_unless(0, "weight", motion.weight);
  a.add_unless(0, "color", motion.color);
  a.add_unless(0, "color_speed", motion.color_speed);
  a.add_unless(0, "animate", motion.animate);
  add_variations(a, motion, nullptr);
  add_staged(a, motion, nullptr);
  a.add_unless(0, "var_color", motion.direct_color);
  if (motion.coefs != still) a.add("coefs", coefficients(motion.coefs));
  if (motion.post != still) a.add("post", coefficients(motion.post));
  a.add_unless(0, "opacity", motion.opacity);
  return fmt::format("      <motion{}/>\n", a.text());
}

Attributes xform_attributes_of(const Xform& xform, bool is_final, Style style) {
  const bool is_whole = style == Style::whole;
  Attributes a;
  for (const auto& [name, value] : xform.notes) a.add(name, value);
  if (!is_final) a.add("weight", xform.weight);
  a.add("color", xform.color);
  a.add("color_speed", xform.color_speed);
  if ((!is_final && is_whole) || xform.animate != 1) a.add("animate", xform.animate);
  add_variations(a, xform, &default_parameters(), style);
  add_staged(a, xform, &default_parameters());
  a.add_unless(1, "var_color", xform.direct_color);
  a.add("coefs", coefficients(xform.coefs));
  if (xform.post != AffineD{}) a.add("post", coefficients(xform.post));
  if (!is_final && !xform.chaos.empty()) {
    std::string chaos;
    for (double multiplier : xform.chaos)
      chaos += (chaos.empty() ? "" : " ") + shortest(multiplier);
    a.add("chaos", chaos);
  }
  if (is_whole || xform.opacity != 1) a.add("opacity", xform.opacity);
  return a;
}

std::string xform_element(const Xform& xform, bool is_final, Style style) {
  const Attributes a = xform_attributes_of(xform, is_final, style);
  const char* tag = is_final ? "finalxform" : "xform";
  if (xform.motions.empty()) return fmt::format("   <{}{}/>\n", tag, a.text());
  std::string motions;
  for (const Motion& motion : xform.motions) motions += motion_element(motion);
  return fmt::format("   <{0}{1}>\n{2}   </{0}>\n", tag, a.text(), motions);
}

/// The byte that reads back as exactly this value, or -1.
int as_byte(double value) {
  const double byte = std::floor(value * 255 + 0.5);
  return byte >= 0 && byte <= 255 && byte / 255 == value ? static_cast<int>(byte) : -1;
}

bool all_bytes(const Palette& palette) {
  return std::all_of(palette.begin(), palette.end(), [](const Rgba& c) {
    return as_byte(c.r) >= 0 && as_byte(c.g) >= 0 && as_byte(c.b) >= 0 && as_byte(c.a) >= 0;
  });
}

std::string hex_palette(const Palette& palette, bool with_alpha) {
  constexpr std::size_t colors_a_line = 8;
  std::string text = fmt::format("   <palette count=\"{}\" format=\"{}\">", palette.size(),
                                 with_alpha ? "RGBA" : "RGB");
  for (std::size_t i = 0; i < palette.size(); ++i) {
    if (i % colors_a_line == 0) text += "\n      ";
    const Rgba& c = palette[i];
    text += fmt::format("{:02X}{:02X}{:02X}", as_byte(c.r), as_byte(c.g), as_byte(c.b));
    if (with_alpha) text += fmt::format("{:02X}", as_byte(c.a));
  }
  return text + "\n   </palette>\n";
}

/// The 0..255 number that `back` turns into `value`: dividing does not undo multiplying to the last
/// bit.
template <class Back>
double number_for(double value, double guess, Back back) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double below = guess, above = guess;
  for (int step = 0; step < 4; ++step) {
    if (back(below) == value) return below;
    if (back(above) == value) return above;
    below = std::nextafter(below, -infinity);
    above = std::nextafter(above, infinity);
  }
  return guess;
}

std::string color_element(std::size_t index, const Rgba& c) {
  const double alpha = number_for(c.a, c.a * 255, [](double a) { return a / 255; });
  const auto component = [&](double stored) {  // the reader premultiplies: n / 255 * (alpha / 255)
    if (alpha == 0) return 0.0;
    return number_for(stored, stored / c.a * 255,
                      [&](double n) { return n / 255 * (alpha / 255); });
  };
  const std::string rgb = list({component(c.r), component(c.g), component(c.b)});
  if (alpha == 255) return fmt::format("   <color index=\"{}\" rgb=\"{}\"/>\n", index, rgb);
  return fmt::format("   <color index=\"{}\" rgba=\"{} {}\"/>\n", index, rgb, shortest(alpha));
}

std::string palette_elements(const Palette& palette) {
  if (all_bytes(palette)) {
    const bool opaque =
        std::all_of(palette.begin(), palette.end(), [](const Rgba& c) { return c.a == 1; });
    return hex_palette(palette, !opaque);
  }
  // as many entries as there are: <color> alone leaves 256 at least
  std::string text = palette.size() == 256 ? "" : hex_palette(Palette(palette.size()), false);
  for (std::size_t i = 0; i < palette.size(); ++i) text += color_element(i, palette[i]);
  return text;
}

/// The colors that do not lie between the ones beside them, of 256.
std::string corner_elements(const Palette& palette) {
  constexpr double straight = 1e-9;
  std::string text;
  for (std::size_t i = 0; i < palette.size(); ++i) {
    bool is_corner = i == 0 || i + 1 == palette.size();
    for (const auto channel : {&Rgba::r, &Rgba::g, &Rgba::b, &Rgba::a})
      is_corner = is_corner || std::fabs(palette[i - 1].*channel - 2 * (palette[i].*channel) +
                                         palette[i + 1].*channel) > straight;
    if (is_corner) text += color_element(i, palette[i]);
  }
  return text;
}

}  // namespace

std::string formula_elements(const Flame& flame) {
  const FormulaNames names(flame);
  std::string xml;
  for (const int formula : formulas_of(flame)) {
    const FormulaText& text = formula_at(formula).text;
    Attributes a;
    a.add("name", form_name(Stage::regular, formula));
    for (std::size_t i = 0; i < std::size(FormulaText::parts); ++i)
      if (!(text.*FormulaText::parts[i]).empty())
        a.add(FormulaText::part_names[i], text.*FormulaText::parts[i]);
    std::string parameters;
    for (const FormulaParameter& one : text.parameters) {
      Attributes p;
      p.add("name", one.name);
      p.add("default", one.usual);
      p.add("from", one.low);
      p.add("to", one.high);
      parameters += fmt::format("      <parameter{}/>\n", p.text());
    }
    xml += parameters.empty()
               ? fmt::format("   <variation{}/>\n", a.text())
               : fmt::format("   <variation{}>\n{}   </variation>\n", a.text(), parameters);
  }
  return xml;
}

std::string formula_scene(int formula) {
  Flame alone;
  alone.formulas = {formula};
  std::string xml = variation_scene({info_of(formula).name, "", "", {}, {}, ""});
  return xml.insert(xml.find("<xform"), formula_elements(alone));
}

std::string sound_xml(const FilmSound& sound) {
  Attributes a;
  a.add("file", sound.file);
  if (!sound.sha256.empty()) a.add("sha256", sound.sha256);
  a.add("fps", sound.fps);
  a.add_unless(0, "start", sound.start_s);
  if (sound.beats_of_bar != FilmSound{}.beats_of_bar) a.add("bar", sound.beats_of_bar);
  if (sound.length != SoundLength::usual)
    a.add("length", sound.length == SoundLength::song ? "song" : "keys");
  return fmt::format("   <kiln_sound{}/>\n", a.text());
}

std::string markers_xml(const Flame& flame) {
  std::string xml;
  for (const FilmMarker& marker : flame.markers) {
    Attributes a;
    a.add("time", marker.time);
    a.add("name", marker.name);
    xml += fmt::format("   <kiln_marker{}/>\n", a.text());
  }
  return xml;
}

std::vector<std::pair<std::string, std::string>> xform_attributes(const Xform& xform,
                                                                  bool is_final) {
  return xform_attributes_of(xform, is_final, Style::whole).all();
}

std::string xform_xml(const Xform& xform, bool is_final) {
  return xform_element(xform, is_final, Style::whole);
}

std::string links_xml(const Flame& flame) {
  std::string xml;
  for (const NumberLink& link : flame.links) {
    Attributes a;
    a.add("number", link.number);
    a.add("is", link.is);
    xml += fmt::format("   <kiln_link{}/>\n", a.text());
  }
  return xml;
}

std::string film_elements(const Flame& flame) {
  std::string xml = links_xml(flame);
  if (flame.sound) xml += sound_xml(*flame.sound);
  xml += markers_xml(flame);
  for (const Track& track : flame.tracks) xml += track_xml(track);
  return xml;
}

std::string genome_xml(const Flame& flame) {
  const FormulaNames names(flame);
  std::string xml = fmt::format("<flame{}>\n", flame_attributes_of(flame).text());
  xml += formula_elements(flame);
  for (const Xform& xform : flame.xforms) xml += xform_xml(xform, false);
  if (flame.final_xform) xml += xform_xml(*flame.final_xform, true);
  for (const Xform& xform : flame.more_finals) xml += xform_xml(xform, true);
  xml += palette_elements(flame.palette);
  xml += film_elements(flame);
  return xml + flame.edits + "</flame>\n";
}

std::string brief_genome_xml(const Flame& flame, BriefPalette palette) {
  // other programs have other usual values
  const Style style = flame.dialect == Dialect::flam3 ? Style::brief : Style::whole;
  const FormulaNames names(flame);
  std::string xml = fmt::format("<flame{}>\n", flame_attributes_of(flame, style).text());
  xml += formula_elements(flame);
  for (const Xform& xform : flame.xforms) xml += xform_element(xform, false, Style::brief);
  if (flame.final_xform) xml += xform_element(*flame.final_xform, true, Style::brief);
  for (const Xform& xform : flame.more_finals) xml += xform_element(xform, true, Style::brief);
  if (palette == BriefPalette::whole) xml += palette_elements(flame.palette);
  if (palette == BriefPalette::corners) xml += corner_elements(flame.palette);
  xml += film_elements(flame);
  xml += "</flame>";
  std::string brief;  // no line of it has a blank at its beginning that counts
  for (std::size_t i = 0; i < xml.size(); ++i) {
    if (xml[i] != '\n') {
      brief += xml[i];
      continue;
    }
    while (i + 1 < xml.size() && xml[i + 1] == ' ') ++i;
  }
  return brief;
}

std::string attribute_text(const Flame& flame, std::string_view name) {
  const Attributes attributes = flame_attributes_of(flame);
  for (const auto& [other, value] : attributes.all())
    if (other == name) return value;
  return "";
}

void write_flames(const std::string& path, const std::vector<Flame>& flames,
                  AtomicFile::Existing existing) {
  AtomicFile file(path, existing);
  const auto put = [&](const std::string& text) { file.write(text.data(), text.size()); };
  put("<flames>\n");
  for (const Flame& flame : flames) put(genome_xml(flame));
  put("</flames>\n");
  file.commit();
}

}  // namespace kiln
