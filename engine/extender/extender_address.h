// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/outbound_address.h"
#include "api/scheduler_config.h"
#include "base/error.h"
#include "http/client/guarded_transport.h"

namespace berth::engine {

// ExtenderReach determines the allowed addresses of extenders. A configuration file of the
// administrator is trusted. Extenders of a rendered configuration must not have, or resolve to, an
// address that no profile may name (api/outbound_address.h), and their certificates are verified
// unless it sets `insecure`.
struct ExtenderReach {
  bool is_rendered = false;
  api::SidecarPorts sidecar_ports = {};  // for a rendered configuration
};

// Returns the reason why an extender must not be connected to at an address; nullopt if it may.
std::optional<std::string> WhyUnreachable(const ExtenderReach& reach, std::string_view address,
                                          uint16_t port);

// Returns the TLS options of an extender. As upstream, enableHTTPS without a CA bundle turns
// verification off, but not in a rendered configuration. Errors (kConfig): invalid Base64.
Result<http::TlsOptions> TlsOf(const api::Extender& extender, const ExtenderReach& reach);

// Reports whether the certificate of an https extender is verified; true for http.
Result<bool> VerifiesCertificate(const api::Extender& extender, const ExtenderReach& reach);

// Returns the URL prefix without trailing slashes.
std::string ExtenderUrl(const api::Extender& extender);

// Creates the transport to an extender. Errors (kConfig) name the invalid address or TLS field.
Result<std::unique_ptr<http::Transport>> MakeExtenderTransport(const api::Extender& extender,
                                                               const ExtenderReach& reach,
                                                               bool keeps_connections);

}  // namespace berth::engine
