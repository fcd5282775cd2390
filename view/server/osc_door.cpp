// SPDX-License-Identifier: MIT
#include "view/server/osc_door.h"

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <set>
#include <thread>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/platform/process.h"
#include "engine/base/resources.h"
#include "engine/base/text.h"
#include "engine/live/osc.h"

namespace kiln::cli {
namespace {

namespace asio = boost::asio;
using udp = asio::ip::udp;
using boost::system::error_code;

constexpr double sent_every_s = 1.0 / 30;
constexpr std::size_t most_reasons = 8;
constexpr int most_at_once = 512, room_bytes = 1 << 20;  // of packets that wait

}  // namespace

struct OscDoor::Inside {
  Settings settings;
  asio::io_context io{1};
  udp::socket in{io}, out{io};
  udp::endpoint from, to;
  std::array<char, 65536> bytes;
  std::set<std::string> refused;  // reasons that were said
  ChangedNumbers changed;
  double film_time = -1e300;
  Clock::time_point sent_at;
  std::thread thread;

  /// A socket that programs that are started meanwhile do not have.
  static udp::endpoint open(udp::socket& socket, const std::string& host, int port,
                            const char* option, bool binds) {
    error_code error;
    const auto ip = asio::ip::make_address(host, error);
    const udp::endpoint place(ip, static_cast<unsigned short>(port));
    if (!error) socket.open(place.protocol(), error);
    if (!error) keep_from_children(static_cast<long long>(socket.native_handle()));
    if (!error && binds) socket.bind(place, error);
    if (error)
      fail(ErrorKind::output, "{} {}:{}: {}; it is an address in numbers and a port that is free",
           option, host, port, error.message());
    return place;
  }

  void receive() {
    in.async_wait(udp::socket::wait_read, [this](error_code error) {
      if (error == asio::error::operation_aborted) return;
      take_all();
      receive();
    });
  }

  /// Takes all that has come, at once: who sends thousands a second is not to fill the system's room for it.
  void take_all() {
    std::vector<NamedNumber> numbers;
    for (int i = 0; i < most_at_once; ++i) {
      error_code error;
      const std::size_t size = in.receive_from(asio::buffer(bytes), from, 0, error);
      if (error) break;
      hear({bytes.data(), size}, numbers);
    }
    if (!numbers.empty()) settings.heard(numbers);
  }

  void hear(std::string_view packet, std::vector<NamedNumber>& numbers) {
    try {
      for (const OscMessage& message : read_osc(packet)) {
        auto number = number_at(message.address);
        if (!number) {
          refuse(fmt::format("{}: no number of a flame has this address", message.address));
          continue;
        }
        number->value = message.numbers;
        numbers.push_back(*std::move(number));
      }
    } catch (const Error& error) {
      refuse(std::string("a packet ") + error.what());
    }
  }

  void refuse(const std::string& why) {
    if (refused.size() >= most_reasons || !refused.insert(why).second) return;
    error_code ignored;
    settings.say(fmt::format("OSC from {}: {}{}", from.address().to_string(ignored),
                             printable_whole(why),
                             refused.size() == most_reasons ? "; more is not said" : ""));
  }

  void send(const std::vector<OscMessage>& messages) {
    error_code ignored;  // nobody may be there
    for (const std::string& packet : osc_packets(messages))
      out.send_to(asio::buffer(packet), to, 0, ignored);
  }
};

OscDoor::OscDoor(Settings settings) : inside_(std::make_unique<Inside>()) {
  Inside& inside = *inside_;
  inside.settings = std::move(settings);
  const Settings& wanted = inside.settings;
  if (!wanted.to_host.empty()) {
    inside.to = Inside::open(inside.out, wanted.to_host, wanted.to_port, "--osc-out", false);
    error_code ignored;
    inside.out.non_blocking(true, ignored);
  }
  if (wanted.host.empty()) return;
  Inside::open(inside.in, wanted.host, wanted.port, "--osc", true);
  error_code ignored;
  inside.in.non_blocking(true, ignored);
  inside.in.set_option(asio::socket_base::receive_buffer_size(room_bytes), ignored);
  inside.receive();
  inside.thread = std::thread([&inside] { inside.io.run(); });
}

OscDoor::~OscDoor() {
  inside_->io.stop();
  if (inside_->thread.joinable()) inside_->thread.join();
}

int OscDoor::port() const {
  error_code error;
  const udp::endpoint here = inside_->in.local_endpoint(error);
  return error ? 0 : here.port();
}

void OscDoor::show(const LivePicture& picture) {
  Inside& inside = *inside_;
  if (inside.settings.to_host.empty()) return;
  if (!picture.settled && seconds_since(inside.sent_at) < sent_every_s) return;
  inside.sent_at = Clock::now();
  std::vector<OscMessage> messages;
  for (NamedNumber& number : inside.changed.since_last(*picture.flame))
    messages.push_back({address_of(number.xform, number.name), std::move(number.value)});
  if (picture.place.film &&
      std::exchange(inside.film_time, picture.place.time) != picture.place.time)
    messages.push_back({"/kiln/time", {picture.place.time}});
  inside.send(messages);
}

}  // namespace kiln::cli
