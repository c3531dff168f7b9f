// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "crds/manifest.h"
#include "crds/names.h"

namespace berth::operator_ {

// The component that the operator's own objects are labelled as.
inline constexpr std::string_view kOperatorComponent = "operator";

// OperatorMeta names and labels a namespaced object of the operator's own.
inline api::ObjectMeta OperatorMeta() {
  api::ObjectMeta meta = crds::InstalledMeta(crds::kOperatorName, kOperatorComponent);
  meta.namespace_ = crds::kDefaultNamespace;
  return meta;
}

}  // namespace berth::operator_
