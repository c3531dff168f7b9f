// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <utility>

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

// RenderedObject is an object as it should be: exactly the fields we own, as canonical JSON.
struct RenderedObject {
  ObjectKey key;
  std::string json;
  std::string hash;  // of the text, which the object carries as an annotation
};

// RenderedKinds are all kinds rendered for a profile; what is watched and repaired.
std::span<const api::ResourceInfo* const> RenderedKinds();

}  // namespace berth::controllers
