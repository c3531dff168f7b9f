// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/container.h"
#include "api/outbound_address.h"
#include "base/json/json.h"

namespace berth::crds {

// Sidecar is a container beside the scheduler in each of its pods: an extender at localhost. It
// runs under the restricted Pod Security Standard, sees no files of the scheduler and has no token
// for the API server.
struct Sidecar {
  std::string name;
  std::string image;
  std::vector<std::string> command;
  std::vector<std::string> args;
  int32_t port = 0;
  std::vector<api::EnvVar> env;
  api::ResourceRequirements resources;
  bool operator==(const Sidecar&) const = default;

  static constexpr std::string_view kSchedulersName =
      "scheduler is the name of the scheduler's own container";
  static constexpr std::string_view kSchedulersPort =
      "10259 is the port of the scheduler's own health and metrics";
  static constexpr std::string_view kFillInImage =
      "fill in image: the image of the program that listens at this port";
  static constexpr std::string_view kOnePortEach =
      "containers of a pod share its ports: each sidecar needs one of its own";

  static const json::Type& JsonType();
};

// Returns the path of a sidecar in messages: "spec.deployment.sidecars[name=x]".
std::string SidecarPath(const Sidecar& sidecar);

// Returns the ports of the sidecars.
api::SidecarPorts SidecarPortsOf(std::span<const Sidecar> sidecars);

}  // namespace berth::crds
