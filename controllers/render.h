// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/apps.h"
#include "api/coordination.h"
#include "api/core.h"
#include "api/networking.h"
#include "api/policy.h"
#include "api/rbac.h"
#include "controllers/any_object.h"
#include "controllers/api_server_ports.h"
#include "crds/scheduler_profile.h"

// What is rendered for a profile: one function per kind, each pure; rendered_kinds.cc lists them.
namespace berth::controllers {

inline constexpr std::string_view kFieldManager = "berth-operator";
inline constexpr std::string_view kManagedByLabel = "app.kubernetes.io/managed-by";

// Hash of the rendered text, on every object: it tells a change of ours from somebody else's.
inline constexpr std::string_view kRenderedHashAnnotation = "berth.dev/rendered-hash";

// On the pods of a scheduler that starts with its configuration: the hash of it.
inline constexpr std::string_view kConfigVersionAnnotation = "berth.dev/config-version";

inline constexpr int kMetricsPort = 10259;

// DefaultImage is what schedulers run whose profile names no image: Berth's own.
struct DefaultImage {
  std::string name;
  std::string architecture;  // of the nodes that can run it, see crds::LinuxNodes
  // Secrets to fetch it with; they are in this namespace alone.
  std::vector<api::LocalObjectReference> pull_secrets;
  std::string secrets_namespace;
};

// HealthPaths are those that the probes of a scheduler ask.
struct HealthPaths {
  std::string live = "/livez";
  std::string ready = "/readyz";
};

// RenderInput is what the objects of one profile are made from.
struct RenderInput {
  const crds::SchedulerProfile& profile;  // with defaults
  std::string config;                     // scheduler-config.yaml
  std::string version;                    // see WantedVersion
  std::string last_good;                  // empty: none yet
  std::vector<std::string> capabilities;  // sorted
  DefaultImage default_image;             // of the engine, where engine.image is empty
  Ports api_server_ports;                 // that the scheduler must reach
  HealthPaths health_paths = {};
};

// DefaultSchedulerImage is the image of this version, for an operator without --scheduler-image.
std::string DefaultSchedulerImage();

// ObjectName is "berth-<profile>": the name of every namespaced object and of the Lease.
std::string ObjectName(const crds::SchedulerProfile& profile);

// BindingName is "berth:<profile>:<what>", a ClusterRoleBinding.
std::string BindingName(const crds::SchedulerProfile& profile, std::string_view what);

// RenderAll gives all objects, each with the hash of its text in an annotation, in the order of
// RenderedKinds().
std::vector<RenderedObject> RenderAll(const RenderInput& input);

// The kinds, without the hash annotation. Those that a profile may have none of give nothing then.
api::ServiceAccount RenderServiceAccount(const RenderInput& input);
api::Role RenderRole(const RenderInput& input);
api::RoleBinding RenderRoleBinding(const RenderInput& input);
std::vector<api::ClusterRoleBinding> RenderClusterRoleBindings(const RenderInput& input);
api::Lease RenderLease(const RenderInput& input);
api::ConfigMap RenderConfigMap(const RenderInput& input);
api::Service RenderService(const RenderInput& input);
std::optional<api::NetworkPolicy> RenderNetworkPolicy(const RenderInput& input);
std::optional<api::PodDisruptionBudget> RenderPodDisruptionBudget(const RenderInput& input);
api::Deployment RenderDeployment(const RenderInput& input);

// ---- parts that several kinds share

// Labels of our own; nothing is copied from the profile, since GitOps tools prune by its labels.
api::StringMap LabelsOf(const crds::SchedulerProfile& profile);

// SelectorOf is the labels by which Services and Deployments find the scheduler's pods.
api::StringMap SelectorOf(const crds::SchedulerProfile& profile);

// MetadataOf names and labels an object and makes the profile its owner. A profile that no server
// has stored has no uid; then there is no owner.
api::ObjectMeta MetadataOf(const crds::SchedulerProfile& profile, std::string name,
                           std::string namespace_name);

}  // namespace berth::controllers
