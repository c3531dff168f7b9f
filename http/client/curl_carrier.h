// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "http/client/carrier.h"
#include "http/client/guarded_transport.h"
#include "http/client/tls_context.h"
#include "http/client/transport.h"

namespace berth::http {

// Returns a carrier over libcurl, which supports IPv6 literals; `tls` is null for http. All its
// callbacks run on its one thread.
std::shared_ptr<Carrier> MakeCurlCarrier(const TransportOptions& options,
                                         std::shared_ptr<TlsContext> tls, Guard guard = {});

}  // namespace berth::http
