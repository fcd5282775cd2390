// What no picture can have, whatever its flame.
#include "engine/base/error.h"
#include "engine/device/device.h"
#include "engine/render/renderer.h"

namespace kiln {

void check_options(const RenderOptions& options) {
  if (options.linear && options.earlyclip) {
    fail(ErrorKind::usage,
         "with earlyclip there is no linear picture: colours are clipped before "
         "the filter; leave --earlyclip out");
  }
  if (options.game == Game::divergent && options.compat_flam3) {
    fail(ErrorKind::usage,
         "--strategy divergent has no --compat flam3; leave --compat out, or take --strategy "
         "permutation");
  }
  if (options.game == Game::mtgp32 && options.backend == Backend::cpu) {
    fail(ErrorKind::usage, "--rng mtgp32 is cuRAND's generator; use --backend cuda");
  }
  check_threads(options.threads);
  for (const HelpingDevice& helper : options.helpers) check_threads(helper.threads);
  if (!(options.until_noise >= 0 && options.until_noise <= 1))
    fail(ErrorKind::usage, "until_noise must be 0 to 1, a share of full scale");
  if (!(options.most_quality >= 0 && options.most_quality <= 1e9 && options.time_limit_s >= 0))
    fail(ErrorKind::usage, "most_quality must be 0 to 1e9, and time_limit_s not below 0");
}

}  // namespace kiln
