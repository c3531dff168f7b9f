// SPDX-License-Identifier: Apache-2.0
// Properties of every plugin with a Filter or Score, checked with random pods and nodes. Their
// values are drawn from few words, so that they often match.
#include <functional>
#include <set>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "api/scheduler_config.h"
#include "base/json/json.h"
#include "base/yaml/yaml.h"
#include "scheduler/plugins/registry.h"
#include "tests/scheduler/testing/fixed_metrics.h"
#include "tests/scheduler/testing/random.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using testing::FilterAll;
using testing::Labels;
using testing::MakeNode;
using testing::MakePod;
using testing::NodeBuilder;
using testing::NodeNames;
using testing::PodBuilder;
using testing::ScoreAll;
using testing::TestCluster;
using testing::Where;

class RandomObjects : public testing::Random {
 public:
  using Random::Random;
  std::string Pick(std::initializer_list<const char*> words) { return Random::Pick(words); }

  NodeBuilder Node(const std::string& name) {
    NodeBuilder node = MakeNode(name);
    node.Allocatable("cpu=" + Pick({"0", "1", "4", "7"}) + ",memory=" + Pick({"1Gi", "3Gi"}) +
                     ",pods=" + Pick({"1", "2", "110"}));
    if (OneIn(2)) node.Allocatable("ephemeral-storage=" + Pick({"1Gi", "9Gi"}));
    if (OneIn(2)) node.Allocatable("example.com/gpu=" + Pick({"0", "1", "3"}));
    if (OneIn(2)) node.Label("zone", Pick({"1", "2"}));
    if (OneIn(2)) node.Label("rack", Pick({"1", "2", "3"}));
    if (OneIn(3)) node.Taint(Pick({"a", "b"}), Pick({"", "v"}), Effect());
    if (OneIn(5)) node.Taint("c", "", Effect());
    if (OneIn(6)) node.Unschedulable();
    if (OneIn(2)) node.Label("topology.kubernetes.io/zone", Pick({"a", "b", "c"}));
    if (OneIn(5)) node.Label("failure-domain.beta.kubernetes.io/zone", Pick({"a", "b"}));
    if (OneIn(2)) node.raw().status.declared_features = Features();
    if (OneIn(3)) {
      node.raw().metadata.annotations["scheduler.alpha.kubernetes.io/preferAvoidPods"] =
          R"({"preferAvoidPods":[{"podSignature":{"podController":{"kind":"ReplicaSet","uid":"uid-)" +
          Pick({"set-1", "set-2"}) + R"("}}}]})";
    }
    while (OneIn(2)) {
      const int64_t size = OneIn(2) ? 300'000'000 : 900'000'000;
      node.raw().status.images.push_back({{Pick({"a:1", "b:latest", "reg:5000/c:2"})}, size});
    }
    return node;
  }

  std::string CsiNode(const std::string& name) {
    return "{metadata: {name: " + name +
           "}, spec: {drivers: [{name: a.csi, nodeID: x, allocatable: {count: " +
           Pick({"0", "1", "2"}) +
           "}}, {name: ebs.csi.aws.com, nodeID: x, allocatable: {count: " + Pick({"1", "2"}) +
           "}}]}}";
  }

  PodBuilder Pod(const std::string& name) {
    PodBuilder pod = MakePod(name);
    if (!OneIn(5)) pod.Requests("cpu=" + Pick({"0", "500m", "2"}) + Pick({"", ",memory=1Gi"}));
    if (OneIn(3)) pod.Requests("");
    if (OneIn(5)) pod.Requests("example.com/gpu=" + Pick({"0", "1"}));
    if (OneIn(6)) pod.Requests("ephemeral-storage=1Gi");
    if (OneIn(8)) pod.PodLevel("cpu=" + Pick({"1", "2"}));
    if (OneIn(4)) pod.HostPort(OneIn(2) ? 80 : 81, Pick({"", "UDP"}), Pick({"", "10.0.0.1"}));
    if (OneIn(3)) pod.Toleration(Pick({"a", "b"}), Pick({"", "v"}), Pick({"", "NoSchedule"}));
    if (OneIn(4)) pod.Toleration("c");
    if (OneIn(9)) pod.Toleration("node.kubernetes.io/unschedulable");
    if (OneIn(5)) pod.NodeSelector("zone", Pick({"1", "2"}));
    if (OneIn(5)) pod.RequiredNodeTerm(Labels({Where("zone", Pick({"Exists", "DoesNotExist"}))}));
    if (OneIn(9)) pod.RequiredNodeTerm(NodeNames({Where("metadata.name", "In", {"n3"})}));
    if (OneIn(9)) pod.EmptyRequiredAffinity();
    if (OneIn(4)) pod.PreferredNodeTerm(OneIn(2) ? 1 : 9, Labels({Where("zone", "In", {"2"})}));
    if (OneIn(2)) pod.Label("app", Pick({"x", "y"}));
    if (OneIn(2)) {
      pod.raw().spec.volumes.emplace_back().persistent_volume_claim.Edit().claim_name =
          Pick({"bound", "elsewhere", "small", "large", "like-large", "made", "disk-1", "disk-2"});
    }
    if (OneIn(6)) pod.Affinity(Term());
    if (OneIn(6)) pod.AntiAffinity(Term());
    if (OneIn(6)) pod.PreferredAffinity(OneIn(2) ? 1 : 9, Term());
    if (OneIn(6)) pod.PreferredAntiAffinity(OneIn(2) ? 1 : 9, Term());
    while (OneIn(4)) pod.Spread(Constraint());
    if (OneIn(4)) {
      const std::string owner = Pick({"set-1", "set-2"});
      pod.ControlledBy("apps/v1", Pick({"ReplicaSet", "StatefulSet"}), owner);
      pod.raw().metadata.owner_references.back().uid = "uid-" + owner;
    }
    for (api::Container& container : pod.raw().spec.containers) {
      container.image = Pick({"a:1", "b", "d:4"});
    }
    if (OneIn(9)) pod.raw().spec.resource_claims.push_back({.name = "gpu"});
    if (OneIn(5)) {
      pod.raw().spec.volumes.emplace_back().image.Edit().reference = Pick({"a:1", "reg:5000/c:2"});
    }
    if (OneIn(8)) {
      auto& disk = pod.raw().spec.volumes.emplace_back().gce_persistent_disk.Edit();
      disk.pd_name = Pick({"d1", "d2"});
      disk.read_only = OneIn(2);
    }
    if (OneIn(8)) {
      auto& disk = pod.raw().spec.volumes.emplace_back().aws_elastic_block_store.Edit();
      disk.volume_id = Pick({"vol-1", "vol-2"});
    }
    while (OneIn(4)) {
      auto& claim = pod.raw().spec.volumes.emplace_back().persistent_volume_claim.Edit();
      claim.claim_name = ClaimName();
    }
    if (OneIn(8)) {
      pod.raw().spec.host_network = true;
      pod.raw().spec.host_users = OneIn(2);
    }
    if (OneIn(8) && !pod.raw().spec.containers.empty()) {
      auto& rules = pod.raw().spec.containers.back().restart_policy_rules;
      rules.push_back({Pick({"Restart", "RestartAllContainers"}), std::nullopt});
    }
    return pod;
  }

  // Volume objects, as YAML. Some refer to missing objects.
  std::string Claim(const std::string& name) {
    return "metadata: {name: " + name + ", namespace: " + Pick({"default", "default", "other"}) +
           "}\nspec: {volumeName: " + Pick({"''", "volume0", "volume1", "volume2", "volume4"}) +
           ", storageClassName: " + Pick({"''", "wait", "at-once", "none"}) + "}";
  }
  std::string Volume(const std::string& name) {
    return "metadata: {name: " + name + ", labels: {" +
           Pick({"", "topology.kubernetes.io/zone: a__b", "topology.kubernetes.io/zone: b__a",
                 "failure-domain.beta.kubernetes.io/zone: c", "topology.kubernetes.io/region: r"}) +
           "}}";
  }
  std::string StorageClass(const std::string& name) {
    return "metadata: {name: " + name +
           "}\nvolumeBindingMode: " + Pick({"Immediate", "WaitForFirstConsumer"});
  }
  std::string ClaimName() {
    return Pick({"claim0", "claim1", "claim2", "claim3", "claim4", "missing"});
  }

 private:
  api::PodAffinityTerm Term() {
    return testing::PodsWith("app", Pick({"x", "y"}), Pick({"zone", "rack"}));
  }
  api::TopologySpreadConstraint Constraint() {
    return testing::SpreadBy(Pick({"zone", "rack"}), OneIn(2) ? 1 : 2,
                             Pick({"DoNotSchedule", "ScheduleAnyway"}), "app", Pick({"x", "y"}));
  }
  std::vector<std::string> Features() {
    std::vector<std::string> features;
    if (OneIn(2)) features.emplace_back("RestartAllContainersOnContainerExits");
    if (OneIn(2)) features.emplace_back("UserNamespacesHostNetworkSupport");
    return features;
  }
  std::string Effect() { return Pick({"NoSchedule", "NoExecute", "PreferNoSchedule"}); }
};

