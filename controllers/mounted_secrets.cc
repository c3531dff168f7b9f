// SPDX-License-Identifier: Apache-2.0
#include "controllers/mounted_secrets.h"

#include <set>

#include "api/outbound_address.h"

namespace berth::controllers {
namespace {

constexpr std::string_view kKeys[] = {"tls.crt", "tls.key", "ca.crt"};

std::string PathOf(std::string_view secret, std::string_view key) {
  return "secrets/" + std::string(secret) + "/" + std::string(key);
}

}  // namespace

std::vector<std::string> MountedSecretsOf(const crds::SchedulerProfile& profile) {
  std::set<std::string> names;
  for (const crds::Extender& extender : profile.spec.extenders) {
    if (extender.tls_config && !extender.tls_config->secret_name.empty()) {
      names.insert(extender.tls_config->secret_name);
    }
  }
  return {names.begin(), names.end()};
}

std::string FileOfSecret(std::string_view secret, std::string_view key) {
  return std::string(api::kMountedFolder) + PathOf(secret, key);
}

std::vector<api::VolumeProjection> SecretProjections(const crds::SchedulerProfile& profile) {
  std::vector<api::VolumeProjection> projections;
  for (const std::string& secret : MountedSecretsOf(profile)) {
    api::ConfigMapProjection& source = projections.emplace_back().secret.emplace();
    source = {.name = secret, .items = {}, .optional = true};
    for (const std::string_view key : kKeys) {
      source.items.push_back({.key = std::string(key), .path = PathOf(secret, key)});
    }
  }
  return projections;
}

}  // namespace berth::controllers
