// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace berth::cel {

// Case is a row of a file in tests/cel/cases: an expression, " => ", and what comes of it:
//   value  {cost}            a literal, and what the evaluation cost
//   error: message           evaluation fails
//   compile: L:C: m | L:C: m  compilation fails, with these issues
// Lines that begin with "# " or are empty are comments; "#self " and "#schema " set the value of
// `self` for the rows below them and its schema (else it is dyn), in JSON.
struct Case {
  std::string place;  // file:line
  std::string expression;
  std::string expected;
  nlohmann::json self;
  nlohmann::json schema;
};

// CasesDirectory is where the files are, from the root of the repository.
inline constexpr const char* kCasesDirectory = "tests/cel/cases";

// ReadCases reads all files of the directory, in the order of their names; a malformed row fails
// the running test.
std::vector<Case> ReadCases();

// Outcome compiles and evaluates the expression of a case and words what came of it as the file
// does.
std::string Outcome(const Case& row);

}  // namespace berth::cel
