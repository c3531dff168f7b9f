// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "api/labels.h"
#include "base/check.h"
#include "base/json/json.h"
#include "base/names.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {
namespace {

const std::vector<api::StringMap>& SomeLabels() {
  static const auto* const kLabels = new std::vector<api::StringMap>{
      {}, {{"app", "web"}}, {{"app", ""}, {"n", "5"}}, {{"n", "-9223372036854775808"}}};
  return *kLabels;
}

void CheckLabelSelector(std::string_view text) {
  const auto source = json::Decode<api::LabelSelector>(text);
  if (!source) return;
  const auto selector = api::Selector::Create(*source);
  if (!selector) {
    BERTH_CHECK(!selector.error().message().empty(), "an error without a message");
    return;
  }
  for (const api::StringMap& labels : SomeLabels()) {
    const auto& wanted = selector->requirements();
    const bool all = std::all_of(wanted.begin(), wanted.end(),
                                 [&](const api::Requirement& one) { return one.Matches(labels); });
    BERTH_CHECK(selector->Matches(labels) == (all && !selector->IsNothing()),
                "does not equal all requirements");
  }
}

void CheckNodeSelector(std::string_view text) {
  const auto source = json::Decode<api::NodeSelector>(text);
  if (!source) return;
  const auto selector = api::CompiledNodeSelector::Create(*source);
  for (const api::StringMap& labels : SomeLabels()) {
    const auto match = selector.Match(labels, "node-1");
    BERTH_CHECK(selector.Matches(labels, "node-1") == match.value_or(false),
                "Match and Matches "
                "differ");
    BERTH_CHECK(match.has_value() || !selector.Errors().empty(), "a match error without errors");
  }
}

}  // namespace

void LabelSelector(std::string_view input) {
  CheckLabelSelector(input);
  CheckNodeSelector(input);
  const bool is_key = CheckQualifiedName(input).empty();
  BERTH_CHECK(!is_key || (!input.empty() && input.size() <= 253 + 1 + 63),
              "a key that is too "
              "long");
  BERTH_CHECK(!CheckDnsLabel(input).empty() || CheckDnsSubdomain(input).empty(),
              "a label that is not a subdomain");
  BERTH_CHECK(!CheckLabelValue(input).empty() || input.size() <= 63, "a value that is too long");
}

}  // namespace berth::fuzz
