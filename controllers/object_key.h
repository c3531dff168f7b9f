// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "api/meta.h"

namespace berth::controllers {

// ObjectKey names one object of the cluster. Orders by kind, namespace, name.
struct ObjectKey {
  const api::ResourceInfo* resource = nullptr;  // never nullptr in use; one of T::kResource
  std::string namespace_;                       // empty for cluster-scoped kinds
  std::string name;

  // "ConfigMap berth-system/berth-a" or "ClusterRoleBinding berth:a:base", for people.
  std::string ToString() const;

  bool operator==(const ObjectKey& other) const;
  bool operator<(const ObjectKey& other) const;
};

}  // namespace berth::controllers
