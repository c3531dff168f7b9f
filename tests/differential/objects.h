// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tests/differential/scenario.h"

namespace berth::differential {

// What objects of a scenario are unless they say otherwise.
struct Defaults {
  std::string ns;
  std::string scheduler_name;
};

// CreateNodes and CreatePods give the objects that a scenario's short form stands for: fields of
// metadata, of the only container and of the status by their names, everything else is of the spec.
// With `count` they are several, with their number for $(i). `claims` of a pod are volumes of their
// names. CreateObject takes a whole object.
// Errors (kConfig) say what is missing.
Result<std::vector<Operation>> CreateNodes(const Json& written);
Result<std::vector<Operation>> CreatePods(const Json& written, const Defaults& defaults);
Result<Operation> CreateObject(const Json& written, const Defaults& defaults);

// PodNamed, NodeNamed and ObjectNamed find what a scenario calls "web" or "other/web", and
// "Service/web" or "Service/other/web".
ObjectName PodNamed(const std::string& name, const Defaults& defaults);
ObjectName NodeNamed(const std::string& name);
Result<ObjectName> ObjectNamed(const std::string& name, const Defaults& defaults);

}  // namespace berth::differential
