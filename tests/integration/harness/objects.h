// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/integration/harness/api_access.h"

namespace berth::integration {

// Returns a value by JSON pointer; null if the path does not exist.
Json At(const Json& object, const std::string& pointer);

// Returns a text by JSON pointer; empty if the path does not exist.
std::string TextAt(const Json& object, const std::string& pointer);

// Returns the status condition of that type; an empty object if it does not exist.
Json Condition(const Json& object, const std::string& type);

// Objects is a test's access to the objects of a cluster. The test fails if the API server rejects
// a request. `kind` is a kind that ApiAccess::PathOf accepts.
class Objects {
 public:
  // Requires: `api` outlives this.
  explicit Objects(const ApiAccess& api) : api_(api) {}

  void Apply(const Json& object);
  void Create(const std::string& kind, const std::string& ns, const Json& object);
  void Patch(const std::string& kind, const std::string& name, const std::string& ns,
             const Json& patch, const std::string& subresource = {});
  // The same; an object that does not exist is fine.
  void PatchIfPresent(const std::string& kind, const std::string& name, const std::string& ns,
                      const Json& patch, const std::string& subresource);
  // Deletes without waiting for the end of the object; a missing object is fine.
  void Delete(const std::string& kind, const std::string& name, const std::string& ns = {});
  // Returns an object, or null if it does not exist.
  Json Get(const std::string& kind, const std::string& name, const std::string& ns = {});
  // Lists all namespaces if `ns` is empty.
  Json List(const std::string& kind, const std::string& ns, const std::string& selector = {});

 private:
  ApiAnswer Send(const std::string& method, const std::string& path, const Json& body = {});

  const ApiAccess& api_;
};

}  // namespace berth::integration
