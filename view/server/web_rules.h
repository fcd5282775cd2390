// SPDX-License-Identifier: MIT
// Whom a server believes: who has the secret, and which page may ask. The page of kiln view and kiln serve have
// the same rules; both read what a request says of itself here.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kiln::cli {

/// Compares in as long a time whatever the guess.
bool same_secret(const std::string& guess, const std::string& secret);

/// Whether a request that names this Host and Origin may be answered by a server at `address`: a foreign name that
/// leads here is somebody else's page, and an Origin has to be the Host.
bool is_trusted(const std::string& host, const std::string& origin, const std::string& address,
                bool allow_remote);

/// The target of a request, taken apart: "/live?token=ab" is "/live" with "token" = "ab".
struct WebTarget {
  std::string path;
  std::vector<std::pair<std::string, std::string>> query;  // in their order, %41 and + decoded

  explicit WebTarget(const std::string& target);
  /// The last value of this name; empty: none.
  std::string value(const std::string& name) const;
};

}  // namespace kiln::cli
