// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/builtin/pod_rules.h"

#include <array>
#include <limits>
#include <set>
#include <string>

#include "base/quantity.h"
#include "sandbox/apiserver/document.h"

namespace berth::apiserver {
namespace {

constexpr int64_t kMaxInt32 = std::numeric_limits<int32_t>::max();

// Quantities cannot be negative, and requests cannot exceed limits.
void CheckResources(const Field& resources) {
  for (const char* list : {"limits", "requests"}) {
    for (const Field::Entry& entry : resources[list].Entries()) {
      for (const std::string& why : CheckQualifiedName(entry.key))
        entry.value.Invalid(Quoted(entry.key), why);
      CheckQuantity(entry.value);
    }
  }
  for (const Field::Entry& entry : resources["requests"].Entries()) {
    const auto wanted = Quantity::Parse(entry.value.Text());
    const auto most = Quantity::Parse(resources["limits"][entry.key].Text());
    if (wanted && most && *wanted > *most)
      resources["requests"].Invalid(
          Quoted(wanted->ToString()),
          "must be less than or equal to " + entry.key + " limit of " + most->ToString());
  }
}

void CheckContainer(const Field& container, std::set<std::string>& names) {
  const Field name = container["name"];
  if (name.Require()) name.Named(CheckDnsLabel);
  container["image"].Require();
  for (const Field& port : container["ports"].Items()) {
    if (port["containerPort"].Number() == 0)
      port["containerPort"].Required();
    else
      port["containerPort"].InRange(1, 65535);
    port["protocol"].OneOf({"SCTP", "TCP", "UDP"});
  }
  container["imagePullPolicy"].OneOf({"Always", "IfNotPresent", "Never"});
  CheckResources(container["resources"]);
  if (!names.insert(name.Text()).second) name.Duplicate();
}

void CheckGates(const Field& gates) {
  std::set<std::string> names;
  for (const Field& gate : gates.Items()) {
    const std::string name = gate["name"].Text();
    gate["name"].At(gate.path()).Named(CheckQualifiedName);
    if (!names.insert(name).second) gate["name"].At(gate.path()).Duplicate();
  }
}

}  // namespace

void CheckPodSpec(const Field& spec) {
  std::set<std::string> names;
  spec["containers"].Require();
  for (const char* list : {"containers", "initContainers"})
    for (const Field& container : spec[list].Items()) CheckContainer(container, names);
  spec["restartPolicy"].OneOf({"Always", "OnFailure", "Never"});
  CheckLabels(spec["nodeSelector"]);
  CheckGates(spec["schedulingGates"]);
  for (const char* field : {"serviceAccountName", "nodeName"})
    if (!spec[field].IsEmpty()) spec[field].Named(CheckDnsSubdomain);
  spec["activeDeadlineSeconds"].InRange(1, kMaxInt32);
  CheckTolerations(spec["tolerations"]);
  if (!spec["priorityClassName"].IsEmpty()) spec["priorityClassName"].Named(CheckDnsSubdomain);
  spec["preemptionPolicy"].OneOf({"PreemptLowerPriority", "Never"});
}

void CheckPodTemplate(const Field& pod_template) {
  CheckLabels(pod_template["metadata"]["labels"].At(pod_template.path() + ".labels"));
  CheckPodSpec(pod_template["spec"]);
}

void CheckTaintEffect(const Field& effect, bool may_be_empty) {
  static constexpr std::array<std::string_view, 3> kEffects = {"NoSchedule", "PreferNoSchedule",
                                                               "NoExecute"};
  if (!effect.IsEmpty())
    effect.OneOf(kEffects);
  else if (!may_be_empty)
    effect.Required();
}

void CheckTolerations(const Field& tolerations) {
  const auto reject = [](const Field& field, const Field& shown, const char* why) {
    field.Invalid(Quoted(shown.Text()), why);
  };
  for (const Field& toleration : tolerations.Items()) {
    const Field key = toleration["key"], op = toleration["operator"], value = toleration["value"];
    if (!key.IsEmpty()) key.Named(CheckQualifiedName);
    if (key.IsEmpty() && op.Text() != "Exists")
      reject(op, op,
             "operator must be Exists when `key` is empty, which means \"match all values and all "
             "keys\"");
    if (toleration["tolerationSeconds"].IsSet() && toleration["effect"].Text() != "NoExecute")
      reject(toleration["effect"], toleration["effect"],
             "effect must be 'NoExecute' when `tolerationSeconds` is set");
    if (op.Text() == "Exists") {
      if (!value.IsEmpty()) reject(op, value, "value must be empty when `operator` is 'Exists'");
    } else if (op.IsEmpty() || op.OneOf({"Equal", "Exists"})) {
      value.At(op.path()).Named(CheckLabelValue);
    }
    CheckTaintEffect(toleration["effect"], true);
  }
}

void CheckImageBlanks(const Field& containers) {
  const auto is_blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  for (const Field& container : containers.Items()) {
    const std::string image = container["image"].Text();
    if (!image.empty() && (is_blank(image.front()) || is_blank(image.back())))
      container["image"].Invalid("must not have leading or trailing whitespace");
  }
}

}  // namespace berth::apiserver
