// SPDX-License-Identifier: MIT
// Songs of the public header.
#include "engine/api/api_impl.h"
#include "engine/sound/tracks.h"

namespace kiln {

SongTracks listen(const std::string& path, const ListenOptions& options) {
  return guarded([&] { return tracks_of(*hear(path), options); });
}

}  // namespace kiln
