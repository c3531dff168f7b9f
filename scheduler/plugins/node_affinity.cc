// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/node_affinity.h"

#include <iterator>

#include "api/labels.h"
#include "base/check.h"
#include "scheduler/plugins/pod_events.h"

namespace berth::scheduler {
namespace {

const api::NodeAffinity& NodeAffinityOf(const api::Pod& pod) {
  return pod.spec.affinity.ValueOrDefault().node_affinity.ValueOrDefault();
}

}  // namespace

std::vector<api::FieldError> NodeAffinityArgs::Validate() const {
  std::vector<api::FieldError> errors;
  if (!added_affinity) return errors;
  if (added_affinity->required) {
    const std::string path = "addedAffinity.requiredDuringSchedulingIgnoredDuringExecution";
    errors = api::CompiledNodeSelector::Create(*added_affinity->required).Errors();
    for (api::FieldError& error : errors) error.path = api::Child(path, error.path);
  }
  const std::string path = "addedAffinity.preferredDuringSchedulingIgnoredDuringExecution";
  for (size_t i = 0; i < added_affinity->preferred.size(); ++i) {
    const api::PreferredSchedulingTerm& term = added_affinity->preferred[i];
    if (term.weight == 0) continue;  // ignored without validation, as in a pod
    const auto compiled = api::CompiledTerm::Create(term.preference, api::Index(path, i));
    errors.insert(errors.end(), compiled.errors.begin(), compiled.errors.end());
  }
  return errors;
}

PluginDescriptor NodeAffinity::Descriptor() {
  return Describe<NodeAffinity>({
      .name = "NodeAffinity",
      .summary = "Filters nodes by nodeSelector and required node affinity; scores them by "
                 "preferred terms.",
      .depends_on = {Epoch::kNodeObject},
      .events = {{Resource::kNode, action::kAdd | action::kUpdateNodeLabel,
                  "a node that the pod selects appeared, or its labels match now"}},
      .default_weight = 2,
      .example = R"(# Pods of this scheduler stay in the pool "batch".
pluginConfig:
- name: NodeAffinity
  args:
    addedAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - matchExpressions: [{key: pool, operator: In, values: [batch]}])",
  });
}

NodeAffinity::NodeAffinity(const Args& args) {
  if (!args.added_affinity) return;
  if (args.added_affinity->required) {
    added_required_ = api::CompiledNodeSelector::Create(*args.added_affinity->required);
  }
  auto preferred = api::PreferredTerms::Create(args.added_affinity->preferred);
  BERTH_CHECK(preferred.has_value(), "the arguments were validated");
  added_preferred_ = std::move(*preferred);
}

bool NodeAffinity::AddedMatches(const api::Node& node) const {
  return !added_required_ || added_required_->Matches(node.metadata.labels, node.metadata.name);
}

ResultKey NodeAffinity::HintKeyOf(const PendingPod& pod) const {
  const api::PodSpec& spec = pod.pod().spec;
  const api::NodeAffinity& affinity = NodeAffinityOf(pod.pod());
  const api::StringMap& selector = spec.node_selector.ValueOrDefault();
  if (selector.empty() && !affinity.required && affinity.preferred.empty()) {
    return ResultKey::Of("");
  }
  KeyText text;
  AddRequiredNodeAffinity(text, pod.pod());
  text.AddCount(affinity.preferred);
  for (const api::PreferredSchedulingTerm& term : affinity.preferred) {
    AddNodeSelectorTerm(text.Add(term.weight), term.preference);
  }
  return ResultKey::Of(text.Take());
}

PreFilterResult NodeAffinity::PreFilter(CycleContext& cycle) const {
  const api::Pod& pod = cycle.pod.pod();
  const api::NodeSelector* required = RequiredTermsOf(pod);
  if (required == nullptr && !pod.spec.node_selector.has_value() && !added_required_) {
    return PreFilterResult::Of(Status::Skip());
  }
  cycle.state.Write(RequiredMatchersFor(cycle));
  if (required == nullptr) return PreFilterResult::Of(Status::Success());
  auto nodes = NodesNamedBy(*required);
  if (nodes && nodes->empty()) {
    return PreFilterResult::Of(Status::UnschedulableAndUnresolvable("pod affinity terms conflict"));
  }
  return {Status::Success(), std::move(nodes)};
}

Verdict NodeAffinity::Filter(const CycleContext& cycle, const NodeView& node) const {
  static const VerdictReason kEnforced =
      VerdictReason::Intern("node(s) didn't match scheduler-enforced node affinity");
  static const VerdictReason kOfPod =
      VerdictReason::Intern("node(s) didn't match Pod's node affinity/selector");
  const auto ask = [&](const RequiredMatchers& required) {
    if (required.added && !required.added->Matches(node.info())) {
      return Verdict::UnschedulableAndUnresolvable(kEnforced);
    }
    if (required.of_pod.Matches(node.info())) return Verdict::Fits();
    return Verdict::UnschedulableAndUnresolvable(kOfPod);
  };
  // A profile may enable Filter without PreFilter.
  const auto* required = cycle.state.Read<RequiredMatchers>();
  return required != nullptr ? ask(*required) : ask(RequiredMatchersFor(cycle));
}

Status NodeAffinity::PreScore(CycleContext& cycle, const FeasibleNodes&) const {
  const auto& preferred = NodeAffinityOf(cycle.pod.pod()).preferred;
  if (preferred.empty() && added_preferred_.terms().empty()) return Status::Skip();
  auto compiled = api::PreferredTerms::Create(preferred);
  if (!compiled) return Status::Failed(compiled.error().message());
  cycle.state.Write(PreferredMatchersFor(cycle, *compiled));
  return Status::Success();
}

int64_t NodeAffinity::Score(const CycleContext& cycle, const NodeView& node) const {
  const auto rate = [&node](const PreferredMatchers& preferred) {
    return preferred.added.Score(node.info()) + preferred.of_pod.Score(node.info());
  };
  if (const auto* preferred = cycle.state.Read<PreferredMatchers>()) return rate(*preferred);
  // A profile may enable Score without PreScore. Then terms that do not parse are ignored.
  const auto own = api::PreferredTerms::Create(NodeAffinityOf(cycle.pod.pod()).preferred);
  return rate(PreferredMatchersFor(cycle, own.value_or(api::PreferredTerms())));
}

NodeAffinity::RequiredMatchers NodeAffinity::RequiredMatchersFor(const CycleContext& cycle) const {
  const Vocabulary& words = cycle.snapshot.Words();
  RequiredMatchers matchers{std::nullopt, {RequiredNodeAffinity::Of(cycle.pod.pod()), words}};
  if (added_required_) matchers.added.emplace(*added_required_, words);
  return matchers;
}

NodeAffinity::PreferredMatchers NodeAffinity::PreferredMatchersFor(
    const CycleContext& cycle, const api::PreferredTerms& of_pod) const {
  const Vocabulary& words = cycle.snapshot.Words();
  return {{added_preferred_, words}, {of_pod, words}};
}

QueueingHint NodeAffinity::Hint(const PendingPod& pod, const ClusterEvent&,
                                const EventObjects& objects) const {
  if (!AddedMatches(*objects.new_node)) return QueueingHint::kSkip;
  const RequiredNodeAffinity required = RequiredNodeAffinity::Of(pod.pod());
  if (!required.Matches(*objects.new_node)) return QueueingHint::kSkip;
  if (objects.old_node == nullptr) return QueueingHint::kQueue;
  return QueueIf(!required.Matches(*objects.old_node) || !AddedMatches(*objects.old_node));
}

}  // namespace berth::scheduler
