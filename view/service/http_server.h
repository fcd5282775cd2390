// SPDX-License-Identifier: MIT
// HTTP/1.1 for programs: requests with bodies, answers that may come much later or piece by piece. One thread, that of
// run(), serves all connections, so none of them can hinder another by being slow. Nobody is believed: a body is read
// only of who has a token and is let in; heads, bodies, connections, and what waits for a client that does not
// read are bounded in size and time. The rules are those of the page's server (view/server/web_rules.h, web_listener.h).
// Several requests may be sent at once over one connection; they are answered in their order. Whoever goes away while
// an answer is made is noticed, unless more requests wait behind it. http_server.cpp alone includes Boost.Beast.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "view/server/web_rules.h"

namespace kiln::cli {

/// A request, without its body until that is read.
struct HttpAsk {
  std::string method;  // "POST"
  WebTarget target{"/"};
  std::string body;
  std::string content_type, accept, prefer;
  std::string address;  // of who asks
  int token = -1;       // the number of the token that was shown; -1: none, or a wrong one
  bool has_length = false, has_body = false;
};

struct HttpAnswer {
  int status = 200;
  std::string type = "text/plain; charset=utf-8", body;
  std::vector<std::pair<std::string, std::string>> headers = {};
};

/// The way back to who asked. All functions may be called from any thread, and do nothing when the client is
/// gone. One that is destroyed without an answer says that something went wrong.
class HttpReply {
 public:
  virtual ~HttpReply() = default;
  virtual void send(HttpAnswer answer) = 0;
  /// Begins an answer that goes on; then its pieces, until finish(). Where the client does not read, a piece that
  /// `may_wait` is left out when another one comes.
  virtual void begin(HttpAnswer head) = 0;
  virtual void add(std::string piece, bool may_wait) = 0;
  virtual void finish() = 0;
  /// Called, by the thread of run(), if the client goes before it is answered.
  virtual void when_gone(std::function<void()> gone) = 0;
};

class HttpServer {
 public:
  static constexpr std::size_t most_connections = 512;
  static constexpr std::size_t most_head_bytes = 16 << 10;
  static constexpr std::size_t most_waiting_bytes = 1 << 20;  // of pieces for a client

  struct Settings {
    std::string address = "127.0.0.1";
    int port = 0;  // 0: any
    bool allow_remote = false;
    bool behind_proxy = false;        // who asks is in X-Forwarded-For
    std::vector<std::string> tokens;  // none: everybody is let in
    std::size_t most_body_bytes = 1 << 20;
    /// The refusal of a request whose body is not read yet; nothing: it is read.
    std::function<std::optional<HttpAnswer>(const HttpAsk&)> refuse;
    std::function<void(HttpAsk, std::shared_ptr<HttpReply>)> answer;
    /// Called a few times a second.
    std::function<void()> tick;
    /// Hears of each answer.
    std::function<void(const HttpAsk&, int status, double seconds)> log;
  };

  /// Listens from now on. Throws Error (output) where the address is not to be had.
  explicit HttpServer(Settings settings);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const;
  /// The settings' tokens may depend on the port.
  void set_tokens(std::vector<std::string> tokens);
  /// Serves until stop().
  void run();
  // From any thread.
  void post(std::function<void()> work);
  /// Ends when what is being answered is sent, but within `seconds`.
  void stop(double seconds);

 private:
  struct Inside;
  class Connection;
  class Reply;
  const std::unique_ptr<Inside> inside_;
};

}  // namespace kiln::cli
