// SPDX-License-Identifier: MIT
// Reads vectors.txt; scripts/make_variation_vectors.py writes it and explains the columns.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "tests/variations/evaluate.h"

namespace kiln::test {

struct TableRow {
  int index;
  std::string name;
  std::vector<std::pair<std::string, double>> parameters;  // with their defaults
};

struct PointRow {
  std::string line;  // as it stands in the file, for messages
  bool from_flam3;   // else from the formulas in double
  Evaluation evaluation;
  bool bad;
  std::array<double, 2> out, spread;
};

struct ListedOutcome {
  double x, y, p;
};

struct SpreadRow {
  std::string line;
  Evaluation evaluation;
  std::array<double, 2> mean, var;
  double cov, bad_fraction;
  std::vector<double> p;                         // of the quantiles
  std::array<std::vector<double>, 2> quantiles;  // of x and of y
  std::vector<ListedOutcome> outcomes;  // of the discrete ones: every position, with its frequency
};

struct Vectors {
  std::vector<TableRow> table;
  std::vector<PointRow> points;
  std::vector<SpreadRow> spreads;
};

/// The file, read once.
const Vectors& vectors();

}  // namespace kiln::test
