// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/builtin/pod_update_rules.h"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/go/go_value.h"
#include "sandbox/apiserver/kinds/builtin/pod_rules.h"
#include "sandbox/apiserver/kinds/kind_info.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr const char* kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr const char* kFrozen =
    "pod updates may not change fields other than `spec.containers[*].image`,"
    "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only "
    "additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set "
    "to 1 if it was previously negative)";

constexpr GoField kRequirement[] = {
    {"Key", "key", "\"\""}, {"Operator", "operator", "\"\""}, {"Values", "values"}};
constexpr GoField kTerm[] = {{"MatchExpressions", "matchExpressions", "null", kRequirement},
                             {"MatchFields", "matchFields", "null", kRequirement}};

// False where there is no telling which container is which.
bool CheckImages(const Field& containers, const Field& old) {
  if (containers.Items().size() != old.Items().size()) {
    containers.Forbidden("pod updates may not add or remove containers");
    return false;
  }
  for (const Field& container : containers.Items()) container["image"].Require();
  CheckImageBlanks(containers);
  return true;
}

// False where the rest is not looked at.
bool CheckDeadline(const Field& deadline, const Field& old) {
  if (!deadline.IsSet()) {
    if (old.IsSet()) deadline.Invalid("must not update from a positive integer to nil value");
    return true;
  }
  if (!deadline.InRange(0, std::numeric_limits<int32_t>::max())) return false;
  if (!old.IsSet() || deadline.Number() <= old.Number()) return true;
  deadline.Invalid("must be less than or equal to previous value");
  return false;
}

void CheckAddedTolerations(const Field& tolerations, const Field& old) {
  const auto without_seconds = [](json toleration) {
    toleration.erase("tolerationSeconds");
    return toleration;
  };
  std::set<json> now;
  for (const Field& toleration : tolerations.Items())
    now.insert(without_seconds(toleration.value()));
  for (const Field& toleration : old.Items()) {
    if (now.contains(without_seconds(toleration.value()))) continue;
    return tolerations.Forbidden(
        "existing toleration can not be modified except its tolerationSeconds");
  }
  CheckTolerations(tolerations);
}

void CheckGoneGates(const Field& gates, const Field& old) {
  std::set<std::string> before;
  for (const Field& gate : old.Items()) before.insert(gate["name"].Text());
  for (const Field& gate : gates.Items()) {
    const std::string name = gate["name"].Text();
    if (!before.contains(name))
      gate["name"].Forbidden("only deletion is allowed, but found new scheduling gate '" + name +
                             "'");
  }
}

void CheckNarrowerSelector(const Field& selector, const Field& old) {
  for (const Field::Entry& entry : old.Entries()) {
    if (selector[entry.key].value() == entry.value.value()) continue;
    return selector.Invalid(
        "only additions to spec.nodeSelector are allowed (no mutations or "
        "deletions)");
  }
}

// The list begins as the old one did.
bool Extends(const Field& list, const Field& old) {
  const std::vector<Field> now = list.Items();
  const std::vector<Field> before = old.Items();
  return now.size() >= before.size() &&
         std::equal(before.begin(), before.end(), now.begin(),
                    [](const Field& a, const Field& b) { return a.value() == b.value(); });
}

bool IsNarrower(const Field& term, const Field& old) {
  const Field expressions = old["matchExpressions"];
  const Field fields = old["matchFields"];
  // A term without requirements matches nothing; with some it would match more.
  if (expressions.IsEmpty() && fields.IsEmpty())
    return term["matchExpressions"].IsEmpty() && term["matchFields"].IsEmpty();
  return Extends(term["matchExpressions"], expressions) && Extends(term["matchFields"], fields);
}

void CheckNarrowerAffinity(const Field& affinity, const Field& old) {
  const std::vector<Field> before = old[kRequired]["nodeSelectorTerms"].Items();
  if (before.empty()) return;
  const Field terms = affinity[kRequired]["nodeSelectorTerms"];
  const std::vector<Field> now = terms.Items();
  if (now.size() != before.size()) {
    std::string shown;
    for (const Field& term : now) shown += (shown.empty() ? "" : ",") + GoText(term.value(), kTerm);
    return terms.Invalid(terms.IsSet() ? "[" + shown + "]" : "null",
                         "no additions/deletions to non-empty NodeSelectorTerms list are allowed");
  }
  for (size_t i = 0; i < now.size(); ++i) {
    if (!IsNarrower(now[i], before[i]))
      now[i].Invalid(GoText(now[i].value(), kTerm),
                     "only additions are allowed (no mutations or deletions)");
  }
}

// Takes out of a spec what has been checked; `gated` pods may be told where to run.
json Frozen(const json& spec, bool gated) {
  json rest = spec;
  for (const char* list : {"containers", "initContainers"}) {
    if (!rest.contains(list)) continue;
    for (json& container : rest[list]) container.erase("image");
  }
  for (const char* field : {"activeDeadlineSeconds", "tolerations", "schedulingGates"})
    rest.erase(field);
  if (!gated) return rest;
  rest.erase("nodeSelector");
  if (!rest.contains("affinity")) return rest;
  rest["affinity"].erase("nodeAffinity");
  if (rest["affinity"].empty()) rest.erase("affinity");
  return rest;
}

}  // namespace

void CheckImageBlanks(const Field& containers) {
  const auto is_blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  for (const Field& container : containers.Items()) {
    const std::string image = container["image"].Text();
    if (!image.empty() && (is_blank(image.front()) || is_blank(image.back())))
      container["image"].Invalid("must not have leading or trailing whitespace");
  }
}

void CheckPodChange(const json& pod, const json& old, Problems& problems) {
  const Field now = Field(pod, problems)["spec"];
  const Field before = Field(old, problems)["spec"];
  for (const char* list : {"containers", "initContainers"}) {
    if (!CheckImages(now[list], before[list])) return;
  }
  if (!CheckDeadline(now["activeDeadlineSeconds"], before["activeDeadlineSeconds"])) return;
  CheckAddedTolerations(now["tolerations"], before["tolerations"]);
  CheckGoneGates(now["schedulingGates"], before["schedulingGates"]);
  const bool gated = !before["schedulingGates"].IsEmpty();
  if (gated) {
    CheckNarrowerSelector(now["nodeSelector"], before["nodeSelector"]);
    CheckNarrowerAffinity(now["affinity"]["nodeAffinity"], before["affinity"]["nodeAffinity"]);
  }
  json frozen = Frozen(now.value(), gated);
  json kept = Frozen(before.value(), gated);
  constexpr const char* kGrace = "terminationGracePeriodSeconds";
  if (before[kGrace].Number() < 0 && now[kGrace].Number() == 1) frozen[kGrace] = kept[kGrace];
  if (frozen != kept) now.Forbidden(kFrozen);
}

}  // namespace berth::apiserver
