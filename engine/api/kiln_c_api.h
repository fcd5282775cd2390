// SPDX-License-Identifier: MIT
// What stands behind kiln_c.h: its objects, and how a function of C is made of one that throws.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <vector>

#include "engine/api/kiln.h"
#include "engine/api/kiln_c.h"

struct kiln_scenes {
  std::vector<kiln::Scene> all;
  std::string said;
};
struct kiln_stop {
  std::stop_source source;
};
struct kiln_point_spread {
  std::shared_ptr<const kiln::PointSpread> psf;
};
struct kiln_session {
  kiln::Session session;
  kiln::RenderOptions options;
  std::string device;
};
struct kiln_picture {
  kiln::Picture picture;
  std::string bytes;
};
struct kiln_animation {
  kiln::Animation animation;
};
struct kiln_song {
  kiln::SongTracks tracks;
};
struct kiln_live {
  kiln::LiveScene scene;
  std::string device;
};

namespace kiln::c_api {

/// Keeps what kiln_message() says; the status.
kiln_status failed(ErrorKind kind, const char* what);

/// Runs `body`; what it throws becomes a status and a message.
template <class Body>
kiln_status status_of(Body body) {
  try {
    body();
    return KILN_OK;
  } catch (const Error& error) {
    return failed(error.kind, error.what());
  } catch (const std::bad_alloc&) {
    return failed(ErrorKind::device, "out of memory");
  } catch (const std::exception& error) {
    return failed(ErrorKind::device, error.what());
  }
}

inline void require(bool holds, const char* what) {
  if (!holds) throw Error(ErrorKind::usage, what);
}

/// The object behind a pointer of the caller; `name` as the header has it. Throws Error (usage).
template <class T>
T& at(T* pointer, const char* name) {
  if (!pointer) throw Error(ErrorKind::usage, std::string(name) + " is NULL");
  return *pointer;
}
inline const char* text(const char* given, const char* name) { return &at(given, name); }

/// Whether the pointer is not NULL, for functions without a status; else kiln_message() says so.
template <class T>
bool is_given(T* pointer, const char* name) {
  return status_of([&] { at(pointer, name); }) == KILN_OK;
}

/// An object of what `make` gives, for C: looked at before, as making it may take hours.
template <class T, class Make>
kiln_status made(T** result, const char* name, Make make) {
  return status_of([&] {
    T*& place = at(result, name);
    place = new T(make());
  });
}

inline Scene& scene_at(const kiln_scenes* scenes, int index) {
  require(index >= 0 && static_cast<std::size_t>(index) < at(scenes, "scenes").all.size(),
          "there is no flame of this index");
  return const_cast<kiln_scenes*>(scenes)->all[static_cast<std::size_t>(index)];
}

/// The options; NULL stands for the usual ones.
RenderOptions options_or(const kiln_options* options, const RenderOptions& usual);

}  // namespace kiln::c_api
