#include "cli/commands.h"
#include "engine/io/text.h"
#include "engine/model/error.h"

namespace kiln::cli {

void ReadArguments::add_to(CLI::App& command) {
  command
      .add_option("--palettes", palettes,
                  "Palette library for palette=\"N\" (default: $flam3_palettes, else flam3's)")
      ->type_name("FILE");
  command.add_flag("--strict", strict,
                   "Refuse what kiln does not support instead of warning (exit code 4)");
  command.add_option("--max-input", max_input, "Largest input accepted (default 64M)")
      ->type_name("SIZE");
}

ReaderOptions ReadArguments::options() const {
  ReaderOptions options;
  options.palettes_file = palettes;
  options.strict = strict;
  if (!max_input.empty()) options.max_input_bytes = size_option("--max-input", max_input);
  return options;
}

std::string examples(std::initializer_list<const char*> lines) {
  std::string text = "Examples:";
  for (const char* line : lines) text += std::string("\n  ") + line;
  return text;
}

std::uint64_t size_option(const char* option, const std::string& text) {
  const auto bytes = parse_byte_size(text);
  if (!bytes || *bytes == 0) {
    fail(ErrorKind::usage, "{} \"{}\": must be a size such as 512M or 8G", option,
         printable_whole(text));
  }
  return *bytes;
}

}  // namespace kiln::cli
