// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "http/crypto/certificates.h"
#include "tests/integration/harness/process.h"

namespace berth::engine {

// Question is a call as a server saw it.
struct Question {
  std::string method, path, body, client, peer;
  std::map<std::string, std::string> headers;  // names in lower case
  static auto Fields() {
    return json::Object(
        json::Field("method", &Question::method), json::Field("path", &Question::path),
        json::Field("body", &Question::body), json::Field("client", &Question::client),
        json::Field("peer", &Question::peer), json::Field("headers", &Question::headers));
  }
};

// PythonServer runs a program in Python that serves HTTP on a free port of the loopback, which it
// prints as "port N". It takes --cert, --key and --client-ca, gives at /log what it was asked, and
// behaves at /switch as POST /behave/MODE said.
class PythonServer {
 public:
  struct Identity {
    http::CertificateAndKey server;
    std::string client_ca;  // empty: no client certificates
  };
  explicit PythonServer(const std::string& program, const Identity* identity = nullptr);
  ~PythonServer();

  // Url leads to how it is to behave.
  std::string Url(const std::string& mode, const std::string& host = "127.0.0.1") const;
  // Behave says how `switch` behaves from now on. Not over TLS.
  void Behave(const std::string& mode) const;
  // Asked gives all calls so far. Not over TLS.
  std::vector<Question> Asked() const;
  uint16_t port() const { return port_; }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::string Call(const std::string& method, const std::string& path) const;

  const bool is_https_;
  std::filesystem::path folder_;
  std::unique_ptr<integration::Process> process_;
  uint16_t port_ = 0;
};

}  // namespace berth::engine
