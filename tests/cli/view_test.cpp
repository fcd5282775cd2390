// SPDX-License-Identifier: MIT
// kiln view as pages meet it: who gets in, what is answered to nonsense, that a settled picture is
// the one of kiln render, and what may be written where.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "tests/cli/view_page.h"

namespace kiln {
namespace {

using nlohmann::json;
using test::Page;
using test::WebClient;
using view = test::ViewProgram;

TEST_F(view, tells_pages_what_files_can_be) {
  const std::string answer = WebClient(port).get("/formats.json?token=" + token,
                                                 "Host: " + host() + "\r\nConnection: close\r\n");
  std::map<std::string, json> formats;
  for (const json& one : json::parse(answer.substr(answer.find("\r\n\r\n"))))
    formats[one["endings"][0]] = one;
  EXPECT_EQ(formats.at("png"), json::parse(R"({"endings": ["png"], "says": "PNG", "shown": true,
                                               "alpha": true, "depths": [8, 16]})"));
  EXPECT_EQ(formats.at("jpg"), json::parse(R"({"endings": ["jpg", "jpeg"], "says": "JPEG",
                                               "shown": true, "alpha": false, "depths": [8]})"));
  EXPECT_EQ(formats.at("exr")["depths"], json({8}));
  const json mov = {{"endings", {"mov"}}, {"says", "MOV (ProRes)"}, {"shown", false},
                    {"alpha", true},      {"film", true},           {"sound", true}};
  EXPECT_EQ(formats.at("mov"), mov);
  EXPECT_EQ(formats.at("gif")["sound"], false);
  EXPECT_FALSE(formats.contains("ppm")) << "it has no place for the flame";
}

TEST_F(view, lets_in_who_knows_the_token_and_comes_from_its_own_page) {
  EXPECT_EQ(token.size(), 32u);
  const std::string here = "Host: " + host() + "\r\n";
  EXPECT_EQ(status("/variations.json?token=" + token, here), 200);
  EXPECT_EQ(status("/palettes.json?token=" + token, here), 200);
  EXPECT_EQ(status("/attributes.json?token=" + token, here), 200);
  EXPECT_EQ(status("/formats.json?token=" + token, here), 200);
  EXPECT_EQ(status("/variations.json", here), 403);
  EXPECT_EQ(status("/variations.json?token=" + std::string(32, '0'), here), 403);
  EXPECT_EQ(status("/variations.json?token=" + token + "0", here), 403);
  EXPECT_EQ(status("/variations.json?token=" + token + token, here), 403);
  EXPECT_EQ(status("/variations.json?token=" + token, "Host: evil.example\r\n"), 403);
  EXPECT_EQ(status("/?token=" + token, "Host: localhost:1234\r\n"), 200);  // a tunnel
  EXPECT_EQ(status("/?token=" + token, "Host: localhost:80@evil.example\r\n"), 403);
  EXPECT_EQ(status("/?token=" + token, "Host: localhost:\r\n"), 403);
  EXPECT_EQ(status("/?token=" + token, "Host: [::1]\r\n"), 200);
  EXPECT_EQ(status("/?token=" + token, "Host: [::1]:1234\r\n"), 200);
  EXPECT_EQ(status("/../a.flam3", here), 404);
  EXPECT_EQ(status("/a.flam3?token=" + token, here), 404);

  EXPECT_EQ(socket_status(token, WebClient::upgrade(host())), 101);
  EXPECT_EQ(socket_status(token, WebClient::upgrade(host(), "http://" + host())), 101);
  EXPECT_EQ(socket_status(token, WebClient::upgrade(host(), "https://" + host())), 101);
  EXPECT_EQ(socket_status(token, WebClient::upgrade(host(), "http://evil.example")), 403);
  EXPECT_EQ(socket_status(token, WebClient::upgrade(host(), "http://" + host() + ".evil.example")),
            403);
  EXPECT_EQ(socket_status(token, WebClient::upgrade(host(), "https://" + host() + ".evil.example")),
            403);
  EXPECT_EQ(socket_status(token, WebClient::upgrade("evil.example", "http://evil.example")), 403);
  EXPECT_EQ(socket_status("", WebClient::upgrade(host())), 403);
  EXPECT_EQ(socket_status(token.substr(1), WebClient::upgrade(host())), 403);
  EXPECT_EQ(socket_status(token, here), 400);
}

/// What other users may see of the browser that is opened: not the token.
TEST_F(view, opens_the_browser_by_a_page_that_nobody_else_reads) {
  end();
  for (const bool has_own_folder : {true, false}) {
    SCOPED_TRACE(has_own_folder);
    const test::ScratchFolder desk;
    test::write_file(desk / "xdg-open",
                     "#!/bin/sh\nreadlink /proc/$$/fd/* > $DESK/open; stat -c %a \"$1\" > "
                     "$DESK/mode; cp \"$1\" $DESK/page; echo \"$@\" > "
                     "$DESK/new && mv $DESK/new $DESK/words\n");
    chmod((desk / "xdg-open").c_str(), 0700);
    const auto prepare = [&] {
      const std::string path = desk.path() + ":" + std::getenv("PATH");
      setenv("PATH", path.c_str(), 1);
      setenv("DESK", desk.path().c_str(), 1);
      setenv("XDG_RUNTIME_DIR", has_own_folder ? desk.path().c_str() : "", 1);
      setenv("TMPDIR", desk.path().c_str(), 1);
      setenv("DISPLAY", ":99", 1);
    };
    ASSERT_TRUE(begin({"a.flam3"}, "127.0.0.1:0", prepare)) << test::read_file(logs / "err");
    for (int i = 0; i < 600 && !std::filesystem::exists(desk / "words"); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::string words = test::read_file(desk / "words");
    ASSERT_FALSE(words.empty());
    words.pop_back();
    EXPECT_EQ(words.find(token), std::string::npos) << words;
    EXPECT_TRUE(std::filesystem::exists(words));
    EXPECT_EQ(std::filesystem::path(words).parent_path(), desk.path());
    EXPECT_EQ(test::read_file(desk / "mode"), "600\n");
    const std::string open = test::read_file(desk / "open");
    EXPECT_EQ(open.find("socket:"), std::string::npos) << open;  // or the port stays taken
    const std::string to = address.substr(0, address.size() - 1);
    EXPECT_NE(test::read_file(desk / "page").find("url=" + to + "\""), std::string::npos);
    end();
    EXPECT_FALSE(std::filesystem::exists(words));
  }
}

TEST_F(view, answers_at_the_address_that_it_serves) {
  end();
  ASSERT_TRUE(begin({"a.flam3"}, "127.0.0.2:0")) << test::read_file(logs / "err");
  const std::string served = "Host: 127.0.0.2:" + std::to_string(port) + "\r\n";
  const auto answer = [&](const std::string& host) {
    return WebClient(port, INADDR_LOOPBACK + 1).get("/", host + "Connection: close\r\n");
  };
  EXPECT_EQ(answer(served).substr(9, 3), "200");
  EXPECT_EQ(answer("Host: 127.0.0.3\r\n").substr(9, 3), "403");
}

TEST_F(view, settles_to_the_picture_of_render) {
  Page page(port, token);
  EXPECT_EQ(page.wait("welcome").head["flames"], json({"a", "b"}));
  const json flame = page.wait("flame").head;
  EXPECT_EQ(flame["own"], false);
  const Page::Said first = page.settled();
  EXPECT_EQ(first.head["hash"], rendered_hash("a.flam3"));
  EXPECT_EQ(first.head["format"], "png");
  EXPECT_EQ(first.picture.substr(1, 3), "PNG");

  test::write_file(folder / "c.flam3", test::triangle("name=\"c\" gamma=\"2\" rotate=\"30\""));
  const std::string edited = test::read_file(folder / "c.flam3");
  for (int number = 1; number <= 30; ++number)
    page.send({{"type", "edit"}, {"number", number}, {"gesture", 1}, {"flame", edited}});
  EXPECT_EQ(page.settled(30).head["hash"], rendered_hash("c.flam3"));
  page.send({{"type", "undo"}});
  page.wait("flame", [](const Page::Said& said) { return said.head["undo"] == 0; });
  EXPECT_EQ(page.settled(30).head["hash"], first.head["hash"]);
  page.send({{"type", "select"}, {"index", 1}});
  page.wait("flame", [](const Page::Said& said) { return said.head["name"] == "b"; });
  EXPECT_EQ(page.settled(30).head["hash"], rendered_hash("b.flam3"));
}

/// Rows of a JPEG as its file says them; 0 where it is none.
int jpeg_rows(const std::string& file) {
  const auto byte = [&](std::size_t i) { return i < file.size() ? std::uint8_t(file[i]) : 0; };
  for (std::size_t at = 2; byte(0) == 0xff && byte(1) == 0xd8 && byte(at) == 0xff;
       at += 2 + std::size_t(byte(at + 2) * 256 + byte(at + 3))) {
    if (byte(at + 1) == 0xc0) return byte(at + 5) * 256 + byte(at + 6);
  }
  return 0;
}

TEST_F(view, sends_large_pictures_in_stripes) {
  Page page(port, token);
  page.wait("flame");
  std::string large = test::triangle();
  large.replace(large.find("32 24"), 5, "1400 1001");
  large.replace(large.find("quality=\"5"), 10, "quality=\"50");  // unsettled for a while
  page.send({{"type", "edit"}, {"number", 1}, {"flame", large}});
  const Page::Said said = page.wait("frame", [](const Page::Said& one) {
    return one.head["number"] == 1 && one.head["width"] == 1400 && one.head["settled"] == false;
  });
  EXPECT_EQ(said.frames, 1);  // not hundreds of 4 KB
  ASSERT_GT(said.head["stripes"].size(), 1u);
  std::size_t at = 0;
  int row = 0;
  for (const json& stripe : said.head["stripes"]) {
    EXPECT_EQ(row % 16, 0);  // what a JPEG has together is not cut
    EXPECT_EQ(jpeg_rows(said.picture.substr(at, stripe["bytes"])), stripe["height"]);
    at += std::size_t(stripe["bytes"]);
    row += int(stripe["height"]);
  }
  EXPECT_EQ(at, said.picture.size());
  EXPECT_EQ(row, 1001);
  EXPECT_EQ(page.settled(1).head["stripes"].size(), 1u);  // a file that can be kept
}

TEST_F(view, pages_see_the_edits_of_others) {
  Page one(port, token), two(port, token);
  two.wait("flame");
  one.send({{"type", "edit"}, {"number", 5}, {"flame", test::triangle("name=\"new\"")}});
  const json own =
      one.wait("flame", [](const Page::Said& said) { return said.head["own"] == true; }).head;
  EXPECT_EQ(own["number"], 5);
  EXPECT_FALSE(own.contains("flame"));
  const json other = two.wait("flame").head;
  EXPECT_EQ(other["own"], false);
  EXPECT_EQ(other["name"], "new");
  EXPECT_NE(other["flame"].get<std::string>().find("name=\"new\""), std::string::npos);
  EXPECT_EQ(one.settled(5).head["hash"], two.settled(0).head["hash"]);
}

/// A page that is told of its flame takes no picture before that for the finished one.
TEST_F(view, a_wish_that_changes_nothing_is_answered_with_the_picture) {
  Page first(port, token), second(port, token);
  const json hash = first.settled().head["hash"];
  EXPECT_EQ(second.settled().head["hash"], hash);
  for (const json& wish : {json{{"type", "select"}, {"index", 0}}, json{{"type", "undo"}},
                           json{{"type", "redo"}}, json{{"type", "stop"}}}) {
    first.send(wish);
    for (Page* const page : {&first, &second}) {
      page->wait("flame");
      EXPECT_EQ(page->settled().head["hash"], hash) << wish;
    }
  }
}

TEST_F(view, a_flame_is_closed_and_the_others_keep_their_places) {
  Page one(port, token), two(port, token);
  two.wait("flame");
  one.send({{"type", "edit"}, {"number", 1}, {"flame", test::triangle("name=\"edited\"")}});
  two.wait("flame", [](const Page::Said& said) { return said.head["name"] == "edited"; });
  one.send({{"type", "close"}, {"index", 0}});
  for (Page* page : {&one, &two}) {
    page->wait("flame", [](const Page::Said& said) {
      return said.head["index"] == 1 && said.head["name"] == "b";
    });
    EXPECT_EQ(page->wait("flames").head["flames"], json({nullptr, "b"}));
    EXPECT_EQ(page->settled(page == &one ? 1 : 0).head["hash"], rendered_hash("b.flam3"));
  }
  for (const int index : {0, 1, 7}) {  // closed already, the last one, none
    one.send({{"type", "close"}, {"index", index}});
    EXPECT_NE(one.error(), "") << index;
  }
  one.send({{"type", "select"}, {"index", 0}});
  EXPECT_NE(one.error(), "");
  one.send({{"type", "play"}, {"seconds", 1}});
  one.wait("frame", [](const Page::Said& said) { return said.head["index"] == 1; });
  EXPECT_EQ(Page(port, token).wait("welcome").head["unsaved"], json::array());
}

TEST_F(view, answers_nonsense_and_goes_on) {
  Page page(port, token);
  page.wait("flame");
  for (const char* text :
       {"",
        "x",
        "null",
        "[]",
        "{}",
        "{\"type\":7}",
        "{\"type\":\"nothing\"}",
        "{\"type\":\"edit\"}",
        "{\"type\":\"edit\",\"number\":-1,\"flame\":\"\"}",
        "{\"type\":\"edit\",\"number\":1e300,\"flame\":\"\"}",
        "{\"type\":\"edit\",\"number\":1,\"flame\":7}",
        "{\"type\":\"edit\",\"number\":1,\"flame\":\"<flame\"}",
        "{\"type\":\"edit\",\"number\":1,\"flame\":\"<flame size='9999999 9999999'/>\"}",
        "{\"type\":\"view\",\"width\":0,\"height\":5}",
        "{\"type\":\"view\",\"width\":null}",
        "{\"type\":\"view\",\"width\":1e9,\"height\":1e9}",
        "{\"type\":\"select\",\"index\":99}",
        "{\"type\":\"select\",\"index\":-1}",
        "{\"type\":\"close\",\"index\":99}",
        "{\"type\":\"close\"}",
        "{\"type\":\"mutate\",\"count\":1000000}",
        "{\"type\":\"play\",\"seconds\":0}",
        "{\"type\":\"save\"}",
        "{\"type\":\"shown\"}"}) {
    page.client().send(text);
    EXPECT_NE(page.error(), "") << text;
  }
  page.client().send(std::string(100000, '['));
  EXPECT_NE(page.error(), "");
  page.client().send("\x01\x02\x03", 2);  // binary
  EXPECT_NE(page.error(), "");
  page.send({{"type", "ping"}, {"number", 3}});
  EXPECT_EQ(page.wait("pong").head["number"], 3);
}

TEST_F(view, a_broken_page_stops_nothing) {
  Page good(port, token);
  good.wait("flame");
  {
    Page page(port, token);
    page.client().send("\xff\xfe not UTF-8");
    Page second(port, token);
    second.client().send_bytes("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff");
    Page third(port, token);
    third.client().send(std::string(3 << 20, 'x'));  // more than a message may have
    Page fourth(port, token);
    fourth.client().send("{\"type\":", 1, false);  // never ends
    WebClient(port).send_bytes("GET / HT");
    WebClient(port).send_bytes(std::string(100000, 'A') + "\r\n\r\n");
  }
  good.send({{"type", "ping"}, {"number", 4}});
  EXPECT_EQ(good.wait("pong").head["number"], 4);
  EXPECT_TRUE(test::is_running(program));
}

TEST_F(view, sixteen_pages_are_open_and_no_more) {
  std::vector<std::unique_ptr<Page>> pages;
  for (int i = 0; i < 17; ++i) pages.push_back(std::make_unique<Page>(port, token));
  EXPECT_EQ(pages[15]->answer.substr(9, 3), "101");
  EXPECT_EQ(pages[16]->answer.substr(9, 3), "503");
}

TEST_F(view, sends_no_third_picture_before_one_is_shown) {
  Page claims(port, token), two(port, token);
  claims.shows = false;
  const json never = {{"type", "shown"}, {"frame", 1e15}};  // a picture that was not sent
  two.settled();
  claims.wait("frame");
  claims.send(never);
  for (int number = 1; number <= 6; ++number) {
    const std::string flame = test::triangle("gamma=\"" + std::to_string(number) + "\"");
    two.send({{"type", "edit"}, {"number", number}, {"flame", flame}});
    two.settled(std::uint64_t(number));
  }
  claims.send({{"type", "ping"}, {"number", 1}});
  claims.wait("pong");
  EXPECT_LE(claims.frames_of.size(), 4u);  // two before it said so, and two after
}

TEST_F(view, a_picture_that_waits_goes_with_its_flame) {
  Page page(port, token), two(port, token);
  page.shows = false;
  page.wait("flame");
  for (int number = 1; number <= 3; ++number) {
    const std::string flame = test::triangle("gamma=\"" + std::to_string(number) + "\"");
    two.send({{"type", "edit"}, {"number", number}, {"flame", flame}});
    two.settled(std::uint64_t(number));  // so that the other page's has come as well
  }
  page.send({{"type", "select"}, {"index", 1}});
  page.wait("flame", [](const Page::Said& said) { return said.head["name"] == "b"; });
  const std::size_t before = page.frames_of.size();
  EXPECT_LE(before, 2u);
  page.shows = true;
  page.send({{"type", "shown"}, {"frame", page.last_frame}});
  page.wait("frame", [](const Page::Said& said) { return said.head["settled"] == true; });
  for (std::size_t i = before; i < page.frames_of.size(); ++i) EXPECT_EQ(page.frames_of[i], 1);
}

TEST_F(view, sixteen_pictures_are_waited_for_and_no_more) {
  Page page(port, token);
  page.wait("flame");
  std::string endless = test::triangle();
  endless.replace(endless.find("quality=\"5"), 10, "quality=\"1e8");
  page.send({{"type", "edit"}, {"number", 1}, {"flame", endless}});
  for (int i = 0; i < 17; ++i) {
    page.send({{"type", "save"}, {"name", std::to_string(i) + ".png"}});
    const json said =
        page.wait("message", [](const Page::Said& one) { return one.head["text"] != ""; }).head;
    EXPECT_EQ(said["kind"], i < 16 ? "info" : "error") << said["text"];
  }
}

TEST_F(view, too_many_messages_are_dropped) {
  Page page(port, token);
  page.wait("flame");
  for (int i = 0; i < 3000; ++i) page.send({{"type", "ping"}, {"number", i}});
  EXPECT_NE(page.error().find("too many"), std::string::npos);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  page.send({{"type", "ping"}, {"number", 9999}});
  page.wait("pong", [](const Page::Said& said) { return said.head["number"] == 9999; });
}

TEST_F(view, saves_here_and_nowhere_else) {
  Page page(port, token);
  page.settled();
  for (const char* name : {"../x.flam3", "/tmp/x.flam3", "a/x.flam3", ".x.flam3", "x.txt", "x",
                           ".flam3", "-x.flam3", "x\n.flam3", ""}) {
    page.send({{"type", "save"}, {"name", name}});
    EXPECT_NE(page.error(), "") << name;
  }
  std::filesystem::create_symlink(logs / "elsewhere.flam3", folder / "link.flam3");
  page.send({{"type", "save"}, {"name", "link.flam3"}, {"replace", true}});
  EXPECT_NE(page.error(), "");
  EXPECT_FALSE(std::filesystem::exists(logs / "elsewhere.flam3"));
  const auto before = folder.entries();

  page.send({{"type", "save"}, {"name", "a.flam3"}});
  EXPECT_EQ(page.wait("exists").head["name"], "a.flam3");
  EXPECT_EQ(folder.entries(), before);
  page.send({{"type", "save"}, {"name", "new.flam3"}});
  EXPECT_EQ(page.wait("saved").head["name"], "new.flam3");
  const std::string hash = rendered_hash("a.flam3");
  EXPECT_EQ(rendered_hash("new.flam3"), hash);
  page.send({{"type", "save"}, {"name", "new.png"}});
  EXPECT_EQ(page.wait("saved").head["hash"], hash);
  EXPECT_EQ(rendered_hash("new.png"), hash);  // the file has its flame
  // a picture that is not finished yet is waited for
  std::string slow = test::triangle();
  slow.replace(slow.find("quality=\"5\""), 11, "quality=\"3000\"");
  test::write_file(folder / "slow.flam3", slow);
  page.send({{"type", "edit"}, {"number", 1}, {"flame", slow}});
  page.send({{"type", "save"}, {"name", "later.png"}});
  const json saved = page.wait("saved").head;
  EXPECT_EQ(saved["name"], "later.png");
  EXPECT_EQ(saved["hash"], rendered_hash("slow.flam3"));
}

TEST_F(view, makes_flames_to_choose_from) {
  Page page(port, token);
  page.wait("flame");
  page.send({{"type", "mutate"}, {"count", 3}, {"width", 24}});
  const json set = page.wait("mutations").head;
  EXPECT_EQ(set["count"], 3);
  std::set<int> places;  // they come as they are ready
  for (int number = 1; number <= 3; ++number) {
    const Page::Said one = page.wait("thumbnail");
    EXPECT_EQ(one.head["set"], set["set"]);
    places.insert(int(one.head["place"]));
    EXPECT_EQ(one.head["width"], 24);
    EXPECT_EQ(one.picture.substr(0, 2), "\xff\xd8");
    page.send({{"type", "edit"}, {"number", number}, {"flame", one.head["flame"]}});
  }
  EXPECT_EQ(places, (std::set<int>{0, 1, 2}));
  page.send({{"type", "random"}, {"seed", 5}});
  const json random =
      page.wait("flame", [](const Page::Said& said) { return said.head["name"] == "random-5"; })
          .head;
  EXPECT_EQ(random["undo"], 4);
  page.send({{"type", "play"}, {"seconds", 1}});
  EXPECT_EQ(page.wait("playing").head["on"], true);
  page.wait("frame");
  page.send({{"type", "stop"}});
  EXPECT_EQ(page.wait("playing").head["on"], false);
}

TEST(view_program, refuses_other_machines_and_bad_addresses) {
  const test::ScratchFolder folder;
  test::write_file(folder / "a.flam3", test::triangle());
  const auto refusal = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"view", "a.flam3", "--no-browser"});
    const test::Outcome outcome = test::run_program(words, {folder.path(), "", "", {}});
    return std::to_string(outcome.code) + outcome.err;
  };
  if (refusal({"--serve", "x"}).find("built without") != std::string::npos) GTEST_SKIP();
  for (const char* address : {"x", "127.0.0.1:", "127.0.0.1:99999", ":-1", "127.0.0.1:8x"})
    EXPECT_EQ(refusal({"--serve", address}).substr(0, 1), "2") << address;
  EXPECT_NE(refusal({"--serve", "0.0.0.0:0"}).find("--allow-remote"), std::string::npos);
  EXPECT_EQ(refusal({"--serve", "0.0.0.0:0"})[0], '2');
  EXPECT_EQ(refusal({"--allow-remote"})[0], '2');
  EXPECT_EQ(refusal({"--serve", "256.1.1.1:0", "--allow-remote"})[0], '5');
}

}  // namespace
}  // namespace kiln
