// SPDX-License-Identifier: MIT
#include "view/service/service_door.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/making/render_jobs.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/flame/palette_library.h"
#include "engine/io/picture/picture_format.h"

namespace kiln::cli {
namespace {

constexpr OrderOption order_options[] = {
    {"flame"},
    {"quality"},
    {"quality-scale"},
    {"size"},
    {"fit"},
    {"fill"},
    {"width"},
    {"height"},
    {"scale"},
    {"supersample"},
    {"pixel-aspect"},
    {"bleed"},
    {"crop"},
    {"center"},
    {"zoom"},
    {"rotate"},
    {"projection"},
    {"brightness"},
    {"gamma"},
    {"vibrancy"},
    {"background"},
    {"palette"},
    {"hue"},
    {"clean"},
    {"steer"},
    {"tile", true},
    {"bloom"},
    {"glare"},
    {"earlyclip", true},
    {"de"},
    {"set"},
    {"seed"},
    {"bits"},
    {"transparent", true},
    {"compat"},
    {"dpi"},
    {"exr"},
    {"primaries"},
    {"jpeg-quality"},
    {"webp-quality"},
    {"avif-quality"},
    {"jxl-quality"},
    {"float", true},
    {"author"},
    {"title"},
    {"copyright"},
    {"source"},
    {"hdr"},
    {"hdr-peak"},
    {"crop-marks", true},
    {"dialect"},
    {"meaning"},
    {"approximate", true},
    {"strict", true},
    {"stages", true},
    {"halves", true},
    {"until-noise"},
    {"until-psnr"},
    {"time-limit"},
    {"strategy"},
    {"rng"},
};

constexpr const char* json_type = "application/json";
constexpr auto news_every = std::chrono::seconds(15);

HttpAnswer json_answer(int status, const std::string& json) {
  return {status, json_type, json + "\n"};
}

HttpAnswer error_answer(int status, const std::string& message, int exit_code = 0) {
  JsonObject error;
  error.add("status", status);
  if (exit_code > 0) error.add("code", exit_code);
  error.add("message", message);
  return json_answer(status, JsonObject().add_json("error", error.text()).text());
}

HttpAnswer with(HttpAnswer answer, const char* header, std::string value) {
  answer.headers.emplace_back(header, std::move(value));
  return answer;
}

/// A path, and what may be done there.
struct Place {
  const char* methods = "";  // "GET, HEAD"; empty: nothing is there
  std::string id, part;      // of /jobs/ID/part
};

Place place_of(const std::string& path) {
  if (path == "/" || path == "/health") return {"GET, HEAD", "", ""};
  if (path == "/render" || path == "/jobs") return {"POST", "", ""};
  const std::string jobs = "/jobs/";
  if (!path.starts_with(jobs)) return {};
  const std::size_t slash = std::min(path.find('/', jobs.size()), path.size());
  const std::string id = path.substr(jobs.size(), slash - jobs.size()), part = path.substr(slash);
  if (part.empty()) return {"GET, HEAD, DELETE", id, part};
  if (part == "/picture") return {"GET, HEAD", id, part};
  if (part == "/events") return {"GET", id, part};
  return {};
}

bool is_among(const std::string& word, const std::string& list) {
  return (", " + list + ",").find(", " + word + ",") != std::string::npos;
}

struct NamedType {
  const char *format, *type;
};
/// Types of formats, beside those that browsers show.
constexpr NamedType types[] = {{"TIFF", "image/tiff"},
                               {"OpenEXR", "image/x-exr"},
                               {"PPM", "image/x-portable-pixmap"},
                               {"JPEG XL", "image/jxl"}};

std::string type_of(const PictureFormat& format) {
  if (format.media_type) return format.media_type;
  for (const NamedType& one : types)
    if (std::string_view(format.name) == one.format) return one.type;
  return "application/octet-stream";
}

/// The format of the first type in an Accept header that there is one for; PNG where any will do.
const PictureFormat* accepted(const std::string& accept) {
  for (std::size_t at = 0; at < accept.size();) {
    const std::size_t comma = std::min(accept.find(',', at), accept.size());
    std::string type = accept.substr(at, std::min(accept.find(';', at), comma) - at);
    std::erase(type, ' ');
    at = comma + 1;
    if (type == "*/*" || type == "image/*") return &picture_formats().front();
    for (const PictureFormat& format : picture_formats())
      if (format.supported() && type_of(format) == type) return &format;
    if (type == json_type) return &picture_formats().front();  // errors are
  }
  return accept.empty() ? &picture_formats().front() : nullptr;
}

const PictureFormat& format_of(const std::string& name) {
  const PictureFormat* const format = format_with_ending("." + name);
  if (name.empty() || !format || !format->supported()) {
    std::vector<std::string> known;
    for (const PictureFormat& one : picture_formats())
      if (one.supported()) known.emplace_back(one.ending.substr(1));
    fail(ErrorKind::usage, "format {}: there are {}", printable(name), joined(known, ", "));
  }
  return *format;
}

std::string job_json(const RenderService::JobNow& job) {
  JsonObject json;
  json.add("id", job.id).add("state", RenderService::name_of(job.state));
  if (job.state == RenderService::State::waiting) json.add("before", int(job.before));
  if (job.state == RenderService::State::rendering)
    json.add("done", std::clamp(job.progress.done, 0.0, 0.999))
        .add("stage", job.progress.stage)
        .add("elapsed_s", job.progress.elapsed_s)
        .add("remaining_s", job.progress.remaining_s);
  if (!job.served) return json.text();
  const Served& served = *job.served;
  JsonArray warnings;
  for (const std::string& warning : served.warnings) warnings.add_json(json_string(warning));
  if (served.is_picture()) {
    json.add("type", served.type)
        .add("bytes", std::uint64_t(served.picture.size()))
        .add("picture", "/jobs/" + job.id + "/picture")
        .add_json("result", served.result);
  } else {
    json.add_json("error", JsonObject()
                               .add("status", served.status)
                               .add("code", served.exit_code)
                               .add("message", served.message)
                               .text());
  }
  if (!served.warnings.empty()) json.add_json("warnings", warnings.text());
  return json.text();
}

/// A header's value is one line of ASCII.
std::string in_header(const std::string& text) {
  std::string line = text.substr(0, 400);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return line;
}

constexpr const char* welcome =
    "kiln serve: POST a flame, get its picture.\n\n"
    "POST /render?width=640&quality=50   the flame (XML) or a job (JSON) as the body; the picture "
    "is the answer\n"
    "POST /jobs?width=640                the same, answered at once by 202 and /jobs/ID\n"
    "GET /jobs/ID                        its state, as JSON\n"
    "GET /jobs/ID/events                 its state whenever it changes, as server-sent events\n"
    "GET /jobs/ID/picture                the picture\n"
    "DELETE /jobs/ID                     ends or forgets it\n"
    "GET /health                         version, devices, queue, limits\n";

}  // namespace

const OrderOption* order_option(std::string_view name) {
  const auto found = std::find_if(std::begin(order_options), std::end(order_options),
                                  [&](const OrderOption& one) { return one.name == name; });
  return found == std::end(order_options) ? nullptr : found;
}

HttpAnswer answer_of(const Served& served) {
  HttpAnswer answer;
  if (served.is_picture()) {
    answer = {200, served.type, served.picture, served.headers};
  } else {
    answer = error_answer(served.status, served.message, served.exit_code);
    if (served.retry_s > 0) answer = with(answer, "Retry-After", std::to_string(served.retry_s));
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(served.warnings.size(), 4); ++i)
    answer.headers.emplace_back("Kiln-Warning", in_header(served.warnings[i]));
  return answer;
}

ServiceDoor::ServiceDoor(RenderService& service, About about)
    : service_(service), about_(std::move(about)) {}
ServiceDoor::~ServiceDoor() = default;

std::optional<HttpAnswer> ServiceDoor::refuse(const HttpAsk& head) const {
  const Place place = place_of(head.target.path);
  if (head.token < 0 && head.target.path != "/health")
    return with(error_answer(401, "the token is missing or wrong: Authorization: Bearer TOKEN"),
                "WWW-Authenticate", "Bearer realm=\"kiln\"");
  if (!*place.methods) return error_answer(404, "nothing is there; / says what is");
  if (!is_among(head.method, place.methods))
    return with(
        error_answer(405, fmt::format("{} does {}", printable(head.target.path), place.methods)),
        "Allow", place.methods);
  if (head.method != "POST") {
    if (head.has_body) return error_answer(400, "a body means nothing here");
    return {};
  }
  if (service_.is_ending())
    return with(error_answer(503, "the service is ending"), "Retry-After", "10");
  if (!head.has_length)
    return error_answer(411, "the body is the flame; say how long it is (Content-Length)");
  if (!head.has_body) return error_answer(400, "the body is empty; it is the flame");
  return {};
}

void ServiceDoor::answer(HttpAsk ask, const std::shared_ptr<HttpReply>& reply) {
  const std::string& path = ask.target.path;
  if (path == "/") return reply->send({200, "text/plain; charset=utf-8", welcome});
  if (path == "/health") return reply->send(health(ask));
  if (path == "/render" || path == "/jobs") return take(ask, reply);
  const Place place = place_of(path);
  const auto job = service_.look(place.id);
  if (!job || job->owner != ask.token)
    return reply->send(
        error_answer(404, "there is no such job; finished ones are kept for a while"));
  if (place.part == "/events") return listen(*job, reply);
  reply->send(job_answer(ask, *job, place.part));
}

void ServiceDoor::take(const HttpAsk& ask, const std::shared_ptr<HttpReply>& reply) {
  Order order;
  try {
    order = order_of(ask);
  } catch (const Error& error) {
    return reply->send(error_answer(400, printable_whole(error.what()), int(error.kind)));
  }
  if (order.type.empty())
    return reply->send(
        error_answer(406, "no format of pictures is acceptable; format=png names one"));
  order.is_kept =
      ask.target.path == "/jobs" || ask.prefer.find("respond-async") != std::string::npos;
  const bool is_kept = order.is_kept;
  const auto finished = [reply](const std::shared_ptr<const Served>& served) {
    reply->send(answer_of(*served));
  };
  const auto [id, refusal] =
      is_kept ? service_.add(std::move(order)) : service_.add(std::move(order), finished);
  if (refusal) return reply->send(answer_of(*refusal));
  if (is_kept) {
    const auto job = service_.look(id);
    return reply->send(
        with(json_answer(202, job ? job_json(*job) : "{}"), "Location", "/jobs/" + id));
  }
  reply->when_gone([this, id = id] { service_.cancel(id); });
}

Order ServiceDoor::order_of(const HttpAsk& ask) const {
  Order order;
  order.owner = ask.token;
  order.client = fmt::format("{} {}", ask.token, ask.address);
  const std::size_t begin = ask.body.find_first_not_of(" \t\r\n");
  const bool is_job = begin != std::string::npos && ask.body[begin] == '{';
  std::vector<std::string> words;
  if (is_job) {
    std::string id;
    JobMail mail;
    words = words_of_job(ask.body, id, mail);
    order.genomes = std::move(mail.genomes);
  } else if (begin != std::string::npos &&
             (ask.body[begin] == '<' || ask.body.compare(begin, 3, "\xEF\xBB\xBF") == 0)) {
    order.genomes.push_back(ask.body);
  } else {
    fail(ErrorKind::input, "the body is no flame as XML, and no job as JSON");
  }
  for (const auto& [name, value] : ask.target.query) {
    if (name == "token") continue;
    const OrderOption* const option = order_option(name);
    if (!option || !option->is_flag)
      words.push_back("--" + name + "=" + value);
    else if (value.empty() || value == "true" || value == "1")
      words.push_back("--" + name);
    else if (value != "false" && value != "0")
      fail(ErrorKind::usage, "{}={}: it is true or false", name, printable(value));
  }
  const PictureFormat* format = accepted(ask.accept);
  for (const std::string& word : words) {
    if (!word.starts_with("--"))
      fail(ErrorKind::usage, "\"in\": a request reads no files; \"genome\" is the flame");
    const std::size_t sign = std::min(word.find('='), word.size());
    const std::string name = word.substr(2, sign - 2);
    const std::string value = sign < word.size() ? word.substr(sign + 1) : "";
    if (value.find('\0') != std::string::npos)
      fail(ErrorKind::usage, "{}: a NUL character", printable(name));
    if (name == "format") {
      format = &format_of(value);
      continue;
    }
    if (name == "output" && value.ends_with("-")) {  // as a job has it
      if (value != "-") format = &format_of(value.substr(0, value.find(':')));
      continue;
    }
    if (!order_option(name)) {
      std::vector<std::string> known = {"format"};
      for (const OrderOption& one : order_options) known.emplace_back(one.name);
      fail(ErrorKind::usage, "{}: a request may not say that{}", printable(name),
           did_you_mean(name, known));
    }
    order.words.push_back(name == "palette" ? with_palette(word) : word);
  }
  if (order.genomes.empty()) fail(ErrorKind::usage, "\"genome\" is missing: the flame to render");
  if (!format) return order;
  order.type = type_of(*format);
  order.words.push_back("--output=" + std::string(format->ending.substr(1)) + ":-");
  return order;
}

/// A palette by its number: a name that is no palette's would be taken for that of a file.
std::string ServiceDoor::with_palette(const std::string& word) const {
  const std::string wanted = word.substr(std::min(word.find('='), word.size() - 1) + 1);
  if (!wanted.empty() && wanted.find_first_not_of("0123456789") == std::string::npos) return word;
  if (const std::string file = find_palette_library(about_.palettes); !file.empty()) {
    std::error_code none;
    const auto time = std::filesystem::last_write_time(file, none);
    if (!library_ || time != library_time_)
      library_ = std::make_unique<PaletteLibrary>(PaletteLibrary::load(file));
    library_time_ = time;
  }
  const std::optional<int> number = library_ ? library_->number_of(wanted) : std::nullopt;
  if (!number)
    fail(ErrorKind::usage,
         "palette {}: is no number and no name in the palette library; a request reads no files",
         printable(wanted));
  return fmt::format("--palette={}", *number);
}

HttpAnswer ServiceDoor::job_answer(const HttpAsk& ask, const RenderService::JobNow& job,
                                   const std::string& part) const {
  if (ask.method == "DELETE") {
    service_.cancel(job.id);
    return {204, "text/plain", ""};
  }
  if (part.empty()) return json_answer(200, job_json(job));
  if (!job.is_over())
    return with(error_answer(409, fmt::format("the job is {}", RenderService::name_of(job.state))),
                "Retry-After", "1");
  return answer_of(*job.served);
}

/// Says what the job is now; whether there will be more.
bool ServiceDoor::say(const RenderService::JobNow& job, HttpReply& reply) const {
  const bool is_progress = job.state == RenderService::State::rendering;
  reply.add(
      fmt::format("event: {}\ndata: {}\n\n",
                  is_progress ? "progress" : RenderService::name_of(job.state), job_json(job)),
      is_progress);
  if (job.is_over()) reply.finish();
  return !job.is_over();
}

void ServiceDoor::listen(const RenderService::JobNow& job,
                         const std::shared_ptr<HttpReply>& reply) {
  if (listeners_.size() >= most_listeners)
    return reply->send(with(error_answer(503, "too many listen already"), "Retry-After", "5"));
  reply->begin({200, "text/event-stream", "", {{"X-Accel-Buffering", "no"}}});
  if (!say(job, *reply)) return;
  const int number = ++last_listener_;
  listeners_[number] = {job.id, reply};
  reply->when_gone([this, number] { listeners_.erase(number); });
}

void ServiceDoor::changed(const std::string& id) {
  const auto job = service_.look(id);
  std::erase_if(listeners_, [&](const auto& one) {
    if (one.second.id != id) return false;
    if (job) return !say(*job, *one.second.reply);
    one.second.reply->finish();
    return true;
  });
}

void ServiceDoor::tick() {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_said_ < news_every) return;
  last_said_ = now;
  for (const auto& [number, listener] : listeners_) listener.reply->add(": nothing new\n\n", true);
}

HttpAnswer ServiceDoor::health(const HttpAsk& ask) const {
  const bool is_ending = service_.is_ending();
  JsonObject json;
  json.add("state", is_ending ? "ending" : "ready");
  if (ask.token >= 0) {
    const RenderService::Counts counts = service_.counts();
    json.add("version", about_.version)
        .add_json("devices", about_.devices)
        .add("waiting", int(counts.waiting))
        .add("rendering", int(counts.rendering))
        .add("kept", int(counts.kept))
        .add("done", counts.done)
        .add("failed", counts.failed)
        .add("seconds_each", counts.seconds_each)
        .add_json("limits", about_.limits);
  }
  return json_answer(is_ending ? 503 : 200, json.text());
}

}  // namespace kiln::cli
