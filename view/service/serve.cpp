// SPDX-License-Identifier: MIT
// kiln serve: the queue (render_service.h), what is said to programs (service_door.h) and the sockets
// (http_server.h) together, with one renderer for all pictures and the code of `kiln render --jobs` that makes them.
#include "view/service/serve.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <stop_token>

#include "cli/making/render_jobs.h"
#include "cli/making/stop_request.h"
#include "cli/says/console.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/file/input_file.h"
#include "view/server/kept_token.h"
#include "view/service/http_server.h"
#include "view/service/render_service.h"
#include "view/service/service_door.h"

namespace kiln::cli {
namespace {

constexpr std::size_t most_warnings = 20;
constexpr double farewell_s = 10;  // to send what is made

int status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
    case ErrorKind::input:
      return 400;
    case ErrorKind::unsupported:
      return 422;
    default:
      return 500;
  }
}

/// Makes pictures of orders by the code of --jobs, with one renderer.
class Kitchen {
 public:
  Kitchen(const ServeSettings& settings, const RenderOptions& options)
      : settings_(settings), renderer_(std::make_unique<Renderer>(options)) {}

  std::string devices() const { return renderer_->devices(); }

  Served make(const RenderService::Work& work) {
    Served served;
    JobMail mail;
    mail.genomes = work.order.genomes;
    mail.wants_picture = true;
    mail.warned = [&](const std::string& message) {
      if (served.warnings.size() < most_warnings)
        served.warnings.push_back(printable_whole(message));
    };
    mail.on_progress = work.on_progress;
    mail.check = [this](const RenderPlan& plan) { check(plan); };
    mail.stop = work.stop;
    mail.renderer = &renderer_;
    QueueMemory memory;
    memory.mail = &mail;
    std::vector<std::string> words = settings_.words;
    words.insert(words.end(), work.order.words.begin(), work.order.words.end());
    words.insert(words.end(), {"--quiet", "--progress", "none"});
    try {
      const Outcome outcome = render_queued_words(std::move(words), true, memory);
      if (!outcome.failures.empty())
        refuse(served, outcome.failures.front().kind, outcome.failures.front().message);
      else if (mail.picture.empty())
        refuse(served, ErrorKind::input, "genome: there is no flame in it");
      else
        hand_over(outcome, std::move(mail.picture), work.order.type, served);
    } catch (const Error& error) {
      refuse(served, error.kind, error.what());
    }
    return served;
  }

 private:
  static void refuse(Served& served, ErrorKind kind, const std::string& message) {
    // a picture too large for --max-memory is the client's (engine/render/memory_need.cpp); other failures of devices are ours
    if (kind == ErrorKind::device && message.find(" of memory and ") != std::string::npos)
      kind = ErrorKind::unsupported;
    served.status = status_of(kind);
    served.exit_code = int(kind);
    served.message = printable_whole(message);
  }
  static void hand_over(const Outcome& outcome, std::string picture, const std::string& type,
                        Served& served) {
    const auto pictures = nlohmann::json::parse(outcome.pictures.text());
    const nlohmann::json& made = pictures.at(0);
    served.picture = std::move(picture);
    served.type = type;
    served.result = made.dump();
    const auto tell = [&](const char* header, const char* member) {
      if (!made.contains(member)) return;
      const nlohmann::json& value = made[member];
      served.headers.emplace_back(header,
                                  value.is_string() ? value.get<std::string>() : value.dump());
    };
    tell("Kiln-Pixel-Hash", "pixel_hash");
    tell("Kiln-Quality", "quality");
    tell("Kiln-Seed", "seed");
    tell("Kiln-Samples", "samples");
    tell("Kiln-Noise-Percent", "noise_percent");
    tell("Kiln-Ended-By", "ended_by");
    tell("Kiln-Seconds", "seconds");
    tell("Kiln-Device", "device");
  }

  /// Throws Error (unsupported) for more than the service makes.
  void check(const RenderPlan& plan) {
    for (const Job& job : plan.jobs) {
      const auto& crop = job.making.options.crop;
      const double width = crop ? crop->width : job.flame.width,
                   height = crop ? crop->height : job.flame.height;
      if (width * height > settings_.most_pixels)
        fail(ErrorKind::unsupported, "{} x {} pixels; this service makes {} at most", width, height,
             settings_.most_pixels);
      if (job.flame.quality > settings_.most_quality)
        fail(ErrorKind::unsupported, "quality {}; this service makes {} at most",
             shortest(job.flame.quality), shortest(settings_.most_quality));
    }
  }

