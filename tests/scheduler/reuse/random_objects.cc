// SPDX-License-Identifier: Apache-2.0
#include "tests/scheduler/reuse/random_objects.h"

#include <string>
#include <utility>

namespace berth::scheduler::testing {
namespace {

constexpr size_t kImages = 16;

std::string ImageName(size_t i) { return "registry/image-" + std::to_string(i) + ":1"; }

std::string AnyTier(Random& random) { return std::to_string(random.Below(6)); }

api::NodeSelectorRequirement AnyRequirement(Random& random) {
  switch (random.Below(7)) {
    case 0:
      return Where("revision", "Gt", {std::to_string(random.Below(10'000))});
    case 1:
      return Where("disk", "In", {"ssd", "nvme"});
    case 2:
      return Where("disk", "NotIn", {"hdd"});
    case 3:
      return Where("team", random.Pick({"Exists", "DoesNotExist"}));
    case 4:
      return Where(kTierLabel, random.Pick({"Gt", "Lt"}), {AnyTier(random)});
    case 5:
      return Where(kZoneLabel, "In", {"z" + std::to_string(random.Below(3))});
    default:
      return Where(kTierLabel, "In", {AnyTier(random), AnyTier(random)});
  }
}

void AddResources(Random& random, PodBuilder& pod) {
  const std::string cpu = random.Pick({"100m", "250m", "1", "2", "6"});
  const std::string memory = random.Pick({"64Mi", "512Mi", "1Gi", "4Gi"});
  if (random.Percent(15)) {
    pod.Requests("");
  } else {
    pod.Requests("cpu=" + cpu + ",memory=" + memory);
  }
  if (random.Percent(8)) pod.Requests(random.Pick({"example.com/gpu=1", "example.com/gpu=3"}));
  if (random.Percent(6)) pod.Requests("ephemeral-storage=5Gi");
  if (random.Percent(6)) pod.InitContainer("cpu=3,memory=2Gi");
  if (random.Percent(6)) pod.Sidecar("cpu=200m,memory=32Mi");
  if (random.Percent(5)) pod.Overhead("cpu=50m,memory=16Mi");
  if (random.Percent(4)) pod.PodLevel("cpu=3,memory=3Gi");
}

void AddPorts(Random& random, PodBuilder& pod) {
  if (!random.Percent(10)) return;
  pod.HostPort(random.Pick({80, 8080, 9100}), random.Pick({"", "TCP", "UDP"}),
               random.Pick({"", "0.0.0.0", "10.0.0.1"}));
}

void AddTolerations(Random& random, PodBuilder& pod) {
  if (random.Percent(25)) pod.Toleration("dedicated", random.Pick({"", "gpu", "batch"}));
  if (random.Percent(15)) pod.Toleration("flaky");
  if (random.Percent(6)) pod.Toleration("node.kubernetes.io/unschedulable");
  if (random.Percent(5)) pod.Toleration(api::Toleration{.op = "Exists"});
}

void AddNodeAffinity(Random& random, PodBuilder& pod) {
  if (random.Percent(10)) pod.NodeSelector("disk", random.Pick({"ssd", "hdd", "nvme"}));
  if (random.Percent(8)) {
    pod.RequiredNodeTerm(Labels({AnyRequirement(random)}));
    if (random.OneIn(3)) pod.RequiredNodeTerm(Labels({AnyRequirement(random)}));
  }
  if (random.Percent(4)) {  // converted to a set of names by NodeAffinity
    for (size_t i = 1 + random.Below(4); i > 0; --i) {
      pod.RequiredNodeTerm(
          NodeNames({Where("metadata.name", "In", {"n" + std::to_string(random.Below(300))})}));
    }
  }
  for (size_t i = random.Percent(20) ? 1 + random.Below(3) : 0; i > 0; --i) {
    pod.PreferredNodeTerm(static_cast<int32_t>(1 + random.Below(100)),
                          Labels({AnyRequirement(random)}));
  }
}

std::string AnyOwner(Random& random) { return "set-" + std::to_string(random.Below(4)); }

void AddFeatures(Random& random, PodBuilder& pod) {
  if (!random.Percent(5)) return;
  pod.raw().spec.host_network = true;
  pod.raw().spec.host_users = random.OneIn(4);
}

std::string AnyApp(Random& random) { return random.Pick({"web", "db", "cache", "narrow"}); }

api::PodAffinityTerm AnyTerm(Random& random) {
  return PodsWith(kAppLabel, AnyApp(random), random.Pick({kZoneLabel, "disk", "team"}));
}

void AddPodAffinity(Random& random, PodBuilder& pod) {
  const auto weight = [&random] { return static_cast<int32_t>(1 + random.Below(100)); };
  if (random.Percent(3)) pod.Affinity(AnyTerm(random));
  if (random.Percent(3)) pod.AntiAffinity(AnyTerm(random));
  if (random.Percent(5)) pod.PreferredAffinity(weight(), AnyTerm(random));
  if (random.Percent(5)) pod.PreferredAntiAffinity(weight(), AnyTerm(random));
}

void AddSpreading(Random& random, PodBuilder& pod) {
  for (size_t i = random.Percent(8) ? 1 + random.Below(2) : 0; i > 0; --i) {
    auto constraint =
        SpreadBy(random.Pick({kZoneLabel, "disk"}), static_cast<int32_t>(1 + random.Below(4)),
                 random.Pick({"DoNotSchedule", "ScheduleAnyway"}), kAppLabel, AnyApp(random));
    if (random.OneIn(4)) constraint.node_taints_policy = "Honor";
    if (random.OneIn(4)) constraint.min_domains = 2;
    pod.Spread(std::move(constraint));
  }
}

}  // namespace

std::string AnyNamespace(Random& random) { return random.Pick({"default", "team-a", "team-b"}); }

void Relabel(Random& random, api::Node& node) {
  api::StringMap& labels = node.metadata.labels;
  for (const char* key : {"disk", "team", "revision", kTierLabel, kBrokenLabel}) labels.erase(key);
  labels["disk"] = random.Pick({"ssd", "hdd", "nvme"});
  if (random.Percent(90)) labels[kTierLabel] = AnyTier(random);
  if (random.Percent(40)) labels["team"] = random.Pick({"a", "b", "c"});
  labels["revision"] = std::to_string(random.Below(10'000));  // rarely equal
  if (random.Percent(2)) labels[kBrokenLabel] = "yes";
}

void Rezone(Random& random, api::Node& node) {
  if (random.Percent(85)) {
    node.metadata.labels[kZoneLabel] = "z" + std::to_string(random.Below(3));
  } else {
    node.metadata.labels.erase(kZoneLabel);
  }
}

void Retaint(Random& random, api::Node& node) {
  auto& taints = node.spec.taints;
  taints.clear();
  const auto add = [&](const char* key, const char* value, const char* effect) {
    taints.push_back({.key = key, .value = value, .effect = effect});
  };
  if (random.Percent(10)) add("dedicated", random.Pick({"gpu", "batch"}), "NoSchedule");
  if (random.Percent(10)) add("flaky", "", "PreferNoSchedule");
  if (random.Percent(5)) add("dedicated", "batch", "PreferNoSchedule");
  if (random.Percent(2)) add("drain", "", "NoExecute");
}

void Resize(Random& random, api::Node& node) {
  std::string amounts = std::string("cpu=") + random.Pick({"2", "4", "8", "16"}) +
                        ",memory=" + random.Pick({"4Gi", "16Gi", "64Gi"}) +
                        ",pods=" + random.Pick({"5", "30", "110"});
  if (random.Percent(70)) amounts += ",ephemeral-storage=50Gi";
  if (random.Percent(20)) amounts += random.Pick({",example.com/gpu=1", ",example.com/gpu=4"});
  node.status.allocatable = ResourcesOf(amounts);
}

void Reimage(Random& random, api::Node& node) {
  auto& images = node.status.images;
  images.clear();
  const size_t first = random.Below(kImages);
  for (size_t i = random.Below(6); i > 0; --i) {
    const size_t image = (first + i * i) % kImages;
    // Some nodes report another size.
    const auto megabytes = static_cast<int64_t>(30 + image * 70 + (random.OneIn(10) ? 5 : 0));
    images.push_back({.names = {ImageName(image)}, .size_bytes = megabytes << 20});
  }
}

void Redeclare(Random& random, api::Node& node) {
  node.status.declared_features.clear();
  if (random.Percent(70)) {
    node.status.declared_features.emplace_back("UserNamespacesHostNetworkSupport");
  }
}

void Reannotate(Random& random, api::Node& node) {
  auto& annotations = node.metadata.annotations;
  annotations.clear();
  if (random.OneIn(3)) return;
  annotations["scheduler.alpha.kubernetes.io/preferAvoidPods"] =
      R"({"preferAvoidPods":[{"podSignature":{"podController":{"kind":"ReplicaSet","uid":"uid-)" +
      AnyOwner(random) + R"("}}}]})";
}

