// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

namespace berth::http {

// Sha256 gives the 32 bytes of the digest.
std::string Sha256(std::string_view bytes);

// SigningKey signs with ECDSA on P-256 and SHA-256: what JSON web tokens call ES256. Immutable;
// any thread may use it.
class SigningKey {
 public:
  virtual ~SigningKey() = default;

  // Generate makes a new key out of the system's randomness.
  static Result<std::unique_ptr<SigningKey>> Generate();
  // FromPem reads an unencrypted private key. Errors (kConfig) say what is wrong with it.
  static Result<std::unique_ptr<SigningKey>> FromPem(std::string_view pem);

  // Sign gives 64 bytes: r and s, big endian (RFC 7518, 3.4).
  virtual std::string Sign(std::string_view message) const = 0;
  virtual bool Verify(std::string_view message, std::string_view signature) const = 0;

  // The private key as PEM, to be kept over a restart.
  virtual std::string ToPem() const = 0;
  // Names the key in tokens: the same for the same key.
  virtual std::string KeyId() const = 0;
};

}  // namespace berth::http
