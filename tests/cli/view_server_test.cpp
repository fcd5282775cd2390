// SPDX-License-Identifier: MIT
// The server of kiln view from outside: its address over a restart, and who is kept from what.
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/live/live_flame.h"
#include "tests/cli/lone_user.h"
#include "tests/cli/rounds.h"
#include "tests/cli/view_page.h"

namespace kiln {
namespace {

using nlohmann::json;
using test::Page;
using test::WebClient;
using view_server = test::ViewProgram;

TEST_F(view_server, a_page_finds_the_program_again_after_a_restart) {
  const std::string serve = host();
  end();
  ASSERT_TRUE(begin({"a.flam3"}, serve));
  const std::string address_before = address, token_before = token;
  const std::string run = Page(port, token).wait("welcome").head.value("run", "");
  EXPECT_EQ(run.size(), 16u);
  EXPECT_EQ(Page(port, token).wait("welcome").head.value("run", ""), run);
  end();
  ASSERT_TRUE(begin({"a.flam3"}, serve));
  EXPECT_EQ(address, address_before);
  EXPECT_NE(Page(port, token).wait("welcome").head.value("run", ""), run);
  end();
  ASSERT_TRUE(begin({"a.flam3"}));  // any port: it has a token of its own
  EXPECT_NE(token, token_before);
}

TEST_F(view_server, a_token_is_believed_only_where_nobody_else_can_have_it) {
  const std::string serve = host();
  end();
  ASSERT_TRUE(begin({"a.flam3"}, serve));
  const std::string path = (desk / "kiln/view-") + "127.0.0.1-" + std::to_string(port) + ".token";
  EXPECT_EQ(test::read_file(path), token);
  struct stat status {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  const auto restarted_with_another = [&] {
    const std::string before = token;
    end();
    EXPECT_TRUE(begin({"a.flam3"}, serve));
    EXPECT_EQ(token.size(), 32u);
    EXPECT_EQ(test::read_file(path), token);
    EXPECT_EQ(stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600u);
    return token != before;
  };
  chmod(path.c_str(), 0640);
  EXPECT_TRUE(restarted_with_another());
  chmod(path.c_str(), 0604);
  EXPECT_TRUE(restarted_with_another());
  EXPECT_FALSE(restarted_with_another());
  test::write_file(path, token + token);
  EXPECT_TRUE(restarted_with_another());
  test::write_file(path, std::string(32, '/'));
  EXPECT_TRUE(restarted_with_another());
  EXPECT_EQ(token.find('/'), std::string::npos) << token;
  std::filesystem::rename(path, desk / "elsewhere");
  std::filesystem::create_symlink(desk / "elsewhere", path);
  EXPECT_TRUE(restarted_with_another());
  std::filesystem::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_TRUE(restarted_with_another());
  if (geteuid() == 0) {
    ASSERT_EQ(chown(path.c_str(), 12345, getgid()), 0);
    EXPECT_TRUE(restarted_with_another());
  }
}

/// Holds the usual port, unless somebody else does.
class UsualPort {
 public:
  UsualPort() {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(8571);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int yes = 1;
    setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(socket_, reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0)
      listen(socket_, 1);
  }
  ~UsualPort() { close(socket_); }

 private:
  const int socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
};

/// Where somebody else serves at the usual port, too; they may come and go meanwhile.
TEST_F(view_server, comes_back_at_the_port_that_it_had) {
  end();
  for (const bool is_taken : {false, true}) {
    SCOPED_TRACE(is_taken);
    const auto other = is_taken ? std::make_unique<UsualPort>() : nullptr;
    bool came_back = false;
    for (int attempt = 0; attempt < 5 && !came_back; ++attempt) {
      ASSERT_TRUE(begin({"a.flam3"}, "")) << test::read_file(logs / "err");
      const std::string before = address;
      EXPECT_GE(port, 8571 + is_taken);
      end();
      ASSERT_TRUE(begin({"a.flam3"}, "")) << test::read_file(logs / "err");
      came_back = address == before;
      end();
    }
    EXPECT_TRUE(came_back);
  }
}

TEST_F(view_server, half_requests_without_end_keep_nobody_out) {
  end();
  const auto few_descriptors = [] {
    const rlimit limit{128, 128};
    setrlimit(RLIMIT_NOFILE, &limit);
  };
  ASSERT_TRUE(begin({"a.flam3", "--no-browser"}, "127.0.0.1:0", few_descriptors));
  Page before(port, token);
  before.wait("flame");
  std::vector<std::unique_ptr<WebClient>> strangers;
  for (int i = 0; i < 300; ++i) {
    strangers.push_back(std::make_unique<WebClient>(port));
    strangers.back()->send_bytes("GET / HT");
  }
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(status("/?token=" + token, "Host: " + host() + "\r\n"), 200);
  Page page(port, token);
  page.wait("flame");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));  // or it took 20
  before.send({{"type", "ping"}, {"number", 1}});
  before.wait("pong");
}

TEST_F(view_server, saving_over_a_pipe_waits_for_nobody) {
  ASSERT_EQ(mkfifo((folder / "pipe.flam3").c_str(), 0600), 0);
  ASSERT_EQ(mkfifo((folder / "pipe.png").c_str(), 0600), 0);
  Page page(port, token);
  page.settled();
  for (const char* name : {"pipe.flam3", "pipe.png"}) {
    page.send({{"type", "save"}, {"name", name}, {"replace", true}});
    EXPECT_NE(page.error().find("pipe"), std::string::npos);
  }
  Page other(port, token);
  other.wait("flame");
}

/// Megabytes that the process has in memory now.
double resident_mb(pid_t process) {
  const std::string status = test::read_file("/proc/" + std::to_string(process) + "/status");
  const std::size_t at = status.find("VmRSS:");
  return at == std::string::npos ? 0 : std::atof(status.c_str() + at + 6) / 1024;
}

/// Whether a thread of it runs or waits for a core.
bool has_work(pid_t process) {
  std::error_code gone;
  for (const auto& task :
       std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task", gone)) {
    const std::string stat = test::read_file(task.path() / "stat");
    const std::size_t name_end = stat.rfind(") ");
    if (name_end != std::string::npos && stat[name_end + 2] == 'R') return true;
  }
  return false;
}

/// Megabytes of the process when all that it was asked for is done: what is under way on a busy machine
/// is not counted.
double mb_at_rest(pid_t process) {
  using namespace std::chrono_literals;
  const auto start = std::chrono::steady_clock::now();
  for (int quiet = 0; quiet < 10 && std::chrono::steady_clock::now() - start < 60s;
       std::this_thread::sleep_for(30ms))
    quiet = has_work(process) ? 0 : quiet + 1;
  return resident_mb(process);
}

/// What a page asks for beside edits: walls of mutations, of children, by chance and of all flames,
/// previews of what it thinks of, steps back; and other pages come, go to another flame, and leave.
void ask_for_more(Page& page, int number, const Flame& edited, int port, const std::string& token) {
  if (number % 3 == 0) {
    json wall = {{"type", "mutate"}, {"count", 6}, {"width", 96}, {"parent", true}};
    if (number % 2 == 0) wall["mate"] = number % 4;  // an opened flame, or none: an error is said
    if (number % 9 == 0) wall["random"] = true;
    page.send(wall);
  }
  if (number % 2 == 0)
    page.send({{"type", "pictures"}, {"width", 96}, {"flames", json(8, genome_xml(edited))}});
  if (number % 7 == 0) page.send({{"type", "wall"}, {"want", {0, 1}}, {"width", 120}});
  if (number % 11 == 0)
    for (const char* step : {"undo", "undo", "redo"}) page.send({{"type", step}});
  if (number % 25 != 0) return;
  Page other(port, token);
  other.send({{"type", "view"}, {"width", 640}, {"height", 360}, {"budget_ms", 40}});
  other.send({{"type", "select"}, {"index", 1}});
  other.send({{"type", "mutate"}, {"count", 4}, {"width", 96}});
  other.wait("thumbnail");
}

/// Sees what grows, each time with the same picture and nothing under way. What glibc keeps without a fixed
/// limit is, with two cores, a fifth more: too little to be told from chance, but for many edits.
/// KILN_TEST_ROUNDS=50 asks for 500.
TEST_F(view_server, resident_memory_is_steady_over_edits) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer keeps what is freed";
#endif
  const int edits = 10 * std::max(4, test::rounds(20));
  Page page(port, token);
  page.send({{"type", "view"}, {"width", 640}, {"height", 360}, {"budget_ms", 40}});
  page.settled();
  const Flame flame =
      read_flames(std::string(source_dir()) + "/flames/conch.flam3", {}).flames.at(0);
  double at_half = 0, at_last = 0, at_100 = 0;
  for (int number = 1; number <= edits; ++number) {
    const bool is_looked_at = number % 20 == 0;
    Flame edited = is_looked_at ? flame : mutated(flame, {0.2}, std::uint64_t(number));
    edited.width = 640;
    edited.height = 360;
    edited.quality = 20;
    if (number % 5 == 0 && !is_looked_at) edited.estimator_radius = number % 12;
    ask_for_more(page, number, edited, port, token);
    page.send({{"type", "edit"}, {"number", number}, {"flame", genome_xml(edited)}});
    page.wait("frame", [&](const Page::Said& said) {
      return said.head["number"] == number && (!is_looked_at || said.head["settled"] == true);
    });
    if (!is_looked_at) continue;
    at_last = mb_at_rest(program);
    if (number <= edits / 2) at_half = at_last;
    if (number == 100) at_100 = at_last;
    std::printf("%.1f MB after %d edits\n", at_last, number);
  }
  EXPECT_LT(at_last, 1.25 * at_half);
  EXPECT_LT(at_last, edits < 500 ? 1e9 : 1.1 * at_100);
}

