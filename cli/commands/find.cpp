// SPDX-License-Identifier: MIT
// kiln find: the flames of files and folders that match an expression.
//
//   expression  term { or term }            term  factor { and factor }
//   factor      not factor | ( expression ) | fact | fact operator value
//   operator    = != < <= > >=              value  a word, or anything in quotes
//
// A fact is one of the list below or an attribute of <flame>; texts are compared by patterns, with
// * and ?. A fact of several values (variation) is equal to each of them.
#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/options/flame_output.h"
#include "cli/options/flame_selection.h"
#include "cli/options/output_files.h"
#include "cli/options/settings.h"
#include "cli/says/console.h"
#include "cli/says/outcome.h"
#include "engine/base/error.h"
#include "engine/base/platform/file.h"
#include "engine/base/text.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/model/flame_attributes.h"
#include "engine/model/variations.h"
#include "engine/program/structure.h"

namespace kiln::cli {
namespace {

using Values = std::vector<std::string>;
using Test = std::function<bool(const Flame&, const std::string& file)>;

// ---- facts ----

struct Fact {
  const char* name;
  Values (*values)(const Flame& flame, const std::string& file);
};

std::string truth(bool is) { return is ? "1" : "0"; }

constexpr Fact facts[] = {
    {"variation", [](const Flame& f, const std::string&) { return used_variations(f); }},
    {"variations",
     [](const Flame& f, const std::string&) -> Values {
       return {std::to_string(used_variations(f).size())};
     }},
    {"xforms",
     [](const Flame& f, const std::string&) -> Values {
       return {std::to_string(f.xforms.size())};
     }},
    {"final",
     [](const Flame& f, const std::string&) -> Values {
       return {truth(f.final_xform.has_value())};
     }},
    {"xaos", [](const Flame& f, const std::string&) -> Values { return {truth(has_xaos(f))}; }},
    {"width",
     [](const Flame& f, const std::string&) -> Values { return {std::to_string(f.width)}; }},
    {"height",
     [](const Flame& f, const std::string&) -> Values { return {std::to_string(f.height)}; }},
    {"file", [](const Flame&, const std::string& file) -> Values { return {file}; }},
    {"index",
     [](const Flame& f, const std::string&) -> Values { return {std::to_string(f.index)}; }},
    {"edits", [](const Flame& f, const std::string&) -> Values { return {f.edits}; }},
};

/// Whether the fact is one number.
bool is_number_of(const std::string& name) {
  for (const Fact& fact : facts)
    if (name == fact.name) return name != "variation" && name != "file" && name != "edits";
  const FlameAttribute* const attribute = find_flame_attribute(name);
  const std::string_view type = attribute ? attribute_type(*attribute) : "";
  return type == "number" || type == "whole";
}

std::vector<std::string> known_facts() {
  std::vector<std::string> names;
  for (const Fact& fact : facts) names.push_back(fact.name);
  for (const std::string& name : flame_attribute_names()) names.push_back(name);
  return names;
}

/// The attribute's values: the flame's, or the default where it says nothing.
Values attribute_values(const Flame& flame, const std::string& name) {
  const std::string text = attribute_text(flame, name);
  return {text.empty() ? attribute_text(Flame(), name) : text};
}

using ValuesOf = std::function<Values(const Flame&, const std::string&)>;

ValuesOf values_of(const std::string& name) {
  for (const Fact& fact : facts)
    if (name == fact.name) return fact.values;
  const std::vector<std::string> known = known_facts();
  if (std::find(known.begin(), known.end(), name) == known.end())
    fail(ErrorKind::usage, "a flame has no \"{}\"{}; kiln find --help lists what is known of one",
         printable_whole(name), did_you_mean(name, known));
  return [name](const Flame& flame, const std::string&) { return attribute_values(flame, name); };
}

// ---- comparisons ----

bool matches(const std::string& text, const std::string& pattern) {
  const auto number = to_real(text), wanted = to_real(pattern);
  if (number && wanted) return *number == *wanted;
  return matches_pattern(in_small_letters(text), in_small_letters(pattern));
}

bool is_less(const std::string& a, const std::string& b) {
  const auto x = to_real(a), y = to_real(b);
  return x && y ? *x < *y : in_small_letters(a) < in_small_letters(b);
}

Test comparison(ValuesOf values, const std::string& how, const std::string& wanted) {
  const auto any = [values](auto holds) -> Test {
    return [values, holds](const Flame& flame, const std::string& file) {
      const Values all = values(flame, file);
      return std::any_of(all.begin(), all.end(), holds);
    };
  };
  if (how == "=") return any([=](const std::string& is) { return matches(is, wanted); });
  if (how == "<") return any([=](const std::string& is) { return is_less(is, wanted); });
  if (how == ">") return any([=](const std::string& is) { return is_less(wanted, is); });
  if (how == "<=") return any([=](const std::string& is) { return !is_less(wanted, is); });
  if (how == ">=") return any([=](const std::string& is) { return !is_less(is, wanted); });
  return [equal = any([=](const std::string& is) { return matches(is, wanted); })](
             const Flame& flame, const std::string& file) { return !equal(flame, file); };
}

// ---- the text of an expression ----

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  Test parse() {
    Test test = expression();
    skip_blanks();
    if (at_ < text_.size()) refuse("nothing, and, or");
    return test;
  }

