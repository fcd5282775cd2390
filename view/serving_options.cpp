// SPDX-License-Identifier: MIT
#include "view/serving_options.h"

#include <optional>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace kiln::cli {
namespace {

/// "127.0.0.1:8571", "[::1]:0", "8571"; nothing for what is none.
std::optional<ServedAddress> address_in(const std::string& text) {
  ServedAddress address;
  const std::size_t colon = text.rfind(':');
  const std::string port = colon == std::string::npos ? text : text.substr(colon + 1);
  const bool is_number = !port.empty() && port.size() <= 5 &&
                         port.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number || std::stoi(port) > 65535) return std::nullopt;
  address.port = std::stoi(port);
  if (colon == std::string::npos) return address;
  address.host = text.substr(0, colon);
  if (address.host.starts_with("[") && address.host.ends_with("]"))
    address.host = address.host.substr(1, address.host.size() - 2);
  if (address.host == "localhost") address.host = "127.0.0.1";
  return address;
}

}  // namespace

std::string ServedAddress::url_host(int really) const {
  const bool is_v6 = host.find(':') != std::string::npos;
  return fmt::format("{}:{}", is_v6 ? "[" + host + "]" : host, really);
}

ServedAddress served_address(const std::string& text, int usual_port, bool allow_remote) {
  if (text.empty()) return {"127.0.0.1", usual_port};
  const std::optional<ServedAddress> said = address_in(text);
  if (!said)
    fail(ErrorKind::usage, "--serve {}: it is HOST:PORT, for example 127.0.0.1:{}; port 0: any",
         printable_whole(text), usual_port);
  const ServedAddress& address = *said;
  if (!address.is_local() && !allow_remote)
    fail(ErrorKind::usage,
         "--serve {}: other machines could reach this; an SSH tunnel (ssh -L {}:127.0.0.1:{}) "
         "is safer, --allow-remote allows it",
         printable_whole(text), usual_port, usual_port);
  return address;
}

ServedAddress osc_address(const char* option, const std::string& text) {
  const std::optional<ServedAddress> said = address_in(text);
  if (!said || said->host.empty())
    fail(ErrorKind::usage, "{} {}: it is PORT or HOST:PORT, for example 127.0.0.1:9000", option,
         printable_whole(text));
  return *said;
}

std::vector<std::string> machine_words(const RenderOptions& options, const std::string& devices) {
  std::vector<std::string> words;
  const auto add = [&](const char* option, const std::string& value) {
    words.insert(words.end(), {option, value});
  };
  add("--seed", std::to_string(options.seed));
  if (options.backend != Backend::automatic)
    add("--backend", options.backend == Backend::cpu ? "cpu" : "cuda");
  if (options.device > 0) add("--device", std::to_string(options.device));
  if (!devices.empty()) add("--devices", devices);
  if (options.threads > 0) add("--threads", std::to_string(options.threads));
  if (options.max_memory_bytes > 0) add("--max-memory", std::to_string(options.max_memory_bytes));
  return words;
}

}  // namespace kiln::cli
