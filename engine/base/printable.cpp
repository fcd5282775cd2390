#include "engine/base/printable.h"

#include "engine/base/text.h"

namespace kiln {

std::string printable(std::string_view text, std::size_t max_bytes) {
  std::string safe;
  while (!text.empty()) {
    const std::size_t bytes = printable_prefix(text);
    const std::size_t taken = bytes == 0 ? 1 : bytes;
    if (safe.size() + taken > max_bytes) return safe + "...";
    if (bytes == 0) {
      safe += '?';
    } else {
      safe += text.substr(0, bytes);
    }
    text.remove_prefix(taken);
  }
  return safe;
}

}  // namespace kiln
