// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "http/server/stream_server.h"
#include "http/timer.h"
#include "sandbox/apiserver/rest/handler.h"

namespace berth::apiserver {

// WatchSessions sends the frames of watchers to their clients: as fast as a client reads, with
// periodic bookmarks, until the watch times out.
//
// Thread: the server's.
class WatchSessions {
 public:
  WatchSessions(http::Timer& timer, std::chrono::milliseconds bookmark_period)
      : timer_(timer), bookmark_period_(bookmark_period) {}

  // Sends the reply's headers and then the frames. Each frame is delayed by `delay`.
  void Begin(http::Responder responder, Reply reply, std::string resource,
             std::chrono::milliseconds delay);

  // Terminates the watches of a resource; empty: all.
  void Cut(const std::string& resource);

 private:
  struct Session;

  void Pump(uint64_t id);
  void Send(Session& session, uint64_t id, Frame frame);
  void Bookmark(uint64_t id);
  void End(uint64_t id);

  http::Timer& timer_;
  const std::chrono::milliseconds bookmark_period_;
  std::map<uint64_t, std::shared_ptr<Session>> sessions_;
  uint64_t next_id_ = 1;
};

}  // namespace berth::apiserver
