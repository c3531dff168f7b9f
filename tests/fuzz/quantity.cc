// SPDX-License-Identifier: Apache-2.0
#include "base/quantity.h"

#include <cstdint>

#include "base/check.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {
namespace {

void CheckPrinted(const Quantity& amount) {
  const std::string text = amount.ToString();
  const auto again = Quantity::Parse(text);
  BERTH_CHECK(again.has_value(), "a printed amount does not parse");
  BERTH_CHECK(*again == amount, "printing changed an amount");
  // A binary amount without a suffix parses as decimal, as upstream.
  if (amount.format() == Quantity::Format::kBinarySi) return;
  BERTH_CHECK(again->ToString() == text, "an amount has two canonical forms");
}

void CheckSums(const Quantity& a, const Quantity& b) {
  const Quantity sum = a + b;
  BERTH_CHECK(sum == b + a, "the sum depends on the order");
  BERTH_CHECK((b < Quantity()) == (sum < a) || sum == a, "the sum has the wrong sign");
  CheckPrinted(sum);
  CheckPrinted(a - b);
}

}  // namespace

// Two amounts, one per line.
void QuantityText(std::string_view input) {
  const size_t end = std::min(input.find('\n'), input.size());
  const auto a = Quantity::Parse(input.substr(0, end));
  if (!a) return;
  CheckPrinted(*a);
  const Quantity whole = Quantity::FromValue(a->Value());
  const bool saturates = a->Value() == INT64_MAX || a->Value() == INT64_MIN;
  BERTH_CHECK(saturates || (*a < Quantity() ? whole <= *a : whole >= *a), "rounded towards zero");
  BERTH_CHECK((a->MilliValue() == 0) == a->IsZero(), "a non-zero amount became zero");
  const auto b = Quantity::Parse(input.substr(std::min(end + 1, input.size())));
  if (b) CheckSums(*a, *b);
}

}  // namespace berth::fuzz
