// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "api/core.h"
#include "api/pod.h"
#include "base/error.h"

namespace berth::simulation {

// PodSources is where a pod's volumes and variables come from. Errors of missing objects are
// kNotFound.
class PodSources {
 public:
  virtual ~PodSources() = default;

  virtual Result<api::StringMap> ConfigMapData(const std::string& ns, const std::string& name) = 0;
  // SecretData gives the values decoded.
  virtual Result<api::StringMap> SecretData(const std::string& ns, const std::string& name) = 0;
  // Token makes a token of the pod's ServiceAccount that ends with the pod.
  virtual Result<std::string> Token(const api::Pod& pod, const std::string& audience,
                                    int64_t expiration_seconds) = 0;
};

}  // namespace berth::simulation
