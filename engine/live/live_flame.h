// SPDX-License-Identifier: MIT
// A live flame: flames that are edited, and pictures of the one that is open, made by a thread of
// its own as well as the machine can. There is no window here; who shows the pictures hears of
// them.
//
//   an edit comes        its look alone: developed anew from the samples that are there, if that is
//                        quick; else a sketch (flock/look.cpp) as large as fits the budget
//   nobody edits         small pictures first that somebody asked for, of mutations, children and other
//                        open flames; how noisy the picture is, where that costs a tenth
//   and then             the picture grows (progressive_render.h): shown at a sixteenth and a quarter of its
//                        quality, and finished, when it is the one of `kiln render`
//
// The newest edit wins: what came before it and was not begun is never rendered. All functions may
// be called from any thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "engine/animation/frame_at.h"
#include "engine/api/kiln/image.h"
#include "engine/api/kiln/render_options.h"
#include "engine/base/resources.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/picture/picture_file.h"
#include "engine/live/flame_history.h"
#include "engine/live/live_film.h"
#include "engine/live/live_pictures.h"
#include "engine/model/flame.h"

namespace kiln {

class DevicePicture;

/// A picture of the open flame.
struct LivePicture {
  std::shared_ptr<const Flame> flame;
  std::uint64_t revision = 0;  // LiveFlame::State::revision of what it shows
  int index = 0;               // of the flame
  Image image;
  double quality = 0;    // samples a pixel
  bool settled = false;  // the picture of `kiln render`
  double seconds = 0;    // that it took, or its last step
  FilmPlace place = {};
  RenderStatistics statistics;  // of a settled one
};

/// Whether it is a frame that `kiln animate` cleans together with those around it, so that its pixels are
/// others there.
bool is_cleaned_alone(const LivePicture& made);

/// The texts in the file of a settled picture; a frame of a film has those of `kiln animate`.
FileTexts texts_of(const LivePicture& made, const RenderOptions& options, const std::string& hash);

/// One of a set of small pictures to choose from; of set 0: of the opened flame at its place.
struct LiveThumbnail {
  int who = 0;  // has asked for it
  std::uint64_t set = 0;
  int place = 0;
  std::string xml;
  Image image;
};

/// The noise of the newest picture of a revision.
struct LiveNoise {
  std::uint64_t revision = 0;
  LivePictures::Noise noise;
};

class LiveFlame {
 public:
  static constexpr double most_pixels = most_live_pixels;
  static constexpr int most_mutations = 32, most_thumbnail_width = 320;

  /// The receiver of results, called on the thread that makes them; it shall be quick.
  struct Listener {
    std::function<void(LivePicture)> picture;
    std::function<void(LiveThumbnail)> thumbnail;
    /// Receives the reason why the flame of a revision has no picture.
    std::function<void(std::uint64_t revision, const std::string&)> error;
    /// randomize() has come to a flame, fit() to a camera.
    std::function<void()> changed;
    /// Empty: the noise is not measured.
    std::function<void(LiveNoise)> noise = {};
  };
  /// The open flame.
  struct State {
    int index = 0;
    std::uint64_t revision = 0;  // grows with everything that changes the flame or opens another
    std::string xml, name;
    int undo = 0, redo = 0;
    bool playing = false;
    FilmPlace place = {};
    std::uint64_t step = 0;  // FlameHistory::step()
    /// The text of its file: the film's, or the flame as XML.
    const std::string& document() const { return place.film ? place.film->text : xml; }
  };
  /// The part of a film that is played, and how fast.
  struct Playing {
    double from = 0, begin = 0, end = 0;  // times of the film; at `end` it begins anew
    double rate = 30;                     // of time a second
  };
  struct View {
    double pixels = 1280 * 720;  // more would not be seen while things move
    double budget_s = 0.04;      // for a picture while things move
  };
  /// Flames to choose from: like the open one, by chance, or children of it and of another one.
  struct Mutations {
    int count = 12, width = 200;
    Mutation like = {};
    bool random = false;
    std::shared_ptr<const Flame> mate = nullptr;
    Breeding breeding = Breeding::any;
    bool parent_first = false;  // the open flame itself at place 0
    std::uint64_t seed = 0;     // of place 0, the next ones follow; 0: as many sets as there were
  };

  /// `flames`: not empty. `place`: of the pixels of pictures, which then have none, but for the
  /// small ones; whoever reads it there does so before this ends. Throws Error (device).
  LiveFlame(std::vector<Flame> flames, const ReaderOptions& reader, const RenderOptions& options,
            Listener listener, DevicePicture* place = nullptr);
  /// Opens one beside others, at flame `index` of the shelf, which has one at least.
  LiveFlame(std::shared_ptr<FlameShelf> shelf, int index, const ReaderOptions& reader,
            const RenderOptions& options, Listener listener, DevicePicture* place = nullptr);
  ~LiveFlame();
  LiveFlame(const LiveFlame&) = delete;
  LiveFlame& operator=(const LiveFlame&) = delete;

