// A flame with undo and redo. States are kept as XML, which is a tenth of what the flame takes in
// memory, and is what pages and files have anyway.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "engine/io/flame/flame_reader.h"
#include "engine/model/flame.h"

namespace kiln {

class FlameHistory {
 public:
  static constexpr std::size_t most_steps = 200;
  static constexpr std::size_t most_bytes = 16 << 20;  // of all steps

  FlameHistory(Flame flame, const ReaderOptions& reader);

  const Flame& flame() const { return flame_; }
  /// The flame as XML, as kiln writes it.
  const std::string& xml() const { return xml_; }
  int undo_steps() const { return int(past_.size()); }
  int redo_steps() const { return int(future_.size()); }

  /// The flame is this now. Edits in a row of one `gesture`, unless that is 0, are one step; one
  /// that changes nothing is none.
  void edit(Flame flame, std::uint64_t gesture);
  /// undo() and redo() return false where there is no step.
  bool undo();
  bool redo();

 private:
  void take(std::string xml);
  void forget_oldest();

  ReaderOptions reader_;
  Flame flame_;
  std::string xml_;
  std::deque<std::string> past_;
  std::vector<std::string> future_;  // the next one last
  std::uint64_t gesture_ = 0;        // of the last edit
};

}  // namespace kiln
