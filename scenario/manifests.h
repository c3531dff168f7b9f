// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json/type.h"
#include "scenario/objects.h"
#include "scheduler/model/object_kind.h"

namespace berth::scheduler {
class Scheduler;
}

namespace berth::scenario {

// Manifest is a whole Kubernetes object that plugins read, other than a pod or a node.
struct Manifest {
  scheduler::ObjectKind kind;
  std::string key;  // "Namespace/red", "Service/default/web"
  std::string json;
};

// Validates the objects of a scenario. Errors (kConfig) name the field path and the value found.
Result<std::vector<Manifest>> ReadManifests(const std::vector<json::Raw>& written,
                                            std::string_view path);
// Returns the key of an object with a name like "Service/web". Objects of namespaced kinds are in
// the namespace default unless the name has another one.
std::string ManifestKey(std::string_view name);

// Manifests stores the other objects of an ApiServer and delivers them to the core. Errors
// (kConfig): the object exists already, or does not exist.
class Manifests {
 public:
  // Requires: `identities` outlives this.
  explicit Manifests(Identities& identities) : identities_(identities) {}

  Result<void> Create(const Manifest& written, Time now, scheduler::Scheduler& core);
  // Replaces the whole stored object.
  Result<void> Replace(const Manifest& written, scheduler::Scheduler& core);
  Result<void> Delete(const std::string& key, scheduler::Scheduler& core);

 private:
  struct Record {
    scheduler::ObjectKind kind;
    api::ObjectMeta identity;  // uid and creation
  };

  Identities& identities_;
  std::map<std::string, Record> there_;  // by key
};

}  // namespace berth::scenario
