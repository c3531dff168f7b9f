// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "http/headers.h"
#include "http/tls.h"

namespace berth::client {

// ClientConfig holds the address of one API server and the client's credentials. kubeconfig.h
// builds it from files or from the pod's service account.
struct ClientConfig {
  std::string server;  // https://host:port
  http::TlsOptions tls;

  // The bearer token. If both fields are set, the file is used. The file is read again after a
  // minute, and at once after a 401.
  std::string token;
  std::string token_file;

  http::Headers impersonation;    // Impersonate-User, -Uid, -Group, -Extra-*
  std::string default_namespace;  // of the context or the pod, else "default"
  bool is_in_cluster = false;     // uses the pod's service account
  std::string source;  // origin, for messages: a file name or "the service account of the pod"
};

}  // namespace berth::client
