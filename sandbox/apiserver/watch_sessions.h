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

// WatchSessions carries the frames of watchers to the streams of their clients: as fast as a client
// reads, with bookmarks now and then, until the time of the watch is over.
//
// Thread: that of the server.
class WatchSessions {
 public:
  WatchSessions(http::Timer& timer, std::chrono::milliseconds bookmark_period)
      : timer_(timer), bookmark_period_(bookmark_period) {}

  // Begin answers with the reply's headers and goes on from there. Each frame comes `delay` late.
  void Begin(http::Responder responder, Reply reply, std::string resource,
             std::chrono::milliseconds delay);

  // Cut breaks off those of a resource; empty: all.
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
