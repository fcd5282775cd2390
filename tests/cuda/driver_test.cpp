// SPDX-License-Identifier: MIT
// The host's part of CUDA, without a GPU: what it asks the driver for while pictures of all kinds are
// made, that it gives everything back, and what it says when the driver fails.
#include <gtest/gtest.h>

#include <barrier>
#include <cstring>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "engine/api/kiln/error.h"
#include "engine/device/cuda/kernel.h"
#include "engine/device/device.h"
#include "engine/device/device_picture.h"
#include "engine/fft/plan.h"
#include "engine/flock/previews.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/model/image.h"
#include "engine/render/renderer.h"
#include "tests/cuda/with_fake.h"
#include "tests/sample_flame.h"

namespace kiln::test {
namespace {

RenderOptions on_cuda() {
  RenderOptions options;
  options.backend = Backend::cuda;
  options.max_memory_bytes = std::uint64_t(400) << 20;
  return options;
}

/// What the device says when `body` fails.
template <class Body>
std::string failure_of(const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::device) << error.what();
    return error.what();
  }
  return "nothing failed";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(CudaCalls, DevicesAreListed) {
  const FakeWish wish("gpus=2");
  const std::vector<DeviceInfo> gpus = list_cuda_devices();
  ASSERT_EQ(gpus.size(), 2u);
  EXPECT_EQ(gpus[1].name, "Fake 1");
  EXPECT_EQ(gpus[1].index, 1);
  EXPECT_EQ(gpus[1].detail, "compute capability 9.0");
  EXPECT_EQ(gpus[1].memory_bytes, 8'000'000'000u);
  EXPECT_EQ(cuda_problem(), "");
  EXPECT_EQ(failure_of([] { open_cuda(2, true); }),
            "there is no CUDA device 2; see `kiln devices`");
  EXPECT_EQ(open_cuda(2, false), nullptr);
  EXPECT_EQ(open_cuda(1, true)->describe(), "cuda 1 (Fake 1)");
}

TEST_F(CudaCalls, BytesComeBack) {
  const auto device = open_cuda(0, true);
  for (const std::size_t bytes : {std::size_t(1), std::size_t(100'003), std::size_t(70) << 20}) {
    std::vector<char> from(bytes), to(bytes);
    for (std::size_t i = 0; i < bytes; ++i) from[i] = char(i * 2654435761u >> 13);
    void* const memory = device->allocate(bytes);
    device->upload(memory, from.data(), bytes);
    device->download(to.data(), memory, bytes);
    EXPECT_TRUE(from == to) << bytes;
    device->clear(memory, bytes);
    device->download(to.data(), memory, bytes);
    EXPECT_TRUE(to == std::vector<char>(bytes)) << bytes;
    device->release(memory);
  }
  EXPECT_GT(fake.state().host_memory, 0u);  // large copies go by page-locked pieces
}

TEST_F(CudaCalls, MemoryIsUsedAgainAndGivenBack) {
  const auto device = open_cuda(0, true);
  void* const first = device->allocate(1000);
  device->release(first);
  EXPECT_EQ(device->allocate(1000), first);
  device->release(first);
  const std::size_t alive = fake.state().memory;
  {
    const FakeWish wish("memory=100000");  // what waits is given back before anybody is refused
    device->release(device->allocate(99'500));
    EXPECT_EQ(fake.state().memory, alive);
    const std::string said = failure_of([&] { device->allocate(200'000); });
    EXPECT_TRUE(has(said, "out of memory; the GPU's memory is full: lower --supersample")) << said;
  }
  EXPECT_GE(device->free_memory_bytes(), 7'000'000'000u);
}

TEST_F(CudaCalls, AnotherThreadTakesTheDeviceOver) {  // though it does not say use()
  std::unique_ptr<Device> device;
  std::thread([&] { device = open_cuda(0, true); }).join();
  std::thread([&] {
    const char byte = 1;
    void* const memory = device->allocate(100);
    device->upload(memory, &byte, 1);
    device->launch(CountHits{}, 1);
    device->release(memory);
    EXPECT_GT(device->free_memory_bytes(), 0u);
    device->wait();
  }).join();
  std::thread([&] { device.reset(); }).join();
}

TEST_F(CudaCalls, SumsMeetBetweenGpus) {
  for (const char* peers : {"gpus=2", "gpus=2,peers=0"}) {
    const FakeWish wish(peers);
    const auto mine = open_cuda(0, true), other = open_cuda(1, true);
    const std::vector<std::uint64_t> values = {1, 2, 3, 4, 5}, twice = {10, 20, 30, 40, 50};
    DeviceArray<std::uint64_t> there(*other, values);
    DeviceArray<std::uint64_t> here(*mine, twice);
    fake.forget();
    mine->add_sums(here.data(), *other, there.data(), 5);
    EXPECT_EQ(fake.state().launches["kiln_add_sums"].count, has(peers, "peers=0") ? 0u : 1u);
    mine->copy_sums(here.data(), *other, there.data(), 5);
    EXPECT_EQ(here.download(), values);
    mine->copy_sums(here.data() + 1, *mine, here.data(), 2);
    EXPECT_EQ(here.download(), (std::vector<std::uint64_t>{1, 1, 2, 4, 5}));
    here = {};
    there = {};
  }
}

/// A picture of that flame; what its kernels were.
std::set<std::string> kernels_of(const FakeDriver& fake, const Flame& flame,
                                 const RenderOptions& options = on_cuda()) {
  fake.forget();
  render(flame, options);
  std::set<std::string> names;
  for (const auto& [name, launches] : fake.state().launches) {
    names.insert(name);
    EXPECT_GT(launches.blocks, 0u) << name;
  }
  return names;
}

TEST_F(CudaCalls, PicturesOfAllKindsAreAskedFor) {
  setenv("KILN_KERNELS", "interpreter", 1);
  Flame plain = sample_flame("sierpinski", 200, 20);
  std::set<std::string> names = kernels_of(fake, plain);
  for (const char* name : {"kiln_warm_any", "kiln_play_plain", "kiln_reset_store",
                           "kiln_plan_shares", "kiln_list_pages", "kiln_Pack8"})
    EXPECT_TRUE(names.count(name)) << name;

  Flame xaos = plain;
  xaos.xforms[0].chaos = {0.5};
  names = kernels_of(fake, xaos);
  EXPECT_TRUE(names.count("kiln_play_xaos"));
  Flame last = plain;
  last.final_xform = plain.xforms[0];
  EXPECT_TRUE(kernels_of(fake, last).count("kiln_play_final"));
  last.xforms[0].chaos = {0.5};
  EXPECT_TRUE(kernels_of(fake, last).count("kiln_play_xaos_final"));
  Flame deep = plain;
  deep.xforms[0].coefs = {0.5, 0, 0, 0.5, deep.center_x / 2, deep.center_y / 2};
  deep.scale *= 0x1p20;
  EXPECT_TRUE(kernels_of(fake, deep).count("kiln_play_fine"));
  EXPECT_TRUE(kernels_of(fake, sample_flame("wildfire", 200, 20)).size() > 5);

  for (const auto& [game, kernel] : {std::pair{Game::divergent, "kiln_play_divergent"},
                                     std::pair{Game::mtgp32, "kiln_play_mtgp32"}}) {
    RenderOptions options = on_cuda();
    options.game = game;
    EXPECT_TRUE(kernels_of(fake, plain, options).count(kernel));
  }
  EXPECT_EQ(fake.state().launches["kiln_mtgp32_seed"].blocks % 1, 0u);
  unsetenv("KILN_KERNELS");
}

/// Lines as rows (1), as the two halves of pixels (2) or as columns.
LineAddress lines_by(int step, i32 points, i32 lines) {
  LineAddress address;
  if (step <= 2) {
    address.inner = step;
    address.inner_step = 1;
    address.outer_step = address.middle_step = i64(step) * points;
    address.point_step = step;
  } else {
    address.inner = lines;
    address.inner_step = 1;
    address.point_step = lines;
  }
  return address;
}

TEST_F(CudaCalls, TheFftHasItsKernels) {
  const auto device = open_cuda(0, true);
  for (const i32 points : {60, 256, 512, 1024, 1152, 2048, 2304, 4096, 4608, 8192, 16384}) {
    const FftPlan plan(*device, points);
    for (const i32 lines : {6, 256}) {
      DeviceArray<Complex> memory(*device, std::size_t(points) * std::size_t(lines + 16));
      for (const int step : {1, 2, 3}) {
        for (const int use : {1, 2, 3, 4}) {  // forward, inverse, both, a sum of products
          FftLines job;
          job.plan = plan.line();
          job.lines = lines;
          job.forward = use != 2;
          job.inverse = use != 1;
          job.terms = use == 4 ? 2 : 1;
          job.from = job.to = lines_by(step, points, lines);
          for (int term = 0; term < job.terms; ++term) {
            job.in[term] = memory.data();
            if (job.forward && job.inverse) job.spectrum[term].complex = memory.data();
          }
          job.out = memory.data();
          if (job.terms * 2 * points * int(sizeof(Complex)) > 200 << 10) continue;  // nobody asks
          device->transform(job);
        }
      }
    }
  }
  std::set<std::string> names;
  for (const auto& [name, launches] : fake.state().launches) names.insert(name);
  EXPECT_TRUE(names.count("kiln_any_fft"));
  EXPECT_TRUE(names.count("kiln_fft_rows_3_forward"));
  EXPECT_TRUE(names.count("kiln_fft_pixel_rows_1_inverse"));
  EXPECT_TRUE(names.count("kiln_fft_sums_0_both"));
  EXPECT_GE(names.size(), 50u);
}

TEST_F(CudaCalls, SmallPicturesShareLaunches) {
  std::vector<Flame> flames;
  for (const char* name : {"sierpinski", "conch", "coral", "wildfire", "tides"})
    flames.push_back(sample_flame(name, 96, 10));
  Previews previews(on_cuda());
  Previews::Steps steps;
  steps.count = 60;
  std::size_t made = 0;
  steps.flame = [&](std::size_t place) { return flames[place % flames.size()]; };
  steps.take = [&](std::size_t, const Preview& preview) {
    made += !preview.failure;
    if (preview.failure) ADD_FAILURE() << preview.failure->what();
  };
  previews.make(steps);
  EXPECT_EQ(made, 60u);
  const auto launches = fake.state().launches;
  for (const char* name :
       {"kiln_put_pieces", "kiln_take_pieces", "kiln_reset_many", "kiln_plan_many",
        "kiln_list_many", "kiln_sum_many", "kiln_many_plain", "kiln_many_Pack8"})
    EXPECT_TRUE(launches.count(name)) << name;
}

TEST_F(CudaCalls, GpusShareAPicture) {
  setenv("KILN_KERNELS", "interpreter", 1);
  const FakeWish wish("gpus=2");
  RenderOptions options = on_cuda();
  options.helpers = {{Backend::cuda, 1, 0}};
  const std::set<std::string> names =
      kernels_of(fake, sample_flame("sierpinski", 400, 300), options);
  EXPECT_TRUE(names.count("kiln_add_sums"));
  unsetenv("KILN_KERNELS");
}

TEST_F(CudaCalls, FailuresSayWhatFailed) {
  setenv("KILN_KERNELS", "interpreter", 1);
  const Flame flame = sample_flame("sierpinski", 200, 20);
  for (const char* kernel :
       {"kiln_warm_any", "kiln_play_plain", "kiln_plan_shares", "kiln_Pack8"}) {
    const FakeWish wish(std::string("fail_launch=1,kernel=") + kernel);
    fake.forget();
    const std::string said = failure_of([&] { render(flame, on_cuda()); });
    EXPECT_TRUE(has(said, std::string("launching ") + kernel +
                              ": unspecified launch failure; --backend cpu renders the same"))
        << said;
  }
  for (int copy = 1; copy < 8; ++copy) {
    const FakeWish wish("fail_copy=" + std::to_string(copy));
    fake.forget();
    const std::string said = failure_of([&] { render(flame, on_cuda()); });
    EXPECT_TRUE(has(said, "--backend cpu renders the same picture")) << copy << ": " << said;
  }
  for (int allocation = 1; allocation < 20; allocation += 3) {
    const FakeWish wish("fail_allocation=" + std::to_string(allocation));
    fake.forget();
    const std::string said = failure_of([&] { render(flame, on_cuda()); });
    EXPECT_TRUE(has(said, "out of memory") || said == "nothing failed") << said;
  }
  unsetenv("KILN_KERNELS");
}

TEST_F(CudaCalls, AWindowIsDrawnWhereItIsRendered) {
  EXPECT_TRUE(draws_windows(0));
  EXPECT_FALSE(draws_windows(1));
  const auto device = open_cuda(0, true);
  const std::vector<char> pixels(1000, 7);
  DeviceArray<char> picture(*device, pixels);
  const auto window = open_window_buffer(0, 5);
  window->fill(picture.data(), 1000);
  EXPECT_TRUE(has(failure_of([&] { window->fill(picture.data(), 1 << 23); }), "too small"));
}

/// Rows whose transform needs more shared memory than a kernel has unasked.
struct LongRows {
  static constexpr i32 points = 16384, lines = 6;
  explicit LongRows(Device& device)
      : plan(device, points), memory(device, std::size_t(points) * std::size_t(lines + 16)) {
    job.plan = plan.line();
    job.lines = lines;
    job.forward = true;
    job.inverse = false;
    job.terms = 1;
    job.from = job.to = lines_by(1, points, lines);
    job.in[0] = memory.data();
    job.out = memory.data();
  }
  const FftPlan plan;
  const DeviceArray<Complex> memory;
  FftLines job;
};

/// Shared memory that the driver refused is asked for again by the next launch.
TEST_F(CudaCalls, SharedMemoryThatWasRefusedIsNotTakenForAllowed) {
  const FakeWish many("gpus=6");
  const auto device = open_cuda(5, true);  // nobody has launched anything there
  const LongRows rows(*device);
  fake.forget();
  setenv("KILN_FAKE_CUDA", "gpus=6,fail_attribute=1", 1);
  EXPECT_TRUE(has(failure_of([&] { device->transform(rows.job); }), "launching kiln_"));
  device->transform(rows.job);  // the fake one blames a launch with more than was allowed
  EXPECT_FALSE(fake.state().launches.empty());
}

/// What is allowed of a kernel's handle is allowed of that of each thread, also where all look it up at once.
TEST_F(CudaCalls, ThreadsThatComeTogetherHaveOneHandle) {
  const FakeWish slow("gpus=7,find_ms=50");  // so that all ask before the first has an answer
  constexpr int count = 8;
  std::barrier together(count);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < count; ++i) {
      threads.emplace_back([&] {
        const auto device = open_cuda(6, true);  // nobody has launched anything there
        const LongRows rows(*device);
        together.arrive_and_wait();
        EXPECT_EQ(failure_of([&] { device->transform(rows.job); }), "nothing failed");
        device->wait();
      });
    }
  }
  EXPECT_EQ(fake.state().wrong, std::vector<std::string>());
}

TEST_F(CudaCalls, LaunchesLookNothingUpTwice) {
  const auto device = open_cuda(0, true);
  const auto launch = [&] { device->launch(CountHits{}, 1); };
  launch();
  const std::size_t modules = fake.state().modules;
  launch();
  EXPECT_EQ(fake.state().modules, modules);
  EXPECT_EQ(fake.state().launches["kiln_CountHits"].threads, std::size_t(CountHits::lanes));
}

}  // namespace
}  // namespace kiln::test

int main(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  setenv("KILN_TEST_CUDA_DRIVER", KILN_FAKE_DRIVER, 1);
  unsetenv("CUDA_VISIBLE_DEVICES");
  return RUN_ALL_TESTS();
}
