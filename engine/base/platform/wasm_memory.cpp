// SPDX-License-Identifier: MIT
// The one memory of a WebAssembly module, which grows and never shrinks; and its cores, which the browser tells.
#include <emscripten/heap.h>
#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "engine/base/platform/cores.h"
#include "engine/base/platform/memory.h"
#include "engine/base/resources.h"

namespace kiln {

std::uint64_t machine_memory_bytes() { return emscripten_get_heap_max(); }
std::uint64_t read_available_memory() {
  return machine_memory_bytes() - std::uint64_t(mallinfo().uordblks);
}
std::uint64_t available_memory_bytes(const std::string&, const std::string&) {
  return read_available_memory();
}
std::uint64_t read_peak_memory() { return emscripten_get_heap_size(); }

void* map_memory(std::size_t bytes) { return std::aligned_alloc(4096, bytes); }
void unmap_memory(void* memory, std::size_t) { std::free(memory); }

void free_at_once(std::size_t) {}
void return_freed_memory() {}

int read_usable_cores() { return std::max(1, int(std::thread::hardware_concurrency())); }

}  // namespace kiln
