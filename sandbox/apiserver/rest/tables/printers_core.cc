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
      parts.push_back(condition.value("status", "") == "True" ? "Ready" : "NotReady");
    }
  }
  if (parts.empty()) parts.push_back("Unknown");
  const json* cordoned = At(node, "spec/unschedulable");
  if (cordoned != nullptr && *cordoned == true) parts.push_back("SchedulingDisabled");
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

std::string AccessModes(const json* modes) {
  static const std::map<std::string, std::string> kShort = {{"ReadWriteOnce", "RWO"},
                                                            {"ReadOnlyMany", "ROX"},
                                                            {"ReadWriteMany", "RWX"},
                                                            {"ReadWriteOncePod", "RWOP"}};
  std::vector<std::string> parts;
  if (modes != nullptr) {
    for (const json& mode : *modes) {
      const auto found = kShort.find(mode.get<std::string>());
      if (found != kShort.end()) parts.push_back(found->second);
    }
  }
  return JoinTexts(parts);
}

std::string OrUnset(std::string text) { return text.empty() ? "<unset>" : text; }

Cells Volume(const json& object, Time now) {
  const std::string claim =
      At(object, "spec/claimRef") == nullptr
          ? ""
          : TextAt(object, "spec/claimRef/namespace") + "/" + TextAt(object, "spec/claimRef/name");
  return {NameCell(object),
          TextAt(object, "spec/capacity/storage"),
          AccessModes(At(object, "spec/accessModes")),
          TextAt(object, "spec/persistentVolumeReclaimPolicy"),
          At(object, "metadata/deletionTimestamp") ? "Terminating" : TextAt(object, "status/phase"),
          claim,
          TextAt(object, "spec/storageClassName"),
          OrUnset(TextAt(object, "spec/volumeAttributesClassName")),
          TextAt(object, "status/reason"),
          AgeCell(object, now),
          OrUnset(TextAt(object, "spec/volumeMode"))};
}

Cells Claim(const json& object, Time now) {
  const bool bound = !TextAt(object, "spec/volumeName").empty();
  return {NameCell(object),
          At(object, "metadata/deletionTimestamp") ? "Terminating" : TextAt(object, "status/phase"),
          TextAt(object, "spec/volumeName"),
          bound ? TextAt(object, "status/capacity/storage") : "",
          bound ? AccessModes(At(object, "status/accessModes")) : "",
          TextAt(object, "spec/storageClassName"),
          OrUnset(TextAt(object, "spec/volumeAttributesClassName")),
          AgeCell(object, now),
          OrUnset(TextAt(object, "spec/volumeMode"))};
}

std::string EventAge(const json& event, Time now) {
  for (const char* path :
       {"lastTimestamp", "series/lastObservedTime", "eventTime", "metadata/creationTimestamp"}) {
    if (!TextAt(event, path).empty()) return AgeAt(event, path, now);
  }
  return "<unknown>";
}
std::string FirstAge(const json& event, Time now) {
  for (const char* path : {"firstTimestamp", "eventTime"}) {
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
  std::string source = TextAt(event, "source/component");
  if (source.empty()) source = event.value("reportingComponent", "");
  if (const std::string host = TextAt(event, "source/host"); !host.empty()) source += ", " + host;
  const int64_t count = std::max({IntAt(event, "count"), IntAt(event, "series/count"), int64_t{1}});
  return {EventAge(event, now),
          event.value("type", ""),
          event.value("reason", ""),
          object,
          TextAt(event, "involvedObject/fieldPath"),
          source,
          event.value("message", ""),
          FirstAge(event, now),
          std::to_string(count),
          NameCell(event)};
}

Cells Endpoints(const json& object, Time now) {
  std::vector<std::string> parts;
  if (const json* subsets = At(object, "subsets")) {
    for (const json& subset : *subsets) {
      for (const json& address : subset.value("addresses", json::array())) {
        const json ports = subset.value("ports", json::array());
        if (ports.empty()) parts.push_back(address.value("ip", ""));
        for (const json& port : ports)
          parts.push_back(address.value("ip", "") + ":" + std::to_string(port.value("port", 0)));
      }
    }
  }
  if (parts.size() > 3) {
    const std::string more = " + " + std::to_string(parts.size() - 3) + " more...";
    parts.resize(3);
    return {NameCell(object), JoinTexts(parts) + more, AgeCell(object, now)};
  }
  return {NameCell(object), OrNone(JoinTexts(parts)), AgeCell(object, now)};
}

const Column kName = {"Name", "string", "name"};
const Column kAge = {"Age"};
Column Text(const char* name, int priority = 0) { return {name, "string", "", "", priority}; }

}  // namespace

const Printer* CorePrinter(const std::string& key) {
  static const std::vector<Column> kEvents = {
      Text("Last Seen"),    Text("Type"),
      Text("Reason"),       Text("Object"),
      Text("Subobject", 1), Text("Source", 1),
      Text("Message"),      Text("First Seen", 1),
      Text("Count", 1),     {"Name", "string", "name", "", 1}};
  static const std::map<std::string, Printer> kPrinters = {
      {"/Pod",
       {{kName, Text("Ready"), Text("Status"), Text("Restarts"), kAge, Text("IP", 1),
         Text("Node", 1), Text("Nominated Node", 1), Text("Readiness Gates", 1)},
        Pod}},
      {"/Node",
       {{kName, Text("Status"), Text("Roles"), kAge, Text("Version"), Text("Internal-IP", 1),
         Text("External-IP", 1), Text("OS-Image", 1), Text("Kernel-Version", 1),
         Text("Container-Runtime", 1)},
        Node}},
      {"/Namespace", {{kName, Text("Status"), kAge}, Namespace}},
      {"/Service",
       {{kName, Text("Type"), Text("Cluster-IP"), Text("External-IP"), Text("Port(s)"), kAge,
         Text("Selector", 1)},
        Service}},
      {"/Endpoints", {{kName, Text("Endpoints"), kAge}, Endpoints}},
      {"/Event", {kEvents, Event}},
      {"events.k8s.io/Event", {kEvents, Event}},
      {"/ConfigMap", {{kName, Text("Data"), kAge}, ConfigMap}},
      {"/Secret", {{kName, Text("Type"), Text("Data"), kAge}, Secret}},
      {"/ServiceAccount", {{kName, kAge}, NameAndAge}},
      {"/PersistentVolume",
       {{kName, Text("Capacity"), Text("Access Modes"), Text("Reclaim Policy"), Text("Status"),
         Text("Claim"), Text("StorageClass"), Text("VolumeAttributesClass"), Text("Reason"), kAge,
         Text("VolumeMode", 1)},
        Volume}},
      {"/PersistentVolumeClaim",
       {{kName, Text("Status"), Text("Volume"), Text("Capacity"), Text("Access Modes"),
         Text("StorageClass"), Text("VolumeAttributesClass"), kAge, Text("VolumeMode", 1)},
        Claim}},
      {"resource.k8s.io/DeviceClass", {{kName, kAge}, NameAndAge}},
      {"resource.k8s.io/ResourceClaimTemplate", {{kName, kAge}, NameAndAge}},
  };
  const auto found = kPrinters.find(key);
  return found == kPrinters.end() ? nullptr : &found->second;
}

}  // namespace berth::apiserver
