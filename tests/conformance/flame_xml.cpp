// SPDX-License-Identifier: MIT
/// Small edits of flame XML as text: flames come from flam3-genome or from this folder, so
/// attributes are written name="value" with one blank before them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "tests/conformance/flames.h"

namespace conformance {
namespace {

struct Range {
  size_t begin, end;
};

// The opening tag of the first `element`, without its brackets.
Range tag_of(const std::string& xml, const std::string& element) {
  size_t at = xml.find("<" + element);
  while (at != std::string::npos && xml.find_first_of(" \n/>", at) != at + 1 + element.size()) {
    at = xml.find("<" + element, at + 1);
  }
  if (at == std::string::npos) throw std::runtime_error("no <" + element + "> in the flame");
  size_t end = xml.find('>', at);
  if (xml[end - 1] == '/') --end;
  return {at + 1, end};
}

// The value of an attribute inside a tag; begin == npos if it is absent.
Range value_of(const std::string& xml, Range tag, const std::string& name) {
  const size_t at = xml.find(" " + name + "=\"", tag.begin);
  if (at == std::string::npos || at > tag.end) return {std::string::npos, 0};
  const size_t begin = at + name.size() + 3;
  return {begin, xml.find('"', begin)};
}

}  // namespace

std::string with_attribute(const std::string& xml, const std::string& element,
                           const std::string& name, const std::string& value) {
  const Range tag = tag_of(xml, element);
  const Range old = value_of(xml, tag, name);
  std::string edited = xml;
  if (old.begin == std::string::npos) {
    return edited.insert(tag.end, fmt::format(" {}=\"{}\"", name, value));
  }
  return edited.replace(old.begin, old.end - old.begin, value);
}

std::string attribute(const std::string& xml, const std::string& element, const std::string& name) {
  const Range value = value_of(xml, tag_of(xml, element), name);
  return value.begin == std::string::npos ? "" : xml.substr(value.begin, value.end - value.begin);
}

std::string with_coefficient_scaled(const std::string& xml, double factor) {
  const std::string text = attribute(xml, "xform", "coefs");
  double coefs[6] = {};
  const char* at = text.c_str();
  for (double& value : coefs) {
    char* rest = nullptr;
    value = std::strtod(at, &rest);
    at = rest;
  }
  double& largest = *std::max_element(coefs, coefs + 4, [](double left, double right) {
    return std::fabs(left) < std::fabs(right);
  });
  largest *= factor;
  return with_attribute(xml, "xform", "coefs",
                        fmt::format("{:.9g}", fmt::join(coefs, coefs + 6, " ")));
}

}  // namespace conformance
