// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"
#include "http/message.h"
#include "scheduler/framework/node_metric.h"

namespace berth::engine {

// PrometheusAnswer is what an instant query found out about nodes.
struct PrometheusAnswer {
  // By the value of the label, as NodeOf gives it. Of several for one name the highest counts: two
  // exporters of a node tell of the same device.
  scheduler::NodeMetric::Samples samples;
  size_t without_label = 0;  // series that do not name a node
  // Series whose value is no traffic: NaN, infinite, negative, or no number at all.
  size_t without_value = 0;
};

inline constexpr size_t kMaxSeries = 50'000;

// ReadPrometheusAnswer reads the answer to GET /api/v1/query. Errors (kUnavailable) are in words of
// the server where it has any; they may be as long, and as wild, as it likes: see OutsideText.
// Source: prometheus.io/docs, HTTP API, "Instant queries".
Result<PrometheusAnswer> ReadPrometheusAnswer(const http::Response& response,
                                              std::string_view label);

// NodeOf is the name in the value of a label: a host without its port, an IPv6 address without its
// brackets and as nodes have theirs, short and in lower case.
std::string NodeOf(std::string_view label_value);

}  // namespace berth::engine
