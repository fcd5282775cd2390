// SPDX-License-Identifier: MIT
#include "tests/variations/vectors.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/places.h"

namespace kiln::test {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// "1,2.5" as numbers; "-" is an empty list.
std::vector<double> numbers(const std::string& text) {
  std::vector<double> values;
  if (text == "-") return values;
  for (const std::string& part : split(text, ',')) values.push_back(std::stod(part));
  return values;
}

std::array<double, 2> pair_of(const std::string& text) {
  const std::vector<double> values = numbers(text);
  return {values.at(0), values.at(1)};
}

/// The six fields from `first` on: index weight parameters affine x y.
Evaluation evaluation_of(const std::vector<std::string>& fields, std::size_t first) {
  Evaluation e{};
  e.variation = std::stoi(fields.at(first));
  e.weight = std::stod(fields.at(first + 1));
  e.params = numbers(fields.at(first + 2));
  const std::vector<double> m = numbers(fields.at(first + 3));
  if (!m.empty()) {
    e.coefs = {float(m.at(0)), float(m.at(1)), float(m.at(2)),
               float(m.at(3)), float(m.at(4)), float(m.at(5))};
  }
  e.x = float(std::stod(fields.at(first + 4)));
  e.y = float(std::stod(fields.at(first + 5)));
  return e;
}

TableRow table_row(const std::vector<std::string>& fields) {
  TableRow row{std::stoi(fields.at(1)), fields.at(2), {}};
  for (std::size_t i = 3; i < fields.size(); ++i) {
    const std::vector<std::string> parts = split(fields[i], '=');
    row.parameters.emplace_back(parts.at(0), std::stod(parts.at(1)));
  }
  return row;
}

PointRow point_row(const std::string& line, const std::vector<std::string>& fields) {
  PointRow row{line, fields.at(1) == "f", evaluation_of(fields, 2), fields.at(8) == "bad", {}, {}};
  if (!row.bad) {
    row.out = {std::stod(fields.at(8)), std::stod(fields.at(9))};
    row.spread = {std::stod(fields.at(10)), std::stod(fields.at(11))};
  }
  return row;
}

SpreadRow spread_row(const std::string& line, const std::vector<std::string>& fields) {
  SpreadRow row{
      line, evaluation_of(fields, 1), pair_of(fields.at(7)), pair_of(fields.at(8)), 0, 0, {}, {},
      {}};
  row.cov = std::stod(fields.at(9));
  row.bad_fraction = std::stod(fields.at(10));
  row.p = numbers(fields.at(11));
  row.quantiles = {numbers(fields.at(12)), numbers(fields.at(13))};
  if (fields.at(14) != "-") {
    for (const std::string& outcome : split(fields.at(14), ';')) {
      const std::vector<double> values = numbers(outcome);
      row.outcomes.push_back({values.at(0), values.at(1), values.at(2)});
    }
  }
  return row;
}

Vectors read_vectors(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  Vectors read;
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> fields = split(line, ' ');
    if (fields.at(0) == "table") read.table.push_back(table_row(fields));
    if (fields.at(0) == "point") read.points.push_back(point_row(line, fields));
    if (fields.at(0) == "spread") read.spreads.push_back(spread_row(line, fields));
  }
  return read;
}

}  // namespace

const Vectors& vectors() {
  static const Vectors read =
      read_vectors(std::string(source_dir()) + "/tests/variations/vectors.txt");
  return read;
}

}  // namespace kiln::test
