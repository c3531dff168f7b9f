// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace berth::http {

// Pem is certificates or a key: text, or a file that is read again for each new connection, so
// rotation on disk needs no restart. Text beats the file.
struct Pem {
  std::string data;
  std::string file;

  bool empty() const { return data.empty() && file.empty(); }
};

// TlsOptions says whom to trust and who we are.
struct TlsOptions {
  Pem ca;           // the only trusted roots; empty: those of the system
  Pem certificate;  // of the client, with its chain; needs `key`
  Pem key;
  std::string server_name;  // expected in the server's certificate and sent as SNI; empty: the host
                            // of the URL
  bool insecure_skip_verify = false;
};

// ServerTlsOptions says who a server is, and whose clients may show who they are.
struct ServerTlsOptions {
  Pem certificate;  // with its chain
  Pem key;
  // The authority of client certificates; empty: none is asked for. A client may always come
  // without one, and one that is not trusted is left to the handler (Peer).
  Pem client_ca;
};

}  // namespace berth::http
