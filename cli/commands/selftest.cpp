// SPDX-License-Identifier: MIT
// kiln selftest: ten small pictures by each device, whose hashes this program knows. A farm's node that gives
// another one would spoil frames among those of the others. The flames are samples of flames/, inside the program.
#include <algorithm>
#include <chrono>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/report/embedded_file.h"
#include "cli/says/console.h"
#include "engine/api/kiln.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/device/device.h"

namespace kiln::cli {
namespace {

struct KnownAnswer {
  const char* flame;
  int width;
  double quality;
  int bits;
  const char* hash;
};

// Bits and sizes differ, so that all of the program is met; each takes a tenth of a second of two cores.
constexpr KnownAnswer known_answers[] = {
#include "cli/commands/selftest_answers.inc"
};

struct SelftestArguments {
  std::string backend = "all";
  int threads = 0;
  bool json = false;
};

const std::string& flame_text(const std::string& name) {
  const std::vector<EmbeddedFile>& files = selftest_files();
  const auto found = std::find_if(files.begin(), files.end(), [&](const EmbeddedFile& file) {
    return file.name == name + ".flam3";
  });
  KILN_CHECK(found != files.end(), "flame {}", name);
  return found->text;
}

Picture picture_of(const KnownAnswer& answer, Session& session, RenderOptions options) {
  Scene scene = parse_scenes(flame_text(answer.flame)).at(0);
  scene.set_width(answer.width);
  scene.set_quality(answer.quality);
  options.bits = answer.bits;
  return session.render(scene, options);
}

struct DeviceResult {
  std::string name, problem;  // problem: it could not render
  double seconds = 0;
  int wrong = 0;
  JsonArray pictures;
};

DeviceResult tested(const DeviceInfo& device, const SelftestArguments& args) {
  DeviceResult result;
  result.name = fmt::format("{} {} ({})", device.kind, device.index, printable_whole(device.name));
  RenderOptions options;
  options.backend = device.kind == "cpu" ? Backend::cpu : Backend::cuda;
  options.device = device.index;
  options.threads = args.threads;
  const auto start = std::chrono::steady_clock::now();
  try {
    Session session(options);
    result.name = session.device();
    for (const KnownAnswer& answer : known_answers) {
      const std::string hash = picture_of(answer, session, options).hash;
      result.wrong += hash != answer.hash;
      result.pictures.add_json(JsonObject()
                                   .add("flame", answer.flame)
                                   .add("width", answer.width)
                                   .add("quality", answer.quality)
                                   .add("bits", answer.bits)
                                   .add("hash", hash)
                                   .add("known", answer.hash)
                                   .add("same", hash == answer.hash)
                                   .text());
    }
  } catch (const Error& error) {
    result.problem = error.what();
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

std::string in_words(const DeviceResult& result) {
  const std::size_t count = std::size(known_answers);
  if (!result.problem.empty()) return fmt::format("{}: FAILED: {}", result.name, result.problem);
  if (result.wrong > 0)
    return fmt::format("{}: WRONG: {} of {} pictures are other ones ({:.1f} s)", result.name,
                       result.wrong, count, result.seconds);
  return fmt::format("{}: right: {} pictures ({:.1f} s)", result.name, count, result.seconds);
}

int run_selftest(const SelftestArguments& args) {
  int devices = 0, wrong = 0, failed = 0;
  JsonArray array;
  for (const DeviceInfo& device : list_devices()) {
    if (args.backend != "all" && device.kind != args.backend) continue;
    const DeviceResult result = tested(device, args);
    ++devices;
    wrong += result.wrong > 0;
    failed += !result.problem.empty();
    array.add_json(JsonObject()
                       .add("device", result.name)
                       .add("right", result.problem.empty() && result.wrong == 0)
                       .add("wrong", result.wrong)
                       .add("problem", result.problem)
                       .add("seconds", result.seconds)
                       .add_json("pictures", result.pictures.text())
                       .text());
    if (!args.json) print("{}\n", in_words(result));
  }
  if (args.json)
    print("{}\n", JsonObject()
                      .add("version", KILN_VERSION)
                      .add("right", devices > 0 && wrong == 0 && failed == 0)
                      .add_json("devices", array.text())
                      .text());
  if (devices == 0)
    fail(ErrorKind::device, "there is no GPU to test: {}",
         cuda_problem().empty() ? "none was found" : printable_whole(cuda_problem()));
  if (wrong > 0) return exit_differences;
  return failed > 0 ? int(ErrorKind::device) : exit_done;
}

}  // namespace

void add_selftest(Program& program) {
  Command& command = program.command(
      "selftest", "Render ten known pictures on each device; exit code 1 if one differs");
  const auto args = std::make_shared<SelftestArguments>();
  command.group("Machine");
  command.choice("--backend", {"all", "cpu", "cuda"}, args->backend,
                 "Devices to test (default all)");
  command.whole("--threads", "N", args->threads, "Threads of the CPU (default all cores)",
                {1, 4096});
  command.group("Result");
  command.flag("--json", args->json, "One JSON object on standard output, with every hash");
  command.examples({"kiln selftest", "kiln selftest --backend cuda --json",
                    "kiln selftest --backend cpu && kiln render rose.flame"});
  command.runs([args] { return run_selftest(*args); });
}

}  // namespace kiln::cli
