// SPDX-License-Identifier: MIT
// Several processes, perhaps on several machines, that work on the same pictures: the ranks of
// mpirun or srun. Each plays its part of the units; sums are integers and are added up by MPI, so
// that rank 0 has those of one process. MPI is a module that is opened at run time (mpi/module.h).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

struct KilnMpi;

namespace kiln {

/// All ranks make the same calls in the same order, from one thread.
class Ranks {
 public:
  /// Joins the other ranks; null if this process was not started as one of several. Throws Error
  /// (device) if it was, and the module cannot be had.
  static std::shared_ptr<Ranks> join();
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }
  int count() const { return count_; }
  bool is_first() const { return rank_ == 0; }
  /// The number of this rank on its machine, from 0.
  static int local_rank();

  /// Sums all ranks' values into those of rank 0. Throws Error (device).
  void sum_to_first(std::vector<std::uint64_t>& values);

  /// One piece of work of all ranks. A rank that fails says so to the others, who would wait for it;
  /// the destructor of an Agreement that ends by an exception does.
  class Agreement {
   public:
    explicit Agreement(const std::shared_ptr<Ranks>& ranks);  // null: nothing to agree on
    ~Agreement();
    Agreement(const Agreement&) = delete;
    Agreement& operator=(const Agreement&) = delete;

   private:
    const std::shared_ptr<Ranks> ranks_;
    const int exceptions_;
  };
  /// Tells the others that this one does not go on.
  void give_up() { agree(false); }
  /// Waits for all ranks; throws Error (device) where one of them failed.
  void meet();

 private:
  explicit Ranks(const KilnMpi& mpi);
  bool agree(bool well);

  const KilnMpi& mpi_;
  int rank_ = 0, count_ = 1;
  bool agreed_ = true;  // no rank failed in this piece of work
};

}  // namespace kiln
