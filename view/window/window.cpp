#include "view/window/window.h"

#include "view/window/flame_window.h"

namespace kiln::cli {

void check_window_is_built() {}

void view_in_window(std::vector<Flame> flames, const ReaderOptions& reader,
                    const RenderOptions& options, const ViewSettings* page,
                    const std::function<void(const std::string&)>& note) {
  FlameWindow window(flames.at(0), options);
  if (page) {  // which needs the pixels on the host
    const Companion companion{window.listener(), [&](LiveFlame& live, const OnChange& on_change) {
                                window.run(live, on_change);
                              }};
    return view(std::move(flames), reader, options, *page, &companion);
  }
  DevicePicture* const place = window.place();
  LiveFlame live(std::move(flames), reader, options, window.listener(), place);
  if (!place && live.device().starts_with("cuda"))
    note("the GPU that renders does not draw this window: pictures go through the host's memory");
  window.run(live, [](const LiveFlame::State&) {});
}

}  // namespace kiln::cli
