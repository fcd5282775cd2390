// SPDX-License-Identifier: MIT
#include "view/service/http_server.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <string_view>

#include "engine/base/text.h"
#include "view/server/web_listener.h"

namespace kiln::cli {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

using Parser = http::request_parser<http::string_body>;

constexpr auto stranger_time = 5s, head_time = 60s, body_time = 30s, drain_time = 2s;
constexpr std::size_t most_drained =
    4 << 20;  // of a body that nobody wants, so that the answer is read

std::string text_of(boost::string_view text) { return {text.data(), text.size()}; }

/// The last of "a, b", which is the one that our own proxy wrote.
std::string last_of(const std::string& list) {
  const std::size_t comma = list.rfind(',');
  const std::size_t begin =
      list.find_first_not_of(" \t", comma == std::string::npos ? 0 : comma + 1);
  if (begin == std::string::npos) return "";
  return printable(list.substr(begin, list.find_last_not_of(" \t") + 1 - begin));
}

/// Whether what came is no request; else the client is gone or slow.
bool is_of_http(const error_code& error) {
  static const error_code ended = http::error::end_of_stream;
  return error.category() == ended.category() && error != ended &&
         error != http::error::partial_message;
}

HttpAnswer plain_error(int status, const std::string& message) {
  const std::string error = JsonObject().add("status", status).add("message", message).text();
  return {status, "application/json", "{\"error\":" + error + "}\n"};
}

}  // namespace

struct HttpServer::Inside {
  Settings settings;
  Strangers<Connection> strangers;  // outlives `io`
  std::map<int, Connection*> all,
      unfinished,  // by age; unfinished: that wait for a request or the rest of one
      closing;     // that are answered for the last time, and wait for the client to go
  asio::io_context io{1};
  WebListener door{io};
  asio::steady_timer ticks{io};
  int last_number = 0;
  bool ending = false;
  Clock::time_point end_by;

  /// The number of the token that the request shows; -1: none of ours.
  int token_of(const Parser& parser, const WebTarget& target) const {
    if (settings.tokens.empty()) return 0;
    const std::string scheme = "Bearer ";
    std::string shown = text_of(parser.get()[http::field::authorization]);
    shown = beast::iequals(shown.substr(0, scheme.size()), scheme) ? shown.substr(scheme.size())
                                                                   : target.value("token");
    int found = -1;
    for (std::size_t i = 0; i < settings.tokens.size(); ++i)
      if (same_secret(shown, settings.tokens[i])) found = int(i);
    return found;
  }
  void accept(tcp::socket socket);
  void tick();
  void end_if_done();
};

