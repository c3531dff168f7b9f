// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"

namespace berth::http {

// CertificateAndKey is a certificate and its key as PEM text.
struct CertificateAndKey {
  std::string certificate;
  std::string key;
};

// CertificateAuthority issues certificates in memory, so that demos and tests need neither files
// nor the openssl program. Keys are ECDSA P-256, signatures SHA-256. Certificates are valid from
// five minutes ago, to tolerate clock skew. Thread safe.
class CertificateAuthority {
 public:
  // Creates a new authority. Errors (kInternalError) are OpenSSL's.
  static Result<std::unique_ptr<CertificateAuthority>> Create(
      const std::string& common_name, std::chrono::hours validity = std::chrono::hours(24 * 365));

  virtual ~CertificateAuthority() = default;

  // The authority's own certificate: the CA bundle of its clients.
  virtual const std::string& certificate() const = 0;

  // Issues a server certificate for the given DNS names and addresses.
  virtual Result<CertificateAndKey> IssueServer(
      const std::string& common_name, const std::vector<std::string>& dns_names,
      const std::vector<std::string>& addresses) const = 0;

  // Issues a client certificate. For Kubernetes the common name is the user and the organizations
  // are the groups.
  virtual Result<CertificateAndKey> IssueClient(
      const std::string& common_name, const std::vector<std::string>& organizations) const = 0;
};

}  // namespace berth::http
