// SPDX-License-Identifier: Apache-2.0
#include "http/client/tls_context.h"

#include <cstdlib>
#include <utility>

#include <openssl/err.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "http/crypto/openssl.h"

namespace berth::http {
namespace {

struct SystemRoots {
  std::string file;
  std::string directory;
};

std::string Variable(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

// Locations of the system's roots, from the environment at the first call.
const SystemRoots& FindSystemRoots() {
  static const SystemRoots roots{
      Variable(X509_get_default_cert_file_env(), X509_get_default_cert_file()),
      Variable(X509_get_default_cert_dir_env(), X509_get_default_cert_dir())};
  return roots;
}

void FreeText(char* text) { OPENSSL_free(text); }

std::string SubjectOf(X509* certificate) {
  if (certificate == nullptr) return "none";
  const Bio out(BIO_new(BIO_s_mem()));
  X509_NAME_print_ex(out.get(), X509_get_subject_name(certificate), 0, XN_FLAG_RFC2253);
  return TakeText(out);
}

// Returns the names a certificate is valid for, as in "DNS:localhost, IP Address:127.0.0.1".
std::string AlternativeNames(X509* certificate) {
  const int at = X509_get_ext_by_NID(certificate, NID_subject_alt_name, -1);
  if (at < 0) return "no name";
  const Bio out(BIO_new(BIO_s_mem()));
  X509V3_EXT_print(out.get(), X509_get_ext(certificate, at), 0, 0);
  return TakeText(out);
}

bool IsOfTheName(int error) {
  return error == X509_V_OK || error == X509_V_ERR_UNSPECIFIED ||
         error == X509_V_ERR_HOSTNAME_MISMATCH || error == X509_V_ERR_IP_ADDRESS_MISMATCH;
}

// Returns the expected name or address; addresses are not sent as SNI.
std::string WantedName(const SSL* ssl, X509_VERIFY_PARAM* wanted) {
  const char* const sent = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
  if (sent != nullptr) return sent;
  const std::unique_ptr<char, OpenSslFreer<FreeText>> address(
      X509_VERIFY_PARAM_get1_ip_asc(wanted));
  return address ? address.get() : "this host";
}

std::shared_ptr<X509_STORE> LoadSystemRoots() {
  const SystemRoots& system = FindSystemRoots();
  std::shared_ptr<X509_STORE> store(X509_STORE_new(), X509_STORE_free);
  X509_STORE_load_file(store.get(), system.file.c_str());
  X509_STORE_load_path(store.get(), system.directory.c_str());
  ERR_clear_error();
  return store;
}

}  // namespace

struct TlsContext::HandshakeError {
  mutable std::mutex mutex;
  std::string text;

  void Set(std::string reason) {
    std::lock_guard lock(mutex);
    text = std::move(reason);
  }
};

void HideSystemRoots() {
  FindSystemRoots();
  setenv(X509_get_default_cert_file_env(), "/dev/null", 1);
  setenv(X509_get_default_cert_dir_env(), "/dev/null", 1);
}

TlsContext::TlsContext(TlsOptions options)
    : options_(std::move(options)), handshake_error_(std::make_shared<HandshakeError>()) {}

Result<std::shared_ptr<TlsContext>> TlsContext::Create(TlsOptions options) {
  if (options.certificate.empty() != options.key.empty()) {
    return ConfigError(options.key.empty()
                           ? Describe(options.certificate, "client-certificate") +
                                 ": is given without client-key; both are needed"
                           : Describe(options.key, "client-key") +
                                 ": is given without client-certificate; both are needed");
  }
  if (options.insecure_skip_verify && !options.ca.empty()) {
    return ConfigError(
        "insecure-skip-tls-verify: must not be set together with a certificate authority");
  }
  std::shared_ptr<TlsContext> tls(new TlsContext(std::move(options)));
  const std::unique_ptr<SSL_CTX, OpenSslFreer<SSL_CTX_free>> probe(
      SSL_CTX_new(TLS_client_method()));
  BERTH_TRY_VOID(tls->Configure(probe.get()));
  return tls;
}

// Returns the index of the SSL_CTX slot that keeps a HandshakeError alive as long as the context.
int TlsContext::HandshakeErrorIndex() {
  static const int index = SSL_CTX_get_ex_new_index(
      0, nullptr, nullptr, nullptr, [](void*, void* slot, CRYPTO_EX_DATA*, int, long, void*) {
        delete static_cast<std::shared_ptr<HandshakeError>*>(slot);
      });
  return index;
}

Result<void> TlsContext::Configure(SSL_CTX* context) {
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_ex_data(context, HandshakeErrorIndex(),
                      new std::shared_ptr<HandshakeError>(handshake_error_));
  SSL_CTX_set_cert_verify_callback(context, &TlsContext::Verify, nullptr);
  BERTH_TRY_VOID(TrustRoots(context));
  return UseIdentity(context);
}

Result<void> TlsContext::TrustRoots(SSL_CTX* context) {
  if (options_.insecure_skip_verify) return {};
  std::string text;
  if (!options_.ca.empty()) {
    BERTH_TRY(text, ReadPem(options_.ca, "certificate-authority"));
  }
  std::lock_guard lock(mutex_);
  if (!roots_ || text != roots_text_) {
    if (options_.ca.empty()) {
      roots_ = LoadSystemRoots();
    } else {
      BERTH_TRY(roots_, LoadRoots(text, Describe(options_.ca, "certificate-authority")));
    }
    roots_text_ = std::move(text);
  }
  SSL_CTX_set1_cert_store(context, roots_.get());
  return {};
}

Result<void> TlsContext::UseIdentity(SSL_CTX* context) const {
  if (options_.certificate.empty()) return {};
  return UseCertificate(context, options_.certificate, options_.key, "client");
}

void TlsContext::ExpectName(SSL_CTX* context, const std::string& name) const {
  if (options_.insecure_skip_verify) return;
  X509_VERIFY_PARAM* const wanted = SSL_CTX_get0_param(context);
  const bool is_address = X509_VERIFY_PARAM_set1_ip_asc(wanted, name.c_str()) == 1;
  if (!is_address) X509_VERIFY_PARAM_set1_host(wanted, name.c_str(), 0);
  ERR_clear_error();
}

// Runs OpenSSL's own verification and records its reason. OpenSSL has no reason if cpprestsdk's
// name check fails.
int TlsContext::Verify(X509_STORE_CTX* chain, void* /*unused*/) {
  const int verified = X509_verify_cert(chain);
  auto* ssl =
      static_cast<SSL*>(X509_STORE_CTX_get_ex_data(chain, SSL_get_ex_data_X509_STORE_CTX_idx()));
  HandshakeError& failure = **static_cast<std::shared_ptr<HandshakeError>*>(
      SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), HandshakeErrorIndex()));
  const int error = X509_STORE_CTX_get_error(chain);
  if (verified > 0) {
    failure.Set("");
  } else if (IsOfTheName(error)) {
    failure.Set("the server's certificate is valid for " +
                AlternativeNames(X509_STORE_CTX_get0_cert(chain)) + ", not for " +
                WantedName(ssl, X509_STORE_CTX_get0_param(chain)));
  } else {
    failure.Set(std::string(X509_verify_cert_error_string(error)) + " (certificate " +
                SubjectOf(X509_STORE_CTX_get_current_cert(chain)) + ")");
  }
  return verified;
}

std::string TlsContext::LastFailure() const {
  std::lock_guard lock(handshake_error_->mutex);
  return handshake_error_->text;
}

}  // namespace berth::http
