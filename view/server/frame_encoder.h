// Pictures of a live flame as files for a page, on threads of their own, so that the next picture is
// made meanwhile: JPEG while things move, PNG without loss once they are settled. A JPEG is cut into
// stripes that are files of their own: one thread takes 50 ms for 4K, and so does the page's decoder.
// Of pictures only the newest waits; one that is done after a newer one is dropped.
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
#include <vector>

#include "engine/live/live_flame.h"

namespace kiln::cli {

/// A file of all columns and some rows of a picture.
struct Stripe {
  int first_row = 0, height = 0;
  std::string bytes;
};

/// JPEG of the picture's colors, 8 bits a channel, from the top, each stripe of about half a million
/// pixels; made by all cores. Throws Error (device).
std::vector<Stripe> jpeg_stripes(const Image& image);

/// A picture as pages get it.
struct EncodedPicture {
  LivePicture picture;
  std::string format;
  std::vector<Stripe> stripes;
  std::string hash;  // of a settled one
};
struct EncodedThumbnail {
  LiveThumbnail thumbnail;  // without its pixels
  int width = 0, height = 0;
  std::vector<Stripe> stripes;  // JPEG
};

class FrameEncoder {
 public:
  /// Who hears of results, on the encoder's threads, of one at a time; shall be quick.
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
  void encode(LivePicture picture, std::uint64_t number);
  void encode(LiveThumbnail thumbnail);
  template <class Body>
  void guarded(Body body);

  const Listener listener_;
  std::mutex telling_;              // of the listener and what it was told last
  std::uint64_t told_picture_ = 0;  // its number
  std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<LivePicture> picture_;
  std::uint64_t picture_number_ = 0;  // of those that came
  std::deque<LiveThumbnail> thumbnails_;
  std::deque<std::function<void()>> works_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace kiln::cli
