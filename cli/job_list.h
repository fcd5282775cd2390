// The list of kiln render --jobs: lines from a file or a pipe, read as they come, and the words of
// the command line that a line means. What stands in it is not trusted: lines are bounded while they
// are read, JSON is bounded in depth before it is kept.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace kiln::cli {

class JobList {
 public:
  /// Opens the list, standard input for "-". Throws Error of kind input.
  explicit JobList(const std::string& path);

  /// The next line, of which no more is kept than a job may have and a byte; false at the end. Waits
  /// for it. Throws Error of kind input where the list cannot be read any further.
  bool next(std::string& line);
  /// Of the line that next() gave, from 1.
  int number() const { return number_; }

 private:
  const std::string name_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::FILE* source_;
  int number_ = 0;
};

/// A line of the list as the words of `kiln render`, inputs and options; its "id" as JSON (null
/// without one) goes to `id` as soon as it is known. Throws Error (input, usage).
std::vector<std::string> words_of_job(const std::string& line, std::string& id);

}  // namespace kiln::cli
