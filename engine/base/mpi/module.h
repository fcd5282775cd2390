// SPDX-License-Identifier: MIT
// What the module kiln_mpi.so gives to the program, which opens it when it runs as one of several
// ranks: kiln itself is built and started without MPI.
#pragma once

#include <cstdint>

struct KilnMpi {
  int version;  // kiln_mpi_version of the module
  /// All give 0 where MPI says that all is well.
  int (*begin)(int* rank, int* count);
  int (*sum_to_first)(std::uint64_t* values, int count);  // in place; all ranks call it
  int (*agree)(int* well);                                // 1 where all ranks said 1
  int (*end)();
};

constexpr int kiln_mpi_version = 1;
constexpr char kiln_mpi_entry[] = "kiln_mpi_module";  // const KilnMpi* kiln_mpi_module()
