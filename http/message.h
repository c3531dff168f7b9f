// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "http/headers.h"

namespace berth::http {

// Lane keeps requests that must not wait (lease renewals) apart from the many (binds): each lane
// has its own limit of requests in flight, and what is beyond it queues in order.
enum class Lane { kNormal, kUrgent };

struct Request {
  std::string method = "GET";
  std::string target = "/";  // path and query, percent-encoded already (http/encoding.h)
  Headers headers;
  std::string body;
  // Of the whole exchange, waiting in the lane included.
  std::chrono::milliseconds timeout = std::chrono::seconds(30);
  Lane lane = Lane::kNormal;
};

struct Response {
  int code = 0;
  Headers headers;
  std::string body;
};

}  // namespace berth::http
