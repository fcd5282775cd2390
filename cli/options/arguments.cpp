#include "cli/commands/commands.h"
#include "engine/io/flame/dialect.h"
#include "engine/io/flame/name_rules.h"

namespace kiln::cli {

void ReadArguments::add_to(Command& command) {
  command.text("--palettes", "FILE", palettes,
               "Palette library for palette=\"N\" (default: $flam3_palettes, else flam3's)");
  command.choice("--dialect", {"auto", "flam3", "fractorium", "apophysis", "jwildfire"}, dialect,
                 "Whose meaning the names and numbers of a flame have (default auto: as the file "
                 "says)");
  command.choice("--meaning", {"auto", "flam3", "ember", "apophysis"}, meaning,
                 "Whose meaning variations have that several programs have by one name (default "
                 "auto: as the dialect and the version say)");
  command.flag("--approximate", approximate,
               "Leave out the variations and settings that kiln does not have, instead of refusing "
               "the flame (exit code 4)");
  command.flag("--strict", strict,
               "Refuse also what flam3 ignores: unknown attributes, words and palettes (exit code "
               "4)");
  command.bytes("--max-input", max_input_bytes, "Largest input accepted (default 64M)");
}

ReaderOptions ReadArguments::options() const {
  ReaderOptions options;
  options.palettes_file = palettes;
  options.dialect = dialect_named(dialect);
  options.meaning = meaning_named(meaning);
  options.strict = strict;
  options.approximate = approximate;
  if (max_input_bytes > 0) options.max_input_bytes = max_input_bytes;
  return options;
}

}  // namespace kiln::cli
