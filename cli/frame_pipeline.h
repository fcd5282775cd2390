// Frames through three stages that overlap: prepared (interpolated, compiled) ahead on worker
// threads, rendered in order by one thread a renderer, encoded and written on worker threads. How
// much is under way is bounded at each stage, so memory does not grow with the animation. Results
// come back in order, to the thread that calls run().
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "cli/outcome.h"
#include "engine/render/prepared_frame.h"

namespace kiln::cli {

/// What an encoder made of a frame.
struct EncodedFrame {
  PictureReport picture;
  std::vector<std::uint16_t> video;  // video_frame(), empty without a video
};

/// What the pipeline asks of its owner. Functions but `report` and `progress` are called from
/// several threads at once. Frames are named by their position in the list, from 0.
struct FrameWork {
  int count = 0;
  std::function<bool(int)> needs_rendering;  // false: encode gets an empty picture
  std::function<PreparedFrame(int)> prepare;
  std::function<EncodedFrame(int, Image, const RenderStatistics&, double render_s)> encode;
  std::function<void(int, EncodedFrame)> report;  // in order
  /// At most every 0.1 s: frames that are reported and, of each renderer that works, position and
  /// progress.
  std::function<void(int, const std::map<int, Progress>&)> progress;
};

class FramePipeline {
 public:
  struct Threads {
    int prepare = 1, encode = 1;
    bool in_turn = false;  // one thread does everything, for machines with one core to spare
  };

  /// A renderer for each of `renderers`; their on_progress is the pipeline's.
  FramePipeline(FrameWork work, std::vector<RenderOptions> renderers, Threads threads);

  /// A frame that could not be made.
  struct Trouble {
    int position = 0;
    std::exception_ptr reason;
  };

  /// Makes all frames. After a trouble no further frame is begun; those under way are finished and
  /// reported. Returns the first trouble, if any. An exception of `report` ends the work likewise
  /// and is thrown when all threads have stopped.
  std::optional<Trouble> run();

 private:
  struct Rendered {
    Image image;
    RenderStatistics statistics;
    double render_s = 0;
  };

  void start_threads(std::vector<std::jthread>& workers);
  void run_in_turn();
  void prepare_frames();
  void render_frames(RenderOptions options);
  void encode_frames();
  void report_frames();
  void note_trouble(int position);
  void note_progress(int position, const Progress& progress);
  template <class Ready>
  bool wait(std::unique_lock<std::mutex>& lock, Ready ready);

  const FrameWork work_;
  const std::vector<RenderOptions> renderers_;
  const Threads threads_;
  const int frames_ahead_, pictures_ahead_;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;
  int next_prepared_ = 0, next_rendered_ = 0, next_reported_ = 0;
  int rendering_ = 0;  // threads that may still add to rendered_
  int encoding_ = 0;   // threads that may still add to encoded_
  std::map<int, PreparedFrame> prepared_;
  std::map<int, Rendered> rendered_;
  std::map<int, EncodedFrame> encoded_;
  std::map<int, Progress> progress_;
  std::optional<Trouble> trouble_;
};

}  // namespace kiln::cli
