// SPDX-License-Identifier: MIT
// From what a formula computes to the instructions that devices run: what is the same for all points is
// left to the host, the rest gets registers.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "engine/model/formula_graph.h"

namespace kiln {
namespace {

constexpr std::size_t most_formula_instructions = 512;
using NodeKind = FormulaNode::Kind;

bool is_operation_of_registers(FormulaOp op) {
  switch (op) {
#define KILN_FORMULA_CASE(name, value) case FormulaOp::name##_:
    KILN_FORMULA_PAIR(KILN_FORMULA_CASE)
#undef KILN_FORMULA_CASE
    return true;
    default:
      return false;
  }
}
/// Whether an operation is one of three numbers, whose first has to be in a register.
bool is_ternary_operation(FormulaOp op) {
  return op == FormulaOp::fma_ || op == FormulaOp::select_;
}

/// The operations that together are cheaper than one by one: sine and cosine of one angle.
struct TwinOperations {
  FormulaOp sine, cosine, both;
};
constexpr TwinOperations twin_operations[] = {
    {FormulaOp::sin_, FormulaOp::cos_, FormulaOp::sincos},
    {FormulaOp::sinpi_, FormulaOp::cospi_, FormulaOp::sincospi}};

/// Makes the program of a graph.
class FormulaCompiler {
 public:
  FormulaCompiler(const FormulaGraph& graph, const FormulaResults& results)
      : graph_(graph), results_(results), is_used_(std::size_t(graph.size())) {}

  FormulaProgram compiled() {
    find_used();
    number_uniforms();
    for (int draw = 0; draw < results_.draws; ++draw) {
      const int node = graph_.find({NodeKind::draw, FormulaOp::neg_, std::uint32_t(draw)});
      append(node, {FormulaOp::draw, node, -1, -1, -1});
    }
    order_ = std::vector<int>(std::size_t(graph_.size()), -1);
    for (const int result : results_.of)
      if (result >= 0 && !graph_.is_uniform(result)) emit(result);
    place();
    program_.random = results_.draws > 0;
    program_.reads_depth = depends_on_depth(results_.of[0]) || depends_on_depth(results_.of[1]);
    return std::move(program_);
  }

 private:
  /// An instruction before it has registers: operands are nodes, results too. `second`: a cosine.
  struct Step {
    FormulaOp op;
    int to, a, b, c;
    int second = -1;
  };

  void find_used() {
    std::vector<int> open;
    for (const int result : results_.of)
      if (result >= 0) open.push_back(result);
    while (!open.empty()) {
      const int node = open.back();
      open.pop_back();
      if (is_used_[std::size_t(node)]) continue;
      is_used_[std::size_t(node)] = 1;
      for (const int of : graph_[node].of)
        if (of >= 0) open.push_back(of);
    }
  }
  bool is_used(int node) const { return node >= 0 && is_used_[std::size_t(node)]; }

  bool depends_on_depth(int result) const {
    const int depth = graph_.find({NodeKind::input, FormulaOp::neg_, 2});
    if (result < 0 || depth < 0) return false;
    std::vector<char> depends(std::size_t(result) + 1);
    for (int node = depth; node <= result; ++node) {  // each stands behind those that it is of
      depends[std::size_t(node)] = node == depth;
      for (const int of : graph_[node].of)
        if (of >= 0 && depends[std::size_t(of)]) depends[std::size_t(node)] = 1;
    }
    return depends[std::size_t(result)];
  }

