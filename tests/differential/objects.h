// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tests/differential/scenario.h"

namespace berth::differential {

// Defaults for objects of a scenario.
struct Defaults {
  std::string ns;
  std::string scheduler_name;
};

// CreateNodes and CreatePods return the objects of a scenario's short form. Fields of the metadata,
// of the only container and of the status are known by name; all other fields belong to the spec.
// `count` creates several objects and replaces $(i) with their number. `claims` of a pod become
// volumes with those names, `group` its scheduling group. CreateObject accepts a whole object. Errors (kConfig) name the missing
// field.
Result<std::vector<Operation>> CreateNodes(const Json& written);
Result<std::vector<Operation>> CreatePods(const Json& written, const Defaults& defaults);
Result<Operation> CreateObject(const Json& written, const Defaults& defaults);

// PodNamed, NodeNamed and ObjectNamed resolve scenario names: "web" or "other/web", and
// "Service/web" or "Service/other/web".
ObjectName PodNamed(const std::string& name, const Defaults& defaults);
ObjectName NodeNamed(const std::string& name);
Result<ObjectName> ObjectNamed(const std::string& name, const Defaults& defaults);

}  // namespace berth::differential
