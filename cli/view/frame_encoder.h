// Pictures of a live flame as files for a page, on a thread of its own, so that the next picture is
// made meanwhile: JPEG while things move, PNG without loss once they are settled. Of pictures only
// the newest waits.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "engine/live/live_flame.h"

namespace kiln::cli {

/// A JPEG of the picture's colours, 8 bits a channel. Throws Error (device).
std::string jpeg_bytes(const Image& image);

/// A picture as pages get it.
struct EncodedPicture {
  LivePicture picture;
  std::string format, bytes;
  std::string hash;  // of a settled one
};
struct EncodedThumbnail {
  LiveThumbnail thumbnail;  // without its pixels
  int width = 0, height = 0;
  std::string bytes;  // JPEG
};

class FrameEncoder {
 public:
  /// Who hears of results, on the encoder's thread.
  struct Listener {
    std::function<void(std::shared_ptr<const EncodedPicture>)> picture;
    std::function<void(EncodedThumbnail)> thumbnail;
    std::function<void(const std::string&)> error;
  };
  explicit FrameEncoder(Listener listener);
  ~FrameEncoder();
  FrameEncoder(const FrameEncoder&) = delete;
  FrameEncoder& operator=(const FrameEncoder&) = delete;

  void add(LivePicture picture);
  void add(LiveThumbnail thumbnail);
  /// Something else that is too slow for the server's thread; after it what waits goes on.
  void add(std::function<void()> work);

 private:
  void run();
  void encode(LivePicture picture) const;
  void encode(LiveThumbnail thumbnail) const;
  template <class Body>
  void guarded(Body body) const;

  const Listener listener_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<LivePicture> picture_;
  std::deque<LiveThumbnail> thumbnails_;
  std::deque<std::function<void()>> works_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace kiln::cli
