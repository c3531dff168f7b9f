// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "base/error.h"
#include "http/client/transport.h"
#include "http/tls.h"

namespace berth::http {

struct TransportOptions {
  std::string url;  // https://host:port[/prefix]; http is allowed, for tests and tunnels
  TlsOptions tls;

  // Requests in flight per lane; the plateau measured in the design notes is 4 to 16.
  size_t normal_limit = 16;
  size_t urgent_limit = 4;
  // Of a stream: bookmarks come each minute.
  std::chrono::milliseconds silence_limit = std::chrono::seconds(75);
  size_t max_line_bytes = 16 << 20;
  size_t stream_buffer_bytes = 8 << 20;  // lines read ahead of the consumer of one stream
};

// InitializeThreads sizes cpprestsdk's thread pool (two threads; its own default is 40) and stops
// OpenSSL from loading the system's trust store for each new connection by pointing SSL_CERT_FILE
// and SSL_CERT_DIR at nothing; what they named before is kept for servers without a CA of their
// own. Call it first in main, before other threads: it changes the environment. Further calls do
// nothing; CreateTransport makes the first call if nobody did.
void InitializeThreads();

// CreateTransport makes a transport over cpprestsdk: HTTP/1.1, redirects not followed, connections
// kept. It checks what can be checked before the first request: URL, readable certificates,
// certificate and key as a pair. No connection is made yet. Errors (kConfig) name the option. IPv6
// literals as host are refused: the library cannot resolve them.
Result<std::unique_ptr<Transport>> CreateTransport(TransportOptions options);

}  // namespace berth::http
