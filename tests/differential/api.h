// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/error.h"
#include "tests/differential/scenario.h"
#include "tests/integration/harness/api_access.h"

namespace berth::differential {

// Api is the admin's access to the objects of one cluster. A request that the API server rejects is
// an error.
class Api {
 public:
  // Requires: `access` outlives this.
  explicit Api(const integration::ApiAccess& access) : access_(access) {}

  // Executes an operation and returns the resulting object; null if it is gone. Unknown fields are
  // rejected.
  Result<Json> Do(const Operation& operation) const;

  // Get returns an object, or null if it does not exist. List lists all namespaces if `ns` is
  // empty.
  Result<Json> Get(const ObjectName& name) const;
  Result<Json> List(const std::string& kind, const std::string& ns = "",
                    const std::string& query = "") const;

  // Deletes without a grace period; a missing object is not an error.
  Result<void> Remove(const ObjectName& name) const;
  // Deletes all objects of a kind, in one namespace or in the cluster.
  Result<void> RemoveAll(const std::string& kind, const std::string& ns) const;
  // Deletes a namespace at once, unlike a controller; objects left in it become unreachable.
  Result<void> RemoveNamespace(const std::string& name) const;

 private:
  Result<Json> Send(const std::string& method, const std::string& path,
                    const Json& body = {}) const;

  const integration::ApiAccess& access_;
};

}  // namespace berth::differential
