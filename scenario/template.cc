// SPDX-License-Identifier: Apache-2.0
#include "scenario/template.h"

#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "api/scheduler_config.h"
#include "base/names.h"

namespace berth::scenario {
namespace {

using Json = nlohmann::json;

constexpr int32_t kMaxCount = 200'000;
constexpr std::string_view kZoneLabel = "topology.kubernetes.io/zone";

struct NodeFields {
  std::string name;
  std::optional<int32_t> count;
  api::StringMap labels;
  api::StringMap annotations;
  std::string zone;
  api::ResourceList allocatable;
  std::vector<api::Taint> taints;
  bool unschedulable = false;
  std::map<std::string, Quantity> images;  // size by name
  json::Raw manifest;

  static constexpr auto Fields() {
    return json::Object(
        json::Field("name", &NodeFields::name), json::Field("count", &NodeFields::count),
        json::Field("labels", &NodeFields::labels),
        json::Field("annotations", &NodeFields::annotations),
        json::Field("zone", &NodeFields::zone),
        json::Field("allocatable", &NodeFields::allocatable),
        json::Field("taints", &NodeFields::taints),
        json::Field("unschedulable", &NodeFields::unschedulable),
        json::Field("images", &NodeFields::images), json::Field("manifest", &NodeFields::manifest));
  }
};

struct PodFields {
  std::string name;
  std::string namespace_ = "default";
  std::optional<int32_t> count;
  api::StringMap labels;
  api::StringMap annotations;
  // Of the only container:
  api::ResourceList requests;
  api::ResourceList limits;
  std::string image;
  std::vector<api::ContainerPort> ports;
  // Of the spec and the status, as Kubernetes has them:
  std::vector<api::Container> containers;
  std::vector<api::Container> init_containers;
  Rare<api::ResourceList> overhead;
  Rare<api::ResourceRequirements> resources;
  Rare<api::StringMap> node_selector;
  Rare<api::Affinity> affinity;
  std::vector<api::Toleration> tolerations;
  std::vector<api::TopologySpreadConstraint> topology_spread_constraints;
  std::optional<int32_t> priority;
  std::optional<std::string> preemption_policy;
  std::string scheduler_name;
  std::string node_name;
  std::vector<api::PodSchedulingGate> scheduling_gates;
  std::string nominated_node_name;
  std::string phase;
  bool deleting = false;
  json::Raw manifest;

  static constexpr auto Fields() {
    return json::Object(
        json::Field("name", &PodFields::name), json::Field("namespace", &PodFields::namespace_),
        json::Field("count", &PodFields::count), json::Field("labels", &PodFields::labels),
        json::Field("annotations", &PodFields::annotations),
        json::Field("requests", &PodFields::requests), json::Field("limits", &PodFields::limits),
        json::Field("image", &PodFields::image), json::Field("ports", &PodFields::ports),
        json::Field("containers", &PodFields::containers),
        json::Field("initContainers", &PodFields::init_containers),
        json::Field("overhead", &PodFields::overhead),
        json::Field("resources", &PodFields::resources),
        json::Field("nodeSelector", &PodFields::node_selector),
        json::Field("affinity", &PodFields::affinity),
        json::Field("tolerations", &PodFields::tolerations),
        json::Field("topologySpreadConstraints", &PodFields::topology_spread_constraints),
        json::Field("priority", &PodFields::priority),
        json::Field("preemptionPolicy", &PodFields::preemption_policy),
        json::Field("schedulerName", &PodFields::scheduler_name),
        json::Field("nodeName", &PodFields::node_name),
        json::Field("schedulingGates", &PodFields::scheduling_gates),
        json::Field("nominatedNodeName", &PodFields::nominated_node_name),
        json::Field("phase", &PodFields::phase), json::Field("deleting", &PodFields::deleting),
        json::Field("manifest", &PodFields::manifest));
  }

