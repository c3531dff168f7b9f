// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "api/core.h"
#include "api/pod.h"
#include "base/error.h"

namespace berth::simulation {

// PodSources provides the data of a pod's volumes and variables. Errors of missing objects are
// kNotFound.
class PodSources {
 public:
  virtual ~PodSources() = default;

  virtual Result<api::StringMap> ConfigMapData(const std::string& ns, const std::string& name) = 0;
  // Returns the decoded values.
  virtual Result<api::StringMap> SecretData(const std::string& ns, const std::string& name) = 0;
  // Issues a token of the pod's ServiceAccount, bound to the pod.
  virtual Result<std::string> Token(const api::Pod& pod, const std::string& audience,
                                    int64_t expiration_seconds) = 0;
};

}  // namespace berth::simulation
