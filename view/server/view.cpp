// SPDX-License-Identifier: MIT
#include "view/server/view.h"

#include <filesystem>
#include <memory>
#include <stop_token>
#include <thread>

#include "cli/commands/commands.h"
#include "cli/making/stop_request.h"
#include "cli/report/embedded_file.h"
#include "cli/says/console.h"
#include "engine/base/error.h"
#include "engine/base/platform/process.h"
#include "engine/base/platform/user_files.h"
#include "engine/base/text.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/flame/flame_options.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/video_writer.h"
#include "engine/model/flame_attributes.h"
#include "view/server/flame_folder.h"
#include "view/server/kept_token.h"
#include "view/server/live_protocol.h"
#include "view/server/osc_door.h"
#include "view/server/web_server.h"

namespace kiln::cli {
namespace {

std::string type_of(const std::string& name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  return "text/plain; charset=utf-8";
}

/// The formats of pictures and films for the page. A picture without texts has no flame, and is for other programs.
std::string formats_json() {
  JsonArray all;
  const auto about = [](const auto& format, const std::string& says) {
    JsonArray endings;
    for (const std::string_view ending : {format.ending, format.or_ending})
      if (!ending.empty()) endings.add_json(json_string(ending.substr(1)));
    return JsonObject()
        .add_json("endings", endings.text())
        .add("says", says)
        .add("shown", format.media_type != nullptr);
  };
  for (const PictureFormat& format : picture_formats()) {
    if (!format.has_texts) continue;
    JsonObject one = about(format, format.name).add("alpha", format.has_alpha);
    one.add_json("depths", format.most_bits > 8 && !format.linear ? "[8,16]" : "[8]");
    all.add_json(one.text());
  }
  for (const VideoFormat& format : video_formats()) {
    if (format.is_for_pipes()) continue;
    JsonObject one = about(format, fmt::format("{} ({})", format.name, format.says))
                         .add("alpha", format.has_alpha());
    all.add_json(one.add("film", true).add("sound", format.has_sound()).text());
  }
  return all.text();
}

std::optional<WebFile> file_at(const std::string& path, const std::string& palettes) {
  if (path == "/variations.json") return WebFile{"application/json", variations_json()};
  if (path == "/attributes.json") return WebFile{"application/json", flame_attributes_json()};
  if (path == "/formats.json") return WebFile{"application/json", formats_json()};
  if (path == "/palettes.json") return WebFile{"application/json", palettes};
  const std::string name = path == "/" ? "index.html" : path.substr(path.empty() ? 0 : 1);
  for (const EmbeddedFile& file : page_files())
    if (file.name == name) return WebFile{type_of(name), file.text};
  return std::nullopt;
}

/// A page that leads to the address, in the user's own folder or else that of temporary files; null
/// if it cannot be made.
std::unique_ptr<PrivateFile> page_to(const std::string& address) {
  std::error_code none;
  const std::string text = fmt::format(
      "<!doctype html><meta charset=\"utf-8\"><title>kiln</title>"
      "<meta http-equiv=\"refresh\" content=\"0; url={0}\"><a href=\"{0}\">kiln</a>\n",
      address);
  std::unique_ptr<PrivateFile> page;
  for (const std::string& folder :
       {user_folder(UserFolder::session), std::filesystem::temp_directory_path(none).string()}) {
    if (folder.empty()) continue;
    page = std::make_unique<PrivateFile>(folder + "/kiln-view", ".html", text);
    if (!page->path().empty()) return page;
  }
  return nullptr;
}

/// Asks the desktop to show the address; what goes wrong there is not our business. It is given a page
/// that leads there, and has to stay: everybody on the machine may read the words that a program
/// is started with, and the address has the token.
std::unique_ptr<PrivateFile> open_browser(const std::string& address) {
  if (!has_screen()) return nullptr;
  std::unique_ptr<PrivateFile> page = page_to(address);
  if (page) show_file(page->path());
  return page;
}

/// Serves at the port; where another will do, at one of those after it, in their order, so that a
/// program that is started again is where its pages look for it.
std::unique_ptr<LiveProtocol> begin_protocol(const LiveProtocol::Subject& subject,
                                             WebServer::Settings& web, bool any_port_will_do) {
  const int last = any_port_will_do ? web.port + 9 : web.port;
  for (;; web.port = web.port < last ? web.port + 1 : 0) {
    try {
      return std::make_unique<LiveProtocol>(subject, web);
    } catch (const Error& error) {
      if (!any_port_will_do || web.port == 0 || error.kind != ErrorKind::output) throw;
    }
  }
}

std::unique_ptr<OscDoor> osc_door(const ViewSettings& settings, LiveProtocol& protocol) {
  OscDoor::Settings wanted;
  wanted.host = settings.osc_host;
  wanted.port = settings.osc_port;
  wanted.to_host = settings.osc_to_host;
  wanted.to_port = settings.osc_to_port;
  wanted.heard = [&protocol](const std::vector<NamedNumber>& numbers) {
    protocol.hear_numbers(numbers);
  };
  wanted.say = [](const std::string& text) { say("kiln: {}\n", text); };
  auto door = std::make_unique<OscDoor>(std::move(wanted));
  if (settings.osc_host.empty()) return door;
  say("kiln: OSC is heard at {}:{} (UDP)\n", settings.osc_host, door->port());
  return door;
}

/// OSC ends before what it moves.
struct OscEnd {
  std::unique_ptr<OscDoor>& door;
  ~OscEnd() { door.reset(); }
};

}  // namespace

void check_view_is_built() {}

int view(std::vector<Flame> flames, const ReaderOptions& reader, const RenderOptions& options,
         const ViewSettings& settings, const Companion* companion) {
  WebServer::Settings web;
  web.address = settings.address;
  web.port = settings.port;
  web.token = [&web](int port) {  // a port that was found by chance is not found again
    return web.port == 0 ? random_name() + random_name() : kept_token(web.address, port);
  };
  web.allow_remote = settings.allow_remote;
  web.is_secret = [](const std::string& path) { return path.ends_with(".json"); };
  web.file = [palettes = palettes_json(settings.palettes)](const std::string& path) {
    return file_at(path, palettes);
  };
  for (std::size_t i = 0; i < flames.size(); ++i)
    if (i == 0 || flames[i].source != flames[i - 1].source) remember_file(flames[i].source);
  LiveProtocol::Subject subject{std::move(flames),
                                reader,
                                options,
                                settings.render_words,
                                settings.by_chance,
                                companion ? companion->listener : LiveFlame::Listener(),
                                {}};
  std::unique_ptr<OscDoor> osc;  // once what hears of it is there
  if (!settings.osc_to_host.empty())
    subject.shown = [&osc](const LivePicture& picture) {
      if (osc) osc->show(picture);
    };
  const std::unique_ptr<LiveProtocol> protocol =
      begin_protocol(subject, web, settings.any_port_will_do);
  if (!settings.osc_host.empty() || !settings.osc_to_host.empty())
    osc = osc_door(settings, *protocol);
  const OscEnd end_of_osc{osc};
  const bool is_v6 = settings.address.find(':') != std::string::npos;
  const std::string address =
      fmt::format("http://{}:{}/?token={}", is_v6 ? "[" + settings.address + "]" : settings.address,
                  protocol->port(), protocol->token());
  print("{}\n", address);
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    fail(ErrorKind::output, "standard output, where the address is printed, cannot be written");
  const auto page = settings.browser ? open_browser(address) : nullptr;
  if (!companion) {
    StopRequests stop;
    const std::stop_callback on_stop(stop.token(), [&] { protocol->stop(); });
    protocol->run();
    if (const std::string text = protocol->farewell(); !text.empty()) say("\nkiln: {}\n", text);
    return 128 + stop.signal();
  }
  std::thread server([&] { protocol->run(); });
  const auto end = [&] {
    protocol->stop();
    server.join();
  };
  try {
    companion->run(protocol->live(), [&](const LiveFlame::State& state) { protocol->tell(state); });
  } catch (...) {
    end();
    throw;
  }
  end();
  if (const std::string text = protocol->farewell(); !text.empty()) say("kiln: {}\n", text);
  return 0;
}

}  // namespace kiln::cli
