// SPDX-License-Identifier: MIT
// kiln_c.h in terms of kiln.h: objects behind pointers, errors as numbers.

#include "engine/api/kiln_c_api.h"

#include <algorithm>
#include <optional>
#include <utility>

using namespace kiln::c_api;

namespace {

thread_local std::string message;

/// The devices that share the work; GPUs where nothing else is said.
void set_helpers(const kiln_options& c, kiln::RenderOptions& options) {
  if (c.helper_count == KILN_ALL_GPUS) {
    require(c.backend != KILN_CPU, "all GPUs share the work, and the backend is the CPU");
    return kiln::share_work(kiln::all_gpus(), options);
  }
  require(c.helper_count >= 0 && (c.helpers || c.helper_count == 0),
          "helpers are helper_count numbers");
  if (c.helper_count > 0 && options.backend == kiln::Backend::automatic)
    options.backend = kiln::Backend::cuda;
  for (int i = 0; i < c.helper_count; ++i)
    options.helpers.push_back({options.backend, c.helpers[i], options.threads});
}

kiln::RenderOptions options_from(const kiln_options& c) {
  require(c.size == sizeof(kiln_options), "begin with kiln_usual_options()");
  kiln::RenderOptions options;
#define KILN_SETTING(name, ...) options.name = static_cast<decltype(options.name)>(c.name);
#define KILN_CPP_SETTING(...)  // game: the program's alone; crop and psf: below
#include "engine/io/picture/picture_settings.inc"
#undef KILN_CPP_SETTING
#undef KILN_SETTING
  set_helpers(c, options);
  if (c.crop_width != 0)
    options.crop = kiln::Window{c.crop_x, c.crop_y, c.crop_width, c.crop_height};
  if (c.psf) options.psf = c.psf->psf;
  if (c.stop) options.stop = c.stop->source.get_token();
  if (c.on_progress) {
    options.on_progress = [say = c.on_progress, user = c.user](const kiln::Progress& progress) {
      say(progress.done, progress.remaining_s, user);
    };
  }
  return options;
}

kiln::Credits credits_of(const kiln_credits* asked) {
  const kiln_credits& c = at(asked, "credits");
  require(c.size == sizeof c, "begin with kiln_no_credits()");
  const auto given = [](const char* text) { return std::string(text ? text : ""); };
  return {given(c.title), given(c.author), given(c.copyright), given(c.source)};
}

/// The picture, or for NULL an empty one.
const kiln::Picture& shown(const kiln_picture* picture) {
  static const kiln::Picture none;
  return is_given(picture, "picture") ? picture->picture : none;
}

/// The picture that `render` makes with the session and these options; NULL: the session's own.
template <class Render>
kiln_status pictured(kiln_session* session, const kiln_options* options, kiln_picture** picture,
                     Render render) {
  return made(picture, "picture", [&] {
    kiln::Session& device = at(session, "session").session;
    return kiln_picture{render(device, options_or(options, session->options)), {}};
  });
}

std::function<void(const std::string&)> told_to(kiln_warn warn, void* user) {
  if (!warn) return {};
  return [=](const std::string& line) { warn(line.c_str(), user); };
}

kiln::Unsupported treatment(int approximate) {
  return approximate ? kiln::Unsupported::approximate : kiln::Unsupported::refuse;
}

/// `load` of kiln.h with C's way to be told.
template <class Load>
kiln_status scenes_from(Load load, const char* from, const char* name, int approximate,
                        kiln_warn warn, void* user, kiln_scenes** scenes) {
  return made(scenes, "scenes", [&] {
    return kiln_scenes{load(text(from, name), told_to(warn, user), treatment(approximate)), {}};
  });
}

kiln::ExrPrecision precision(int single_float) {
  return single_float ? kiln::ExrPrecision::single_float : kiln::ExrPrecision::half_float;
}

}  // namespace

kiln_status kiln::c_api::failed(ErrorKind kind, const char* what) {
  message = what;
  return static_cast<kiln_status>(kind);
}

kiln::RenderOptions kiln::c_api::options_or(const kiln_options* options,
                                            const RenderOptions& usual) {
  return options ? options_from(*options) : usual;
}

