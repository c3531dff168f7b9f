// SPDX-License-Identifier: Apache-2.0
#include "engine/write_bodies.h"

#include <string_view>

#include "api/policy.h"
#include "api/volume_annotations.h"
#include "base/json/json.h"

namespace berth::engine {

using scheduler::PodRef;

api::DeleteOptions OnlyThis(const PodRef& pod) {
  api::DeleteOptions options;
  options.preconditions.emplace().uid = pod.uid;
  return options;
}

std::string BindingBody(const PodRef& pod, const std::string& node) {
  api::Binding binding;
  binding.metadata.name = pod.name;
  binding.metadata.namespace_ = pod.namespace_;
  binding.metadata.uid = pod.uid;
  binding.target.kind = "Node";
  binding.target.name = node;
  return json::Encode(binding);
}

std::string EvictionBody(const PodRef& victim) {
  api::Eviction eviction;
  eviction.metadata.name = victim.name;
  eviction.metadata.namespace_ = victim.namespace_;
  eviction.delete_options = OnlyThis(victim);
  return json::Encode(eviction);
}

namespace {

// Begins a patch of this version of an object, with the annotation if the object has it.
std::string PatchOf(const api::ObjectMeta& metadata, std::string_view annotation) {
  std::string body = R"({"metadata":{"uid":)";
  json::AppendQuoted(metadata.uid, body);
  body += R"(,"resourceVersion":)";
  json::AppendQuoted(metadata.resource_version, body);
  const auto value = metadata.annotations.find(std::string(annotation));
  if (value != metadata.annotations.end()) {
    body += R"(,"annotations":{)";
    json::AppendQuoted(value->first, body);
    body += ':';
    json::AppendQuoted(value->second, body);
    body += '}';
  }
  return body + "}";
}

template <class T>
StatusPatch::Condition Written(const T& condition) {
  return {condition.type, json::Encode(condition)};
}

}  // namespace

std::string VolumeBody(const api::PersistentVolume& assumed) {
  return PatchOf(assumed.metadata, api::kBoundByController) + R"(,"spec":{"claimRef":)" +
         json::Encode(*assumed.spec.claim_ref) + "}}";
}

std::string ClaimBody(const api::PersistentVolumeClaim& assumed) {
  return PatchOf(assumed.metadata, api::kSelectedNode) + "}";
}

StatusPatch StatusPatch::Of(const scheduler::PodStatusPatch& patch) {
  StatusPatch written;
  if (patch.condition) written.condition = Written(*patch.condition);
  written.nominated_node_name = patch.nominated_node_name;
  return written;
}

StatusPatch StatusPatch::Of(const api::Condition& condition) {
  StatusPatch written;
  written.condition = Written(condition);
  return written;
}

bool StatusPatch::Merge(const StatusPatch& newer) {
  if (condition && newer.condition && condition->type != newer.condition->type) return false;
  if (newer.condition) condition = newer.condition;
  if (newer.nominated_node_name) nominated_node_name = newer.nominated_node_name;
  return true;
}

std::string StatusPatchBody(const std::string& uid, const StatusPatch& patch) {
  std::string body = R"({"metadata":{"uid":)";
  json::AppendQuoted(uid, body);
  body += R"(},"status":{)";
  if (patch.condition) body += R"("conditions":[)" + patch.condition->text + "]";
  if (patch.nominated_node_name) {
    if (patch.condition) body += ',';
    body += R"("nominatedNodeName":)";
    if (patch.nominated_node_name->empty()) {
      body += "null";
    } else {
      json::AppendQuoted(*patch.nominated_node_name, body);
    }
  }
  return body + "}}";
}

}  // namespace berth::engine
