// SPDX-License-Identifier: Apache-2.0
#include "api/discovery.h"

namespace berth::api {

const json::Type& EndpointPort::JsonType() {
  static const json::Type type = json::Describe<EndpointPort>(json::Object(
      json::Field("name", &EndpointPort::name), json::Field("protocol", &EndpointPort::protocol),
      json::Field("port", &EndpointPort::port)));
  return type;
}

const json::Type& EndpointSlice::JsonType() {
  static const json::Type type = json::Describe<EndpointSlice>(json::Object(
      json::Constant("apiVersion", "discovery.k8s.io/v1"), json::Constant("kind", "EndpointSlice"),
      json::Field("metadata", &EndpointSlice::metadata),
      json::Field("ports", &EndpointSlice::ports)));
  return type;
}

}  // namespace berth::api
