// SPDX-License-Identifier: MIT
// Whom the servers of kiln view and kiln serve believe, and how they read the target of a request.
#include "view/server/web_rules.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace kiln::cli