const char* kiln_message(void) { return message.c_str(); }
const char* kiln_version(void) { return kiln::version(); }

kiln_status kiln_load(const char* path, int approximate, kiln_warn warn, void* user,
                      kiln_scenes** scenes) {
  return scenes_from(kiln::load_scenes, path, "path", approximate, warn, user, scenes);
}
kiln_status kiln_parse(const char* xml, int approximate, kiln_warn warn, void* user,
                       kiln_scenes** scenes) {
  return scenes_from(kiln::parse_scenes, xml, "xml", approximate, warn, user, scenes);
}
kiln_status kiln_random_scenes(int count, uint64_t seed, const kiln_options* options,
                               kiln_scenes** result) {
  return made(result, "made", [&] {
    return kiln_scenes{kiln::random_scenes(count, seed, options_or(options, {})), {}};
  });
}
kiln_status kiln_mutants(const kiln_scenes* scenes, int index, int count, uint64_t seed,
                         double strength, const char* direction, const kiln_options* options,
                         kiln_scenes** result) {
  return made(result, "made", [&] {
    return kiln_scenes{kiln::mutants(scene_at(scenes, index), count, seed, strength,
                                     text(direction, "direction"), options_or(options, {})),
                       {}};
  });
}
kiln_status kiln_children(const kiln_scenes* scenes, int count, uint64_t seed, const char* method,
                          const kiln_options* options, kiln_scenes** result) {
  return made(result, "made", [&] {
    return kiln_scenes{kiln::children(at(scenes, "scenes").all, count, seed, text(method, "method"),
                                      options_or(options, {})),
                       {}};
  });
}
kiln_status kiln_previews(const kiln_scenes* scenes, int width, int height, double quality,
                          const kiln_options* options, uint8_t* pixels, kiln_warn warn,
                          void* user) {
  return status_of([&] {
    const kiln::RenderOptions all = options_or(options, {});
    require(all.bits == 8 && !all.linear && !all.crop, "previews have 8 bits and no crop");
    at(pixels, "pixels");
    const std::size_t bytes =
        static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4;
    kiln::previews(at(scenes, "scenes").all, width, height, quality, all,
                   [&](int index, const kiln::Image& image, const std::string& failure) {
                     std::uint8_t* const place = pixels + static_cast<std::size_t>(index) * bytes;
                     if (failure.empty())
                       std::copy_n(image.pixels8().data(), bytes, place);
                     else
                       std::fill_n(place, bytes, std::uint8_t(0));
                     if (!failure.empty() && warn) warn(failure.c_str(), user);
                   });
  });
}
void kiln_free_scenes(kiln_scenes* scenes) { delete scenes; }
int kiln_scene_count(const kiln_scenes* scenes) {
  return is_given(scenes, "scenes") ? static_cast<int>(scenes->all.size()) : 0;
}
kiln_status kiln_attribute(kiln_scenes* scenes, int index, const char* name, const char** value) {
  return status_of([&] {
    const char*& said = at(value, "value");
    scenes->said = scene_at(scenes, index).attribute(text(name, "name"));
    said = scenes->said.c_str();
  });
}
kiln_status kiln_set(kiln_scenes* scenes, int index, const char* name, const char* value) {
  return status_of([&] { scene_at(scenes, index).set(text(name, "name"), text(value, "value")); });
}
kiln_status kiln_set_width(kiln_scenes* scenes, int index, int pixels) {
  return status_of([&] { scene_at(scenes, index).set_width(pixels); });
}
kiln_status kiln_xml(kiln_scenes* scenes, int index, const char** xml) {
  return status_of([&] {
    const char*& said = at(xml, "xml");
    scenes->said = scene_at(scenes, index).xml();
    said = scenes->said.c_str();
  });
}

kiln_status kiln_flam3_xml(kiln_scenes* scenes, int index, int approximate, kiln_warn warn,
                           void* user, const char** xml) {
  return status_of([&] {
    const char*& said = at(xml, "xml");
    scenes->said = scene_at(scenes, index).flam3_xml(told_to(warn, user), treatment(approximate));
    said = scenes->said.c_str();
  });
}

