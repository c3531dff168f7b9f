// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/integration/harness/api_access.h"

namespace berth::integration {

// At reads a value by JSON pointer; null where the path does not exist.
Json At(const Json& object, const std::string& pointer);

// TextAt reads a text so; empty where there is none.
std::string TextAt(const Json& object, const std::string& pointer);

// Condition gives the status condition of that type; an empty object when there is none.
Json Condition(const Json& object, const std::string& type);

// Objects is a test's way to the objects of a cluster. The test fails when the API server refuses.
// `kind` is what ApiAccess::PathOf knows.
class Objects {
 public:
  // Requires: `api` outlives this.
  explicit Objects(const ApiAccess& api) : api_(api) {}

  void Apply(const Json& object);
  void Create(const std::string& kind, const std::string& ns, const Json& object);
  void Patch(const std::string& kind, const std::string& name, const std::string& ns,
             const Json& patch, const std::string& subresource = {});
  // Delete does not wait for the end of the object; one that is gone is fine.
  void Delete(const std::string& kind, const std::string& name, const std::string& ns = {});
  // Get gives an object, or null when there is none.
  Json Get(const std::string& kind, const std::string& name, const std::string& ns = {});
  // Of all namespaces without one.
  Json List(const std::string& kind, const std::string& ns, const std::string& selector = {});

 private:
  ApiAnswer Send(const std::string& method, const std::string& path, const Json& body = {});

  const ApiAccess& api_;
};

}  // namespace berth::integration
