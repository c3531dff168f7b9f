// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "client/client.h"
#include "sandbox/demo/narrator.h"
#include "sandbox/simulation/discovery.h"

namespace berth::sandbox {

// AppliedObject is one applied object.
struct AppliedObject {
  std::string kind;
  std::string ns;
  std::string name;
};

// ManifestApplier works like `kubectl apply --server-side`: it applies the documents in order, at
// the path that discovery lists for their kind.
class ManifestApplier {
 public:
  // Requires: both outlive this.
  ManifestApplier(client::Client& client, Narrator& narrator)
      : client_(client), narrator_(narrator) {}

  // Applies all documents of a YAML or JSON text; objects without a namespace go to `default`.
  // Waits for a kind that is not served yet, since an earlier document may define it. Errors name
  // `source` and the object.
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
