// SPDX-License-Identifier: MIT
// The queue of kiln serve without sockets: turns, limits, ends, and what a failure leaves behind.
#include "view/service/render_service.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace kiln::cli {
namespace {

using namespace std::chrono_literals;
using State = RenderService::State;

Served picture(const std::string& bytes) {
  Served served;
  served.picture = bytes;
  served.type = "image/png";
  return served;
}

/// A cook that notes what it makes and waits where the order says "wait".
class render_service : public testing::Test {
 protected:
  Served make(const RenderService::Work& work) {
    const std::string what = work.order.words.at(0);
    {
      const std::lock_guard lock(mutex);
      made.push_back(what);
    }
    if (what == "fail") throw std::runtime_error("burnt");
    if (what.starts_with("fail ")) throw std::runtime_error(what);
    while (what == "wait" && !go && !work.stop.stop_requested()) std::this_thread::sleep_for(1ms);
    if (work.stop.stop_requested()) {
      Served stopped;
      stopped.status = 500;
      stopped.message = "stopped";
      return stopped;
    }
    Progress half;
    half.done = 0.5;
    work.on_progress(half);
    return picture(what);
  }
  std::unique_ptr<RenderService> begin(RenderService::Limits limits = {}) {
    return std::make_unique<RenderService>(
        limits, [this](const RenderService::Work& work) { return make(work); },
        [this](const std::string&) { ++changes; });
  }
  static Order order(const std::string& client, const std::string& what, bool is_kept = true) {
    Order order;
    order.client = client;
    order.words = {what};
    order.is_kept = is_kept;
    return order;
  }
  /// Waits until it holds.
  static bool soon(const std::function<bool()>& holds) {
    for (int i = 0; i < 5000 && !holds(); ++i) std::this_thread::sleep_for(2ms);
    return holds();
  }
  static bool is_over(RenderService& service, const std::string& id) {
    return soon([&] { return service.look(id)->is_over(); });
  }
  std::vector<std::string> all_made() {
    const std::lock_guard lock(mutex);
    return made;
  }

