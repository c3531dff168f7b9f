// SPDX-License-Identifier: Apache-2.0
#include "controllers/mounted_secrets.h"

#include <map>
#include <string>
#include <string_view>

#include "api/metric_source.h"
#include "api/outbound_address.h"

namespace berth::controllers {
namespace {

using Keys = std::vector<std::string_view>;

constexpr std::string_view kTlsKeys[] = {"tls.crt", "tls.key", "ca.crt"};
constexpr std::string_view kTokenKey = "token";

// Returns the mounted keys of each Secret by name. Only metric sources use a token.
std::map<std::string, Keys> KeysOf(const crds::SchedulerProfile& profile) {
  const Keys of_tls(std::begin(kTlsKeys), std::end(kTlsKeys));
  std::map<std::string, Keys> keys;
  for (const crds::Extender& extender : profile.spec.extenders) {
    if (!extender.tls_config || extender.tls_config->secret_name.empty()) continue;
    keys[extender.tls_config->secret_name] = of_tls;
  }
  for (const auto& [source, path] : api::MetricSourcesOf(profile.spec.plugin_config)) {
    if (source.secret_name.empty()) continue;
    Keys& of_source = keys[source.secret_name] = of_tls;
    of_source.push_back(kTokenKey);
  }
  return keys;
}

// Returns the path relative to api::kMountedFolder.
std::string PathOf(const std::string& secret, std::string_view key) {
  return api::FileOfSecret(secret, key).substr(api::kMountedFolder.size());
}

}  // namespace

std::vector<api::VolumeProjection> SecretProjections(const crds::SchedulerProfile& profile) {
  std::vector<api::VolumeProjection> projections;
  for (const auto& [secret, keys] : KeysOf(profile)) {
    api::ConfigMapProjection& source = projections.emplace_back().secret.emplace();
    source = {.name = secret, .items = {}, .optional = true};
    for (const std::string_view key : keys) {
      source.items.push_back({.key = std::string(key), .path = PathOf(secret, key)});
    }
  }
  return projections;
}

}  // namespace berth::controllers
