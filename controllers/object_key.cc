// SPDX-License-Identifier: Apache-2.0
#include "controllers/object_key.h"

#include <tuple>

namespace berth::controllers {

std::string ObjectKey::ToString() const {
  std::string text(resource->kind);
  text += ' ';
  if (!namespace_.empty()) text += namespace_ + "/";
  return text + name;
}

bool ObjectKey::operator==(const ObjectKey& other) const {
  return resource->kind == other.resource->kind && namespace_ == other.namespace_ &&
         name == other.name;
}

bool ObjectKey::operator<(const ObjectKey& other) const {
  return std::tie(resource->kind, namespace_, name) <
         std::tie(other.resource->kind, other.namespace_, other.name);
}

}  // namespace berth::controllers
