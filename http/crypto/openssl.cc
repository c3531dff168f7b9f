// SPDX-License-Identifier: Apache-2.0
#include "http/crypto/openssl.h"

#include <fstream>
#include <sstream>
#include <utility>

#include <openssl/err.h>
#include <openssl/pem.h>

namespace berth::http {
namespace {

Bio Memory(const std::string& text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

}  // namespace

std::string OpenSslReason() {
  const unsigned long code = ERR_peek_last_error();
  const char* reason = code == 0 ? nullptr : ERR_reason_error_string(code);
  ERR_clear_error();
  return reason == nullptr ? "not readable" : reason;
}

std::string Describe(const Pem& pem, std::string_view option) {
  return std::string(option) + (pem.data.empty() ? " " + pem.file : "-data");
}

Result<std::string> ReadPem(const Pem& pem, std::string_view option) {
  if (!pem.data.empty()) return pem.data;
  std::ifstream file(pem.file, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    return ConfigError(Describe(pem, option) + ": cannot be read, or is empty");
  }
  return std::move(text).str();
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
  // An empty pass phrase prevents a prompt at the terminal.
  Key key(PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, const_cast<char*>("")));
  if (!key) return ConfigError(where + ": no usable PEM private key: " + OpenSslReason());
  return key;
}

Result<std::shared_ptr<X509_STORE>> LoadRoots(const std::string& text, const std::string& where) {
  BERTH_TRY(const auto certificates, ParseCertificates(text, where));
  std::shared_ptr<X509_STORE> store(X509_STORE_new(), X509_STORE_free);
  for (const Certificate& certificate : certificates) {
    X509_STORE_add_cert(store.get(), certificate.get());
  }
  return store;
}

Result<void> UseCertificate(SSL_CTX* context, const Pem& certificate, const Pem& key,
                            const std::string& option) {
  const std::string certificate_option = option + "-certificate";
  const std::string key_option = option + "-key";
  const std::string where = Describe(certificate, certificate_option);
  BERTH_TRY(const std::string chain_text, ReadPem(certificate, certificate_option));
  BERTH_TRY(const std::string key_text, ReadPem(key, key_option));
  BERTH_TRY(auto chain, ParseCertificates(chain_text, where));
  BERTH_TRY(const Key parsed_key, ParseKey(key_text, Describe(key, key_option)));
  if (X509_check_private_key(chain.front().get(), parsed_key.get()) != 1) {
    ERR_clear_error();
    return ConfigError(where + ": does not belong to " + Describe(key, key_option) +
                       " (the keys differ)");
  }
  SSL_CTX_use_certificate(context, chain.front().get());
  for (size_t i = 1; i < chain.size(); ++i) SSL_CTX_add1_chain_cert(context, chain[i].get());
  if (SSL_CTX_use_PrivateKey(context, parsed_key.get()) != 1) {
    return ConfigError(where + ": rejected by OpenSSL: " + OpenSslReason());
  }
  return {};
}

std::string TakeText(const Bio& bio) {
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &text);
  return std::string(text, static_cast<size_t>(size));
}

}  // namespace berth::http
