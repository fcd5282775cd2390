// kiln_c.h in terms of kiln.h: objects behind pointers, errors as numbers.
#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "engine/kiln.h"
#include "engine/kiln_c.h"

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
struct kiln_live {
  kiln::LiveScene scene;
  std::string device;
};

namespace {

thread_local std::string message;

/// Runs `body`; what it throws becomes a status and a message.
template <class Body>
kiln_status status_of(Body body) {
  try {
    body();
    return KILN_OK;
  } catch (const kiln::Error& error) {
    message = error.what();
    return static_cast<kiln_status>(error.kind);
  } catch (const std::bad_alloc&) {
    message.assign("out of memory");
    return KILN_DEVICE;
  } catch (const std::exception& error) {
    message = error.what();
    return KILN_DEVICE;
  }
}

void check(bool holds, const char* what) {
  if (!holds) throw kiln::Error(kiln::ErrorKind::usage, what);
}

kiln::Scene& scene_at(const kiln_scenes* scenes, int index) {
  check(index >= 0 && static_cast<std::size_t>(index) < scenes->all.size(),
        "there is no flame of this index");
  return const_cast<kiln_scenes*>(scenes)->all[static_cast<std::size_t>(index)];
}

/// The devices that share the work; GPUs where nothing else is said.
void take_helpers(const kiln_options& c, kiln::RenderOptions& options) {
  if (c.helper_count == KILN_ALL_GPUS) {
    check(c.backend != KILN_CPU, "all GPUs share the work, and the backend is the CPU");
    return kiln::share_work(kiln::all_gpus(), options);
  }
  check(c.helper_count >= 0 && (c.helpers || c.helper_count == 0),
        "helpers are helper_count numbers");
  if (c.helper_count > 0 && options.backend == kiln::Backend::automatic)
    options.backend = kiln::Backend::cuda;
  for (int i = 0; i < c.helper_count; ++i)
    options.helpers.push_back({options.backend, c.helpers[i], options.threads});
}

kiln::RenderOptions options_from(const kiln_options& c) {
  check(c.size == sizeof(kiln_options), "begin with kiln_usual_options()");
  kiln::RenderOptions options;
  options.seed = c.seed;
  options.backend = static_cast<kiln::Backend>(c.backend);
  options.device = c.device;
  options.threads = c.threads;
  take_helpers(c, options);
  options.bits = c.bits;
  options.linear = c.linear != 0;
  options.transparent = c.transparent != 0;
  options.earlyclip = c.earlyclip != 0;
  options.compat_flam3 = c.compat_flam3 != 0;
  options.exact_density = c.exact_density != 0;
  options.max_memory_bytes = c.max_memory_bytes;
  options.until_noise = c.until_noise;
  options.most_quality = c.most_quality;
  options.time_limit_s = c.time_limit_s;
  options.halves = c.halves != 0;
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

kiln::RenderOptions options_for(const kiln_session& session, const kiln_options* options) {
  return options ? options_from(*options) : session.options;
}

/// `load` of kiln.h with C's way to be told.
template <class Load>
kiln_status scenes_from(Load load, const char* text, int approximate, kiln_warn warn, void* user,
                        kiln_scenes** scenes) {
  return status_of([&] {
    std::function<void(const std::string&)> say;
    if (warn) say = [&](const std::string& line) { warn(line.c_str(), user); };
    *scenes = new kiln_scenes{
        load(text, say, approximate ? kiln::Unsupported::approximate : kiln::Unsupported::refuse),
        {}};
  });
}

kiln::ExrPrecision precision(int single_float) {
  return single_float ? kiln::ExrPrecision::single_float : kiln::ExrPrecision::half_float;
}

}  // namespace

const char* kiln_message(void) { return message.c_str(); }
const char* kiln_version(void) { return kiln::version(); }

kiln_status kiln_load(const char* path, int approximate, kiln_warn warn, void* user,
                      kiln_scenes** scenes) {
  return scenes_from(kiln::load_scenes, path, approximate, warn, user, scenes);
}
kiln_status kiln_parse(const char* xml, int approximate, kiln_warn warn, void* user,
                       kiln_scenes** scenes) {
  return scenes_from(kiln::parse_scenes, xml, approximate, warn, user, scenes);
}
void kiln_free_scenes(kiln_scenes* scenes) { delete scenes; }
int kiln_scene_count(const kiln_scenes* scenes) { return static_cast<int>(scenes->all.size()); }
kiln_status kiln_attribute(kiln_scenes* scenes, int index, const char* name, const char** value) {
  return status_of([&] {
    scenes->said = scene_at(scenes, index).attribute(name);
    *value = scenes->said.c_str();
  });
}
kiln_status kiln_set(kiln_scenes* scenes, int index, const char* name, const char* value) {
  return status_of([&] { scene_at(scenes, index).set(name, value); });
}
kiln_status kiln_set_width(kiln_scenes* scenes, int index, int pixels) {
  return status_of([&] { scene_at(scenes, index).set_width(pixels); });
}
kiln_status kiln_xml(kiln_scenes* scenes, int index, const char** xml) {
  return status_of([&] {
    scenes->said = scene_at(scenes, index).xml();
    *xml = scenes->said.c_str();
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
void kiln_request_stop(kiln_stop* stop) { stop->source.request_stop(); }
void kiln_free_stop(kiln_stop* stop) { delete stop; }
kiln_status kiln_load_point_spread(const char* option, kiln_point_spread** psf) {
  return status_of([&] { *psf = new kiln_point_spread{kiln::load_point_spread(option)}; });
}
void kiln_free_point_spread(kiln_point_spread* psf) { delete psf; }

kiln_status kiln_open(const kiln_options* options, kiln_session** session) {
  return status_of([&] {
    const kiln::RenderOptions all = options ? options_from(*options) : kiln::RenderOptions();
    kiln::Session opened(all);
    std::string device = opened.device();
    *session = new kiln_session{std::move(opened), all, std::move(device)};
  });
}
void kiln_close(kiln_session* session) { delete session; }
const char* kiln_device(const kiln_session* session) { return session->device.c_str(); }
kiln_status kiln_render(kiln_session* session, const kiln_scenes* scenes, int index,
                        const kiln_options* options, kiln_picture** picture) {
  return status_of([&] {
    *picture = new kiln_picture{
        session->session.render(scene_at(scenes, index), options_for(*session, options)), {}};
  });
}
kiln_status kiln_render_kept(kiln_session* session, const kiln_scenes* scenes, int index,
                             const kiln_options* options, const char* state, double every_s,
                             kiln_picture** picture) {
  return status_of([&] {
    *picture = new kiln_picture{
        session->session.render(scene_at(scenes, index), options_for(*session, options),
                                kiln::StateFile{state, every_s}),
        {}};
  });
}
kiln_status kiln_render_shard(kiln_session* session, const kiln_scenes* scenes, int index,
                              const kiln_options* options, const char* state, double every_s,
                              int number, int of) {
  return status_of([&] {
    session->session.render_shard(scene_at(scenes, index), options_for(*session, options),
                                  kiln::StateFile{state, every_s}, {number, of});
  });
}
kiln_status kiln_merge(const char* const* states, int count, const char* path,
                       const kiln_options* options) {
  return status_of([&] {
    check(states && count > 0, "there is nothing to merge");
    kiln::merge({states, states + count}, path,
                options ? options_from(*options) : kiln::RenderOptions());
  });
}
kiln_status kiln_grade(kiln_session* session, const kiln_scenes* scenes, int index,
                       const kiln_options* options, const char* state, kiln_picture** picture) {
  return status_of([&] {
    *picture = new kiln_picture{
        session->session.grade(scene_at(scenes, index), options_for(*session, options), state), {}};
  });
}
void kiln_free_picture(kiln_picture* picture) { delete picture; }

int kiln_width(const kiln_picture* picture) { return picture->picture.image.width; }
int kiln_height(const kiln_picture* picture) { return picture->picture.image.height; }
int kiln_bits(const kiln_picture* picture) { return picture->picture.image.bits(); }
const void* kiln_pixels(const kiln_picture* picture) {
  const kiln::Image& image = picture->picture.image;
  if (image.bits() == 8) return image.pixels8().data();
  if (image.bits() == 16) return image.pixels16().data();
  return image.linear().rgba.data();
}
const float* kiln_hits(const kiln_picture* picture) {
  const kiln::Image& image = picture->picture.image;
  return image.bits() == 32 ? image.linear().hits.data() : nullptr;
}
const char* kiln_hash(const kiln_picture* picture) { return picture->picture.hash.c_str(); }
const char* kiln_record(const kiln_picture* picture) { return picture->picture.record.c_str(); }
kiln_statistics kiln_get_statistics(const kiln_picture* picture) {
  const kiln::RenderStatistics& s = picture->picture.statistics;
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
kiln_status kiln_save(const kiln_picture* picture, const char* path, int single_float) {
  return status_of([&] { kiln::save(picture->picture, path, precision(single_float)); });
}
kiln_status kiln_encode(kiln_picture* picture, int single_float, const void** bytes, size_t* size) {
  return status_of([&] {
    picture->bytes = kiln::encode(picture->picture, precision(single_float));
    *bytes = picture->bytes.data();
    *size = picture->bytes.size();
  });
}

kiln_status kiln_animate(const kiln_scenes* keys, double step, kiln_animation** animation) {
  return status_of([&] { *animation = new kiln_animation{kiln::Animation(keys->all, step)}; });
}
kiln_status kiln_sequence(const kiln_scenes* scenes, int nframes, int loops, double stagger,
                          int loop, kiln_animation** animation) {
  return status_of([&] {
    kiln::SequenceOptions options;
    options.nframes = nframes;
    options.loops = loops;
    options.stagger = stagger;
    *animation = new kiln_animation{kiln::Animation::sequence(scenes->all, options, loop != 0)};
  });
}
void kiln_free_animation(kiln_animation* animation) { delete animation; }
int kiln_frame_count(const kiln_animation* animation) { return animation->animation.frame_count(); }
kiln_status kiln_render_frame(kiln_session* session, const kiln_animation* animation, int frame,
                              const kiln_options* options, kiln_picture** picture) {
  return status_of([&] {
    *picture = new kiln_picture{
        session->session.render(animation->animation, frame, options_for(*session, options)), {}};
  });
}

// ---- live ----

namespace {

/// `change` of a live scene gives the number of what is shown then.
template <class Change>
kiln_status live_change(Change change, uint64_t* edit) {
  return status_of([&] {
    const uint64_t number = change();
    if (edit) *edit = number;
  });
}

}  // namespace

kiln_status kiln_open_live(const kiln_scenes* scenes, const kiln_options* options,
                           kiln_live** live) {
  return status_of([&] {
    kiln::LiveScene scene(scenes->all, options ? options_from(*options) : kiln::RenderOptions());
    std::string device = scene.device();
    *live = new kiln_live{std::move(scene), std::move(device)};
  });
}
void kiln_close_live(kiln_live* live) { delete live; }
const char* kiln_live_device(const kiln_live* live) { return live->device.c_str(); }
kiln_status kiln_live_scene(const kiln_live* live, kiln_scenes** scenes) {
  return status_of([&] { *scenes = new kiln_scenes{{live->scene.scene()}, {}}; });
}

kiln_status kiln_live_edit(kiln_live* live, const kiln_scenes* scenes, int index, uint64_t gesture,
                           uint64_t* edit) {
  return live_change([&] { return live->scene.edit(scene_at(scenes, index), gesture); }, edit);
}
kiln_status kiln_live_edit_xml(kiln_live* live, const char* xml, uint64_t gesture, uint64_t* edit) {
  return live_change([&] { return live->scene.edit(std::string(xml), gesture); }, edit);
}
kiln_status kiln_live_undo(kiln_live* live, uint64_t* edit) {
  return live_change([&] { return live->scene.undo(); }, edit);
}
kiln_status kiln_live_redo(kiln_live* live, uint64_t* edit) {
  return live_change([&] { return live->scene.redo(); }, edit);
}
kiln_status kiln_live_select(kiln_live* live, int index, uint64_t* edit) {
  return live_change([&] { return live->scene.select(index); }, edit);
}
void kiln_live_set_effort(kiln_live* live, double pixels, double seconds) {
  live->scene.set_effort(pixels, seconds);
}

kiln_status kiln_live_next(kiln_live* live, double timeout_s, kiln_live_frame* frame,
                           kiln_picture** picture) {
  return status_of([&] {
    std::optional<kiln::LiveFrame> made = live->scene.next_picture(timeout_s);
    *picture = made ? new kiln_picture{{std::move(made->image), {}, {}, {}, {}}, {}} : nullptr;
    if (made) *frame = {made->edit, made->index, made->quality, made->settled, made->seconds};
  });
}