/// A client's connection, with its requests one after the other.
class HttpServer::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Inside& server, tcp::socket socket)
      : server_(server),
        stream_(std::move(socket)),
        number_(++server.last_number),
        stranger_(server.strangers.add(this)) {
    server_.all.emplace(number_, this);
    error_code error;
    const auto peer = stream_.socket().remote_endpoint(error);
    if (!error) address_ = peer.address().to_string(error);
  }
  ~Connection() {
    server_.strangers.remove(stranger_);
    server_.unfinished.erase(number_);
    server_.closing.erase(number_);
    server_.all.erase(number_);
    if (server_.ending) asio::post(server_.io, [&server = server_] { server.end_if_done(); });
  }

  void read_head() {
    if (server_.ending && buffer_.size() == 0) return leave();
    forget_request();
    parser_.emplace();
    parser_->header_limit(most_head_bytes);
    parser_->body_limit(std::numeric_limits<std::uint64_t>::max());  // until the head is read
    server_.unfinished.emplace(number_, this);
    stream_.expires_after(server_.strangers.has(stranger_) ? stranger_time : head_time);
    http::async_read_header(
        stream_, buffer_, *parser_, [self = shared_from_this()](error_code error, std::size_t) {
          if (!error) return self->meet();
          if (error == http::error::header_limit)
            self->refuse(plain_error(431, "a head of more than 16 KiB"));
          else if (is_of_http(error))
            self->refuse(plain_error(400, "no HTTP request: " + error.message()));
        });
  }
  /// Closes the connection: its open calls end with an error.
  void leave() {
    error_code ignored;
    stream_.socket().close(ignored);
    server_.strangers.remove(stranger_);
    server_.unfinished.erase(number_);
    server_.closing.erase(number_);
    be_gone();
  }

  asio::io_context& io() { return server_.io; }

  // ---- what replies do, of the request that they were made for ----

  void send(int request, HttpAnswer answer) {
    if (request != request_ || is_answered_) return;
    write_answer(std::move(answer), true);
  }
  void begin(int request, const HttpAnswer& head) {
    if (request != request_ || is_answered_) return;
    is_answered_ = true;
    log(head.status);
    stream_.expires_after(head_time);
    std::string text = fmt::format(
        "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nCache-Control: no-store\r\n", head.status,
        text_of(http::obsolete_reason(http::status(head.status))), head.type);
    for (const auto& [name, value] : head.headers) text += name + ": " + value + "\r\n";
    // without chunks: that the connection ends ends it
    piece(text + "Connection: close\r\n\r\n", false);
  }
  void add(int request, std::string bytes, bool may_wait) {
    if (request == request_ && is_answered_ && !is_finished_) piece(std::move(bytes), may_wait);
  }
  void finish(int request) {
    if (request != request_ || !is_answered_) return;
    is_finished_ = true;
    if (pieces_.empty()) close_softly();
  }
  void when_gone(int request, std::function<void()> gone) {
    if (request != request_ || is_gone_) return gone();
    gone_ = std::move(gone);
  }
  /// Says that the reply went without an answer.
  void drop(int request) {
    if (request == request_ && !is_answered_)
      write_answer(plain_error(500, "no answer was made"), false);
  }

 private:
  void forget_request() {
    ++request_;
    is_answered_ = is_finished_ = false;
    gone_ = nullptr;
    ask_ = {};
  }
  void be_gone() {
    is_gone_ = true;
    ++request_;
    const auto gone = std::move(gone_);
    gone_ = nullptr;
    if (gone) gone();
  }

  /// Looks at the head, and whether its body is wanted.
  void meet() {
    begun_ = Clock::now();
    const auto& head = parser_->get();
    ask_.method = text_of(head.method_string());
    ask_.target = WebTarget(text_of(head.target()));
    ask_.content_type = text_of(head[http::field::content_type]);
    ask_.accept = text_of(head[http::field::accept]);
    ask_.prefer = text_of(head["Prefer"]);
    ask_.address = address_;
    if (server_.settings.behind_proxy)
      if (const std::string from = last_of(text_of(head["X-Forwarded-For"])); !from.empty())
        ask_.address = from;
    ask_.token = server_.token_of(*parser_, ask_.target);
    ask_.has_length = parser_->chunked() || parser_->content_length().has_value();
    ask_.has_body = parser_->chunked() || parser_->content_length().get_value_or(0) > 0;
    if (ask_.token >= 0) server_.strangers.remove(stranger_);
    if (!is_trusted(text_of(head[http::field::host]), text_of(head[http::field::origin]),
                    server_.settings.address, server_.settings.allow_remote))
      return refuse(plain_error(403, "not from there: Host or Origin is not this server's"));
    if (const auto length = parser_->content_length();
        length && *length > server_.settings.most_body_bytes)
      return refuse(too_large());
    parser_->body_limit(server_.settings.most_body_bytes);
    if (std::optional<HttpAnswer> refusal = server_.settings.refuse(ask_))
      return refuse(std::move(*refusal));
    if (beast::iequals(text_of(head[http::field::expect]), "100-continue")) return ask_for_body();
    read_body();
  }
  HttpAnswer too_large() const {
    return plain_error(413, fmt::format("a body of more than {}; --max-body allows more",
                                        byte_size(server_.settings.most_body_bytes)));
  }
  void ask_for_body() {
    static const std::string go_on = "HTTP/1.1 100 Continue\r\n\r\n";
    stream_.expires_after(body_time);
    asio::async_write(stream_, asio::buffer(go_on),
                      [self = shared_from_this()](error_code error, std::size_t) {
                        if (error) return self->leave();
                        self->read_body();
                      });
  }
  void read_body() {
    stream_.expires_after(body_time);
    http::async_read(
        stream_, buffer_, *parser_, [self = shared_from_this()](error_code error, std::size_t) {
          if (!error) return self->answer();
          if (error == http::error::body_limit) return self->refuse(self->too_large());
          if (error == beast::error::timeout) return self->leave();
          self->refuse(plain_error(400, "the body is no body of HTTP: " + error.message()));
        });
  }
  void answer();

  /// Notices that the client goes while its answer is made. More bytes are its next request, and end the watch.
  void watch() {
    if (buffer_.size() > 0) return;
    stream_.socket().async_wait(tcp::socket::wait_read,
                                [self = shared_from_this(), request = request_](error_code error) {
                                  if (error || request != self->request_ || self->is_gone_) return;
                                  char next;
                                  error_code none;
                                  self->stream_.socket().non_blocking(true, none);
                                  const std::size_t size = self->stream_.socket().receive(
                                      asio::buffer(&next, 1), tcp::socket::message_peek, none);
                                  if (none == asio::error::would_block) return self->watch();
                                  if (none || size == 0) self->leave();
                                });
  }

  /// Answers without the rest of the request, which ends the connection.
  void refuse(HttpAnswer answer) { write_answer(std::move(answer), false); }

  void write_answer(HttpAnswer answer, bool is_read) {
    is_answered_ = true;
    server_.unfinished.erase(number_);
    log(answer.status);
    const auto& head = parser_->get();
    // the body of a request that was refused stands in the way of the next one
    const bool has_rest = !is_read && !(parser_->is_header_done() && !ask_.has_body);
    const bool goes_on = is_read ? head.keep_alive() : !has_rest && head.keep_alive();
    const bool is_head = head.method() == http::verb::head;
    response_.emplace(http::status(answer.status), 11);
    response_->set(http::field::content_type, answer.type);
    response_->set(http::field::cache_control, "no-store");
    response_->set("X-Content-Type-Options", "nosniff");
    for (const auto& [name, value] : answer.headers) response_->insert(name, value);
    response_->keep_alive(goes_on && !server_.ending);
    response_->body() = std::move(answer.body);
    response_->prepare_payload();
    if (is_head) response_->body().clear();
    // 64 KB a second, at least
    stream_.expires_after(30s + std::chrono::seconds(response_->body().size() >> 16));
    http::async_write(stream_, *response_,
                      [self = shared_from_this()](error_code error, std::size_t) {
                        if (error) return self->leave();
                        if (self->response_->keep_alive()) {
                          self->response_.reset();
                          return self->read_head();
                        }
                        self->close_softly();
                      });
  }
  void log(int status) {
    if (server_.settings.log)
      server_.settings.log(ask_, status,
                           std::chrono::duration<double>(Clock::now() - begun_).count());
  }

  /// Ends the answer. Where the client still sends, a connection that is closed at once would take the answer away
  /// from it. It has only so much time to go, and none where another one wants the place.
  void close_softly() {
    error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    stream_.socket().cancel(ignored);  // the watch, which nothing else would end
    be_gone();
    server_.closing.emplace(number_, this);
    stream_.expires_after(drain_time);
    drained_ = 0;
    rest_.resize(64 << 10);
    drain();
  }
  void drain() {
    stream_.async_read_some(asio::buffer(rest_),
                            [self = shared_from_this()](error_code error, std::size_t size) {
                              self->drained_ += size;
                              if (!error && self->drained_ < most_drained) self->drain();
                            });
  }

  struct Piece {
    std::string bytes;
    bool may_wait;
  };
  void piece(std::string bytes, bool may_wait) {
    // the first one is being written
    if (may_wait && pieces_.size() > 1 && pieces_.back().may_wait) {
      waiting_bytes_ -= pieces_.back().bytes.size();
      pieces_.pop_back();
    }
    waiting_bytes_ += bytes.size();
    if (waiting_bytes_ > most_waiting_bytes) return leave();
    pieces_.push_back({std::move(bytes), may_wait});
    if (pieces_.size() == 1) write_piece();
  }
  void write_piece() {
    stream_.expires_after(head_time);
    asio::async_write(stream_, asio::buffer(pieces_.front().bytes),
                      [self = shared_from_this()](error_code error, std::size_t) {
                        if (error) return self->leave();
                        self->waiting_bytes_ -= self->pieces_.front().bytes.size();
                        self->pieces_.pop_front();
                        if (!self->pieces_.empty()) return self->write_piece();
                        self->stream_.expires_never();
                        if (self->is_finished_) self->close_softly();
                      });
  }

  Inside& server_;
  beast::tcp_stream stream_;
  const int number_, stranger_;
  std::string address_;
  beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  std::optional<http::response<http::string_body>> response_;
  HttpAsk ask_;  // without the body
  Clock::time_point begun_;
  int request_ = 0;  // the number of the one that is answered
  bool is_answered_ = false, is_finished_ = false, is_gone_ = false;
  std::function<void()> gone_;
  std::deque<Piece> pieces_;
  std::size_t waiting_bytes_ = 0, drained_ = 0;
  std::string rest_;
};

