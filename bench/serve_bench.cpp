// SPDX-License-Identifier: MIT
// Small pictures over HTTP: how many a second `kiln serve` makes for clients that keep their connections, beside the same
// pictures by `kiln render --jobs`, and whether they are the same.
// Usage: serve_bench KILN FILE... [--requests N] [--connections N] [--side PIXELS] [--quality Q] [--rounds N]
//   FILE: flames (XML), one each, which take turns; every picture has a seed of its own
// The rounds of both take turns. Prints pictures a second of each round, medians, and how long an answer took (median, 99 %).
#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bench/child_process.h"

namespace {

using Now = std::chrono::steady_clock;

double seconds_since(Now::time_point start) {
  return std::chrono::duration<double>(Now::now() - start).count();
}

struct Plan {
  std::string kiln;
  std::vector<std::string> flames;
  int requests = 1000, connections = 4, side = 64, rounds = 5;
  double quality = 10;

  const std::string& flame(int i) const { return flames[std::size_t(i) % flames.size()]; }
};

/// `kiln serve` on this machine, until this is gone.
class Service {
 public:
  explicit Service(const std::string& kiln) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe");
    const char* words[] = {kiln.c_str(), "serve",      "--serve", "127.0.0.1:0", "--no-token",
                           "-q",         "--max-jobs", "256",     nullptr};
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[1], 1);
    posix_spawn_file_actions_addclose(&files, ends[0]);
    const int error =
        posix_spawnp(&process_, kiln.c_str(), &files, nullptr, const_cast<char**>(words), environ);
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    if (error) throw std::runtime_error(kiln + " cannot be started");
    std::string line;
    for (char c; read(ends[0], &c, 1) == 1 && c != '\n';) line += c;
    close(ends[0]);
    const std::size_t colon = line.rfind(':');
    if (colon == std::string::npos)
      throw std::runtime_error("kiln serve did not say where: " + line);
    port = std::atoi(line.c_str() + colon + 1);
  }
  ~Service() {
    kill(process_, SIGTERM);
    waitpid(process_, nullptr, 0);
  }
  int port = 0;

 private:
  pid_t process_ = 0;
};

/// One connection that is kept.
class Client {
 public:
  explicit Client(int port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(std::uint16_t(port));
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int yes = 1;
    setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (connect(socket_, reinterpret_cast<sockaddr*>(&place), sizeof place) != 0)
      throw std::runtime_error("no connection");
  }
  ~Client() { close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// The head of the answer, whose body is read, too.
  std::string ask(const std::string& target, const std::string& body) {
    const std::string request =
        fmt::format("POST {} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {}\r\n\r\n{}", target,
                    body.size(), body);
    if (send(socket_, request.data(), request.size(), MSG_NOSIGNAL) != ssize_t(request.size()))
      throw std::runtime_error("cannot send");
    std::size_t head = 0;
    while ((head = came_.find("\r\n\r\n")) == std::string::npos) receive();
    const std::string text = came_.substr(0, head + 2);
    const std::size_t length = std::size_t(std::atoll(value(text, "Content-Length").c_str()));
    while (came_.size() < head + 4 + length) receive();
    came_.erase(0, head + 4 + length);
    if (text.find(" 200 ") == std::string::npos) throw std::runtime_error(text);
    return text;
  }
  static std::string value(const std::string& head, const std::string& name) {
    const std::size_t at = head.find("\r\n" + name + ": ");
    if (at == std::string::npos) return "";
    const std::size_t begin = at + name.size() + 4;
    return head.substr(begin, head.find("\r\n", begin) - begin);
  }

 private:
  void receive() {
    char buffer[1 << 16];
    const ssize_t size = recv(socket_, buffer, sizeof buffer, 0);
    if (size <= 0) throw std::runtime_error("the service ended the connection");
    came_.append(buffer, std::size_t(size));
  }
  const int socket_;
  std::string came_;
};

struct Round {
  double seconds = 0;
  std::vector<double> each;  // seconds of an answer
  std::set<std::string> hashes;
};

Round by_service(const Plan& plan, int port) {
  std::vector<Round> parts(std::size_t(plan.connections));
  std::vector<std::thread> threads;
  std::atomic<int> next = 0;
  std::atomic<bool> failed = false;
  const auto start = Now::now();
  for (Round& part : parts)
    threads.emplace_back([&] {
      try {
        Client client(port);
        for (int i; (i = next++) < plan.requests;) {
          const auto begun = Now::now();
          const std::string head = client.ask(
              fmt::format("/render?size={0}x{0}&quality={1}&seed={2}", plan.side, plan.quality, i),
              plan.flame(i));
          part.each.push_back(seconds_since(begun));
          part.hashes.insert(Client::value(head, "Kiln-Pixel-Hash"));
        }
      } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        failed = true;
      }
    });
  for (std::thread& thread : threads) thread.join();
  if (failed) throw std::runtime_error("a request failed");
  Round all;
  all.seconds = seconds_since(start);
  for (Round& part : parts) {
    all.each.insert(all.each.end(), part.each.begin(), part.each.end());
    all.hashes.merge(part.hashes);
  }
  return all;
}

