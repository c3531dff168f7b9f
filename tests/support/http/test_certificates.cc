// SPDX-License-Identifier: Apache-2.0
#include "tests/support/http/test_certificates.h"

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/check.h"
#include "base/shell.h"

namespace berth::http {
namespace {

void Run(const std::string& command) {
  const int status = std::system((command + " 2>/dev/null").c_str());
  BERTH_CHECK(status == 0, "failed: " + command);
}

}  // namespace

TestFolder::TestFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "berth-test-XXXXXX").string();
  BERTH_CHECK(mkdtemp(pattern.data()) != nullptr,
              "could not create the temporary "
              "directory " +
                  pattern);
  path_ = pattern;
}

TestFolder::~TestFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TestFolder::Write(const std::string& name, const std::string& text) const {
  std::ofstream(Path(name), std::ios::binary | std::ios::trunc) << text;
  return Path(name);
}

std::string TestFolder::Read(const std::string& name) const {
  std::ostringstream text;
  text << std::ifstream(Path(name), std::ios::binary).rdbuf();
  return std::move(text).str();
}

const TestCertificates& TestCertificates::Instance() {
  static const TestCertificates certificates;
  return certificates;
}

TestCertificates::TestCertificates() {
  Authority("ca");
  Authority("other-ca");
  Signed("server", "/CN=kube-apiserver", "DNS:localhost,IP:127.0.0.1");
  Signed("server6", "/CN=kube-apiserver", "IP:::1");
  Signed("client", "/O=system:masters/CN=admin", "DNS:admin");
}

void TestCertificates::Authority(const std::string& name) const {
  Run("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "
      "/CN=" +
      name + " -keyout " + ShellWord(File(name + ".key")) + " -out " +
      ShellWord(File(name + ".crt")));
}

void TestCertificates::Signed(const std::string& name, const std::string& subject,
                              const std::string& names) const {
  Run("openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj " + subject +
      " -addext subjectAltName=" + names + " -keyout " + ShellWord(File(name + ".key")) + " -out " +
      ShellWord(File(name + ".csr")));
  Run("openssl x509 -req -days 2 -copy_extensions copy -in " + ShellWord(File(name + ".csr")) +
      " -CA " + ShellWord(File("ca.crt")) + " -CAkey " + ShellWord(File("ca.key")) +
      " -CAcreateserial -out " + ShellWord(File(name + ".crt")));
}

}  // namespace berth::http
