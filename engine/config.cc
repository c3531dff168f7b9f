// SPDX-License-Identifier: Apache-2.0
#include "engine/config.h"

#include "api/metric_source.h"
#include "api/outbound_address.h"
#include "api/scheduler_contract.h"
#include "scheduler/framework/extender.h"

namespace berth::engine {

namespace {

std::vector<api::FieldError> ErrorsIn(const api::KubeSchedulerConfiguration& config,
                                      const ConfigSource& source) {
  std::vector<api::FieldError> errors = api::Validate(config);
  for (size_t i = 0; source.is_rendered && i < config.extenders.size(); ++i) {
    const api::Extender& extender = config.extenders[i];
    const api::ExtenderTlsConfig* tls = extender.tls_config ? &*extender.tls_config : nullptr;
    for (auto& error :
         api::CheckOutbound(extender, tls, source.sidecar_ports, api::Index("extenders", i))) {
      errors.push_back(std::move(error));
    }
  }
  for (size_t i = 0; source.is_rendered && i < config.profiles.size(); ++i) {
    for (const auto& [metrics, path] : api::MetricSourcesOf(config.profiles[i].plugin_config)) {
      for (auto& error : api::CheckOutbound(metrics, api::Child(api::Index("profiles", i), path))) {
        errors.push_back(std::move(error));
      }
    }
  }
  return errors;
}

}  // namespace

Result<LoadedConfig> LoadConfig(std::string_view text, const ConfigSource& source,
                                const scheduler::Registry& registry,
                                const scheduler::PluginHandle& handle,
                                const MakeExtender& make_extender) {
  LoadedConfig loaded;
  const std::string& where = source.name;
  BERTH_TRY(loaded.config, api::LoadSchedulerConfiguration(text, where));
  if (const auto errors = ErrorsIn(loaded.config, source); !errors.empty()) {
    return ConfigError(where + ": " + api::Aggregate(errors));
  }
  const auto make_port = [&](const api::Extender& extender) {
    return make_extender(extender, source);
  };
  auto extenders = scheduler::Extenders::Create(loaded.config.extenders, make_port, handle);
  if (!extenders) return Fail(extenders.error().With(where));
  auto profiles =
      scheduler::CreateProfiles(loaded.config.profiles, loaded.config.percentage_of_nodes_to_score,
                                registry, handle, *extenders);
  if (!profiles) return Fail(profiles.error().With(where));
  loaded.profiles = std::move(*profiles);
  loaded.hash = api::ConfigHash(text);
  return loaded;
}

Choice ChooseConfig(const std::optional<std::string>& newest,
                    const std::optional<std::string>& last_good, const ConfigSource& source,
                    std::string_view running_hash, const scheduler::Registry& registry,
                    const scheduler::PluginHandle& handle, const MakeExtender& make_extender) {
  const auto key = [&source](std::string_view name) {
    ConfigSource within = source;
    within.name += ": " + std::string(name);
    return within;
  };
  Choice choice;
  if (!newest) {
    choice.error = key(api::kConfigKey).name + " is missing";
  } else if (api::ConfigHash(*newest) == running_hash) {
    return choice;
  } else if (auto loaded =
                 LoadConfig(*newest, key(api::kConfigKey), registry, handle, make_extender)) {
    choice.config = std::move(*loaded);
    return choice;
  } else {
    choice.error = loaded.error().message();
    choice.rejected_hash = api::ConfigHash(*newest);
  }
  if (!running_hash.empty() || !last_good) return choice;
  auto fallback = LoadConfig(*last_good, key(api::kLastGoodKey), registry, handle, make_extender);
  if (fallback) {
    choice.config = std::move(*fallback);
  } else {
    choice.error += "; " + fallback.error().message();
  }
  return choice;
}

}  // namespace berth::engine
