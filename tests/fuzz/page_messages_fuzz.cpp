// Messages of a page of kiln view, one a line, and the live flame that they edit, play and save. The
// server is a stand-in: it has no sockets, and checks that all that it is given to send is JSON.
#include <deque>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/view/view_talk.h"
#include "engine/io/flame_reader.h"
#include "tests/fuzz/fuzz.h"

namespace kiln::cli {

struct WebServer::Inside {
  std::string token;
  Listener listener;
  std::mutex mutex;
  std::deque<std::function<void()>> posted;
};

namespace {
const WebServer::Listener* page;  // how the talk hears of it
}

WebServer::WebServer(Settings, Listener listener) : inside_(std::make_unique<Inside>()) {
  inside_->listener = std::move(listener);
  page = &inside_->listener;
}
WebServer::~WebServer() = default;
int WebServer::port() const { return 0; }
const std::string& WebServer::token() const { return inside_->token; }
void WebServer::stop() {}
void WebServer::post(std::function<void()> work) {
  const std::lock_guard lock(inside_->mutex);
  inside_->posted.push_back(std::move(work));
}
/// What was posted until now.
void WebServer::run() {
  for (;;) {
    std::function<void()> work;
    {
      const std::lock_guard lock(inside_->mutex);
      if (inside_->posted.empty()) return;
      work = std::move(inside_->posted.front());
      inside_->posted.pop_front();
    }
    work();
  }
}
void WebServer::send_text(int, std::string text) {
  fuzz::expect(nlohmann::json::accept(text), "what a page is told is JSON", text);
}
void WebServer::send_binary(int, std::string bytes) {
  fuzz::expect(bytes.size() > 4, "a picture has a head");
}

}  // namespace kiln::cli

using namespace kiln;

namespace {

/// Two small flames; what is saved goes to a folder of its own.
cli::ViewTalk::Subject subject() {
  std::string folder = "/dev/shm/kiln-fuzz-XXXXXX";
  fuzz::expect(mkdtemp(folder.data()) && chdir(folder.c_str()) == 0, "there is a folder");
  const std::string flame =
      "<flame size=\"8 8\" quality=\"1\"><xform weight=\"1\" color=\"0\" linear=\"1\" "
      "coefs=\"0.5 0 0 0.5 0 0\"/></flame>";
  cli::ViewTalk::Subject subject;
  subject.flames = parse_flames("<flames>" + flame + flame + "</flames>", "fuzz", {}).flames;
  subject.options.backend = Backend::cpu;
  subject.options.threads = 1;
  subject.options.max_memory_bytes = 64 << 20;
  return subject;
}

void empty_folder() {
  for (const auto& file : std::filesystem::directory_iterator("."))
    std::filesystem::remove(file.path());
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static cli::ViewTalk& talk = *new cli::ViewTalk(subject(), {});
  static int number = 0;  // of the page: its limits begin anew with each input
  if (++number % 1000 == 0) empty_folder();
  fuzz::Input input(data, size);
  cli::page->opened(number);
  while (!input.empty()) {
    cli::page->text(number, std::string(input.line()));
    talk.run();
  }
  cli::page->closed(number);
  talk.run();
  return 0;
}
