// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "api/apps.h"
#include "api/core.h"

namespace berth::operator_ {

// Returns the namespace berth-system, which admits only restricted pods.
api::Namespace OperatorNamespace();

api::ServiceAccount OperatorServiceAccount();

// Returns the Deployment that runs `berth operator` from `image`, built for `architecture`.
api::Deployment OperatorDeployment(const std::string& image, const std::string& architecture);

}  // namespace berth::operator_
