// SPDX-License-Identifier: MIT
// A driver of CUDA without a GPU, as a library that tests load in place of NVIDIA's: memory is the
// host's, copies are made at once, and kernels do nothing. It checks what it is asked for as the real
// one would (or as the real one does not, and a GPU then writes where nobody looks) and notes what is
// wrong, counts what is alive, and fails where the environment wishes it:
//   KILN_FAKE_CUDA=gpus=2,cuda=13000,arch=90,memory=8e9,init=100,fail_allocation=3,fail_launch=7,
//     fail_copy=2,fail_attribute=1,find_ms=50,kernel=kiln_x (fail_launch counts launches of that one)
//   KILN_FAKE_CUDA_LOG=file: a line for each call that counts, at the end of the process, and how many GPUs were opened
#include "tests/cuda/fake_driver.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

using Result = int;
constexpr Result ok = 0, invalid_value = 1, out_of_memory = 2, not_initialized = 3, no_device = 100,
                 invalid_device = 101, invalid_context = 201, no_code = 209, invalid_handle = 400,
                 not_found = 500, launch_failed = 719, peer_enabled = 704;

double wish(const char* name, double usual) {
  const char* const all = std::getenv("KILN_FAKE_CUDA");
  const std::string text = "," + std::string(all ? all : ""), key = "," + std::string(name) + "=";
  const std::size_t at = text.find(key);
  return at == std::string::npos ? usual : std::atof(text.c_str() + at + key.size());
}
std::string wished_kernel() {
  const char* const all = std::getenv("KILN_FAKE_CUDA");
  const std::string text = all ? all : "";
  const std::size_t at = text.find("kernel=");
  return at == std::string::npos ? "" : text.substr(at + 7, text.find(',', at) - at - 7);
}

struct Context {
  int device;
  std::set<Context*> peers;
  std::size_t used_bytes = 0;  // of a GPU's own memory
};
struct Stream {
  Context* context;
};
struct Event {
  Context* context;
  bool recorded = false;
};
struct Module {
  Context* context;
};
struct Function {
  Module* module;
  std::string name;
  int allowed_shared = 0;
};
struct Block {
  std::size_t bytes;
  Context* context;  // null: the host's
};
struct Graphics {
  Context* context;
  bool mapped = false;
  std::vector<char> memory = std::vector<char>(1 << 22);
};

struct All {
  std::mutex mutex;
  bool initialized = false;
  std::map<int, std::unique_ptr<Context>> contexts;
  std::map<char*, Block> memory;
  std::set<Stream*> streams;
  std::set<Event*> events;
  std::set<Module*> modules;
  std::map<Function*, std::unique_ptr<Function>> functions;
  std::set<Graphics*> graphics;
  std::vector<std::string> wrong;
  std::map<std::string, FakeLaunches> launches;
  std::size_t allocations = 0, all_launches = 0, copies = 0, attributes = 0, most_bytes = 0;

  ~All() {
    const char* const file = std::getenv("KILN_FAKE_CUDA_LOG");
    std::FILE* const log = file ? std::fopen(file, "w") : nullptr;
    if (!log) return;
    for (const auto& [name, l] : launches)
      std::fprintf(log, "launch %s %zu\n", name.c_str(), l.count);
    for (const std::string& text : wrong) std::fprintf(log, "wrong %s\n", text.c_str());
    std::fprintf(log, "gpus %zu\n", contexts.size());
    std::fprintf(log, "alive memory %zu streams %zu events %zu\n", memory.size(), streams.size(),
                 events.size());
    std::fclose(log);
  }
};
All& all() {
  static All a;
  return a;
}
thread_local Context* current = nullptr;

Result blame(Result result, const std::string& what) {
  all().wrong.push_back(what);
  return result;
}

/// Locks; what every call but the first needs.
struct Call {
  std::lock_guard<std::mutex> lock{all().mutex};
  Result result = ok;
  explicit Call(const char* name, bool needs_context = true) {
    if (!all().initialized) result = blame(not_initialized, std::string(name) + " before cuInit");
    if (result == ok && needs_context && !current)
      result = blame(invalid_context, std::string(name) + " without a context");
  }
};

