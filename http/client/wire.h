// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "http/tls.h"

namespace berth::http {

// Wire is a raw byte connection to a server on 127.0.0.1, plain or over TLS, without HTTP. It is
// for programs that measure or abuse a server; clients of a cluster use a Transport. For one
// thread.
//
// Calls block. To wait for several connections at once, poll the descriptors and call Receive until
// nothing is `pending`.
class Wire {
 public:
  // Errors: kUnavailable names the port and the reason; invalid options are kConfig.
  static Result<std::unique_ptr<Wire>> Connect(uint16_t port,
                                               const std::optional<TlsOptions>& tls = std::nullopt);

  virtual ~Wire() = default;

  // Send sends all bytes. Receive waits for bytes and returns their number, 0 at the end. Errors
  // (kUnavailable): the connection broke.
  virtual Result<void> Send(std::string_view bytes) = 0;
  virtual Result<size_t> Receive(std::span<char> into) = 0;

  // Number of received bytes that poll on the descriptor does not announce.
  virtual size_t pending() const = 0;
  virtual int descriptor() const = 0;
};

}  // namespace berth::http