 private:
  [[noreturn]] void refuse(const char* wanted) const {
    const std::string place =
        at_ < text_.size() ? "\"" + printable_whole(text_.substr(at_)) + "\"" : "its end";
    fail(ErrorKind::usage, "\"{}\": {} is wanted at {}; e.g. 'variation=julian and xforms<4'",
         printable_whole(text_), wanted, place);
  }
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool is_end_of_word(char c) const {
    return std::string_view(" ()=!<>\"'").find(c) != std::string_view::npos;
  }
  std::string peek_word() {
    skip_blanks();
    std::size_t end = at_;
    while (end < text_.size() && !is_end_of_word(text_[end])) ++end;
    return text_.substr(at_, end - at_);
  }
  bool take(std::string_view word) {
    if (in_small_letters(peek_word()) != word) return false;
    at_ += word.size();
    return true;
  }
  bool take_sign(char sign) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != sign) return false;
    ++at_;
    return true;
  }

  Test expression() {
    std::vector<Test> any = {term()};
    while (take("or")) any.push_back(term());
    if (any.size() == 1) return any.front();
    return [any](const Flame& flame, const std::string& file) {
      return std::any_of(any.begin(), any.end(), [&](const Test& t) { return t(flame, file); });
    };
  }
  Test term() {
    std::vector<Test> all = {factor()};
    while (take("and")) all.push_back(factor());
    if (all.size() == 1) return all.front();
    return [all](const Flame& flame, const std::string& file) {
      return std::all_of(all.begin(), all.end(), [&](const Test& t) { return t(flame, file); });
    };
  }
  Test factor() {
    if (++depth_ > 100) refuse("less nesting");
    const Test test = factor_here();
    --depth_;
    return test;
  }
  Test factor_here() {
    if (take("not"))
      return
          [a = factor()](const Flame& flame, const std::string& file) { return !a(flame, file); };
    if (take_sign('(')) {
      const Test test = expression();
      if (!take_sign(')')) refuse(")");
      return test;
    }
    const std::string name = peek_word();
    if (name.empty()) refuse("the name of a fact");
    at_ += name.size();
    const ValuesOf values = values_of(name);
    const std::string how = take_operator();
    if (how.empty())
      return [values](const Flame& flame, const std::string& file) {
        const Values all = values(flame, file);
        return !all.empty() && !all[0].empty() && all[0] != "0";
      };
    const std::string wanted = take_value();
    check_value(name, wanted);
    return comparison(values, how, wanted);
  }
  /// Refuses a value that nothing can equal: a variation that is not there, a word for a number.
  void check_value(const std::string& name, const std::string& wanted) const {
    if (wanted.find_first_of("*?") != std::string::npos) return;
    if (name == "variation" && !find_form(in_small_letters(wanted)) && !find_form(wanted)) {
      std::vector<std::string> known;
      for (const VariationInfo& variation : variations()) known.push_back(variation.name);
      fail(ErrorKind::usage, "\"{}\": unknown variation \"{}\"{}; kiln variations lists them",
           printable_whole(text_), printable_whole(wanted), did_you_mean(wanted, known));
    }
    if (is_number_of(name) && !to_real(wanted))
      fail(ErrorKind::usage, "\"{}\": {} is a number, and \"{}\" is none", printable_whole(text_),
           name, printable_whole(wanted));
  }
  std::string take_operator() {
    skip_blanks();
    for (const char* sign : {"<=", ">=", "!=", "==", "=", "<", ">"}) {
      if (text_.compare(at_, std::strlen(sign), sign) != 0) continue;
      at_ += std::strlen(sign);
      return std::string_view(sign) == "==" ? "=" : sign;
    }
    return "";
  }
  std::string take_value() {
    skip_blanks();
    if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) {
      const std::size_t end = text_.find(text_[at_], at_ + 1);
      if (end == std::string::npos) refuse("a closing quote");
      const std::string value = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
      return value;
    }
    const std::string value = peek_word();
    if (value.empty()) refuse("a value");
    at_ += value.size();
    return value;
  }

  const std::string text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

