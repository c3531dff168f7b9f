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

// Wire is one connection to a server on 127.0.0.1, plain or over TLS, that carries bytes and knows
// nothing of HTTP. It is for programs that measure a server or misuse it: what talks to a cluster
// uses a Transport. For one thread.
//
// Calls block. To wait for several at once, poll the descriptors and call Receive until nothing is
// `pending`.
class Wire {
 public:
  // Connect errors (kUnavailable) name the port and the reason; those of options are kConfig.
  static Result<std::unique_ptr<Wire>> Connect(uint16_t port,
                                               const std::optional<TlsOptions>& tls = std::nullopt);

  virtual ~Wire() = default;

  // Send sends all bytes; Receive waits for some and says how many came, 0 at the end. Errors
  // (kUnavailable): the connection broke.
  virtual Result<void> Send(std::string_view bytes) = 0;
  virtual Result<size_t> Receive(std::span<char> into) = 0;

  // How many bytes have come already and are not announced by the descriptor.
  virtual size_t pending() const = 0;
  virtual int descriptor() const = 0;
};

}  // namespace berth::http
