// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "engine/config.h"
#include "scheduler/plugins/registry.h"

namespace berth::engine {

// SilentApi ignores all calls of plugins.
class SilentApi final : public scheduler::ApiPort {
 public:
  void Bind(const scheduler::PodRef&, const std::string&, Done) override {}
  void PatchPodStatus(const scheduler::PodRef&, scheduler::PodStatusPatch, Done) override {}
  void MarkVictim(const scheduler::PodRef&, api::PodCondition, Done) override {}
  void DeletePod(const scheduler::PodRef&, Done) override {}
  void EvictPod(const scheduler::PodRef&, Done) override {}
  void ReadPod(const scheduler::PodRef&, PodDone) override {}
  void BindVolume(const api::PersistentVolume&, Done) override {}
  void SelectNode(const api::PersistentVolumeClaim&, Done) override {}
  void PatchGroupCondition(const api::ObjectReference&, api::Condition, Done) override {}
  void RecordEvent(const api::ObjectReference&, scheduler::ObjectEvent) override {}
};

class ConfigTest : public ::testing::Test {
 protected:
  Result<LoadedConfig> Load(std::string_view text, bool is_rendered = false) {
    return LoadConfig(text, {"file.yaml", is_rendered}, registry_, handle_, RejectExtender);
  }
  // Loads a configuration rendered for a profile with a sidecar on that port.
  Result<LoadedConfig> LoadSidecars(std::string_view text, uint16_t port) {
    return LoadConfig(text, {"file.yaml", true, {port}}, registry_, handle_, RejectExtender);
  }
  Choice Choose(std::optional<std::string> newest, std::optional<std::string> last_good,
                std::string_view running) {
    return ChooseConfig(newest, last_good, {"ConfigMap a/b", true}, running, registry_, handle_,
                        RejectExtender);
  }
  static Result<std::unique_ptr<scheduler::ExtenderPort>> RejectExtender(
      const api::Extender& extender, const ConfigSource& source) {
    return ConfigError("no way to " + extender.url_prefix + " from " + source.name);
  }

  const SystemClock clock_{};
  scheduler::Vocabulary words_;
  SilentApi api_;
  const scheduler::Registry registry_ = scheduler::MakeRegistry();
  const scheduler::PluginHandle handle_{clock_, api_, words_};
};

}  // namespace berth::engine
