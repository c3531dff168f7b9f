// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// DefaultBinder binds a pod by creating a Binding at the API server. Source: kube-scheduler
// pkg/scheduler/framework/plugins/defaultbinder/default_binder.go.
class DefaultBinder final : public BindPlugin {
 public:
  explicit DefaultBinder(const PluginHandle& handle) : api_(handle.api) {}
  static PluginDescriptor Descriptor();

  void Bind(CycleContext& cycle, const NodeRef& node, StatusDone done) const override;

 private:
  ApiPort& api_;
};

}  // namespace berth::scheduler
