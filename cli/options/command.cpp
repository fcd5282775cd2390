// SPDX-License-Identifier: MIT
#include "cli/options/command.h"

#include <algorithm>
#include <sstream>

#include "cli/options/flame_selection.h"
#include "cli/options/help_text.h"
#include "engine/base/error.h"
#include "engine/base/platform/terminal.h"

namespace kiln::cli {
namespace {

std::vector<std::string> parts_of(const std::string& text, char between) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, between);) parts.push_back(part);
  return parts;
}

}  // namespace

Command::Command(std::string name, std::string description)
    : name_(std::move(name)), description_(std::move(description)) {}
Command::~Command() = default;

void Command::group(const char* heading) { group_ = heading; }

Command::Entry& Command::add(const char* names, const char* type, const char* help) {
  auto entry = std::make_unique<Entry>();
  entry->group = group_;
  entry->names = names;
  entry->type = type;
  entry->help = help;
  return *entries_.emplace_back(std::move(entry));
}

// ---- what a value becomes ----

void Command::input(const char* name, std::string& value, const char* help, bool required) {
  Entry& entry = add(name, "", help);
  entry.is_input = true;
  entry.is_required = required;
  entry.set = [&value](const std::string& text) { value = text; };
}

void Command::input_choice(const char* name, std::initializer_list<const char*> words,
                           std::string& value, const char* help) {
  choice(name, words, value, help);
  entries_.back()->is_input = entries_.back()->is_required = true;
}

void Command::inputs(const char* name, std::vector<std::string>& values, const char* help,
                     bool required) {
  Entry& entry = add(name, "", help);
  entry.is_input = entry.is_list = entry.is_read = true;
  entry.is_required = required;
  entry.set = [&values](const std::string& text) { values.push_back(text); };
}

void Command::text(const char* names, const char* type, std::string& value, const char* help) {
  add(names, type, help).set = [&value](const std::string& text) { value = text; };
}
void Command::text(const char* names, const char* type, std::optional<std::string>& value,
                   const char* help) {
  add(names, type, help).set = [&value](const std::string& text) { value = text; };
}

void Command::number(const char* names, const char* type, double& value, const char* help,
                     Range range) {
  Entry& entry = add(names, type, help);
  entry.set = [&value, &entry, range](const std::string& text) {
    value = number_value(entry.label(), text, range);
  };
}
void Command::number(const char* names, const char* type, std::optional<double>& value,
                     const char* help, Range range, const char* bare) {
  Entry& entry = add(names, type, help);
  entry.bare = bare;
  entry.set = [&value, &entry, range](const std::string& text) {
    value = number_value(entry.label(), text, range);
  };
}

void Command::whole(const char* names, const char* type, int& value, const char* help,
                    Range range) {
  Entry& entry = add(names, type, help);
  entry.set = [&value, &entry, range](const std::string& text) {
    value = whole_value(entry.label(), text, range);
  };
}
void Command::whole(const char* names, const char* type, std::optional<int>& value,
                    const char* help, Range range) {
  Entry& entry = add(names, type, help);
  entry.set = [&value, &entry, range](const std::string& text) {
    value = whole_value(entry.label(), text, range);
  };
}

void Command::seed(const char* names, std::uint64_t& value, const char* help) {
  Entry& entry = add(names, "N", help);
  entry.set = [&value, &entry](const std::string& text) {
    value = seed_value(entry.label(), text);
  };
}

void Command::bytes(const char* names, std::uint64_t& value, const char* help) {
  Entry& entry = add(names, "SIZE", help);
  entry.set = [&value, &entry](const std::string& text) {
    value = bytes_value(entry.label(), text);
  };
}

void Command::choice(const char* names, std::initializer_list<const char*> words,
                     std::string& value, const char* help) {
  const std::vector<std::string> known(words.begin(), words.end());
  Entry& entry = add(names, "", help);
  for (const std::string& word : known) entry.type += (entry.type.empty() ? "" : "|") + word;
  entry.set = [&value, &entry, known](const std::string& text) {
    value = choice_value(entry.label(), text, known);
  };
}

void Command::texts(const char* names, const char* type, std::vector<std::string>& values,
                    const char* help) {
  Entry& entry = add(names, type, help);
  entry.is_list = true;
  entry.set = [&values](const std::string& text) { values.push_back(text); };
}

void Command::value(const char* names, const char* type,
                    std::function<void(const std::string&)> set, const char* help) {
  add(names, type, help).set = std::move(set);
}
void Command::list(const char* names, const char* type, std::function<void(const std::string&)> set,
                   const char* help) {
  Entry& entry = add(names, type, help);
  entry.is_list = true;
  entry.set = std::move(set);
}

void Command::flag(const char* names, bool& value, const char* help) {
  Entry& entry = add(names, "", help);
  entry.is_flag = true;
  entry.set = [&value](const std::string&) { value = true; };
}

// ---- rules between options ----

