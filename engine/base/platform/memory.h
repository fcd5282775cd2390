// SPDX-License-Identifier: MIT
// Memory as the system gives and counts it; bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace kiln {

/// The memory of the machine.
std::uint64_t machine_memory_bytes();
/// The memory that this process may still take.
std::uint64_t read_available_memory();
/// The most that it has held.
std::uint64_t read_peak_memory();

constexpr std::size_t huge_page = std::size_t(2) << 20;
/// Maps so many bytes, whole pages of 4 KiB, at a multiple of huge_page, on pages of that size
/// where there are such. Null: there is no room.
void* map_memory(std::size_t bytes);
void unmap_memory(void* memory, std::size_t bytes);

/// Makes blocks of so many bytes or more go back to the system when they are freed.
void free_at_once(std::size_t from_bytes = std::size_t(1) << 17);

/// Gives memory back that lies freed among blocks in use, too: small pictures in turn, made by several threads, would
/// hold five times the memory of one. Does something four times a second at most.
void return_freed_memory();

}  // namespace kiln
