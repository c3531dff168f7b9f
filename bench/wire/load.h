// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

#include "base/error.h"
#include "bench/wire/http_connection.h"

namespace berth::bench {

// LoadResult is the outcome of a number of requests.
struct LoadResult {
  size_t requests = 0;
  std::chrono::duration<double> took{0};
  // from the start of a request to the end of its response
  std::chrono::duration<double> median{0}, p99{0};

  double PerSecond() const { return static_cast<double>(requests) / took.count(); }
};

// Load sends requests over keep-alive connections. Each connection sends its next request as soon
// as it has its response. One thread, the caller's, does all this: a second thread would take CPU
// from the measured server.
class Load {
 public:
  // Make writes request number i over the previous request; unchanged fields keep their values.
  using Make = std::function<void(size_t i, WireRequest& request)>;

  static Result<Load> Connect(size_t connections, const HttpConnection::Options& options);

  // Sends `count` requests. A response with a code other than `code` is an error that shows it.
  Result<LoadResult> Run(size_t count, int code, const Make& make);

 private:
  explicit Load(std::vector<HttpConnection> connections) : connections_(std::move(connections)) {}

  std::vector<HttpConnection> connections_;
};

// Waits until at least one connection is readable and returns the indexes of the readable ones;
// none after `limit`.
std::vector<size_t> Ready(const std::vector<HttpConnection>& connections,
                          std::chrono::milliseconds limit);

}  // namespace berth::bench
