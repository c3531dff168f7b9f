// SPDX-License-Identifier: Apache-2.0
#include "http/signing.h"

#include <utility>
#include <vector>

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "base/check.h"
#include "http/base64.h"

namespace berth::http {
namespace {

constexpr int kHalf = 32;  // bytes of r and of s on P-256

template <auto kFree>
struct Freer {
  template <class T>
  void operator()(T* object) const {
    kFree(object);
  }
};
using KeyPtr = std::unique_ptr<EVP_PKEY, Freer<EVP_PKEY_free>>;
using ContextPtr = std::unique_ptr<EVP_MD_CTX, Freer<EVP_MD_CTX_free>>;
using SignaturePtr = std::unique_ptr<ECDSA_SIG, Freer<ECDSA_SIG_free>>;
using BioPtr = std::unique_ptr<BIO, Freer<BIO_free_all>>;

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

class EcdsaKey final : public SigningKey {
 public:
  explicit EcdsaKey(KeyPtr key) : key_(std::move(key)) {}

  std::string Sign(std::string_view message) const override {
    const ContextPtr context(EVP_MD_CTX_new());
    size_t size = 0;
    const bool sized =
        EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1 &&
        EVP_DigestSign(context.get(), nullptr, &size, Bytes(message), message.size()) == 1;
    std::vector<unsigned char> der(size);
    const bool ok = sized && EVP_DigestSign(context.get(), der.data(), &size, Bytes(message),
                                            message.size()) == 1;
    BERTH_CHECK(ok, "a P-256 key that cannot sign");
    const unsigned char* at = der.data();
    const SignaturePtr signature(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(size)));
    std::string out(2 * kHalf, '\0');
    auto* raw = reinterpret_cast<unsigned char*>(out.data());
    BN_bn2binpad(ECDSA_SIG_get0_r(signature.get()), raw, kHalf);
    BN_bn2binpad(ECDSA_SIG_get0_s(signature.get()), raw + kHalf, kHalf);
    return out;
  }

  bool Verify(std::string_view message, std::string_view signature) const override {
    if (signature.size() != 2 * kHalf) return false;
    const SignaturePtr pair(ECDSA_SIG_new());
    ECDSA_SIG_set0(pair.get(), BN_bin2bn(Bytes(signature), kHalf, nullptr),
                   BN_bin2bn(Bytes(signature) + kHalf, kHalf, nullptr));
    unsigned char* der = nullptr;
    const int size = i2d_ECDSA_SIG(pair.get(), &der);
    if (size <= 0) return false;
    const ContextPtr context(EVP_MD_CTX_new());
    const bool good =
        EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1 &&
        EVP_DigestVerify(context.get(), der, static_cast<size_t>(size), Bytes(message),
                         message.size()) == 1;
    OPENSSL_free(der);
    ERR_clear_error();
    return good;
  }

  std::string ToPem() const override {
    const BioPtr bio(BIO_new(BIO_s_mem()));
    PEM_write_bio_PrivateKey(bio.get(), key_.get(), nullptr, nullptr, 0, nullptr, nullptr);
    char* data = nullptr;
    const long size = BIO_get_mem_data(bio.get(), &data);
    return {data, static_cast<size_t>(size)};
  }

  std::string KeyId() const override {
    unsigned char* der = nullptr;
    const int size = i2d_PUBKEY(key_.get(), &der);
    std::string digest(EVP_MAX_MD_SIZE, '\0');
    unsigned int length = 0;
    EVP_Digest(der, static_cast<size_t>(size), reinterpret_cast<unsigned char*>(digest.data()),
               &length, EVP_sha256(), nullptr);
    OPENSSL_free(der);
    digest.resize(length);
    return Base64UrlEncode(digest);
  }

 private:
  const KeyPtr key_;
};

}  // namespace

Result<std::unique_ptr<SigningKey>> SigningKey::Generate() {
  KeyPtr key(EVP_EC_gen("P-256"));
  if (!key) return Fail(Reason::kInternalError, "generate a signing key: OpenSSL gave none");
  return std::make_unique<EcdsaKey>(std::move(key));
}

Result<std::unique_ptr<SigningKey>> SigningKey::FromPem(std::string_view pem) {
  const BioPtr bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  KeyPtr key(PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, nullptr));
  ERR_clear_error();
  if (!key) return ConfigError("signing key: no unencrypted private key in PEM form");
  if (EVP_PKEY_get_base_id(key.get()) != EVP_PKEY_EC || EVP_PKEY_get_bits(key.get()) != 256) {
    return ConfigError("signing key: not an elliptic curve key on P-256");
  }
  return std::make_unique<EcdsaKey>(std::move(key));
}

}  // namespace berth::http
