// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/field.h"

// What a Service is checked for. Source: ValidateService of pkg/apis/core/validation; as of a
// cluster that has IPv4 addresses only. Not checked: source ranges, topology annotations.
namespace berth::apiserver {

void ValidateService(const nlohmann::json& object, Problems& problems);
void ValidateServiceUpdate(const nlohmann::json& object, const nlohmann::json& old,
                           Problems& problems);

}  // namespace berth::apiserver