constexpr const char* kRatio = R"({"ignoredResources":["example.com/gpu"],"scoringStrategy":{
    "type":"RequestedToCapacityRatio",
    "resources":[{"name":"cpu","weight":3},{"name":"ephemeral-storage"},{"name":"example.com/gpu"}],
    "requestedToCapacityRatio":{"shape":[{"utilization":0,"score":9},{"utilization":60,"score":2}]}}})";
constexpr const char* kBalanced = R"({"resources":[
    {"name":"cpu"},{"name":"memory"},{"name":"ephemeral-storage"},{"name":"example.com/gpu"}]})";
constexpr const char* kAdded = R"({"addedAffinity":{
    "requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
        {"matchExpressions":[{"key":"zone","operator":"Exists"}]}]}}})";

constexpr const char* kNodeLabels = R"({"presentLabels":["zone"],
    "presentLabelsPreference":["topology.kubernetes.io/zone"],"absentLabelsPreference":["rack"]})";

constexpr const char* kRules = R"json({"filters":[
    {"expression":"'app' in pod.metadata.labels || size(node.metadata.name) > 2"},
    {"expression":"node.metadata.labels['zone'] == '1' || pod.spec.tolerations.exists(t, t.key == 'a')"},
    {"expression":"node.spec.taints.all(x, pod.spec.tolerations.exists(t, t.key == x.key))"}],
    "scores":[{"expression":"node.status.allocatable['cpu'].asInteger() * size(pod.spec.containers)"},
    {"expression":"double(size(node.metadata.labels)) / 2.0","weight":3}],
    "normalizer":"MinMax"})json";

