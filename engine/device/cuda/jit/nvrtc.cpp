// SPDX-License-Identifier: MIT
#include "engine/device/cuda/jit/nvrtc.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string_view>
#include <system_error>

namespace kiln {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> library_folders();

void add_folder(std::vector<std::string>& folders, const std::string& folder) {
  if (folder.starts_with('/')) folders.push_back(folder);  // never what lies in the current folder
}

/// The file that holds this code: the program, or a library that a program or Python has loaded.
std::string own_file() {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&library_folders), &info) == 0 || !info.dli_fname)
    return {};
  std::error_code error;
  return fs::canonical(info.dli_fname, error).string();
}

}  // namespace

std::vector<std::string> nvrtc_folders_near(const std::string& file) {
  std::vector<std::string> folders;
  if (!file.starts_with('/')) return folders;
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
    for (const char* name : {"nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib"}) {
      if (fs::is_directory(folder / name, error)) folders.push_back((folder / name).string());
    }
  }
  return folders;
}

namespace {

std::vector<std::string> library_folders() {
  std::vector<std::string> folders;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* toolkit = secure_getenv(variable)) {
      add_folder(folders, std::string(toolkit) + "/lib64");
    }
  }
  if (const char* variable = secure_getenv("LD_LIBRARY_PATH")) {
    std::string_view rest = variable;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find_first_of(":;"), rest.size());
      add_folder(folders, std::string(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  for (std::string& folder : nvrtc_folders_near(own_file())) folders.push_back(std::move(folder));
  for (const char* folder : {"/usr/local/cuda/lib64", "/usr/lib/x86_64-linux-gnu", "/usr/lib64"}) {
    folders.push_back(folder);
  }
  return folders;
}

template <class Function>
bool find_function(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace

std::vector<std::string> nvrtc_candidates() {
  std::vector<std::string> names = {fmt::format("libnvrtc.so.{}", KILN_CUDA_MAJOR)};
  for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}) {
    if (name != names.front()) names.push_back(name);
  }
  std::vector<std::string> candidates;
  const std::vector<std::string> folders = library_folders();
  for (const std::string& name : names) {
    for (const std::string& folder : folders) candidates.push_back(folder + "/" + name);
  }
  candidates.insert(candidates.end(), names.begin(), names.end());
  return candidates;
}

std::string file_identity(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return {};
  char* const real = realpath(path.c_str(), nullptr);
  const std::string identity =
      fmt::format("{} {} {}.{:09}", real ? real : path.c_str(), status.st_size,
                  status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  std::free(real);
  return identity;
}

std::string linked_file(const std::string& name) {
  void* const library = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
  link_map* map = nullptr;
  if (!library || dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) return {};
  return map->l_name;
}

std::optional<Nvrtc> load_nvrtc(const std::string& path, std::string& reason) {
  void* const library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    const char* const text = dlerror();
    reason = text ? text : path;
    return std::nullopt;
  }
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
