// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "http/headers.h"

namespace berth::http {

// Lane keeps requests that must not wait (lease renewals) apart from the many (binds): each lane
// has its own limit of requests in flight, and what is beyond it queues in order.
enum class Lane { kNormal, kUrgent };

// TimeoutOf says what a timeout bounds: the whole exchange, waiting in the lane included, or how long
// nothing is heard. The second is for answers that may take long because they are large: each piece
// of the body restarts it.
enum class TimeoutOf { kExchange, kSilence };

struct Request {
  std::string method = "GET";
  std::string target = "/";  // path and query, percent-encoded already (http/encoding.h)
  Headers headers;
  std::string body;
  std::chrono::milliseconds timeout = std::chrono::seconds(30);
  TimeoutOf timeout_of = TimeoutOf::kExchange;
  // A longer body of the answer is an error (kRequestEntityTooLarge), told as soon as it shows.
  size_t max_body_bytes = 16 << 20;
  Lane lane = Lane::kNormal;
};

struct Response {
  int code = 0;
  Headers headers;
  std::string body;
};

}  // namespace berth::http
