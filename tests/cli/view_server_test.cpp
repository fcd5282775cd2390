// The server of kiln view from outside: its address over a restart, and who is kept from what.
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

/// Where somebody else serves at the usual port, too; they may come and go meanwhile.
TEST_F(view_server, comes_back_at_the_port_that_it_had) {
  end();
  bool came_back = false;
  for (int attempt = 0; attempt < 5 && !came_back; ++attempt) {
    ASSERT_TRUE(begin({"a.flam3"}, "")) << test::read_file(logs / "err");
    const std::string before = address;
    EXPECT_GE(port, 8571);
    end();
    ASSERT_TRUE(begin({"a.flam3"}, "")) << test::read_file(logs / "err");
    came_back = address == before;
    end();
  }
  EXPECT_TRUE(came_back);
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

}  // namespace
}  // namespace kiln