int gpus() { return int(wish("gpus", 1)); }
int shared_most() { return int(wish("arch", 90)) >= 90 ? 232448 : 101376; }

/// Whether bytes lie in one block of memory that a context reaches.
bool lies(const void* at, std::size_t bytes, Context* context) {
  char* const from = const_cast<char*>(static_cast<const char*>(at));
  auto block = all().memory.upper_bound(from);
  if (block == all().memory.begin()) return false;
  --block;
  const bool reached = block->second.context == context || !block->second.context ||
                       context->peers.count(block->second.context) > 0;
  return reached && from + bytes <= block->first + block->second.bytes;
}
Result check_stream(Stream* stream, const char* name) {
  if (all().streams.count(stream) == 0)
    return blame(invalid_handle, std::string(name) + ": no such stream");
  if (stream->context != current)
    return blame(invalid_handle, std::string(name) + ": a stream of another context");
  return ok;
}
Result check_there(const void* at, std::size_t bytes, const char* name) {
  if (lies(at, bytes, current)) return ok;
  return blame(invalid_value,
               std::string(name) + ": " + std::to_string(bytes) + " bytes that are nobody's");
}
Result fail_as_wished(const char* name, std::size_t count, Result with) {
  return wish(name, 0) == double(count) ? with : ok;
}

Result allocate(void** to, std::size_t bytes, Context* context) {
  if (bytes == 0) return blame(invalid_value, "an allocation of nothing");
  if (context) {
    const Result failure = fail_as_wished("fail_allocation", ++all().allocations, out_of_memory);
    if (failure != ok) return failure;
    if (context->used_bytes + bytes > std::size_t(wish("memory", 8e9))) return out_of_memory;
  }
  char* const memory = static_cast<char*>(std::calloc(bytes + 512, 1));
  if (!memory) return out_of_memory;
  char* const aligned = memory + (256 - reinterpret_cast<std::uintptr_t>(memory) % 256);
  aligned[-1] = char(aligned - memory - 1);  // 0 to 255
  *to = aligned;
  all().memory[aligned] = {bytes, context};
  if (context) {
    context->used_bytes += bytes;
    all().most_bytes = std::max(all().most_bytes, context->used_bytes);
  }
  return ok;
}
Result release(void* memory, bool of_host) {
  const auto at = all().memory.find(static_cast<char*>(memory));
  if (at == all().memory.end() || !at->second.context != of_host)
    return blame(invalid_value, "memory is freed that is not there");
  if (at->second.context) at->second.context->used_bytes -= at->second.bytes;
  char* const aligned = at->first;
  all().memory.erase(at);
  std::free(aligned - 1 - static_cast<unsigned char>(aligned[-1]));
  return ok;
}

Result launch(Function* f, const unsigned (&grid)[3], const unsigned (&block)[3], unsigned shared,
              Stream* stream, void** arguments) {
  const std::string name = all().functions.count(f) ? f->name : "";
  if (name.empty()) return blame(invalid_handle, "a launch of no function");
  if (f->module->context != current) return blame(invalid_handle, name + ": of another context");
  if (const Result failure = check_stream(stream, name.c_str())) return failure;
  const std::size_t threads = std::size_t(block[0]) * block[1] * block[2];
  if (threads == 0 || threads > 1024 || grid[0] == 0 || grid[1] == 0 || grid[2] == 0 ||
      grid[0] > 0x7fffffffu)
    return blame(invalid_value, name + ": blocks or threads that no GPU has");
  if (int(shared) > shared_most() || int(shared) > std::max(f->allowed_shared, 49152))
    return blame(invalid_value, name + ": " + std::to_string(shared) + " bytes of shared memory");
  if (!arguments || !arguments[0]) return blame(invalid_value, name + ": no arguments");
  FakeLaunches& launches = all().launches[name];
  ++launches.count;
  launches.blocks = grid[0];
  launches.threads = threads;
  launches.shared_bytes = shared;
  launches.most_blocks = std::max<std::size_t>(launches.most_blocks, grid[0]);
  ++all().all_launches;
  const std::string one = wished_kernel();
  if (!one.empty())
    return name == one ? fail_as_wished("fail_launch", launches.count, launch_failed) : ok;
  return fail_as_wished("fail_launch", all().all_launches, launch_failed);
}

