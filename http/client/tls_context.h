// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include <openssl/ssl.h>

#include "base/error.h"
#include "http/tls.h"

namespace berth::http {

// TlsContext prepares OpenSSL contexts for connections to one server: trusted roots, client
// identity, and the reason of a failed handshake, which the libraries do not report. Thread safe.
class TlsContext {
 public:
  // Reads and checks all options once. Errors (kConfig) name the option, the file and the cause.
  static Result<std::shared_ptr<TlsContext>> Create(TlsOptions options);

  // Configures a new context. Files are read again. After an error the context must not be used.
  Result<void> Configure(SSL_CTX* context);

  // Makes OpenSSL check that the server's certificate is valid for a host name or an address; for
  // libraries that do not check it themselves.
  void ExpectName(SSL_CTX* context, const std::string& name) const;

  // Returns the reason of the last failed verification of the server; "" if none failed.
  std::string LastFailure() const;

 private:
  struct HandshakeError;  // contexts keep it alive

  explicit TlsContext(TlsOptions options);

  Result<void> TrustRoots(SSL_CTX* context);
  Result<void> UseIdentity(SSL_CTX* context) const;
  static int Verify(X509_STORE_CTX* chain, void* unused);
  static int HandshakeErrorIndex();

  const TlsOptions options_;
  const std::shared_ptr<HandshakeError> handshake_error_;

  std::mutex mutex_;  // guards the members below
  std::string roots_text_;
  std::shared_ptr<X509_STORE> roots_;
};

// Stops OpenSSL from loading the system's trust store for each context, by pointing SSL_CERT_FILE
// and SSL_CERT_DIR at nothing. Servers without a CA of their own still use the original locations.
// The first call counts.
void HideSystemRoots();

}  // namespace berth::http
