// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "cel/function.h"

// The tables of functions, one library each; function.h says what a row is. A new library is a
// functions_*.cc, a line here and one in libraries.cc.
namespace berth::cel {

std::span<const FunctionRow> ArithmeticFunctions();  // operators on numbers, strings, lists, times
std::span<const FunctionRow> ComparisonFunctions();  // equality, order, `in`
std::span<const FunctionRow> CollectionFunctions();  // index, size, optionals
std::span<const FunctionRow> ConversionFunctions();  // int(), string(), type() ...
std::span<const FunctionRow> TimeFunctions();        // parts of timestamps and durations
std::span<const FunctionRow> StringFunctions();      // standard and extended
std::span<const FunctionRow> FormatFunctions();      // string.format
std::span<const FunctionRow> ListFunctions();        // Kubernetes' lists, extended lists, sets
std::span<const FunctionRow> RegexFunctions();       // matches, find, findAll
std::span<const FunctionRow> UrlFunctions();
std::span<const FunctionRow> QuantityFunctions();
std::span<const FunctionRow> NetworkFunctions();  // IP addresses and CIDR blocks
std::span<const FunctionRow> SemverFunctions();
std::span<const FunctionRow> NamedFormatFunctions();  // format.dns1123Label() ...

std::vector<std::span<const FunctionRow>> Libraries();

const TypePtr& QuantityType();
const TypePtr& IpType();
const TypePtr& CidrType();
const TypePtr& UrlType();
const TypePtr& SemverType();
const TypePtr& FormatType();

}  // namespace berth::cel
