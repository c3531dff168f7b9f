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

// Question is a request as a server received it.
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

// PythonServer runs a Python program that serves HTTP on a free port of the loopback interface and
// prints it as "port N". The program accepts --cert, --key and --client-ca, returns the received
// requests at /log, and behaves at /switch like the last POST /behave/MODE.
class PythonServer {
 public:
  struct Identity {
    http::CertificateAndKey server;
    std::string client_ca;  // empty: no client certificates
  };
  explicit PythonServer(const std::string& program, const Identity* identity = nullptr);
  ~PythonServer();

  // Returns a URL with this behavior.
  std::string Url(const std::string& mode, const std::string& host = "127.0.0.1") const;
  // Sets the behavior of `switch`. Not over TLS.
  void Behave(const std::string& mode) const;
  // Returns all requests so far. Not over TLS.
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