/// At most so many of something, and as a user who has no other process.
std::function<void()> limited(int resource, rlim_t count) {
  return [=] {
    alarm(60);
    const rlimit limit{count, count};
    if (setrlimit(resource, &limit) != 0) _exit(99);
    if (resource == RLIMIT_NPROC && setuid(test::lone_user()) != 0) _exit(99);
  };
}

TEST_F(view_server, says_which_limit_it_meets) {
  end();
  std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
  const auto outcome = [&](int resource, rlim_t count) {
    const bool began = begin({"a.flam3", "--no-browser"}, "127.0.0.1:0", limited(resource, count));
    end();
    return std::pair(began, test::read_file(logs / "err"));
  };
  int refused = 0;
  for (rlim_t count = 4; count <= 12; ++count) {
    const auto [began, said] = outcome(RLIMIT_NOFILE, count);
    if (began || said.find("shared libraries") != std::string::npos) continue;  // not even begun
    ++refused;
    EXPECT_NE(said.find("ulimit -n"), std::string::npos) << count << ": " << said;
  }
  EXPECT_GT(refused, 0);
  if (geteuid() != 0 || !test::others_can_run_it()) return;  // such limits are of a user
  refused = 0;
  for (rlim_t count = 1; count <= 8; ++count) {
    const auto [began, said] = outcome(RLIMIT_NPROC, count);
    if (began) continue;
    ++refused;
    EXPECT_NE(said.find("ulimit -u"), std::string::npos) << count << ": " << said;
  }
  EXPECT_GT(refused, 0);
}

