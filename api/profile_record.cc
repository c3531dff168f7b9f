// SPDX-License-Identifier: Apache-2.0
#include "api/profile_record.h"

namespace berth::api {

const json::Type& ProfileRecord::Scheduler::JsonType() {
  static const json::Type type = json::Describe<Scheduler>(
      json::Object(json::Field("configHash", &Scheduler::config_hash),
                   json::Field("appliedConfigHash", &Scheduler::applied_config_hash)));
  return type;
}

const json::Type& ProfileRecord::Status::JsonType() {
  static const json::Type type =
      json::Describe<Status>(json::Object(json::Field("scheduler", &Status::scheduler)));
  return type;
}

const json::Type& ProfileRecord::JsonType() {
  static const json::Type type = json::Describe<ProfileRecord>(json::Object(
      json::Constant("apiVersion", "berth.dev/v1alpha1"),
      json::Constant("kind", "SchedulerProfile"), json::Field("metadata", &ProfileRecord::metadata),
      json::Field("status", &ProfileRecord::status)));
  return type;
}

}  // namespace berth::api