Round by_jobs(const Plan& plan, const std::string& list, const std::string& answers) {
  const auto start = Now::now();
  kiln::bench::run({plan.kiln, "render", "--jobs", list, "-q"}, {}, answers);
  Round round;
  round.seconds = seconds_since(start);
  std::ifstream lines(answers);
  for (std::string line; std::getline(lines, line);)
    round.hashes.insert(nlohmann::json::parse(line)["pictures"][0]["pixel_hash"]);
  return round;
}

void write_jobs(const Plan& plan, const std::string& list) {
  std::ofstream file(list);
  for (int i = 0; i < plan.requests; ++i)
    file << nlohmann::json{{"genome", plan.flame(i)},
                           {"output", "-"},
                           {"size", fmt::format("{0}x{0}", plan.side)},
                           {"quality", plan.quality},
                           {"seed", i}}
                .dump()
         << "\n";
}

int measure(const Plan& plan) {
  const std::string list = fmt::format("/tmp/serve_bench-{}.json", getpid()),
                    answers = list + ".out";
  write_jobs(plan, list);
  const Service service(plan.kiln);
  std::vector<double> served, jobs, each;
  bool same = true;
  for (int round = 0; round < plan.rounds; ++round) {
    Round a = by_service(plan, service.port);
    const Round b = by_jobs(plan, list, answers);
    served.push_back(plan.requests / a.seconds);
    jobs.push_back(plan.requests / b.seconds);
    each.insert(each.end(), a.each.begin(), a.each.end());
    same = same && a.hashes == b.hashes;
    fmt::print("round {}: serve {:.0f}/s, --jobs {:.0f}/s\n", round + 1, served.back(),
               jobs.back());
  }
  std::remove(list.c_str());
  std::remove(answers.c_str());
  std::sort(each.begin(), each.end());
  fmt::print(
      "{0} pictures of {1}x{1}, quality {2}, {3} connections: serve {4:.0f}/s, --jobs {5:.0f}/s, "
      "{6:.2f} times; an "
      "answer {7:.1f} ms, 99 % within {8:.1f} ms; the same pictures: {9}\n",
      plan.requests, plan.side, plan.quality, plan.connections, kiln::bench::median(served),
      kiln::bench::median(jobs), kiln::bench::median(served) / kiln::bench::median(jobs),
      1000 * each[each.size() / 2], 1000 * each[each.size() * 99 / 100], same);
  return same ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Plan plan;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const double number = i + 1 < argc ? std::atof(argv[i + 1]) : 0;
    if (word.rfind("--", 0) != 0) {
      std::ifstream file(word, std::ios::binary);
      if (plan.kiln.empty())
        plan.kiln = word;
      else
        plan.flames.emplace_back(std::istreambuf_iterator<char>(file),
                                 std::istreambuf_iterator<char>());
      continue;
    }
    if (word == "--requests") plan.requests = int(number);
    if (word == "--connections") plan.connections = int(number);
    if (word == "--side") plan.side = int(number);
    if (word == "--quality") plan.quality = number;
    if (word == "--rounds") plan.rounds = int(number);
    ++i;
  }
  if (plan.flames.empty() || plan.requests < 1 || plan.connections < 1 || plan.rounds < 1) {
    fmt::print(stderr,
               "usage: serve_bench KILN FILE... [--requests N] [--connections N] [--side PIXELS] "
               "[--quality Q] [--rounds N]\n");
    return 2;
  }
  try {
    return measure(plan);
  } catch (const std::exception& error) {
    fmt::print(stderr, "serve_bench: {}\n", error.what());
    return 1;
  }
}
