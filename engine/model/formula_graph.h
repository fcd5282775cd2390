// SPDX-License-Identifier: MIT
// A formula between its text and its program: what it computes of what, each once.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "engine/model/formula.h"
#include "kernels/formula.h"

namespace kiln {

struct FormulaNode {
  enum class Kind { constant, weight, affine, parameter, input, draw, computed } kind;
  FormulaOp op = FormulaOp::neg_;
  std::uint32_t bits = 0;  // of a constant; or the index of what there are several of
  std::array<int, 3> of = {-1, -1, -1};
  bool operator<(const FormulaNode& other) const {  // not <=>: Emscripten's arrays have none
    return std::tie(kind, op, bits, of) < std::tie(other.kind, other.op, other.bits, other.of);
  }
};

/// The result of an operation, with the bits of every device.
float formula_result(FormulaOp op, float a, float b, float c);

class FormulaGraph {
 public:
  static constexpr std::size_t most_nodes =
      2048;  // more than a program may have, with all that is folded

  int constant(float value);
  int leaf(FormulaNode::Kind kind, int index = 0);
  /// The result of an operation; a constant if it is one of constants. -1: there are too many.
  int computed(FormulaOp op, int a, int b = -1, int c = -1);

  const FormulaNode& operator[](int node) const { return nodes_[std::size_t(node)]; }
  bool is_constant(int node) const { return (*this)[node].kind == FormulaNode::Kind::constant; }
  float value(int node) const;
  /// Whether it is the same for all points.
  bool is_uniform(int node) const { return uniform_[std::size_t(node)]; }
  bool is_full() const { return nodes_.size() >= most_nodes; }
  int size() const { return int(nodes_.size()); }
  /// The node that has been made already; -1 if none.
  int find(const FormulaNode& node) const;

 private:
  int keep(const FormulaNode& node, bool uniform);

  std::vector<FormulaNode> nodes_;  // each after those that it is of
  std::vector<char> uniform_;
  std::map<FormulaNode, int> places_;
};

/// The results of a formula in its graph; -1 where it leaves a coordinate alone.
struct FormulaResults {
  std::array<int, 4> of = {-1, -1, -1, -1};  // x y z color
  int draws = 0;
};

/// Throws FormulaError.
FormulaResults parse_formula(const FormulaText& text, FormulaGraph& graph);

}  // namespace kiln
