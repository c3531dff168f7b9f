// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include <openssl/ssl.h>

#include "base/error.h"
#include "http/tls.h"

namespace berth::http {

// TlsContext prepares OpenSSL contexts for connections to one server: which roots are trusted, who
// we are, and why a handshake failed, which the libraries do not tell. Thread safe.
class TlsContext {
 public:
  // Create reads and checks everything once. Errors (kConfig) name the option, the file and what is
  // wrong with it.
  static Result<std::shared_ptr<TlsContext>> Create(TlsOptions options);

  // Configure fills a new context. Files are read again; an error means that no connection must be
  // made with it.
  Result<void> Configure(SSL_CTX* context);

  // ExpectName has OpenSSL check that the server's certificate is valid for a host name or an
  // address; for libraries that leave it to us.
  void ExpectName(SSL_CTX* context, const std::string& name) const;

  // LastFailure says why the last verification of the server failed; empty when none did.
  std::string LastFailure() const;

 private:
  struct HandshakeError;  // outlives this in the contexts made

  explicit TlsContext(TlsOptions options);

  Result<void> TrustRoots(SSL_CTX* context);
  Result<void> UseIdentity(SSL_CTX* context) const;
  static int Verify(X509_STORE_CTX* chain, void* unused);
  static int HandshakeErrorIndex();

  const TlsOptions options_;
  const std::shared_ptr<HandshakeError> handshake_error_;

  std::mutex mutex_;  // guards the two below
  std::string roots_text_;
  std::shared_ptr<X509_STORE> roots_;
};

// HideSystemRoots keeps OpenSSL from reading the system's trust store whenever a context is made,
// by pointing SSL_CERT_FILE and SSL_CERT_DIR at nothing; servers without a CA of their own still
// get what these named before. First call counts.
void HideSystemRoots();

}  // namespace berth::http
