// SPDX-License-Identifier: Apache-2.0
#include "bench/fixtures.h"

#include <fmt/format.h>

#include "scheduler/plugins/registry.h"

namespace berth::bench {
namespace {

std::string RequiredDisk() {
  return R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{)"
         R"("nodeSelectorTerms":[{"matchExpressions":[{"key":"example.com/disk",)"
         R"("operator":"In","values":["nvme","optane"]}]}]}}},)";
}

std::string PreferredPool(size_t pool) {
  return fmt::format(
      R"("affinity":{{"nodeAffinity":{{"preferredDuringSchedulingIgnoredDuringExecution":[{{)"
      R"("weight":50,"preference":{{"matchExpressions":[{{"key":"example.com/pool",)"
      R"("operator":"In","values":["pool-{}"]}}]}}}}]}}}},)",
      pool);
}

// HalfOfNodes rejects two nodes, accepts the next two, and so on.
class HalfOfNodes final : public scheduler::FilterPlugin {
 public:
  scheduler::Verdict Filter(const scheduler::CycleContext&,
                            const scheduler::NodeView& node) const override {
    return OfSlot(node.slot());
  }
  void FilterBatch(const scheduler::CycleContext&, std::span<const scheduler::Slot> slots,
                   std::span<scheduler::Verdict> out) const override {
    for (size_t i = 0; i < slots.size(); ++i) out[i] = OfSlot(slots[i]);
  }

 private:
  scheduler::Verdict OfSlot(scheduler::Slot slot) const {
    return slot % 4 < 2 ? scheduler::Verdict::Fits() : rejection_;
  }

  const scheduler::Verdict rejection_ = scheduler::Verdict::Unschedulable(
      scheduler::VerdictReason::Intern("node(s) were in the wrong half"));
};

std::shared_ptr<const scheduler::Profile> MakeProfile(const api::KubeSchedulerProfile& spec,
                                                      const scheduler::Registry& registry,
                                                      const scheduler::PluginHandle& handle) {
  constexpr int32_t kAllNodes = 100;
  auto profile = scheduler::Profile::Create(spec, kAllNodes, registry, handle);
  BERTH_CHECK(profile.has_value(), profile.error().message());
  return *profile;
}

}  // namespace

PodShape PlainShape() { return {.image = "registry.example.com/shop/image-1:1.0.0"}; }

PodShape ShapeAt(size_t index) {
  PodShape shape{.milli_cpu = 50 + static_cast<int64_t>(index % 1000),
                 .memory_mib = 64 + static_cast<int64_t>(index / 1000),
                 .app = fmt::format("app-{}", index),
                 .image = fmt::format("registry.example.com/shop/image-{}:1.0.0", index % 44)};
  switch (index % 16) {
    case 3:
      shape.constraints =
          fmt::format(R"("nodeSelector":{{"topology.kubernetes.io/zone":"{}"}},)", ZoneName(index));
      break;
    case 7:
      shape.constraints = RequiredDisk();
      break;
    case 11:
      shape.constraints = PreferredPool(index / 16 % 16);
      break;
    case 15:
      shape.more_tolerations =
          R"({"key":"example.com/dedicated","operator":"Exists","effect":"NoSchedule"},)";
      break;
    default:
      break;
  }
  return shape;
}

PodShape ApartShape(size_t index) {
  PodShape shape = ShapeAt(16 * index);
  shape.constraints = fmt::format(
      R"("affinity":{{"podAntiAffinity":{{"requiredDuringSchedulingIgnoredDuringExecution":[{{)"
      R"("labelSelector":{{"matchLabels":{{"app":"{}"}}}},)"
      R"("topologyKey":"kubernetes.io/hostname"}}]}}}},)",
      shape.app);
  return shape;
}

PodShape TemplateShape(size_t i, size_t pods, Terms terms) {
  constexpr size_t kTemplates = 2000;
  const size_t of = i * kTemplates / pods;
  return terms == Terms::kOfHalf && of % 2 == 0 ? ApartShape(of) : ShapeAt(of);
}

PodShape HugeShape() {
  PodShape shape = PlainShape();
  shape.milli_cpu = 1'000'000;
  shape.app = "huge";
  return shape;
}

PodShape HalfNodeShape() {
  PodShape shape = PlainShape();
  shape.milli_cpu = 33'000;
  shape.app = "half-a-node";
  return shape;
}

std::shared_ptr<const api::Node> MakeNode(size_t index, const NodeChange& change) {
  return DecodeFixture<api::Node>(NodeText(index, change));
}

std::shared_ptr<const api::Pod> MakePod(size_t serial, const PodShape& shape,
                                        std::string_view node) {
  return DecodeFixture<api::Pod>(PodText(serial, shape, node));
}

ClusterObjects MakeCluster(size_t nodes, size_t pods_per_node) {
  constexpr size_t kShapes = 200;
  ClusterObjects cluster;
  cluster.nodes.reserve(nodes);
  cluster.pods.reserve(nodes * pods_per_node);
  for (size_t node = 0; node < nodes; ++node) {
    cluster.nodes.push_back(MakeNode(node));
    const size_t pods = Mix(node) / 16 % (2 * pods_per_node + 1);
    for (size_t i = 0; i < pods; ++i) {
      const size_t serial = cluster.pods.size();
      cluster.pods.push_back(MakePod(serial, ShapeAt(Mix(serial) % kShapes), NodeName(node)));
    }
  }
  return cluster;
}

std::shared_ptr<const scheduler::Profile> DefaultProfile(const scheduler::PluginHandle& handle) {
  return MakeProfile({}, scheduler::MakeRegistry(), handle);
}

std::shared_ptr<const scheduler::Profile> ProfileWithCoscheduling(
    const scheduler::PluginHandle& handle) {
  api::KubeSchedulerProfile spec;
  spec.plugins.multi_point.disabled = {{"PrioritySort"}};
  spec.plugins.multi_point.enabled = {{"Coscheduling"}};
  return MakeProfile(spec, scheduler::MakeRegistry(), handle);
}

std::shared_ptr<const scheduler::Profile> ProfileWithFilterWithoutKey(
    const scheduler::PluginHandle& handle) {
  constexpr std::string_view kName = "HalfOfNodes";
  const scheduler::Registry shipped = scheduler::MakeRegistry();
  std::vector<scheduler::PluginDescriptor> plugins(shipped.plugins().begin(),
                                                   shipped.plugins().end());
  plugins.push_back(scheduler::Describe<HalfOfNodes>({.name = kName}));
  api::KubeSchedulerProfile spec;
  spec.plugins.multi_point.enabled.push_back({std::string(kName)});
  return MakeProfile(spec, scheduler::Registry(std::move(plugins)), handle);
}

std::shared_ptr<const scheduler::Profile> ProfileWithRule(const NodeRule& rule, Company company,
                                                          const scheduler::PluginHandle& handle) {
  api::KubeSchedulerProfile spec;
  spec.plugin_config = {{rule.plugin, {rule.args}}};
  spec.plugins.multi_point.enabled = {{rule.plugin}};
  if (company == Company::kNone) {
    spec.plugins.multi_point.enabled.push_back({"PrioritySort"});
    spec.plugins.multi_point.enabled.push_back({"DefaultBinder"});
    spec.plugins.multi_point.disabled = {{"*"}};
  }
  return MakeProfile(spec, scheduler::MakeRegistry(), handle);
}

}  // namespace berth::bench
