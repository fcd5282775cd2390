// SPDX-License-Identifier: MIT
// Pictures on their way to pages (live_protocol.h): threads that make JPEG and PNG of them.
#include <turbojpeg.h>

#include <algorithm>
#include <cmath>
#include <system_error>

#include "engine/base/cores.h"
#include "engine/base/error.h"
#include "engine/base/thread_pool.h"
#include "engine/io/picture/picture_format.h"
#include "engine/model/image.h"
#include "engine/model/spare_pixels.h"
#include "view/server/live_protocol.h"

namespace kiln::cli {
namespace {

constexpr int threads = 4;  // one PNG of 4K takes a second, which nobody who drags shall wait for
// small pictures, of all pages at a flame; of what one of 16 wants at once 32 are mutations
constexpr std::size_t most_waiting = 16 * LiveFlame::most_mutations;

struct Compressor {
  tjhandle handle = tjInitCompress();
  unsigned char* bytes = nullptr;
  unsigned long size = 0;

  ~Compressor() {
    tjFree(bytes);
    if (handle) tjDestroy(handle);
  }
};

std::string jpeg_bytes(const Image& image, int first_row, int height) {
  constexpr int quality = 88;
  const std::uint8_t* rows =
      image.pixels8().data() + std::size_t(first_row) * std::size_t(image.width) * 4;
  Compressor jpeg;
  const int result = jpeg.handle
                         ? tjCompress2(jpeg.handle, rows, image.width, 0, height, TJPF_RGBX,
                                       &jpeg.bytes, &jpeg.size, TJSAMP_420, quality, TJFLAG_FASTDCT)
                         : -1;
  if (result != 0) fail(ErrorKind::device, "a JPEG could not be made: {}", tjGetErrorStr());
  return std::string(reinterpret_cast<const char*>(jpeg.bytes), jpeg.size);
}

}  // namespace

std::vector<JpegStripe> jpeg_stripes(const Image& image) {
  constexpr double stripe_pixels = 1 << 19;  // 3 ms
  constexpr int block = 16;                  // rows that a JPEG has together
  const double count = std::max(1.0, std::round(image.width / stripe_pixels * image.height));
  const int height = int(std::ceil(image.height / count / block)) * block;
  std::vector<JpegStripe> stripes;
  for (int row = 0; row < image.height; row += height)
    stripes.push_back({row, std::min(height, image.height - row), ""});
  const int pieces = int(stripes.size());
  ThreadPool(std::min(pieces, usable_cores())).run(pieces, [&](int i, int) {
    JpegStripe& stripe = stripes[std::size_t(i)];
    stripe.bytes = jpeg_bytes(image, stripe.first_row, stripe.height);
  });
  return stripes;
}

std::string with_head(JsonObject head, const std::vector<JpegStripe>& stripes) {
  JsonArray lengths;
  for (const JpegStripe& stripe : stripes)
    lengths.add_json(
        JsonObject().add("height", stripe.height).add("bytes", stripe.bytes.size()).text());
  const std::string text = head.add_json("stripes", lengths.text()).text();
  std::string message;
  for (int shift = 0; shift < 32; shift += 8) message += char(text.size() >> shift & 0xff);
  message += text;
  for (const JpegStripe& stripe : stripes) message += stripe.bytes;
  return message;
}

FrameEncoder::FrameEncoder(Listener listener) : listener_(std::move(listener)) {
  try {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
  } catch (const std::system_error&) {
    if (threads_.empty()) throw;  // else those that are there do the work
  }
}

FrameEncoder::~FrameEncoder() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void FrameEncoder::add(LivePicture picture) {
  const std::lock_guard lock(mutex_);
  picture_ = std::move(picture);
  ++picture_number_;
  wake_.notify_all();
}

void FrameEncoder::add(LiveThumbnail thumbnail) {
  const std::lock_guard lock(mutex_);
  thumbnails_.push_back(std::move(thumbnail));
  if (thumbnails_.size() > most_waiting) thumbnails_.pop_front();
  wake_.notify_all();
}

void FrameEncoder::add(std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  works_.push_back(std::move(work));
  wake_.notify_all();
}

template <class Body>
void FrameEncoder::guarded(Body body) {
  try {
    body();
  } catch (const std::exception& error) {
    const std::lock_guard lock(sending_);
    listener_.error(error.what());
  }
}

void FrameEncoder::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (ending_) return;
    if (picture_) {
      LivePicture picture = std::move(*picture_);
      picture_.reset();
      const std::uint64_t number = picture_number_;
      lock.unlock();
      guarded([&] { encode(std::move(picture), number); });
    } else if (!works_.empty()) {
      const std::function<void()> work = std::move(works_.front());
      works_.pop_front();
      lock.unlock();
      guarded(work);
    } else if (!thumbnails_.empty()) {
      LiveThumbnail thumbnail = std::move(thumbnails_.front());
      thumbnails_.pop_front();
      lock.unlock();
      guarded([&] { encode(std::move(thumbnail)); });
    } else {
      wake_.wait(lock);
      continue;
    }
    lock.lock();
  }
}

void FrameEncoder::encode(LivePicture picture, std::uint64_t number) {
  auto encoded = std::make_shared<EncodedPicture>();
  encoded->format = picture.settled ? "png" : "jpeg";
  if (picture.settled) {
    encoded->hash = pixel_hash(picture.image);
    encoded->stripes = {
        {0, picture.image.height, format_for(false).bytes(picture.image, {}, {.threads = 0})}};
  } else {
    encoded->stripes = jpeg_stripes(picture.image);
    SparePixels::shared().give_back(std::move(picture.image.pixels8()));
  }
  encoded->picture = std::move(picture);
  const std::lock_guard lock(sending_);
  if (number < sent_picture_) return;
  sent_picture_ = number;
  listener_.picture(std::move(encoded));
}

void FrameEncoder::encode(LiveThumbnail thumbnail) {
  EncodedThumbnail encoded;
  encoded.width = thumbnail.image.width;
  encoded.height = thumbnail.image.height;
  encoded.stripes = {{0, encoded.height, jpeg_bytes(thumbnail.image, 0, encoded.height)}};
  thumbnail.image = {};
  encoded.thumbnail = std::move(thumbnail);
  const std::lock_guard lock(sending_);
  listener_.thumbnail(std::move(encoded));
}

}  // namespace kiln::cli
