// SPDX-License-Identifier: Apache-2.0
#include "convert/sidecars.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>

#include "api/outbound_address.h"
#include "base/json/field_path.h"

namespace berth::convert {
namespace {

// Returns the loopback port at which an extender is called.
std::optional<uint16_t> OwnPort(const crds::Extender& extender) {
  const auto address = api::ReadOutboundAddress(extender.url_prefix);
  if (!address || !api::IsLoopback(address->host)) return std::nullopt;
  return address->port;
}

// Removes and returns the container that probably serves the port: the one that declares it, else
// the first.
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

// SidecarNames gives each sidecar a name that neither the scheduler's container nor another sidecar
// has.
class SidecarNames {
 public:
  // Returns the name, or one such as "extender-2".
  std::string Take(std::string name) {
    if (name.empty() || name == "scheduler") name = "extender";
    if (taken_.insert(name).second) return name;
    int& number = numbers_.try_emplace(name, 1).first->second;
    std::string free;
    do {
      free = fmt::format("{}-{}", name, ++number);
    } while (!taken_.insert(free).second);
    return free;
  }

 private:
  std::set<std::string> taken_;
  std::map<std::string, int> numbers_;  // the last one behind each name
};

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
  const std::string path = json::ListEntryPath("containers", "name", container.name);
  reporter.Approximate(
      path, crds::SidecarPath(sidecar),
      fmt::format("it serves the scheduler's loopback port {}; the operator must allow its image "
                  "(--allowed-images), and it gets no API server token",
                  sidecar.port));
  const auto dropped = [&](bool is_set, std::string_view field, std::string reason) {
    if (is_set) reporter.Dropped(fmt::format("{}.{}", path, field), std::move(reason));
  };
  dropped(!container.volume_mounts.empty(), "volumeMounts", "sidecars cannot mount volumes");
  dropped(container.liveness_probe || container.readiness_probe || container.startup_probe,
          "probes", "sidecars have no probes: the scheduler detects an unresponsive extender");
  dropped(container.security_context.has_value(), "securityContext",
          "sidecars use the restricted Pod Security Standard");
}

void AskForImage(const crds::Extender& extender, const crds::Sidecar& sidecar,
                 const Reporter& reporter, Draft& draft) {
  const std::string path = crds::SidecarPath(sidecar);
  draft.comments.push_back(
      fmt::format("Fill in {}.image: the program that serves {}.", path, extender.url_prefix));
  reporter.Approximate(json::ListEntryPath("extenders", "urlPrefix", extender.url_prefix), path,
                       fmt::format("it is called at the scheduler's loopback port {}: fill in the "
                                   "image of the server, which the operator must allow "
                                   "(--allowed-images), or change the address",
                                   sidecar.port));
}

}  // namespace

std::vector<const api::Container*> AddSidecars(std::vector<const api::Container*> beside,
                                               const Reporter& reporter, Draft& draft) {
  std::vector<crds::Sidecar>& sidecars = draft.spec.deployment.sidecars;
  std::vector<const api::Container*> taken;
  SidecarNames names;
  std::set<uint16_t> ports;
  for (const crds::Extender& extender : draft.spec.extenders) {
    const auto port = OwnPort(extender);
    if (!port || !ports.insert(*port).second) continue;
    const api::Container* container = TakeAnswering(*port, beside);
    crds::Sidecar sidecar = container != nullptr ? SidecarOf(*container) : crds::Sidecar{};
    sidecar.name = names.Take(std::move(sidecar.name));
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
