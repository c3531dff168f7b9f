// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "api/apps.h"
#include "api/core.h"

namespace berth::operator_ {

// OperatorNamespace is berth-system, which admits restricted pods only.
api::Namespace OperatorNamespace();

api::ServiceAccount OperatorServiceAccount();

// OperatorDeployment runs `berth operator` from `image`, which is made for `architecture`.
api::Deployment OperatorDeployment(const std::string& image, const std::string& architecture);

}  // namespace berth::operator_
