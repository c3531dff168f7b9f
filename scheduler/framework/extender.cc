// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/extender.h"

#include <algorithm>
#include <utility>

#include "api/outbound_address.h"
#include "scheduler/framework/descriptor.h"
#include "scheduler/framework/guard.h"

namespace berth::scheduler {
namespace {

Failure Thrown(const std::string& text) { return Fail(Reason::kUnknown, text); }

Result<std::optional<LabelMatcher>> MatcherOf(const std::optional<api::LabelSelector>& source,
                                              std::string_view field, Vocabulary& words) {
  if (!source) return std::nullopt;
  const auto selector = api::Selector::Create(*source);
  if (!selector) return ConfigError(std::string(field) + ": " + selector.error().message());
  return LabelMatcher::Lasting(*selector, words);
}

}  // namespace

std::string ExtenderName(std::string_view url) {
  const auto address = api::ReadOutboundAddress(url);
  if (!address) return {};
  if (!api::ServiceOf(*address)) return address->host;
  return address->host.substr(0, address->host.find('.'));
}

Result<Extender> Extender::Create(const api::Extender& spec, const MakeExtenderPort& make_port,
                                  const PluginHandle& handle) {
  Extender extender;
  extender.url_ = spec.url_prefix;
  extender.is_ignorable_ = spec.ignorable;
  extender.filters_ = !spec.filter_verb.empty();
  extender.prioritizes_ = !spec.prioritize_verb.empty();
  extender.preempts_ = !spec.preempt_verb.empty();
  extender.binds_ = !spec.bind_verb.empty();
  extender.weight_ = spec.weight;
  for (const api::ExtenderManagedResource& resource : spec.managed_resources) {
    extender.managed_resources_.insert(resource.name);
  }
  BERTH_TRY(extender.pod_selector_, MatcherOf(spec.pod_selector, "podSelector", handle.words));
  BERTH_TRY(extender.namespace_selector_,
            MatcherOf(spec.namespace_selector, "namespaceSelector", handle.words));
  if (std::string name = ExtenderName(spec.url_prefix); !name.empty()) {
    extender.own_pods_ = LabelMatcher::Lasting(
        api::Selector::FromMap({{std::string(kOwnExtenderLabel), std::move(name)}}), handle.words);
  }
  BERTH_TRY(extender.port_, make_port(spec));
  if (handle.calls != nullptr) {
    extender.filter_call_ = handle.calls->Of(extender.url_, "Filter");
    extender.prioritize_call_ = handle.calls->Of(extender.url_, "Prioritize");
    extender.preempt_call_ = handle.calls->Of(extender.url_, "Preempt");
  }
  return extender;
}

bool Extender::IsInterestedIn(const PendingPod& pod, const Snapshot& snapshot) const {
  if (own_pods_ && own_pods_->Matches(pod.labels())) return false;
  if (pod_selector_ && !pod_selector_->Matches(pod.labels())) return false;
  if (namespace_selector_ && !namespace_selector_->Matches(snapshot.Namespaces().LabelsOrNone(
                                 pod.namespace_word().symbol()))) {
    return false;
  }
  return managed_resources_.empty() || ManagesAResourceOf(pod.pod());
}

bool Extender::ManagesAResourceOf(const api::Pod& pod) const {
  const auto has_managed = [this](const api::ResourceList& resources) {
    return std::ranges::any_of(
        resources, [this](const auto& entry) { return managed_resources_.contains(entry.first); });
  };
  const auto names_managed = [&](const api::Container& container) {
    return has_managed(container.resources.requests) || has_managed(container.resources.limits);
  };
  return std::ranges::any_of(pod.spec.containers, names_managed) ||
         std::ranges::any_of(pod.spec.init_containers, names_managed);
}

Result<ExtenderVerdicts> Extender::Filter(const CycleContext& cycle,
                                          std::span<const Slot> nodes) const {
  return internal::Guarded(
      filter_call_, [&] { return port_->Filter(cycle.pod, cycle.snapshot, nodes); },
      [](const std::string& text) -> Result<ExtenderVerdicts> { return Thrown(text); });
}

ExtenderPort::AwaitScores Extender::Prioritize(const CycleContext& cycle,
                                               std::span<const Slot> nodes) const {
  return internal::Guarded(
      prioritize_call_, [&] { return port_->Prioritize(cycle.pod, cycle.snapshot, nodes); },
      [](const std::string& text) -> ExtenderPort::AwaitScores {
        return [text]() -> Result<Scores> { return Thrown(text); };
      });
}

Result<Extender::Scores> Extender::Await(const ExtenderPort::AwaitScores& scores) const {
  return internal::Guarded(
      prioritize_call_, [&] { return scores(); },
      [](const std::string& text) -> Result<Scores> { return Thrown(text); });
}

Result<std::vector<Candidate>> Extender::Preempt(const CycleContext& cycle,
                                                 std::span<const Candidate> candidates) const {
  return internal::Guarded(
      preempt_call_, [&] { return port_->Preempt(cycle.pod, cycle.snapshot, candidates); },
      [](const std::string& text) -> Result<std::vector<Candidate>> { return Thrown(text); });
}

void Extender::Bind(const CycleContext& cycle, const NodeRef& node,
                    std::function<void(Result<void>)> done) const {
  port_->Bind(cycle.pod, node, std::move(done));
}

Result<std::shared_ptr<const Extenders>> Extenders::Create(std::span<const api::Extender> specs,
                                                           const MakeExtenderPort& make_port,
                                                           const PluginHandle& handle) {
  std::shared_ptr<Extenders> extenders(new Extenders());
  for (size_t i = 0; i < specs.size(); ++i) {
    const api::Extender& spec = specs[i];
    auto made = Extender::Create(spec, make_port, handle);
    if (!made) {
      return Fail(made.error().With("couldn't build extenders: " + api::Index("extenders", i)));
    }
    extenders->filter_ |= made->filters();
    extenders->score_ |= made->prioritizes();
    extenders->read_namespaces_ |= made->reads_namespaces();
    for (const api::ExtenderManagedResource& resource : spec.managed_resources) {
      if (resource.ignored_by_scheduler) extenders->ignored_resources_.push_back(resource.name);
    }
    extenders->all_.push_back(std::move(*made));
  }
  std::stable_partition(extenders->all_.begin(), extenders->all_.end(),
                        [](const Extender& extender) { return !extender.is_ignorable(); });
  return extenders;
}

InterestedExtenders Extenders::InterestedIn(const PendingPod& pod, const Snapshot& snapshot) const {
  InterestedExtenders interested;
  for (const Extender& extender : all_) {
    if (extender.IsInterestedIn(pod, snapshot)) interested.list.push_back(&extender);
  }
  return interested;
}

}  // namespace berth::scheduler
