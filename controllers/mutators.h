// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/admission.h"
#include "controllers/any_object.h"

namespace berth::controllers {

// Mutators are the registered ways of admission to change an object.
struct Mutators {
  std::vector<std::shared_ptr<const api::MutatingWebhookConfiguration>> webhooks;
  std::vector<std::shared_ptr<const api::MutatingAdmissionPolicy>> policies;
};

// Returns the webhooks and policies that a write of `object` may have called, by their rules and
// objectSelector: "webhook CONFIGURATION/NAME", "policy NAME". The API server does not say which of
// them changed an object. Namespace selectors, match conditions and bindings are not evaluated, so
// the list may be too long. Pure. Source: apiserver pkg/admission/plugin/webhook/predicates/rules.
std::vector<std::string> MutatorsOf(const AnyObject& object, const Mutators& registered);

}  // namespace berth::controllers
