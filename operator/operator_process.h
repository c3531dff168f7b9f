// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "client/client_config.h"
#include "controllers/plan.h"
#include "operator/own_image.h"

namespace berth::operator_ {

// BindAddress is a listen address in the form of controller-runtime's flags: ":8080" listens on
// every address, "127.0.0.1:8080" on one.
struct BindAddress {
  std::string address;
  uint16_t port = 0;
};

// Parses the value of a flag; returns nullopt for "0", which disables the server.
Result<std::optional<BindAddress>> ParseBindAddress(std::string_view flag, std::string_view value);

struct OperatorOptions {
  client::ClientConfig cluster;
  bool leader_elect = false;
  bool pod_groups = true;  // maintain their status
  std::optional<BindAddress> metrics;
  std::optional<BindAddress> health;
  controllers::PlanOptions plan;
  std::optional<OwnPod>
      image_of;  // set: use the image of this Pod as the default, not that of `plan`
};

// Runs the controllers until SIGTERM or SIGINT, then stops in order: no new reconcile starts,
// running ones finish, the Lease is released. Returns an error if it could not start or lost
// leadership; then the process must exit, because another operator is active.
Result<void> RunOperator(const OperatorOptions& options);

}  // namespace berth::operator_
