// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/core.h"
#include "api/field_error.h"
#include "api/scheduler_config.h"
#include "base/error.h"

namespace berth::api {

// OutboundAddress is the destination of requests that a user's configuration makes a scheduler
// send. It could point to endpoints on the node or in the cloud that are for trusted callers only.
// The rules here apply to all installations, and also to the configuration rendered for a profile.
// A scheduler that is run manually obeys its own file instead.
struct OutboundAddress {
  bool is_https = false;
  std::string host;  // lower case, without brackets and trailing dot
  uint16_t port = 0;

  // Returns "HOST:PORT", with an IPv6 address in brackets.
  std::string ToString() const;
  bool operator==(const OutboundAddress&) const = default;
};

// Parses the URL of a web service. Errors (kConfig) name what is allowed. Ambiguous forms are
// rejected: spaces, control characters, user information, and IPv4 addresses that are not four
// decimal numbers.
Result<OutboundAddress> ReadOutboundAddress(std::string_view url);

// Parses "HOST:PORT", as in an admin's list.
Result<OutboundAddress> ReadHostAndPort(std::string_view text);

struct ServiceReference {
  std::string namespace_, name;

  std::string ToString() const { return namespace_ + "/" + name; }
  auto operator<=>(const ServiceReference&) const = default;
};

// Returns the Service if the host is a Service name: NAME.NS.svc or NAME.NS.svc.cluster.local.
std::optional<ServiceReference> ServiceOf(const OutboundAddress& address);

// Returns why a profile must not send requests to a Service, as a predicate ("has no selector"), or
// nullopt if it may. A Service may lead to any address outside of its namespace if it is an alias
// of a host, or if its endpoints are not the pods of a selector.
std::optional<std::string_view> ForbiddenReason(const ServiceSpec& service);

// Returns why a profile must not send requests to this host or address, or nullopt if it may. Also
// check the addresses that a name resolves to.
std::optional<std::string_view> ForbiddenReason(std::string_view host);

// SidecarPorts are the ports of the other containers in the scheduler's pod, the only loopback
// ports it may call.
using SidecarPorts = std::set<uint16_t>;

// Reports whether the address is a sidecar: localhost, 127.0.0.1 or [::1], at one of these ports.
bool IsSidecar(const OutboundAddress& address, const SidecarPorts& ports);

// Reports whether an address is a loopback address.
bool IsLoopback(std::string_view address);

// kMountedFolder is the mount path of a scheduler's Secrets and configuration.
inline constexpr std::string_view kMountedFolder = "/etc/berth/";

// Returns the path at which a scheduler finds a key of a Secret mounted for it.
std::string FileOfSecret(std::string_view secret, std::string_view key);

// Returns why a profile must not send requests to a URL. Allowed are https, and http to a Service
// or a sidecar. Loopback (except for sidecars), link-local and metadata addresses are forbidden.
// `at` is the field's path.
std::vector<FieldError> CheckOutboundUrl(std::string_view url, const SidecarPorts& sidecars,
                                         const std::string& at);

// Returns the violations of an extender's configuration: a forbidden URL, verbs with spaces or
// control characters, or files outside of /etc/berth/. `tls` may be nullptr; paths begin with
// `path`.
std::vector<FieldError> CheckOutbound(const ExtenderCalls& extender, const ExtenderTlsConfig* tls,
                                      const SidecarPorts& sidecars, const std::string& path);

}  // namespace berth::api
