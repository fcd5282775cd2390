// SPDX-License-Identifier: MIT
// kiln --version --json: what scripts and farms ask of a program before they give it work.
#include "cli/options/command.h"
#include "engine/base/text.h"
#include "engine/device/cpu/device.h"
#include "engine/device/device.h"
#include "engine/io/picture/picture_format.h"
#include "engine/model/variations.h"

namespace kiln::cli {

std::string version_json() {
  JsonArray codes, formats;
  for (const CpuCode& code : cpu_codes()) codes.add_json(json_string(code.isa));
  for (const PictureFormat& format : picture_formats())
    if (format.supported()) formats.add_json(json_string(format.ending));
  return JsonObject()
      .add("program", "kiln")
      .add("version", KILN_VERSION)
      .add_json("cpu_codes", codes.text())
      .add("cpu_code", best_cpu_code().isa)
      .add("gpu", cuda_problem().empty())
      .add("gpu_problem", cuda_problem())
      .add_json("pictures", formats.text())
      .add("variations", variation_count())
      .text();
}

}  // namespace kiln::cli