kiln_options kiln_usual_options(void) {
  kiln_options options{};
  options.size = sizeof options;
  options.bits = 8;
  return options;
}
kiln_status kiln_list_devices(kiln_device_info* list, int most, int* count) {
  return status_of([&] {
    require(list || most <= 0, "list is NULL");
    at(count, "count") = 0;
    const std::vector<kiln::DeviceInfo> all = kiln::list_devices();
    *count = static_cast<int>(all.size());
    for (int i = 0; i < std::min(most, *count); ++i) {
      const kiln::DeviceInfo& device = all[static_cast<std::size_t>(i)];
      list[i] = {};
      list[i].backend = device.kind == "cuda" ? KILN_CUDA : KILN_CPU;
      list[i].device = device.index;
      list[i].memory_bytes = device.memory_bytes;
      device.name.copy(list[i].name, sizeof list[i].name - 1);
    }
  });
}
kiln_stop* kiln_new_stop(void) { return new kiln_stop; }
void kiln_request_stop(kiln_stop* stop) {
  if (is_given(stop, "stop")) stop->source.request_stop();
}
void kiln_free_stop(kiln_stop* stop) { delete stop; }
kiln_status kiln_load_point_spread(const char* option, kiln_point_spread** psf) {
  return made(psf, "psf",
              [&] { return kiln_point_spread{kiln::load_point_spread(text(option, "option"))}; });
}
void kiln_free_point_spread(kiln_point_spread* psf) { delete psf; }

kiln_status kiln_open(const kiln_options* options, kiln_session** session) {
  return made(session, "session", [&] {
    const kiln::RenderOptions all = options_or(options, {});
    kiln::Session opened(all);
    std::string device = opened.device();
    return kiln_session{std::move(opened), all, std::move(device)};
  });
}
void kiln_close(kiln_session* session) { delete session; }
const char* kiln_device(const kiln_session* session) {
  return is_given(session, "session") ? session->device.c_str() : "";
}
kiln_status kiln_render(kiln_session* session, const kiln_scenes* scenes, int index,
                        const kiln_options* options, kiln_picture** picture) {
  return pictured(session, options, picture, [&](kiln::Session& device, const auto& all) {
    return device.render(scene_at(scenes, index), all);
  });
}
kiln_status kiln_render_kept(kiln_session* session, const kiln_scenes* scenes, int index,
                             const kiln_options* options, const char* state, double every_s,
                             kiln_picture** picture) {
  return pictured(session, options, picture, [&](kiln::Session& device, const auto& all) {
    try {
      return device.render(scene_at(scenes, index), all, {text(state, "state"), every_s});
    } catch (const kiln::StateNotWritten& unsaved) {
      *picture = new kiln_picture{std::move(*unsaved.picture), {}};
      throw;
    }
  });
}
kiln_status kiln_render_shard(kiln_session* session, const kiln_scenes* scenes, int index,
                              const kiln_options* options, const char* state, double every_s,
                              int number, int of) {
  return status_of([&] {
    kiln::Session& device = at(session, "session").session;
    device.render_shard(scene_at(scenes, index), options_or(options, session->options),
                        {text(state, "state"), every_s}, {number, of});
  });
}
kiln_status kiln_merge(const char* const* states, int count, const char* path,
                       const kiln_options* options) {
  return status_of([&] {
    require(states && count > 0, "there is nothing to merge");
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i) names.emplace_back(text(states[i], "a name in states"));
    kiln::merge(names, text(path, "path"), options_or(options, {}));
  });
}
kiln_status kiln_grade(kiln_session* session, const kiln_scenes* scenes, int index,
                       const kiln_options* options, const char* state, kiln_picture** picture) {
  return pictured(session, options, picture, [&](kiln::Session& device, const auto& all) {
    return device.grade(scene_at(scenes, index), all, text(state, "state"));
  });
}
void kiln_free_picture(kiln_picture* picture) { delete picture; }

