// SPDX-License-Identifier: Apache-2.0
#include "convert/links.h"

#include <vector>

#include "api/legacy_policy.h"

namespace berth::convert {
namespace {

bool Fits(const ObjectName& wanted, const ObjectName& found) {
  return wanted.name == found.name &&
         (wanted.ns.empty() || found.ns.empty() || wanted.ns == found.ns);
}

std::string_view FileName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Returns the configurations of a kind that fulfil a condition.
template <class Condition>
std::vector<const ConfigText*> Matching(const Source& source, std::string_view kind,
                                        Condition condition) {
  std::vector<const ConfigText*> matching;
  for (const ConfigText& config : source.configs) {
    if ((config.kind == kind) && condition(config)) matching.push_back(&config);
  }
  return matching;
}

Link FindMounted(const Source& source, std::string_view kind, const std::vector<ConfigKey>& keys) {
  for (const ConfigKey& key : keys) {
    const auto found = Matching(source, kind, [&](const ConfigText& config) {
      return Fits(key.config_map, config.key.config_map) && config.key.key == key.key;
    });
    if (!found.empty()) return {.config = found[0]};
  }
  return {.problem = "ConfigMap " + keys[0].config_map.name + " with " + keys[0].key +
                     " is not in this file"};
}

}  // namespace

Link FindFile(const Source& source, const Reference& reference) {
  if (reference.workload != nullptr) {
    const auto keys = reference.workload->SourcesOf(reference.path);
    if (!keys.empty()) return FindMounted(source, reference.kind, keys);
  }
  const std::string_view name = FileName(reference.path);
  if (reference.beside != nullptr && !reference.beside->key.config_map.name.empty()) {
    const auto found = Matching(source, reference.kind, [&](const ConfigText& config) {
      return Fits(reference.beside->key.config_map, config.key.config_map) &&
             config.key.key == name;
    });
    if (!found.empty()) return {.config = found[0]};
  }
  const bool is_path_of_container = reference.workload != nullptr;
  const std::string no_mount = "no ConfigMap is mounted there";
  const std::string before = is_path_of_container ? no_mount + "; " : "";
  const auto same_name = Matching(source, reference.kind, [&](const ConfigText& config) {
    return &config != reference.beside && config.key.key == name;
  });
  if (same_name.size() == 1) {
    return {.config = same_name[0], .remark = before + "using the only file of this name"};
  }
  const auto all = Matching(source, reference.kind,
                            [&](const ConfigText& config) { return &config != reference.beside; });
  if (all.size() == 1) {
    return {.config = all[0],
            .remark = before + "using the only " + all[0]->kind + " in this file"};
  }
  return {.problem = (is_path_of_container ? no_mount + ", and " : "") + "this file has " +
                     (all.empty() ? "no " : "several of kind ") + std::string(reference.kind)};
}

Link FindPolicyMap(const Source& source, const ObjectName& name) {
  const auto in_map = [&](const ConfigText& config) { return Fits(name, config.key.config_map); };
  const auto policies = Matching(source, api::LegacyPolicy::kKind, in_map);
  for (const ConfigText* policy : policies) {
    if (policy->key.key == kPolicyKey) return {.config = policy};
  }
  if (policies.size() == 1) {
    return {.config = policies[0],
            .remark = "kube-scheduler reads the key " + std::string(kPolicyKey) +
                      ", which the ConfigMap does not have"};
  }
  const auto alone = Matching(source, api::LegacyPolicy::kKind, [](const ConfigText& config) {
    return config.key.config_map.name.empty();
  });
  if (policies.empty() && alone.size() == 1) {
    return {.config = alone[0],
            .remark = "the ConfigMap is not in this file; using the only Policy outside of one"};
  }
  return {.problem = "ConfigMap " + (name.ns.empty() ? "" : name.ns + "/") + name.name + " with " +
                     std::string(kPolicyKey) + " is not in this file"};
}

}  // namespace berth::convert
