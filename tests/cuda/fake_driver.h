// SPDX-License-Identifier: MIT
// What tests ask the fake driver for (fake_driver.cpp), by symbols of its library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

struct FakeLaunches {
  std::size_t count = 0, blocks = 0, threads = 0, shared_bytes = 0;  // of the last
  std::size_t most_blocks = 0;
};

struct FakeState {
  std::size_t memory = 0, host_memory = 0, streams = 0, events = 0, modules = 0;  // alive
  std::size_t most_bytes = 0, allocations = 0, all_launches = 0;
  std::vector<std::string> wrong;  // what was asked for and should not have been
  std::map<std::string, FakeLaunches> launches;
};

extern "C" {
using FakeStateFunction = void (*)(FakeState*);  // kiln_fake_state
using FakeForgetFunction = void (*)();           // kiln_fake_forget: counts and complaints
}
