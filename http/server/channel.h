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

// Channel carries the bytes of one accepted connection, plain or over TLS. Callbacks come on the
// io_context's thread, never inside the call; at most one read and one write at a time. It must
// live until they have come.
class Channel {
 public:
  using Socket = boost::asio::ip::tcp::socket;
  using Done = std::function<void(boost::system::error_code, size_t)>;

  virtual ~Channel() = default;

  virtual void Handshake(Done done) = 0;
  virtual void ReadSome(boost::asio::mutable_buffer buffer, Done done) = 0;

  // Write sends all buffers; `progress` is called whenever a part has left.
  virtual void Write(std::vector<boost::asio::const_buffer> buffers, std::function<void()> progress,
                     Done done) = 0;

  // ShutdownSend tells the peer that nothing more comes.
  virtual void ShutdownSend(Done done) = 0;
  // Close ends everything; callbacks under way come with an error.
  virtual void Close() = 0;

  // Peer of the connection; complete after the handshake.
  virtual Peer peer() const = 0;
};

std::unique_ptr<Channel> MakePlainChannel(Channel::Socket socket);
std::unique_ptr<Channel> MakeTlsChannel(Channel::Socket socket, boost::asio::ssl::context& context);

// MakeServerContext reads the server's identity and the authority of its clients. Errors (kConfig)
// name the option.
Result<std::unique_ptr<boost::asio::ssl::context>> MakeServerContext(
    const ServerTlsOptions& options);

}  // namespace berth::http
