// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "client/client.h"
#include "sandbox/demo/narrator.h"
#include "sandbox/simulation/discovery.h"

namespace berth::sandbox {

// AppliedObject is one object that was applied.
struct AppliedObject {
  std::string kind;
  std::string ns;
  std::string name;
};

// ManifestApplier does what `kubectl apply --server-side` does: each document in its order, under
// the path that discovery names for its kind.
class ManifestApplier {
 public:
  // Requires: both outlive this.
  ManifestApplier(client::Client& client, Narrator& narrator)
      : client_(client), narrator_(narrator) {}

  // Apply applies all documents of a YAML or JSON text; objects without a namespace go to
  // `default`. A kind that is not served yet is waited for, since its definition may be one
  // document earlier. Errors name `source` and the object.
  Result<std::vector<AppliedObject>> Apply(std::string_view text, const std::string& source);

 private:
  Result<AppliedObject> ApplyOne(const std::string& json);
  Result<simulation::ServedResourcePtr> ResourceOf(const std::string& api_version,
                                                   const std::string& kind);

  client::Client& client_;
  Narrator& narrator_;
  std::vector<simulation::ServedResourcePtr> served_;
};

}  // namespace berth::sandbox
