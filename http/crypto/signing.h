// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

namespace berth::http {

// Returns the digest, 32 bytes.
std::string Sha256(std::string_view bytes);

// SigningKey signs with ECDSA on P-256 and SHA-256 (ES256 of JSON web tokens). Immutable; any
// thread may use it.
class SigningKey {
 public:
  virtual ~SigningKey() = default;

  // Generates a new key with the system's random numbers.
  static Result<std::unique_ptr<SigningKey>> Generate();
  // Parses an unencrypted private key. Errors (kConfig) name the cause.
  static Result<std::unique_ptr<SigningKey>> FromPem(std::string_view pem);

  // Returns 64 bytes: r and s, big endian (RFC 7518, 3.4).
  virtual std::string Sign(std::string_view message) const = 0;
  virtual bool Verify(std::string_view message, std::string_view signature) const = 0;

  // The private key as PEM, for storage over a restart.
  virtual std::string ToPem() const = 0;
  // The ID of the key in tokens; equal for equal keys.
  virtual std::string KeyId() const = 0;
};

}  // namespace berth::http
