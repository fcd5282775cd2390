/* kiln from C: renders the flames of a file to c_0.png, c_1.png, ... with a word on the way.
 *   cc render.c -o render_c $(pkg-config --cflags --libs kiln-c)
 *   ./render_c triangle.flame */
#include <kiln_c.h>
#include <stdio.h>

static void progress(double done, double remaining_s, void* user) {
  fprintf(stderr, "%s: %.0f %%, %.1f s to go\n", (const char*)user, 100 * done, remaining_s);
}

static kiln_status render_all(const kiln_scenes* scenes, kiln_session* session) {
  for (int i = 0; i < kiln_scene_count(scenes); ++i) {
    char file[32];
    snprintf(file, sizeof file, "c_%d.png", i);
    kiln_options options = kiln_usual_options();
    options.seed = 7;
    options.on_progress = progress;
    options.user = file;
    kiln_picture* picture = NULL;
    kiln_status status = kiln_render(session, scenes, i, &options, &picture);
    if (status == KILN_OK) status = kiln_save(picture, file, 0);
    if (status == KILN_OK)
      printf("%s  %d x %d  %s\n", file, kiln_width(picture), kiln_height(picture),
             kiln_hash(picture));
    kiln_free_picture(picture);
    if (status != KILN_OK) return status;
  }
  return KILN_OK;
}

int main(int argc, char** argv) {
  kiln_scenes* scenes = NULL;
  kiln_session* session = NULL;
  kiln_status status = KILN_USAGE;
  if (argc != 2) {
    fprintf(stderr, "usage: render_c FILE.flame\n");
    return status;
  }
  status = kiln_load(argv[1], 0, NULL, NULL, &scenes);
  for (int i = 0; status == KILN_OK && i < kiln_scene_count(scenes); ++i)
    status = kiln_set_width(scenes, i, 320);
  if (status == KILN_OK) status = kiln_open(NULL, &session);
  if (status == KILN_OK) status = render_all(scenes, session);
  if (status != KILN_OK) fprintf(stderr, "%s\n", kiln_message());
  kiln_close(session);
  kiln_free_scenes(scenes);
  return status;
}
