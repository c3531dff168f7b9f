// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/meta.h"
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
  std::string key;  // "Namespace/red", "Service/default/web"; see ManifestKey
  std::string json;
};

// Validates the objects of a scenario. Errors (kConfig) name the field path and the value found.
Result<std::vector<Manifest>> ReadManifests(const std::vector<json::Raw>& written,
                                            std::string_view path);
// Replaces the condition of that type, or adds it.
template <class Condition>
void SetCondition(std::vector<Condition>& conditions, const Condition& condition) {
  const auto known = std::find_if(conditions.begin(), conditions.end(),
                                  [&](const auto& other) { return other.type == condition.type; });
  if (known == conditions.end()) {
    conditions.push_back(condition);
  } else {
    *known = condition;
  }
}

// Returns "PodScheduled=False Unschedulable: message".
template <class Condition>
std::string TextOf(const Condition& condition) {
  return condition.type + "=" + condition.status + " " + condition.reason + ": " +
         condition.message;
}

// Returns the key of an object with a name like "Service/web". Objects of namespaced kinds are in
// the namespace default unless the name has another one. A kind may have its group:
// "PodGroup.scheduling.k8s.io/web"; it must have it if an earlier ObjectKind has the same name.
std::string ManifestKey(std::string_view name);
// Returns the key of an object with a name like "default/web".
std::string ManifestKey(scheduler::ObjectKind kind, const std::string& name);

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

  // Sets a condition of a PodGroup of scheduling.k8s.io. kNotFound: the PodGroup does not exist, or
  // has another uid.
  Result<void> SetGroupCondition(const api::ObjectReference& group, const api::Condition& condition,
                                 scheduler::Scheduler& core);
  // Returns the conditions that were set; null: the object does not exist.
  const std::vector<api::Condition>* ConditionsOf(const std::string& key) const;

 private:
  struct Record {
    Manifest written;
    api::ObjectMeta identity;                // uid, creation and version
    std::vector<api::Condition> conditions;  // those that were set
  };

  Result<void> Deliver(const Record& record, scheduler::Scheduler& core) const;

  Identities& identities_;
  std::map<std::string, Record> there_;  // by key
};

}  // namespace berth::scenario
