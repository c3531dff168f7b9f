// SPDX-License-Identifier: Apache-2.0
#include "convert/sidecars.h"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "api/outbound_address.h"

namespace berth::convert {
namespace {

// The port of the own host at which an extender is asked.
std::optional<uint16_t> OwnPort(const crds::Extender& extender) {
  const auto address = api::ReadOutboundAddress(extender.url_prefix);
  if (!address || !api::IsLoopback(address->host)) return std::nullopt;
  return address->port;
}

// The container that probably answers: the one that says so, else the first; taken off the list.
const api::Container* TakeAnswering(uint16_t port, std::vector<const api::Container*>& beside) {
  if (beside.empty()) return nullptr;
  auto found = std::ranges::find_if(beside, [port](const api::Container* container) {
    return std::ranges::any_of(container->ports, [port](const api::ContainerPort& declared) {
      return declared.container_port == port;
    });
  });
  if (found == beside.end()) found = beside.begin();
  const api::Container* container = *found;
  beside.erase(found);
  return container;
}

// "extender", "extender-2": one that neither the scheduler's container nor another sidecar has.
std::string FreeName(std::string name, const std::vector<crds::Sidecar>& sidecars) {
  if (name.empty() || name == "scheduler") name = "extender";
  std::string free = name;
  for (int i = 2; std::ranges::find(sidecars, free, &crds::Sidecar::name) != sidecars.end(); ++i) {
    free = fmt::format("{}-{}", name, i);
  }
  return free;
}

crds::Sidecar SidecarOf(const api::Container& container) {
  return {.name = container.name,
          .image = container.image,
          .command = container.command,
          .args = container.args,
          .env = container.env,
          .resources = container.resources};
}

void ReportContainer(const api::Container& container, const crds::Sidecar& sidecar,
                     const Reporter& reporter) {
  const std::string path = "containers[name=" + container.name + "]";
  reporter.Approximate(
      path, crds::SidecarPath(sidecar),
      fmt::format("it answers at the scheduler's own address, port {}; the operator must allow its "
                  "image (--allowed-images), and it has no token for the API server",
                  sidecar.port));
  const auto dropped = [&](bool is_set, std::string_view field, std::string reason) {
    if (is_set) reporter.Dropped(fmt::format("{}.{}", path, field), std::move(reason));
  };
  dropped(!container.volume_mounts.empty(), "volumeMounts", "sidecars see no volumes");
  dropped(container.liveness_probe || container.readiness_probe || container.startup_probe,
          "probes", "sidecars are not probed: the scheduler notices what does not answer");
  dropped(container.security_context.has_value(), "securityContext",
          "sidecars keep to restricted pod security");
}

void AskForImage(const crds::Extender& extender, const crds::Sidecar& sidecar,
                 const Reporter& reporter, Draft& draft) {
  const std::string path = crds::SidecarPath(sidecar);
  draft.comments.push_back(
      fmt::format("Fill in {}.image: of the program that answers {}.", path, extender.url_prefix));
  reporter.Approximate("extenders[urlPrefix=" + extender.url_prefix + "]", path,
                       fmt::format("it is asked at the scheduler's own address, port {}: fill in "
                                   "the image of what answers there, which the operator must "
                                   "allow (--allowed-images), or give it another address",
                                   sidecar.port));
}

}  // namespace

std::vector<const api::Container*> AddSidecars(std::vector<const api::Container*> beside,
                                               const Reporter& reporter, Draft& draft) {
  std::vector<crds::Sidecar>& sidecars = draft.spec.deployment.sidecars;
  std::vector<const api::Container*> taken;
  for (const crds::Extender& extender : draft.spec.extenders) {
    const auto port = OwnPort(extender);
    if (!port || std::ranges::find(sidecars, *port, &crds::Sidecar::port) != sidecars.end()) {
      continue;
    }
    const api::Container* container = TakeAnswering(*port, beside);
    crds::Sidecar sidecar = container != nullptr ? SidecarOf(*container) : crds::Sidecar{};
    sidecar.name = FreeName(std::move(sidecar.name), sidecars);
    sidecar.port = *port;
    if (container != nullptr) {
      ReportContainer(*container, sidecar, reporter);
      taken.push_back(container);
    }
    if (sidecar.image.empty()) AskForImage(extender, sidecar, reporter, draft);
    sidecars.push_back(std::move(sidecar));
  }
  return taken;
}

}  // namespace berth::convert