NodeBuilder RandomNode(Random& random, std::string name) {
  NodeBuilder node(std::move(name));
  Relabel(random, node.raw());
  Rezone(random, node.raw());
  Retaint(random, node.raw());
  Resize(random, node.raw());
  Reimage(random, node.raw());
  Redeclare(random, node.raw());
  if (random.Percent(3)) node.Unschedulable();
  return node;
}

PodBuilder RandomPod(Random& random, std::string name) {
  PodBuilder pod(std::move(name));
  AddResources(random, pod);
  AddPorts(random, pod);
  AddTolerations(random, pod);
  AddNodeAffinity(random, pod);
  AddPodAffinity(random, pod);
  AddSpreading(random, pod);
  AddFeatures(random, pod);
  for (api::Container& container : pod.raw().spec.containers) {
    if (random.Percent(30)) container.image = ImageName(random.Below(kImages));
  }
  if (random.Percent(2)) pod.OnNode("n" + std::to_string(random.Below(300)));
  pod.Priority(random.Pick({0, 0, 10, 1000}));
  pod.Namespace(AnyNamespace(random));
  // The last group triggers failures of the scripted plugins.
  pod.Label(kAppLabel, random.Percent(90)
                           ? random.Pick({"web", "db", "cache", "narrow", "skipped", "rejected"})
                           : random.Pick({"fragile", "throws", "unscorable", "score-throws"}));
  return pod;
}

void AddOwner(Random& random, PodBuilder& pod) {
  if (!random.Percent(40)) return;
  const std::string name = AnyOwner(random);
  pod.ControlledBy("apps/v1", random.Percent(80) ? "ReplicaSet" : "StatefulSet", name);
  pod.raw().metadata.owner_references.back().uid = "uid-" + name;
}

api::ReplicaSet RandomReplicaSet(Random& random) {
  api::ReplicaSet set =
      MakeReplicaSet(AnyOwner(random), api::LabelSelector{{{kAppLabel, AnyApp(random)}}, {}});
  set.metadata.namespace_ = AnyNamespace(random);
  return set;
}

api::Service RandomService(Random& random) {
  api::Service service =
      MakeService("service-" + std::to_string(random.Below(5)), {{kAppLabel, AnyApp(random)}});
  service.metadata.namespace_ = AnyNamespace(random);
  return service;
}

}  // namespace berth::scheduler::testing
