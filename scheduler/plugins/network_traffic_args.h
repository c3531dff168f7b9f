// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "api/field_error.h"
#include "api/metric_source.h"
#include "base/int_or_string.h"
#include "base/json/type.h"
#include "base/time.h"

namespace berth::scheduler {

// NetworkTrafficArgs are the arguments of NetworkTraffic.
struct NetworkTrafficArgs : api::MetricSource {
  std::string device_name = "eth0";
  IntOrString time_range{std::string("5m")};
  std::string metric = "both";
  std::string query;
  std::string node_label = "instance";
  Duration refresh_interval{std::chrono::seconds(15)};
  Duration timeout{std::chrono::seconds(5)};
  Duration max_age{std::chrono::minutes(5)};
  std::string on_missing = "neutral";

  static const json::Type& JsonType();

  std::vector<api::FieldError> Validate() const;
  // Returns warnings about accepted values that are probably unintended, such as a bare number for
  // timeRange.
  std::vector<api::FieldWarning> Warnings() const;

  // Returns timeRange as a duration, or nullopt if it is neither a duration nor a number of
  // minutes.
  std::optional<std::chrono::milliseconds> RangeLength() const;
};

}  // namespace berth::scheduler
