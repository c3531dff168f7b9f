// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "http/client/cpprest_transport.h"
#include "tests/support/http/stub_server.h"

namespace berth::http {

// Connect gives a transport to a stub, with what the test wants to be otherwise.
inline std::unique_ptr<Transport> Connect(const StubServer& server, TransportOptions options = {}) {
  options.url = server.url();
  auto transport = CreateTransport(std::move(options));
  EXPECT_TRUE(transport) << transport.error().message();
  return std::move(*transport);
}

}  // namespace berth::http
