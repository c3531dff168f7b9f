// SPDX-License-Identifier: Apache-2.0
#include "scheduler/queue/nominator.h"

#include <algorithm>

namespace berth::scheduler {

void Nominator::Nominate(std::shared_ptr<const PendingPod> pod, std::string node) {
  Delete(pod->uid());
  if (node.empty()) return;
  nodes_.emplace(pod->uid(), node);
  pods_[std::move(node)].push_back(std::move(pod));
}

void Nominator::Update(const PendingPod& old_pod, std::shared_ptr<const PendingPod> new_pod) {
  std::string node = new_pod->nominated_node_name();
  if (node.empty() && old_pod.nominated_node_name().empty()) node = NodeOf(new_pod->uid());
  Nominate(std::move(new_pod), std::move(node));
}

void Nominator::Delete(const std::string& uid) {
  const auto found = nodes_.find(uid);
  if (found == nodes_.end()) return;
  const auto pods = pods_.find(found->second);
  std::erase_if(pods->second, [&](const auto& pod) { return pod->uid() == uid; });
  if (pods->second.empty()) pods_.erase(pods);
  nodes_.erase(found);
}

const Nominator::Pods& Nominator::On(const std::string& node) const {
  static const Pods kNone;
  const auto found = pods_.find(node);
  return found == pods_.end() ? kNone : found->second;
}

void Nominator::ForEach(const std::function<void(const std::string&, const Pods&)>& visit) const {
  for (const auto& [node, pods] : pods_) visit(node, pods);
}

std::string Nominator::NodeOf(const std::string& uid) const {
  const auto found = nodes_.find(uid);
  return found == nodes_.end() ? std::string() : found->second;
}

}  // namespace berth::scheduler
