// SPDX-License-Identifier: MIT
// NVRTC, NVIDIA's run-time compiler, found and loaded when it is first needed: kiln starts and
// works without it. The few functions used are declared here by hand, as the CUDA toolkit documents
// them, so that no CUDA header is needed.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// The functions of one NVRTC library, which is never unloaded. To be called in a child process
/// alone: it replaces the handlers of SIGINT and SIGTERM for a time, has static objects that exit()
/// destroys under a compile, and ends the program when it runs out of memory.
struct Nvrtc {
  using Program = struct _nvrtcProgram*;
  static constexpr int success = 0;  // of its result codes

  int (*version)(int* major, int* minor);
  int (*create)(Program*, const char* source, const char* name, int header_count,
                const char* const* headers, const char* const* header_names);
  int (*compile)(Program, int option_count, const char* const* options);
  int (*cubin_size)(Program, std::size_t*);
  int (*cubin)(Program, char*);
  int (*log_size)(Program, std::size_t*);
  int (*log)(Program, char*);
  const char* (*error_text)(int result);
};

/// The files that would be loaded, in order of preference: the CUDA version that kiln was built
/// with, then others; for each the toolkit of $CUDA_HOME and $CUDA_PATH, the absolute folders of
/// $LD_LIBRARY_PATH, those near kiln, /usr/local/cuda and the system's folders, and last, for the
/// dynamic linker to find, the bare name. None of a CUDA that is newer than the loaded driver knows:
/// the driver would refuse what it compiles.
std::vector<std::string> nvrtc_candidates();

/// The folders near a program or a library that may have NVRTC: its own, and those of Python's
/// packages nvidia-cuda-nvrtc among the packages beside it or of Pythons under the same prefix.
std::vector<std::string> nvrtc_folders_near(const std::string& file);

/// A text that tells one library file from another without loading it: path, size and time of
/// change (the version that NVRTC gives has no patch number). Empty if the file is not there.
std::string file_identity(const std::string& path);

/// The file that the dynamic linker takes for a bare name (it gets loaded); empty if there is none.
std::string linked_file(const std::string& name);

/// Loads the library. Nothing, and the reason, if it is missing or lacks a function.
std::optional<Nvrtc> load_nvrtc(const std::string& path, std::string& reason);

}  // namespace kiln
