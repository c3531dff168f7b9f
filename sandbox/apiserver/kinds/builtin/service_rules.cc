// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/builtin/service_rules.h"

#include <set>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/go/go_value.h"
#include "sandbox/apiserver/kinds/builtin/addresses.h"
#include "sandbox/apiserver/kinds/builtin/pod_rules.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr int64_t kKubeletPort = 10250;
constexpr int64_t kMaxAffinitySeconds = 86400;
constexpr GoField kPort[] = {{"Name", "", "\"\""},    {"Protocol", "protocol", "\"\""},
                             {"AppProtocol", ""},     {"Port", "port", "0"},
                             {"TargetPort", "", "0"}, {"NodePort", "", "0"}};

bool IsHeadless(const Field& spec) { return spec["clusterIP"].Text() == "None"; }

bool IsExternal(const Field& spec) {
  const std::string type = spec["type"].Text();
  return type == "LoadBalancer" || type == "NodePort" ||
         (type == "ClusterIP" && !spec["externalIPs"].IsEmpty());
}

void CheckExternalName(const Field& spec) {
  for (const char* field : {"clusterIPs", "ipFamilies", "ipFamilyPolicy"}) {
    if (!spec[field].IsEmpty()) spec[field].Forbidden("may not be set for ExternalName services");
  }
  const Field name = spec["externalName"];
  std::string text = name.Text();
  if (text.ends_with('.')) text.pop_back();
  if (text.empty()) return name.Required();
  for (const std::string& why : CheckDnsSubdomain(text)) name.Invalid(Quoted(text), why);
}

void CheckType(const Field& spec) {
  const std::string type = spec["type"].Text();
  if (spec["ports"].IsEmpty() && !IsHeadless(spec) && type != "ExternalName")
    spec["ports"].Required();
  if (type == "ExternalName") return CheckExternalName(spec);
  if (type != "LoadBalancer" && type != "NodePort") return;
  if (type == "LoadBalancer") {
    for (const Field& port : spec["ports"].Items()) {
      if (port["port"].Number() == kKubeletPort)
        port.Invalid(std::to_string(kKubeletPort),
                     "may not expose port 10250 externally since it is used by kubelet");
    }
  }
  if (IsHeadless(spec))
    spec["clusterIPs"].Item(0).Invalid("may not be set to 'None' for " + type + " services");
}

void CheckPorts(const Field& spec) {
  const std::vector<Field> ports = spec["ports"].Items();
  std::set<std::string> names;
  for (const Field& port : ports) {
    const Field name = port["name"];
    if (name.IsEmpty()) {
      if (ports.size() > 1) name.Required();
    } else {
      name.Named(CheckDnsLabel);
      if (!names.insert(name.Text()).second) name.Duplicate();
    }
    port["port"].InRange(1, 65535);
    port["protocol"].OneOf({"SCTP", "TCP", "UDP"});
    CheckPortNameOrNumber(port["targetPort"]);
    if (!port["appProtocol"].IsEmpty()) port["appProtocol"].Named(CheckQualifiedName);
  }
}

void CheckSessionAffinity(const Field& spec) {
  const Field affinity = spec["sessionAffinity"];
  if (affinity.Require()) affinity.OneOf({"ClientIP", "None"});
  const Field config = spec["sessionAffinityConfig"];
  if (affinity.Text() == "None" && config.IsSet())
    config.Forbidden("must not be set when session affinity is None");
  const Field seconds = config["clientIP"]["timeoutSeconds"];
  if (affinity.Text() == "ClientIP" && seconds.IsSet() &&
      (seconds.Number() <= 0 || seconds.Number() > kMaxAffinitySeconds))
    seconds.Invalid("must be greater than 0 and less than 86400");
}

void CheckUniquePorts(const Field& spec) {
  std::set<std::pair<std::string, int64_t>> seen;
  for (const Field& port : spec["ports"].Items()) {
    if (spec["type"].Text() == "ClusterIP" && port["nodePort"].Number() != 0)
      port["nodePort"].Forbidden("may not be used when `type` is 'ClusterIP'");
  }
  for (const Field& port : spec["ports"].Items()) {
    if (seen.insert({port["protocol"].Text(), port["port"].Number()}).second) continue;
    port.problems().push_back(
        {api::FieldError::Type::kDuplicate, port.path(), GoText(port.value(), kPort), {}});
  }
}

void CheckTraffic(const Field& spec) {
  const Field external = spec["externalTrafficPolicy"];
  if (!IsExternal(spec)) {
    if (!external.IsEmpty()) external.Invalid("may only be set for externally-accessible services");
  } else if (external.Require()) {
    external.OneOf({"Cluster", "Local"});
  }
  const bool checked = spec["type"].Text() == "LoadBalancer" && external.Text() == "Local";
  const Field health = spec["healthCheckNodePort"];
  if (!checked && health.Number() != 0)
    health.Invalid(
        "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is "
        "'Local'");
  spec["internalTrafficPolicy"].OneOf({"Cluster", "Local"});
}

// A cluster IP that is not of the families, or families that this cluster has not.
void CheckFamilies(const Field& spec) {
  const bool any_family = IsHeadless(spec) && spec["selector"].IsEmpty();
  std::set<std::string> seen;
  for (const Field& family : spec["ipFamilies"].Items()) {
    if (!family.OneOf({"IPv4", "IPv6"})) continue;
    if (!seen.insert(family.Text()).second) family.Duplicate();
    if (family.Text() == "IPv6" && !any_family) family.Invalid("not configured on this cluster");
  }
  const Field policy = spec["ipFamilyPolicy"];
  if (policy.OneOf({"PreferDualStack", "RequireDualStack", "SingleStack"}) && !any_family &&
      policy.Text() == "RequireDualStack")
    policy.Invalid("this cluster is not configured for dual-stack services");
  for (const Field& address : spec["clusterIPs"].Items()) {
    if (address.Text() != "None" && FamilyOf(address.Text()).empty()) address.Invalid(kNoAddress);
  }
}

}  // namespace

void ValidateService(const json& object, Problems& problems) {
  const Field spec = Field(object, problems)["spec"];
  // Addresses are given before anything else is looked at.
  const size_t before = problems.size();
  if (spec["type"].Text() != "ExternalName") CheckFamilies(spec);
  if (problems.size() != before) return;
  CheckType(spec);
  CheckPorts(spec);
  CheckLabels(spec["selector"]);
  CheckSessionAffinity(spec);
  for (const Field& address : spec["externalIPs"].Items()) {
    if (FamilyOf(address.Text()).empty()) address.Invalid(kNoAddress);
  }
  spec["type"].OneOf({"ClusterIP", "ExternalName", "LoadBalancer", "NodePort"});
  CheckUniquePorts(spec);
  CheckTraffic(spec);
}

void ValidateServiceUpdate(const json& object, const json& old, Problems& problems) {
  const Field now = Field(object, problems)["spec"];
  const Field before = Field(old, problems)["spec"];
  if (now["type"].Text() == "ExternalName" || before["type"].Text() == "ExternalName") return;
  for (const char* list : {"clusterIPs", "ipFamilies"}) {
    const Field first = now[list].Item(0);
    const Field old_first = before[list].Item(0);
    if (first.IsSet() && old_first.IsSet() && first.Text() != old_first.Text())
      first.Invalid(now[list].value().dump(), "may not change once set");
  }
}

}  // namespace berth::apiserver
