// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/admission/admission.h"

namespace berth::apiserver {

// PolicyCache holds the compiled ValidatingAdmissionPolicies and their bindings, and evaluates the
// ones that match a request. It reloads them after a change. Source: apiserver
// pkg/admission/plugin/policy/validating.
//
// Thread: the store's.
class PolicyCache {
 public:
  PolicyCache();
  ~PolicyCache();

  // Evaluates all matching policies. The first denial becomes the rejection. Bindings with
  // validationActions Warn add to the warnings of the request.
  Answer<void> Check(State& state, const AdmissionRequest& request, const nlohmann::json* object);

  void Forget() { fresh_ = false; }

 private:
  struct Policy;
  struct Binding;
  class Question;

  void Refresh(State& state);

  bool fresh_ = false;
  std::vector<std::unique_ptr<Policy>> policies_;
};

}  // namespace berth::apiserver
