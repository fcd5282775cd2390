// SPDX-License-Identifier: MIT
// The port that a server listens at, and its connections that have shown no token yet: of many of these the oldest go,
// so that whoever opens connections without end keeps nobody out. For the two that serve by Boost.Asio, whose headers
// take seconds to compile: web_server.cpp, and http_server.cpp of kiln serve.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/platform/process.h"

namespace kiln::cli {

[[noreturn]] inline void fail_without_descriptors(const boost::system::error_code& error) {
  fail(ErrorKind::device,
       "no further file can be opened ({}); raise the limit of descriptors (ulimit -n)",
       error.message());
}

/// Accepts connections for one thread, the one of its io_context.
class WebListener {
 public:
  using tcp = boost::asio::ip::tcp;
  using Accepted = std::function<void(tcp::socket)>;

  explicit WebListener(boost::asio::io_context& io) : acceptor_(io), retry_(io) {}

  /// Listens from now on. Throws Error: output where the address is not to be had, device without descriptors.
  void listen(const std::string& address, int port, Accepted accepted) {
    boost::system::error_code error;
    const auto ip = boost::asio::ip::make_address(address, error);
    const tcp::endpoint place(ip, static_cast<unsigned short>(port));
    if (!error) acceptor_.open(place.protocol(), error);
    if (!error) keep_to_this_program(acceptor_.native_handle());
    if (!error) acceptor_.set_option(boost::asio::socket_base::reuse_address(true), error);
    if (!error) acceptor_.bind(place, error);
    if (!error) acceptor_.listen(boost::asio::socket_base::max_listen_connections, error);
    if (error == boost::system::errc::too_many_files_open) fail_without_descriptors(error);
    if (error)
      fail(ErrorKind::output, "--serve {}:{}: {}; another port, or 0 for any, may be free", address,
           port, error.message());
    accepted_ = std::move(accepted);
    accept();
  }
  int port() const {
    boost::system::error_code ignored;
    return acceptor_.local_endpoint(ignored).port();
  }

 private:
  /// Programs that are started meanwhile, a browser or a render, shall not hold a socket open. One that
  /// starts between accept() and this does, which is seldom and harmless: Asio has no other way.
  static void keep_to_this_program(tcp::socket::native_handle_type socket) {
    keep_from_children(static_cast<long long>(socket));
  }

  void accept() {
    acceptor_.async_accept([this](boost::system::error_code error, tcp::socket socket) {
      if (!error) {
        boost::system::error_code ignored;
        keep_to_this_program(socket.native_handle());
        socket.set_option(tcp::no_delay(true), ignored);
        accepted_(std::move(socket));
        return accept();
      }
      retry_.expires_after(std::chrono::milliseconds(200));  // out of descriptors, for now
      retry_.async_wait([this](boost::system::error_code) { accept(); });
    });
  }

  tcp::acceptor acceptor_;
  boost::asio::steady_timer retry_;
  Accepted accepted_;
};

/// The connections of strangers, by age. Connection::leave() closes one.
template <class Connection>
class Strangers {
 public:
  static constexpr std::size_t most = 64;

  /// The number of a new one; the oldest leaves where there are many.
  int add(Connection* connection) {
    if (all_.size() >= most) all_.begin()->second->leave();
    all_.emplace(++last_, connection);
    return last_;
  }
  void remove(int number) { all_.erase(number); }
  bool has(int number) const { return all_.contains(number); }

 private:
  std::map<int, Connection*> all_;
  int last_ = 0;
};

}  // namespace kiln::cli
