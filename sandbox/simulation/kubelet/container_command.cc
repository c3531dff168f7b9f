// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/kubelet/container_command.h"

#include <algorithm>
#include <string_view>

namespace berth::simulation {
namespace {

bool IsAllDigits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string HostAddress(const std::string& value, const std::string& pod_ip) {
  if (value == "0.0.0.0" || value == "::" || value == "[::]") return pod_ip;
  if (value.starts_with(':') && IsAllDigits(std::string_view(value).substr(1))) {
    return pod_ip + value;
  }
  for (const std::string_view all : {"0.0.0.0:", "[::]:"}) {
    if (value.starts_with(all)) return pod_ip + value.substr(all.size() - 1);
  }
  return value;
}

std::string HostPath(const std::string& value, const Mounts& mounts) {
  // The longest mount wins, so the map is searched from its end.
  for (auto mount = mounts.rbegin(); mount != mounts.rend(); ++mount) {
    const std::string& path = mount->first;
    const bool is_below =
        value.starts_with(path) && (value.size() == path.size() || value[path.size()] == '/');
    if (is_below) return mount->second + value.substr(path.size());
  }
  return value;
}

Result<std::string> KeyOf(const Result<api::StringMap>& data, const api::KeySelector& selector,
                          const char* kind) {
  const bool optional = selector.optional.value_or(false);
  if (!data && !(optional && data.error().Is(Reason::kNotFound))) return Fail(data.error());
  if (data) {
    const auto found = data->find(selector.key);
    if (found != data->end()) return found->second;
  }
  if (optional) return std::string();
  return ConfigError("couldn't find key " + selector.key + " in " + kind + " " + selector.name);
}

Result<std::string> ValueOf(const api::EnvVarSource& source, const api::Pod& pod,
                            const std::string& pod_ip, PodSources& sources) {
  const std::string& ns = pod.metadata.namespace_;
  if (source.field_ref) return FieldOf(source.field_ref->field_path, pod, pod_ip);
  if (source.config_map_key_ref) {
    const api::KeySelector& selector = *source.config_map_key_ref;
    return KeyOf(sources.ConfigMapData(ns, selector.name), selector, "ConfigMap");
  }
  if (source.secret_key_ref) {
    const api::KeySelector& selector = *source.secret_key_ref;
    return KeyOf(sources.SecretData(ns, selector.name), selector, "Secret");
  }
  return ConfigError(
      "valueFrom: found a source that is not simulated, allowed: fieldRef, "
      "configMapKeyRef, secretKeyRef");
}

}  // namespace

Mounts MountsOf(const api::Container& container, const std::string& root) {
  Mounts mounts;
  for (const api::VolumeMount& mount : container.volume_mounts) {
    std::string path = mount.mount_path;
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    mounts[path] = root + "/" + mount.name + (mount.sub_path.empty() ? "" : "/" + mount.sub_path);
  }
  return mounts;
}

std::string HostArgument(const std::string& argument, const Mounts& mounts,
                         const std::string& pod_ip) {
  const size_t equals = argument.starts_with('-') ? argument.find('=') : std::string::npos;
  const size_t begin = equals == std::string::npos ? 0 : equals + 1;
  const std::string value = argument.substr(begin);
  return argument.substr(0, begin) + HostAddress(HostPath(value, mounts), pod_ip);
}

std::string ExpandVariables(const std::string& text, const api::StringMap& variables) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (text[i] == '$' && next == '$') {
      out += '$';
      ++i;
      continue;
    }
    const size_t end = text[i] == '$' && next == '(' ? text.find(')', i) : std::string::npos;
    const auto found = end == std::string::npos ? variables.end()
                                                : variables.find(text.substr(i + 2, end - i - 2));
    if (found == variables.end()) {
      out += text[i];
      continue;
    }
    out += found->second;
    i = end;
  }
  return out;
}

Result<api::StringMap> EnvironmentOf(const api::Container& container, const api::Pod& pod,
                                     const std::string& pod_ip, PodSources& sources) {
  api::StringMap variables;
  for (const api::EnvVar& variable : container.env) {
    if (!variable.value_from) {
      variables[variable.name] = ExpandVariables(variable.value, variables);
      continue;
    }
    auto value = ValueOf(*variable.value_from, pod, pod_ip, sources);
    if (!value) return Fail(value.error().With("variable " + variable.name));
    variables[variable.name] = std::move(*value);
  }
  return variables;
}

Result<std::string> FieldOf(const std::string& path, const api::Pod& pod,
                            const std::string& pod_ip) {
  const api::StringMap fields = {{"metadata.name", pod.metadata.name},
                                 {"metadata.namespace", pod.metadata.namespace_},
                                 {"metadata.uid", pod.metadata.uid},
                                 {"spec.nodeName", pod.spec.node_name},
                                 {"spec.serviceAccountName", pod.spec.service_account_name},
                                 {"status.podIP", pod_ip}};
  if (const auto found = fields.find(path); found != fields.end()) return found->second;
  const struct {
    std::string_view prefix;
    const api::StringMap& map;
  } maps[] = {{"metadata.labels['", pod.metadata.labels},
              {"metadata.annotations['", pod.metadata.annotations}};
  for (const auto& [prefix, map] : maps) {
    if (!path.starts_with(prefix) || !path.ends_with("']")) continue;
    const auto found = map.find(path.substr(prefix.size(), path.size() - prefix.size() - 2));
    return found == map.end() ? std::string() : found->second;
  }
  return ConfigError("fieldPath: found \"" + path + "\", which is not simulated");
}

}  // namespace berth::simulation
