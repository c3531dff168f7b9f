// SPDX-License-Identifier: Apache-2.0
#include "api/container.h"

#include "base/names.h"

namespace berth::api {

bool IsExtendedResourceName(std::string_view name) {
  const bool native = name.find('/') == std::string_view::npos ||
                      name.find("kubernetes.io/") != std::string_view::npos;
  if (native || name.starts_with("requests.")) return false;
  // A quota names the resource with this prefix, which must be a name too.
  return CheckQualifiedName("requests." + std::string(name)).empty();
}

}  // namespace berth::api

BERTH_JSON_INSTANTIATE(berth::api::Container);
