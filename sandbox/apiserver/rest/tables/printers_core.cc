// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/rest/tables/pod_status.h"
#include "sandbox/apiserver/rest/tables/printer.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;
size_t SizeAt(const json& object, std::string_view path) {
  const json* value = At(object, path);
  return value == nullptr ? 0 : value->size();
}
std::string OrNone(std::string text) { return text.empty() ? "<none>" : text; }

Cells Pod(const json& pod, Time now) {
  const PodSummary summary = SummarizePod(pod, now);
  const json* addresses = At(pod, "status/podIPs");
  std::string ip = TextAt(pod, "status/podIP");
  if (ip.empty() && addresses != nullptr && !addresses->empty())
    ip = (*addresses)[0].value("ip", "");
  return {NameCell(pod),
          summary.ready,
          summary.status,
          summary.restarts,
          AgeCell(pod, now),
          OrNone(ip),
          OrNone(TextAt(pod, "spec/nodeName")),
          OrNone(TextAt(pod, "status/nominatedNodeName")),
          summary.readiness_gates};
}

std::string NodeStatus(const json& node) {
  std::vector<std::string> parts;
  if (const json* conditions = At(node, "status/conditions")) {
    for (const json& condition : *conditions) {
      if (condition.value("type", "") != "Ready") continue;
      parts.emplace_back(condition.value("status", "") == "True" ? "Ready" : "NotReady");
    }
  }
  if (parts.empty()) parts.emplace_back("Unknown");
  const json* cordoned = At(node, "spec/unschedulable");
  if (cordoned != nullptr && *cordoned == true) parts.emplace_back("SchedulingDisabled");
  return JoinTexts(parts);
}

std::string NodeRoles(const json& node) {
  static constexpr std::string_view kPrefix = "node-role.kubernetes.io/";
  std::vector<std::string> roles;
  if (const json* labels = At(node, "metadata/labels")) {
    for (const auto& [key, value] : labels->items()) {
      if (key.starts_with(kPrefix) && key.size() > kPrefix.size())
        roles.push_back(key.substr(kPrefix.size()));
      else if (key == "kubernetes.io/role" && value != "")
        roles.push_back(value.get<std::string>());
    }
  }
  return OrNone(JoinTexts(roles));
}

std::string NodeAddress(const json& node, std::string_view type) {
  if (const json* addresses = At(node, "status/addresses")) {
    for (const json& address : *addresses) {
      if (address.value("type", "") == type) return address.value("address", "");
    }
  }
  return "<none>";
}

Cells Node(const json& node, Time now) {
  const auto info = [&](const char* field) {
    const std::string text = TextAt(node, std::string("status/nodeInfo/") + field);
    return text.empty() ? std::string("<unknown>") : text;
  };
  return {NameCell(node),
          NodeStatus(node),
          NodeRoles(node),
          AgeCell(node, now),
          TextAt(node, "status/nodeInfo/kubeletVersion"),
          NodeAddress(node, "InternalIP"),
          NodeAddress(node, "ExternalIP"),
          info("osImage"),
          info("kernelVersion"),
          info("containerRuntimeVersion")};
}

Cells Namespace(const json& object, Time now) {
  return {NameCell(object), TextAt(object, "status/phase"), AgeCell(object, now)};
}

std::string ServicePorts(const json& service) {
  std::vector<std::string> parts;
  if (const json* ports = At(service, "spec/ports")) {
    for (const json& port : *ports) {
      const int64_t node_port = port.value("nodePort", int64_t{0});
      parts.push_back(std::to_string(port.value("port", int64_t{0})) +
                      (node_port > 0 ? ":" + std::to_string(node_port) : "") + "/" +
                      port.value("protocol", ""));
    }
  }
  return OrNone(JoinTexts(parts));
}

std::string ExternalAddress(const json& service) {
  const std::string type = TextAt(service, "spec/type");
  if (type == "ExternalName") return TextAt(service, "spec/externalName");
  std::vector<std::string> addresses;
  if (const json* external = At(service, "spec/externalIPs"))
    addresses = external->get<std::vector<std::string>>();
  if (!addresses.empty()) return JoinTexts(addresses);
  return type == "LoadBalancer" ? "<pending>" : "<none>";
}

Cells Service(const json& service, Time now) {
  return {NameCell(service),
          TextAt(service, "spec/type"),
          OrNone(TextAt(service, "spec/clusterIP")),
          ExternalAddress(service),
          ServicePorts(service),
          AgeCell(service, now),
          MapText(At(service, "spec/selector"))};
}

Cells ConfigMap(const json& object, Time now) {
  return {NameCell(object), SizeAt(object, "data") + SizeAt(object, "binaryData"),
          AgeCell(object, now)};
}
Cells Secret(const json& object, Time now) {
  return {NameCell(object), object.value("type", ""), SizeAt(object, "data"), AgeCell(object, now)};
}
Cells NameAndAge(const json& object, Time now) { return {NameCell(object), AgeCell(object, now)}; }

std::string EventAge(const json& event, Time now) {
  for (const char* path :
       {"lastTimestamp", "series/lastObservedTime", "eventTime", "metadata/creationTimestamp"}) {
    if (!TextAt(event, path).empty()) return AgeAt(event, path, now);
  }
  return "<unknown>";
}
Cells Event(const json& event, Time now) {
  std::string kind = TextAt(event, "involvedObject/kind");
  for (char& c : kind) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const std::string object = TextAt(event, "involvedObject/name").empty()
                                 ? kind
                                 : kind + "/" + TextAt(event, "involvedObject/name");
  return {EventAge(event, now), event.value("type", ""), event.value("reason", ""), object,
          event.value("message", "")};
}

}  // namespace

const Printer* CorePrinter(const std::string& key) {
  static const std::vector<Column> kEvents = {TextColumn("Last Seen"), TextColumn("Type"),
                                              TextColumn("Reason"), TextColumn("Object"),
                                              TextColumn("Message")};
  static const std::map<std::string, Printer> kPrinters = {
      {"/Pod",
       {{NameColumn(), TextColumn("Ready"), TextColumn("Status"), TextColumn("Restarts"),
         AgeColumn(), TextColumn("IP", 1), TextColumn("Node", 1), TextColumn("Nominated Node", 1),
         TextColumn("Readiness Gates", 1)},
        Pod}},
      {"/Node",
       {{NameColumn(), TextColumn("Status"), TextColumn("Roles"), AgeColumn(),
         TextColumn("Version"), TextColumn("Internal-IP", 1), TextColumn("External-IP", 1),
         TextColumn("OS-Image", 1), TextColumn("Kernel-Version", 1),
         TextColumn("Container-Runtime", 1)},
        Node}},
      {"/Namespace", {{NameColumn(), TextColumn("Status"), AgeColumn()}, Namespace}},
      {"/Service",
       {{NameColumn(), TextColumn("Type"), TextColumn("Cluster-IP"), TextColumn("External-IP"),
         TextColumn("Port(s)"), AgeColumn(), TextColumn("Selector", 1)},
        Service}},
      {"/Event", {kEvents, Event}},
      {"events.k8s.io/Event", {kEvents, Event}},
      {"/ConfigMap", {{NameColumn(), TextColumn("Data"), AgeColumn()}, ConfigMap}},
      {"/Secret", {{NameColumn(), TextColumn("Type"), TextColumn("Data"), AgeColumn()}, Secret}},
      {"/ServiceAccount", {{NameColumn(), AgeColumn()}, NameAndAge}},
  };
  const auto found = kPrinters.find(key);
  return found == kPrinters.end() ? nullptr : &found->second;
}

}  // namespace berth::apiserver