/// Holds a connection that waits for an answer, and lets go of it.
class HttpServer::Reply : public HttpReply {
 public:
  Reply(std::shared_ptr<Connection> connection, int request)
      : connection_(std::move(connection)), request_(request) {}
  ~Reply() override {
    tell([](Connection& to, int request) { to.drop(request); });
  }
  void send(HttpAnswer answer) override {
    tell([answer = std::move(answer)](Connection& to, int request) mutable {
      to.send(request, std::move(answer));
    });
  }
  void begin(HttpAnswer head) override {
    tell([head = std::move(head)](Connection& to, int request) { to.begin(request, head); });
  }
  void add(std::string piece, bool may_wait) override {
    tell([piece = std::move(piece), may_wait](Connection& to, int request) mutable {
      to.add(request, std::move(piece), may_wait);
    });
  }
  void finish() override {
    tell([](Connection& to, int request) { to.finish(request); });
  }
  void when_gone(std::function<void()> gone) override {
    tell([gone = std::move(gone)](Connection& to, int request) { to.when_gone(request, gone); });
  }

 private:
  template <class Body>
  void tell(Body body) {
    asio::post(connection_->io(), [to = connection_, request = request_,
                                   body = std::move(body)]() mutable { body(*to, request); });
  }
  const std::shared_ptr<Connection> connection_;
  const int request_;
};

