// SPDX-License-Identifier: MIT
#include "engine/io/picture/picture_settings.h"

namespace kiln {

std::span<const PictureSetting> picture_settings() {
  using enum PictureSetting::Decides;
  using enum PictureSetting::Place;
#define KILN_SETTING(field, ...) {.name = #field, .member = &RenderOptions::field, __VA_ARGS__},
#define KILN_CPP_SETTING KILN_SETTING
  static constexpr PictureSetting table[] = {
#include "engine/io/picture/picture_settings.inc"
  };
#undef KILN_CPP_SETTING
#undef KILN_SETTING
  return table;
}

const char* word_of(const PictureSetting& setting, const RenderOptions& options) {
  const char* found = nullptr;
  visit_value(setting, options, [&]<class T>(const T& value) {
    if constexpr (std::is_enum_v<T> || std::is_integral_v<T>)
      for (const PictureSetting::Word& word : setting.words)
        if (word.text && static_cast<T>(word.value) == value) found = word.text;
  });
  return found;
}

bool choose(const PictureSetting& setting, std::string_view text, RenderOptions& options) {
  for (const PictureSetting::Word& word : setting.words) {
    if (!word.text || word.text != text) continue;
    visit_value(setting, options, [&]<class T>(T& value) {
      if constexpr (std::is_enum_v<T> || std::is_integral_v<T>)
        if (word.text != word_of(setting, {})) value = static_cast<T>(word.value);
    });
    return true;
  }
  return false;
}

void copy_setting(const PictureSetting& setting, const RenderOptions& from, RenderOptions& to) {
  std::visit([&](auto member) { to.*member = from.*member; }, setting.member);
}

bool is_usual(const PictureSetting& setting, const RenderOptions& options) {
  const RenderOptions usual;
  const bool is_same =
      std::visit([&](auto member) { return options.*member == usual.*member; }, setting.member);
  return is_same || (setting.has_words() && !word_of(setting, options));
}

}  // namespace kiln
