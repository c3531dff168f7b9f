// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/kinds/builtin/pod_rules.h"

namespace berth::apiserver {
namespace {

void CheckExpression(const Field& expression) {
  const std::string op = expression["operator"].Text();
  const Field values = expression["values"];
  if (op == "In" || op == "NotIn") {
    values.Require("must be specified when `operator` is 'In' or 'NotIn'");
  } else if (op == "Exists" || op == "DoesNotExist") {
    if (!values.IsEmpty())
      values.Forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  } else if (op == "Gt" || op == "Lt") {
    if (values.Items().size() != 1)
      values.Required("must be specified single value when `operator` is 'Lt' or 'Gt'");
  } else {
    expression["operator"].Invalid(Quoted(op), "not a valid selector operator");
  }
  expression["key"].Named(CheckQualifiedName);
}

void CheckFieldExpression(const Field& expression) {
  const std::string op = expression["operator"].Text();
  const Field values = expression["values"];
  if (op != "In" && op != "NotIn") {
    expression["operator"].Invalid(Quoted(op), "not a valid selector operator");
  } else if (values.Items().size() != 1) {
    values.Required(
        "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
  }
  if (expression["key"].Text() != "metadata.name") {
    expression["key"].Invalid(Quoted(expression["key"].Text()), "not a valid field selector key");
    return;
  }
  for (const Field& value : values.Items()) value.Named(CheckDnsSubdomain);
}

void CheckNodeTerm(const Field& term) {
  for (const Field& expression : term["matchExpressions"].Items()) CheckExpression(expression);
  for (const Field& expression : term["matchFields"].Items()) CheckFieldExpression(expression);
}

void CheckWeight(const Field& weight) {
  const int64_t number = weight.Number();
  if (number <= 0 || number > 100)
    weight.Invalid(std::to_string(number), "must be in the range 1-100");
}

void CheckKeysOfLabels(const Field& term, const char* name) {
  const Field keys = term[name];
  if (keys.IsEmpty()) return;
  if (!term["labelSelector"].IsSet())
    return keys.Forbidden("must not be specified when labelSelector is not set");
  for (const Field& key : keys.Items()) key.Named(CheckQualifiedName);
}

void CheckPodTerm(const Field& term) {
  CheckLabelSelector(term["labelSelector"]);
  CheckLabelSelector(term["namespaceSelector"]);
  for (const Field& name : term["namespaces"].Items())
    name.At(term.path() + ".namespace").Named(CheckDnsLabel);
  CheckKeysOfLabels(term, "matchLabelKeys");
  CheckKeysOfLabels(term, "mismatchLabelKeys");
  const auto& other = term["mismatchLabelKeys"].value();
  for (const Field& key : term["matchLabelKeys"].Items()) {
    if (std::find(other.begin(), other.end(), key.value()) != other.end())
      key.Invalid("exists in both matchLabelKeys and mismatchLabelKeys");
  }
  const Field topology = term["topologyKey"];
  topology.Require("can not be empty");
  topology.Named(CheckQualifiedName);
}

void CheckPodTerms(const Field& affinity) {
  for (const Field& term : affinity["requiredDuringSchedulingIgnoredDuringExecution"].Items())
    CheckPodTerm(term);
  for (const Field& term : affinity["preferredDuringSchedulingIgnoredDuringExecution"].Items()) {
    CheckWeight(term["weight"]);
    CheckPodTerm(term["podAffinityTerm"]);
  }
}

}  // namespace

void CheckNodeSelector(const Field& selector) {
  if (!selector.IsSet()) return;
  const Field terms = selector["nodeSelectorTerms"];
  if (!terms.Require("must have at least one node selector term")) return;
  for (const Field& term : terms.Items()) CheckNodeTerm(term);
}

void CheckAffinity(const Field& affinity) {
  const Field node = affinity["nodeAffinity"];
  CheckNodeSelector(node["requiredDuringSchedulingIgnoredDuringExecution"]);
  for (const Field& term : node["preferredDuringSchedulingIgnoredDuringExecution"].Items()) {
    CheckWeight(term["weight"]);
    CheckNodeTerm(term["preference"]);
  }
  CheckPodTerms(affinity["podAffinity"]);
  CheckPodTerms(affinity["podAntiAffinity"]);
}

}  // namespace berth::apiserver