  const ServeSettings& settings_;
  std::unique_ptr<Renderer> renderer_;
};

std::string limits_json(const ServeSettings& settings) {
  return JsonObject()
      .add("pixels", settings.most_pixels)
      .add("quality", settings.most_quality)
      .add("seconds", settings.most_seconds)
      .add("jobs", settings.most_jobs)
      .add("body_bytes", settings.most_body_bytes)
      .text();
}

/// The tokens of a file, one a line; # begins a comment.
std::vector<std::string> tokens_of(const std::string& file) {
  const std::string text = InputFile(file).read_all(1 << 20);
  std::vector<std::string> tokens;
  int number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line(text.data() + at, end - at);
    at = end + 1;
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#')) continue;
    const bool is_plain = std::all_of(line.begin(), line.end(), [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
             std::string_view("-._~").find(c) != std::string_view::npos;
    });
    if (!is_plain || line.size() < 16 || line.size() > 256)
      fail(ErrorKind::input,
           "{}:{}: a token is 16 to 256 letters, digits and -._~; kiln serve makes one without "
           "--token",
           printable_whole(file), number);
    tokens.emplace_back(line);
  }
  if (tokens.empty())
    fail(ErrorKind::input, "{}: has no token; a token is a line of it", printable_whole(file));
  return tokens;
}

void log_answer(const HttpAsk& ask, int status, double seconds) {
  say("{} {} {} {} {:.1f} ms\n", ask.address.empty() ? "-" : ask.address, printable(ask.method, 10),
      printable(ask.target.path), status, 1000 * seconds);
}

}  // namespace

void check_serve_is_built() {}

int serve(const ServeSettings& settings, const RenderOptions& options) {
  std::vector<std::string> tokens;
  if (!settings.token_file.empty()) tokens = tokens_of(settings.token_file);
  Kitchen kitchen(settings, options);
  std::unique_ptr<ServiceDoor> door;

  HttpServer::Settings web;
  web.address = settings.address.host;
  web.port = settings.address.port;
  web.allow_remote = settings.allow_remote;
  web.behind_proxy = settings.behind_proxy;
  web.most_body_bytes = settings.most_body_bytes;
  web.refuse = [&](const HttpAsk& head) { return door->refuse(head); };
  web.answer = [&](HttpAsk ask, const std::shared_ptr<HttpReply>& reply) {
    door->answer(std::move(ask), reply);
  };
  if (!settings.quiet) web.log = log_answer;
  RenderService* queue = nullptr;
  bool is_stopping = false;
  HttpServer* to_stop = nullptr;
  web.tick = [&] {
    queue->tick();
    door->tick();
    if (!queue->is_ending() || !queue->is_idle() || is_stopping) return;
    is_stopping = true;
    to_stop->stop(farewell_s);
  };
  HttpServer server(web);
  to_stop = &server;
  std::string token;
  if (tokens.empty() && !settings.no_token) {
    // a port that was found by chance is not found again
    token = settings.address.port == 0 ? random_name() + random_name()
                                       : kept_token(settings.address.host, server.port(), "serve");
    tokens = {token};
  }
  server.set_tokens(tokens);

  RenderService::Limits limits;
  limits.seconds = settings.most_seconds;
  limits.waiting = std::size_t(settings.most_jobs);
  RenderService service(
      limits, [&](const RenderService::Work& work) { return kitchen.make(work); },
      [&](const std::string& id) { server.post([&door, id] { door->changed(id); }); });
  queue = &service;
  door = std::make_unique<ServiceDoor>(
      service, ServiceDoor::About{KILN_VERSION, json_string(kitchen.devices()),
                                  limits_json(settings), settings.palettes});

  print("http://{}/{}\n", settings.address.url_host(server.port()),
        token.empty() ? "" : "?token=" + token);
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    fail(ErrorKind::output, "standard output, where the address is printed, cannot be written");
  StopRequests stop;
  const std::stop_callback on_stop(stop.token(), [&] { service.end(); });
  server.run();
  door.reset();  // what it answers goes to the server, which is gone first otherwise
  return exit_done;
}

}  // namespace kiln::cli
