// SPDX-License-Identifier: Apache-2.0
#include "http/crypto/digest.h"

#include <openssl/evp.h>

#include "base/check.h"

namespace berth::http {

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

}  // namespace berth::http