// PluginAndArgs is a plugin of the registry with arguments as JSON; "": the defaults.
using PluginAndArgs = std::pair<std::string, std::string>;

// Rows for plugins whose arguments affect the results.
const std::vector<PluginAndArgs>& RowsWithArguments() {
  static const std::vector<PluginAndArgs> rows = {
      {"NodeAffinity", ""},
      {"NodeAffinity", kAdded},
      {"NodeResourcesFit", ""},
      {"NodeResourcesFit", R"({"scoringStrategy":{"type":"MostAllocated"}})"},
      {"NodeResourcesFit", kRatio},
      {"NodeResourcesBalancedAllocation", ""},
      {"NodeResourcesBalancedAllocation", kBalanced},
      {"VolumeBinding", ""},
      {"VolumeBinding", R"({"storageCapacityScoring":false})"},
      {"Random", R"({"seed":5})"},
      {"PodNameLength", R"({"maxLength":3})"},
      {"Expressions", kRules},
      {"NetworkTraffic", R"({"address":"p:9090","deviceName":"eth0"})"},
      {"NodeLabel", kNodeLabels},
      {"ServiceAffinity", R"({"affinityLabels":["zone","rack"]})"},
      {"ServiceAffinity", R"({"antiAffinityLabelsPreference":["zone","rack"]})"},
  };
  return rows;
}

