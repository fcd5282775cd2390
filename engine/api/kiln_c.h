// SPDX-License-Identifier: MIT
/* kiln for C, and for every language that can call C: the functions of kiln.h by plain names.
 * Link libkiln.so; a complete program is examples/render.c.
 *
 * A function that can fail returns a kiln_status: KILN_OK, or what went wrong; kiln_message() says
 * it in words. What is made by a function is given back by the kiln_free_... of its kind, which
 * takes NULL too. NULL where nothing is said of it is KILN_USAGE; functions that return no status
 * give 0, NULL or "" then, and kiln_message() says it. Texts are UTF-8 and belong to their object.
 *
 * Objects serve one thread at a time. A session that renders refuses another render with KILN_USAGE,
 * from another thread as in its own on_progress, which may not close it. In a child of fork() a
 * session on the CPU renders as before; GPUs and live scenes are KILN_DEVICE and KILN_USAGE there:
 * start such processes by exec, or open nothing before fork(). */
#ifndef KILN_C_H
#define KILN_C_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The values are the program's exit codes. */
typedef enum {
  KILN_OK = 0,
  KILN_USAGE = 2,
  KILN_INPUT = 3,
  KILN_UNSUPPORTED = 4,
  KILN_OUTPUT = 5,
  KILN_DEVICE = 6,
  KILN_STOPPED = 130
} kiln_status;

/* What the last call of this thread that failed has to say. */
const char* kiln_message(void);
const char* kiln_version(void);

/* ---- flames ---- */
typedef struct kiln_scenes kiln_scenes; /* the flames of a file, from 0 */

/* `warn` (or NULL) gets what is odd about the file, a line a call; approximate: not 0 loads flames
 * that need what kiln lacks, without it. */
typedef void (*kiln_warn)(const char* line, void* user);
kiln_status kiln_load(const char* path, int approximate, kiln_warn warn, void* user,
                      kiln_scenes** scenes);
kiln_status kiln_parse(const char* xml, int approximate, kiln_warn warn, void* user,
                       kiln_scenes** scenes);
void kiln_free_scenes(kiln_scenes* scenes);
int kiln_scene_count(const kiln_scenes* scenes);
/* What <flame NAME="..."> says of it; "" where its usual value counts. Until the next call with
 * these scenes. */
kiln_status kiln_attribute(kiln_scenes* scenes, int index, const char* name, const char** value);
kiln_status kiln_set(kiln_scenes* scenes, int index, const char* name, const char* value);
/* The same framing; the height follows. */
kiln_status kiln_set_width(kiln_scenes* scenes, int index, int pixels);
kiln_status kiln_xml(kiln_scenes* scenes, int index, const char** xml);
/* The same as flam3 itself can say it. `warn` and approximate as of kiln_load. */
kiln_status kiln_flam3_xml(kiln_scenes* scenes, int index, int approximate, kiln_warn warn,
                           void* user, const char** xml);

/* ---- parts of a flame, by name (docs/use/objects.md) ----
 * "brightness", "xform.0.julian", "xform.*.color_speed", "xform.1.coefs", "final.opacity", "xform.0" (the
 * element), "tracks", "links", "markers"; kiln_set takes these names, too. What the reader of a file refuses is KILN_USAGE, in
 * its words, and the flame stays as it was. */
/* One flame from nothing: no xforms yet, a white palette, 800 x 800 pixels. */
kiln_status kiln_new_scenes(kiln_scenes** scenes);
/* A copy of one flame, to be changed apart. */
kiln_status kiln_copy_scene(const kiln_scenes* scenes, int index, kiln_scenes** copy);
/* A part as its file has it, what is usual too. Until the next call with these scenes. */
kiln_status kiln_get(kiln_scenes* scenes, int index, const char* part, const char** value);
/* The first `most` numbers of a part into `numbers` (NULL if most is 0); `count`: how many it has. Beside those
 * above "xaos" (n x n, row by row), "palette" (3 a color, 0 to 1) and "palette_rgba" (4 a color). */
kiln_status kiln_get_numbers(const kiln_scenes* scenes, int index, const char* part,
                             double* numbers, int most, int* count);
kiln_status kiln_set_numbers(kiln_scenes* scenes, int index, const char* part,
                             const double* numbers, int count);
/* The names of what the flame (""), an xform ("xform.0") or its variations ("xform.0.variations") have, with
 * blanks between them. Until the next call with these scenes. */
kiln_status kiln_names(kiln_scenes* scenes, int index, const char* of, const char** names);
/* The number of "xform", "final" or "track". */
kiln_status kiln_count(const kiln_scenes* scenes, int index, const char* of, int* count);
/* Inserts an xform at "xform.2" or "final.0": an element <xform ...>, or NULL for one that moves nothing.
 * Xaos and tracks stay with their xforms, as they do when one is removed, or moved to place `to`. */
