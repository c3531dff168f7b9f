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

// kExtenderPlugin is who rejects a pod where an extender does, among the plugins of a profile.
// Source: kube-scheduler pkg/scheduler/framework/interface.go, ExtenderName.
inline constexpr std::string_view kExtenderPlugin = "Extender";

// kOwnExtenderLabel is a pod's label with the name of an extender that never hears of it: the one
// that the pod itself is part of, which would else be needed for itself to be placed.
inline constexpr std::string_view kOwnExtenderLabel = "berth.dev/extender";

// ExtenderName is the name by which that label means an extender: of a Service
// (NAME.NAMESPACE.svc) its NAME, of any other address the host. Empty: the URL has none.
std::string ExtenderName(std::string_view url);

// Extender is one extender of a configuration: whom it is interested in, what it does, and its
// calls. What its port throws is an error like others. Owned by the scheduling thread, like the
// profiles that hold it. Source: kube-scheduler pkg/scheduler/extender.go; podSelector,
// namespaceSelector and the label are Berth's own.
class Extender {
 public:
  // Create makes the port. The error (kConfig) says what is wrong with an address or a selector.
  static Result<Extender> Create(const api::Extender& spec, const MakeExtenderPort& make_port,
                                 const PluginHandle& handle);

  const std::string& url() const { return url_; }
  bool is_ignorable() const { return is_ignorable_; }  // its errors stop nobody
  bool filters() const { return filters_; }
  bool prioritizes() const { return prioritizes_; }
  bool preempts() const { return preempts_; }
  bool binds() const { return binds_; }
  int64_t weight() const { return weight_; }
  bool reads_namespaces() const { return namespace_selector_.has_value(); }

  // IsInterestedIn says whether it hears of the pod: one that names a resource it manages, if it
  // manages any, and that its selectors select, if it has any. A namespace that is not known has no
  // labels.
  bool IsInterestedIn(const PendingPod& pod, const Snapshot& snapshot) const;

  // The calls of the port. Whoever looks on is told that this extender is being called.
  Result<ExtenderVerdicts> Filter(const CycleContext& cycle, std::span<const Slot> nodes) const;
  using Scores = std::vector<ExtenderScore>;
  // Prioritize gives what Await waits for.
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

// InterestedExtenders, in the CycleState, are those that hear of the pod, in the order they are
// called: found once in an attempt, so that who filters also binds. They live as long as the
// profile.
struct InterestedExtenders {
  std::vector<const Extender*> list;
};

// Extenders are those of a configuration, which all its profiles share.
class Extenders {
 public:
  // Create puts those that may not be ignored first; each kind keeps its order. Source:
  // kube-scheduler pkg/scheduler/scheduler.go, buildExtenders.
  static Result<std::shared_ptr<const Extenders>> Create(std::span<const api::Extender> specs,
                                                         const MakeExtenderPort& make_port,
                                                         const PluginHandle& handle);

  bool empty() const { return all_.empty(); }
  std::span<const Extender> all() const { return all_; }
  // Whether one of them filters, scores, or asks for the labels of namespaces, whomever it is
  // interested in.
  bool filter() const { return filter_; }
  bool score() const { return score_; }
  bool read_namespaces() const { return read_namespaces_; }
  // ignored_resources are those that they manage alone: no node need have them.
  std::span<const std::string> ignored_resources() const { return ignored_resources_; }

  InterestedExtenders InterestedIn(const PendingPod& pod, const Snapshot& snapshot) const;

 private:
  Extenders() = default;

  std::vector<Extender> all_;
  std::vector<std::string> ignored_resources_;
  bool filter_ = false, score_ = false, read_namespaces_ = false;
};

}  // namespace berth::scheduler
