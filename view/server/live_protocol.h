// SPDX-License-Identifier: MIT
// What pages and a live flame say to each other (docs/inside/live-inside.md, "Protocol"). All of it happens
// on the server's thread; pictures come to it ready from the encoder's.
#pragma once

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/resources.h"
#include "engine/base/text.h"
#include "engine/live/live_flame.h"
#include "engine/live/named_numbers.h"
#include "view/server/formula_shelf.h"
#include "view/server/kept_edits.h"
#include "view/server/kept_states.h"
#include "view/server/light_desk.h"
#include "view/server/render_desk.h"
#include "view/server/star_list.h"
#include "view/server/versions.h"
#include "view/server/web_server.h"

namespace kiln::cli {

// Pictures of a live flame as files for a page, on threads of their own, so that the next picture is
// made meanwhile: JPEG while things move, PNG without loss once they are settled. A JPEG is cut into
// stripes that are files of their own: one thread takes 50 ms for 4K, and so does the page's decoder.
// Of pictures only the newest waits; one that is done after a newer one is dropped.

/// A file of all columns and some rows of a picture.
struct JpegStripe {
  int first_row = 0, height = 0;
  std::string bytes;
};

/// JPEG of the picture's colors, 8 bits a channel, from the top, each stripe of about half a million
/// pixels; made by all cores. Throws Error (device).
std::vector<JpegStripe> jpeg_stripes(const Image& image);

/// A binary message: its head, which says how long they are, and the stripes of a picture.
std::string with_head(JsonObject head, const std::vector<JpegStripe>& stripes);

/// A picture as pages get it.
struct EncodedPicture {
  LivePicture picture;
  std::string format;
  std::vector<JpegStripe> stripes;
  std::string hash;  // of a settled one
};
struct EncodedThumbnail {
  LiveThumbnail thumbnail;  // without its pixels
  int width = 0, height = 0;
  std::vector<JpegStripe> stripes;  // JPEG
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
  std::mutex sending_;              // of the listener and what it was told last
  std::uint64_t sent_picture_ = 0;  // its number
  std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<LivePicture> picture_;
  std::uint64_t picture_number_ = 0;  // of those that came
  std::deque<LiveThumbnail> thumbnails_;
  std::deque<std::function<void()>> works_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

class LiveProtocol {
 public:
  /// The flames that pages edit; where files are saved is the folder that the program was started in.
  struct Subject {
    std::vector<Flame> flames;
    ReaderOptions reader;
    RenderOptions options;
    std::vector<std::string> render_words;  // options of `kiln render` for renders of pages
    bool by_chance = false;                 // nobody named these flames
    LiveFlame::Listener companion;          // of a window; may be empty
    /// Hears of each picture of the first live flame, on the server's thread; may be empty.
    std::function<void(const LivePicture&)> shown = {};
  };
  LiveProtocol(Subject subject, WebServer::Settings settings);
  ~LiveProtocol();

  int port() const { return server_.port(); }
  const std::string& token() const { return server_.token(); }
  /// Until the program ends, or stop().
  void run() { server_.run(); }
  // From any thread, for a window beside the pages.
  void stop() { server_.stop(); }
  /// The live flame of the window, and of the first page.
  LiveFlame& live() { return *easels_.front()->live; }
  /// It was changed elsewhere.
  void tell(const LiveFlame::State& state) {
    server_.post([this, state] { tell_flame(*easels_.front(), state, 0, true); });
  }
  /// Numbers of the first live flame that came by OSC.
  void hear_numbers(const std::vector<NamedNumber>& numbers);
  /// After run(): keeps what is in no file, and says where; empty where nothing would be lost.
  std::string farewell();

 private:
  struct Client;
  struct Message;
  /// What makes pictures of one flame, for all pages that are at it.
  struct Easel {
    std::shared_ptr<const EncodedPicture> picture;  // the newest
    std::shared_ptr<const LiveNoise> noise;         // that was measured last
    bool playing = false;
    bool is_moved = false;                  // by numbers, and pages have not heard it
    Clock::time_point told_at;              // of what they have heard
    std::unique_ptr<FrameEncoder> encoder;  // goes after what fills it
    std::unique_ptr<LiveFlame> live;
    ~Easel() { live.reset(); }
  };
  /// What is known of an opened flame beside its edits.
  struct Paper {
    std::string name, source;
    std::string opened, saved;    // as it is in files
    std::string saved_as = {};    // the name of the file, which may be a picture
    std::string flame_file = {};  // the name of the .flam3 that it is in alone
    bool unsaved = false;
    bool is_blank = false;  // a flame by chance is to come into it
    bool is_closed = false;
    int frames = 0;  // of a film
    int place = 0;   // in its source
    int stars = 0;
  };
  /// A file that somebody wants.
  struct Save {
    int client = 0;
    std::string name;
    bool replace = false;
    std::uint64_t revision = 0;  // of the flame
    int index = 0;
    std::string xml;
    bool is_cleaned_alone = false;  // it is the picture of such a frame
    std::string lost = {};          // what of the flame the file does not say
  };
  /// A picture that a page looks at beside its own, until it is made.
  struct Seen {
    int client = 0;
    std::uint64_t number = 0;  // that the page has given it
    std::shared_ptr<const PrivateFile> file;
  };

