// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/error.h"
#include "tests/differential/scenario.h"
#include "tests/integration/harness/api_access.h"

namespace berth::differential {

// Api is admin's way to the objects of one cluster. What the API server refuses is an error.
class Api {
 public:
  // Requires: `access` outlives this.
  explicit Api(const integration::ApiAccess& access) : access_(access) {}

  // Do gives the object as it is afterwards; null when it is gone. Unknown fields are refused.
  Result<Json> Do(const Operation& operation) const;

  // Get gives an object, null when there is none; List those of all namespaces without one.
  Result<Json> Get(const ObjectName& name) const;
  Result<Json> List(const std::string& kind, const std::string& ns = "",
                    const std::string& query = "") const;

  // Remove deletes without grace; it is no error when nothing is there.
  Result<void> Remove(const ObjectName& name) const;
  // RemoveAll deletes all objects of a kind, in one namespace or of the cluster.
  Result<void> RemoveAll(const std::string& kind, const std::string& ns) const;
  // RemoveNamespace deletes one as no controller would: at once, with what is left in it out of
  // sight.
  Result<void> RemoveNamespace(const std::string& name) const;

 private:
  Result<Json> Send(const std::string& method, const std::string& path,
                    const Json& body = {}) const;

  const integration::ApiAccess& access_;
};

}  // namespace berth::differential
