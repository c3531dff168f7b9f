// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/watch_sessions.h"

#include <utility>
#include <vector>

namespace berth::apiserver {
namespace {

constexpr size_t kPauseAbove = 128 << 10;  // bytes not yet sent to the client

}  // namespace

struct WatchSessions::Session {
  std::string resource;
  std::unique_ptr<Watcher> watcher;
  std::shared_ptr<const Representation> later;
  std::shared_ptr<http::Stream> stream;
  std::chrono::milliseconds delay{0};
};

void WatchSessions::Begin(http::Responder responder, Reply reply, std::string resource,
                          std::chrono::milliseconds delay) {
  const uint64_t id = next_id_++;
  auto session = std::make_shared<Session>();
  session->resource = std::move(resource);
  session->watcher = std::move(reply.watcher);
  session->later = std::move(reply.later);
  session->delay = delay;
  session->stream = responder.Open(
      reply.response.code, std::move(reply.response.headers),
      {.drained = [this, id] { Pump(id); }, .closed = [this, id] { sessions_.erase(id); }});
  session->watcher->OnReady([this, id] { Pump(id); });
  sessions_[id] = session;
  timer_.After(reply.watch_for, [this, id] { End(id); });
  timer_.After(bookmark_period_, [this, id] { Bookmark(id); });
  Pump(id);
}

void WatchSessions::Send(Session& session, uint64_t id, Frame frame) {
  if (session.delay.count() == 0) {
    session.stream->Write(std::move(frame));
    return;
  }
  timer_.After(session.delay, [this, id, frame = std::move(frame)] {
    if (const auto found = sessions_.find(id); found != sessions_.end())
      found->second->stream->Write(frame);
  });
}

void WatchSessions::Pump(uint64_t id) {
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) return;
  const std::shared_ptr<Session> session = found->second;  // keeps the session alive
  while (session->stream->buffered() < kPauseAbove) {
    Frame frame = session->watcher->Next();
    if (frame == nullptr) break;
    Send(*session, id, std::move(frame));
    if (session->later) session->watcher->SetRepresentation(std::exchange(session->later, nullptr));
  }
  if (session->watcher->ended()) End(id);
}

void WatchSessions::Bookmark(uint64_t id) {
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) return;
  found->second->watcher->RequestBookmark();
  Pump(id);
  timer_.After(bookmark_period_, [this, id] { Bookmark(id); });
}

void WatchSessions::End(uint64_t id) {
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) return;
  const std::shared_ptr<Session> session = found->second;
  sessions_.erase(found);
  // Delayed frames still have to be sent.
  timer_.After(session->delay, [session] { session->stream->Close(); });
}

void WatchSessions::Cut(const std::string& resource) {
  std::vector<std::shared_ptr<Session>> cut;
  for (auto at = sessions_.begin(); at != sessions_.end();) {
    if (!resource.empty() && at->second->resource != resource) {
      ++at;
      continue;
    }
    cut.push_back(at->second);
    at = sessions_.erase(at);
  }
  for (const auto& session : cut) session->stream->Abort();
}

}  // namespace berth::apiserver