// Example is the part of a descriptor's example that has arguments.
struct Example {
  std::vector<api::PluginConfig> plugin_config;

  static auto Fields() {
    return json::Object(json::Field("pluginConfig", &Example::plugin_config));
  }
};

// Returns the default arguments of a plugin, or those of its example if the defaults are not valid.
std::string ArgumentsFor(const PluginDescriptor& plugin) {
  if (plugin.check({}).empty()) return "";
  const auto text = yaml::ToJson(plugin.example);
  BERTH_CHECK(text.has_value(), std::string(plugin.name) + ": the example is not YAML");
  const auto example = json::Decode<Example>(*text);
  BERTH_CHECK(example.has_value(), std::string(plugin.name) + ": " + example.error().message());
  for (const api::PluginConfig& config : example->plugin_config) {
    if (config.name == plugin.name) return config.args.text;
  }
  return "";
}

// Returns a row for every plugin of the registry with a Filter or Score.
std::vector<PluginAndArgs> Rows() {
  std::vector<PluginAndArgs> rows = RowsWithArguments();
  std::set<std::string_view> listed;
  for (const PluginAndArgs& row : RowsWithArguments()) listed.insert(row.first);
  const Registry registry = MakeRegistry();
  for (const PluginDescriptor& plugin : registry.plugins()) {
    const bool per_node =
        plugin.points.Has(ExtensionPoint::kFilter) || plugin.points.Has(ExtensionPoint::kScore);
    if (!per_node || listed.contains(plugin.name)) continue;
    rows.emplace_back(plugin.name, ArgumentsFor(plugin));
  }
  return rows;
}

// Adds the objects behind the claims of random pods.
void AddVolumes(TestCluster& cluster) {
  const auto add_class = [&](const std::string& name, const std::string& more) {
    cluster.Add<api::StorageClass>("{metadata: {name: " + name +
                                   "}, volumeBindingMode: WaitForFirstConsumer, " + more + "}");
  };
  const auto add_claim = [&](const std::string& name, const std::string& spec,
                             const std::string& annotations = "") {
    cluster.Add<api::PersistentVolumeClaim>("{metadata: {name: " + name +
                                            ", namespace: default, annotations: {" + annotations +
                                            "}}, spec: {" + spec + "}}");
  };
  const auto add_volume = [&](const std::string& name, const std::string& size,
                              const std::string& expression) {
    const std::string affinity = expression.empty()
                                     ? ""
                                     : ", nodeAffinity: {required: {nodeSelectorTerms: "
                                       "[{matchExpressions: [{" +
                                           expression + "}]}]}}";
    cluster.Add<api::PersistentVolume>("{metadata: {name: " + name +
                                       "}, spec: {storageClassName: local, capacity: {storage: " +
                                       size + "}" + affinity + "}, status: {phase: Available}}");
  };
  add_class("local", "provisioner: kubernetes.io/no-provisioner");
  add_class("made",
            "provisioner: disks, allowedTopologies: [{matchLabelExpressions: [{key: zone, "
            "values: [\"2\"]}]}]");
  const std::string bound = "pv.kubernetes.io/bind-completed: \"yes\"";
  add_claim("bound", "volumeName: zonal", bound);
  add_claim("elsewhere", "volumeName: gone", bound);
  add_claim("small", "storageClassName: local, resources: {requests: {storage: 1Gi}}");
  add_claim("large", "storageClassName: local, resources: {requests: {storage: 5Gi}}");
  add_claim("like-large", "storageClassName: local, resources: {requests: {storage: 5Gi}}");
  add_claim("made", "storageClassName: made, resources: {requests: {storage: 5Gi}}");
  for (const char* name : {"disk-1", "disk-2"}) {
    const std::string mode = name == std::string_view("disk-1") ? "ReadWriteOncePod" : "";
    add_claim(name, "volumeName: " + std::string(name) + ", accessModes: [" + mode + "]", bound);
    cluster.Add<api::PersistentVolume>("{metadata: {name: " + std::string(name) +
                                       "}, spec: {csi: {driver: a.csi, volumeHandle: " + name +
                                       "}}}");
  }
  add_volume("zonal", "3Gi", "key: zone, operator: In, values: [\"1\"]");
  add_volume("wide", "4Gi", "");
  add_volume("racked", "8Gi", "key: rack, operator: In, values: [\"1\", \"2\"]");
}

