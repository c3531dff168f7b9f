// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "http/client/carrier.h"
#include "http/client/tls_context.h"
#include "http/client/transport.h"

namespace berth::http {

// InitializeThreads sizes cpprestsdk's thread pool (two threads; its own default is 40) and stops
// OpenSSL from loading the system's trust store for each new connection by pointing SSL_CERT_FILE
// and SSL_CERT_DIR at nothing; what they named before is kept for servers without a CA of their
// own. Call it first in main, before other threads: it changes the environment. Further calls do
// nothing; CreateTransport makes the first call if nobody did.
void InitializeThreads();

// MakeCpprestCarrier carries over cpprestsdk; `tls` is null for http. Requires: no IPv6 literal as
// host, which the library cannot resolve.
std::shared_ptr<Carrier> MakeCpprestCarrier(const TransportOptions& options,
                                            std::shared_ptr<TlsContext> tls);

}  // namespace berth::http
