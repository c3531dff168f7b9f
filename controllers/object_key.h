// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "api/meta.h"

namespace berth::controllers {

// ObjectKey identifies one object in the cluster. Sorted by kind, namespace, name.
struct ObjectKey {
  const api::ResourceInfo* resource = nullptr;  // never nullptr in use; one of T::kResource
  std::string namespace_;                       // empty for cluster-scoped kinds
  std::string name;

  // For messages: "ConfigMap berth-system/berth-a" or "ClusterRoleBinding berth:a:base".
  std::string ToString() const;

  bool operator==(const ObjectKey& other) const;
  bool operator<(const ObjectKey& other) const;
};

}  // namespace berth::controllers
