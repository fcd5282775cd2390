// The live scene of kiln_c.h.
#include <optional>
#include <utility>

#include "engine/api/kiln_c_api.h"

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
