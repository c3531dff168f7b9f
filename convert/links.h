// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "convert/source.h"
#include "convert/workload.h"

// References between the documents of a source: a flag or a field names a file or a ConfigMap.
namespace berth::convert {

struct Link {
  const ConfigText* config = nullptr;
  std::string remark;   // how it was found, if the source does not define it
  std::string problem;  // why there is none
};

// Reference is a path in a flag or a field.
struct Reference {
  std::string path;
  std::string_view kind;               // of the wanted configuration
  const Workload* workload = nullptr;  // whose container has the path; nullptr: unknown
  const ConfigText* beside = nullptr;  // the file with the reference, if it is one
};

// Finds the file at a path. The volume mounts of the workload define it; without such a mount it is
// the file of the same name in the ConfigMap of the referring file, else the only file of that
// name, else the only one of that kind.
Link FindFile(const Source& source, const Reference& reference);

// kPolicyKey is the key that kube-scheduler reads in a Policy's ConfigMap. Source: kube-scheduler
// pkg/scheduler/apis/config/types.go, SchedulerPolicyConfigMapKey, at v1.18.
inline constexpr std::string_view kPolicyKey = "policy.cfg";

// Finds the Policy in a ConfigMap: at kPolicyKey, else the only one in it, else the only Policy of
// the source that is in no ConfigMap.
Link FindPolicyMap(const Source& source, const ObjectName& name);

}  // namespace berth::convert
