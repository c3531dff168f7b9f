// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/quantity.h"
#include "cel/function.h"

// The function tables, one per library; see FunctionRow in function.h. A new library needs a
// functions_*.cc, a line here and one in libraries.cc. Kubernetes' libraries for URLs, IP
// addresses, named formats, string.format and find/findAll are not implemented.
namespace berth::cel {

std::span<const FunctionRow> ArithmeticFunctions();  // operators on numbers, strings, lists, times
std::span<const FunctionRow> ComparisonFunctions();  // equality, order, `in`
std::span<const FunctionRow> CollectionFunctions();  // index, size, optionals
std::span<const FunctionRow> ConversionFunctions();  // int(), string(), type() ...
std::span<const FunctionRow> TimeFunctions();        // parts of timestamps and durations
std::span<const FunctionRow> StringFunctions();      // standard and extended
std::span<const FunctionRow> ListFunctions();        // Kubernetes' lists, sets
std::span<const FunctionRow> ExtendedListFunctions();
std::span<const FunctionRow> IncludesFunctions();  // version 1 of Kubernetes' lists
std::span<const FunctionRow> RegexFunctions();     // matches
std::span<const FunctionRow> QuantityFunctions();
std::span<const FunctionRow> SemverFunctions();

std::vector<Library> Libraries();

const TypePtr& QuantityType();
Value QuantityOf(const Quantity& quantity);
const TypePtr& SemverType();

}  // namespace berth::cel
