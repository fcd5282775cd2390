// SPDX-License-Identifier: MIT
#include "engine/io/file/output_name.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "engine/base/error.h"
#include "engine/base/platform/file.h"
#include "engine/base/sha256.h"
#include "engine/base/text.h"
#include "engine/io/file/link_text.h"

namespace kiln {
namespace {

// two values and an ending fit into the 255 bytes of a name
constexpr std::size_t value_bytes_max = 120;
constexpr int digits_max = 32;

std::string padded(int number, int width) { return fmt::format("{:0{}}", number, width); }

/// Names that Windows gives to devices: a picture called so could not be copied there.
bool is_device_name(std::string_view name) {
  std::string base(name.substr(0, name.find('.')));
  std::transform(base.begin(), base.end(), base.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  if (base == "CON" || base == "PRN" || base == "AUX" || base == "NUL") return true;
  return base.size() == 4 && (base.starts_with("COM") || base.starts_with("LPT")) &&
         base[3] >= '1' && base[3] <= '9';
}

std::string name_of_flame(const NameValues& values) {
  return values.name.empty() ? fmt::format("flame_{}", values.index) : safe_file_name(values.name);
}

/// Reads "{word}" at the start of `rest`, removes it and returns its value.
std::string read_brace(std::string_view& rest, std::string_view pattern, const NameValues& values,
                       const char* option) {
  const std::size_t end = rest.find('}');
  const std::string_view word = rest.substr(1, end == std::string_view::npos ? end : end - 1);
  if (end != std::string_view::npos) {
    rest.remove_prefix(end + 1);
    if (word == "stem") return safe_file_name(values.stem);
    if (word == "name") return name_of_flame(values);
    if (word == "index") return fmt::format("{}", values.index);
    if (word == "palette") return values.palette.empty() ? "own" : safe_file_name(values.palette);
    if (word == "frame") return fmt::format("{}", values.frame);
  }
  fail(ErrorKind::usage,
       "{} \"{}\": \"{{{}\" is not known; there are {{stem}} {{name}} {{index}} {{frame}} "
       "{{palette}} #### %05d",
       option, printable_whole(pattern), printable_whole(word));
}

/// Reads "%d" or "%05d" at the start of `rest`, removes it and returns the running number.
std::string read_percent(std::string_view& rest, std::string_view pattern, const NameValues& values,
                         const char* option) {
  const std::size_t letter = rest.find_first_not_of("0123456789", 1);
  int width = 0;
  if (letter != std::string_view::npos && rest[letter] == 'd') {
    const auto error = std::from_chars(rest.data() + 1, rest.data() + letter, width).ec;
    if (error != std::errc::result_out_of_range && width <= digits_max) {
      rest.remove_prefix(letter + 1);
      return padded(values.frame, width);
    }
  }
  fail(ErrorKind::usage,
       "{} \"{}\": after % only a width and d are known, as in %05d (%% is a plain %)", option,
       printable_whole(pattern));
}

}  // namespace

std::string safe_file_name(std::string_view text) {
  const std::string_view original = text;
  std::string name;
  bool cut = false;
  while (!text.empty()) {
    const std::size_t length = printable_prefix(text);
    const bool reserved =
        length == 0 || std::string_view("/\\:*?\"<>|").find(text[0]) != std::string_view::npos;
    const std::size_t taken = std::max<std::size_t>(length, 1);
    if (name.size() + taken > value_bytes_max) {
      cut = true;
      break;
    }
    name += reserved ? std::string_view("_") : text.substr(0, taken);
    text.remove_prefix(taken);
  }
  for (std::size_t i = 0; i < name.size() && name[i] == '.'; ++i) name[i] = '_';
  while (!name.empty() && name.back() == ' ') name.pop_back();
  if (name.empty() || is_device_name(name)) name += '_';
  if (cut) {
    Sha256 sha;
    sha.add(original.data(), original.size());
    name += "~" + sha.hex().substr(0, 8);
  }
  return name;
}

std::string expand_template(std::string_view pattern, const NameValues& values,
                            const char* option) {
  std::string path;
  std::string_view rest = pattern;
  while (!rest.empty()) {
    const char c = rest.front();
    const bool doubled = rest.size() > 1 && rest[1] == c;
    if (doubled && (c == '{' || c == '}' || c == '%')) {
      path += c;
      rest.remove_prefix(2);
    } else if (c == '{') {
      path += read_brace(rest, pattern, values, option);
    } else if (c == '%') {
      path += read_percent(rest, pattern, values, option);
    } else if (c == '#') {
      const std::size_t run = std::min(rest.find_first_not_of('#'), rest.size());
      if (run > digits_max)
        fail(ErrorKind::usage, "{} \"{}\": more than {} #", option, printable_whole(pattern),
             digits_max);
      path += padded(values.frame, static_cast<int>(run));
      rest.remove_prefix(run);
    } else {
      path += c;
      rest.remove_prefix(1);
    }
  }
  // a file's name must not ask for standard output
  return path == "-" || !stream_kind(path).empty() ? "_" : path;
}

std::string stream_kind(const std::string& path) {
  constexpr std::size_t longest = 7;
  const auto is_part = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  if (path.size() < 3 || path.size() > longest + 2 || !path.ends_with(":-") ||
      !std::all_of(path.begin(), path.end() - 2, is_part))
    return "";
  return path.substr(0, path.size() - 2);
}

std::string ending_of(const std::string& path) {
  constexpr std::size_t longest = 8;
  if (const std::string kind = stream_kind(path); !kind.empty()) return "." + kind;
  std::string ending = std::filesystem::path(path).extension().string();
  const auto is_letter = [](char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; };
  const auto is_part = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  if (ending.size() < 2 || ending.size() > longest || !is_letter(ending[1]) ||
      !std::all_of(ending.begin() + 1, ending.end(), is_part))
    return "";
  for (char& c : ending) c = is_letter(c) ? static_cast<char>(c | 32) : c;
  return ending;
}

bool is_ending_of_flames(std::string_view ending) {
  return ending == ".flam3" || ending == ".flame" || ending == ".xml";
}

std::string input_stem(const std::string& path) {
  if (is_link(path)) return safe_file_name(link_title(path));
  return path == "-" ? "stdin" : std::filesystem::path(path).stem().string();
}

namespace fs = std::filesystem;

int named_descriptor(const std::string& path) {
  if (path == "-" || path == "/dev/stdout" || !stream_kind(path).empty()) return 1;
  if (path == "/dev/stderr") return 2;
  for (const std::string folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (path.compare(0, folder.size(), folder) != 0) continue;
    int number = -1;
    const char* begin = path.data() + folder.size();
    const char* end = path.data() + path.size();
    const auto [stop, error] = std::from_chars(begin, end, number);
    if (error == std::errc() && stop == end && number >= 0) return number;
  }
  return -1;
}

bool is_device_or_pipe(const std::string& path) { return is_special_file(path); }

std::string behind_links(const std::string& path) {
  constexpr int links_most = 40;  // as many as Linux follows
  fs::path at = path;
  std::error_code error;
  for (int i = 0; i < links_most && fs::is_symlink(fs::symlink_status(at, error)); ++i) {
    const fs::path target = fs::read_symlink(at, error);
    if (error) break;
    at = target.is_absolute() ? target : at.parent_path() / target;
  }
  return at.string();
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code none;
  return fs::equivalent(a, b, none);
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace kiln
