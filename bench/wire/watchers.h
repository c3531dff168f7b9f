// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "bench/wire/http_connection.h"

namespace berth::bench {

// Watchers runs a number of watches of one collection; one thread reads them.
class Watchers {
 public:
  // Returns when all watches are established; they see every later event.
  static Result<std::unique_ptr<Watchers>> Start(size_t count, const WireRequest& watch,
                                                 const HttpConnection::Options& options);
  ~Watchers();

  struct Seen {
    size_t events = 0;  // of all watchers together
    size_t bytes = 0;
    std::chrono::steady_clock::time_point last;  // time of the last event
  };

  // Waits until every watcher has seen `events` ADDED events with increasing versions. The error
  // describes an unexpected event, or a timeout.
  Result<Seen> Await(size_t events);

 private:
  struct Watch {
    std::string unread;  // the beginning of a line
    size_t events = 0;
    uint64_t version = 0;
  };

  explicit Watchers(std::vector<HttpConnection> connections);

  void ReadAll();
  Result<void> Read(size_t i);
  static Result<void> Take(std::string_view line, Watch& watch);
  bool AllHave(size_t events) const;

  std::vector<HttpConnection> connections_;
  std::vector<Watch> watches_;
  size_t bytes_ = 0;
  std::optional<Error> error_;
  std::chrono::steady_clock::time_point last_;

  std::atomic<size_t> wanted_{0};  // 0: not known yet
  std::atomic<bool> stop_{false};
  std::thread thread_;  // uses all members above except the atomics alone until joined
};

}  // namespace berth::bench
