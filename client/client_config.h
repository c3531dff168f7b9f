// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "http/headers.h"
#include "http/tls.h"

namespace berth::client {

// ClientConfig is how to reach one API server and who we are there; kubeconfig.h makes it from
// files or the pod's own account.
struct ClientConfig {
  std::string server;  // https://host:port
  http::TlsOptions tls;

  // At most one identity by token; the file beats the text, is read again each minute and at once
  // after a 401.
  std::string token;
  std::string token_file;

  http::Headers impersonation;    // Impersonate-User, -Uid, -Group, -Extra-*
  std::string default_namespace;  // of the context or of the pod; "default" when neither says
  bool is_in_cluster = false;     // the pod's own account
  std::string source;  // where this came from, for messages: a file name or "the service account of
                       // the pod"
};

}  // namespace berth::client
