// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/framework/extender_port.h"
#include "scheduler/framework/plugin_calls.h"
#include "scheduler/model/label_matcher.h"

namespace berth::scheduler {

struct PluginHandle;  // descriptor.h

// The name under which extenders reject a pod, among the plugin names of a profile. Source:
// kube-scheduler pkg/scheduler/framework/interface.go, ExtenderName.
inline constexpr std::string_view kExtenderPlugin = "Extender";

// Pod label with the name of an extender that is not called for the pod. The pods of an extender
// carry it; otherwise the extender would be needed to schedule itself.
inline constexpr std::string_view kOwnExtenderLabel = "berth.dev/extender";

// Returns the extender's name for that label: the Service name if the URL points to a Service
// (NAME.NAMESPACE.svc), otherwise the host. Empty: the URL has no host.
std::string ExtenderName(std::string_view url);

// Extender is one extender of a KubeSchedulerConfiguration: its pod filter, its verbs and its
// calls. Exceptions of the port are returned as errors. Owned by the scheduling thread, like the
// profiles that hold it. Source: kube-scheduler pkg/scheduler/extender.go; podSelector,
// namespaceSelector and the label are Berth's own.
class Extender {
 public:
  // Creates the port. Returns an error (kConfig) for an invalid address or selector.
  static Result<Extender> Create(const api::Extender& spec, const MakeExtenderPort& make_port,
                                 const PluginHandle& handle);

  const std::string& url() const { return url_; }
  bool is_ignorable() const { return is_ignorable_; }  // its errors do not fail the pod
  bool filters() const { return filters_; }
  bool prioritizes() const { return prioritizes_; }
  bool preempts() const { return preempts_; }
  bool binds() const { return binds_; }
  int64_t weight() const { return weight_; }
  bool reads_namespaces() const { return namespace_selector_.has_value(); }

  // Reports whether the extender is called for the pod. The pod must use one of its managed
  // resources, if it has any, and match its selectors, if it has any. An unknown namespace has no
  // labels.
  bool IsInterestedIn(const PendingPod& pod, const Snapshot& snapshot) const;

  // Call the port and record the extender as the running plugin (PluginCalls).
  Result<ExtenderVerdicts> Filter(const CycleContext& cycle, std::span<const Slot> nodes) const;
  using Scores = std::vector<ExtenderScore>;
  // Returns the function to pass to Await.
  ExtenderPort::AwaitScores Prioritize(const CycleContext& cycle,
                                       std::span<const Slot> nodes) const;
  Result<Scores> Await(const ExtenderPort::AwaitScores& scores) const;
  Result<std::vector<Candidate>> Preempt(const CycleContext& cycle,
                                         std::span<const Candidate> candidates) const;
  void Bind(const CycleContext& cycle, const NodeRef& node,
            std::function<void(Result<void>)> done) const;

 private:
  Extender() = default;

  bool ManagesAResourceOf(const api::Pod& pod) const;

  std::string url_;
  bool is_ignorable_ = false;
  bool filters_ = false, prioritizes_ = false, preempts_ = false, binds_ = false;
  int64_t weight_ = 0;
  std::set<std::string, std::less<>> managed_resources_;
  std::optional<LabelMatcher> pod_selector_, namespace_selector_, own_pods_;
  std::unique_ptr<ExtenderPort> port_;
  const PluginCall* filter_call_ = nullptr;
  const PluginCall* prioritize_call_ = nullptr;
  const PluginCall* preempt_call_ = nullptr;
};

// InterestedExtenders, in the CycleState, are the extenders called for the pod, in call order.
// Computed once per attempt, so that the same extenders filter and bind. They live as long as the
// profile.
struct InterestedExtenders {
  std::vector<const Extender*> list;
};

// Extenders are the extenders of a configuration, shared by all its profiles.
class Extenders {
 public:
  // Puts the extenders that are not ignorable first; otherwise the order is kept. Source:
  // kube-scheduler pkg/scheduler/scheduler.go, buildExtenders.
  static Result<std::shared_ptr<const Extenders>> Create(std::span<const api::Extender> specs,
                                                         const MakeExtenderPort& make_port,
                                                         const PluginHandle& handle);

  bool empty() const { return all_.empty(); }
  std::span<const Extender> all() const { return all_; }
  // Report whether any extender filters, scores, or selects by namespace labels.
  bool filter() const { return filter_; }
  bool score() const { return score_; }
  bool read_namespaces() const { return read_namespaces_; }
  // Resources that only extenders manage (ignoredByScheduler): nodes need not have them.
  std::span<const std::string> ignored_resources() const { return ignored_resources_; }

  InterestedExtenders InterestedIn(const PendingPod& pod, const Snapshot& snapshot) const;

 private:
  Extenders() = default;

  std::vector<Extender> all_;
  std::vector<std::string> ignored_resources_;
  bool filter_ = false, score_ = false, read_namespaces_ = false;
};

}  // namespace berth::scheduler
