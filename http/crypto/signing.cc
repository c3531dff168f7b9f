// SPDX-License-Identifier: Apache-2.0
#include "http/crypto/signing.h"

#include <utility>
#include <vector>

#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include "base/base64.h"
#include "base/check.h"
#include "http/crypto/openssl.h"

namespace berth::http {
namespace {

constexpr int kHalf = 32;  // bytes of r and of s on P-256

using DigestContext = std::unique_ptr<EVP_MD_CTX, OpenSslFreer<EVP_MD_CTX_free>>;
using Signature = std::unique_ptr<ECDSA_SIG, OpenSslFreer<ECDSA_SIG_free>>;

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

class EcdsaKey final : public SigningKey {
 public:
  explicit EcdsaKey(Key key) : key_(std::move(key)) {}

  std::string Sign(std::string_view message) const override {
    const DigestContext context(EVP_MD_CTX_new());
    size_t size = 0;
    const bool sized =
        EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1 &&
        EVP_DigestSign(context.get(), nullptr, &size, Bytes(message), message.size()) == 1;
    std::vector<unsigned char> der(size);
    const bool ok = sized && EVP_DigestSign(context.get(), der.data(), &size, Bytes(message),
                                            message.size()) == 1;
    BERTH_CHECK(ok, "a P-256 key that cannot sign");
    const unsigned char* at = der.data();
    const Signature signature(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(size)));
    std::string out(2 * kHalf, '\0');
    auto* raw = reinterpret_cast<unsigned char*>(out.data());
    BN_bn2binpad(ECDSA_SIG_get0_r(signature.get()), raw, kHalf);
    BN_bn2binpad(ECDSA_SIG_get0_s(signature.get()), raw + kHalf, kHalf);
    return out;
  }

  bool Verify(std::string_view message, std::string_view signature) const override {
    if (signature.size() != 2 * kHalf) return false;
    const Signature pair(ECDSA_SIG_new());
    ECDSA_SIG_set0(pair.get(), BN_bin2bn(Bytes(signature), kHalf, nullptr),
                   BN_bin2bn(Bytes(signature) + kHalf, kHalf, nullptr));
    unsigned char* der = nullptr;
    const int size = i2d_ECDSA_SIG(pair.get(), &der);
    if (size <= 0) return false;
    const DigestContext context(EVP_MD_CTX_new());
    const bool good =
        EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1 &&
        EVP_DigestVerify(context.get(), der, static_cast<size_t>(size), Bytes(message),
                         message.size()) == 1;
    OPENSSL_free(der);
    ERR_clear_error();
    return good;
  }

  std::string ToPem() const override {
    const Bio bio(BIO_new(BIO_s_mem()));
    PEM_write_bio_PrivateKey(bio.get(), key_.get(), nullptr, nullptr, 0, nullptr, nullptr);
    return TakeText(bio);
  }

  std::string KeyId() const override {
    unsigned char* der = nullptr;
    const int size = i2d_PUBKEY(key_.get(), &der);
    const std::string key(reinterpret_cast<const char*>(der), static_cast<size_t>(size));
    OPENSSL_free(der);
    return EncodeBase64Url(Sha256(key));
  }

 private:
  const Key key_;
};

}  // namespace

std::string Sha256(std::string_view bytes) {
  std::string digest(EVP_MAX_MD_SIZE, '\0');
  unsigned int length = 0;
  const int done =
      EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(digest.data()),
                 &length, EVP_sha256(), nullptr);
  BERTH_CHECK(done == 1, "OpenSSL has no SHA-256");
  digest.resize(length);
  return digest;
}

Result<std::unique_ptr<SigningKey>> SigningKey::Generate() {
  Key key(EVP_EC_gen("P-256"));
  if (!key) return Fail(Reason::kInternalError, "generate a signing key: OpenSSL returned none");
  return std::make_unique<EcdsaKey>(std::move(key));
}

Result<std::unique_ptr<SigningKey>> SigningKey::FromPem(std::string_view pem) {
  const Bio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  Key key(PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, nullptr));
  ERR_clear_error();
  if (!key) return ConfigError("signing key: no unencrypted private key in PEM form");
  if (EVP_PKEY_get_base_id(key.get()) != EVP_PKEY_EC || EVP_PKEY_get_bits(key.get()) != 256) {
    return ConfigError("signing key: not an elliptic curve key on P-256");
  }
  return std::make_unique<EcdsaKey>(std::move(key));
}

}  // namespace berth::http
