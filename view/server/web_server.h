// SPDX-License-Identifier: MIT
// A small web server for one page and its WebSockets: files by name, messages both ways. It serves
// one thread, the one of run(), on which all listeners are called; what is slow belongs elsewhere.
//
// Nobody is believed: every socket needs the token, the Host has to be this machine unless remote
// pages are allowed (a foreign name that leads here is somebody else's page), and an Origin has to
// be the Host. Sizes of requests and messages, the number of clients and what waits for a client
// that does not read are bounded; whoever breaks a rule is answered or closed, and nobody else
// notices. web_rules.h and web_listener.h have what kiln serve shares. web_server.cpp includes Boost.Beast, which takes half a
// minute to compile.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kiln::cli {

struct WebFile {
  std::string type;  // "text/css"
  std::string body;
};

class WebServer {
 public:
  static constexpr int most_clients = 16;
  static constexpr std::size_t most_message_bytes = 2 << 20;
  static constexpr std::size_t most_waiting_bytes = 256 << 20;  // of one client

  struct Settings {
    std::string address = "127.0.0.1";
    int port = 0;  // 0: any
    /// The token that addresses at this port must have; asked for once.
    std::function<std::string(int port)> token;
    bool allow_remote = false;
    /// Whether what is at a path is for those alone who have the token. Nobody else makes it be read.
    std::function<bool(const std::string&)> is_secret;
    /// The file at a path ("/style.css"), nothing if there is none.
    std::function<std::optional<WebFile>(const std::string&)> file;
  };
  /// Callbacks for the sockets at /live.
  struct Listener {
    std::function<void(int client)> opened, closed;
    std::function<void(int client, const std::string& text)> text;
  };

  /// Listens from now on. Throws Error (output) where the address is not to be had.
  WebServer(Settings settings, Listener listener);
  ~WebServer();
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;

  int port() const;
  const std::string& token() const;
  /// Serves until stop().
  void run();
  // From any thread.
  void stop();
  /// `work` is done by the thread of run().
  void post(std::function<void()> work);

  // From the thread of run(). A client that is gone is none to send to.
  void send_text(int client, std::string text);
  void send_binary(int client, std::string bytes);
  void send_part(int client, std::string bytes);
  /// Drops the parts that were not begun, and sends this text in place of them; false where there were none.
  bool drop_parts(int client, const std::string& instead);

 private:
  struct Inside;
  class Request;
  class Client;
  const std::unique_ptr<Inside> inside_;
};

}  // namespace kiln::cli
