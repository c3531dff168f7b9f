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

// Watchers are a number of watches of one collection, read by one thread of their own.
class Watchers {
 public:
  // Start returns when all watches stand; events after that are seen.
  static Result<std::unique_ptr<Watchers>> Start(size_t count, const WireRequest& watch,
                                                 const HttpConnection::Options& options);
  ~Watchers();

  struct Seen {
    size_t events = 0;  // of all watchers together
    size_t bytes = 0;
    std::chrono::steady_clock::time_point last;  // when the last one came
  };

  // Await waits until every watcher has seen `events` ADDED events, each of a newer version than
  // the one before it. The error says what a watcher saw instead, or that nothing came any more.
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
  std::thread thread_;  // uses all of the above but the atomics alone until it is joined
};

}  // namespace berth::bench
