// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/schema/schema.h"

namespace berth::apiserver {

// A case of cases/*.json: writes to one object, each with the response of a real kube-apiserver.
struct WriteCase {
  std::string name;
  std::string type;
  nlohmann::json steps;
};

std::vector<WriteCase> LoadWriteCases();

// Return the kind for a case's type, and its schema; "Thing" is testing/thing.json.
GroupVersionKind KindOf(const std::string& type);
const Schema& SchemaOf(const std::string& type);

}  // namespace berth::apiserver
