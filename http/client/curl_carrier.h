// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "http/client/carrier.h"
#include "http/client/guarded_transport.h"
#include "http/client/tls_context.h"
#include "http/client/transport.h"

namespace berth::http {

// MakeCurlCarrier carries over libcurl, which reaches what cpprestsdk cannot; `tls` is null for
// http. It has one thread, on which all its callbacks run.
std::shared_ptr<Carrier> MakeCurlCarrier(const TransportOptions& options,
                                         std::shared_ptr<TlsContext> tls, Guard guard = {});

}  // namespace berth::http
