// SPDX-License-Identifier: Apache-2.0
#include "tests/sandbox/simulation/objects_under_test.h"

namespace berth::simulation {

std::string ATemplate(const std::string& image) {
  return R"({"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"image":")" + image +
         R"(","name":"main"}]}})";
}

Deployment ADeployment(int32_t replicas, const std::string& image) {
  Deployment deployment;
  deployment.metadata.name = "web";
  deployment.metadata.namespace_ = "shop";
  deployment.metadata.uid = "deployment-uid";
  deployment.metadata.generation = 1;
  deployment.spec.replicas = replicas;
  deployment.spec.selector.match_labels = {{"app", "web"}};
  deployment.spec.template_.text = ATemplate(image);
  return deployment;
}

ReplicaSet ASet(const std::string& name, const std::string& image, int32_t replicas,
                int32_t available, int64_t revision) {
  ReplicaSet set;
  set.metadata.name = name;
  set.metadata.namespace_ = "shop";
  set.metadata.uid = name + "-uid";
  set.metadata.creation_timestamp = kNow - std::chrono::hours(24) + std::chrono::seconds(revision);
  set.metadata.annotations[kRevisionAnnotation] = std::to_string(revision);
  set.metadata.owner_references = {{.api_version = "apps/v1",
                                    .kind = "Deployment",
                                    .name = "web",
                                    .uid = "deployment-uid",
                                    .controller = true}};
  set.spec.replicas = replicas;
  set.spec.template_.text = ATemplate(image);
  set.status = {.replicas = replicas, .ready_replicas = available, .available_replicas = available};
  return set;
}

PodPtr APod(const std::string& name, const std::string& owner_uid, const PodState& state) {
  auto pod = std::make_shared<api::Pod>();
  pod->metadata.name = name;
  pod->metadata.uid = name + "-uid";
  pod->metadata.namespace_ = "shop";
  pod->metadata.labels = {{"app", "web"}};
  pod->metadata.creation_timestamp = kNow - std::chrono::seconds(state.age_seconds);
  pod->metadata.owner_references = {{.api_version = "apps/v1",
                                     .kind = "ReplicaSet",
                                     .name = "set",
                                     .uid = owner_uid,
                                     .controller = true}};
  if (state.leaving) pod->metadata.deletion_timestamp = kNow;
  pod->spec.node_name = state.node;
  pod->status.phase = state.phase;
  pod->status.conditions = {
      {.type = "Ready",
       .status = state.ready ? "True" : "False",
       .last_transition_time = kNow - std::chrono::seconds(state.ready_for_seconds)}};
  return pod;
}

}  // namespace berth::simulation
