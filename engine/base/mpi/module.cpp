// SPDX-License-Identifier: MIT
// kiln_mpi.so: the few calls of MPI that kiln needs, behind plain functions. The only file that
// includes the header of MPI.
#include "engine/base/mpi/module.h"

#include <mpi.h>

namespace {

int begin(int* rank, int* count) {
  int provided = 0;
  int error = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  if (error == MPI_SUCCESS) error = MPI_Comm_rank(MPI_COMM_WORLD, rank);
  if (error == MPI_SUCCESS) error = MPI_Comm_size(MPI_COMM_WORLD, count);
  return error;
}

int sum_to_first(std::uint64_t* values, int count) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const void* const mine = rank == 0 ? MPI_IN_PLACE : values;
  return MPI_Reduce(mine, values, count, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
}

int agree(int* well) {
  return MPI_Allreduce(MPI_IN_PLACE, well, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
}

int end() { return MPI_Finalize(); }

const KilnMpi functions = {kiln_mpi_version, begin, sum_to_first, agree, end};

}  // namespace

extern "C" const KilnMpi* kiln_mpi_module() { return &functions; }
