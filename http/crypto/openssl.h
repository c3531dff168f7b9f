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

// OpenSSL's objects with owners, and PEM text read into them. Only for http/.
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

// OpenSslReason is the newest OpenSSL error of this thread; empties the queue.
std::string OpenSslReason();

// Describe names where a PEM comes from: "client-key /a/b.key" or "client-key-data".
std::string Describe(const Pem& pem, std::string_view option);

// Errors (kConfig) of these three name `option` or `where` and what is wrong.
Result<std::string> ReadPem(const Pem& pem, std::string_view option);
Result<std::vector<Certificate>> ParseCertificates(const std::string& text,
                                                   const std::string& where);
Result<Key> ParseKey(const std::string& text, const std::string& where);

// LoadRoots makes a store that trusts the certificates of the text.
Result<std::shared_ptr<X509_STORE>> LoadRoots(const std::string& text, const std::string& where);

// UseCertificate makes a chain and its key the identity of a context. `option` is the prefix of the
// options' names ("client": client-certificate, client-key).
Result<void> UseCertificate(SSL_CTX* context, const Pem& certificate, const Pem& key,
                            const std::string& option);

// TakeText gives what was written to a memory BIO.
std::string TakeText(const Bio& bio);

}  // namespace berth::http