  bool HasOnlyContainer() const {
    return !requests.empty() || !limits.empty() || !image.empty() || !ports.empty();
  }
};

// Substitute puts `i` where the text says $(i), and the remainder where it says $(i%N).
std::string Substitute(std::string_view text, int32_t i) {
  constexpr std::string_view kOpen = "$(i";
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t open = text.find(kOpen, at);
    const size_t close = open == text.npos ? text.npos : text.find(')', open);
    if (close == text.npos) return out.append(text.substr(at));
    const std::string_view rest = text.substr(open + kOpen.size(), close - open - kOpen.size());
    int32_t divisor = 0;
    const bool has_divisor =
        rest.size() > 1 && rest[0] == '%' &&
        std::from_chars(rest.data() + 1, rest.data() + rest.size(), divisor).ptr ==
            rest.data() + rest.size() &&
        divisor > 0;
    out.append(text.substr(at, open - at));
    if (rest.empty() || has_divisor) {
      out.append(std::to_string(has_divisor ? i % divisor : i));
    } else {
      out.append(text.substr(open, close + 1 - open));
    }
    at = close + 1;
  }
  return out;
}

// NameIn is where the name of the object stands: at the top, or in the manifest's metadata.
Json& NameIn(Json& written) {
  return written.contains("name") || !written.contains("manifest")
             ? written["name"]
             : written["manifest"]["metadata"]["name"];
}

std::string NamespaceIn(const Json& written) {
  const Json& holder = written.contains("manifest")
                           ? written["manifest"].value("metadata", Json::object())
                           : written;
  return holder.value("namespace", "default");
}

template <class Fields>
Result<Fields> Read(const Json& written) {
  return json::Decode<Fields>(written.dump(), json::Mode::kStrict);
}

Result<void> CheckManifest(const Json& written) {
  if (!written.contains("manifest")) return {};
  for (const auto& [field, value] : written.items()) {
    if (field == "manifest" || field == "name" || field == "count") continue;
    return ConfigError(field +
                       ": stands beside manifest, which is the whole object; write it there");
  }
  if (!written["manifest"].is_object()) return ConfigError("manifest: expected an object");
  return {};
}

// Check gives the name and the count of what was written.
template <class Fields>
Result<std::optional<int32_t>> Check(Json& written) {
  BERTH_TRY(const Fields fields, Read<Fields>(written));
  BERTH_TRY_VOID(CheckManifest(written));
  const Json& name = NameIn(written);
  if (!name.is_string() || name.get_ref<const std::string&>().empty()) {
    return ConfigError("name: is missing");
  }
  if (fields.count && (*fields.count < 0 || *fields.count > kMaxCount)) {
    return ConfigError("count: " + std::to_string(*fields.count) + " is out of range [0, " +
                       std::to_string(kMaxCount) + "]");
  }
  return fields.count;
}

Template MakeTemplate(Kind kind, Json written) {
  const std::string name = NameIn(written).get<std::string>();
  return {kind == Kind::kNode ? name : NamespaceIn(written) + "/" + name, written.dump()};
}

template <class T>
Result<T> FromManifest(const json::Raw& manifest, const std::string& name) {
  auto object = json::Decode<T>(manifest.text, json::Mode::kLenient);
  if (!object) return Fail(object.error().With("manifest"));
  if (!name.empty()) object->metadata.name = name;
  return object;
}

api::Container OnlyContainer(PodFields& fields) {
  api::Container container;
  container.name = "main";
  container.image = std::move(fields.image);
  container.resources.requests = std::move(fields.requests);
  container.resources.limits = std::move(fields.limits);
  container.ports = std::move(fields.ports);
  for (api::ContainerPort& port : container.ports) {
    if (port.container_port == 0) port.container_port = port.host_port;
  }
  return container;
}

api::Pod PodOf(PodFields fields) {
  api::Pod pod;
  pod.metadata.name = std::move(fields.name);
  pod.metadata.namespace_ = std::move(fields.namespace_);
  pod.metadata.labels = std::move(fields.labels);
  pod.metadata.annotations = std::move(fields.annotations);
  api::PodSpec& spec = pod.spec;
  if (fields.containers.empty()) {
    spec.containers.push_back(OnlyContainer(fields));
  } else {
    spec.containers = std::move(fields.containers);
  }
  spec.init_containers = std::move(fields.init_containers);
  spec.overhead = std::move(fields.overhead);
  spec.resources = std::move(fields.resources);
  spec.node_selector = std::move(fields.node_selector);
  spec.affinity = std::move(fields.affinity);
  spec.tolerations = std::move(fields.tolerations);
  spec.topology_spread_constraints = std::move(fields.topology_spread_constraints);
  spec.priority = fields.priority;
  spec.preemption_policy = std::move(fields.preemption_policy);
  spec.scheduler_name = std::move(fields.scheduler_name);
  spec.node_name = std::move(fields.node_name);
  spec.scheduling_gates = std::move(fields.scheduling_gates);
  pod.status.nominated_node_name = std::move(fields.nominated_node_name);
  pod.status.phase = std::move(fields.phase);
  return pod;
}

}  // namespace

