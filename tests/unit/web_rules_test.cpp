// SPDX-License-Identifier: MIT
// Whom the servers of kiln view and kiln serve believe, and how they read the target of a request.
#include "view/server/web_rules.h"

#include <gtest/gtest.h>

#include "view/server/waiting_messages.h"

namespace kiln::cli {
namespace {

TEST(web_rules, a_target_is_a_path_and_values_by_name) {
  const WebTarget target("/render?width=640&set=gamma%3D3&set=a+b&transparent&&=x&token=ab%zz%4");
  EXPECT_EQ(target.path, "/render");
  ASSERT_EQ(target.query.size(), 6u);
  EXPECT_EQ(target.value("width"), "640");
  EXPECT_EQ(target.query[1].second, "gamma=3");
  EXPECT_EQ(target.value("set"), "a b");  // the last one
  EXPECT_EQ(target.query[3].first, "transparent");
  EXPECT_EQ(target.query[3].second, "");
  EXPECT_EQ(target.query[4].second, "x");
  EXPECT_EQ(target.value("token"), "ab%zz%4");
  EXPECT_EQ(target.value("none"), "");
  EXPECT_EQ(WebTarget("").path, "");
  EXPECT_TRUE(WebTarget("/a?").query.empty());
  EXPECT_EQ(WebTarget("?a=1").value("a"), "1");
}

TEST(web_rules, a_secret_is_all_of_it) {
  EXPECT_TRUE(same_secret("abc", "abc"));
  for (const char* guess : {"", "ab", "abcd", "abcabc", "abd", "Abc"})
    EXPECT_FALSE(same_secret(guess, "abc")) << guess;
}

TEST(web_rules, a_page_of_another_name_is_somebody_elses) {
  const auto local = [](const char* host, const char* origin) {
    return is_trusted(host, origin, "127.0.0.1", false);
  };
  EXPECT_TRUE(local("127.0.0.1:8590", ""));
  EXPECT_TRUE(local("localhost:8590", "http://localhost:8590"));
  EXPECT_TRUE(local("[::1]:8590", "https://[::1]:8590"));
  EXPECT_FALSE(local("evil.example:8590", ""));
  EXPECT_FALSE(local("localhost.evil.example", ""));
  EXPECT_FALSE(local("", ""));
  EXPECT_FALSE(local("localhost:8590", "http://localhost:8591"));
  EXPECT_FALSE(local("localhost:8590", "null"));
  EXPECT_TRUE(is_trusted("127.0.0.2:1", "", "127.0.0.2", false));
  EXPECT_TRUE(is_trusted("render.example", "", "0.0.0.0", true));
  EXPECT_FALSE(is_trusted("render.example", "http://evil.example", "0.0.0.0", true));
}

WaitingMessages with_parts() {
  WaitingMessages waiting;
  waiting.add({"{picture}", true, false});
  for (int i = 0; i < 3; ++i) waiting.add({std::string(100, char('a' + i)), false, true});
  waiting.add({"{word}", true, false});
  return waiting;
}

/// What a page would get.
std::string all_of(WaitingMessages waiting) {
  std::string all;
  while (!waiting.empty()) {
    all += (waiting.first().is_text ? " " : " -") + waiting.first().bytes.substr(0, 9);
    waiting.take_first();
  }
  EXPECT_EQ(waiting.bytes(), 0u) << "or the page is sent away for what it never was sent";
  return all;
}

TEST(waiting_messages, parts_that_wait_are_left_out_for_a_word) {
  WaitingMessages waiting = with_parts();
  EXPECT_EQ(waiting.bytes(), 315u);
  EXPECT_TRUE(waiting.drop_parts("{none}"));
  EXPECT_EQ(waiting.bytes(), 21u);
  EXPECT_EQ(waiting.count(), 3u);
  EXPECT_EQ(all_of(waiting), " {picture} {none} {word}");
  EXPECT_FALSE(waiting.drop_parts("{none}")) << "there are none any more";
}

TEST(waiting_messages, a_part_that_is_under_way_is_sent) {
  WaitingMessages waiting = with_parts();
  waiting.take_first();
  EXPECT_TRUE(waiting.drop_parts("{none}"));
  EXPECT_EQ(all_of(waiting), " -aaaaaaaaa {none} {word}");
  WaitingMessages last = with_parts();
  for (int i = 0; i < 3; ++i) last.take_first();
  EXPECT_FALSE(last.drop_parts("{none}")) << "the picture is whole with it";
  EXPECT_EQ(all_of(last), " -ccccccccc {word}");
  EXPECT_FALSE(WaitingMessages().drop_parts("{none}"));
}

}  // namespace
}  // namespace kiln::cli