  void number_uniforms() {
    uniform_ = std::vector<int>(std::size_t(graph_.size()), -1);
    for (int node = 0; node < graph_.size(); ++node) {
      if (!is_used(node) || !graph_.is_uniform(node)) continue;
      using Uniform = FormulaProgram::Uniform;
      const FormulaNode& made = graph_[node];
      Uniform uniform;
      if (made.kind == NodeKind::constant) uniform.value = graph_.value(node);
      uniform.kind = made.kind == NodeKind::constant    ? Uniform::Kind::constant
                     : made.kind == NodeKind::weight    ? Uniform::Kind::weight
                     : made.kind == NodeKind::affine    ? Uniform::Kind::affine
                     : made.kind == NodeKind::parameter ? Uniform::Kind::parameter
                                                        : Uniform::Kind::computed;
      uniform.index = made.kind == NodeKind::constant ? 0 : int(made.bits);
      uniform.op = std::uint8_t(made.op);
      const auto before = [&](int of) { return of < 0 ? 0 : uniform_[std::size_t(of)]; };
      uniform.a = before(made.of[0]);
      uniform.b = before(made.of[1]);
      uniform.c = before(made.of[2]);
      if (const auto both = twins_of(node)) {
        uniform.op = std::uint8_t(both->both);
        uniform.index = made.op == both->cosine;
      }
      uniform_[std::size_t(node)] = int(program_.uniforms.size());
      program_.uniforms.push_back(uniform);
    }
    scalar_ = std::vector<int>(std::size_t(graph_.size()), -1);
  }

  // ---- order: operands before what is of them, the sines and cosines of an angle together ----

  /// The node of another operation on the same operand; -1 if none.
  int twin(int node, FormulaOp op) const {
    return graph_.find({NodeKind::computed, op, 0, {graph_[node].of[0], -1, -1}});
  }
  std::optional<TwinOperations> twins_of(int node) const {
    for (const TwinOperations& twins : twin_operations)
      if (graph_[node].kind == NodeKind::computed &&
          (graph_[node].op == twins.sine || graph_[node].op == twins.cosine) &&
          is_used(twin(node, twins.sine)) && is_used(twin(node, twins.cosine)))
        return twins;
    return {};
  }

  void append(int node, const Step& step) {
    if (steps_.size() >= most_formula_instructions)
      throw FormulaError{"", 0,
                         fmt::format("takes more than {} operations a point; simplify it",
                                     most_formula_instructions)};
    order_.resize(std::size_t(graph_.size()), -1);
    order_[std::size_t(node)] = int(steps_.size());
    steps_.push_back(step);
  }
  void emit(int node) {
    if (order_[std::size_t(node)] >= 0) return;
    const FormulaNode& made = graph_[node];
    if (made.kind == NodeKind::draw) return;  // drawn first, in their order
    if (made.kind == NodeKind::input) return append(node, {FormulaOp::input, node, -1, -1, -1});
    for (const int of : made.of)
      if (of >= 0 && !graph_.is_uniform(of)) emit(of);
    if (const auto both = twins_of(node)) {
      const int sine = twin(node, both->sine), cosine = twin(node, both->cosine);
      append(sine, {both->both, sine, made.of[0], -1, -1, cosine});
      order_[std::size_t(cosine)] = order_[std::size_t(sine)];
      return;
    }
    append(node, {made.op, node, made.of[0], made.of[1], made.of[2]});
  }

  // ---- registers ----

  bool is_lane(int node) const { return node >= 0 && !graph_.is_uniform(node); }

  std::uint32_t scalar_of(int node) {
    int& place = scalar_[std::size_t(node)];
    if (place < 0) {
      if (program_.scalars.size() >= most_formula_scalars)
        throw FormulaError{"", 0,
                           fmt::format("has more than {} different constants, parameters "
                                       "and results of these alone; simplify it",
                                       most_formula_scalars)};
      place = int(program_.scalars.size());
      program_.scalars.push_back(uniform_[std::size_t(node)]);
    }
    return formula_scalar + std::uint32_t(place);
  }
  std::uint32_t take_register() {
    for (std::uint32_t r = 0; r < std::uint32_t(formula_registers); ++r) {
      if (is_taken_[r]) continue;
      is_taken_[r] = true;
      return r;
    }
    throw FormulaError{"", 0,
                       fmt::format("keeps more than {} numbers at a time; use fewer of "
                                   "let's later on",
                                   formula_registers)};
  }
  std::uint32_t operand(int node) {
    if (node < 0) return 0;
    return is_lane(node) ? std::uint32_t(register_[std::size_t(node)]) : scalar_of(node);
  }
  void put(FormulaOp op, std::uint32_t to, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    instructions_.push_back(std::uint32_t(op) | to << 8 | a << 16 | b << 24);
    instructions_.push_back(c);
  }

