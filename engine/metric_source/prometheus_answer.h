// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"
#include "http/message.h"
#include "scheduler/framework/node_metric.h"

namespace berth::engine {

// PrometheusAnswer is the result of an instant query, by node.
struct PrometheusAnswer {
  // By the label's value as returned by NodeOf. If several series have one name, the highest value
  // counts: two exporters of a node may report the same device.
  scheduler::NodeMetric::Samples samples;
  size_t without_label = 0;  // series without a node's name
  // Series with an invalid value: NaN, infinite, negative, or not a number.
  size_t without_value = 0;
};

inline constexpr size_t kMaxSeries = 50'000;

// Parses the response of GET /api/v1/query. Errors (kUnavailable) contain the server's own message
// if there is one. It is untrusted and may have any length and content: see OutsideText. Source:
// prometheus.io/docs, HTTP API, "Instant queries".
Result<PrometheusAnswer> ReadPrometheusAnswer(const http::Response& response,
                                              std::string_view label);

// Returns the node's name or address in a label value: a host without its port, an IPv6 address
// without its brackets, in its short form and in lower case as in Node objects.
std::string NodeOf(std::string_view label_value);

}  // namespace berth::engine
