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

// BindAddress is where a server listens, as controller-runtime's flags write it: ":8080" is every
// address, "127.0.0.1:8080" one.
struct BindAddress {
  std::string address;
  uint16_t port = 0;
};

// ParseBindAddress reads the value of a flag; "0" turns the server off and gives nothing.
Result<std::optional<BindAddress>> ParseBindAddress(std::string_view flag, std::string_view value);

struct OperatorOptions {
  client::ClientConfig cluster;
  bool leader_elect = false;
  bool pod_groups = true;  // their status is kept
  std::optional<BindAddress> metrics;
  std::optional<BindAddress> health;
  controllers::PlanOptions plan;
  std::optional<OwnPod> image_of;  // the Pod whose image is the default one, not that of `plan`
};

// RunOperator runs the controllers until SIGTERM or SIGINT, then stops in order: no new reconcile,
// the running ones to their end, the Lease given back. An error when it could not start, or when
// leadership was lost: then the process must end, since another acts in its place.
Result<void> RunOperator(const OperatorOptions& options);

}  // namespace berth::operator_
