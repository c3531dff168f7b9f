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

// Renders the objects of a profile: one pure function for each kind; rendered_kinds.cc lists them.
namespace berth::controllers {

inline constexpr std::string_view kFieldManager = "berth-operator";
inline constexpr std::string_view kManagedByLabel = "app.kubernetes.io/managed-by";

// The hash of the rendered text, on every object. A live object that differs although its hash is
// current was changed by another client.
inline constexpr std::string_view kRenderedHashAnnotation = "berth.dev/rendered-hash";

// On the pods of a scheduler that reads its configuration only at start: the configuration's hash.
inline constexpr std::string_view kConfigVersionAnnotation = "berth.dev/config-version";

inline constexpr int kMetricsPort = 10259;

// DefaultImage is Berth's own image, for schedulers of profiles that name no image.
struct DefaultImage {
  std::string name;
  std::string architecture;  // of the nodes that can run it, see crds::LinuxNodes
  // Image pull secrets; they exist in this namespace only.
  std::vector<api::LocalObjectReference> pull_secrets;
  std::string secrets_namespace;
};

// HealthPaths are the paths of a scheduler's probes.
struct HealthPaths {
  std::string live = "/livez";
  std::string ready = "/readyz";
};

// RenderInput is the input for the objects of one profile.
struct RenderInput {
  const crds::SchedulerProfile& profile;  // with defaults
  std::string config;                     // scheduler-config.yaml
  std::string version;                    // see WantedVersion
  std::string last_good;                  // empty: none yet
  std::vector<std::string> capabilities;  // sorted
  std::vector<std::string> names = {};    // that the scheduler may serve, see ServedNames::in_use
  DefaultImage default_image;             // of the engine, if engine.image is empty
  Ports api_server_ports;                 // the scheduler must reach them
  HealthPaths health_paths = {};
};

// Returns the image of this version, for an operator without --scheduler-image.
std::string DefaultSchedulerImage();

// Returns "berth-<profile>": the name of every namespaced object and of the Lease.
std::string ObjectName(const crds::SchedulerProfile& profile);

// Returns "berth:<profile>:<what>", the name of a ClusterRoleBinding.
std::string BindingName(const crds::SchedulerProfile& profile, std::string_view what);

// Returns all objects in the order of RenderedKinds(), each with the hash of its text in an
// annotation.
std::vector<RenderedObject> RenderAll(const RenderInput& input);

// Each renders one kind, without the hash annotation.
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

// ---- shared by several kinds

// Returns the operator's labels. None is copied from the profile, since GitOps tools prune by its
// labels.
api::StringMap LabelsOf(const crds::SchedulerProfile& profile);

// Returns the labels by which Services and Deployments select the scheduler's pods.
api::StringMap SelectorOf(const crds::SchedulerProfile& profile);

// Returns the metadata of an object: name, labels, and the profile as owner. A profile that is not
// stored has no uid; its objects have no owner.
api::ObjectMeta MetadataOf(const crds::SchedulerProfile& profile, std::string name,
                           std::string namespace_name);

}  // namespace berth::controllers
