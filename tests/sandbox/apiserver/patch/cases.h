// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/schema/schema.h"

namespace berth::apiserver {

// A case of cases/*.json: writes to one object, with what a real kube-apiserver answered to each.
struct WriteCase {
  std::string name;
  std::string type;
  nlohmann::json steps;
};

std::vector<WriteCase> LoadWriteCases();

// The kind a case's type stands for, and its schema; "Thing" is testing/thing.json.
GroupVersionKind KindOf(const std::string& type);
const Schema& SchemaOf(const std::string& type);

}  // namespace berth::apiserver
