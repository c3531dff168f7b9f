// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "http/client/carrier.h"
#include "http/client/tls_context.h"
#include "http/client/transport.h"

namespace berth::http {

// Limits cpprestsdk's thread pool to two threads (its default is 40). Also stops OpenSSL from
// loading the system's trust store for each new connection, by pointing SSL_CERT_FILE and
// SSL_CERT_DIR at nothing; the original locations are kept for servers without a CA of their own.
// Call it first in main, before other threads start, because it changes the environment. Further
// calls do nothing. CreateTransport calls it if main did not.
void InitializeThreads();

// Returns a carrier over cpprestsdk; `tls` is null for http. Requires: the host is no IPv6 literal,
// which the library cannot resolve.
std::shared_ptr<Carrier> MakeCpprestCarrier(const TransportOptions& options,
                                            std::shared_ptr<TlsContext> tls);

}  // namespace berth::http
