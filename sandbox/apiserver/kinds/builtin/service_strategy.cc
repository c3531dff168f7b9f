// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/builtin/strategies.h"
#include "sandbox/apiserver/kinds/strategy.h"

// Allocates the cluster IP of a Service. It is derived from the uid, so that the same uid gets the
// same address, and it is not reserved anywhere. Node ports are not allocated.
namespace berth::apiserver {
namespace {

using nlohmann::json;

std::string TypeOf(const json& service) { return TextAt(service, "spec/type"); }
bool NeedsAddress(const json& service) { return TypeOf(service) != "ExternalName"; }
size_t HashOf(const json& service) {
  return std::hash<std::string>()(TextAt(service, "metadata/uid"));
}

// Addresses are in 10.0.0.0/16.
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
  // A Service without a selector knows the IP families of its endpoints.
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

void PrepareNewService(json& service, Time /*now*/) {
  if (!service["spec"].is_object()) service["spec"] = json::object();
  GiveAddress(service);
  service["status"] = {{"loadBalancer", json::object()}};
}

// An update that omits allocated values keeps them.
void KeepGiven(json& service, const json& old) {
  json& spec = service["spec"];
  const json& before = old["spec"];
  if (NeedsAddress(service) && NeedsAddress(old)) {
    for (const char* field : {"clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"}) {
      if (!spec.contains(field) && before.contains(field)) spec[field] = before[field];
    }
    // A client that changes only one of the two fields means both.
    if (spec.contains("clusterIP") && spec["clusterIPs"] == before.value("clusterIPs", json()) &&
        spec["clusterIP"] != before.value("clusterIP", json()) && !spec["clusterIPs"].empty())
      spec["clusterIPs"][0] = spec["clusterIP"];
  }
}

void PrepareServiceUpdate(json& service, const json& old) {
  KeepGiven(service, old);
  GiveAddress(service);
}

}  // namespace

const Strategy* ServiceStrategy(const KindInfo& kind) {
  static const Strategy kService = {.names = Strategy::NameRule::kLabel,
                                    .prepare_create = PrepareNewService,
                                    .prepare_update = PrepareServiceUpdate};
  return kind.kind == "Service" && kind.group.empty() ? &kService : nullptr;
}

}  // namespace berth::apiserver
