// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/canary.h"

#include <chrono>
#include <cstdlib>
#include <limits>
#include <string>

#include "tests/integration/harness/objects.h"
#include "tests/integration/harness/wait.h"

namespace berth::differential {
namespace {

using std::chrono::milliseconds;

constexpr const char* kName = "canary";  // of the profile, and of the namespace
constexpr milliseconds kLimit{30'000};
constexpr milliseconds kLook{4};

Operation CreatePod(const ObjectName& name) {
  const Json container = {{"name", "main"}, {"image", "registry.k8s.io/pause:3.10"}};
  return {Operation::Verb::kCreate,
          name,
          {{"apiVersion", "v1"},
           {"kind", "Pod"},
           {"metadata", {{"name", name.name}, {"namespace", name.ns}}},
           {"spec",
            {{"schedulerName", kName},
             {"priority", std::numeric_limits<int32_t>::min()},
             {"nodeSelector", {{"differential.berth.dev/canary", "lands-nowhere"}}},
             {"containers", Json::array({container})}}}}};
}

// Returns the number in "0/3 nodes are available: ..."; 0 for the message without nodes.
int NodesIn(const std::string& message) {
  return message.starts_with("0/") ? std::atoi(message.c_str() + 2) : 0;
}

}  // namespace

Json CanaryProfile() {
  const Json all = Json::array({{{"name", "*"}}});
  Json enabled = Json::array();
  for (const char* plugin : {"PrioritySort", "NodeAffinity", "NodeResourcesFit", "DefaultBinder"}) {
    enabled.push_back({{"name", plugin}});
  }
  return {{"schedulerName", kName},
          {"plugins", {{"multiPoint", {{"enabled", enabled}, {"disabled", all}}}}}};
}

bool Canary::Owns(const std::string& ns) { return ns == kName; }

Result<void> Canary::Prepare() const {
  const ObjectName ns{"namespace", "", kName};
  BERTH_TRY(
      const Json made,
      api_.Do({Operation::Verb::kCreate,
               ns,
               {{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", kName}}}}}));
  return {};
}

Result<int> Canary::Fly() {
  const ObjectName pod{"pod", kName, std::string(kName) + "-" + std::to_string(++flown_)};
  BERTH_TRY(const Json made, api_.Do(CreatePod(pod)));
  Result<std::optional<int>> nodes;
  integration::PollUntil(
      kLimit,
      [&] {
        nodes = Look(pod);
        return !nodes || nodes->has_value();
      },
      kLook);
  BERTH_TRY_VOID(api_.Remove(pod));
  if (!nodes) return Fail(nodes.error());
  if (!*nodes) return Fail(Reason::kTimeout, "the scheduler does not try new pods");
  return **nodes;
}

Result<std::optional<int>> Canary::Look(const ObjectName& pod) const {
  BERTH_TRY(const Json found, api_.Get(pod));
  const Json condition = integration::Condition(found, "PodScheduled");
  if (condition.empty()) return std::optional<int>();
  BERTH_TRY(const Json events,
            api_.List("event", kName, "?fieldSelector=regarding.name=" + pod.name));
  if (events.empty()) return std::optional<int>();
  return NodesIn(condition.value("message", ""));
}

Result<void> Canary::AwaitNodes(int nodes) {
  Result<int> known = -1;
  const bool ended = integration::PollUntil(
      kLimit,
      [&] {
        known = Fly();
        return !known || *known == nodes;
      },
      kLook);
  if (!known) return Fail(known.error());
  if (ended) return {};
  return Fail(Reason::kTimeout, "the scheduler knows " + std::to_string(*known) +
                                    " nodes, expected " + std::to_string(nodes));
}

}  // namespace berth::differential
