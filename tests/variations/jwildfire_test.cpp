// SPDX-License-Identifier: MIT
// JWildfire's own variations against the numbers that it printed (jwildfire.txt), with its random
// draws: the formulas in double, where nothing is lost, and in float.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "engine/model/variations.h"
#include "kernels/variations/all.h"
#include "tests/given_draws.h"
#include "tests/places.h"

namespace kiln::test {
namespace {

struct Chain {
  std::string line, missing;  // missing: a name that kiln does not have
  std::vector<GivenForm> forms;
};

struct Row {
  std::string line;
  const Chain* chain;
  bool keeps_depth, hides;
  GivenPlace at, out;
  std::vector<std::uint32_t> draws;
};

/// "NAME:WEIGHT:PARAMETER=VALUE,...".
void add_form(const std::string& text, Chain& chain) {
  const std::size_t first = text.find(':'), second = text.find(':', first + 1);
  const std::string name = text.substr(0, first);
  const auto form = find_form(name);
  if (!form || (form->variation != 0 && form->variation < ExtendedVariations::size)) {
    chain.missing = name;
    return;
  }
  GivenForm given{int(form->stage),
                  form->variation == 0 ? -1 : form->variation - ExtendedVariations::size,
                  std::stod(text.substr(first + 1)),
                  {}};
  given.parameters.assign(info_of(form->variation).parameters.size(), std::nan(""));
  std::istringstream rest(text.substr(second + 1));
  for (std::string part; std::getline(rest, part, ',');) {
    const std::size_t equal = part.find('=');
    const auto named = find_form_parameter(name + "_" + part.substr(0, equal));
    ASSERT_TRUE(named && named->variation == form->variation) << name << ": " << part;
    given.parameters.at(std::size_t(named->parameter)) = std::stod(part.substr(equal + 1));
  }
  chain.forms.push_back(given);
}

struct Vectors {
  std::vector<std::unique_ptr<Chain>> chains;
  std::vector<Row> rows;
};

GivenPlace place(std::istringstream& text) {
  std::array<std::string, 4> words;
  for (std::string& word : words) text >> word;
  return {std::stod(words[0]), std::stod(words[1]), std::stod(words[2]), std::stod(words[3]),
          false};
}

const Vectors& vectors() {
  static const Vectors all = [] {
    Vectors read;
    std::ifstream file(std::string(source_dir()) + "/tests/variations/jwildfire.txt");
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("#")) continue;
      std::istringstream words(line);
      std::string word;
      if (line.starts_with("chain ")) {
        read.chains.push_back(std::make_unique<Chain>());
        read.chains.back()->line = line;
        for (words >> word; words >> word;) add_form(word, *read.chains.back());
        continue;
      }
      Row row{line, read.chains.back().get(), false, false, {}, {}, {}};
      words >> row.keeps_depth;
      row.at = place(words);
      words >> word;
      row.out = place(words);
      while (words >> word) {
        if (word == "hide")
          row.hides = true;
        else if (word != ":")
          row.draws.push_back(std::uint32_t(std::stoul(word)));
      }
      read.rows.push_back(row);
    }
    return read;
  }();
  return all;
}

std::array<double, 4> numbers(const GivenPlace& p) { return {p.x, p.y, p.z, p.color}; }

/// The change that the differences of floats from the file's numbers can make of the result.
std::array<double, 4> spread_of(const Row& row, const std::array<double, 4>& out) {
  std::array<double, 4> spread{};
  const auto note = [&](const std::vector<GivenForm>& forms, GivenPlace at,
                        const std::vector<std::uint32_t>& draws) {
    const auto moved = numbers(made_in_double(forms, row.keeps_depth, at, draws));
    for (std::size_t k = 0; k < 4; ++k)
      spread[k] = std::max(spread[k], std::abs(moved[k] - out[k]));
  };
  constexpr double step = 0x1p-22;
  std::vector<GivenForm> forms = row.chain->forms;
  for (GivenForm& form : forms) {
    form.weight = float(form.weight);
    for (double& parameter : form.parameters) parameter = float(parameter);
  }
  for (const double sign : {-1.0, 0.0, 1.0}) {
    for (int k = 0; k < 3; ++k) {
      GivenPlace at = row.at;
      (k == 0 ? at.x : k == 1 ? at.y : at.z) *= 1 + sign * step;
      std::vector<std::uint32_t> draws = row.draws;
      for (std::uint32_t& draw : draws) draw &= ~0xffu;
      note(forms, at, draws);
      for (std::uint32_t& draw : draws) draw |= 0xffu;
      note(forms, at, draws);
    }
  }
  return spread;
}

