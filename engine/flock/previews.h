// SPDX-License-Identifier: MIT
// Small pictures of many flames, each the pixels of a render, to the last bit.
//
// One after the other they would leave most of a machine idle. On a CPU each thread makes whole pictures, with
// a device of its own whose memory serves one after the other, and no thread waits for another. On a GPU a
// small picture is a few blocks of the hundreds that play at once: flames are prepared by all cores, and then
// a hundred of them are played, developed and brought back by the same launches (shared_launches.h), some
// groups beside each other. What many flames have in common is found out once (density_plan.h).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/api/kiln/error.h"
#include "engine/api/kiln/image.h"
#include "engine/api/kiln/render_options.h"
#include "engine/model/flame.h"

namespace kiln {

class SharedLaunches;

/// Options of the renderers that make small pictures beside each other, on the device of `options` and on
/// its helpers: of a CPU one a thread. Throws Error (device).
std::vector<RenderOptions> options_of_many(const RenderOptions& options);

/// The picture of one of many flames.
struct Preview {
  Image image;  // without pixels where it failed
  RenderStatistics statistics;
  std::optional<Error> failure;
};

class Previews {
 public:
  /// Callbacks to the owner of the flames, which are named by their place, from 0.
  struct Steps {
    std::size_t count = 0;
    /// The flame with the size and quality of its picture. Several threads call it at once; an
    /// Error that it throws is the flame's.
    std::function<Flame(std::size_t place)> flame;
    /// Looks at a picture beside the other work, or takes it away; the same threads.
    std::function<void(std::size_t place, Preview& preview)> see = [](std::size_t, Preview&) {};
    /// Gets all of them in their order, from the thread that calls make().
    std::function<void(std::size_t place, Preview preview)> take = [](std::size_t, Preview) {};
  };
  /// Opens seats of one device.
  using OpenShared = std::function<std::unique_ptr<SharedLaunches>()>;

  /// Finds the devices. Throws Error.
  explicit Previews(const RenderOptions& options);
  /// Opens so many groups of seats, with `threads` that prepare for them.
  Previews(const RenderOptions& options, const OpenShared& open, int groups, int seats,
           int threads);
  ~Previews();

  /// The pictures of all flames; no more of them are there at a time than some for each thread or seat. Throws
  /// what `see` and `take` throw, and Error (stopped) soon after the options ask for it.
  void make(const Steps& steps);

 private:
  struct Worker;
  struct Group;
  std::vector<std::unique_ptr<Worker>> workers_;  // each makes whole pictures
  std::vector<std::unique_ptr<Group>> groups_;    // of seats
  int preparers_ = 0;                             // threads that prepare for the seats
};

}  // namespace kiln
