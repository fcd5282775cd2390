// SPDX-License-Identifier: MIT
#include "view/server/web_server.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <map>

#include "view/server/waiting_messages.h"
#include "view/server/web_listener.h"
#include "view/server/web_rules.h"

namespace kiln::cli {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
using boost::system::error_code;

using HttpRequest = http::request<http::string_body>;

std::string text_of(boost::string_view text) { return {text.data(), text.size()}; }

constexpr const char* policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "media-src blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// Browsers show a picture in a page of their own, which has styles.
constexpr const char* policy_of_pictures =
    "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; "
    "frame-ancestors 'none'";

}  // namespace

struct WebServer::Inside {
  Settings settings;
  std::string token;
  Listener listener;
  Strangers<Request> strangers;  // outlives `io`
  asio::io_context io{1};
  WebListener door{io};
  std::map<int, std::shared_ptr<Client>> clients;
  int next_client = 1;

  bool knows(const HttpRequest& request) const {
    return same_secret(WebTarget(text_of(request.target())).value("token"), token);
  }
  /// Whether the page that asks is one of ours.
  bool trusts(const HttpRequest& request) const {
    return is_trusted(text_of(request[http::field::host]), text_of(request[http::field::origin]),
                      settings.address, settings.allow_remote);
  }
};

/// A page's socket.
class WebServer::Client : public std::enable_shared_from_this<Client> {
 public:
  Client(Inside& server, beast::tcp_stream stream, int number)
      : server_(server), socket_(std::move(stream)), number_(number) {}

  void begin(const HttpRequest& request) {
    socket_.set_option(websocket::stream_base::timeout::suggested(beast::role_type::server));
    socket_.read_message_max(most_message_bytes);
    socket_.auto_fragment(false);  // or a picture is sent, and read, in hundreds of pieces of 4 KB
#ifdef TCP_NOTSENT_LOWAT
    // what the system has taken cannot be dropped any more: of a slow network's it takes little
    using MostUnsent = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_NOTSENT_LOWAT>;
    error_code ignored;
    beast::get_lowest_layer(socket_).socket().set_option(MostUnsent(1 << 16), ignored);
#endif
    socket_.async_accept(request, [self = shared_from_this()](error_code error) {
      if (error) return self->leave();
      self->is_open_ = true;
      self->server_.listener.opened(self->number_);
      self->read();
    });
  }
  void send(std::string bytes, bool is_text, bool is_part = false) {
    waiting_.add({std::move(bytes), is_text, is_part});
    if (waiting_.bytes() > most_waiting_bytes) return leave();
    if (is_open_ && waiting_.count() == 1) write();
  }
  bool drop_parts(const std::string& instead) { return waiting_.drop_parts(instead); }

 private:
  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) return self->leave();
      // what is not text cannot be a message, and is answered as one
      const std::string text =
          self->socket_.got_text() ? beast::buffers_to_string(self->buffer_.data()) : "";
      self->buffer_.consume(self->buffer_.size());
      self->server_.listener.text(self->number_, text);
      self->read();
    });
  }
  void write() {
    socket_.text(waiting_.first().is_text);
    socket_.async_write(asio::buffer(waiting_.first().bytes),
                        [self = shared_from_this()](error_code error, std::size_t) {
                          if (error) return self->leave();
                          self->waiting_.take_first();
                          if (!self->waiting_.empty()) self->write();
                        });
  }
  /// Closes the connection: its open calls end with an error.
  void leave() {
    if (server_.clients.erase(number_) == 0) return;
    error_code ignored;
    beast::get_lowest_layer(socket_).socket().close(ignored);
    // later: who sends to all clients is in the midst of them
    if (is_open_)
      asio::post(server_.io, [&server = server_, n = number_] { server.listener.closed(n); });
  }

  Inside& server_;
  websocket::stream<beast::tcp_stream> socket_;
  const int number_;
  beast::flat_buffer buffer_;
  WaitingMessages waiting_;  // the first one is being written
  bool is_open_ = false;
};

