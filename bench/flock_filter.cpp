// SPDX-License-Identifier: MIT
// How many flames are worth a look by the measure of `kiln random` (engine/flock, Taste), and why the others
// are not: of files, such as flam3-genome's, or of kiln's own drafts before anything is chosen.
// Usage: flock_filter FILES...
//
//   repeat=300 seed=1 flam3-genome > flam3.flam3
//   kiln random -n 10000 --take-all -o drafts.flam3
//   flock_filter flam3.flam3 drafts.flam3
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "engine/base/cores.h"
#include "engine/base/thread_pool.h"
#include "engine/flock/flock.h"
#include "engine/io/flame/flame_reader.h"

namespace {

using namespace kiln;

void measure(const std::string& file) {
  ReaderOptions reading;
  reading.keep_bad = true;
  const FlameFile read = read_flames(file, reading);
  std::vector<Look> looks(read.flames.size());
  const int threads = usable_cores();
  RenderOptions options;
  options.threads = 1;
  std::vector<std::unique_ptr<PreviewRenderer>> renderers;
  for (int t = 0; t < threads; ++t) renderers.push_back(std::make_unique<PreviewRenderer>(options));
  ThreadPool(threads).run(int(looks.size()), [&](int f, int thread) {
    looks[std::size_t(f)] = look(read.flames[std::size_t(f)], *renderers[std::size_t(thread)]);
  });
  std::map<std::string, int> reasons;
  double worst_bad = 0;
  int above_5 = 0;
  const Taste taste;
  for (const Look& one : looks) {
    const std::string_view reason = dull(one, taste);
    ++reasons[reason.empty() ? "worth a look" : std::string(reason)];
    worst_bad = std::max(worst_bad, one.bad);
    above_5 += one.bad > 0.05;
  }
  fmt::print("{}: {} flames, {} refused; bad values at most {:.2f} %, above 5 % in {}\n", file,
             looks.size(), read.bad.size(), 100 * worst_bad, above_5);
  for (const auto& [reason, count] : reasons)
    fmt::print("  {:14} {:6}  {:5.1f} %\n", reason, count, 100.0 * count / double(looks.size()));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: flock_filter FILES...\n");
    return 2;
  }
  for (int a = 1; a < argc; ++a) measure(argv[a]);
}