/// The distance that the formulas in double may keep: JWildfire turns by 2 pi times a number of 31 bits, and
/// crown_js by 14th powers, whose rounding is in its numbers.
double exact_limit(const std::string& name) {
  if (name == "crown_js") return 2e-9;
  for (const char* turned : {"juliaq", "post_juliaq", "julia3Dq", "post_julia3Dq", "phoenix_julia"})
    if (name.find(turned) != std::string::npos) return 1e-5;
  return 1e-12;
}

TEST(JWildfireVariations, GiveItsNumbers) {
  std::set<std::string> missing;
  std::map<std::string, double> worst;
  std::map<std::string, int> failures;
  int compared = 0;
  for (const Row& row : vectors().rows) {
    if (row.chain->line.ends_with("avoid_reversal=1")) continue;  // remembers the last generator
    if (!row.chain->missing.empty()) {
      missing.insert(row.chain->missing);
      continue;
    }
    const std::string first = row.chain->line.substr(6, row.chain->line.find(':') - 6);
    const std::size_t last = row.chain->line.find(' ', 6);
    const std::string name =
        first == "linear3D" && last != std::string::npos
            ? row.chain->line.substr(last + 1, row.chain->line.find(':', last) - last - 1)
            : first;
    const auto place = made_in_double(row.chain->forms, row.keeps_depth, row.at, row.draws);
    const auto in_float = made_in_float(row.chain->forms, row.keeps_depth, row.at, row.draws);
    const auto exact = numbers(place), got = numbers(in_float);
    // JWildfire loses half of the inside of its triangle to rounding
    const bool as_there = place.hidden == row.hides && in_float.hidden == row.hides;
    EXPECT_TRUE(as_there || name == "crop_triangle") << row.line << '\n' << row.chain->line;
    auto expected = numbers(row.out);
    if (name == "post_trig" && row.keeps_depth) expected[2] = std::nan("");  // is not made here
    const auto spread = spread_of(row, exact);
    if (++compared && failures[name] >= 3) continue;
    bool fails = false;
    for (std::size_t k = 0; k < 4; ++k) {
      if (std::isnan(expected[k])) continue;
      const double size = std::max(1.0, std::abs(expected[k]));
      EXPECT_LE(std::abs(exact[k] - expected[k]), exact_limit(name) * size)
          << "coordinate " << k << " is " << exact[k] << " of\n"
          << row.line << '\n'
          << row.chain->line;
      const double limit = 2e-5 * size + 8 * spread[k], error = std::abs(got[k] - expected[k]);
      EXPECT_LE(error, limit) << "in float coordinate " << k << " is " << got[k] << " of\n"
                              << row.line << '\n'
                              << row.chain->line;
      fails |= !(std::abs(exact[k] - expected[k]) <= exact_limit(name) * size) || !(error <= limit);
      worst[name] = std::max(worst[name], error / size);
    }
    failures[name] += fails;
  }
  for (const auto& [name, error] : worst)
    if (error > 2e-5) std::printf("%-16s worst error in float %.1e\n", name.c_str(), error);
  std::printf("%d rows of %d variations; %d are missing\n", compared, int(worst.size()),
              int(missing.size()));
  EXPECT_GT(compared, 0);
}

}  // namespace
}  // namespace kiln::test
