// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/objects.h"

#include <array>
#include <utility>

#include "base/strings.h"
#include "tests/differential/written.h"

namespace berth::differential {
namespace {

constexpr const char* kImage = "registry.k8s.io/pause:3.10";

// Sets the container fields that the API server requires and no scheduler reads.
void Complete(Json& containers, const std::string& prefix) {
  for (size_t i = 0; i < containers.size(); ++i) {
    Json& container = containers[i];
    if (!container.contains("name")) container["name"] = prefix + std::to_string(i);
    if (!container.contains("image")) container["image"] = kImage;
    if (!container.contains("ports")) continue;
    for (Json& port : container["ports"]) {
      if (!port.contains("containerPort")) port["containerPort"] = port.value("hostPort", 80);
    }
  }
}

// Removes and returns the fields of a pod's only container.
Json OnlyContainer(Json& written) {
  Json container = Json::object();
  for (const char* field : {"image", "ports", "resizePolicy"}) Move(written, field, container);
  for (const char* field : {"requests", "limits"}) {
    if (Json value = Take(written, field); !value.is_null()) {
      container["resources"][field] = std::move(value);
    }
  }
  return Json::array({std::move(container)});
}

Result<Operation> CreateNode(Json written) {
  Json status = Json::object();
  if (Json given = Take(written, "status"); !given.is_null()) status = std::move(given);
  Json allocatable = Take(written, "allocatable");
  if (allocatable.is_null()) allocatable = Json::object();
  if (!allocatable.contains("pods")) allocatable["pods"] = "110";
  status["allocatable"] = status["capacity"] = allocatable;
  const Json images = Take(written, "images");
  for (const auto& [name, size] : images.items()) {
    status["images"].push_back({{"names", Json::array({name})}, {"sizeBytes", size}});
  }
  const Json zone = Take(written, "zone");
  BERTH_TRY(Json metadata, TakeMetadata(written));
  // The label that a kubelet sets; a null label removes it from the node.
  if (!metadata["labels"].contains("kubernetes.io/hostname")) {
    metadata["labels"]["kubernetes.io/hostname"] = metadata["name"];
  }
  std::erase_if(metadata["labels"].get_ref<Json::object_t&>(),
                [](const auto& label) { return label.second.is_null(); });
  if (!zone.is_null()) metadata["labels"]["topology.kubernetes.io/zone"] = zone;
  Operation operation{Operation::Verb::kCreate, NodeNamed(metadata["name"]), {}};
  operation.body = {{"apiVersion", "v1"},
                    {"kind", "Node"},
                    {"metadata", std::move(metadata)},
                    {"spec", std::move(written)},
                    {"status", std::move(status)}};
  return operation;
}

Result<Operation> CreatePod(Json written, const Defaults& defaults) {
  Json status = Take(written, "status");
  BERTH_TRY(Json metadata, TakeMetadata(written));
  if (!metadata.contains("namespace")) metadata["namespace"] = defaults.ns;
  if (!written.contains("containers")) written["containers"] = OnlyContainer(written);
  Complete(written["containers"], "main-");
  if (written.contains("initContainers")) Complete(written["initContainers"], "init-");
  const Json claims = Take(written, "claims");
  for (const Json& claim : claims) {
    written["volumes"].push_back(
        {{"name", claim}, {"persistentVolumeClaim", {{"claimName", claim}}}});
  }
  if (const Json group = Take(written, "group"); !group.is_null()) {
    written["schedulingGroup"]["podGroupName"] = group;
  }
  if (!written.contains("schedulerName")) written["schedulerName"] = defaults.scheduler_name;
  const ObjectName name{"pod", metadata["namespace"], metadata["name"]};
  Json body = {{"apiVersion", "v1"},
               {"kind", "Pod"},
               {"metadata", std::move(metadata)},
               {"spec", std::move(written)}};
  return Operation{Operation::Verb::kCreate, name, std::move(body), "", std::move(status)};
}

bool BelongsToCluster(std::string_view kind) {
  constexpr std::array kKinds = {"csidriver",        "csinode",      "namespace",       "node",
                                 "persistentvolume", "storageclass", "volumeattachment"};
  return std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end();
}

// Returns the kind of an object in ObjectName.
std::string KindOf(std::string_view written) {
  const std::string kind = ToLower(written);
  return kind == "podgroup" ? std::string(kGroupKind) : kind;
}

}  // namespace

Result<std::vector<Operation>> CreateNodes(const Json& written) {
  return CreateEach(written, CreateNode);
}

Result<std::vector<Operation>> CreatePods(const Json& written, const Defaults& defaults) {
  return CreateEach(written, [&](Json one) { return CreatePod(std::move(one), defaults); });
}

Result<Operation> CreateObject(const Json& written, const Defaults& defaults) {
  Json body = written;
  Json status = Take(body, "status");
  const Json metadata = body.value("metadata", Json::object());
  if (!body.contains("kind") || !metadata.contains("name")) {
    return ConfigError("kind and metadata.name are required");
  }
  const std::string kind = KindOf(body["kind"].get<std::string>());
  const std::string ns = BelongsToCluster(kind) ? "" : metadata.value("namespace", defaults.ns);
  return Operation{Operation::Verb::kCreate,
                   {kind, ns, metadata["name"]},
                   std::move(body),
                   "",
                   std::move(status)};
}

ObjectName PodNamed(const std::string& name, const Defaults& defaults) {
  const size_t slash = name.find('/');
  if (slash == std::string::npos) return {"pod", defaults.ns, name};
  return {"pod", name.substr(0, slash), name.substr(slash + 1)};
}

ObjectName NodeNamed(const std::string& name) { return {"node", "", name}; }

Result<ObjectName> ObjectNamed(const std::string& name, const Defaults& defaults) {
  const std::vector<std::string_view> parts = Split(name, '/');
  if (parts.size() < 2 || parts.size() > 3) {
    return ConfigError("\"" + name + "\" is neither KIND/NAME nor KIND/NAMESPACE/NAME");
  }
  const std::string kind = KindOf(parts[0]);
  if (parts.size() == 3) return ObjectName{kind, std::string(parts[1]), std::string(parts[2])};
  return ObjectName{kind, BelongsToCluster(kind) ? "" : defaults.ns, std::string(parts[1])};
}

}  // namespace berth::differential