kiln_status kiln_insert(kiln_scenes* scenes, int index, const char* at, const char* element);
kiln_status kiln_remove(kiln_scenes* scenes, int index, const char* at);
kiln_status kiln_move(kiln_scenes* scenes, int index, const char* at, int to);
/* SHA-256 of all that the flame is: equal flames have equal ones. Until the next call with these scenes. */
kiln_status kiln_digest(kiln_scenes* scenes, int index, const char** digest);
/* What differs, a line each, or as JSON (json: not 0); "" and KILN_OK where nothing does. Until the next call
 * with `a`. */
kiln_status kiln_differences(kiln_scenes* a, int index_a, const kiln_scenes* b, int index_b,
                             int json, const char** differences);

/* ---- rendering ---- */
typedef enum { KILN_AUTOMATIC, KILN_CPU, KILN_CUDA } kiln_backend;
typedef struct kiln_stop kiln_stop; /* asks renders to stop, from any thread */
typedef struct kiln_point_spread kiln_point_spread;

/* What can render here. */
typedef struct {
  kiln_backend backend; /* KILN_CPU or KILN_CUDA */
  int device;           /* number of the GPU */
  uint64_t memory_bytes;
  char name[256];
} kiln_device_info;
/* The first `most` devices into `list`, the CPU first; `count`: how many there are. */
kiln_status kiln_list_devices(kiln_device_info* list, int most, int* count);
#define KILN_ALL_GPUS (-1)

/* Take kiln_usual_options() and change some: later versions may have more of them. */
typedef struct {
  size_t size; /* of this struct */
  uint64_t seed;
  kiln_backend backend;
  int device;         /* number of the GPU */
  const int* helpers; /* numbers of GPUs that share every picture with it, or NULL */
  int helper_count; /* KILN_ALL_GPUS: all there are, whatever `device` and `helpers` say; not with KILN_CPU */
  int threads;                                                     /* 0: all cores; at most 4096 */
  int bits;                                                        /* 8 or 16 */
  int linear, transparent, earlyclip, compat_flam3, exact_density; /* 0 or 1 */
  uint64_t max_memory_bytes;                                       /* 0: no limit */
  double dpi; /* pixels per inch, which files say for prints, 1 to 1e5; 0: none */
  /* What ends a still before its quality does; 0: nothing. until_noise, 0..1: when surely no more is
   * noise (root mean square of all pixels, a fraction of full scale), after most_quality samples per
   * pixel at the latest. time_limit_s: of the chaos game. halves: not 0 measures the noise. */
  double until_noise, most_quality, time_limit_s;
  int halves;
  int stages;                                  /* not 0: the record has a hash of each stage */
  int crop_x, crop_y, crop_width, crop_height; /* width 0: all of it */
  const kiln_point_spread* psf;                /* or NULL */
  const kiln_stop* stop;                       /* or NULL */
  /* at most every 0.1 s, from the thread that renders; done is 0..1 */
  void (*on_progress)(double done, double remaining_s, void* user); /* or NULL */
  void* user;
  int steer; /* not 0: send points to where the noise is, where that gains something */
} kiln_options;
kiln_options kiln_usual_options(void);

kiln_stop* kiln_new_stop(void);
void kiln_request_stop(kiln_stop* stop);
void kiln_free_stop(kiln_stop* stop);
/* "FILE.png[,STRENGTH[,SIZE%]]" */
kiln_status kiln_load_point_spread(const char* option, kiln_point_spread** psf);
void kiln_free_point_spread(kiln_point_spread* psf);

/* A device with its memory and kernels, for picture after picture. */
typedef struct kiln_session kiln_session;
kiln_status kiln_open(const kiln_options* options, kiln_session** session);
void kiln_close(kiln_session* session);
const char* kiln_device(const kiln_session* session);

typedef struct kiln_picture kiln_picture;
/* options: NULL, or others of the same backend, devices and threads. */
kiln_status kiln_render(kiln_session* session, const kiln_scenes* scenes, int index,
                        const kiln_options* options, kiln_picture** picture);
/* The same, begun with the sums in the file `state` where it is there, and kept in it: written every
 * so many seconds, when it is stopped, and at the end. The same call goes on. Where the file cannot be
 * written at the end, the picture comes beside KILN_OUTPUT; otherwise it stays what it was. */
kiln_status kiln_render_kept(kiln_session* session, const kiln_scenes* scenes, int index,
                             const kiln_options* options, const char* state, double every_s,
                             kiln_picture** picture);
/* Part `number` (from 1) of `of` of the same still's work, into the file: see kiln_merge. */
kiln_status kiln_render_shard(kiln_session* session, const kiln_scenes* scenes, int index,
                              const kiln_options* options, const char* state, double every_s,
                              int number, int of);
