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

// ClientPort is the WritePort of the real API server. It does not wait for Retry-After, since the
// calling worker serves other profiles too; the error carries the delay for the requeue. Thread
// safe.
class ClientPort final : public WritePort {
 public:
  // `may_write` is called before each write. It returns false when this process may have lost
  // leadership; the write then fails with kCanceled. Requires: client and recorder outlive this.
  ClientPort(client::Client& client, client::EventRecorder& recorder,
             std::function<bool()> may_write)
      : client_(client), recorder_(recorder), may_write_(std::move(may_write)) {}

  Result<AnyObject> Get(const ObjectKey& key) override;
  Result<bool> IsLive(const api::ObjectMeta& profile) override;
  Result<AnyObject> Create(const RenderedObject& object) override;
  Result<AnyObject> Apply(const RenderedObject& object, const std::string& uid) override;
  Result<AnyObject> RemoveFields(const ObjectKey& key, const std::string& merge_patch) override;
  Result<void> Delete(const ObjectKey& key, const std::string& uid) override;
  Result<std::string> RivalOf(const ObjectKey& key, const std::string& path) override;
  Result<Mutators> RegisteredMutators() override;
  Result<void> PatchStatus(const api::ObjectMeta& profile, std::string_view merge_patch) override;
  // Patches the status of an object of any kind with a status subresource.
  Result<void> PatchStatus(const api::ResourceInfo& resource, const api::ObjectMeta& object,
                           std::string_view merge_patch);
  void Record(const api::ObjectReference& regarding, const PlannedEvent& event) override;
  Result<std::vector<api::ObjectReference>> PendingPods(const std::string& scheduler_name) override;

 private:
  Result<void> Fence() const;
  Result<std::string> Call(client::ApiRequest request);
  Result<AnyObject> Send(const ObjectKey& key, const AnyObject& applied);
  template <class T>
  Result<std::vector<std::shared_ptr<const T>>> ListIfServed();

  client::Client& client_;
  client::EventRecorder& recorder_;
  const std::function<bool()> may_write_;
};

// Decodes a server's answer, an object of a rendered kind. Errors: the text is not such an object.
Result<AnyObject> ReadObject(const api::ResourceInfo& resource, std::string_view text);

}  // namespace berth::controllers
