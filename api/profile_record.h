// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "api/meta.h"

namespace berth::api {

// ProfileRecord is the part of a SchedulerProfile that its scheduler reads: the configurations that
// the operator rendered. Anyone who may write the scheduler's ConfigMap can put another text there,
// but only the operator may write the status of a profile.
struct ProfileRecord {
  static constexpr ResourceInfo kResource{.group = "berth.dev",
                                          .version = "v1alpha1",
                                          .kind = "SchedulerProfile",
                                          .plural = "schedulerprofiles",
                                          .namespaced = false};

  struct Scheduler {
    std::string config_hash;          // ConfigHash of the newest rendered text
    std::string applied_config_hash;  // of the last rendered text that the scheduler reported

    bool operator==(const Scheduler&) const = default;
    static const json::Type& JsonType();
  };
  struct Status {
    Scheduler scheduler;

    bool operator==(const Status&) const = default;
    static const json::Type& JsonType();
  };

  ObjectMeta metadata;
  Status status;

  bool operator==(const ProfileRecord&) const = default;
  static const json::Type& JsonType();
};

}  // namespace berth::api
