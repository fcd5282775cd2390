// SPDX-License-Identifier: MIT
// A page as the server meets it, without a browser: HTTP and WebSocket (RFC 6455) on a plain socket,
// as right or as wrong as a test wants it.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

namespace kiln::test {

class WebClient {
 public:
  explicit WebClient(int port, std::uint32_t ip = INADDR_LOOPBACK)
      : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(std::uint16_t(port));
    address.sin_addr.s_addr = htonl(ip);
    is_open_ = connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  ~WebClient() { close(socket_); }
  WebClient(const WebClient&) = delete;
  WebClient& operator=(const WebClient&) = delete;

  void send_bytes(const std::string& bytes) const {
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t sent = ::send(socket_, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
      if (sent <= 0) return;
      at += std::size_t(sent);
    }
  }
  /// The answer to a request with these header lines: its status line and all that follows it until
  /// the connection ends or, for a socket, its headers do.
  std::string get(const std::string& target, const std::string& headers) {
    send_bytes("GET " + target + " HTTP/1.1\r\n" + headers + "\r\n");
    const bool is_socket = headers.find("Upgrade") != std::string::npos;
    while (!is_socket || came_.find("\r\n\r\n") == std::string::npos) {
      if (!receive()) break;
    }
    const std::size_t end = is_socket ? came_.find("\r\n\r\n") : std::string::npos;
    const std::string answer = came_.substr(0, end);
    came_.erase(0, end == std::string::npos ? end : end + 4);
    return answer;
  }
  /// All that comes until the connection ends.
  std::string rest() {
    while (receive()) continue;
    return std::move(came_);
  }
  static std::string upgrade(const std::string& host, const std::string& origin = "") {
    return "Host: " + host + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
           (origin.empty() ? "" : "Origin: " + origin + "\r\n") +
           "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n";
  }

  /// One frame of a client, masked as these are.
  void send(const std::string& payload, int opcode = 1, bool last = true) const {
    std::string frame(1, char((last ? 0x80 : 0) | opcode));
    const std::size_t size = payload.size();
    if (size < 126) {
      frame += char(0x80 | size);
    } else if (size < 65536) {
      frame += char(0x80 | 126);
      for (int shift = 8; shift >= 0; shift -= 8) frame += char(size >> shift & 0xff);
    } else {
      frame += char(0x80 | 127);
      for (int shift = 56; shift >= 0; shift -= 8) frame += char(size >> shift & 0xff);
    }
    const std::string mask = "\x12\x34\x56\x78";
    frame += mask;
    for (std::size_t i = 0; i < size; ++i) frame += char(payload[i] ^ mask[i % 4]);
    send_bytes(frame);
  }

  struct Message {
    int opcode = -1;  // 1 text, 2 binary, 8 close, -1: none came
    std::string payload;
    int frames = 0;
  };
  /// The next message of the server.
  Message next() {
    Message message;
    for (bool last = false; !last;) {
      if (!need(2)) return {};
      const int first = came_[0] & 0xff;
      std::size_t size = came_[1] & 0x7f, head = 2;
      const std::size_t more = size == 126 ? 2 : size == 127 ? 8 : 0;
      if (!need(head + more)) return {};
      if (more) size = 0;
      for (std::size_t i = 0; i < more; ++i) size = size << 8 | std::uint8_t(came_[head + i]);
      head += more;
      if (!need(head + size)) return {};
      if (first & 0x0f) message.opcode = first & 0x0f;
      message.payload += came_.substr(head, size);
      came_.erase(0, head + size);
      ++message.frames;
      last = first & 0x80;
    }
    return message;
  }
  bool is_open() const { return is_open_; }

 private:
  bool need(std::size_t bytes) {
    while (came_.size() < bytes)
      if (!receive()) return false;
    return true;
  }
  /// Waits for at most 30 s; false at the end.
  bool receive() {
    pollfd wait{socket_, POLLIN, 0};
    if (poll(&wait, 1, 30000) <= 0) return false;
    char buffer[65536];
    const ssize_t count = recv(socket_, buffer, sizeof buffer, 0);
    if (count <= 0) return false;
    came_.append(buffer, std::size_t(count));
    return true;
  }

  const int socket_;
  bool is_open_ = false;
  std::string came_;
};

}  // namespace kiln::test