Result copy(const char* name, void* to, const void* from, std::size_t bytes, Stream* stream,
            bool to_gpu, bool from_gpu) {
  Call call(name);
  if (call.result != ok) return call.result;
  if (const Result failure = check_stream(stream, name)) return failure;
  if (to_gpu)
    if (const Result failure = check_there(to, bytes, name)) return failure;
  if (from_gpu)
    if (const Result failure = check_there(from, bytes, name)) return failure;
  if (const Result failure = fail_as_wished("fail_copy", ++all().copies, launch_failed))
    return failure;
  std::memmove(to, from, bytes);
  return ok;
}

}  // namespace

#if defined(_WIN32)
#define FAKE extern "C" __declspec(dllexport)
#else
#define FAKE extern "C" __attribute__((visibility("default")))
#endif

FAKE Result cuInit(unsigned flags) {
  const std::lock_guard lock(all().mutex);
  if (flags != 0) return blame(invalid_value, "cuInit with flags");
  if (const int failure = int(wish("init", 0))) return failure;
  if (gpus() == 0) return no_device;
  all().initialized = true;
  return ok;
}
FAKE Result cuDriverGetVersion(int* version) {
  *version = int(wish("cuda", 13000));
  return ok;
}
FAKE Result cuGetErrorName(int, const char** text) {
  *text = "CUDA_ERROR";
  return ok;
}
FAKE Result cuGetErrorString(int result, const char** text) {
  *text = result == out_of_memory   ? "out of memory"
          : result == no_device     ? "no CUDA-capable device is detected"
          : result == no_code       ? "no kernel image is available for execution on the device"
          : result == launch_failed ? "unspecified launch failure"
                                    : "an error of the fake driver";
  return ok;
}
FAKE Result cuDeviceGetCount(int* count) {
  Call call("cuDeviceGetCount", false);
  *count = gpus();
  return call.result;
}
FAKE Result cuDeviceGet(int* device, int ordinal) {
  Call call("cuDeviceGet", false);
  if (ordinal < 0 || ordinal >= gpus()) return blame(invalid_device, "cuDeviceGet of no GPU");
  *device = ordinal;
  return call.result;
}
FAKE Result cuDeviceGetName(char* name, int bytes, int device) {
  Call call("cuDeviceGetName", false);
  std::snprintf(name, std::size_t(bytes), "Fake %d", device);
  return call.result;
}
FAKE Result cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  Call call("cuDeviceTotalMem", false);
  *bytes = std::size_t(wish("memory", 8e9));
  return call.result;
}
FAKE Result cuDeviceGetAttribute(int* value, int attribute, int) {
  Call call("cuDeviceGetAttribute", false);
  const int arch = int(wish("arch", 90));
  const std::map<int, int> known = {{16, 132},
                                    {38, 50 << 20},
                                    {75, arch / 10},
                                    {76, arch % 10},
                                    {81, shared_most() + 1024},
                                    {97, shared_most()},
                                    {111, 1024}};
  const auto at = known.find(attribute);
  if (at == known.end()) return blame(invalid_value, "an attribute that nobody knows");
  *value = at->second;
  return call.result;
}
FAKE Result cuDeviceCanAccessPeer(int* can, int device, int peer) {
  Call call("cuDeviceCanAccessPeer", false);
  *can = device != peer && wish("peers", 1) != 0;
  return call.result;
}
FAKE Result cuDevicePrimaryCtxRetain(Context** context, int device) {
  Call call("cuDevicePrimaryCtxRetain", false);
  auto& mine = all().contexts[device];
  if (!mine) mine = std::make_unique<Context>(Context{device, {}});
  *context = mine.get();
  return call.result;
}
FAKE Result cuCtxSetCurrent(Context* context) {
  Call call("cuCtxSetCurrent", false);
  current = context;
  return call.result;
}
FAKE Result cuCtxEnablePeerAccess(Context* peer, unsigned flags) {
  Call call("cuCtxEnablePeerAccess");
  if (call.result != ok) return call.result;
  if (flags != 0 || peer == current) return blame(invalid_value, "peer access to itself");
  return current->peers.insert(peer).second ? ok : peer_enabled;
}
FAKE Result cuMemAlloc_v2(void** to, std::size_t bytes) {
  Call call("cuMemAlloc");
  return call.result != ok ? call.result : allocate(to, bytes, current);
}
FAKE Result cuMemFree_v2(void* memory) {
  Call call("cuMemFree");
  return call.result != ok ? call.result : release(memory, false);
}
FAKE Result cuMemHostAlloc(void** to, std::size_t bytes, unsigned) {
  Call call("cuMemHostAlloc");
  return call.result != ok ? call.result : allocate(to, bytes, nullptr);
}
FAKE Result cuMemFreeHost(void* memory) {
  Call call("cuMemFreeHost");
  return call.result != ok ? call.result : release(memory, true);
}
FAKE Result cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  Call call("cuMemGetInfo");
  *total = std::size_t(wish("memory", 8e9));
  *free = *total - current->used_bytes;
  return call.result;
}
FAKE Result cuMemcpyHtoDAsync_v2(void* to, const void* from, std::size_t bytes, Stream* stream) {
  return copy("cuMemcpyHtoD", to, from, bytes, stream, true, false);
}
FAKE Result cuMemcpyDtoHAsync_v2(void* to, const void* from, std::size_t bytes, Stream* stream) {
  return copy("cuMemcpyDtoH", to, from, bytes, stream, false, true);
}
FAKE Result cuMemcpyDtoDAsync_v2(void* to, const void* from, std::size_t bytes, Stream* stream) {
  return copy("cuMemcpyDtoD", to, from, bytes, stream, true, true);
}
FAKE Result cuMemcpyPeerAsync(void* to, Context* mine, const void* from, Context* other,
                              std::size_t bytes, Stream* stream) {
  {
    Call call("cuMemcpyPeer");
    if (mine == other || !lies(to, bytes, mine) || !lies(from, bytes, other))
      return blame(invalid_value, "cuMemcpyPeer of what is not there");
  }
  return copy("cuMemcpyPeer", to, from, bytes, stream, false, false);
}
FAKE Result cuMemsetD8Async(void* to, unsigned char value, std::size_t bytes, Stream* stream) {
  Call call("cuMemsetD8");
  if (call.result != ok) return call.result;
  if (const Result failure = check_stream(stream, "cuMemsetD8")) return failure;
  if (const Result failure = check_there(to, bytes, "cuMemsetD8")) return failure;
  std::memset(to, value, bytes);
  return ok;
}
FAKE Result cuStreamCreate(Stream** stream, unsigned flags) {
  Call call("cuStreamCreate");
  if (call.result != ok) return call.result;
  if (flags > 1) return blame(invalid_value, "cuStreamCreate with flags");
  all().streams.insert(*stream = new Stream{current});
  return ok;
}
FAKE Result cuStreamDestroy_v2(Stream* stream) {
  Call call("cuStreamDestroy");
  if (all().streams.erase(stream) == 0) return blame(invalid_handle, "a stream destroyed twice");
  delete stream;
  return call.result;
}
FAKE Result cuStreamSynchronize(Stream* stream) {
  Call call("cuStreamSynchronize");
  return call.result != ok ? call.result : check_stream(stream, "cuStreamSynchronize");
}
FAKE Result cuStreamWaitEvent(Stream* stream, Event* event, unsigned) {
  Call call("cuStreamWaitEvent");
  if (all().events.count(event) == 0 || !event->recorded)
    return blame(invalid_handle, "cuStreamWaitEvent: an event that nobody has recorded");
  return call.result != ok ? call.result : check_stream(stream, "cuStreamWaitEvent");
}
FAKE Result cuEventCreate(Event** event, unsigned flags) {
  Call call("cuEventCreate");
  if (call.result != ok) return call.result;
  if (flags > 3) return blame(invalid_value, "cuEventCreate with flags");
  all().events.insert(*event = new Event{current});
  return ok;
}
FAKE Result cuEventDestroy_v2(Event* event) {
  Call call("cuEventDestroy");
  if (all().events.erase(event) == 0) return blame(invalid_handle, "an event destroyed twice");
  delete event;
  return call.result;
}
FAKE Result cuEventRecord(Event* event, Stream* stream) {
  Call call("cuEventRecord");
  if (all().events.count(event) == 0) return blame(invalid_handle, "cuEventRecord: no such event");
  event->recorded = true;
  return call.result != ok ? call.result : check_stream(stream, "cuEventRecord");
}
FAKE Result cuEventSynchronize(Event* event) {
  Call call("cuEventSynchronize");
  if (all().events.count(event) == 0)
    return blame(invalid_handle, "cuEventSynchronize: no such event");
  return call.result;
}
FAKE Result cuModuleLoadData(Module** module, const void* image) {
  Call call("cuModuleLoadData");
  if (call.result != ok) return call.result;
  if (!image) return blame(invalid_value, "cuModuleLoadData of nothing");
  std::uint32_t magic = 0;
  std::memcpy(&magic, image, 1);
  if (magic != 0) {  // a build without device code has a zero there
    std::memcpy(&magic, image, 4);
    const bool is_ptx =
        std::strncmp(static_cast<const char*>(image), "//\n// Generated by", 18) == 0;
    if (!is_ptx && magic != 0x464c457fu)
      return blame(no_code, "cuModuleLoadData of no PTX and no cubin");
    // the GPU that machine code is for: heads of CUDA 13 have it one byte further than those before
    std::uint32_t flags = 0;
    std::memcpy(&flags, static_cast<const char*>(image) + 48, 4);
    if (static_cast<const char*>(image)[8] == 8) flags >>= 8;
    const int made_for = int(flags & 0xff), gpu = int(wish("arch", 90));
    if (!is_ptx && (made_for / 10 != gpu / 10 || made_for > gpu))
      return blame(no_code, "cuModuleLoadData of a cubin for " + std::to_string(made_for));
  }
  all().modules.insert(*module = new Module{current});
  return ok;
}
FAKE Result cuModuleUnload(Module* module) {
  Call call("cuModuleUnload");
  if (all().modules.count(module) == 0) return blame(invalid_handle, "a module unloaded twice");
  if (module->context != current) return blame(invalid_context, "a module of another context");
  for (auto at = all().functions.begin(); at != all().functions.end();)
    at = at->second->module == module ? all().functions.erase(at) : std::next(at);
  all().modules.erase(module);
  delete module;
  return call.result;
}
FAKE Result cuModuleGetFunction(Function** function, Module* module, const char* name) {
  std::this_thread::sleep_for(std::chrono::milliseconds(int(wish("find_ms", 0))));
  Call call("cuModuleGetFunction");
  if (all().modules.count(module) == 0) return blame(invalid_handle, "a function of no module");
  if (std::strncmp(name, "kiln_", 5) != 0) return not_found;
  auto one = std::make_unique<Function>(Function{module, name});
  *function = one.get();
  all().functions[one.get()] = std::move(one);
  return call.result;
}
FAKE Result cuFuncSetAttribute(Function* function, int attribute, int value) {
  Call call("cuFuncSetAttribute");
  if (all().functions.count(function) == 0) return blame(invalid_handle, "no such function");
  if (attribute != 8 || value < 0 || value > shared_most())
    return blame(invalid_value, function->name + ": attribute " + std::to_string(attribute) + " " +
                                    std::to_string(value));
  if (const Result failure = fail_as_wished("fail_attribute", ++all().attributes, launch_failed))
    return failure;
  function->allowed_shared = value;
  return call.result;
}
FAKE Result cuLaunchKernel(Function* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                           unsigned by, unsigned bz, unsigned shared, Stream* stream,
                           void** arguments, void** extra) {
  Call call("cuLaunchKernel");
  if (call.result != ok) return call.result;
  if (extra) return blame(invalid_value, "cuLaunchKernel with more");
  return launch(function, {gx, gy, gz}, {bx, by, bz}, shared, stream, arguments);
}
struct LaunchConfig {
  unsigned grid[3], block[3], shared;
  Stream* stream;
  int* attributes;
  unsigned count;
};
FAKE Result cuLaunchKernelEx(const LaunchConfig* config, Function* function, void** arguments,
                             void** extra) {
  Call call("cuLaunchKernelEx");
  if (call.result != ok) return call.result;
  if (extra || config->count != 1 || config->attributes[0] != 6 || config->attributes[2] != 1)
    return blame(invalid_value, "cuLaunchKernelEx with other attributes");
  return launch(function, config->grid, config->block, config->shared, config->stream, arguments);
}
FAKE Result cuGLGetDevices_v2(unsigned* count, int* devices, unsigned most, unsigned list) {
  Call call("cuGLGetDevices", false);
  if (list != 1 || most == 0) return blame(invalid_value, "cuGLGetDevices");
  *count = 1;
  devices[0] = 0;
  return call.result;
}
FAKE Result cuGraphicsGLRegisterBuffer(Graphics** graphics, unsigned, unsigned flags) {
  Call call("cuGraphicsGLRegisterBuffer");
  if (call.result != ok) return call.result;
  if (flags != 2) return blame(invalid_value, "cuGraphicsGLRegisterBuffer with flags");
  all().graphics.insert(*graphics = new Graphics{current});
  return ok;
}
FAKE Result cuGraphicsUnregisterResource(Graphics* graphics) {
  Call call("cuGraphicsUnregisterResource");
  if (all().graphics.erase(graphics) == 0) return blame(invalid_handle, "no such resource");
  all().memory.erase(graphics->memory.data());
  delete graphics;
  return call.result;
}
FAKE Result cuGraphicsMapResources(unsigned count, Graphics** graphics, Stream* stream) {
  Call call("cuGraphicsMapResources");
  if (count != 1 || (*graphics)->mapped) return blame(invalid_value, "a resource mapped twice");
  (*graphics)->mapped = true;
  all().memory[(*graphics)->memory.data()] = {(*graphics)->memory.size(), current};
  return check_stream(stream, "cuGraphicsMapResources");
}
FAKE Result cuGraphicsUnmapResources(unsigned count, Graphics** graphics, Stream* stream) {
  Call call("cuGraphicsUnmapResources");
  if (count != 1 || !(*graphics)->mapped) return blame(invalid_value, "a resource not mapped");
  (*graphics)->mapped = false;
  all().memory.erase((*graphics)->memory.data());
  return check_stream(stream, "cuGraphicsUnmapResources");
}
FAKE Result cuGraphicsResourceGetMappedPointer_v2(void** to, std::size_t* bytes,
                                                  Graphics* graphics) {
  Call call("cuGraphicsResourceGetMappedPointer");
  if (!graphics->mapped) return blame(invalid_value, "a pointer to what is not mapped");
  *to = graphics->memory.data();
  *bytes = graphics->memory.size();
  return call.result;
}

// ---- for tests ----

FAKE void kiln_fake_state(FakeState* state) {
  const std::lock_guard lock(all().mutex);
  state->memory = state->host_memory = 0;
  for (const auto& [at, block] : all().memory)
    ++(block.context ? state->memory : state->host_memory);
  state->streams = all().streams.size();
  state->events = all().events.size();
  state->modules = all().modules.size();
  state->most_bytes = all().most_bytes;
  state->allocations = all().allocations;
  state->all_launches = all().all_launches;
  state->wrong = all().wrong;
  state->launches = all().launches;
}
FAKE void kiln_fake_forget() {
  const std::lock_guard lock(all().mutex);
  all().wrong.clear();
  all().launches.clear();
  all().allocations = all().all_launches = all().copies = all().attributes = 0;
}
