// SPDX-License-Identifier: MIT
#include "engine/base/ranks.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>

#include "engine/base/error.h"
#include "engine/base/mpi/module.h"
#include "engine/base/platform/process.h"

namespace kiln {
namespace {

namespace fs = std::filesystem;

int number_in_environment(const char* variable) {
  const char* const text = std::getenv(variable);
  return text ? std::atoi(text) : 0;
}

/// The number of ranks that a launcher started: Open MPI's mpirun says so itself; under srun there
/// is MPI only where Slurm brings its plugin.
int launched() {
  const bool has_plugin = std::getenv("PMIX_RANK") || std::getenv("PMI_RANK");
  return std::max(number_in_environment("OMPI_COMM_WORLD_SIZE"),
                  has_plugin ? number_in_environment("SLURM_STEP_NUM_TASKS") : 0);
}

/// The places where the module may be: beside the program, or where it is installed.
std::vector<fs::path> module_places() {
  if (const char* const path = std::getenv("KILN_MPI_MODULE")) return {path};
  std::error_code error;
  const fs::path folder = fs::canonical(own_program(), error).parent_path();
  return {folder / "kiln_mpi.so", folder / "../lib/kiln/kiln_mpi.so"};
}

const KilnMpi& open_module() {
  std::string reason;
  for (const fs::path& path : module_places()) {
    void* const module = open_library(path.string(), reason, true);
    if (!module) continue;
    const auto entry = reinterpret_cast<const KilnMpi* (*)()>(symbol_of(module, kiln_mpi_entry));
    if (entry && entry()->version == kiln_mpi_version) return *entry();
    reason = path.string() + " is of another version of kiln";
  }
  fail(ErrorKind::device,
       "started as one of {} ranks, and kiln's module for MPI cannot be had ({}); build kiln with "
       "-DKILN_MPI=ON, or start one process",
       launched(), reason);
}

void check_mpi(int status, const char* what) {
  if (status != 0) fail(ErrorKind::device, "MPI: {} gave {}", what, status);
}

}  // namespace

std::shared_ptr<Ranks> Ranks::join() {
  if (launched() < 2) return nullptr;
  return std::shared_ptr<Ranks>(new Ranks(open_module()));
}

Ranks::Ranks(const KilnMpi& mpi) : mpi_(mpi) { check_mpi(mpi_.begin(&rank_, &count_), "MPI_Init"); }
Ranks::~Ranks() { mpi_.end(); }

int Ranks::local_rank() {
  return std::getenv("OMPI_COMM_WORLD_LOCAL_RANK")
             ? number_in_environment("OMPI_COMM_WORLD_LOCAL_RANK")
             : number_in_environment("SLURM_LOCALID");
}

void Ranks::sum_to_first(std::vector<std::uint64_t>& values) {
  check_mpi(mpi_.sum_to_first(values.data(), int(values.size())), "MPI_Reduce");
}

bool Ranks::agree(bool well) {
  int all = well ? 1 : 0;
  agreed_ = mpi_.agree(&all) == 0 && all == 1;
  return agreed_;
}

void Ranks::meet() {
  if (!agree(true))
    fail(ErrorKind::device,
         "another rank failed, its message says why; with --checkpoint --resume the same command "
         "plays only what is missing");
}

Ranks::Agreement::Agreement(const std::shared_ptr<Ranks>& ranks)
    : ranks_(ranks), exceptions_(std::uncaught_exceptions()) {
  if (ranks_) ranks_->agreed_ = true;
}

Ranks::Agreement::~Agreement() {
  if (ranks_ && ranks_->agreed_) ranks_->agree(std::uncaught_exceptions() == exceptions_);
}

}  // namespace kiln
