// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/admission/admission.h"

namespace berth::apiserver {

// PolicyCache holds the ValidatingAdmissionPolicies and their bindings, compiled, and asks those
// that match a request. Read again after a change. Source: apiserver
// pkg/admission/plugin/policy/validating.
//
// Thread: that of the store.
class PolicyCache {
 public:
  PolicyCache();
  ~PolicyCache();

  // Check asks all of them; the first denial is the refusal. What bindings only warn of goes to the
  // request's warnings.
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
