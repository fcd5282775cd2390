// SPDX-License-Identifier: MIT
#include "view/server/web_rules.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace kiln::cli {
namespace {

/// "a.b:80" -> "a.b", "[::1]:80" -> "[::1]"; what is behind the colon is a port or all of it a name.
std::string host_name(const std::string& host) {
  const std::size_t colon = host.rfind(':');
  const bool has_port = colon != std::string::npos && colon + 1 < host.size() &&
                        host.find_first_not_of("0123456789", colon + 1) == std::string::npos;
  return has_port ? host.substr(0, colon) : host;
}

bool is_this_machine(const std::string& host) {
  const std::string name = host_name(host);
  return name == "localhost" || name == "127.0.0.1" || name == "[::1]";
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// "a%3Db+c" -> "a=b c"; a % without two digits stays.
std::string decoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
    if (low >= 0) i += 2;
    plain += low >= 0 ? char(high * 16 + low) : text[i] == '+' ? ' ' : text[i];
  }
  return plain;
}

}  // namespace

bool same_secret(const std::string& guess, const std::string& secret) {
  unsigned difference = guess.size() == secret.size() ? 0 : 1;
  for (std::size_t i = 0; i < secret.size(); ++i)
    difference |= unsigned(guess.empty() ? 1 : guess[i % guess.size()] ^ secret[i]);
  return difference == 0;
}

bool is_trusted(const std::string& host, const std::string& origin, const std::string& address,
                bool allow_remote) {
  const bool is_served = host_name(host) == address;  // 127.0.0.2, say
  if (!allow_remote && !is_served && !is_this_machine(host)) return false;
  return origin.empty() || origin == "http://" + host || origin == "https://" + host;
}

WebTarget::WebTarget(const std::string& target) : path(target.substr(0, target.find('?'))) {
  for (std::size_t at = path.size() + 1; at < target.size();) {
    const std::size_t end = std::min(target.find('&', at), target.size());
    const std::string_view pair = std::string_view(target).substr(at, end - at);
    const std::size_t sign = std::min(pair.find('='), pair.size());
    if (!pair.empty())
      query.emplace_back(decoded(pair.substr(0, sign)),
                         sign < pair.size() ? decoded(pair.substr(sign + 1)) : "");
    at = end + 1;
  }
}

std::string WebTarget::value(const std::string& name) const {
  for (auto one = query.rbegin(); one != query.rend(); ++one)
    if (one->first == name) return one->second;
  return "";
}

}  // namespace kiln::cli
