// SPDX-License-Identifier: MIT
// The fake driver (fake_driver.h) of this process.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "engine/base/platform/process.h"
#include "engine/device/test_hooks.h"
#include "tests/cuda/fake_driver.h"

namespace kiln::test {

class FakeDriver {
 public:
  FakeDriver() {
    std::string reason;
    library_ = open_library(fake_cuda_driver(), reason);
    if (!library_) ADD_FAILURE() << reason;
  }
  FakeState state() const {
    FakeState state;
    reinterpret_cast<FakeStateFunction>(symbol_of(library_, "kiln_fake_state"))(&state);
    return state;
  }
  void forget() const {
    reinterpret_cast<FakeForgetFunction>(symbol_of(library_, "kiln_fake_forget"))();
  }

 private:
  void* library_ = nullptr;
};

/// What the fake driver shall do while this lives: "fail_launch=3".
class FakeWish {
 public:
  explicit FakeWish(const std::string& wish) { setenv("KILN_FAKE_CUDA", wish.c_str(), 1); }
  ~FakeWish() { unsetenv("KILN_FAKE_CUDA"); }
  FakeWish(const FakeWish&) = delete;
  FakeWish& operator=(const FakeWish&) = delete;
};

/// Forgets what was before; in the end nothing of a test may be alive, and nothing was wrong.
class CudaCalls : public testing::Test {
 protected:
  CudaCalls() { fake.forget(); }
  void TearDown() override {
    const FakeState state = fake.state();
    EXPECT_EQ(state.memory, 0u) << "blocks of a GPU's memory";
    EXPECT_EQ(state.host_memory, 0u) << "page-locked blocks";
    EXPECT_EQ(state.streams, 0u);
    EXPECT_EQ(state.events, 0u);
    std::string wrong;
    for (const std::string& text : state.wrong) wrong += text + "\n";
    EXPECT_EQ(wrong, "");
  }
  FakeDriver fake;
};

}  // namespace kiln::test