int kiln_width(const kiln_picture* picture) { return shown(picture).image.width; }
int kiln_height(const kiln_picture* picture) { return shown(picture).image.height; }
int kiln_bits(const kiln_picture* picture) {
  return is_given(picture, "picture") ? picture->picture.image.bits() : 0;
}
const void* kiln_pixels(const kiln_picture* picture) {
  const kiln::Image& image = shown(picture).image;
  if (image.bits() == 8) return image.pixels8().data();
  if (image.bits() == 16) return image.pixels16().data();
  return image.linear().rgba.data();
}
const float* kiln_hits(const kiln_picture* picture) {
  const kiln::Image& image = shown(picture).image;
  return image.bits() == 32 ? image.linear().hits.data() : nullptr;
}
const char* kiln_hash(const kiln_picture* picture) { return shown(picture).hash.c_str(); }
const char* kiln_record(const kiln_picture* picture) { return shown(picture).record.c_str(); }
kiln_statistics kiln_get_statistics(const kiln_picture* picture) {
  const kiln::RenderStatistics& s = shown(picture).statistics;
  kiln_statistics all{};
  all.samples = s.samples;
  all.earlier_samples = s.earlier_samples;
  all.bad_values = s.bad_values;
  all.peak_memory_bytes = s.peak_memory_bytes;
  all.quality = s.quality;
  all.noise = s.noise;
  all.noise_error = s.noise_error;
  all.iterate_s = s.iterate_s;
  all.output_s = s.output_s;
  all.ended_by = s.ended_by.c_str();
  return all;
}
kiln_credits kiln_no_credits() {
  kiln_credits none{};
  none.size = sizeof none;
  return none;
}
kiln_status kiln_save(const kiln_picture* picture, const char* path, int single_float) {
  const kiln_credits none = kiln_no_credits();
  return kiln_save_with(picture, path, single_float, &none);
}
kiln_status kiln_save_with(const kiln_picture* picture, const char* path, int single_float,
                           const kiln_credits* credits) {
  return status_of([&] {
    kiln::save(at(picture, "picture").picture, text(path, "path"), credits_of(credits),
               precision(single_float));
  });
}
kiln_status kiln_encode(kiln_picture* picture, int single_float, const void** bytes, size_t* size) {
  const kiln_credits none = kiln_no_credits();
  return kiln_encode_with(picture, single_float, &none, bytes, size);
}
kiln_status kiln_encode_with(kiln_picture* picture, int single_float, const kiln_credits* credits,
                             const void** bytes, size_t* size) {
  return status_of([&] {
    const void*& begin = at(bytes, "bytes");
    std::size_t& count = at(size, "size");
    std::string& file = at(picture, "picture").bytes;
    file = kiln::encode(picture->picture, credits_of(credits), precision(single_float));
    begin = file.data();
    count = file.size();
  });
}

kiln_status kiln_animate(const kiln_scenes* keys, double step, kiln_animation** animation) {
  return made(animation, "animation",
              [&] { return kiln_animation{kiln::Animation(at(keys, "keys").all, step)}; });
}
kiln_status kiln_sequence(const kiln_scenes* scenes, int nframes, int loops, double stagger,
                          int loop, kiln_animation** animation) {
  kiln_sequence_options options = kiln_usual_sequence();
  options.nframes = nframes;
  options.loops = loops;
  options.stagger = stagger;
  options.loop = loop;
  return kiln_sequence_with(scenes, &options, animation);
}
kiln_sequence_options kiln_usual_sequence() {
  const kiln::SequenceOptions usual;
  kiln_sequence_options options{};
  options.size = sizeof options;
  options.nframes = usual.nframes;
  options.loops = usual.loops;
  return options;
}
kiln_status kiln_sequence_with(const kiln_scenes* scenes, const kiln_sequence_options* asked,
                               kiln_animation** animation) {
  return made(animation, "animation", [&] {
    const kiln_sequence_options& c = at(asked, "options");
    require(c.size == sizeof c, "begin with kiln_usual_sequence()");
    kiln::SequenceOptions options{c.nframes,     c.loops, c.stagger,
                                  c.steady == 0, c.hold,  c.part_frames};
    if (c.easing) options.easing = c.easing;
    return kiln_animation{
        kiln::Animation::sequence(at(scenes, "scenes").all, options, c.loop != 0)};
  });
}
void kiln_free_animation(kiln_animation* animation) { delete animation; }
int kiln_frame_count(const kiln_animation* animation) {
  return is_given(animation, "animation") ? animation->animation.frame_count() : 0;
}
kiln_status kiln_render_frame(kiln_session* session, const kiln_animation* animation, int frame,
                              const kiln_options* options, kiln_picture** picture) {
  return pictured(session, options, picture, [&](kiln::Session& device, const auto& all) {
    return device.render(at(animation, "animation").animation, frame, all);
  });
}

