// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/builtin/service_rules.h"
#include "sandbox/apiserver/kinds/builtin/strategies.h"
#include "sandbox/apiserver/kinds/strategy.h"

// What a real server gives a Service: addresses and ports of nodes. Source:
// pkg/registry/core/service of Kubernetes. Both are drawn by the uid, so that the same uid gets the
// same; they are reserved nowhere.
namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr size_t kFirstNodePort = 30000;
constexpr size_t kNodePorts = 2768;

std::string TypeOf(const json& service) { return TextAt(service, "spec/type"); }
bool NeedsAddress(const json& service) { return TypeOf(service) != "ExternalName"; }
bool NeedsNodePorts(const json& service) {
  const std::string type = TypeOf(service);
  if (type == "NodePort") return true;
  const json* allocate = At(service, "spec/allocateLoadBalancerNodePorts");
  return type == "LoadBalancer" && (allocate == nullptr || *allocate != false);
}
bool IsExternal(const json& service) {
  const std::string type = TypeOf(service);
  return type == "NodePort" || type == "LoadBalancer";
}

size_t HashOf(const json& service) {
  return std::hash<std::string>()(TextAt(service, "metadata/uid"));
}

// Addresses are of 10.0.0.0/16.
std::string DrawnAddress(const json& service) {
  const size_t hash = HashOf(service);
  return "10.0." + std::to_string(hash / 250 % 256) + "." + std::to_string(2 + hash % 250);
}

// One field is the first entry of the other.
void PairAddresses(json& spec) {
  const std::string address = spec.value("clusterIP", "");
  const bool listed = spec.contains("clusterIPs") && !spec["clusterIPs"].empty();
  if (!address.empty() && !listed) spec["clusterIPs"] = {address};
  if (address.empty() && listed) spec["clusterIP"] = spec["clusterIPs"][0];
}

void GiveAddress(json& service) {
  json& spec = service["spec"];
  PairAddresses(spec);
  if (!NeedsAddress(service)) return;
  const bool headless = spec.value("clusterIP", "") == "None";
  const bool selects = spec.contains("selector") && !spec["selector"].empty();
  // Who has no pods of its own knows which families they have.
  const bool any_family = headless && !selects;
  if (!spec.contains("ipFamilyPolicy"))
    spec["ipFamilyPolicy"] = any_family ? "RequireDualStack" : "SingleStack";
  if (!spec.contains("ipFamilies") || spec["ipFamilies"].empty()) {
    spec["ipFamilies"] = {"IPv4"};
    if (any_family && spec["ipFamilyPolicy"] != "SingleStack") spec["ipFamilies"].push_back("IPv6");
  }
  if (spec.value("clusterIP", "").empty()) {
    spec["clusterIP"] = DrawnAddress(service);
    PairAddresses(spec);
  }
}

void GiveNodePorts(json& service) {
  if (!NeedsNodePorts(service) || At(service, "spec/ports") == nullptr) return;
  size_t drawn = HashOf(service);
  for (json& port : service["spec"]["ports"]) {
    if (port.value("nodePort", 0) == 0) port["nodePort"] = kFirstNodePort + drawn++ % kNodePorts;
  }
}

void PrepareCreate(json& service, Time /*now*/) {
  if (!service["spec"].is_object()) service["spec"] = json::object();
  GiveAddress(service);
  GiveNodePorts(service);
  service["status"] = {{"loadBalancer", json::object()}};
}

// A request that leaves out what was given keeps it.
void KeepGiven(json& service, const json& old) {
  json& spec = service["spec"];
  const json& before = old["spec"];
  if (NeedsAddress(service) && NeedsAddress(old)) {
    for (const char* field : {"clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"}) {
      if (!spec.contains(field) && before.contains(field)) spec[field] = before[field];
    }
    // Who knows one of the two fields alone means both.
    if (spec.contains("clusterIP") && spec["clusterIPs"] == before.value("clusterIPs", json()) &&
        spec["clusterIP"] != before.value("clusterIP", json()) && !spec["clusterIPs"].empty())
      spec["clusterIPs"][0] = spec["clusterIP"];
  }
  if (!NeedsNodePorts(service) || !NeedsNodePorts(old) || !spec.contains("ports")) return;
  for (json& port : spec["ports"]) {
    if (port.value("nodePort", 0) != 0) continue;
    for (const json& known : before.value("ports", json::array())) {
      if (known.value("port", 0) == port.value("port", 0) &&
          known.value("protocol", "") == port.value("protocol", ""))
        port["nodePort"] = known.value("nodePort", 0);
    }
  }
}

// A Service of another type loses what only its old one had, unless the request says otherwise.
void DropForeign(json& service, const json& old) {
  json& spec = service["spec"];
  const json& before = old["spec"];
  const auto drop_same = [&](const char* field) {
    if (spec.contains(field) && before.contains(field) && spec[field] == before[field])
      spec.erase(field);
  };
  if (NeedsAddress(old) && !NeedsAddress(service)) {
    for (const char* field :
         {"clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy"}) {
      drop_same(field);
    }
  }
  if (IsExternal(old) && !IsExternal(service)) drop_same("externalTrafficPolicy");
  if (TypeOf(old) == "LoadBalancer" && TypeOf(service) != "LoadBalancer") {
    drop_same("allocateLoadBalancerNodePorts");
    drop_same("loadBalancerClass");
  }
  if (!NeedsNodePorts(old) || NeedsNodePorts(service) || !spec.contains("ports")) return;
  for (json& port : spec["ports"]) port.erase("nodePort");
}

void PrepareUpdate(json& service, const json& old) {
  KeepGiven(service, old);
  DropForeign(service, old);
  GiveAddress(service);
  GiveNodePorts(service);
}

}  // namespace

const Strategy* ServiceStrategy(const KindInfo& kind) {
  static const Strategy kService = {.names = Strategy::NameRule::kLabel,
                                    .prepare_create = PrepareCreate,
                                    .prepare_update = PrepareUpdate,
                                    .validate = ValidateService,
                                    .validate_update = ValidateServiceUpdate};
  return kind.kind == "Service" && kind.group.empty() ? &kService : nullptr;
}

}  // namespace berth::apiserver