  // the server's
  void open(int number);
  void hear(int number, const std::string& text);
  // messages of pages
#define KILN_MESSAGE(type) void on_##type(const Message& message);
#include "view/server/messages.inc"
#undef KILN_MESSAGE
  void save_pack(const Save& save, const nlohmann::json& flames);
  void save_chosen(const Save& save, const std::vector<int>& which);
  void render_chosen(const Message& message, const std::vector<int>& which);
  void sheet_of_chosen(const Message& message, const std::vector<int>& which);
  void save_for_flam3(const Save& save, std::vector<Flame> flames);
  void play_film(const Message& message);
  void beside(int number, std::function<std::string()> work);
  FilmSound song_of_film(int client) const;
  std::optional<WebFile> song_at(const std::string& path) const;
  void move(Easel& easel, const std::vector<NamedNumber>& numbers, std::uint64_t gesture,
            bool is_last);
  void tell_moved(Easel& easel, const LiveFlame::State& state);
  void move_heard();
  void move_alone(Easel& easel, const NamedNumber& number);
  Flame key_of(int index) const;
  std::shared_ptr<const LiveFilm> made_film(const Message& message) const;
  std::shared_ptr<const LiveFilm> tracked_film(const Message& message) const;
  void open_keys(const Message& message);
  static std::string track_names_json();
  static void add_film(JsonObject& message, Client& client, const FilmPlace& place);
  static void add_text(JsonObject& message, const Client& client, const LiveFlame::State& state,
                       bool own);

  static std::uint64_t gesture_of(const Message& message);
  static std::uint64_t wish_of(const Message& message);
  Flame flame_of(const std::string& xml) const;
  Flame mate_of(const Message& message, const LiveFlame& live) const;
  std::optional<std::string> uploaded(const Message& message, std::size_t most);
  std::shared_ptr<Easel> make_easel(std::shared_ptr<FlameShelf> shelf, int index,
                                    const LiveFlame::Listener& companion);
  int pages_at(const Easel& easel) const;
  void enter(int number, const std::shared_ptr<Easel>& easel);
  void go_to(int number, int index);
  void leave(int number);
  void add_papers();
  void tell_names();
  void note(const LiveFlame::State& state);
  void note_state(int index);
  void note_saved(const Save& save);
  void open_all(int number, std::vector<LiveDocument> documents);
  void show_opened(int number, int first);
  std::string names_json() const;
  std::string frames_json() const;
  std::string stars_json() const;
  std::string unsaved_json() const;
  std::string lost_json() const;
  std::string keeping_json() const;
  std::string states_json(bool is_first) const;
  std::string formulas_json() const;
  void note_version(const LiveFlame::State& state);
  void name_version(const Message& message);
  LiveDocument document_of(const std::string& text) const;
  std::vector<int> flames_of(const Message& message) const;
  static std::vector<std::string> render_goal(const Message& message);
  void restore(int index, LiveDocument document);
  void take_lost(int client, const std::vector<KeptEdits::Lost>& taken);
  void see_no_more(int client);
  void tell_seen();
  void tell_light(const LightDesk::Question& question, const std::string& json,
                  const std::string& failure);
  std::optional<WebFile> picture_at(const std::string& path) const;

  void tell_flame_to(int number, Client& client, const LiveFlame::State& state, bool own);
  void tell_flame(Easel& easel, const LiveFlame::State& state, int author, bool is_edit);
  void tell_playing(Easel& easel, bool playing);
  void tell_all(const std::string& text);
  void tell_easel(const Easel& easel, const std::string& text);
  void tell(int client, const char* kind, const std::string& text, std::uint64_t number = 0);
  void tell_error(const Easel& easel, std::uint64_t revision, const std::string& text);
  void show(Easel& easel, std::shared_ptr<const EncodedPicture> picture);
  void send_picture(int number, Client& client);
  void send_frame(int number, Client& client, bool settled, std::string bytes);
  void give_up_parts(int number);
  void send_newest(int number, Client& client, std::uint64_t revision);
  void send_noise(int number, Client& client);
  void send_thumbnail(const Easel& easel, std::shared_ptr<const EncodedThumbnail> thumbnail);
  void send_thumbnail(int number, const EncodedThumbnail& thumbnail);
  void keep_small(std::shared_ptr<const EncodedThumbnail> thumbnail);
  static void check_name(const std::string& name, bool is_render);
  bool is_in_the_way(const Save& save, bool is_file = true, const std::string& folder = "");
  bool is_awaited(const Save& save) const;
  void save_picture(const Save& save, std::shared_ptr<const EncodedPicture> picture);
  void try_save(const Save& save, const std::function<std::string()>& write);

