// SPDX-License-Identifier: Apache-2.0
#include "cel/libraries.h"

namespace berth::cel {

std::vector<Library> Libraries() {
  return {{ArithmeticFunctions()},
          {ComparisonFunctions()},
          {CollectionFunctions()},
          {ConversionFunctions()},
          {TimeFunctions()},
          {StringFunctions()},
          {ListFunctions()},
          {RegexFunctions()},
          {QuantityFunctions()},
          {SemverFunctions(), 33},
          {ExtendedListFunctions(), 34},
          {IncludesFunctions(), 37}};
}

}  // namespace berth::cel
