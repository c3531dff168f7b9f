// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "http/headers.h"

namespace berth::http {

// Lane separates urgent requests (lease renewals) from the many normal ones (binds). Each lane has
// its own limit of requests in flight and queues further requests in order.
enum class Lane { kNormal, kUrgent };

// TimeoutOf selects what a timeout bounds: the whole exchange, including the wait in the lane, or
// the silence of the server. Silence is for large responses: each piece of the body restarts the
// timeout.
enum class TimeoutOf { kExchange, kSilence };

struct Request {
  std::string method = "GET";
  std::string target = "/";  // path and query, percent-encoded already (http/encoding.h)
  Headers headers;
  std::string body;
  std::chrono::milliseconds timeout = std::chrono::seconds(30);
  TimeoutOf timeout_of = TimeoutOf::kExchange;
  // A longer response body is an error (kRequestEntityTooLarge), reported as soon as the limit is
  // exceeded.
  size_t max_body_bytes = 16 << 20;
  Lane lane = Lane::kNormal;
};

struct Response {
  int code = 0;
  Headers headers;
  std::string body;
};

}  // namespace berth::http
