// SPDX-License-Identifier: Apache-2.0
#include "bench/wire/load.h"

#include <poll.h>

#include <algorithm>
#include <utility>

namespace berth::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kAnswerLimit{60};

std::chrono::duration<double> Quantile(std::vector<Clock::duration>& times, double share) {
  if (times.empty()) return {};
  const auto at = times.begin() + static_cast<long>(share * static_cast<double>(times.size() - 1));
  std::nth_element(times.begin(), at, times.end());
  return *at;
}

}  // namespace

std::vector<size_t> Ready(const std::vector<HttpConnection>& connections,
                          std::chrono::milliseconds limit) {
  std::vector<pollfd> polled;
  polled.reserve(connections.size());
  std::vector<size_t> ready;
  for (const HttpConnection& connection : connections) {
    if (connection.has_pending()) limit = {};
    polled.push_back({.fd = connection.descriptor(), .events = POLLIN, .revents = 0});
  }
  poll(polled.data(), polled.size(), static_cast<int>(limit.count()));
  for (size_t i = 0; i < connections.size(); ++i) {
    if (polled[i].revents != 0 || connections[i].has_pending()) ready.push_back(i);
  }
  return ready;
}

Result<Load> Load::Connect(size_t connections, const HttpConnection::Options& options) {
  std::vector<HttpConnection> made;
  for (size_t i = 0; i < connections; ++i) {
    BERTH_TRY(HttpConnection connection, HttpConnection::Connect(options));
    made.push_back(std::move(connection));
  }
  return Load(std::move(made));
}

Result<LoadResult> Load::Run(size_t count, int code, const Make& make) {
  WireRequest request;
  std::vector<Clock::time_point> sent(connections_.size());
  std::vector<Clock::duration> times;
  times.reserve(count);
  size_t next = 0;
  const auto send = [&](size_t i) -> Result<void> {
    if (next == count) return {};
    make(next++, request);
    sent[i] = Clock::now();
    return connections_[i].Send(request);
  };
  const Clock::time_point begin = Clock::now();
  for (size_t i = 0; i < connections_.size(); ++i) BERTH_TRY_VOID(send(i));
  while (times.size() < count) {
    const std::vector<size_t> ready = Ready(connections_, kAnswerLimit);
    if (ready.empty()) return Fail(Reason::kTimeout, "the server does not respond");
    for (const size_t i : ready) {
      BERTH_TRY(const std::optional<WireAnswer> answer, connections_[i].Poll());
      if (!answer) continue;
      if (answer->code != code) {
        return Fail(Reason::kUnknown,
                    "answered " + std::to_string(answer->code) + ": " + answer->body);
      }
      times.push_back(Clock::now() - sent[i]);
      BERTH_TRY_VOID(send(i));
    }
  }
  return LoadResult{.requests = count,
                    .took = Clock::now() - begin,
                    .median = Quantile(times, 0.5),
                    .p99 = Quantile(times, 0.99)};
}

}  // namespace berth::bench