/// One connection until it is answered, or has become a socket.
class WebServer::Request : public std::enable_shared_from_this<Request> {
 public:
  Request(Inside& server, tcp::socket socket)
      : server_(server), stream_(std::move(socket)), number_(server.strangers.add(this)) {}
  ~Request() { server_.strangers.remove(number_); }
  void read() {
    parser_.emplace();
    parser_->header_limit(16 << 10);
    parser_->body_limit(4 << 10);
    stream_.expires_after(std::chrono::seconds(is_stranger() ? 5 : 20));
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](error_code error, std::size_t) {
                       if (!error) self->answer(self->parser_->get());
                     });
  }
  /// Closes the connection: its open calls end with an error.
  void leave() {
    error_code ignored;
    stream_.socket().close(ignored);
    server_.strangers.remove(number_);
  }

 private:
  bool is_stranger() const { return server_.strangers.has(number_); }
  void answer(const HttpRequest& request) {
    if (server_.knows(request)) server_.strangers.remove(number_);
    const std::string path = WebTarget(text_of(request.target())).path;
    if (!server_.trusts(request)) return refuse(http::status::forbidden, "not from there\n");
    if (path == "/live") return open_socket(request);
    if (request.method() != http::verb::get && request.method() != http::verb::head)
      return refuse(http::status::method_not_allowed, "GET only\n");
    if (server_.settings.is_secret(path) && !server_.knows(request))
      return refuse(http::status::forbidden, "the address needs its token\n");
    const std::optional<WebFile> file = server_.settings.file(path);
    if (!file) return refuse(http::status::not_found, "no such page\n");
    send(http::status::ok, file->type, file->body, request.keep_alive());
  }
  void open_socket(const HttpRequest& request) {
    if (!server_.knows(request))
      return refuse(http::status::forbidden, "the address needs its token\n");
    if (!websocket::is_upgrade(request))
      return refuse(http::status::bad_request, "a WebSocket is here\n");
    if (server_.clients.size() >= std::size_t(most_clients))
      return refuse(http::status::service_unavailable, "too many pages are open\n");
    stream_.expires_never();
    const int number = server_.next_client++;
    const auto client = std::make_shared<Client>(server_, std::move(stream_), number);
    server_.clients.emplace(number, client);
    client->begin(request);
  }
  void refuse(http::status status, const std::string& why) {
    send(status, "text/plain; charset=utf-8", why, false);
  }
  void send(http::status status, const std::string& type, const std::string& body, bool goes_on) {
    response_.emplace(status, 11);
    response_->set(http::field::content_type, type);
    response_->set(http::field::cache_control, "no-store");
    response_->set(
        "Content-Security-Policy",
        type.starts_with("image/") || type.starts_with("video/") ? policy_of_pictures : policy);
    response_->set("X-Content-Type-Options", "nosniff");
    response_->set("Referrer-Policy", "no-referrer");
    response_->keep_alive(goes_on);
    response_->body() = body;
    response_->prepare_payload();
    if (parser_->get().method() == http::verb::head) response_->body().clear();
    if (!is_stranger()) stream_.expires_after(std::chrono::minutes(10));  // a picture, far away
    http::async_write(stream_, *response_,
                      [self = shared_from_this(), goes_on](error_code error, std::size_t) {
                        if (!error && goes_on) return self->read();
                        error_code ignored;
                        self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
                      });
  }

  Inside& server_;
  beast::tcp_stream stream_;
  const int number_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::optional<http::response<http::string_body>> response_;
};

WebServer::WebServer(Settings settings, Listener listener) try
    : inside_(std::make_unique<Inside>()) {
  inside_->settings = std::move(settings);
  inside_->listener = std::move(listener);
  inside_->door.listen(inside_->settings.address, inside_->settings.port,
                       [inside = inside_.get()](tcp::socket socket) {
                         std::make_shared<Request>(*inside, std::move(socket))->read();
                       });
  inside_->token = inside_->settings.token(port());
} catch (const boost::system::system_error& error) {
  fail_without_descriptors(error.code());
}
WebServer::~WebServer() = default;

int WebServer::port() const { return inside_->door.port(); }
const std::string& WebServer::token() const { return inside_->token; }
void WebServer::run() { inside_->io.run(); }
void WebServer::stop() { inside_->io.stop(); }
void WebServer::post(std::function<void()> work) { asio::post(inside_->io, std::move(work)); }

void WebServer::send_text(int client, std::string text) {
  const auto found = inside_->clients.find(client);
  if (found != inside_->clients.end()) std::shared_ptr(found->second)->send(std::move(text), true);
}
void WebServer::send_binary(int client, std::string bytes) {
  const auto found = inside_->clients.find(client);
  if (found != inside_->clients.end())
    std::shared_ptr(found->second)->send(std::move(bytes), false);
}

void WebServer::send_part(int client, std::string bytes) {
  const auto found = inside_->clients.find(client);
  if (found != inside_->clients.end())
    std::shared_ptr(found->second)->send(std::move(bytes), false, true);
}
bool WebServer::drop_parts(int client, const std::string& instead) {
  const auto found = inside_->clients.find(client);
  return found != inside_->clients.end() && found->second->drop_parts(instead);
}

}  // namespace kiln::cli
