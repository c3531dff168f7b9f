// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace berth::http {

// TestFolder is a directory of its own that is removed at the end.
class TestFolder {
 public:
  TestFolder();
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  std::string Path(const std::string& name) const { return (path_ / name).string(); }
  // Write makes a file and gives its path.
  std::string Write(const std::string& name, const std::string& text) const;
  std::string Read(const std::string& name) const;

 private:
  std::filesystem::path path_;
};

// TestCertificates are a small public-key infrastructure, made with the openssl program for each
// test program again:
//   ca.crt      the cluster's authority          other-ca.crt   one that signed nothing
//   server.crt  for localhost and 127.0.0.1      client.crt     /O=system:masters/CN=admin
//   server6.crt for ::1
// each with its .key beside it.
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