  void find_last_uses() {
    last_use_ = std::vector<int>(std::size_t(graph_.size()), -1);
    for (std::size_t s = 0; s < steps_.size(); ++s)
      for (const int of : {steps_[s].a, steps_[s].b, steps_[s].c})
        if (is_lane(of)) last_use_[std::size_t(of)] = int(s);
    for (const int result : results_.of)
      if (is_lane(result)) last_use_[std::size_t(result)] = int(steps_.size());
  }
  void free_after(int step, int node) {
    if (!is_lane(node) || last_use_[std::size_t(node)] > step) return;
    is_taken_[std::size_t(register_[std::size_t(node)])] = false;
  }

  void place() {
    find_last_uses();
    register_ = std::vector<int>(std::size_t(graph_.size()), -1);
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      const Step& step = steps_[s];
      std::vector<std::uint32_t> filled;
      const auto in_register = [&](int node) {
        if (is_lane(node)) return operand(node);
        const std::uint32_t made = take_register();
        put(FormulaOp::fill, made, scalar_of(node), 0, 0);
        filled.push_back(made);
        return made;
      };
      std::uint32_t a = 0, b = 0, c = 0;
      if (step.op == FormulaOp::input) {
        a = graph_[step.to].bits;
      } else if (is_operation_of_registers(step.op)) {
        a = in_register(step.a);
        b = in_register(step.b);
      } else if (is_ternary_operation(step.op)) {
        // the machine wants the first one in a register; factors change places as they like
        const bool turned = step.op == FormulaOp::fma_ && !is_lane(step.a) && is_lane(step.b);
        a = in_register(turned ? step.b : step.a);
        b = operand(turned ? step.a : step.b);
        c = operand(step.c);
      } else {
        a = operand(step.a);
        b = operand(step.b);
      }
      const std::uint32_t to = take_register();
      register_[std::size_t(step.to)] = int(to);
      if (step.second >= 0) {
        c = take_register();
        register_[std::size_t(step.second)] = int(c);
      }
      put(step.op, to, a, b, c);
      for (const std::uint32_t one : filled) is_taken_[one] = false;
      for (const int of : {step.a, step.b, step.c, step.to, step.second}) free_after(int(s), of);
    }
    std::uint32_t results = 0;
    for (std::size_t i = 0; i < results_.of.size(); ++i) {
      const int result = results_.of[i];
      results |= (result < 0 ? formula_nothing : operand(result)) << (8 * i);
    }
    program_.code = {std::uint32_t(instructions_.size() / 2), results};
    program_.code.insert(program_.code.end(), instructions_.begin(), instructions_.end());
  }

  const FormulaGraph& graph_;
  const FormulaResults& results_;
  FormulaProgram program_;
  std::vector<char> is_used_;
  std::vector<int> uniform_, scalar_;  // [nodes] place among uniforms and among scalars
  std::vector<int> order_;             // [nodes] the step that makes it
  std::vector<Step> steps_;
  std::vector<int> last_use_, register_;  // [nodes]
  bool is_taken_[formula_registers] = {};
  std::vector<std::uint32_t> instructions_;
};

float result_of_uniform(const FormulaProgram::Uniform& one, const std::vector<float>& values) {
  const float a = values[std::size_t(one.a)];
  const FormulaOp op = FormulaOp(one.op);
  if (op == FormulaOp::sincos || op == FormulaOp::sincospi) {
    const SinCos both = op == FormulaOp::sincos ? sincos(a) : sincospi(a);
    return one.index == 0 ? both.s : both.c;
  }
  return formula_result(op, a, values[std::size_t(one.b)], values[std::size_t(one.c)]);
}

}  // namespace