  /// The flame of this XML in place of the open one. Edits in a row of one `gesture`, unless that is
  /// 0, are one step of undo. Throws Error (input) with what is wrong with it. This and what
  /// follows gives the state after it.
  State edit(const std::string& xml, std::uint64_t gesture, bool keys = true);
  /// The open flame is this film at `time`, as a step; null: it is no moment of a film any more.
  State edit(std::shared_ptr<const LiveFilm> film, double time, std::uint64_t gesture);
  /// The open flame is this one again, a flame of no film or a film, as a step.
  State restore(LiveDocument document, std::uint64_t gesture);
  /// Does so for a flame that no live flame is at.
  void restore_other(int index, LiveDocument document);
  /// Another time of the film. Throws Error (usage) where there is none.
  State scrub(double time);
  State undo();
  State redo();
  /// Throws Error (usage) where there is no such flame.
  State select(int index);
  /// A flame made by chance, in place of the open one, as soon as one is found; none if the flame
  /// changes before.
  void randomize(std::uint64_t seed);
  /// All of the open flame that shines into the picture, as soon as it is known where that is; the
  /// camera's turn, depth and zoom stay.
  void fit();
  /// Plays all flames as keys, from the open one on, or a turn of that one alone; 0 or less: stops,
  /// as every change does.
  State play(double seconds_a_key, bool alone = false);
  /// Plays the film of the open flame.
  State play(const Playing& wanted);

  void view(const View& view);
  // Small pictures. Those who ask are told apart by a number and served by turns; what one asks is in
  // place of what the same one has asked before.

  /// Begins a set of mutations and returns its number.
  std::uint64_t mutate(const Mutations& wanted, int who = 0);
  /// Pictures these flames, before those of sets of mutations. Returns their set's number. Throws
  /// Error (input) for one that is too large.
  std::uint64_t picture_these(std::vector<Flame> flames, int width, int who = 0);
  /// Pictures these opened flames, in this order.
  void picture_all(std::deque<int> wanted, int width, int who = 0);
  /// Drops all that this one still wants.
  void forget(int who);
  /// Opens flames behind the others; blank: their first edit is what they are. Returns the first
  /// one's index. Throws Error (input, usage).
  int append(std::vector<Flame> flames, bool are_blank = false);
  int append(std::vector<LiveDocument> documents);
  int append(std::shared_ptr<const LiveFilm> film);
  /// A flame that no live flame is at. Throws Error (usage) where there is no such flame.
  void close(int index);

  State state() const;
  Flame flame() const;
  std::vector<std::string> names() const;
  /// The XML of flame `index` as it is now; empty if it was closed or never there.
  std::string xml_of(int index) const;
  /// The film that it is a moment of; null: none.
  std::shared_ptr<const LiveFilm> film_of(int index) const;
  /// Flame `index` with its film. Throws Error (usage) where there is no such flame.
  LiveDocument document_of(int index) const;
  std::string device() const { return device_; }
  /// Bytes that all devices of this process have sent back so far, for tests.
  static std::uint64_t bytes_from_devices();

 private:
  class Worker;
  /// The thread (live_worker.cpp): opens its device, says which, or why there is none, and works until
  /// the live flame ends.
  void work(const RenderOptions& options, DevicePicture* place, std::promise<std::string>& device);
  /// The small pictures that somebody wants.
  struct Wanted {
    std::uint64_t set = 0;  // of mutations
    Mutations mutations;
    std::shared_ptr<const Flame> parent;       // null: none are wanted
    std::shared_ptr<std::vector<Look>> looks;  // the thread's: of the parent and those made
    int made = 0;
    std::uint64_t given_set = 0;
    int given_count = 0, given_width = 200;
    std::deque<std::shared_ptr<const Flame>> given;  // the last ones of their set
    std::deque<int> opened;
    int opened_width = 200;

    bool has_mutation() const { return parent != nullptr; }
    bool has_given() const { return !given.empty(); }
    bool has_opened() const { return !opened.empty(); }
  };

  int append(std::deque<FlameHistory> more);
  State state_now() const;
  State changed();
  State begin_revision();
  bool has(int index) const;
  Wanted* in_turn(bool (Wanted::*has)() const);
  void wake();

  const ReaderOptions reader_;
  const Listener listener_;
  std::string device_;

  const std::shared_ptr<FlameShelf> shelf_;
  std::mutex& mutex_ = shelf_->mutex;  // of what follows
  std::deque<FlameHistory>& flames_ = shelf_->flames;
  std::condition_variable wake_;
  std::stop_source wanted_;  // asked to stop by the next wish: what can wait is begun again
  int index_ = 0;
  std::uint64_t revision_ = 0;
  View view_;
  std::vector<std::uint64_t> seeds_;  // wishes of randomize()
  bool fits_ = false;                 // a wish of fit()
  std::uint64_t set_ = 0;             // of mutations: the newest
  std::map<int, Wanted> wishes_;      // by who asks
  int served_ = 0;                    // whose small picture was begun last
  double seconds_a_key_ = 0;          // 0: nothing is played
  bool plays_alone_ = false;
  std::optional<Playing> playing_;  // of a film
  std::uint64_t plays_ = 0;         // how often play() was called
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace kiln
