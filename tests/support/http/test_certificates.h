// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace berth::http {

// TestFolder is a temporary directory that is removed at the end.
class TestFolder {
 public:
  TestFolder();
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  std::string Path(const std::string& name) const { return (path_ / name).string(); }
  // Writes a file and returns its path.
  std::string Write(const std::string& name, const std::string& text) const;
  std::string Read(const std::string& name) const;

 private:
  std::filesystem::path path_;
};

// TestCertificates is a small public-key infrastructure, generated with openssl for each test
// program:
//   ca.crt      the cluster's CA                 other-ca.crt   an unrelated CA
//   server.crt  for localhost and 127.0.0.1      client.crt     /O=system:masters/CN=admin
//   server6.crt for ::1
// Each has its .key beside it.
class TestCertificates {
 public:
  static const TestCertificates& Instance();

  std::string File(const std::string& name) const { return folder_.Path(name); }
  std::string Text(const std::string& name) const { return folder_.Read(name); }

 private:
  TestCertificates();
  void Authority(const std::string& name) const;
  void Signed(const std::string& name, const std::string& subject, const std::string& names) const;

  TestFolder folder_;
};

}  // namespace berth::http
