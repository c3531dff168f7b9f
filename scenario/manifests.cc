// SPDX-License-Identifier: Apache-2.0
#include "scenario/manifests.h"

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

Result<ObjectKind> KindNamed(std::string_view name) {
  std::vector<std::string> known;
  for (size_t i = 0; i < scheduler::kObjectKindCount; ++i) {
    if (ResourceAt(i).kind == name) return static_cast<ObjectKind>(i);
    known.emplace_back(ResourceAt(i).kind);
  }
  return ConfigError("kind: unknown kind \"" + std::string(name) +
                     "\"; allowed: " + Join(known, ", "));
}

Result<Manifest> ReadManifest(const json::Raw& written) {
  BERTH_TRY(const api::ObjectHeader header, json::Decode<api::ObjectHeader>(written.text));
  BERTH_TRY(const ObjectKind kind, KindNamed(header.kind));
  if (header.metadata.name.empty()) return ConfigError("metadata.name: is missing");
  return Manifest{kind, ManifestKey(header.kind + "/" + KeyOf(header.metadata)), written.text};
}

// Delivers an object with its identity to the core; Untell delivers its deletion.
template <class T>
Result<void> Deliver(const Manifest& written, const api::ObjectMeta& identity, std::string version,
                     Scheduler& core) {
  auto object = json::Decode<T>(written.json, json::Mode::kLenient);
  if (!object) return Fail(object.error().With(written.key));
  api::ObjectMeta& metadata = object->metadata;
  metadata.uid = identity.uid;
  metadata.creation_timestamp = identity.creation_timestamp;
  metadata.resource_version = std::move(version);
  if (T::kResource.namespaced && metadata.namespace_.empty()) {
    metadata.namespace_ = kDefaultNamespace;
  }
  core.On(api::Added(std::make_shared<const T>(std::move(*object))));
  return {};
}

template <class T>
void DeliverDelete(const std::string& uid, Scheduler& core) {
  core.On(api::Deleted<T>(uid));
}

constexpr auto kTell = scheduler::ByObjectKind([]<class T>() { return &Deliver<T>; });
constexpr auto kUntell = scheduler::ByObjectKind([]<class T>() { return &DeliverDelete<T>; });

}  // namespace

std::string ManifestKey(std::string_view name) {
  const std::vector<std::string_view> parts = Split(name, '/');
  const auto kind = KindNamed(parts.front());
  const bool lacks_namespace = parts.size() == 2 && kind && scheduler::ResourceOf(*kind).namespaced;
  if (!lacks_namespace) return std::string(name);
  return Join(std::vector<std::string_view>{parts[0], kDefaultNamespace, parts[1]}, "/");
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
  Record record{written.kind, {.name = written.key}};
  identities_.Give("object", record.identity, now);
  BERTH_TRY_VOID(kTell[static_cast<size_t>(written.kind)](written, record.identity,
                                                          record.identity.resource_version, core));
  there_.emplace(written.key, std::move(record));
  return {};
}

Result<void> Manifests::Replace(const Manifest& written, Scheduler& core) {
  const auto found = there_.find(written.key);
  if (found == there_.end()) return ConfigError("unknown object " + written.key);
  return kTell[static_cast<size_t>(written.kind)](written, found->second.identity,
                                                  identities_.NextVersion(), core);
}

Result<void> Manifests::Delete(const std::string& key, Scheduler& core) {
  const auto gone = there_.extract(key);
  if (gone.empty()) return ConfigError("unknown object " + key);
  const Record& record = gone.mapped();
  kUntell[static_cast<size_t>(record.kind)](record.identity.uid, core);
  return {};
}

}  // namespace berth::scenario