// Returns a random change of a volume object.
template <VolumeObject T>
EventObjects VolumeChange(ActionMask action, const std::function<std::string()>& text) {
  EventObjects objects;
  objects.volumes =
      VolumeObjects(action == action::kAdd ? nullptr : testing::ObjectOf<T>(text()),
                    action == action::kDelete ? nullptr : testing::ObjectOf<T>(text()));
  return objects;
}

EventObjects VolumeChange(Resource resource, ActionMask action, RandomObjects& random) {
  switch (resource) {
    case Resource::kPersistentVolumeClaim:
      return VolumeChange<api::PersistentVolumeClaim>(action, [&random] {
        if (random.OneIn(2)) return random.Claim(random.ClaimName());
        return "{metadata: {name: " + random.Pick({"bound", "small"}) +
               ", namespace: " + random.Pick({"default", "other"}) + "}}";
      });
    case Resource::kStorageClass:
      return VolumeChange<api::StorageClass>(action, [&random] {
        if (random.OneIn(2)) return random.StorageClass("wait");
        return "{metadata: {name: local}, allowedTopologies: [" + random.Pick({"", "{}"}) + "]}";
      });
    case Resource::kCsiNode:
      return VolumeChange<api::CsiNode>(action, [&random] {
        if (random.OneIn(2)) return random.CsiNode("n1");
        return "{metadata: {name: n1, annotations: {" +
               random.Pick({"", "storage.alpha.kubernetes.io/migrated-plugins: a"}) + "}}}";
      });
    case Resource::kVolumeAttachment:
      return VolumeChange<api::VolumeAttachment>(action, [&random] {
        return "{metadata: {name: t}, spec: {nodeName: n1, attacher: " +
               random.Pick({"a.csi", "ebs.csi.aws.com"}) + "}}";
      });
    case Resource::kCsiDriver:
      return VolumeChange<api::CsiDriver>(action, [&random] {
        return "{metadata: {name: disks}, spec: {storageCapacity: " +
               random.Pick({"true", "false"}) + "}}";
      });
    case Resource::kCsiStorageCapacity:
      return VolumeChange<api::CsiStorageCapacity>(action, [&random] {
        return "{metadata: {name: x, namespace: space}, capacity: " + random.Pick({"1Gi", "2Gi"}) +
               "}";
      });
    default:
      return VolumeChange<api::PersistentVolume>(action,
                                                 [&random] { return random.Volume("volume0"); });
  }
}

bool IsAboutVolumes(Resource resource) {
  return resource >= Resource::kPersistentVolume && resource <= Resource::kStorageClass;
}

// Plugins whose results do not depend on the pod.
bool ReadsNothingOfThePod(std::string_view plugin) {
  return plugin == "NodeNameLength" || plugin == "NodeLabel" || plugin == "NetworkTraffic";
}

