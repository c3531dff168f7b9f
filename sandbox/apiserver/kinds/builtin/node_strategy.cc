// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/go/go_value.h"
#include "sandbox/apiserver/kinds/builtin/addresses.h"
#include "sandbox/apiserver/kinds/builtin/pod_rules.h"
#include "sandbox/apiserver/kinds/builtin/strategies.h"
#include "sandbox/apiserver/kinds/strategy.h"

// Source: ValidateNode and ValidateNodeUpdate of pkg/apis/core/validation.
namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr GoField kTaint[] = {{"Key", "key", "\"\""},
                              {"Value", "value", "\"\""},
                              {"Effect", "effect", "\"\""},
                              {"TimeAdded", "timeAdded"}};

// Findings say "metadata", where taints once were.
void CheckTaints(const Field& taints) {
  std::set<std::pair<std::string, std::string>> seen;
  for (const Field& taint : taints.At("metadata.taints").Items()) {
    taint["key"].Named(CheckQualifiedName);
    taint["value"].Named(CheckLabelValue);
    CheckTaintEffect(taint["effect"], false);
    if (seen.insert({taint["effect"].Text(), taint["key"].Text()}).second) continue;
    taint.problems().push_back({api::FieldError::Type::kDuplicate, taint.path(),
                                GoText(taint.value(), kTaint),
                                "taints must be unique by key and effect pair"});
  }
}

// Findings of amounts are not those of a map here.
void CheckAmounts(const Field& amounts) {
  for (const Field::Entry& entry : amounts.Entries())
    CheckAmount(entry.value.At(amounts.path() + "." + entry.key));
}

void CheckRanges(const Field& ranges) {
  std::set<std::string_view> families;
  bool again = false;
  for (const Field& range : ranges.Items()) {
    const std::string_view family = FamilyOfRange(range.Text());
    if (family.empty())
      range.Invalid(kNoRange);
    else
      again |= !families.insert(family).second;
  }
  if (again || ranges.Items().size() > 2)
    ranges.Invalid("may specify no more than one CIDR for each IP family");
}

void Validate(const json& object, Problems& problems) {
  const Field node(object, problems);
  CheckTaints(node["spec"]["taints"]);
  CheckAmounts(node["status"]["capacity"]);
  CheckAmounts(node["status"]["allocatable"]);
  CheckRanges(node["spec"]["podCIDRs"]);
}

void ValidateUpdate(const json& object, const json& old, Problems& problems) {
  const Field now = Field(object, problems)["spec"];
  const Field before = Field(old, problems)["spec"];
  CheckRanges(now["podCIDRs"]);
  if (!before["podCIDRs"].IsEmpty() && now["podCIDRs"].value() != before["podCIDRs"].value())
    now["podCIDRs"].Forbidden("node updates may not change podCIDR except from \"\" to valid");
  if (!before["providerID"].IsEmpty() && now["providerID"].Text() != before["providerID"].Text())
    now["providerID"].Forbidden("node updates may not change providerID except from \"\" to valid");
  CheckTaints(now["taints"]);
}

void ValidatePart(std::string_view subresource, const json& object, const json& /*old*/,
                  Problems& problems) {
  if (subresource != "status") return;
  const Field status = Field(object, problems)["status"];
  CheckAmounts(status["capacity"]);
  CheckAmounts(status["allocatable"]);
}

}  // namespace

const Strategy* NodeStrategy(const KindInfo& kind) {
  using Check = Strategy::Check;
  static const Strategy kNode = {.validate = Validate,
                                 .validate_update = ValidateUpdate,
                                 .validate_part = ValidatePart,
                                 .on_update = {Check::kMetadataChange, Check::kChange}};
  return kind.kind == "Node" && kind.group.empty() ? &kNode : nullptr;
}

}  // namespace berth::apiserver
