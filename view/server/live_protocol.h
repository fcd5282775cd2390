// What pages and a live flame say to each other (docs/live-inside.md, "Protocol"). All of it happens
// on the server's thread; pictures come to it ready from the encoder's.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/clock.h"
#include "engine/live/live_flame.h"
#include "view/server/frame_encoder.h"
#include "view/server/web_server.h"

namespace kiln::cli {

class LiveProtocol {
 public:
  /// The flames that pages edit; where files are saved is the folder that the program was started in.
  struct Subject {
    std::vector<Flame> flames;
    ReaderOptions reader;
    RenderOptions options;
    LiveFlame::Listener companion;  // of a window; may be empty
  };
  LiveProtocol(Subject subject, WebServer::Settings settings);
  ~LiveProtocol();

  int port() const { return server_.port(); }
  const std::string& token() const { return server_.token(); }
  /// Until the program ends, or stop().
  void run() { server_.run(); }
  // From any thread, for a window beside the pages.
  void stop() { server_.stop(); }
  LiveFlame& live() { return *live_; }
  /// The flame was changed elsewhere.
  void tell(const LiveFlame::State& state) {
    server_.post([this, state] { tell_flame(state, 0, true); });
  }

 private:
  struct Client;
  struct Message;
  /// A file that somebody wants.
  struct Save {
    int client = 0;
    std::string name;
    bool replace = false;
    std::uint64_t revision = 0;  // of the flame
  };
  using Handler = void (LiveProtocol::*)(const Message&);
  static const std::map<std::string, Handler>& handlers();

  // the server's
  void open(int number);
  void hear(int number, const std::string& text);
  // messages of pages
  void on_edit(const Message& message);
  void on_view(const Message& message);
  void on_shown(const Message& message);
  void on_select(const Message& message);
  void on_undo(const Message& message);
  void on_redo(const Message& message);
  void on_random(const Message& message);
  void on_mutate(const Message& message);
  void on_play(const Message& message);
  void on_stop(const Message& message);
  void on_save(const Message& message);
  void on_ping(const Message& message);

  void tell_flame_to(int number, const Client& client, const LiveFlame::State& state, bool own);
  std::string playing_text() const;
  void tell_flame(const LiveFlame::State& state, int author, bool is_edit);
  void tell_playing(bool playing);
  void tell_all(const std::string& text);
  void tell(int client, const char* kind, const std::string& text, std::uint64_t number = 0);
  void tell_error(std::uint64_t revision, const std::string& text);
  void show(std::shared_ptr<const EncodedPicture> picture);
  void send_picture(int number, Client& client);
  void send_thumbnail(const EncodedThumbnail& thumbnail);
  void save_flame(const Save& save);
  void save_picture(const Save& save, std::shared_ptr<const EncodedPicture> picture);
  void try_save(const Save& save, const std::function<std::string()>& write);

  const RenderOptions options_;
  const std::string folder_;
  const std::string run_;  // no other run of the program has this name
  std::map<int, std::unique_ptr<Client>> clients_;
  std::shared_ptr<const EncodedPicture> picture_;  // the newest
  bool playing_ = false;
  std::vector<Save> saves_;  // that wait for their picture
  WebServer server_;
  std::unique_ptr<FrameEncoder> encoder_;  // goes after what fills it
  std::unique_ptr<LiveFlame> live_;
};

}  // namespace kiln::cli