kiln_status kiln_listen(const char* path, double fps, kiln_song** song) {
  return made(song, "song", [&] {
    kiln::ListenOptions options;
    options.fps = fps;
    return kiln_song{kiln::listen(text(path, "path"), options)};
  });
}
void kiln_free_song(kiln_song* song) { delete song; }
kiln_song_facts kiln_get_song_facts(const kiln_song* song) {
  if (!is_given(song, "song")) return {};
  const kiln::SongTracks& t = song->tracks;
  return {t.seconds,
          t.bpm,
          t.frames,
          int(t.onsets.size()),
          int(t.beats.size()),
          int(t.bars.size()),
          t.onsets.data(),
          t.beats.data(),
          t.bars.data(),
          t.sha256.c_str()};
}
const float* kiln_song_column(const kiln_song* song, const char* name) {
  if (!is_given(song, "song") || !is_given(name, "name")) return nullptr;
  for (const auto& [one, values] : song->tracks.columns)
    if (one == name) return values.data();
  return nullptr;
}

// The live scene of kiln_c.h.

using namespace kiln::c_api;

namespace {

/// `change` of a live scene gives the number of what is shown then.
template <class Change>
kiln_status live_change(kiln_live* live, uint64_t* edit, Change change) {
  return status_of([&] {
    const uint64_t number = change(at(live, "live").scene);
    if (edit) *edit = number;
  });
}

}  // namespace

kiln_status kiln_open_live(const kiln_scenes* scenes, const kiln_options* options,
                           kiln_live** live) {
  return made(live, "live", [&] {
    kiln::LiveScene scene(at(scenes, "scenes").all, options_or(options, {}));
    std::string device = scene.device();
    return kiln_live{std::move(scene), std::move(device)};
  });
}
void kiln_close_live(kiln_live* live) { delete live; }
const char* kiln_live_device(const kiln_live* live) {
  return is_given(live, "live") ? live->device.c_str() : "";
}
kiln_status kiln_live_scene(const kiln_live* live, kiln_scenes** scenes) {
  return made(scenes, "scenes", [&] { return kiln_scenes{{at(live, "live").scene.scene()}, {}}; });
}

kiln_status kiln_live_edit(kiln_live* live, const kiln_scenes* scenes, int index, uint64_t gesture,
                           uint64_t* edit) {
  return live_change(live, edit,
                     [&](kiln::LiveScene& l) { return l.edit(scene_at(scenes, index), gesture); });
}
kiln_status kiln_live_edit_xml(kiln_live* live, const char* xml, uint64_t gesture, uint64_t* edit) {
  return live_change(live, edit, [&](kiln::LiveScene& l) {
    return l.edit(std::string(text(xml, "xml")), gesture);
  });
}
kiln_status kiln_live_undo(kiln_live* live, uint64_t* edit) {
  return live_change(live, edit, [](kiln::LiveScene& l) { return l.undo(); });
}
kiln_status kiln_live_redo(kiln_live* live, uint64_t* edit) {
  return live_change(live, edit, [](kiln::LiveScene& l) { return l.redo(); });
}
kiln_status kiln_live_select(kiln_live* live, int index, uint64_t* edit) {
  return live_change(live, edit, [&](kiln::LiveScene& l) { return l.select(index); });
}
void kiln_live_set_effort(kiln_live* live, double pixels, double seconds) {
  status_of([&] { at(live, "live").scene.set_effort(pixels, seconds); });
}

kiln_status kiln_live_next(kiln_live* live, double timeout_s, kiln_live_frame* frame,
                           kiln_picture** picture) {
  return status_of([&] {
    kiln_live_frame& about = at(frame, "frame");
    kiln_picture*& place = at(picture, "picture");
    std::optional<kiln::LiveFrame> next = at(live, "live").scene.next_picture(timeout_s);
    place = next ? new kiln_picture{{std::move(next->image), {}, {}, {}, {}}, {}} : nullptr;
    if (next) about = {next->edit, next->index, next->quality, next->settled, next->seconds};
  });
}