  std::mutex mutex;
  std::vector<std::string> made;
  std::atomic<bool> go = false;
  std::atomic<int> changes = 0;
};

TEST_F(render_service, makes_a_picture_and_keeps_it_until_it_is_forgotten) {
  const auto service = begin();
  const auto [id, refusal] = service->add(order("a", "x"));
  ASSERT_FALSE(refusal);
  ASSERT_TRUE(is_over(*service, id));
  const auto look = service->look(id);
  EXPECT_EQ(look->state, State::done);
  EXPECT_EQ(look->served->picture, "x");
  EXPECT_EQ(look->progress.done, 0.5);
  EXPECT_GE(changes, 3);  // begun, half, done
  EXPECT_TRUE(service->cancel(id));
  EXPECT_FALSE(service->look(id));
  EXPECT_FALSE(service->cancel(id));
  EXPECT_EQ(service->counts().kept, 0u);
  EXPECT_EQ(service->counts().done, 1u);
}

TEST_F(render_service, one_that_is_not_kept_is_heard_of_once) {
  const auto service = begin();
  std::promise<std::shared_ptr<const Served>> came;
  const auto id =
      service->add(order("a", "x", false), [&](auto served) { came.set_value(served); }).first;
  EXPECT_EQ(came.get_future().get()->picture, "x");
  EXPECT_TRUE(soon([&] { return !service->look(id); }));
  EXPECT_EQ(changes, 0);
}

TEST_F(render_service, a_client_with_many_jobs_does_not_stand_before_one_with_one) {
  const auto service = begin();
  service->add(order("a", "wait"));
  ASSERT_TRUE(soon([&] { return service->counts().rendering == 1; }));
  for (const char* what : {"a1", "a2", "a3"}) service->add(order("a", what));
  const auto last = service->add(order("b", "b1")).first;
  EXPECT_EQ(service->look(last)->before, 4u);
  for (const char* what : {"b2"}) service->add(order("b", what));
  const auto end = service->add(order("c", "c1")).first;
  go = true;
  ASSERT_TRUE(is_over(*service, end));
  ASSERT_TRUE(soon([&] { return service->is_idle(); }));
  EXPECT_EQ(all_made(), (std::vector<std::string>{"wait", "b1", "c1", "a1", "b2", "a2", "a3"}));
}

TEST_F(render_service, a_client_has_so_many_jobs_and_no_more) {
  RenderService::Limits limits;
  limits.waiting = 2;
  limits.all_waiting = 3;
  const auto service = begin(limits);
  service->add(order("a", "wait"));
  ASSERT_TRUE(soon([&] { return service->counts().rendering == 1; }));
  const auto second = service->add(order("a", "a2"));
  EXPECT_FALSE(second.second);
  const auto third = service->add(order("a", "a3"));
  ASSERT_TRUE(third.second);
  EXPECT_EQ(third.second->status, 429);
  EXPECT_GE(third.second->retry_s, 1);
  EXPECT_FALSE(service->add(order("b", "b1")).second);  // another client has its own
  EXPECT_FALSE(service->add(order("c", "c1")).second);
  EXPECT_EQ(service->add(order("d", "d1")).second->status, 503);  // all together
  service->cancel(second.first);
  EXPECT_FALSE(service->add(order("a", "a4")).second);  // there is room again
  go = true;
}

TEST_F(render_service, goes_on_after_a_failure) {
  const auto service = begin();
  const auto bad = service->add(order("a", "fail")).first;
  const auto good = service->add(order("a", "x")).first;
  ASSERT_TRUE(is_over(*service, good));
  EXPECT_EQ(service->look(bad)->state, State::failed);
  EXPECT_EQ(service->look(bad)->served->status, 500);
  EXPECT_EQ(service->look(bad)->served->message, "burnt");
  EXPECT_EQ(service->look(good)->state, State::done);
  EXPECT_EQ(service->counts().failed, 1u);
}

TEST_F(render_service, what_waits_and_what_is_rendered_can_be_cancelled) {
  const auto service = begin();
  const auto first = service->add(order("a", "wait")).first;
  ASSERT_TRUE(soon([&] { return service->counts().rendering == 1; }));
  const auto second = service->add(order("a", "x")).first;
  const auto third = service->add(order("a", "y")).first;
  EXPECT_TRUE(service->cancel(second));
  EXPECT_EQ(service->look(second)->state, State::cancelled);
  EXPECT_TRUE(service->cancel(first));
  ASSERT_TRUE(is_over(*service, first));
  EXPECT_EQ(service->look(first)->state, State::cancelled);
  ASSERT_TRUE(is_over(*service, third));
  EXPECT_EQ(service->look(third)->state, State::done);
  EXPECT_EQ(all_made(), (std::vector<std::string>{"wait", "y"}));
}

TEST_F(render_service, a_picture_has_so_long_and_the_next_one_its_own_time) {
  RenderService::Limits limits;
  limits.seconds = 5;
  const auto service = begin(limits);
  const auto first = service->add(order("a", "wait")).first;
  const auto second = service->add(order("a", "x")).first;
  ASSERT_TRUE(soon([&] { return service->counts().rendering == 1; }));
  service->tick();
  EXPECT_FALSE(service->look(first)->is_over());
  service->tick(std::chrono::steady_clock::now() + 6s);
  ASSERT_TRUE(is_over(*service, first));
  EXPECT_EQ(service->look(first)->served->status, 422);
  EXPECT_NE(service->look(first)->served->message.find("5 s"), std::string::npos);
  ASSERT_TRUE(is_over(*service, second));
  EXPECT_EQ(service->look(second)->state, State::done);
}

TEST_F(render_service, pictures_that_nobody_fetches_go) {
  RenderService::Limits limits;
  limits.kept_bytes = 20000;
  const auto service = begin(limits);
  const std::string large(7000, 'x');
  std::string ids[3];
  for (std::string& id : ids) {
    id = service->add(order("a", large)).first;
    ASSERT_TRUE(is_over(*service, id));
  }
  EXPECT_FALSE(service->look(ids[0]));
  EXPECT_FALSE(!service->look(ids[2]));
  EXPECT_EQ(service->counts().kept, 1u);  // 11 KB each
  service->tick(std::chrono::steady_clock::now() + 9min);
  EXPECT_TRUE(service->look(ids[2]));
  service->tick(std::chrono::steady_clock::now() + 11min);
  EXPECT_FALSE(service->look(ids[2]));
}

TEST_F(render_service, reasons_that_nobody_asks_for_go_too) {
  RenderService::Limits limits;
  limits.kept_bytes = 20000;
  const auto service = begin(limits);
  const std::string large = "fail " + std::string(7000, 'x');
  std::string ids[3];
  for (std::string& id : ids) {
    id = service->add(order("a", large)).first;
    ASSERT_TRUE(is_over(*service, id));
  }
  EXPECT_FALSE(service->look(ids[0]));
  ASSERT_TRUE(service->look(ids[2]));
  EXPECT_EQ(service->look(ids[2])->served->message, large);
  EXPECT_EQ(service->counts().kept, 1u);
}

TEST_F(render_service, at_the_end_what_is_rendered_is_finished_and_what_waits_is_refused) {
  const auto service = begin();
  const auto first = service->add(order("a", "wait")).first;
  ASSERT_TRUE(soon([&] { return service->counts().rendering == 1; }));
  const auto second = service->add(order("b", "x")).first;
  service->end();
  EXPECT_TRUE(service->is_ending());
  EXPECT_FALSE(service->is_idle());
  EXPECT_EQ(service->look(second)->served->status, 503);
  EXPECT_EQ(service->add(order("c", "y")).second->status, 503);
  go = true;
  ASSERT_TRUE(is_over(*service, first));
  EXPECT_EQ(service->look(first)->state, State::done);
  EXPECT_TRUE(soon([&] { return service->is_idle(); }));
}

TEST_F(render_service, that_is_gone_stops_what_it_renders) {
  std::promise<int> status;
  {
    const auto service = begin();
    service->add(order("a", "wait", false), [&](auto served) { status.set_value(served->status); });
    ASSERT_TRUE(soon([&] { return service->counts().rendering == 1; }));
  }
  EXPECT_EQ(status.get_future().get(), 503);
}

}  // namespace
}  // namespace kiln::cli