  const ReaderOptions reader_;
  const RenderOptions options_;
  const bool has_window_, by_chance_;
  const std::string folder_;
  const std::string run_;  // no other run of the program has this name
  std::map<int, std::unique_ptr<Client>> clients_;
  std::vector<Save> saves_;  // that wait for their picture
  WebServer server_;
  std::vector<Paper> papers_;  // of the opened flames
  std::vector<KeptEdits::Lost> lost_;
  std::map<std::string, std::shared_ptr<const EncodedThumbnail>>
      small_;  // of opened flames, by XML
  KeptEdits kept_;
  KeptStates states_;
  Versions versions_;
  std::string version_trouble_;  // that was said
  StarList stars_;
  FormulaShelf formulas_;
  RenderDesk desk_;
  std::map<int, Seen> seen_;                  // by the number of its job
  std::map<std::string, std::string> songs_;  // paths by digests, of those that pages were told of
  std::mutex heard_mutex_;                    // of the numbers that came by OSC
  std::map<std::pair<int, std::string>, std::vector<double>> heard_numbers_;
  std::uint64_t heard_gesture_ = 0;
  Clock::time_point heard_at_;
  std::string heard_trouble_;                      // that was said
  std::function<void(const LivePicture&)> shown_;  // Subject::shown
  RenderDesk aside_;  // of pictures that pages look at beside their own
  LightDesk lights_;
  std::shared_ptr<FlameShelf> shelf_;
  std::vector<std::shared_ptr<Easel>> easels_;  // the first one is the window's, if there is one
};

// A page as the protocol knows it, and the messages that it sends.

/// A page.
struct LiveProtocol::Client {
  static constexpr double messages_a_second = 300, messages_at_once = 600;  // more are dropped

  struct Edit {
    std::uint64_t revision, number;
  };
  std::shared_ptr<Easel> easel;              // never null
  LiveFlame::View view{0, 0};                // none yet
  bool takes_parts = false;                  // of a large picture
  std::string upload;                        // parts of a file that came
  std::shared_ptr<const PrivateFile> sound;  // of films that it exports
  std::deque<Edit> edits;                    // whose pictures may still come, the oldest first
  std::uint64_t least_revision = 0;  // pictures of older ones are of a flame that is not open now
  std::uint64_t told_revision = 0;   // that it was told last
  std::uint64_t last_number = 0;     // of the last edit
  std::shared_ptr<const LiveFilm> film;  // that it knows
  std::uint64_t sent = 0, shown = 0;     // pictures
  std::shared_ptr<const EncodedPicture> waiting;
  double allowance = messages_at_once;  // messages that it may send now
  Clock::time_point heard_at = Clock::now();
  bool was_warned = false;  // that it talks too much

  /// The page's number of the newest edit that the revision has.
  std::uint64_t number_of(std::uint64_t revision) {
    while (edits.size() > 1 && edits[1].revision <= revision) edits.pop_front();
    return !edits.empty() && edits[0].revision <= revision ? edits[0].number : 0;
  }
  /// Whether it may say something now.
  bool may_talk() {
    const auto now = Clock::now();
    const double passed = std::chrono::duration<double>(now - heard_at).count();
    heard_at = now;
    allowance = std::min(messages_at_once, allowance + passed * messages_a_second) - 1;
    if (allowance < 0) allowance = -1;
    return allowance >= 0;
  }
};

/// What a page says: a JSON object of a known type.
struct LiveProtocol::Message {
  int client;
  std::string type;
  const nlohmann::json& body;

  double number(const char* key, double least, double most,
                std::optional<double> usual = {}) const {
    const auto found = body.find(key);
    if (found == body.end() && usual) return *usual;
    if (found == body.end() || !found->is_number() ||
        !(found->get<double>() >= least && found->get<double>() <= most)) {
      fail(ErrorKind::usage, "{}: \"{}\" is a number from {} to {}", type, key, shortest(least),
           shortest(most));
    }
    return found->get<double>();
  }
  std::string text(const char* key) const {
    const auto found = body.find(key);
    if (found == body.end() || !found->is_string())
      fail(ErrorKind::usage, "{}: \"{}\" is a text", type, key);
    return found->get<std::string>();
  }
  bool has(const char* key) const { return body.contains(key); }
  bool flag(const char* key) const {
    const auto found = body.find(key);
    return found != body.end() && found->is_boolean() && found->get<bool>();
  }
};

}  // namespace kiln::cli
