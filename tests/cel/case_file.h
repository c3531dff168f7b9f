// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace berth::cel {

// Case is a row of a file in tests/cel/cases: an expression, " => ", and the expected result:
//   value  {cost}            a literal and the cost of the evaluation
//   error: message           evaluation fails
//   compile: L:C: m | L:C: m  compilation fails with these issues
// Empty lines and lines that begin with "# " are comments. "#self " and "#schema " set the value of
// `self` for the rows below and its schema (default: dyn), in JSON.
struct Case {
  std::string place;  // file:line
  std::string expression;
  std::string expected;
  nlohmann::json self;
  nlohmann::json schema;
};

// The directory of the files, relative to the root of the repository.
inline constexpr const char* kCasesDirectory = "tests/cel/cases";

// Reads all files of the directory, sorted by name. A malformed row fails the running test.
std::vector<Case> ReadCases();

// Compiles and evaluates the expression of a case and returns the result in the format of the file.
std::string Outcome(const Case& row);

}  // namespace berth::cel
