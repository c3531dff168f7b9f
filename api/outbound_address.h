// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/field_error.h"
#include "api/scheduler_config.h"
#include "base/error.h"

namespace berth::api {

// OutboundAddress is where a text that somebody else wrote makes a scheduler send requests. Such a
// text may lead to what listens on the node or in the cloud below it for trusted callers alone; the
// rules here hold whatever an installation allows, and also for the configuration that was rendered
// for a profile. A scheduler that is run by hand obeys its own file instead.
struct OutboundAddress {
  bool is_https = false;
  std::string host;  // lower case, without brackets and without a dot at its end
  uint16_t port = 0;

  // "HOST:PORT", with an IPv6 address in brackets.
  std::string ToString() const;
  bool operator==(const OutboundAddress&) const = default;
};

// ReadOutboundAddress reads the URL of a web service. Errors (kConfig) say what is allowed; what
// programs read in different ways is refused: user information, addresses that are no four plain
// numbers.
Result<OutboundAddress> ReadOutboundAddress(std::string_view url);

// ReadHostAndPort reads "HOST:PORT", as an admin's list has it.
Result<OutboundAddress> ReadHostAndPort(std::string_view text);

// ServiceNamespace gives NS where the host is a Service's name, NAME.NS.svc or
// NAME.NS.svc.cluster.local.
std::optional<std::string_view> ServiceNamespace(const OutboundAddress& address);

// ForbiddenReason says what a host or an address is that no profile may have requests sent to; nothing
// for others. To be asked of what a name resolves to, too.
std::optional<std::string_view> ForbiddenReason(std::string_view host);

// SidecarPorts are those at which containers beside a scheduler listen, in its pod: the one thing
// on the own host that it may call.
using SidecarPorts = std::set<uint16_t>;

// IsSidecar says that a sidecar is meant: localhost, 127.0.0.1 or [::1], at one of these ports.
bool IsSidecar(const OutboundAddress& address, const SidecarPorts& ports);

// IsLoopback says whether an address is the own host's.
bool IsLoopback(std::string_view address);

// kMountedFolder is the folder to which a scheduler's Secrets and configuration are mounted.
inline constexpr std::string_view kMountedFolder = "/etc/berth/";

// FileOfSecret is where a scheduler finds what a Secret that is mounted for it has under a key.
std::string FileOfSecret(std::string_view secret, std::string_view key);

// CheckOutboundUrl gives why no profile may have requests sent there: an address that is not https,
// unless it is a Service's or a sidecar's; other loopback, link-local and metadata addresses. `at` is
// the field's path.
std::vector<FieldError> CheckOutboundUrl(std::string_view url, const SidecarPorts& sidecars,
                                         const std::string& at);

// CheckOutbound gives what no profile may ask of an extender: such an address, and files beside
// /etc/berth/. `tls` may be nullptr; paths begin with `path`.
std::vector<FieldError> CheckOutbound(const ExtenderCalls& extender, const ExtenderTlsConfig* tls,
                                      const SidecarPorts& sidecars, const std::string& path);

}  // namespace berth::api
