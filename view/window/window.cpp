#include "view/window/window.h"

#include "view/window/flame_window.h"

namespace kiln::cli {

void check_window_is_built() {}

void view_in_window(std::vector<Flame> flames, const ReaderOptions& reader,
                    const RenderOptions& options, const ViewSettings* page,
                    const std::function<void(const std::string&)>& note) {
  FlameWindow window(flames.at(0), options);
  if (page) {  // which needs the pixels on the host
    const Beside beside{window.listener(),
                        [&](LiveFlame& live, const Told& told) { window.run(live, told); }};
    return view(std::move(flames), reader, options, *page, &beside);
  }
  DevicePicture* const place = window.place();
  LiveFlame live(std::move(flames), reader, options, window.listener(), place);
  if (!place && live.device().starts_with("cuda"))
    note("the GPU that renders does not draw this window: pictures go through the host's memory");
  window.run(live, [](const LiveFlame::State&) {});
}

}  // namespace kiln::cli
