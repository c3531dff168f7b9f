// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

#include "base/error.h"
#include "bench/wire/http_connection.h"

namespace berth::bench {

// LoadResult is how a number of requests went.
struct LoadResult {
  size_t requests = 0;
  std::chrono::duration<double> took{0};
  std::chrono::duration<double> median{0}, p99{0};  // from sending a request to its whole answer

  double PerSecond() const { return static_cast<double>(requests) / took.count(); }
};

// Load sends requests over kept connections, the next on each as soon as its answer is there, all
// from the calling thread: a second one would take from the server what it measures.
class Load {
 public:
  // Make writes request number i; what it leaves as it is stays that of the request before.
  using Make = std::function<void(size_t i, WireRequest& request)>;

  static Result<Load> Connect(size_t connections, const HttpConnection::Options& options);

  // Run sends `count` requests. Any answer but one of `code` is an error that shows it.
  Result<LoadResult> Run(size_t count, int code, const Make& make);

 private:
  explicit Load(std::vector<HttpConnection> connections) : connections_(std::move(connections)) {}

  std::vector<HttpConnection> connections_;
};

// Ready waits until one of the connections has something to read and gives the places of those that
// have; none after `limit`.
std::vector<size_t> Ready(const std::vector<HttpConnection>& connections,
                          std::chrono::milliseconds limit);

}  // namespace berth::bench