void HttpServer::Connection::answer() {
  server_.unfinished.erase(number_);
  stream_.expires_never();
  HttpAsk ask = ask_;
  ask.body = std::move(parser_->get().body());
  watch();
  server_.settings.answer(std::move(ask), std::make_shared<Reply>(shared_from_this(), request_));
}

void HttpServer::Inside::accept(tcp::socket socket) {
  if (all.size() >= most_connections) {
    auto& expendable = closing.empty() ? unfinished : closing;
    if (expendable.empty()) return;  // closed
    expendable.begin()->second->leave();
  }
  std::make_shared<Connection>(*this, std::move(socket))->read_head();
}

void HttpServer::Inside::tick() {
  settings.tick();
  if (ending && Clock::now() > end_by) io.stop();
  ticks.expires_after(100ms);
  ticks.async_wait([this](error_code error) {
    if (!error) tick();
  });
}

void HttpServer::Inside::end_if_done() {
  if (ending && all.empty()) io.stop();
}

HttpServer::HttpServer(Settings settings) try : inside_(std::make_unique<Inside>()) {
  inside_->settings = std::move(settings);
  inside_->door.listen(
      inside_->settings.address, inside_->settings.port,
      [inside = inside_.get()](tcp::socket socket) { inside->accept(std::move(socket)); });
} catch (const boost::system::system_error& error) {
  fail_without_descriptors(error.code());
}
HttpServer::~HttpServer() { inside_->ending = false; }

int HttpServer::port() const { return inside_->door.port(); }
void HttpServer::set_tokens(std::vector<std::string> tokens) {
  inside_->settings.tokens = std::move(tokens);
}
void HttpServer::run() {
  inside_->tick();
  inside_->io.run();
}
void HttpServer::post(std::function<void()> work) { asio::post(inside_->io, std::move(work)); }
void HttpServer::stop(double seconds) {
  post([inside = inside_.get(), seconds] {
    inside->ending = true;
    inside->end_by = Clock::now() + std::chrono::milliseconds(int(seconds * 1000));
    const auto unfinished = inside->unfinished;
    for (const auto& [number, connection] : unfinished) connection->leave();
    inside->end_if_done();
  });
}

}  // namespace kiln::cli
