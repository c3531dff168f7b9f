// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include "base/error.h"
#include "http/tls.h"

// Owning pointers for OpenSSL's objects, and parsers of PEM text. Only for http/.
namespace berth::http {

template <auto Free>
struct OpenSslFreer {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Certificate = std::unique_ptr<X509, OpenSslFreer<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, OpenSslFreer<EVP_PKEY_free>>;
using Bio = std::unique_ptr<BIO, OpenSslFreer<BIO_free_all>>;

// Returns the newest OpenSSL error of this thread and clears the error queue.
std::string OpenSslReason();

// Names the source of a PEM: "client-key /a/b.key" or "client-key-data".
std::string Describe(const Pem& pem, std::string_view option);

// Errors (kConfig) of these three functions name `option` or `where` and the cause.
Result<std::string> ReadPem(const Pem& pem, std::string_view option);
Result<std::vector<Certificate>> ParseCertificates(const std::string& text,
                                                   const std::string& where);
Result<Key> ParseKey(const std::string& text, const std::string& where);

// Returns a store that trusts the certificates in the text.
Result<std::shared_ptr<X509_STORE>> LoadRoots(const std::string& text, const std::string& where);

// Sets the certificate chain and key of a context. `option` is the prefix of the option names
// ("client": client-certificate, client-key).
Result<void> UseCertificate(SSL_CTX* context, const Pem& certificate, const Pem& key,
                            const std::string& option);

// Returns the content of a memory BIO.
std::string TakeText(const Bio& bio);

}  // namespace berth::http
