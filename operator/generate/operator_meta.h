// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "crds/manifest.h"
#include "crds/names.h"

namespace berth::operator_ {

// Component label of the operator's own objects.
inline constexpr std::string_view kOperatorComponent = "operator";

// Returns name and labels of a namespaced object of the operator.
inline api::ObjectMeta OperatorMeta() {
  api::ObjectMeta meta = crds::InstalledMeta(crds::kOperatorName, kOperatorComponent);
  meta.namespace_ = crds::kDefaultNamespace;
  return meta;
}

}  // namespace berth::operator_
