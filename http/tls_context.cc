// SPDX-License-Identifier: Apache-2.0
#include "http/tls_context.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

namespace berth::http {
namespace {

template <auto Free>
struct Freer {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Certificate = std::unique_ptr<X509, Freer<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, Freer<EVP_PKEY_free>>;
using Bio = std::unique_ptr<BIO, Freer<BIO_free_all>>;

struct SystemRoots {
  std::string file;
  std::string directory;
};

std::string Variable(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

// Where the system's roots are, as the environment said when it was first asked.
const SystemRoots& FindSystemRoots() {
  static const SystemRoots roots{
      Variable(X509_get_default_cert_file_env(), X509_get_default_cert_file()),
      Variable(X509_get_default_cert_dir_env(), X509_get_default_cert_dir())};
  return roots;
}

// The reason of the newest OpenSSL error of this thread; empties the queue.
std::string OpenSslReason() {
  const unsigned long code = ERR_peek_last_error();
  const char* reason = code == 0 ? nullptr : ERR_reason_error_string(code);
  ERR_clear_error();
  return reason == nullptr ? "not readable" : reason;
}

std::string Describe(const Pem& pem, std::string_view option) {
  return std::string(option) + (pem.data.empty() ? " " + pem.file : "-data");
}

Result<std::string> Text(const Pem& pem, std::string_view option) {
  if (!pem.data.empty()) return pem.data;
  std::ifstream file(pem.file, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    return ConfigError(Describe(pem, option) + ": cannot be read, or is empty");
  }
  return std::move(text).str();
}

Bio Memory(const std::string& text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

Result<std::vector<Certificate>> ParseCertificates(const std::string& text,
                                                   const std::string& where) {
  std::vector<Certificate> certificates;
  const Bio bio = Memory(text);
  while (X509* certificate = PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr)) {
    certificates.emplace_back(certificate);
  }
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  if (!at_end) return ConfigError(where + ": a certificate is damaged: " + OpenSslReason());
  ERR_clear_error();
  if (certificates.empty()) return ConfigError(where + ": no PEM certificate found");
  return certificates;
}

Result<Key> ParseKey(const std::string& text, const std::string& where) {
  const Bio bio = Memory(text);
  // An empty pass phrase instead of a question at the terminal.
  Key key(PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, const_cast<char*>("")));
  if (!key) return ConfigError(where + ": no usable PEM private key: " + OpenSslReason());
  return key;
}

std::string Subject(X509* certificate) {
  if (certificate == nullptr) return "none";
  const Bio out(BIO_new(BIO_s_mem()));
  X509_NAME_print_ex(out.get(), X509_get_subject_name(certificate), 0, XN_FLAG_RFC2253);
  char* text = nullptr;
  const long size = BIO_get_mem_data(out.get(), &text);
  return std::string(text, static_cast<size_t>(size));
}

// The names a certificate is valid for, as in "DNS:localhost, IP Address:127.0.0.1".
std::string AlternativeNames(X509* certificate) {
  const int at = X509_get_ext_by_NID(certificate, NID_subject_alt_name, -1);
  if (at < 0) return "no name";
  const Bio out(BIO_new(BIO_s_mem()));
  X509V3_EXT_print(out.get(), X509_get_ext(certificate, at), 0, 0);
  char* text = nullptr;
  const long size = BIO_get_mem_data(out.get(), &text);
  return std::string(text, static_cast<size_t>(size));
}

std::shared_ptr<X509_STORE> NewStore() { return {X509_STORE_new(), X509_STORE_free}; }

std::shared_ptr<X509_STORE> LoadSystemRoots() {
  const SystemRoots& system = FindSystemRoots();
  auto store = NewStore();
  X509_STORE_load_file(store.get(), system.file.c_str());
  X509_STORE_load_path(store.get(), system.directory.c_str());
  ERR_clear_error();
  return store;
}

Result<std::shared_ptr<X509_STORE>> LoadRoots(const std::string& text, const std::string& where) {
  BERTH_TRY(const auto certificates, ParseCertificates(text, where));
  auto store = NewStore();
  for (const Certificate& certificate : certificates) {
    X509_STORE_add_cert(store.get(), certificate.get());
  }
  return store;
}

}  // namespace

struct TlsContext::Failure {
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
    : options_(std::move(options)), failure_(std::make_shared<Failure>()) {}

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
  const std::unique_ptr<SSL_CTX, Freer<SSL_CTX_free>> probe(SSL_CTX_new(TLS_client_method()));
  BERTH_TRY_VOID(tls->Configure(probe.get()));
  return tls;
}

// The slot of an SSL_CTX that keeps a Failure alive as long as the context.
int TlsContext::FailureIndex() {
  static const int index = SSL_CTX_get_ex_new_index(
      0, nullptr, nullptr, nullptr, [](void*, void* slot, CRYPTO_EX_DATA*, int, long, void*) {
        delete static_cast<std::shared_ptr<Failure>*>(slot);
      });
  return index;
}

Result<void> TlsContext::Configure(SSL_CTX* context) {
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_ex_data(context, FailureIndex(), new std::shared_ptr<Failure>(failure_));
  SSL_CTX_set_cert_verify_callback(context, &TlsContext::Verify, nullptr);
  BERTH_TRY_VOID(TrustRoots(context));
  return UseIdentity(context);
}

Result<void> TlsContext::TrustRoots(SSL_CTX* context) {
  if (options_.insecure_skip_verify) return {};
  std::string text;
  if (!options_.ca.empty()) {
    BERTH_TRY(text, Text(options_.ca, "certificate-authority"));
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
  const std::string where = Describe(options_.certificate, "client-certificate");
  BERTH_TRY(const std::string chain_text, Text(options_.certificate, "client-certificate"));
  BERTH_TRY(const std::string key_text, Text(options_.key, "client-key"));
  BERTH_TRY(auto chain, ParseCertificates(chain_text, where));
  BERTH_TRY(const Key key, ParseKey(key_text, Describe(options_.key, "client-key")));
  if (X509_check_private_key(chain.front().get(), key.get()) != 1) {
    ERR_clear_error();
    return ConfigError(where + ": does not belong to " + Describe(options_.key, "client-key") +
                       " (the keys differ)");
  }
  SSL_CTX_use_certificate(context, chain.front().get());
  for (size_t i = 1; i < chain.size(); ++i) SSL_CTX_add1_chain_cert(context, chain[i].get());
  if (SSL_CTX_use_PrivateKey(context, key.get()) != 1) {
    return ConfigError(where + ": refused by OpenSSL: " + OpenSslReason());
  }
  return {};
}

// Verify is OpenSSL's own verification; only its reason is kept. When cpprestsdk's check of the
// name fails, OpenSSL has none.
int TlsContext::Verify(X509_STORE_CTX* chain, void* /*unused*/) {
  const int verified = X509_verify_cert(chain);
  auto* ssl =
      static_cast<SSL*>(X509_STORE_CTX_get_ex_data(chain, SSL_get_ex_data_X509_STORE_CTX_idx()));
  Failure& failure = **static_cast<std::shared_ptr<Failure>*>(
      SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), FailureIndex()));
  const int error = X509_STORE_CTX_get_error(chain);
  if (verified > 0) {
    failure.Set("");
  } else if (error == X509_V_OK || error == X509_V_ERR_UNSPECIFIED) {
    const char* wanted = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
    failure.Set("the server's certificate is valid for " +
                AlternativeNames(X509_STORE_CTX_get0_cert(chain)) + ", not for " +
                (wanted == nullptr ? "this host" : wanted));
  } else {
    failure.Set(std::string(X509_verify_cert_error_string(error)) + " (certificate " +
                Subject(X509_STORE_CTX_get_current_cert(chain)) + ")");
  }
  return verified;
}

std::string TlsContext::LastFailure() const {
  std::lock_guard lock(failure_->mutex);
  return failure_->text;
}

}  // namespace berth::http
