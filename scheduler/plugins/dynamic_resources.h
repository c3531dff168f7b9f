// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <stop_token>
#include <vector>

#include "api/field_error.h"
#include "base/time.h"
#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// DynamicResourcesArgs are upstream's arguments. They have no effect in this version, which
// allocates no devices. Source: k8s.io/kube-scheduler config/v1/types_pluginargs.go,
// DynamicResourcesArgs; kube-scheduler
// pkg/scheduler/apis/config/validation/validation_pluginargs.go.
struct DynamicResourcesArgs {
  Duration filter_timeout{std::chrono::seconds(10)};
  Duration binding_timeout{std::chrono::seconds(600)};

  static auto Fields() {
    return json::Object(
        json::Field("filterTimeout", &DynamicResourcesArgs::filter_timeout)
            .Default("\"10s\"")
            .Doc("Timeout of the search for devices on a node; 0 means no timeout. Has no effect "
                 "in this version."),
        json::Field("bindingTimeout", &DynamicResourcesArgs::binding_timeout)
            .Default("\"600s\"")
            .Doc("Timeout for a device to become ready for a pod. Has no effect in this version."));
  }

  std::vector<api::FieldError> Validate() const;
};

// DynamicResources behaves as upstream's plugin for pods without resource claims: it skips
// PreFilter, scores 0, and has nothing to deallocate in PostFilter. It rejects pods with resource
// claims, because this version allocates none. Source: kube-scheduler
// pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go.
class DynamicResources final : public PreEnqueuePlugin,
                               public PreFilterPlugin,
                               public FilterPlugin,
                               public PostFilterPlugin,
                               public ScorePlugin,
                               public ReservePlugin,
                               public PreBindPlugin {
 public:
  using Args = DynamicResourcesArgs;

  explicit DynamicResources(const Args&) {}
  static PluginDescriptor Descriptor();

  ResultKey KeyOf(const CycleContext& cycle) const override;

  Status PreEnqueue(const PendingPod&, const EnqueueContext&) const override {
    return Status::Success();
  }
  PreFilterResult PreFilter(CycleContext& cycle) const override;
  Verdict Filter(const CycleContext& cycle, const NodeView& node) const override;
  PostFilterResult PostFilter(PostFilterContext& context) const override;
  ResultKey RejectionKeyOf(const PendingPod&) const override { return ResultKey::Of(""); }
  int64_t Score(const CycleContext&, const NodeView&) const override { return 0; }
  void ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                  std::span<int64_t> out) const override;
  Status Reserve(CycleContext&, const NodeRef&) const override { return Status::Success(); }
  void Unreserve(CycleContext&, const NodeRef&) const override {}
  PreBindPreFlightResult PreBindPreFlight(CycleContext&, const NodeRef&) const override {
    return {.status = Status::Skip()};
  }
  void PreBind(CycleContext&, const NodeRef&, const std::stop_token&,
               StatusDone done) const override {
    done(Status::Success());
  }
};

}  // namespace berth::scheduler
