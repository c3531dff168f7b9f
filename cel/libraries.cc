// SPDX-License-Identifier: Apache-2.0
#include "cel/libraries.h"

namespace berth::cel {

std::vector<std::span<const FunctionRow>> Libraries() {
  return {ArithmeticFunctions(), ComparisonFunctions(), CollectionFunctions(),
          ConversionFunctions(), TimeFunctions(),       StringFunctions(),
          ListFunctions(),       RegexFunctions(),      QuantityFunctions(),
          SemverFunctions()};
}

}  // namespace berth::cel