/* The sums of `count` state files of one still, together, as the file `path`. Of the options (or
 * NULL) stop and max_memory_bytes count. KILN_INPUT where they do not belong together. */
kiln_status kiln_merge(const char* const* states, int count, const char* path,
                       const kiln_options* options);
/* The finished sums of a state file with another look. */
kiln_status kiln_grade(kiln_session* session, const kiln_scenes* scenes, int index,
                       const kiln_options* options, const char* state, kiln_picture** picture);
void kiln_free_picture(kiln_picture* picture);

/* ---- flames by chance (docs/use/flock.md): `count` new ones, mutants of one, children of all `scenes` ----
 * options: NULL, or the device. direction and method: as those of kiln mutate and kiln breed, "any". */
kiln_status kiln_random_scenes(int count, uint64_t seed, const kiln_options* options,
                               kiln_scenes** made);
kiln_status kiln_mutants(const kiln_scenes* scenes, int index, int count, uint64_t seed,
                         double strength, const char* direction, const kiln_options* options,
                         kiln_scenes** made);
kiln_status kiln_children(const kiln_scenes* scenes, int count, uint64_t seed, const char* method,
                          const kiln_options* options, kiln_scenes** made);

/* ---- many ---- */
/* Small pictures of all scenes, beside each other: the pixels of `kiln render --width W --height H
 * --quality Q`. `pixels`: [count][height][width][4] of R G B A, which get them; 0 for a scene without a
 * picture, and `warn` (or NULL) says why. options: NULL, or 8 bits without a crop. */
kiln_status kiln_previews(const kiln_scenes* scenes, int width, int height, double quality,
                          const kiln_options* options, uint8_t* pixels, kiln_warn warn, void* user);

int kiln_width(const kiln_picture* picture);
int kiln_height(const kiln_picture* picture);
int kiln_bits(const kiln_picture* picture); /* 8, 16, or 32: floats, linear light */
/* [height][width][4] of uint8_t, uint16_t or float: R G B A, row 0 at the top. */
const void* kiln_pixels(const kiln_picture* picture);
/* [height][width]: samples of each pixel; NULL unless linear. */
const float* kiln_hits(const kiln_picture* picture);
const char* kiln_hash(const kiln_picture* picture);
const char* kiln_record(const kiln_picture* picture);
typedef struct {
  uint64_t samples;         /* those outside the picture too */
  uint64_t earlier_samples; /* of these, what a state file brought */
  uint64_t bad_values, peak_memory_bytes;
  double quality;             /* samples per pixel that a still came to */
  double noise, noise_error;  /* fractions of full scale, within 95 %; -1: not measured */
  double iterate_s, output_s; /* seconds */
  const char* ended_by;       /* "noise", "time", or "" where its quality did */
} kiln_statistics;
/* Its text belongs to the picture. */
kiln_statistics kiln_get_statistics(const kiln_picture* picture);
/* As the name ends: .png, .jpg or .ppm, or .exr where linear (single_float: not 0 writes floats in place
   of halves). Other endings, and a file of flames that is there, are KILN_USAGE. */
kiln_status kiln_save(const kiln_picture* picture, const char* path, int single_float);
/* The same file in memory, which belongs to the picture, until the next call. */
kiln_status kiln_encode(kiln_picture* picture, int single_float, const void** bytes, size_t* size);

/* Who made it: texts of one line, or NULL. Files have them as texts and XMP. */
typedef struct {
  size_t size; /* set by kiln_no_credits() */
  const char *title, *author, *copyright, *source;
} kiln_credits;
kiln_credits kiln_no_credits(void);
/* Both with these in the file. */
kiln_status kiln_save_with(const kiln_picture* picture, const char* path, int single_float,
                           const kiln_credits* credits);
kiln_status kiln_encode_with(kiln_picture* picture, int single_float, const kiln_credits* credits,
                             const void** bytes, size_t* size);

/* `count` points of a flame into a file that ends in .ply or .csv, or how many of them fall into each cell of a box,
 * 256 along its longest side, into one that ends in .nrrd or .npy; inside: not 0 leaves out those beyond
 * the picture; threads 0: all cores. KILN_INPUT where it shows none. */
kiln_status kiln_save_points(const kiln_scenes* scenes, int index, const char* path, uint64_t count,
                             uint64_t seed, int inside, int threads);
/* Whose light lies in the picture within `radius` pixels of x, y (0: a hundredth of the shorter side), as a line of
 * JSON that `kiln light --json` writes too; it is the scenes' until the next text. threads 0: all cores. */
kiln_status kiln_light_at(kiln_scenes* scenes, int index, double x, double y, double radius,
                          uint64_t seed, int threads, const char** json);

