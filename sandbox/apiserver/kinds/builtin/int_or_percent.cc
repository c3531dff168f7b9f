// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/builtin/int_or_percent.h"

#include <charconv>
#include <optional>

#include <nlohmann/json.hpp>

namespace berth::apiserver {
namespace {

std::optional<int64_t> PercentOf(const std::string& text) {
  int64_t percent = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, percent);
  if (error != std::errc() || at + 1 != end || *at != '%' || text.front() == '-')
    return std::nullopt;
  return percent;
}

}  // namespace

void CheckIntOrPercent(const Field& value) {
  if (!value.value().is_string()) {
    value.AtLeast(0, kNotNegative);
  } else if (!PercentOf(value.Text())) {
    value.Invalid(
        "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  "
        "or '93%', regex used for validation is '[0-9]+%')");
  }
}

void CheckAtMostAll(const Field& value) {
  if (PercentOf(value.Text()).value_or(0) > 100) value.Invalid("must not be greater than 100%");
}

bool IsZeroIntOrPercent(const Field& value) {
  return value.value().is_string() ? PercentOf(value.Text()).value_or(0) == 0 : value.Number() == 0;
}

}  // namespace berth::apiserver
