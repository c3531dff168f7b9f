// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cel/value.h"

// The text that `format` takes: literal text, %% and clauses, an optional precision and a letter:
// %s %d %.2f %e %b %o %x %X.
namespace berth::cel {

struct FormatClause {
  std::string before;  // literal text in front of the clause
  char letter;
  int precision;
};

struct FormatString {
  std::vector<FormatClause> clauses;
  std::string tail;   // literal text behind the last clause
  std::string error;  // why the text is none; `clauses` are those before the mistake
};

FormatString ParseFormatString(std::string_view text);

// ClauseProblem says why a clause cannot show a value of this kind, empty if it can. kDyn can be
// anything.
std::string ClauseProblem(char letter, Kind kind, std::string_view type_name);

}  // namespace berth::cel
