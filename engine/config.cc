// SPDX-License-Identifier: Apache-2.0
#include "engine/config.h"

#include "api/scheduler_contract.h"

namespace berth::engine {

Result<LoadedConfig> LoadConfig(std::string_view text, std::string_view source,
                                const scheduler::Registry& registry,
                                const scheduler::PluginHandle& handle) {
  LoadedConfig loaded;
  BERTH_TRY(loaded.config, api::LoadSchedulerConfiguration(text, source));
  const std::string where(source);
  if (const auto mistakes = api::Validate(loaded.config); !mistakes.empty()) {
    return ConfigError(where + ": " + api::Aggregate(mistakes));
  }
  if (!loaded.config.extenders.empty()) {
    return ConfigError(where + ": extenders: not served by this version; remove them");
  }
  for (const auto& spec : loaded.config.profiles) {
    auto profile = scheduler::Profile::Create(spec, loaded.config.percentage_of_nodes_to_score,
                                              registry, handle);
    if (!profile) return Fail(profile.error().With(where));
    loaded.profiles.emplace((*profile)->scheduler_name(), *profile);
  }
  loaded.hash = api::ConfigHash(text);
  return loaded;
}

Choice ChooseConfig(const std::optional<std::string>& newest,
                    const std::optional<std::string>& last_good, std::string_view source,
                    std::string_view running_hash, const scheduler::Registry& registry,
                    const scheduler::PluginHandle& handle) {
  const std::string where(source);
  Choice choice;
  if (!newest) {
    choice.error = where + ": " + std::string(api::kConfigKey) + " is missing";
  } else if (api::ConfigHash(*newest) == running_hash) {
    return choice;
  } else if (auto loaded = LoadConfig(*newest, where + ": " + std::string(api::kConfigKey),
                                      registry, handle)) {
    choice.config = std::move(*loaded);
    return choice;
  } else {
    choice.error = loaded.error().message();
  }
  if (!running_hash.empty() || !last_good) return choice;
  auto fallback =
      LoadConfig(*last_good, where + ": " + std::string(api::kLastGoodKey), registry, handle);
  if (fallback) {
    choice.config = std::move(*fallback);
  } else {
    choice.error += "; " + fallback.error().message();
  }
  return choice;
}

}  // namespace berth::engine
