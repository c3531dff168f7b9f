// SPDX-License-Identifier: Apache-2.0
#include "crds/pod_parts.h"

#include <utility>

namespace berth::crds {
namespace {

constexpr int64_t kNonrootUser = 65532;
constexpr int64_t kTokenSeconds = 3607;  // as the kubelet requests
constexpr std::string_view kTokenDirectory = "/var/run/secrets/kubernetes.io/serviceaccount";

}  // namespace

api::PodSecurityContext RestrictedPod() {
  api::PodSecurityContext context;
  context.run_as_non_root = true;
  context.seccomp_profile = api::SeccompProfile{.type = "RuntimeDefault"};
  return context;
}

api::PodSecurityContext RestrictedPodAsNonroot() {
  api::PodSecurityContext context = RestrictedPod();
  context.run_as_user = kNonrootUser;
  context.run_as_group = kNonrootUser;
  context.fs_group = kNonrootUser;
  return context;
}

api::StringMap LinuxNodes(std::string_view architecture) {
  api::StringMap labels{{"kubernetes.io/os", "linux"}};
  if (!architecture.empty()) labels["kubernetes.io/arch"] = architecture;
  return labels;
}

api::SecurityContext RestrictedContainer() {
  api::SecurityContext context;
  context.allow_privilege_escalation = false;
  context.read_only_root_filesystem = true;
  context.capabilities = api::Capabilities{.drop = {"ALL"}};
  return context;
}

api::SecurityContext RestrictedContainerAsNonroot() {
  api::SecurityContext context = RestrictedContainer();
  context.run_as_user = kNonrootUser;
  context.run_as_group = kNonrootUser;
  return context;
}

api::Volume TokenVolume(std::string name) {
  api::VolumeProjection token;
  token.service_account_token.emplace() = {.expiration_seconds = kTokenSeconds, .path = "token"};
  api::VolumeProjection authority;
  authority.config_map.emplace() = {.name = "kube-root-ca.crt",
                                    .items = {{.key = "ca.crt", .path = "ca.crt"}}};
  api::VolumeProjection namespace_file;
  api::DownwardApiVolumeFile file{.path = "namespace"};
  file.field_ref =
      api::ObjectFieldSelector{.api_version = "v1", .field_path = "metadata.namespace"};
  namespace_file.downward_api.emplace().items = {file};

  api::Volume volume{.name = std::move(name)};
  volume.projected.emplace().sources = {token, authority, namespace_file};
  return volume;
}

api::VolumeMount TokenMount(std::string name) {
  return {.name = std::move(name), .mount_path = std::string(kTokenDirectory), .read_only = true};
}

api::Probe HttpProbe(std::string path, std::string_view port) {
  api::Probe probe;
  probe.http_get.emplace() = {
      .path = std::move(path), .port = IntOrString(std::string(port)), .scheme = "HTTP"};
  return probe;
}

}  // namespace berth::crds