// Plugins whose result for a node may depend on any pod of the cluster, so it is never cached.
bool DependsOnPodsAnywhere(std::string_view plugin) {
  return plugin == "PodTopologySpread" || plugin == "InterPodAffinity";
}

class AllPlugins : public ::testing::TestWithParam<PluginAndArgs> {
 protected:
  AllPlugins() {
    for (int i = 0; i < 25; ++i) {
      const std::string name = "n" + std::to_string(i);
      cluster_.Add(random_.Node(name));
      if (random_.OneIn(2)) cluster_.Add(random_.Pod("on-" + name).OnNode(name));
      if (random_.OneIn(2)) cluster_.Add<api::CsiNode>(random_.CsiNode(name));
    }
    AddVolumes(cluster_);
    cluster_.cache().Put(testing::MakeService("x", {{"app", "x"}}));
    cluster_.cache().Put(testing::MakeReplicaSet("set-1", api::LabelSelector{{{"app", "y"}}, {}}));
    for (int i = 0; i < 4; ++i) {
      const std::string number = std::to_string(i);
      cluster_.Add<api::PersistentVolumeClaim>(random_.Claim("claim" + number));
      cluster_.Add<api::PersistentVolume>(random_.Volume("volume" + number));
    }
    for (const char* name : {"wait", "at-once"}) {
      cluster_.Add<api::StorageClass>(random_.StorageClass(name));
    }
    const Registry registry = MakeRegistry();
    const PluginDescriptor* descriptor = registry.Find(GetParam().first);
    interests_ = descriptor->events;
    // Hint keys do not cover events of the pod itself.
    std::erase_if(interests_,
                  [](const auto& each) { return each.resource == Resource::kTargetPod; });
    PluginHandle handle = cluster_.handle();
    handle.metrics = &metrics_;
    auto made = descriptor->create({GetParam().second}, handle);
    BERTH_CHECK(made.has_value(), made.error().message());
    plugin_ = std::move(*made);
    metrics_.Tell({{"n1", 5}, {"n2", 80}, {"n7", 100}}, cluster_.snapshot());
  }

  PodBuilder NextPod(int i) {
    PodBuilder pod = random_.Pod("p" + std::to_string(i % 120));
    if (random_.OneIn(6)) pod.OnNode("n1");
    return pod;
  }

  // Returns an event that the plugin registered for: a node, a pod on a node, or a volume object.
  std::pair<ClusterEvent, EventObjects> NextEvent() {
    const EventInterest& interest = interests_[random_.Below(interests_.size())];
    ActionMask action = 0;
    while ((action & interest.actions) == 0) action = ActionMask{1} << random_.Below(14);
    if (IsAboutVolumes(interest.resource)) {
      return {{interest.resource, action, {}}, VolumeChange(interest.resource, action, random_)};
    }
    EventObjects objects;
    if (interest.resource == Resource::kNode) {
      if (action != action::kAdd) objects.old_node = random_.Node("n").Build();
      if (action != action::kDelete) objects.new_node = random_.Node("n").Build();
      return {{Resource::kNode, action, {}}, objects};
    }
    const auto placed = [this] {
      return random_.Pod("other").OnNode("n1").Placed(cluster_.words());
    };
    if (action != action::kAdd) objects.old_pod = placed();
    if (action != action::kDelete) objects.new_pod = placed();
    return {{Resource::kAssignedPod, action, {}}, objects};
  }

  RandomObjects random_{20261121};
  TestCluster cluster_;
  testing::FixedMetrics metrics_;
  std::vector<EventInterest> interests_;
  std::unique_ptr<Plugin> plugin_;
};

