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

// Manifest is a whole Kubernetes object of a kind that plugins read beside pods and nodes.
struct Manifest {
  scheduler::ObjectKind kind;
  std::string key;  // "Namespace/red", "Service/default/web"
  std::string json;
};

// ReadManifests checks what was written. Errors (kConfig) name the place and what was found.
Result<std::vector<Manifest>> ReadManifests(const std::vector<json::Raw>& written,
                                            std::string_view path);
// ManifestKey is the key of an object that is named as "Service/web": in the namespace default,
// where its kind has namespaces and none is given.
std::string ManifestKey(std::string_view name);

// Manifests is the objects of those kinds that an ApiServer keeps, and tells the core of. Errors
// (kConfig): the object is there already, or is not there.
class Manifests {
 public:
  // Requires: `identities` outlives this.
  explicit Manifests(Identities& identities) : identities_(identities) {}

  Result<void> Create(const Manifest& written, Time now, scheduler::Scheduler& core);
  // Replace puts the whole object in the place of the one there is.
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
