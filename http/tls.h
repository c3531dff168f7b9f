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

}  // namespace berth::http
