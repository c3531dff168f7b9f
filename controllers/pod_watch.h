// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "client/informer.h"
#include "controllers/scheduler_pod.h"

namespace berth::controllers {

// PodWatch watches the scheduler pods of a namespace: their status explains why a scheduler does
// not start. The listener is called with the profile when the status of one of its pods changes.
class PodWatch {
 public:
  using Listener = std::function<void(const std::string& profile)>;

  PodWatch(client::Client& client, const std::string& ns, const Clock& clock, Listener listener);

  client::AnyInformer& informer() { return informer_; }
  const client::AnyInformer& informer() const { return informer_; }

  std::vector<std::shared_ptr<const SchedulerPod>> PodsOf(const std::string& profile) const;

 private:
  client::Informer<SchedulerPod> informer_;
};

}  // namespace berth::controllers
