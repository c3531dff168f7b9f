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

// ExtenderReach is where extenders may be. Whoever runs a scheduler with a file of their own is
// obeyed. A configuration that was rendered for a profile leads nowhere that no profile may name
// (api/outbound_address.h), also where a name resolves to it, and its certificates are verified
// unless it says `insecure`.
struct ExtenderReach {
  bool is_rendered = false;
  api::SidecarPorts sidecar_ports = {};  // of a rendered scheduler
};

// WhyUnreachable says why an extender must not be connected to at an address; nothing: it may.
std::optional<std::string> WhyUnreachable(const ExtenderReach& reach, std::string_view address,
                                          uint16_t port);

// TlsOf is what an extender's TLS settings mean. As upstream, enableHTTPS without an authority turns
// verification off, but not in a rendered configuration. Errors (kConfig): data that is no Base64.
Result<http::TlsOptions> TlsOf(const api::Extender& extender, const ExtenderReach& reach);

// VerifiesCertificate is false for an extender over https with which anybody may answer.
Result<bool> VerifiesCertificate(const api::Extender& extender, const ExtenderReach& reach);

// ExtenderUrl is the prefix as calls use it: without slashes at its end.
std::string ExtenderUrl(const api::Extender& extender);

// MakeExtenderTransport makes what calls an extender. Errors (kConfig) name what is wrong with its
// address or its TLS settings.
Result<std::unique_ptr<http::Transport>> MakeExtenderTransport(const api::Extender& extender,
                                                               const ExtenderReach& reach,
                                                               bool keeps_connections);

}  // namespace berth::engine
