// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/python_server.h"

#include <cstdlib>
#include <fstream>
#include <thread>

#include "base/check.h"
#include "http/client/transport.h"

namespace berth::engine {
namespace {

std::filesystem::path MakeFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "python-server-XXXXXX").string();
  BERTH_CHECK(mkdtemp(name.data()) != nullptr, "cannot create a temporary folder");
  return name;
}

std::string Write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path) << text;
  return path.string();
}

}  // namespace

PythonServer::PythonServer(const std::string& program, const Identity* identity)
    : is_https_(identity != nullptr), folder_(MakeFolder()) {
  integration::Arguments arguments{"python3", program};
  if (identity != nullptr) {
    arguments.insert(arguments.end(),
                     {"--cert", Write(folder_ / "server.crt", identity->server.certificate),
                      "--key", Write(folder_ / "server.key", identity->server.key)});
    if (!identity->client_ca.empty()) {
      arguments.insert(arguments.end(),
                       {"--client-ca", Write(folder_ / "ca.crt", identity->client_ca)});
    }
  }
  process_ = std::make_unique<integration::Process>(arguments, folder_ / "log");
  while (port_ == 0) {
    const std::string output = process_->Output();
    const size_t at = output.find("port ");
    const bool is_whole = at != output.npos && output.find('\n', at) != output.npos;
    if (is_whole) port_ = static_cast<uint16_t>(std::stoi(output.substr(at + 5)));
    BERTH_CHECK(process_->IsRunning(), program + " ended: " + output);
    std::this_thread::yield();
  }
}

PythonServer::~PythonServer() {
  process_.reset();
  std::filesystem::remove_all(folder_);
}

std::string PythonServer::Url(const std::string& mode, const std::string& host) const {
  return (is_https_ ? "https://" : "http://") + host + ":" + std::to_string(port_) + "/" + mode;
}

void PythonServer::Behave(const std::string& mode) const { Call("POST", "/behave/" + mode); }

std::vector<Question> PythonServer::Asked() const {
  auto questions = json::Decode<std::vector<Question>>(Call("GET", "/log"));
  BERTH_CHECK(questions.has_value(), questions.error().message());
  return *questions;
}

std::string PythonServer::Call(const std::string& method, const std::string& path) const {
  const auto transport =
      http::CreateTransport({.url = "http://127.0.0.1:" + std::to_string(port_)});
  auto answer = (*transport)->Call({.method = method, .target = path});
  BERTH_CHECK(answer.has_value(), answer.error().message());
  return answer->body;
}

}  // namespace berth::engine
