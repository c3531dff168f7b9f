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

// EndpointSlice says behind which ports the pods of a Service, or other endpoints, are found.
struct EndpointSlice {
  static constexpr ResourceInfo kResource{.group = "discovery.k8s.io",
                                          .version = "v1",
                                          .kind = "EndpointSlice",
                                          .plural = "endpointslices",
                                          .namespaced = true};

  ObjectMeta metadata;
  std::vector<EndpointPort> ports;  // the same of each endpoint

  bool operator==(const EndpointSlice&) const = default;
  static const json::Type& JsonType();
};

}  // namespace berth::api
