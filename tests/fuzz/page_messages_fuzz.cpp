// SPDX-License-Identifier: MIT
// Messages of a page of kiln view, one a line, and the live flame that they edit, play and save.
// Lines "picture", "settled" and "thumbnail" are pictures that come in between. The server, the
// encoder and the thread that renders are stand-ins, so are the programs of renders and the folder of
// kept edits: nothing is rendered, there are no sockets, and all that is to be sent is checked.
#include <deque>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/base/platform/process.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/live/live_flame.h"
#include "tests/fuzz/fuzz.h"
#include "view/server/live_protocol.h"

namespace kiln {

/// To the end, without a device.
void LiveFlame::work(const RenderOptions&, DevicePicture*, std::promise<std::string>& device) {
  device.set_value("none");
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [&] { return ending_; });
}

namespace cli {

struct WebServer::Inside {
  std::string token;
  Listener listener;
  std::mutex mutex;
  std::deque<std::function<void()>> posted;
};

namespace {
// how the protocol hears of them
const WebServer::Listener* page;
const FrameEncoder::Listener* pictures;
}  // namespace

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
  std::size_t size = 0;
  for (std::size_t i = 0; i < 4; ++i) size |= std::size_t(std::uint8_t(bytes[i])) << 8 * i;
  fuzz::expect(bytes.size() > 4 + size, "a picture has its head and bytes");
  const std::string head = bytes.substr(4, size);
  fuzz::expect(nlohmann::json::accept(head), "a picture's head is JSON", head);
}

FrameEncoder::FrameEncoder(Listener listener) : listener_(std::move(listener)) {
  pictures = &listener_;
}
FrameEncoder::~FrameEncoder() = default;
std::string with_head(JsonObject head, const std::vector<JpegStripe>& stripes) {
  const std::string text = head.text();
  std::string message;
  for (int shift = 0; shift < 32; shift += 8) message += char(text.size() >> shift & 0xff);
  message += text;
  for (const JpegStripe& stripe : stripes) message += stripe.bytes;
  return message;
}
void FrameEncoder::add(LivePicture) {}
void FrameEncoder::add(LiveThumbnail) {}
void FrameEncoder::add(std::function<void()> work) { work(); }

RenderDesk::RenderDesk(std::vector<std::string>, std::function<void()>) {}
RenderDesk::~RenderDesk() = default;
int RenderDesk::add(const std::string& name, std::string, std::vector<std::string> words, Command,
                    std::shared_ptr<const PrivateFile>, std::string) {
  const bool is_aside = name.find("/kiln-view-seen-") != name.npos;
  fuzz::expect(is_aside || (name.find('/') == name.npos && !name.starts_with("-")),
               "a file of this folder", name);
  for (const std::string& word : words)
    fuzz::expect(!word.empty() && word.size() < 300, "a word of a render", word);
  static int id = 0;
  return ++id;
}
bool RenderDesk::has_filled(const std::string&, const std::string&,
                            const std::vector<std::string>&) const {
  return false;
}
std::string RenderDesk::failure(int) const { return ""; }
void RenderDesk::need_room(std::size_t) const {}
void RenderDesk::cancel(int) {}
void RenderDesk::again(int) {}
void RenderDesk::clear() {}
std::string RenderDesk::text() const { return "{}"; }
std::string RenderDesk::made(int) const { return ""; }

KeptEdits::KeptEdits(const std::string&, std::function<void(const std::string&)>) {}
std::string KeptEdits::Lost::key() const { return path; }
std::string KeptEdits::folder_of_thrown() { return ""; }
void KeptEdits::throw_away(std::vector<Lost>) {}
std::string KeptEdits::trouble() const { return ""; }
KeptEdits::~KeptEdits() = default;
std::vector<KeptEdits::Lost> KeptEdits::find_lost(const ReaderOptions&) { return {}; }
void KeptEdits::forget(std::vector<Lost>) {}
void KeptEdits::keep(int, std::string document, std::string) {
  fuzz::expect(document.empty() || document.starts_with("<flame"), "what is kept is a flame",
               document);
}
std::string KeptEdits::finish() { return ""; }

}  // namespace cli
}  // namespace kiln

using namespace kiln;

namespace {

/// Two small flames.
cli::LiveProtocol::Subject subject() {
  const std::string flame =
      "<flame size=\"8 8\" quality=\"1\"><xform weight=\"1\" color=\"0\" linear=\"1\" "
      "coefs=\"0.5 0 0 0.5 0 0\"/><color index=\"0\" rgb=\"255 128 0\"/></flame>";
  cli::LiveProtocol::Subject subject;
  subject.flames = parse_flames("<flames>" + flame + flame + "</flames>", "fuzz", {}).flames;
  subject.options.backend = Backend::cpu;
  subject.options.threads = 1;
  return subject;
}

/// What is saved goes to a folder of its own.
void enter_folder() {
  static std::string folder = "/dev/shm/kiln-fuzz-XXXXXX";
  static const bool is_there = mkdtemp(folder.data()) && chdir(folder.c_str()) == 0 &&
                               std::atexit([] { std::filesystem::remove_all(folder); }) == 0;
  fuzz::expect(is_there && setenv("XDG_STATE_HOME", folder.c_str(), 1) == 0, "there is a folder");
  for (const auto& file : std::filesystem::directory_iterator("."))
    std::filesystem::remove_all(file.path());
}

/// A picture of the flame as it is comes from the encoder.
void add_picture(cli::LiveProtocol& protocol, bool settled) {
  auto encoded = std::make_shared<cli::EncodedPicture>();
  LivePicture& picture = encoded->picture;
  const LiveFlame::State state = protocol.live().state();
  picture.flame = std::make_shared<Flame>(protocol.live().flame());
  picture.revision = state.revision;
  picture.index = state.index;
  picture.image.width = picture.image.height = 2;
  picture.image.pixels = Bytes(16);
  picture.quality = 1;
  picture.settled = settled;
  encoded->format = settled ? "png" : "jpeg";
  encoded->hash = settled ? "0123456789abcdef" : "";
  encoded->stripes = {{0, 2, "bytes"}};
  cli::pictures->picture(std::move(encoded));
}

void add_thumbnail(cli::LiveProtocol& protocol) {
  cli::EncodedThumbnail encoded;
  encoded.thumbnail.who = 1;
  encoded.thumbnail.xml = protocol.live().state().xml;
  encoded.width = encoded.height = 16;
  encoded.stripes = {{0, 16, "bytes"}};
  cli::pictures->thumbnail(std::move(encoded));
}

}  // namespace

// 256 inputs share a protocol, whose thread takes longer to start than they do, and 16 a page, which may
// say 600 things at once: a finding may need inputs before it.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const cli::LiveProtocol::Subject flames = subject();
  static std::unique_ptr<cli::LiveProtocol> protocol;
  static int inputs = 0;
  if (inputs % 256 == 0) {
    enter_folder();
    protocol = std::make_unique<cli::LiveProtocol>(flames, cli::WebServer::Settings());
  }
  if (inputs % 16 == 0) cli::page->opened(1);
  for (fuzz::Input input(data, size); !input.empty();) {
    const std::string line(input.line());
    if (line == "picture" || line == "settled")
      add_picture(*protocol, line == "settled");
    else if (line == "thumbnail")
      add_thumbnail(*protocol);
    else
      cli::page->text(1, line);
    protocol->run();
  }
  if (++inputs % 16 == 0) cli::page->closed(1);
  return 0;
}
