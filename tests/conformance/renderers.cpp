// SPDX-License-Identifier: MIT
#include "tests/conformance/renderers.h"

#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "tests/conformance/process.h"

namespace conformance {
namespace {

namespace fs = std::filesystem;

std::string hash(const std::string& text) {  // FNV-1a, 64 bits
  uint64_t h = 14695981039346656037ull;
  for (unsigned char c : text) h = (h ^ c) * 1099511628211ull;
  return fmt::format("{:016x}", h);
}

// A name no other thread uses.
std::string passing_name(const std::string& folder) {
  static std::atomic<int> count{0};
  return fmt::format("{}/passing-{}", folder, count++);
}

[[noreturn]] void refuse(const std::string& who, const Ended& ended) {
  throw std::runtime_error(fmt::format("{} ended with {}{}: {}", who, ended.status,
                                       ended.timed_out ? " (time limit)" : "",
                                       ended.output.substr(0, 500)));
}

}  // namespace

void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

Picture Flam3::render(const std::string& xml, const Options& options, int seed) const {
  const std::vector<std::string> variables{
      "bits=64",
      "bpc=16",
      "format=png",
      "nthreads=1",
      "verbose=0",
      "nstrips=1",
      "seed=1",
      fmt::format("isaac_seed=kiln-{}", seed),
      fmt::format("sub_batch_size={}", sub_batch_size ? sub_batch_size : options.flam3_chain),
      fmt::format("transparency={}", int(options.transparent)),
      fmt::format("earlyclip={}", int(options.earlyclip)),
      fmt::format("pixel_aspect={:.9g}", options.pixel_aspect)};
  const bool animated = options.frame >= 0;
  const std::string program = animated ? "flam3-animate" : "flam3-render";
  std::string key = xml;
  for (const std::string& variable : variables) key += variable + "\n";
  if (animated) key += fmt::format("frame={}\n", options.frame);
  const std::string stored =
      cache_folder.empty() ? "" : fmt::format("{}/{}.png", cache_folder, hash(key));
  if (!stored.empty() && fs::exists(stored)) return read_png(stored);

  const std::string name = passing_name(work_folder);
  write_text(name + ".flam3", xml);
  std::vector<std::string> all = variables;
  all.push_back("in=" + name + ".flam3");
  if (animated) {
    all.push_back("prefix=" + name + ".");
    all.push_back(fmt::format("frame={}", options.frame));
  } else {
    all.push_back("out=" + name + ".png");
  }
  const Ended ended = run_program({program}, all, name + ".log", limit_seconds);
  if (const std::string numbered = fmt::format("{}.{:05}.png", name, options.frame);
      animated && fs::exists(numbered)) {
    fs::rename(numbered, name + ".png");
  }
  if (!ended.ok() || !fs::exists(name + ".png")) refuse(program, ended);
  Picture picture = read_png(name + ".png");
  fs::remove(name + ".flam3");
  if (stored.empty()) {
    fs::remove(name + ".png");
  } else {
    fs::rename(name + ".png", stored);
  }
  return picture;
}

Picture Kiln::render(const std::string& xml, const Options& options, int seed) const {
  const std::string name = passing_name(work_folder);
  write_text(name + ".flam3", xml);
  std::vector<std::string> command{program,
                                   options.frame < 0 ? "render" : "animate",
                                   name + ".flam3",
                                   "-o",
                                   name + ".png",
                                   "--seed",
                                   std::to_string(seed),
                                   "--bits",
                                   "16",
                                   "--backend",
                                   "cpu",
                                   "--quiet"};
  if (options.frame >= 0)
    command.insert(command.end(), {"--frames", std::to_string(options.frame)});
  if (options.transparent) command.push_back("--transparent");
  if (options.earlyclip) command.push_back("--earlyclip");
  if (options.pixel_aspect != 1) {
    command.insert(command.end(), {"--pixel-aspect", fmt::format("{:.9g}", options.pixel_aspect)});
  }
  if (flam3_quirks || options.compat) command.insert(command.end(), {"--compat", "flam3"});
  const Ended ended = run_program(command, {}, name + ".log", limit_seconds);
  if (!ended.ok() || !fs::exists(name + ".png")) refuse("kiln", ended);
  Picture picture = read_png(name + ".png");
  fs::remove(name + ".flam3");
  fs::remove(name + ".png");
  return picture;
}

double error_rate(const Picture& picture) {
  const auto found = picture.text.find("flam3_error_rate");
  return found == picture.text.end() ? 0 : std::strtod(found->second.c_str(), nullptr);
}

}  // namespace conformance
