// SPDX-License-Identifier: MIT
// What programs say to kiln serve and are told: the paths, what an order may ask for, errors as JSON, progress as
// server-sent events (docs/use/serve.md). An order is a job of `kiln render --jobs` with "genome", and may say of the
// picture what such a job may, but nothing of files, devices and memory: no request reads or writes a file.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "view/service/http_server.h"
#include "view/service/render_service.h"

namespace kiln {
class PaletteLibrary;
}

namespace kiln::cli {

/// An option of kiln render that an order may have.
struct OrderOption {
  std::string_view name;  // "width"
  bool is_flag = false;
};
/// All of them; null: an order may not have it.
const OrderOption* order_option(std::string_view name);

class ServiceDoor {
 public:
  static constexpr std::size_t most_listeners = 128;  // to events

  struct About {
    std::string version, devices, limits;  // devices and limits as JSON
    std::string palettes;                  // library for palettes by name
  };
  ServiceDoor(RenderService& service, About about);
  ~ServiceDoor();

  /// Refuses a request before its body is read.
  std::optional<HttpAnswer> refuse(const HttpAsk& head) const;
  void answer(HttpAsk ask, const std::shared_ptr<HttpReply>& reply);
  /// Tells those who listen to the job.
  void changed(const std::string& id);
  /// Lets those who wait for news know that there are none.
  void tick();

  /// The order that a request is. Throws Error (usage, input).
  Order order_of(const HttpAsk& ask) const;

 private:
  struct Listener {
    std::string id;
    std::shared_ptr<HttpReply> reply;
  };
  void take(const HttpAsk& ask, const std::shared_ptr<HttpReply>& reply);
  HttpAnswer job_answer(const HttpAsk& ask, const RenderService::JobNow& job,
                        const std::string& part) const;
  void listen(const RenderService::JobNow& job, const std::shared_ptr<HttpReply>& reply);
  bool say(const RenderService::JobNow& job, HttpReply& reply) const;
  HttpAnswer health(const HttpAsk& ask) const;
  std::string with_palette(const std::string& word) const;

  RenderService& service_;
  const About about_;
  mutable std::unique_ptr<const PaletteLibrary> library_;  // once a request names a palette
  mutable std::filesystem::file_time_type library_time_;   // of its file
  std::map<int, Listener> listeners_;
  int last_listener_ = 0;
  std::chrono::steady_clock::time_point last_said_ = std::chrono::steady_clock::now();
};

/// The answer to a request, of what was served.
HttpAnswer answer_of(const Served& served);

}  // namespace kiln::cli
