// SPDX-License-Identifier: MIT
#include "view/server/light_desk.h"

#include <utility>

#include "engine/base/error.h"
#include "engine/render/light_at.h"

namespace kiln::cli {

LightDesk::LightDesk(Answered answered)
    : answered_(std::move(answered)), thread_([this] { run(); }) {}

LightDesk::~LightDesk() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    waiting_.clear();
    stop_.request_stop();
  }
  wake_.notify_all();
  thread_.join();
}

void LightDesk::ask(Question question) {
  {
    const std::lock_guard lock(mutex_);
    drop(question.client);
    waiting_.push_back(std::move(question));
  }
  wake_.notify_all();
}

void LightDesk::forget(int client) {
  const std::lock_guard lock(mutex_);
  drop(client);
}

void LightDesk::drop(int client) {
  waiting_.remove_if([&](const Question& one) { return one.client == client; });
  if (at_work_for_ == client) stop_.request_stop();
}

void LightDesk::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
    if (ending_) return;
    Question question = std::move(waiting_.front());
    waiting_.pop_front();
    at_work_for_ = question.client;
    stop_ = {};
    const std::stop_token stop = stop_.get_token();
    lock.unlock();
    answer(question, stop);
    lock.lock();
    at_work_for_ = -1;
  }
}

void LightDesk::answer(Question& question, std::stop_token stop) {
  question.options.stop = stop;
  std::string json, failure;
  try {
    json = light_json(light_at(question.flame, question.options));
  } catch (const std::exception& error) {
    failure = error.what();
  }
  if (!stop.stop_requested()) answered_(question, json, failure);
}

}  // namespace kiln::cli