const Command::Entry* Command::find(const std::string& option) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const auto& entry) { return entry->has_name(option); });
  return found == entries_.end() ? nullptr : found->get();
}
Command::Entry* Command::find(const std::string& option) {
  return const_cast<Entry*>(static_cast<const Command*>(this)->find(option));
}

void Command::require(const char* option) { find(option)->is_required = true; }
void Command::exclude(const char* one, const char* other) { find(one)->excluded.push_back(other); }
void Command::need(const char* option, const char* other) { find(option)->needed.push_back(other); }
void Command::reads(const char* option, std::string (*file)(const std::string& value),
                    std::string otherwise) {
  Entry* entry = find(option);
  entry->is_read = true;
  entry->file = file;
  entry->otherwise = std::move(otherwise);
}
void Command::suggest(const char* option, std::vector<std::string> words) {
  find(option)->suggested = std::move(words);
}
void Command::examples(std::initializer_list<const char*> lines) {
  examples_.assign(lines.begin(), lines.end());
}
void Command::runs(std::function<int()> body) { body_ = std::move(body); }

bool Command::given(const char* option) const {
  const Entry* entry = find(option);
  return entry && entry->count > 0;
}

std::vector<std::string> Command::given_options(std::initializer_list<const char*> but) const {
  std::vector<std::string> words;
  for (const auto& entry : entries_) {
    const std::string label = entry->label();
    if (entry->is_input || entry->count == 0) continue;
    if (std::find(but.begin(), but.end(), label) != but.end()) continue;
    if (entry->is_flag) words.push_back(label);
    for (const std::string& value : entry->values) words.push_back(label + "=" + value);
  }
  return words;
}

std::vector<std::string> Command::files_read() const {
  std::vector<std::string> files;
  for (const auto& entry : entries_) {
    if (!entry->is_read) continue;
    for (const std::string& value : entry->values)
      files.push_back(entry->file ? entry->file(value) : value);
    if (entry->values.empty() && !entry->otherwise.empty()) files.push_back(entry->otherwise);
  }
  return files;
}

void Command::read_values() {
  for (const auto& entry : entries_) {
    if (entry->is_required && entry->count == 0)
      fail(ErrorKind::usage, "{} is missing; kiln {} --help shows what it stands for",
           entry->label(), name_);
    if (entry->count == 0) continue;
    for (const std::string& other : entry->excluded) {
      if (given(other.c_str()))
        fail(ErrorKind::usage, "{} and {} exclude each other; leave out one of the two",
             entry->label(), other);
    }
    for (const std::string& other : entry->needed) {
      if (!given(other.c_str()))
        fail(ErrorKind::usage, "{} goes with {}; add it, or leave out {}", entry->label(), other,
             entry->label());
    }
    if (entry->is_flag) {
      entry->set("");
      continue;
    }
    if (std::find(entry->values.begin(), entry->values.end(), "") != entry->values.end())
      fail(ErrorKind::usage, "{}: the value is empty", entry->label());
    if (entry->is_list) {
      const bool expands = entry->is_input && must_expand_patterns();
      for (const std::string& value : expands ? expand_patterns(entry->values) : entry->values)
        entry->set(value);
    } else {
      entry->set(entry->values.back());
    }
  }
}

// ---- help ----

std::vector<std::string> OptionText::all_names() const { return parts_of(names, ','); }
std::vector<std::string> OptionText::choices() const {
  return type.find('|') == std::string::npos ? suggested : parts_of(type, '|');
}

std::vector<OptionText> Command::options() const {
  std::vector<OptionText> texts;
  for (const auto& entry : entries_) texts.push_back(*entry);
  return texts;
}

std::vector<std::string> Command::groups() const {
  std::vector<std::string> groups;
  for (const auto& entry : entries_) {
    if (std::find(groups.begin(), groups.end(), entry->group) == groups.end())
      groups.push_back(entry->group);
  }
  return groups;
}

std::string Command::usage() const {
  std::string text = "kiln " + name_;
  for (const auto& entry : entries_) {
    if (!entry->is_input) continue;
    const std::string name = entry->names + (entry->is_list ? "..." : "");
    text += " " + (entry->is_required ? name : "[" + name + "]");
  }
  return text + " [options]";
}

std::string Command::help(int width) const {
  std::string text = wrapped(description_, width, 0, 0) + "\n\nUsage: " + usage() + "\n";
  for (const std::string& group : groups()) {
    std::vector<HelpRow> rows;
    for (const auto& entry : entries_) {
      if (entry->group != group) continue;
      std::string left = entry->names;
      if (const std::size_t comma = left.find(','); comma != std::string::npos)
        left.insert(comma + 1, " ");
      rows.push_back({left + (entry->type.empty() ? "" : " " + entry->type), entry->help});
    }
    text += "\n" + help_list(group, rows, width);
  }
  return text + (examples_.empty() ? "" : "\n" + help_examples(examples_));
}

std::vector<std::string> Command::option_names() const {
  std::vector<std::string> names = {"--help"};
  for (const auto& entry : entries_) {
    if (!entry->is_input) names.push_back(entry->label());
  }
  return names;
}

}  // namespace kiln::cli
