// SPDX-License-Identifier: Apache-2.0
#include "scenario/manifests.h"

#include <algorithm>
#include <array>
#include <concepts>
#include <memory>
#include <utility>

#include "base/json/json.h"
#include "base/strings.h"
#include "scenario/read_step.h"
#include "scheduler/scheduler.h"

namespace berth::scenario {
namespace {

using scheduler::ObjectKind;
using scheduler::Scheduler;

constexpr std::string_view kDefaultNamespace = "default";

const api::ResourceInfo& ResourceAt(size_t i) {
  return scheduler::ResourceOf(static_cast<ObjectKind>(i));
}

// Returns the names of a kind: "PodGroup" and "PodGroup.scheduling.k8s.io".
std::array<std::string, 2> NamesOf(const api::ResourceInfo& resource) {
  const std::string kind(resource.kind);
  return {kind, resource.group.empty() ? kind : kind + "." + std::string(resource.group)};
}

// A name without a group is that of the first kind.
Result<ObjectKind> KindNamed(std::string_view name) {
  std::vector<std::string> known;
  for (size_t i = 0; i < scheduler::kObjectKindCount; ++i) {
    const auto names = NamesOf(ResourceAt(i));
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      return static_cast<ObjectKind>(i);
    }
    const bool is_new = std::find(known.begin(), known.end(), names.front()) == known.end();
    known.push_back(is_new ? names.front() : names.back());
  }
  return ConfigError("kind: unknown kind \"" + std::string(name) +
                     "\"; allowed: " + Join(known, ", "));
}

// Returns the shortest name of a kind.
std::string NameOf(ObjectKind kind) {
  const auto names = NamesOf(scheduler::ResourceOf(kind));
  return KindNamed(names.front()).value() == kind ? names.front() : names.back();
}

Result<Manifest> ReadManifest(const json::Raw& written) {
  BERTH_TRY(const api::ObjectHeader header, json::Decode<api::ObjectHeader>(written.text));
  const size_t slash = header.api_version.find('/');
  std::string name = header.kind;
  if (slash != std::string::npos) name += "." + header.api_version.substr(0, slash);
  BERTH_TRY(const ObjectKind kind, KindNamed(name));
  if (header.metadata.name.empty()) return ConfigError("metadata.name: is missing");
  return Manifest{kind, ManifestKey(NameOf(kind) + "/" + api::KeyOf(header.metadata)),
                  written.text};
}

// HasConditions holds for types whose conditions the core reads and writes.
template <class T>
concept HasConditions = requires(T object) {
  { object.status.conditions } -> std::same_as<std::vector<api::Condition>&>;
};

// Delivers an object with its identity and its conditions to the core; Untell delivers its deletion.
template <class T>
Result<void> DeliverAs(const Manifest& written, const api::ObjectMeta& identity,
                       const std::vector<api::Condition>& conditions, Scheduler& core) {
  auto object = json::Decode<T>(written.json, json::Mode::kLenient);
  if (!object) return Fail(object.error().With(written.key));
  api::ObjectMeta& metadata = object->metadata;
  metadata.uid = identity.uid;
  metadata.creation_timestamp = identity.creation_timestamp;
  metadata.resource_version = identity.resource_version;
  if (T::kResource.namespaced && metadata.namespace_.empty()) {
    metadata.namespace_ = kDefaultNamespace;
  }
  if constexpr (HasConditions<T>) {
    for (const auto& condition : conditions) SetCondition(object->status.conditions, condition);
  }
  core.On(api::Added(std::make_shared<const T>(std::move(*object))));
  return {};
}

template <class T>
void DeliverDelete(const std::string& uid, Scheduler& core) {
  core.On(api::Deleted<T>(uid));
}

constexpr auto kTell = scheduler::ByObjectKind([]<class T>() { return &DeliverAs<T>; });
constexpr auto kUntell = scheduler::ByObjectKind([]<class T>() { return &DeliverDelete<T>; });

}  // namespace

std::string ManifestKey(ObjectKind kind, const std::string& name) {
  return NameOf(kind) + "/" + name;
}

std::string ManifestKey(std::string_view name) {
  const std::vector<std::string_view> parts = Split(name, '/');
  const auto kind = KindNamed(parts.front());
  if (!kind || parts.size() == 1) return std::string(name);
  const std::string rest(name.substr(parts.front().size() + 1));
  const bool lacks_namespace = parts.size() == 2 && scheduler::ResourceOf(*kind).namespaced;
  return ManifestKey(*kind, lacks_namespace ? std::string(kDefaultNamespace) + "/" + rest : rest);
}

Result<std::vector<Manifest>> ReadManifests(const std::vector<json::Raw>& written,
                                            std::string_view path) {
  std::vector<Manifest> all;
  for (size_t i = 0; i < written.size(); ++i) {
    auto manifest = ReadManifest(written[i]);
    if (!manifest) return Fail(manifest.error().With(ItemPath(path, i)));
    all.push_back(std::move(*manifest));
  }
  return all;
}

Result<void> Manifests::Create(const Manifest& written, Time now, Scheduler& core) {
  if (there_.contains(written.key)) {
    return ConfigError(written.key + " exists already; use update");
  }
  Record record{written, {.name = written.key}, {}};
  identities_.Give("object", record.identity, now);
  BERTH_TRY_VOID(Deliver(record, core));
  there_.emplace(written.key, std::move(record));
  return {};
}

Result<void> Manifests::Deliver(const Record& record, Scheduler& core) const {
  return kTell[static_cast<size_t>(record.written.kind)](record.written, record.identity,
                                                         record.conditions, core);
}

Result<void> Manifests::Replace(const Manifest& written, Scheduler& core) {
  const auto found = there_.find(written.key);
  if (found == there_.end()) return ConfigError("unknown object " + written.key);
  Record& record = found->second;
  record.written = written;
  record.identity.resource_version = identities_.NextVersion();
  return Deliver(record, core);
}

Result<void> Manifests::SetGroupCondition(const api::ObjectReference& group,
                                          const api::Condition& condition, Scheduler& core) {
  const auto found =
      there_.find(ManifestKey(ObjectKind::kNativePodGroup, group.namespace_ + "/" + group.name));
  if (found == there_.end() || found->second.identity.uid != group.uid) {
    return Fail(Reason::kNotFound, "podgroups \"" + group.name + "\" not found");
  }
  Record& record = found->second;
  SetCondition(record.conditions, condition);
  record.identity.resource_version = identities_.NextVersion();
  return Deliver(record, core);
}

const std::vector<api::Condition>* Manifests::ConditionsOf(const std::string& key) const {
  const auto found = there_.find(key);
  return found == there_.end() ? nullptr : &found->second.conditions;
}

Result<void> Manifests::Delete(const std::string& key, Scheduler& core) {
  const auto gone = there_.extract(key);
  if (gone.empty()) return ConfigError("unknown object " + key);
  const Record& record = gone.mapped();
  kUntell[static_cast<size_t>(record.written.kind)](record.identity.uid, core);
  return {};
}

}  // namespace berth::scenario
