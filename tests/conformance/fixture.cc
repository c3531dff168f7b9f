// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/fixture.h"

#include <utility>

#include "base/json/json.h"

namespace berth::conformance {
namespace {

using Json = nlohmann::json;

template <class T>
Result<std::shared_ptr<const T>> ParseObject(const Json& document) {
  BERTH_TRY(T object, json::Decode<T>(document.dump()));
  return std::make_shared<const T>(std::move(object));
}

template <class T>
Result<std::vector<std::shared_ptr<const T>>> ParseList(const Json& objects, const char* field) {
  std::vector<std::shared_ptr<const T>> parsed;
  const auto list = objects.find(field);
  if (list == objects.end()) return parsed;
  for (const Json& document : *list) {
    BERTH_TRY(auto object, ParseObject<T>(document));
    parsed.push_back(std::move(object));
  }
  return parsed;
}

Result<std::vector<Step>> ParseSequence(const Json& document) {
  const Json& pods = document.at("podSequence");
  const Json& answers = document.at("steps");
  if (pods.size() != answers.size()) {
    return ConfigError("podSequence has " + std::to_string(pods.size()) + " pods, but there are " +
                       std::to_string(answers.size()) + " steps");
  }
  std::vector<Step> steps;
  for (size_t i = 0; i < pods.size(); ++i) {
    BERTH_TRY(auto pod, ParseObject<api::Pod>(pods[i]));
    steps.push_back({std::move(pod), answers[i].value("node", ""), answers[i].at("expect")});
  }
  return steps;
}

Result<Fixture> ParseDocument(const Json& document) {
  Fixture fixture;
  fixture.name = document.at("name").get<std::string>();
  BERTH_TRY(fixture.config,
            api::LoadSchedulerConfiguration(document.at("config").dump(), "config"));
  if (fixture.config.profiles.size() != 1) return ConfigError("config must have one profile");
  const Json& objects = document.at("objects");
  BERTH_TRY(fixture.nodes, ParseList<api::Node>(objects, "nodes"));
  BERTH_TRY(fixture.pods, ParseList<api::Pod>(objects, "pods"));
  BERTH_TRY(fixture.namespaces, ParseList<api::Namespace>(objects, "namespaces"));
  BERTH_TRY(fixture.services, ParseList<api::Service>(objects, "services"));
  BERTH_TRY(fixture.replication_controllers,
            ParseList<api::ReplicationController>(objects, "replicationControllers"));
  BERTH_TRY(fixture.replica_sets, ParseList<api::ReplicaSet>(objects, "replicaSets"));
  BERTH_TRY(fixture.stateful_sets, ParseList<api::StatefulSet>(objects, "statefulSets"));
  BERTH_TRY(fixture.budgets, ParseList<api::PodDisruptionBudget>(objects, "pdbs"));
  // An accepted difference: kube-scheduler ignores these budgets (budgets-for-all-pods in
  // tests/differential/differences.yaml), so the recorded results are those of a cluster without
  // them.
  std::erase_if(fixture.budgets,
                [](const auto& budget) { return budget->spec.selector == api::LabelSelector(); });
  BERTH_TRY(fixture.volumes, ParseList<api::PersistentVolume>(objects, "pvs"));
  BERTH_TRY(fixture.claims, ParseList<api::PersistentVolumeClaim>(objects, "pvcs"));
  BERTH_TRY(fixture.storage_classes, ParseList<api::StorageClass>(objects, "storageClasses"));
  BERTH_TRY(fixture.csi_nodes, ParseList<api::CsiNode>(objects, "csiNodes"));
  BERTH_TRY(fixture.csi_drivers, ParseList<api::CsiDriver>(objects, "csiDrivers"));
  BERTH_TRY(fixture.storage_capacities,
            ParseList<api::CsiStorageCapacity>(objects, "csiStorageCapacities"));
  BERTH_TRY(fixture.volume_attachments,
            ParseList<api::VolumeAttachment>(objects, "volumeAttachments"));
  fixture.is_sequence = document.contains("podSequence");
  if (fixture.is_sequence) {
    BERTH_TRY(fixture.steps, ParseSequence(document));
  } else {
    BERTH_TRY(auto pod, ParseObject<api::Pod>(document.at("pod")));
    fixture.steps.push_back({std::move(pod), std::nullopt, document.at("expect")});
  }
  return fixture;
}

}  // namespace

Result<Fixture> ParseFixture(std::string_view line) {
  try {
    return ParseDocument(Json::parse(line));
  } catch (const Json::exception& broken) {
    return ConfigError(broken.what());
  }
}

}  // namespace berth::conformance
