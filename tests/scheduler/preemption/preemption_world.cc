// SPDX-License-Identifier: Apache-2.0
#include "tests/scheduler/preemption/preemption_world.h"

#include <utility>

#include "base/check.h"
#include "scheduler/plugins/default_preemption.h"
#include "scheduler/plugins/registry.h"
#include "tests/scheduler/framework/scripted_plugin.h"

namespace berth::scheduler::testing {
namespace {

std::shared_ptr<const Profile> MakeProfileWith(TestCluster& cluster, std::string args,
                                               std::vector<PluginDescriptor> plugins,
                                               const std::vector<ScriptedExtender*>& extenders) {
  const bool is_default = plugins.empty();
  plugins.push_back(DefaultPreemption::Descriptor());
  const Registry registry = is_default ? MakeRegistry() : WithBasics(std::move(plugins));
  api::KubeSchedulerProfile spec = is_default ? api::KubeSchedulerProfile() : Everything(registry);
  if (!args.empty()) spec.plugin_config = {{.name = "DefaultPreemption", .args = {args}}};
  auto made = Profile::Create(spec, 0, registry, cluster.handle(),
                              MakeExtenders(cluster.handle(), extenders));
  BERTH_CHECK(made.has_value(), made.error().message());
  return *made;
}

}  // namespace

api::PodDisruptionBudget MakeBudget(std::string name, std::string app, int32_t allowed,
                                    std::vector<std::string> disrupted) {
  api::PodDisruptionBudget budget;
  budget.metadata.uid = "uid-" + name;
  budget.metadata.name = std::move(name);
  budget.metadata.namespace_ = "default";
  budget.spec.selector.emplace().match_labels = {{"app", std::move(app)}};
  budget.status.disruptions_allowed = allowed;
  for (std::string& pod : disrupted) budget.status.disrupted_pods.emplace(std::move(pod), Time());
  return budget;
}

PodBuilder& Started(PodBuilder& pod, int64_t second) {
  constexpr int64_t kSomeDay = 1'700'000'000;
  pod.raw().status.start_time = Time::FromUnixSeconds(kSomeDay + second);
  return pod;
}

std::string TextOf(const Candidate& candidate) {
  std::string text = candidate.node.name() + ":";
  for (const auto& victim : candidate.victims) text += " " + victim->name();
  if (candidate.violations == 0) return text;
  return text + " (" + std::to_string(candidate.violations) +
         (candidate.violations == 1 ? " violation)" : " violations)");
}

PreemptionWorld::PreemptionWorld(std::string args, std::vector<PluginDescriptor> plugins,
                                 const std::vector<ScriptedExtender*>& extenders)
    : profile_(MakeProfileWith(cluster_, std::move(args), std::move(plugins), extenders)) {}

const Outcome& PreemptionWorld::Try(const PodBuilder& pod) {
  const auto info = pod.Info(cluster_.words());
  size_t start = 0;
  evictions_.requests.clear();
  state_ = CycleState();
  outcome_ = SchedulePod({.profile = *profile_,
                          .snapshot = cluster_.snapshot(),
                          .pod = *info,
                          .nominated = nominator_,
                          .start = start,
                          .evictions = &evictions_},
                         state_);
  return outcome_;
}

std::vector<std::string> PreemptionWorld::Candidates() const {
  std::vector<std::string> texts;
  if (!result().preemption) return texts;
  for (const Candidate& candidate : result().preemption->candidates) {
    texts.push_back(TextOf(candidate));
  }
  return texts;
}

std::string PreemptionWorld::Chosen() const {
  if (!result().preemption) return {};
  for (const Candidate& candidate : result().preemption->candidates) {
    if (candidate.node.name() == result().nominated_node) return TextOf(candidate);
  }
  return {};
}

}  // namespace berth::scheduler::testing
