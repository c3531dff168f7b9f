// SPDX-License-Identifier: Apache-2.0
#include "extender/request_nodes.h"

namespace berth::extender {
namespace {

bool IsSameVersion(const api::Node& known, const api::Node& asked) {
  return !asked.metadata.resource_version.empty() &&
         known.metadata.resource_version == asked.metadata.resource_version &&
         known.metadata.uid == asked.metadata.uid;
}

}  // namespace

RequestNodes::RequestNodes(scheduler::Scheduler& core, const Nodes& nodes) : core_(core) {
  for (const auto& node : nodes) {
    const scheduler::Slot slot = core_.cache().Find(node->metadata.name);
    if (slot == scheduler::kNoSlot) {
      core_.On(api::Added(node));
      undo_.push_back(api::Deleted(node));
      continue;
    }
    const std::shared_ptr<const api::Node> known = core_.cache().At(slot).node;
    if (IsSameVersion(*known, *node)) continue;
    core_.On(api::Modified(known, node));
    undo_.push_back(api::Modified(node, known));
  }
}

RequestNodes::~RequestNodes() {
  for (const auto& change : undo_) core_.On(change);
}

}  // namespace berth::extender