/* ---- animations ---- */
typedef struct kiln_animation kiln_animation;
/* The scenes are keys of increasing time; a frame at every `step`. */
kiln_status kiln_animate(const kiln_scenes* keys, double step, kiln_animation** animation);
/* Each scene turns in nframes frames, `loops` times, then becomes the next; loop: not 0 leads back to
 * the first; stagger: 0..1. */
kiln_status kiln_sequence(const kiln_scenes* scenes, int nframes, int loops, double stagger,
                          int loop, kiln_animation** animation);
/* The same with all that a sequence can be asked for. */
typedef struct {
  size_t size; /* set by kiln_usual_sequence() */
  int nframes, loops;
  double stagger;
  int loop;    /* not 0: leads back to the first */
  int steady;  /* not 0: transitions at constant speed */
  double hold; /* frames that each scene stands still before it becomes the next */
  /* not 0: frames of a turn and of a transition, in place of nframes; where beats decide it is not
   * whole: beats * 60 * frames a second / beats a minute */
  double part_frames;
  const char* easing; /* of transitions: "ease-in", "bounce", "0.4 0 0.2 1" ..., or NULL */
} kiln_sequence_options;
kiln_sequence_options kiln_usual_sequence(void);
kiln_status kiln_sequence_with(const kiln_scenes* scenes, const kiln_sequence_options* options,
                               kiln_animation** animation);
void kiln_free_animation(kiln_animation* animation);
int kiln_frame_count(const kiln_animation* animation);
kiln_status kiln_render_frame(kiln_session* session, const kiln_animation* animation, int frame,
                              const kiln_options* options, kiln_picture** picture);

/* ---- music (docs/use/music.md) ---- */
/* What is heard in a song, by the program ffmpeg, as numbers of `fps` frames a second. */
typedef struct kiln_song kiln_song;
kiln_status kiln_listen(const char* path, double fps, kiln_song** song);
void kiln_free_song(kiln_song* song);
typedef struct {
  double seconds, bpm; /* bpm 0: no beat was found */
  int frames;
  int onset_count, beat_count, bar_count;
  const double *onsets, *beats, *bars; /* seconds, rising */
  const char* sha256;                  /* of the file */
} kiln_song_facts;
/* Its arrays and text belong to the song. */
kiln_song_facts kiln_get_song_facts(const kiln_song* song);
/* [frames] of "loudness", "bass", "low", "mid", "high", "centroid", "silence" (0 to 1), "centroid_hz",
 * "onset", "beat" or "bar" (1: there is one in the frame); NULL for another name. */
const float* kiln_song_column(const kiln_song* song, const char* name);

/* ---- live ---- */
/* Scenes that are edited while a thread of its own makes pictures of the open one: quick ones at
 * once, then better ones up to the finished one (docs/use/live.md). Several threads may use it. */
typedef struct kiln_live kiln_live;
/* options: NULL, or 8 bits. */
kiln_status kiln_open_live(const kiln_scenes* scenes, const kiln_options* options,
                           kiln_live** live);
void kiln_close_live(kiln_live* live);
const char* kiln_live_device(const kiln_live* live);
/* The open scene as it is now, the only one of its scenes. */
kiln_status kiln_live_scene(const kiln_live* live, kiln_scenes** scenes);

/* What changes the open scene gives a number that pictures come back with to `edit` (or NULL). An
 * edit puts a scene in place of the open one; what another edit overtakes is never rendered. Edits in
 * a row of one `gesture`, unless it is 0, are one step of undo. */
kiln_status kiln_live_edit(kiln_live* live, const kiln_scenes* scenes, int index, uint64_t gesture,
                           uint64_t* edit);
kiln_status kiln_live_edit_xml(kiln_live* live, const char* xml, uint64_t gesture, uint64_t* edit);
kiln_status kiln_live_undo(kiln_live* live, uint64_t* edit);
kiln_status kiln_live_redo(kiln_live* live, uint64_t* edit);
/* Opens scene 0, 1 ..., each with edits of its own. */
kiln_status kiln_live_select(kiln_live* live, int index, uint64_t* edit);
/* While the scene changes: most pixels of a picture, and seconds that it may take. */
void kiln_live_set_effort(kiln_live* live, double pixels, double seconds);

typedef struct {
  uint64_t edit;  /* the number of what it shows */
  int index;      /* of the scene */
  double quality; /* samples per pixel so far */
  int settled;    /* 1: the pixels of kiln_render; no other picture comes */
  double seconds; /* that it took, or its last step */
} kiln_live_frame;
/* The newest picture that was not fetched, as soon as there is one; NULL after the time. It has no
 * hash and no record. What went wrong with the scene is said here. */
kiln_status kiln_live_next(kiln_live* live, double timeout_s, kiln_live_frame* frame,
                           kiln_picture** picture);

#ifdef __cplusplus
}
#endif

#endif