float formula_result(FormulaOp op, float a, [[maybe_unused]] float b, [[maybe_unused]] float c) {
  switch (op) {
#define KILN_FORMULA_CASE(name, value) \
  case FormulaOp::name##_:             \
    return formula_##name(a);
    KILN_FORMULA_UNARY(KILN_FORMULA_CASE)
#undef KILN_FORMULA_CASE
#define KILN_FORMULA_CASE(name, value) \
  case FormulaOp::name##_:             \
    return formula_##name(a, b);
    KILN_FORMULA_BINARY(KILN_FORMULA_CASE)
    KILN_FORMULA_PAIR(KILN_FORMULA_CASE)
#undef KILN_FORMULA_CASE
#define KILN_FORMULA_CASE(name, value) \
  case FormulaOp::name##_:             \
    return formula_##name(a, b, c);
    KILN_FORMULA_TERNARY(KILN_FORMULA_CASE)
#undef KILN_FORMULA_CASE
    case FormulaOp::sincos:
    case FormulaOp::sincospi:
    case FormulaOp::input:
    case FormulaOp::fill:
    case FormulaOp::draw:
      break;
  }
  return 0;
}

// ---- the graph ----

int FormulaGraph::keep(const FormulaNode& node, bool uniform) {
  const auto known = places_.find(node);
  if (known != places_.end()) return known->second;
  if (is_full()) return -1;
  const int place = size();
  nodes_.push_back(node);
  uniform_.push_back(uniform);
  places_.emplace(node, place);
  return place;
}

int FormulaGraph::find(const FormulaNode& node) const {
  const auto known = places_.find(node);
  return known == places_.end() ? -1 : known->second;
}

int FormulaGraph::constant(float value) {
  return keep({FormulaNode::Kind::constant, FormulaOp::neg_, bits_of(value)}, true);
}

float FormulaGraph::value(int node) const { return float_of((*this)[node].bits); }

int FormulaGraph::leaf(FormulaNode::Kind kind, int index) {
  const bool uniform = kind != FormulaNode::Kind::input && kind != FormulaNode::Kind::draw;
  return keep({kind, FormulaOp::neg_, std::uint32_t(index)}, uniform);
}

int FormulaGraph::computed(FormulaOp op, int a, int b, int c) {
  bool uniform = true, constants = true;
  for (const int of : {a, b, c}) {
    if (of < 0) continue;
    uniform = uniform && is_uniform(of);
    constants = constants && is_constant(of);
  }
  if (constants) {
    const auto number = [&](int of) { return of < 0 ? 0.0f : value(of); };
    return constant(formula_result(op, number(a), number(b), number(c)));
  }
  return keep({FormulaNode::Kind::computed, op, 0, {a, b, c}}, uniform);
}

// ---- the program ----

FormulaProgram program_of(const FormulaText& text) {
  FormulaGraph graph;
  const FormulaResults results = parse_formula(text, graph);
  return FormulaCompiler(graph, results).compiled();
}

void FormulaProgram::append_scalars(double weight, const AffineD& coefs, const double* parameters,
                                    std::vector<float>& out) const {
  std::vector<float> values;
  values.reserve(uniforms.size());
  const double affine[] = {coefs.a, coefs.b, coefs.c, coefs.d, coefs.e, coefs.f};
  for (const Uniform& one : uniforms) {
    switch (one.kind) {
      case Uniform::Kind::constant:
        values.push_back(one.value);
        break;
      case Uniform::Kind::weight:
        values.push_back(float(weight));
        break;
      case Uniform::Kind::affine:
        values.push_back(float(affine[one.index]));
        break;
      case Uniform::Kind::parameter:
        values.push_back(float(parameters[one.index]));
        break;
      case Uniform::Kind::computed:
        values.push_back(result_of_uniform(one, values));
        break;
    }
  }
  for (const int scalar : scalars) out.push_back(values[std::size_t(scalar)]);
}

}  // namespace kiln
