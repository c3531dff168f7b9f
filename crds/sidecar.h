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

// Sidecar is a program beside the scheduler, in each of its pods: an extender that is asked at
// localhost. It runs under the restricted pod security standard, sees no files of the scheduler and
// has no token for the API server.
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
      "fill in image: that of the program that answers at this port";
  static constexpr std::string_view kOnePortEach =
      "containers of a pod share its ports: each sidecar needs one of its own";

  static const json::Type& JsonType();
};

// SidecarPath is where a profile says it: "spec.deployment.sidecars[name=x]".
std::string SidecarPath(const Sidecar& sidecar);

// SidecarPortsOf gives the ports at which these listen.
api::SidecarPorts SidecarPortsOf(std::span<const Sidecar> sidecars);

}  // namespace berth::crds
