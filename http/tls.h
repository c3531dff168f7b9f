// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace berth::http {

// Pem holds certificates or a key: text, or a file that is read for each new connection, so that
// rotation on disk needs no restart. Text takes precedence over the file.
struct Pem {
  std::string data;
  std::string file;

  bool empty() const { return data.empty() && file.empty(); }
};

// TlsOptions are the trusted roots and the identity of a client.
struct TlsOptions {
  Pem ca;           // CA bundle, the only trusted roots; empty: the system's roots
  Pem certificate;  // of the client, with its chain; requires `key`
  Pem key;
  std::string server_name;  // expected in the server's certificate and sent as SNI; empty: the host
                            // of the URL
  bool insecure_skip_verify = false;
};

// ServerTlsOptions are the identity of a server and the CA bundle for client certificates.
struct ServerTlsOptions {
  Pem certificate;  // with its chain
  Pem key;
  // CA bundle for client certificates; empty: no certificate is requested. Certificates are
  // optional, and the handler decides about untrusted ones (Peer).
  Pem client_ca;
};

}  // namespace berth::http
