// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/pod_info.h"

#include <algorithm>

namespace berth::scheduler {
namespace {

constexpr std::string_view kAnyAddress = "0.0.0.0";

void AppendHostPorts(const api::Container& container, std::vector<HostPort>& ports) {
  for (const api::ContainerPort& port : container.ports) {
    if (port.host_port <= 0) continue;
    ports.push_back({.ip = port.host_ip.empty() ? std::string(kAnyAddress) : port.host_ip,
                     .protocol = port.protocol.empty() ? "TCP" : port.protocol,
                     .port = port.host_port});
  }
}

// NonZeroRequests is what scores assume of a pod that does not say. With pod-level requests, a
// default stands in only for what neither level names.
api::ResourceList NonZeroRequests(const api::Pod& pod, const api::ResourceList& accounted) {
  RequestOptions options{.use_status = true, .default_cpu = true, .default_memory = true};
  if (HasPodLevelRequests(pod)) {
    options.default_cpu = !accounted.contains("cpu");
    options.default_memory = !accounted.contains("memory");
  }
  return PodRequests(pod, options);
}

}  // namespace

bool HostPort::Conflicts(const HostPort& other) const {
  return port == other.port && protocol == other.protocol &&
         (ip == other.ip || ip == kAnyAddress || other.ip == kAnyAddress);
}

std::vector<HostPort> HostPortsOf(const api::Pod& pod) {
  std::vector<HostPort> ports;
  for (const api::Container& container : pod.spec.init_containers) {
    if (IsSidecar(container)) AppendHostPorts(container, ports);
  }
  for (const api::Container& container : pod.spec.containers) AppendHostPorts(container, ports);
  return ports;
}

std::shared_ptr<const PodInfo> PodInfo::Create(std::shared_ptr<const api::Pod> pod,
                                               Vocabulary& vocabulary) {
  std::shared_ptr<PodInfo> info(new PodInfo());
  const api::PodSpec& spec = pod->spec;
  info->priority_ = spec.priority.value_or(0);
  info->qos_class_ = QosClassOf(*pod);
  const api::Affinity& affinity = spec.affinity.ValueOrDefault();
  info->has_affinity_ = affinity.pod_affinity.has_value() || affinity.pod_anti_affinity.has_value();
  info->has_required_anti_affinity_ = !affinity.pod_anti_affinity.ValueOrDefault().required.empty();

  for (const auto& [key, value] : pod->metadata.labels) {
    info->labels_.emplace_back(vocabulary.Intern(key), vocabulary.Intern(value));
  }
  std::sort(info->labels_.begin(), info->labels_.end());
  info->host_ports_ = HostPortsOf(*pod);

  const api::ResourceList accounted = PodRequests(*pod, {.use_status = true});
  const Resources non_zero = ToResources(NonZeroRequests(*pod, accounted), vocabulary);
  info->requests_ = ToResources(PodRequests(*pod, {}), vocabulary);
  info->accounted_ = ToResources(accounted, vocabulary);
  info->non_zero_milli_cpu_ = non_zero.milli_cpu;
  info->non_zero_memory_ = non_zero.memory;
  info->pod_ = std::move(pod);
  return info;
}

std::shared_ptr<const PodInfo> PodInfo::Bound(const PodInfo& pod, const std::string& node) {
  auto bound = std::make_shared<api::Pod>(pod.pod());
  bound->spec.node_name = node;
  std::shared_ptr<PodInfo> info(new PodInfo(pod));
  info->pod_ = std::move(bound);
  return info;
}

}  // namespace berth::scheduler
