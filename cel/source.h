// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace berth::cel {

// Position in the text of an expression. Both members count from 1; columns count code points.
struct Position {
  int line = 1;
  int column = 1;
};

struct Issue {
  Position position;
  std::string message;
};

// Formats the issues of one expression as one Error (kInvalid), each with its position and line:
//   ERROR: <input>:1:6: undefined field 'x'
//    | self.x
//    | .....^
Error ToError(std::string_view text, const std::vector<Issue>& issues);

}  // namespace berth::cel
