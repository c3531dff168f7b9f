// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/meta.h"

namespace berth::api {

struct EndpointPort {
  std::string name;
  std::string protocol;
  std::optional<int32_t> port;  // absent: all ports

  bool operator==(const EndpointPort&) const = default;
  static const json::Type& JsonType();
};

// EndpointSlice lists the addresses and ports of a Service's endpoints.
struct EndpointSlice {
  static constexpr ResourceInfo kResource{.group = "discovery.k8s.io",
                                          .version = "v1",
                                          .kind = "EndpointSlice",
                                          .plural = "endpointslices",
                                          .namespaced = true};

  ObjectMeta metadata;
  std::vector<EndpointPort> ports;  // same for all endpoints

  bool operator==(const EndpointSlice&) const = default;
  static const json::Type& JsonType();
};

}  // namespace berth::api
