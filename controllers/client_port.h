// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "client/client.h"
#include "client/event_recorder.h"
#include "controllers/port.h"

namespace berth::controllers {

// ClientPort is the WritePort of the real API server. Thread safe. It never waits for as long as the
// server asks (Retry-After): other profiles wait for the worker that calls, so the error says how
// long, and the profile is queued for then.
class ClientPort final : public WritePort {
 public:
  // `may_write` is asked before each write; false when we may not be the leader any more, and then
  // the write fails with kCanceled. Requires: client and recorder outlive this.
  ClientPort(client::Client& client, client::EventRecorder& recorder,
             std::function<bool()> may_write)
      : client_(client), recorder_(recorder), may_write_(std::move(may_write)) {}

  Result<AnyObject> Get(const ObjectKey& key) override;
  Result<AnyObject> Create(const RenderedObject& object) override;
  Result<AnyObject> Apply(const RenderedObject& object, const std::string& uid) override;
  Result<void> Delete(const ObjectKey& key, const std::string& uid) override;
  Result<std::string> RivalOf(const ObjectKey& key, const std::string& path) override;
  Result<void> PatchStatus(const api::ObjectMeta& profile, std::string_view merge_patch) override;
  // Of an object of any kind with that subresource.
  Result<void> PatchStatus(const api::ResourceInfo& resource, const api::ObjectMeta& object,
                           std::string_view merge_patch);
  void Record(const api::ObjectReference& regarding, const PlannedEvent& event) override;
  Result<std::vector<api::ObjectReference>> PendingPods(const std::string& scheduler_name) override;

 private:
  Result<void> Fence() const;
  Result<std::string> Call(client::ApiRequest request);
  Result<AnyObject> Send(const ObjectKey& key, const AnyObject& applied);

  client::Client& client_;
  client::EventRecorder& recorder_;
  const std::function<bool()> may_write_;
};

// ReadObject reads a server's answer, an object of a rendered kind. Errors: the text is none.
Result<AnyObject> ReadObject(const api::ResourceInfo& resource, std::string_view text);

}  // namespace berth::controllers
