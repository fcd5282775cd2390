// SPDX-License-Identifier: MIT
#include "engine/device/cuda/jit/nvrtc.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string_view>
#include <system_error>

#include "engine/base/platform/process.h"
#include "engine/base/platform/user_files.h"
#include "engine/device/cuda/driver.h"

namespace kiln {
namespace {

namespace fs = std::filesystem;

#if defined(_WIN32)
constexpr const char* toolkit_folder = "/bin/x64";
constexpr const char* name_form = "nvrtc64_{}0_0.dll";
#else
constexpr const char* toolkit_folder = "/lib64";
constexpr const char* name_form = "libnvrtc.so.{}";
#endif

void add_folder(std::vector<std::string>& folders, const std::string& folder) {
  // never what lies in the current folder
  if (fs::path(folder).is_absolute()) folders.push_back(folder);
}

}  // namespace

std::vector<std::string> nvrtc_folders_near(const std::string& file) {
  std::vector<std::string> folders;
  if (!fs::path(file).is_absolute()) return folders;
  const fs::path own = fs::path(file).parent_path(), above = own.parent_path();
  folders.push_back(own.string());
  std::vector<fs::path> packages = {above};  // a library of a Python package lies among the others
  std::error_code error;
  for (const auto& python : fs::directory_iterator(above / "lib", error)) {
    if (!python.path().filename().string().starts_with("python")) continue;
    packages.push_back(python.path() / "site-packages");
    packages.push_back(python.path() / "dist-packages");
  }
  std::sort(packages.begin() + 1, packages.end(), std::greater<>());  // the newest Python first
  for (const fs::path& folder : packages) {
    for (const char* name : {"nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib", "nvidia/cu13/bin/x86_64",
                             "nvidia/cuda_nvrtc/bin"}) {
      if (fs::is_directory(folder / name, error)) folders.push_back((folder / name).string());
    }
  }
  return folders;
}

namespace {

std::vector<std::string> library_folders() {
  std::vector<std::string> folders;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const std::string toolkit = trusted_variable(variable);
    if (!toolkit.empty()) add_folder(folders, toolkit + toolkit_folder);
  }
  const std::string variable = trusted_variable("LD_LIBRARY_PATH");
  std::string_view rest = variable;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(":;"), rest.size());
    add_folder(folders, std::string(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  for (std::string& folder : nvrtc_folders_near(file_of_this_code()))
    folders.push_back(std::move(folder));
  for (const char* folder : {"/usr/local/cuda/lib64", "/usr/lib/x86_64-linux-gnu", "/usr/lib64"})
    add_folder(folders, folder);  // none of Windows
  return folders;
}

template <class Function>
bool find_function(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(symbol_of(library, name));
  return function != nullptr;
}

}  // namespace

std::vector<std::string> nvrtc_candidates() {
  std::vector<std::string> names;
  const int driver = driver_cuda_version() / 1000;
  const auto is_newer = [&](int major) { return driver != 0 && major > driver; };
  for (const int major : {KILN_CUDA_MAJOR, 13, 12}) {
    if (is_newer(major)) continue;
    const std::string name = fmt::format(fmt::runtime(name_form), major);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
#if !defined(_WIN32)
  if (!is_newer(13)) names.push_back("libnvrtc.so");
#endif
  std::vector<std::string> candidates;
  const std::vector<std::string> folders = library_folders();
  for (const std::string& name : names) {
    for (const std::string& folder : folders) candidates.push_back(folder + "/" + name);
  }
  candidates.insert(candidates.end(), names.begin(), names.end());
  return candidates;
}

std::string file_identity(const std::string& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error) return {};
  const std::uintmax_t bytes = fs::file_size(real, error);
  const auto time = fs::last_write_time(real, error).time_since_epoch().count();
  return error ? std::string() : fmt::format("{} {} {}", real.string(), bytes, time);
}

std::string linked_file(const std::string& name) {
  std::string reason;
  void* const library = open_library(name, reason);
  return library ? file_of_library(library) : std::string();
}

namespace {

/// Loads what NVRTC looks for by name alone: that of Python's package names no folder of its own.
void load_builtins_beside(const std::string& path) {
#if !defined(_WIN32)
  std::error_code none;
  for (const auto& file : fs::directory_iterator(fs::path(path).parent_path(), none)) {
    std::string unused;
    if (file.path().filename().string().starts_with("libnvrtc-builtins.so."))
      open_library(file.path().string(), unused);
  }
#else
  (void)path;  // a DLL's folder is looked into there
#endif
}

}  // namespace

std::optional<Nvrtc> load_nvrtc(const std::string& path, std::string& reason) {
  if (fs::path(path).is_absolute() && fs::exists(path)) load_builtins_beside(path);
  void* const library = open_library(path, reason);
  if (!library) return std::nullopt;
  Nvrtc nvrtc{};
  const bool complete = find_function(library, "nvrtcVersion", nvrtc.version) &&
                        find_function(library, "nvrtcCreateProgram", nvrtc.create) &&
                        find_function(library, "nvrtcCompileProgram", nvrtc.compile) &&
                        find_function(library, "nvrtcGetCUBINSize", nvrtc.cubin_size) &&
                        find_function(library, "nvrtcGetCUBIN", nvrtc.cubin) &&
                        find_function(library, "nvrtcGetProgramLogSize", nvrtc.log_size) &&
                        find_function(library, "nvrtcGetProgramLog", nvrtc.log) &&
                        find_function(library, "nvrtcGetErrorString", nvrtc.error_text);
  if (!complete) {
    reason = path + " is no NVRTC that kiln can use";
    return std::nullopt;
  }
  return nvrtc;
}

}  // namespace kiln
