// SPDX-License-Identifier: MIT
// The part of the protocol that is about formulas: what a page types is read as a file's is, and what it keeps is offered
// for every flame.
#include <algorithm>

#include "engine/base/text.h"
#include "engine/io/flame/formula_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/model/formula.h"
#include "view/server/live_protocol.h"

namespace kiln::cli {
namespace {

/// The formula of that name. Throws Error (usage).
int formula_named(const Flame& flame, const std::string& name) {
  for (const int formula : formulas_of(flame))
    if (formula_at(formula).text.name == name) return formula;
  fail(ErrorKind::usage, "the flame has no formula {}", printable_whole(name));
}

}  // namespace

/// Whether a flame with what is typed could be rendered, and if not, where the mistake is. The flame that the page
/// is at stays as it is.
void LiveProtocol::on_formula(const Message& message) {
  const std::string name = message.text("name");
  JsonObject answer;
  answer.add("type", "formula").add("number", wish_of(message));
  try {
    const Flame flame = flame_of(message.text("flame"));
    answer.add("scene", formula_scene(formula_named(flame, name)));
  } catch (const FormulaRefused& refused) {
    answer.add("text", refused.why)
        .add("name", refused.name)
        .add("part", refused.place.part)
        .add("column", std::uint64_t(refused.place.column))
        .add("parameter", refused.place.parameter);
  } catch (const Error& error) {
    answer.add("text", error.what());
  }
  server_.send_text(message.client, answer.text());
}

std::string LiveProtocol::formulas_json() const {
  JsonArray all, troubles;
  const auto say = [&](const std::string& text) { troubles.add_json(json_string(text)); };
  for (const FormulaShelf::Mine& one : formulas_.all(say)) {
    Flame alone;
    alone.formulas = {one.formula};
    all.add_json(json_string(formula_elements(alone)));
  }
  return JsonObject()
      .add("type", "formulas")
      .add("folder", formulas_.folder())
      .add_json("formulas", all.text())
      .add_json("troubles", troubles.text())
      .text();
}

/// Answers with those that the user keeps; "keep" adds one, "forget" removes one, and then all pages hear of it.
void LiveProtocol::on_formulas(const Message& message) {
  if (message.has("keep")) {
    const std::string name = message.text("keep");
    const int formula = formula_named(flame_of(message.text("flame")), name);
    if (!formulas_.put(formula, message.flag("replace")))
      return server_.send_text(message.client,
                               JsonObject().add("type", "formulas").add("other", name).text());
    tell_all(formulas_json());
  } else if (message.has("forget")) {
    formulas_.remove(message.text("forget"));
    tell_all(formulas_json());
  } else {
    server_.send_text(message.client, formulas_json());
  }
}

}  // namespace kiln::cli