TEST_F(view_server, a_name_that_turns_the_direction_stays_one_character) {
  end();
  test::write_file(folder / "c.flame", test::triangle("name=\"&#x202e;evil\""));
  ASSERT_TRUE(begin({"c.flame"}));
  Page page(port, token);
  EXPECT_EQ(page.wait("welcome").head["flames"], json({"\u202eevil"}));
  const json flame = page.wait("flame").head;
  EXPECT_EQ(flame["name"], "\u202eevil");
  EXPECT_NE(flame["flame"].get<std::string>().find("name=\"\u202eevil\""), std::string::npos);
}

TEST_F(view_server, serves_where_its_folder_was_removed) {
  const std::string gone = folder / "gone", flame = folder / "a.flam3";
  std::filesystem::create_directory(gone);
  const auto in_gone = [&] {
    alarm(20);
    if (chdir(gone.c_str()) != 0 || rmdir(gone.c_str()) != 0) _exit(99);
  };
  const test::Outcome outcome = test::run_program(
      {"view", flame, "--no-browser", "--serve", "127.0.0.1:0", "--backend", "cpu"},
      {".", "", "/dev/full", in_gone});
  EXPECT_NE(outcome.err.find("where the address is printed"), std::string::npos) << outcome.err;
}

TEST_F(view_server, ends_where_its_address_cannot_be_said) {
  const test::Outcome outcome = test::run_program(
      {"view", "a.flam3", "--no-browser", "--serve", "127.0.0.1:0", "--backend", "cpu"},
      {folder.path(), "", "/dev/full", [] { alarm(20); }});
  EXPECT_EQ(outcome.code, 5);
  EXPECT_NE(outcome.err.find("standard output"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace kiln