Result<std::vector<Template>> Expand(Kind kind, const json::Raw& written) {
  Json object = Json::parse(written.text, nullptr, false);
  if (!object.is_object()) return ConfigError("expected an object with a name");
  // What stands for several objects is checked as the first of them.
  Json checked = object.contains("count") ? Json::parse(Substitute(written.text, 0)) : object;
  BERTH_TRY(const auto count,
            kind == Kind::kNode ? Check<NodeFields>(checked) : Check<PodFields>(checked));
  std::vector<Template> templates;
  if (!count) {
    templates.push_back(MakeTemplate(kind, std::move(object)));
    return templates;
  }
  object.erase("count");
  const std::string text = object.dump();
  const auto name = NameIn(object).get<std::string>();
  for (int32_t i = 0; i < *count; ++i) {
    Json one = Json::parse(Substitute(text, i));
    Json& own_name = NameIn(one);
    if (own_name == name) own_name = name + "-" + std::to_string(i);
    templates.push_back(MakeTemplate(kind, std::move(one)));
  }
  return templates;
}

Result<Template> Merge(Kind kind, const Template& current, const Template& patch) {
  Json merged = Json::parse(current.json);
  merged.merge_patch(Json::parse(patch.json));
  BERTH_TRY_VOID(kind == Kind::kNode ? Check<NodeFields>(merged) : Check<PodFields>(merged));
  return Template{current.key, merged.dump()};
}

Result<api::Node> MakeNode(const Template& written) {
  BERTH_TRY(NodeFields fields, json::Decode<NodeFields>(written.json, json::Mode::kStrict));
  if (!fields.manifest.text.empty()) return FromManifest<api::Node>(fields.manifest, fields.name);
  api::Node node;
  node.metadata.name = std::move(fields.name);
  node.metadata.labels = std::move(fields.labels);
  node.metadata.annotations = std::move(fields.annotations);
  if (!fields.zone.empty()) node.metadata.labels[std::string(kZoneLabel)] = fields.zone;
  node.spec.taints = std::move(fields.taints);
  node.spec.unschedulable = fields.unschedulable;
  node.status.allocatable = std::move(fields.allocatable);
  node.status.allocatable.emplace("pods", Quantity::FromValue(110));
  node.status.capacity = node.status.allocatable;
  for (const auto& [name, size] : fields.images) {
    node.status.images.push_back({.names = {name}, .size_bytes = size.Value()});
  }
  return node;
}

Result<api::Pod> MakePod(const Template& written, Time now) {
  BERTH_TRY(PodFields fields, json::Decode<PodFields>(written.json, json::Mode::kStrict));
  const bool deleting = fields.deleting;
  api::Pod pod;
  if (!fields.manifest.text.empty()) {
    BERTH_TRY(pod, FromManifest<api::Pod>(fields.manifest, fields.name));
    if (pod.metadata.namespace_.empty()) pod.metadata.namespace_ = "default";
  } else {
    if (!fields.containers.empty() && fields.HasOnlyContainer()) {
      return ConfigError(
          "containers: requests, limits, image and ports stand for a container of "
          "their own; write them in the list");
    }
    pod = PodOf(std::move(fields));
  }
  if (deleting) pod.metadata.deletion_timestamp = now;
  if (pod.spec.scheduler_name.empty()) pod.spec.scheduler_name = api::kDefaultSchedulerName;
  return pod;
}

std::string PodKey(std::string_view name) {
  return name.find('/') == name.npos ? "default/" + std::string(name) : std::string(name);
}

std::string ShortKey(std::string_view key) {
  constexpr std::string_view kDefault = "default/";
  return std::string(key.starts_with(kDefault) ? key.substr(kDefault.size()) : key);
}

void Identities::Give(Kind kind, api::ObjectMeta& metadata, Time now) {
  const std::string key = (kind == Kind::kNode ? "node " : "pod ") + KeyOf(metadata);
  const int64_t incarnation = ++made_[key];
  if (metadata.uid.empty()) {
    metadata.uid = HashHex(std::to_string(seed_) + " " + key + " " + std::to_string(incarnation));
  }
  if (metadata.creation_timestamp.IsZero()) metadata.creation_timestamp = now;
  metadata.resource_version = NextVersion();
  metadata.generation = 1;
}

}  // namespace berth::scenario
