// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>

#include "http/server/stream_server.h"

namespace berth::http {

// Channel transfers the bytes of one accepted connection, plain or over TLS. Callbacks run on the
// io_context's thread, never inside the call; at most one read and one write are in flight. It must
// live until all callbacks have run.
class Channel {
 public:
  using Socket = boost::asio::ip::tcp::socket;
  using Done = std::function<void(boost::system::error_code, size_t)>;

  virtual ~Channel() = default;

  virtual void Handshake(Done done) = 0;
  virtual void ReadSome(boost::asio::mutable_buffer buffer, Done done) = 0;

  // Writes all buffers; `progress` is called whenever a part has been sent.
  virtual void Write(std::vector<boost::asio::const_buffer> buffers, std::function<void()> progress,
                     Done done) = 0;

  // Signals the end of data to the peer.
  virtual void ShutdownSend(Done done) = 0;
  // Closes the connection; pending callbacks run with an error.
  virtual void Close() = 0;

  // Peer of the connection; complete after the handshake.
  virtual Peer peer() const = 0;
};

std::unique_ptr<Channel> MakePlainChannel(Channel::Socket socket);
std::unique_ptr<Channel> MakeTlsChannel(Channel::Socket socket, boost::asio::ssl::context& context);

// Loads the server's certificate and the CA bundle of its clients. Errors (kConfig) name the
// option.
Result<std::unique_ptr<boost::asio::ssl::context>> MakeServerContext(
    const ServerTlsOptions& options);

}  // namespace berth::http
