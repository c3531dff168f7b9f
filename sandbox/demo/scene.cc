// SPDX-License-Identifier: Apache-2.0
#include "sandbox/demo/scene.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "base/json/document.h"

namespace berth::sandbox {
namespace {

using Json = nlohmann::json;

constexpr const char* kZoneLabel = "topology.kubernetes.io/zone";
constexpr const char* kTypeLabel = "node.kubernetes.io/instance-type";
constexpr const char* kGpu = "nvidia.com/gpu";

struct Size {
  const char* name;
  int64_t cpu;
  int64_t memory_gib;
};
constexpr std::array kSizes = {Size{"small", 4, 8}, Size{"medium", 8, 16}, Size{"large", 16, 64}};
constexpr std::array kZones = {"east", "west", "north"};

struct Demand {
  const char* name;
  const char* cpu;
  const char* memory;
  const char* image;
};
constexpr std::array kDemands = {
    Demand{"web", "500m", "256Mi", "nginx:1.29"}, Demand{"db", "2", "4Gi", "postgres:18"},
    Demand{"cache", "250m", "1Gi", "redis:8"}, Demand{"batch", "3", "1Gi", "python:3.14"}};

Quantity Gib(int64_t count) {
  return Quantity::FromValue(count << 30, Quantity::Format::kBinarySi);
}

simulation::NodeDescription NodeOf(int index, const Size& size) {
  simulation::NodeDescription node;
  node.name = std::string(size.name) + "-" + std::to_string(index + 1);
  node.allocatable = {{"cpu", Quantity::FromValue(size.cpu)}, {"memory", Gib(size.memory_gib)}};
  node.labels = {{kZoneLabel, kZones[static_cast<size_t>(index) % kZones.size()]},
                 {kTypeLabel, size.name}};
  return node;
}

}  // namespace

std::vector<simulation::NodeDescription> NodesOf(int count) {
  std::vector<simulation::NodeDescription> nodes;
  for (int i = 0; i + 1 < count; ++i) {
    nodes.push_back(NodeOf(i, kSizes[static_cast<size_t>(i) % kSizes.size()]));
  }
  simulation::NodeDescription gpu = NodeOf(count - 1, kSizes.back());
  gpu.name = "gpu-" + std::to_string(count);
  gpu.labels[kTypeLabel] = "gpu";
  gpu.labels[kDedicatedLabel] = "gpu";
  gpu.allocatable[kGpu] = Quantity::FromValue(4);
  gpu.taints = {{.key = kDedicatedLabel, .value = "gpu", .effect = "NoSchedule"}};
  nodes.push_back(std::move(gpu));
  // ImageLocality prefers a node that already has the image.
  nodes[1].images = {
      {.names = {"docker.io/library/postgres:18"}, .size_bytes = int64_t{450} << 20}};
  return nodes;
}

std::string NodeLine(const simulation::NodeDescription& node) {
  std::string line = node.name;
  line.resize(std::max<size_t>(line.size(), 12), ' ');
  line += "zone " + node.labels.at(kZoneLabel);
  line.resize(std::max<size_t>(line.size(), 24), ' ');
  for (const auto& [resource, quantity] : node.allocatable) {
    line += resource + " " + quantity.ToString() + "  ";
  }
  for (const api::Taint& taint : node.taints) {
    line += "taint " + taint.key + "=" + taint.value + ":" + taint.effect + "  ";
  }
  if (!node.images.empty()) line += "has " + node.images[0].names[0] + "  ";
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::vector<std::string> ArrivingPods(int count, const std::vector<std::string>& schedulers) {
  std::vector<std::string> pods;
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
    const Demand& demand = kDemands[i % kDemands.size()];
    const Json requests = {{"cpu", demand.cpu}, {"memory", demand.memory}};
    pods.push_back(berth::json::DocumentText(
        Json({{"apiVersion", "v1"},
              {"kind", "Pod"},
              {"metadata",
               {{"name", std::string(demand.name) + "-" + std::to_string(i + 1)},
                {"namespace", "default"},
                {"labels", {{"app", demand.name}}}}},
              {"spec",
               {{"schedulerName", schedulers[i % schedulers.size()]},
                {"containers", Json::array({{{"name", "main"},
                                             {"image", demand.image},
                                             {"resources", {{"requests", requests}}}}})}}}})));
  }
  return pods;
}

std::string GpuPod(const std::string& name, const std::string& scheduler) {
  return berth::json::DocumentText(
      Json({{"apiVersion", "v1"},
            {"kind", "Pod"},
            {"metadata", {{"name", name}, {"namespace", "default"}}},
            {"spec",
             {{"schedulerName", scheduler},
              {"nodeSelector", {{kDedicatedLabel, "gpu"}}},
              {"containers", Json::array({{{"name", "main"},
                                           {"image", "trainer:1"},
                                           {"resources", {{"limits", {{kGpu, "1"}}}}}}})}}}}));
}

}  // namespace berth::sandbox
