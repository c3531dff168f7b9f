// SPDX-License-Identifier: Apache-2.0
#include "http/crypto/certificates.h"

#include <utility>

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "http/crypto/openssl.h"

namespace berth::http {
namespace {

constexpr long kBackdateSeconds = 5 * 60;

using Number = std::unique_ptr<BIGNUM, OpenSslFreer<BN_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, OpenSslFreer<X509_EXTENSION_free>>;

Failure OpenSslFailure(const std::string& what) {
  return Fail(Reason::kInternalError, what + ": " + OpenSslReason());
}

struct Subject {
  std::string common_name;
  std::vector<std::string> organizations;
};

bool AddName(X509_NAME* name, const char* field, const std::string& value) {
  return X509_NAME_add_entry_by_txt(name, field, MBSTRING_UTF8,
                                    reinterpret_cast<const unsigned char*>(value.data()),
                                    static_cast<int>(value.size()), -1, 0) == 1;
}

bool SetSubject(X509* certificate, const Subject& subject) {
  X509_NAME* name = X509_get_subject_name(certificate);
  for (const std::string& organization : subject.organizations) {
    if (!AddName(name, "O", organization)) return false;
  }
  return AddName(name, "CN", subject.common_name);
}

// 128 random bits, so that the serial numbers of an authority are unique.
bool SetSerial(X509* certificate) {
  const Number number(BN_new());
  return BN_rand(number.get(), 128, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1 &&
         BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr;
}

bool AddExtension(X509* certificate, X509* issuer, int nid, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str()));
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

using Extensions = std::vector<std::pair<int, std::string>>;

std::string ToPem(X509* certificate) {
  const Bio bio(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(bio.get(), certificate);
  return TakeText(bio);
}

std::string ToPem(EVP_PKEY* key) {
  const Bio bio(BIO_new(BIO_s_mem()));
  PEM_write_bio_PKCS8PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
  return TakeText(bio);
}

// Without an issuer the certificate is self-signed.
Result<Certificate> Sign(const Subject& subject, EVP_PKEY* key, X509* issuer, EVP_PKEY* issuer_key,
                         std::chrono::seconds validity, const Extensions& extensions) {
  Certificate certificate(X509_new());
  X509* const raw = certificate.get();
  if (issuer == nullptr) issuer = raw;
  bool good = X509_set_version(raw, X509_VERSION_3) == 1 && SetSerial(raw) &&
              X509_gmtime_adj(X509_getm_notBefore(raw), -kBackdateSeconds) != nullptr &&
              X509_gmtime_adj(X509_getm_notAfter(raw), validity.count()) != nullptr &&
              SetSubject(raw, subject) &&
              X509_set_issuer_name(raw, X509_get_subject_name(issuer)) == 1 &&
              X509_set_pubkey(raw, key) == 1;
  for (const auto& [nid, value] : extensions) {
    good = good && AddExtension(raw, issuer, nid, value);
  }
  if (!good || X509_sign(raw, issuer_key, EVP_sha256()) == 0) {
    return OpenSslFailure("make a certificate for " + subject.common_name);
  }
  return certificate;
}

class OpenSslAuthority final : public CertificateAuthority {
 public:
  OpenSslAuthority(Certificate certificate, Key key, std::chrono::seconds validity)
      : certificate_(std::move(certificate)),
        key_(std::move(key)),
        pem_(ToPem(certificate_.get())),
        validity_(validity) {}

  const std::string& certificate() const override { return pem_; }

  Result<CertificateAndKey> IssueServer(const std::string& common_name,
                                        const std::vector<std::string>& dns_names,
                                        const std::vector<std::string>& addresses) const override {
    std::string names;
    for (const std::string& name : dns_names) names += (names.empty() ? "DNS:" : ",DNS:") + name;
    for (const std::string& address : addresses) {
      names += (names.empty() ? "IP:" : ",IP:") + address;
    }
    Extensions extensions = {{NID_ext_key_usage, "serverAuth"}};
    if (!names.empty()) extensions.emplace_back(NID_subject_alt_name, names);
    return Issue({.common_name = common_name}, std::move(extensions));
  }

  Result<CertificateAndKey> IssueClient(
      const std::string& common_name,
      const std::vector<std::string>& organizations) const override {
    return Issue({common_name, organizations}, {{NID_ext_key_usage, "clientAuth"}});
  }

 private:
  Result<CertificateAndKey> Issue(const Subject& subject, Extensions extensions) const {
    const Key key(EVP_EC_gen("P-256"));
    if (!key) return OpenSslFailure("make a key for " + subject.common_name);
    extensions.insert(extensions.begin(), {{NID_basic_constraints, "critical,CA:FALSE"},
                                           {NID_key_usage, "critical,digitalSignature"},
                                           {NID_authority_key_identifier, "keyid"}});
    BERTH_TRY(const Certificate certificate,
              Sign(subject, key.get(), certificate_.get(), key_.get(), validity_, extensions));
    return CertificateAndKey{ToPem(certificate.get()), ToPem(key.get())};
  }

  const Certificate certificate_;
  const Key key_;
  const std::string pem_;
  const std::chrono::seconds validity_;
};

}  // namespace

Result<std::unique_ptr<CertificateAuthority>> CertificateAuthority::Create(
    const std::string& common_name, std::chrono::hours validity) {
  Key key(EVP_EC_gen("P-256"));
  if (!key) return OpenSslFailure("make a key for " + common_name);
  BERTH_TRY(Certificate certificate,
            Sign({.common_name = common_name}, key.get(), nullptr, key.get(), validity,
                 {{NID_basic_constraints, "critical,CA:TRUE"},
                  {NID_key_usage, "critical,keyCertSign,cRLSign,digitalSignature"},
                  {NID_subject_key_identifier, "hash"}}));
  return std::make_unique<OpenSslAuthority>(std::move(certificate), std::move(key), validity);
}

}  // namespace berth::http
