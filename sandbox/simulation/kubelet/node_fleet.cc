// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/kubelet/node_fleet.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/json/document.h"
#include "base/log.h"
#include "sandbox/simulation/requests.h"

namespace berth::simulation {
namespace {

constexpr int kNodeWorkers = 4;
constexpr std::chrono::seconds kLeasePeriod(10);
constexpr std::chrono::minutes kStatusPeriod(5);

// Returns 10.64.0.1 for index 0, and the following addresses.
std::string AddressOfIndex(size_t index) {
  const size_t n = index + 1;
  return "10." + std::to_string(64 + (n >> 16)) + "." + std::to_string((n >> 8) & 255) + "." +
         std::to_string(n & 255);
}

}  // namespace

NodeFleet::NodeFleet(client::Client& client, const Clock& clock)
    : client_(client),
      clock_(clock),
      loop_("Node", clock, kNodeWorkers, [this](const std::string& name) { return Beat(name); }) {}

void NodeFleet::Add(const NodeDescription& description) {
  {
    std::lock_guard lock(mutex_);
    members_[description.name] = {
        .description = description, .address = AddressOfIndex(members_.size()), .uid = ""};
  }
  loop_.Add(description.name);
}

std::optional<NodeFleet::Member> NodeFleet::Find(const std::string& name) const {
  std::lock_guard lock(mutex_);
  const auto found = members_.find(name);
  if (found == members_.end()) return std::nullopt;
  return found->second;
}

bool NodeFleet::IsOurs(const std::string& node) const { return Find(node).has_value(); }

std::string NodeFleet::AddressOf(const std::string& node) const {
  const std::optional<Member> member = Find(node);
  return member ? member->address : "";
}

size_t NodeFleet::Registered() const {
  std::lock_guard lock(mutex_);
  return static_cast<size_t>(std::count_if(members_.begin(), members_.end(), [](const auto& entry) {
    return !entry.second.uid.empty();
  }));
}

Result<RequeueAfter> NodeFleet::Beat(const std::string& name) {
  std::optional<Member> member = Find(name);
  if (!member) return RequeueAfter();
  if (member->uid.empty()) {
    BERTH_TRY_VOID(Register(*member));
  } else {
    const Result<void> renewed = RenewLease(*member);
    const bool is_gone = !renewed && renewed.error().Is(Reason::kNotFound);
    if (is_gone && !client_.Get<api::Node>("", name)) {
      log::Info("Stopped the kubelet of a deleted Node", {{"node", name}});
      std::lock_guard lock(mutex_);
      members_.erase(name);
      return RequeueAfter();
    }
    if (!renewed) return Fail(renewed.error());
  }
  if (clock_.Now() >= member->report_at) {
    BERTH_TRY_VOID(Ignored(client_.Call(client::PatchRequest(
        api::Node::kResource, "", name,
        NodeStatusPatch(member->description, member->address, member->registered, clock_.Wall()),
        {.type = client::PatchType::kStrategicMerge, .field_manager = "kubelet"}, "status"))));
    member->report_at = clock_.Now() + kStatusPeriod;
  }
  std::lock_guard lock(mutex_);
  members_[name] = std::move(*member);
  return RequeueAfter(kLeasePeriod);
}

Result<void> NodeFleet::Register(Member& member) {
  const std::string& name = member.description.name;
  Result<api::Node> node = client_.Create(NodeObjectOf(member.description, clock_.Wall()));
  if (!node && node.error().Is(Reason::kAlreadyExists)) node = client_.Get<api::Node>("", name);
  if (!node) return Fail(node.error());
  const Result<api::Lease> lease = client_.Create(LeaseOf(name, node->metadata.uid, clock_.Wall()));
  if (!lease && !lease.error().Is(Reason::kAlreadyExists)) return Fail(lease.error());
  member.uid = node->metadata.uid;
  member.registered = clock_.Wall();
  return {};
}

Result<void> NodeFleet::RenewLease(const Member& member) {
  const nlohmann::json patch = {{"spec", {{"renewTime", MicroTime(clock_.Wall()).ToString()}}}};
  return Ignored(client_.Call(
      client::PatchRequest(api::Lease::kResource, "kube-node-lease", member.description.name,
                           berth::json::DocumentText(patch),
                           {.type = client::PatchType::kMerge, .field_manager = "kubelet"})));
}

}  // namespace berth::simulation