TEST_P(AllPlugins, PodsWithEqualKeysGetEqualResults) {
  struct Answers {
    std::map<std::string, std::string> verdicts;
    std::map<std::string, int64_t> scores;
    bool operator==(const Answers&) const = default;
  };
  std::map<std::string, Answers> by_key;
  for (int i = 0; i < 400; ++i) {
    Cycle cycle(cluster_, NextPod(i));
    Answers answers;
    if (dynamic_cast<FilterPlugin*>(plugin_.get()) != nullptr) {
      answers.verdicts = FilterAll(*plugin_, cycle);
    }
    if (dynamic_cast<ScorePlugin*>(plugin_.get()) != nullptr) {
      answers.scores = ScoreAll(*plugin_, cycle);
    }
    const ResultKey key = plugin_->KeyOf(cycle.context());
    ASSERT_EQ(key.usable(), !DependsOnPodsAnywhere(GetParam().first));
    if (!key.usable()) continue;
    const auto [known, added] = by_key.emplace(key.text(), answers);
    EXPECT_EQ(known->second, answers) << "key " << key.text();
  }
  if (DependsOnPodsAnywhere(GetParam().first)) return;
  EXPECT_LT(by_key.size(), 300u) << "too few pods share a key";
  EXPECT_EQ(by_key.size() == 1, ReadsNothingOfThePod(GetParam().first));
}

TEST_P(AllPlugins, PodsWithEqualHintKeysGetEqualHints) {
  if (interests_.empty()) return;  // no event, or every event, requeues all its pods
  std::vector<std::pair<ClusterEvent, EventObjects>> events;
  for (int i = 0; i < 60; ++i) events.push_back(NextEvent());
  std::map<std::string, std::vector<QueueingHint>> by_key;
  for (int i = 0; i < 400; ++i) {
    const auto pod = NextPod(i).Info(cluster_.words());
    const ResultKey key = plugin_->HintKeyOf(*pod);
    ASSERT_TRUE(key.usable());
    std::vector<QueueingHint> hints;
    for (const auto& [event, objects] : events) {
      hints.push_back(plugin_->Hint(*pod, event, objects));
    }
    const auto [known, added] = by_key.emplace(key.text(), hints);
    EXPECT_EQ(known->second, hints) << "key " << key.text();
  }
  EXPECT_LT(by_key.size(), 300u) << "too few pods share a key";
}

TEST_P(AllPlugins, BatchFormsEqualSingleForms) {
  const std::span<const Slot> slots = cluster_.snapshot().Order();
  const FeasibleNodes feasible({slots.begin(), slots.end()});
  for (int i = 0; i < 100; ++i) {
    Cycle cycle(cluster_, NextPod(i));
    if (const auto* filter = dynamic_cast<FilterPlugin*>(plugin_.get())) {
      const auto* pre_filter = dynamic_cast<PreFilterPlugin*>(plugin_.get());
      if (pre_filter != nullptr && random_.OneIn(2)) pre_filter->PreFilter(cycle.context());
      std::vector<Verdict> batch(slots.size(), Verdict::Failed(VerdictReason::Intern("unset")));
      filter->FilterBatch(cycle.context(), slots, batch);
      for (size_t n = 0; n < slots.size(); ++n) {
        EXPECT_EQ(batch[n], filter->Filter(cycle.context(), cluster_.snapshot().View(slots[n])));
      }
    }
    if (const auto* score = dynamic_cast<ScorePlugin*>(plugin_.get())) {
      const auto* pre_score = dynamic_cast<PreScorePlugin*>(plugin_.get());
      if (pre_score != nullptr && random_.OneIn(2)) pre_score->PreScore(cycle.context(), feasible);
      std::vector<int64_t> batch(slots.size(), -1);
      score->ScoreBatch(cycle.context(), slots, batch);
      for (size_t n = 0; n < slots.size(); ++n) {
        EXPECT_EQ(batch[n], score->Score(cycle.context(), cluster_.snapshot().View(slots[n])));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, AllPlugins, ::testing::ValuesIn(Rows()));

}  // namespace
}  // namespace berth::scheduler