// ---- the command ----

struct FindArguments {
  std::string expression;
  std::vector<std::string> inputs;
  ReadArguments read;
  bool json = false;
  FlameOutput output;
};

std::string found_json(const Flame& flame, const std::string& file) {
  JsonArray names;
  for (const std::string& name : used_variations(flame)) names.add_json(json_string(name));
  return JsonObject()
      .add("file", file)
      .add("index", flame.index)
      .add("name", flame.name)
      .add("xforms", int(flame.xforms.size()))
      .add_json("variations", names.text())
      .text();
}

int run_find(FindArguments& args) {
  Console console(ProgressMode::none, args.output.quiet);
  const Test test = Parser(args.expression).parse();
  args.inputs = expand_inputs(args.inputs);
  const bool writes = !args.output.path.empty();
  if (writes) args.output.check("kiln find", args.inputs);
  ReaderOptions options = args.read.options();
  options.warn = nullptr;  // what is odd about thousands of flames is asked of kiln info
  FlameSelection all;
  std::vector<Flame> found;
  std::size_t seen = 0;
  JsonArray json;
  Outcome outcome;
  for (const std::string& input : args.inputs) {
    try {
      const FlameFile file = read_chosen(input, options, all, Use::stills);
      for (const BadFlame& bad : file.bad)
        outcome.note_failure(input, bad.kind, bad.message, console);
      for (const Flame& flame : file.flames) {
        ++seen;
        if (!test(flame, input)) continue;
        found.push_back(flame);
        if (args.json)
          json.add_json(found_json(flame, input));
        else if (!writes)
          print("{} {}{}\n", printable_whole(input), flame.index,
                flame.name.empty() ? "" : " " + printable_whole(flame.name));
      }
    } catch (const Error& error) {
      outcome.note_failure(input, error.kind, error.what(), console);
    }
  }
  outcome.done = int(seen);
  if (args.json) print("{}\n", json.text());
  if (writes && !found.empty()) args.output.write("kiln find", found);
  if (!args.output.quiet)
    say("{} of {} flames{}\n", found.size(), seen,
        outcome.failures.empty()
            ? ""
            : fmt::format("; {} could not be looked at", outcome.failures.size()));
  if (!outcome.failures.empty()) return outcome.exit_code();
  return found.empty() ? exit_differences : exit_done;
}

}  // namespace

void add_find(Program& program) {
  Command& command = program.command("find", "List the flames of files and folders that match");
  const auto args = std::make_shared<FindArguments>();
  command.input("EXPRESSION", args->expression,
                "Comparisons (= != < <= > >=) with and, or, not and brackets, of: variation, "
                "variations (how many), xforms, final, xaos, width, height, file, index, edits, "
                "or any attribute of <flame>; = takes patterns, name='sheep*'");
  command.inputs("IN", args->inputs, "Flames, in files, pictures or folders, or -");
  args->read.add_to(command);
  command.group("Output");
  command.text("-o,--output", "OUT", args->output.path,
               "Write them into a file of flames, or into a folder (FOLDER/), a file each");
  command.flag("--json", args->json, "JSON on standard output: a list");
  command.flag("--force", args->output.force, force_help);
  command.flag("-q,--quiet", args->output.quiet, quiet_help);
  command.exclude("--json", "--output");
  command.examples({"kiln find 'variation=julian and xforms<4' pack/",
                    "kiln find 'name=\"sheep*\" and not final' pack.flam3 -o sheep.flam3",
                    "kiln find 'quality>=1000 or (width>3000 and xaos)' pack/ --json"});
  command.runs([args] { return run_find(*args); });
}

}  // namespace kiln::cli
