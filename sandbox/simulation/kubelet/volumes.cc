// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/kubelet/volumes.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

#include "base/file.h"
#include "sandbox/simulation/kubelet/container_command.h"

namespace berth::simulation {
namespace {

namespace fs = std::filesystem;
using Files = std::map<std::string, std::string>;

constexpr int64_t kDefaultTokenSeconds = 3600;

// Returns the keys in `items` under their paths, or all keys if it is empty.
Result<Files> Pick(const Result<api::StringMap>& data, const std::vector<api::KeyToPath>& items,
                   std::optional<bool> optional, const std::string& what) {
  if (!data) {
    if (optional.value_or(false) && data.error().Is(Reason::kNotFound)) return Files();
    return Fail(data.error().With(what));
  }
  if (items.empty()) return Files(data->begin(), data->end());
  Files files;
  for (const api::KeyToPath& item : items) {
    const auto found = data->find(item.key);
    if (found != data->end()) {
      files[item.path] = found->second;
    } else if (!optional.value_or(false)) {
      return ConfigError(what + ": references non-existent config key: " + item.key);
    }
  }
  return files;
}

Result<Files> DownwardFiles(const std::vector<api::DownwardApiVolumeFile>& items,
                            const api::Pod& pod) {
  Files files;
  for (const api::DownwardApiVolumeFile& item : items) {
    if (!item.field_ref) {
      return ConfigError("downwardAPI " + item.path +
                         ": found a source that is not simulated, allowed: fieldRef");
    }
    BERTH_TRY(files[item.path], FieldOf(item.field_ref->field_path, pod, ""));
  }
  return files;
}

}  // namespace

PodVolumes::~PodVolumes() {
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

Result<void> PodVolumes::Write(const api::Pod& pod) {
  for (const api::Volume& volume : pod.spec.volumes) {
    const Result<Files> files = FilesOf(volume, pod);
    if (!files) return Fail(files.error().With("volume " + volume.name));
    BERTH_TRY_VOID(WriteFiles(volume.name, *files));
  }
  return {};
}

template <class Source>
Result<Files> PodVolumes::FromConfigMap(const std::string& ns, const std::string& name,
                                        const Source& source) {
  return Pick(sources_.ConfigMapData(ns, name), source.items, source.optional, "ConfigMap " + name);
}

template <class Source>
Result<Files> PodVolumes::FromSecret(const std::string& ns, const std::string& name,
                                     const Source& source) {
  return Pick(sources_.SecretData(ns, name), source.items, source.optional, "Secret " + name);
}

Result<Files> PodVolumes::FilesOf(const api::Volume& volume, const api::Pod& pod) {
  const std::string& ns = pod.metadata.namespace_;
  if (volume.config_map) return FromConfigMap(ns, volume.config_map->name, *volume.config_map);
  if (volume.secret) return FromSecret(ns, volume.secret->secret_name, *volume.secret);
  if (volume.downward_api) return DownwardFiles(volume.downward_api->items, pod);
  if (volume.projected) {
    Files files;
    for (const api::VolumeProjection& projection : volume.projected->sources) {
      BERTH_TRY(Files more, FilesOf(projection, volume.name, pod));
      files.merge(more);
    }
    return files;
  }
  if (volume.empty_dir) return Files();
  return ConfigError(
      "found a volume type that is not simulated, allowed: configMap, secret, "
      "downwardAPI, projected, emptyDir");
}

Result<Files> PodVolumes::FilesOf(const api::VolumeProjection& projection,
                                  const std::string& volume, const api::Pod& pod) {
  const std::string& ns = pod.metadata.namespace_;
  if (projection.config_map) {
    return FromConfigMap(ns, projection.config_map->name, *projection.config_map);
  }
  if (projection.secret) return FromSecret(ns, projection.secret->name, *projection.secret);
  if (projection.downward_api) return DownwardFiles(projection.downward_api->items, pod);
  if (projection.service_account_token) {
    const api::ServiceAccountTokenProjection& source = *projection.service_account_token;
    BERTH_TRY(std::string token, TokenFor(source, volume, pod));
    return Files{{source.path, std::move(token)}};
  }
  return ConfigError(
      "found a projection that is not simulated, allowed: configMap, secret, "
      "downwardAPI, serviceAccountToken");
}

Result<std::string> PodVolumes::TokenFor(const api::ServiceAccountTokenProjection& projection,
                                         const std::string& volume, const api::Pod& pod) {
  const std::string key = volume + "/" + projection.path;
  const auto known = tokens_.find(key);
  if (known != tokens_.end() && clock_.Now() < known->second.renew_at) return known->second.token;
  const int64_t life = projection.expiration_seconds.value_or(kDefaultTokenSeconds);
  BERTH_TRY(std::string token, sources_.Token(pod, projection.audience, life));
  tokens_[key] = {token, clock_.Now() + std::chrono::seconds(life * 4 / 5)};
  return token;
}

Result<void> PodVolumes::WriteFiles(const std::string& volume, const Files& files) const {
  const fs::path folder = fs::path(root_) / volume;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return ConfigError(folder.string() + ": " + error.message());
  for (const auto& [path, content] : files) {
    const fs::path file = folder / path;
    fs::create_directories(file.parent_path(), error);
    const Result<std::string> present = ReadFile(file.string());
    if (present && *present == content) continue;
    BERTH_TRY_VOID(WriteFile(file.string(), content));
  }
  return {};
}

}  // namespace berth::simulation
