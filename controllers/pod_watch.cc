// SPDX-License-Identifier: Apache-2.0
#include "controllers/pod_watch.h"

#include <utility>

#include "controllers/kind_watch.h"

namespace berth::controllers {
namespace {

bool IsNews(const api::Change<SchedulerPod>& change) {
  if (change.type != api::ChangeType::kModified) return true;
  return change.before->status != change.after->status ||
         change.before->metadata.deletion_timestamp != change.after->metadata.deletion_timestamp;
}

}  // namespace

PodWatch::PodWatch(client::Client& client, const std::string& ns, const Clock& clock,
                   Listener listener)
    : informer_(client, OursIn(ns), clock) {
  informer_.Listen([listener = std::move(listener)](const api::Change<SchedulerPod>& change) {
    const std::string profile = ProfileOf(change.newest().metadata);
    if (!profile.empty() && IsNews(change)) listener(profile);
  });
}

std::vector<std::shared_ptr<const SchedulerPod>> PodWatch::PodsOf(
    const std::string& profile) const {
  std::vector<std::shared_ptr<const SchedulerPod>> pods;
  for (auto& pod : informer_.store().List()) {
    if (ProfileOf(pod->metadata) == profile) pods.push_back(std::move(pod));
  }
  return pods;
}

}  // namespace berth::controllers
