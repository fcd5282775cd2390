#include "engine/live/flame_history.h"

#include "engine/io/flame/genome_writer.h"

namespace kiln {

FlameHistory::FlameHistory(Flame flame, const ReaderOptions& reader)
    : reader_(reader), flame_(std::move(flame)), xml_(genome_xml(flame_)) {}

void FlameHistory::edit(Flame flame, std::uint64_t gesture) {
  std::string xml = genome_xml(flame);
  if (xml == xml_) return;  // no step, and no gesture that a later edit could go on with
  const bool goes_on = gesture != 0 && gesture == gesture_ && !past_.empty() && future_.empty();
  if (!goes_on) {
    past_.push_back(xml_);
    forget_oldest();
  }
  future_.clear();
  gesture_ = gesture;
  flame_ = std::move(flame);
  xml_ = std::move(xml);
}

bool FlameHistory::undo() {
  if (past_.empty()) return false;
  future_.push_back(xml_);
  std::string xml = std::move(past_.back());
  past_.pop_back();
  take(std::move(xml));
  return true;
}

bool FlameHistory::redo() {
  if (future_.empty()) return false;
  past_.push_back(xml_);
  std::string xml = std::move(future_.back());
  future_.pop_back();
  take(std::move(xml));
  return true;
}

/// The flame of a text that was written here.
void FlameHistory::take(std::string xml) {
  Flame flame = std::move(parse_flames(xml, flame_.source, reader_).flames.at(0));
  flame.index = flame_.index;
  flame_ = std::move(flame);
  xml_ = std::move(xml);
  gesture_ = 0;
}

void FlameHistory::forget_oldest() {
  std::size_t bytes = 0;
  for (const std::string& step : past_) bytes += step.size();
  while (past_.size() > 1 && (past_.size() > most_steps || bytes > most_bytes)) {
    bytes -= past_.front().size();
    past_.pop_front();
  }
}

}  // namespace kiln
