// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"

namespace berth::http {

// CertificateAndKey is an identity as PEM text.
struct CertificateAndKey {
  std::string certificate;
  std::string key;
};

// CertificateAuthority issues certificates in memory, so that a demo or a test needs neither files
// nor the openssl program. Keys are ECDSA P-256, signatures SHA-256; all is valid from five minutes
// ago, for clocks that differ. Thread safe.
class CertificateAuthority {
 public:
  // Create makes a new authority. Errors (kInternalError) are OpenSSL's.
  static Result<std::unique_ptr<CertificateAuthority>> Create(
      const std::string& common_name, std::chrono::hours validity = std::chrono::hours(24 * 365));

  virtual ~CertificateAuthority() = default;

  // The authority's own certificate, as clients are told to trust it.
  virtual const std::string& certificate() const = 0;

  // IssueServer makes the identity of a server that is reached by DNS names and by addresses.
  virtual Result<CertificateAndKey> IssueServer(
      const std::string& common_name, const std::vector<std::string>& dns_names,
      const std::vector<std::string>& addresses) const = 0;

  // IssueClient makes the identity of a client: to Kubernetes, the common name is the user and the
  // organizations are its groups.
  virtual Result<CertificateAndKey> IssueClient(
      const std::string& common_name, const std::vector<std::string>& organizations) const = 0;
};

}  // namespace berth::http
