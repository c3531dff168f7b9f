// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "http/client/transport.h"
#include "tests/support/http/stub_server.h"

namespace berth::http {

// Returns a transport to a stub with the given options.
inline std::unique_ptr<Transport> Connect(const StubServer& server, TransportOptions options = {}) {
  options.url = server.url();
  auto transport = CreateTransport(std::move(options));
  EXPECT_TRUE(transport) << transport.error().message();
  return std::move(*transport);
}

// EachLibrary runs a test over every HTTP library, because each must fulfil the interface's
// contract.
class EachLibrary : public ::testing::TestWithParam<Library> {
 protected:
  static std::unique_ptr<Transport> Connect(const StubServer& server,
                                            TransportOptions options = {}) {
    options.library = GetParam();
    return http::Connect(server, std::move(options));
  }
};

inline std::string NameOf(const ::testing::TestParamInfo<Library>& library) {
  return library.param == Library::kCpprest ? "Cpprest" : "Curl";
}

inline constexpr Library kLibraries[] = {Library::kCpprest, Library::kCurl};

}  // namespace berth::http
