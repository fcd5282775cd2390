// SPDX-License-Identifier: MIT
// kiln view as tests start it, and a page that talks to it.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/cli/program.h"
#include "tests/cli/web_client.h"

namespace kiln::test {

using nlohmann::json;

/// The bytes of a message, as pages send them.
inline std::string base64(const std::string& bytes) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < bytes.size() ? std::uint8_t(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += k > bytes.size() - i ? '=' : digits[bits >> (18 - 6 * k) & 63];
  }
  return text;
}

/// A page that got in.
class Page {
 public:
  struct Said {
    json head;
    std::string picture;  // of binary messages
    int frames = 1;       // of the socket
  };
  Page(int port, const std::string& token) : client_(port) {
    const std::string host = "127.0.0.1:" + std::to_string(port);
    answer = client_.get("/live?token=" + token, WebClient::upgrade(host, "http://" + host));
  }
  void send(const json& message) { client_.send(message.dump()); }
  WebClient& client() { return client_; }

  /// The next message of this type, of those before it nothing; pictures are shown at once, if it shows any.
  Said wait(const std::string& type, const std::function<bool(const Said&)>& wanted = {}) {
    for (;;) {
      Said said = next();
      if (said.head.is_null()) {
        ADD_FAILURE() << "no " << type << " came";
        return {json::object(), ""};
      }
      if (said.head["type"] == "frame") {
        frames_of.push_back(said.head["index"]);
        last_frame = said.head["frame"];
        if (shows) send({{"type", "shown"}, {"frame", last_frame}});
      }
      if (said.head["type"] == type && (!wanted || wanted(said))) return said;
      if (said.head["type"] == "thumbnail") passed_over.push_back(said.head);
    }
  }
  Said settled(std::uint64_t number = 0) {
    return wait("frame", [&](const Said& said) {
      return said.head["settled"] == true && said.head["number"] == number;
    });
  }
  std::string error() {
    return wait("message", [](const Said& said) { return said.head["kind"] == "error"; })
        .head["text"];
  }

  std::string answer;
  bool shows = true;              // or it never says that it has shown a picture
  std::vector<int> frames_of;     // which flame each picture was of
  std::vector<json> passed_over;  // small pictures that came while something else was waited for
  std::uint64_t last_frame = 0;

 private:
  Said next() {
    for (;;) {
      const WebClient::Message message = client_.next();
      if (message.opcode == 1) return {json::parse(message.payload, nullptr, false), ""};
      if (message.opcode == 2) {
        std::size_t size = 0;
        for (std::size_t i = 0; i < 4; ++i)
          size |= std::size_t(std::uint8_t(message.payload[i])) << (8 * i);
        return {json::parse(message.payload.substr(4, size), nullptr, false),
                message.payload.substr(4 + size), message.frames};
      }
      if (message.opcode < 0 || message.opcode == 8) return {};
    }
  }
  WebClient client_;
};

class ViewProgram : public testing::Test {
 protected:
  void SetUp() override {
    write_file(folder / "a.flam3", triangle("name=\"a\""));
    write_file(folder / "b.flam3", triangle("name=\"b\" brightness=\"9\""));
    if (!begin({"a.flam3", "b.flam3"})) {
      const std::string said = read_file(logs / "err");
      if (said.find("built without") != std::string::npos) GTEST_SKIP() << said;
      FAIL() << said;
    }
  }
  ~ViewProgram() override { end(); }
  /// `prepare`: its desk; without one no browser is opened.
  bool begin(std::vector<std::string> words, const std::string& serve = "127.0.0.1:0",
             const std::function<void()>& prepare = {}) {
    words.insert(words.begin(), {"view", "--backend", "cpu", "--threads", "2"});
    if (!serve.empty()) words.insert(words.end(), {"--serve", serve});
    if (!prepare) words.push_back("--no-browser");
    std::filesystem::remove(logs / "out");  // of the one before
    program = start_program(words, logs, {runs_in, "", "", [&] {
                                            setenv("XDG_RUNTIME_DIR", desk.path().c_str(), 1);
                                            setenv("XDG_STATE_HOME", desk.path().c_str(), 1);
                                            if (prepare) prepare();
                                          }});
    for (int i = 0; i < 600; ++i) {
      address = read_file(logs / "out");
      if (!address.empty() && address.back() == '\n') break;
      if (!is_running(program)) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    const std::size_t colon = address.rfind(':'), equals = address.rfind('=');
    port = std::atoi(address.c_str() + colon + 1);
    token = address.substr(equals + 1, address.size() - equals - 2);
    return port > 0;
  }
  void end() {
    if (program <= 0) return;
    kill(program, SIGTERM);
    wait_for(program);
    program = 0;
  }
  std::string host() const { return "127.0.0.1:" + std::to_string(port); }
  /// The status of an answer: 200.
  int status(const std::string& target, const std::string& headers) const {
    const std::string answer = WebClient(port).get(target, headers + "Connection: close\r\n");
    return answer.size() > 12 ? std::atoi(answer.c_str() + 9) : 0;
  }
  int socket_status(const std::string& with_token, const std::string& headers) const {
    const std::string answer = WebClient(port).get("/live?token=" + with_token, headers);
    return answer.size() > 12 ? std::atoi(answer.c_str() + 9) : 0;
  }
  std::string rendered_hash(const std::string& file) const {
    const Outcome outcome =
        run_program({"render", file, "--backend", "cpu", "--json", "-q", "-o", "hash.png"},
                    {folder.path(), "", "", {}});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return json::parse(outcome.out)["pictures"][0]["pixel_hash"];
  }

  const ScratchFolder folder, logs, desk;
  std::string runs_in = folder.path();
  pid_t program = 0;
  std::string address, token;
  int port = 0;
};

}  // namespace kiln::test
