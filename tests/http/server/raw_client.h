// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

namespace berth::http {

// RawClient sends malformed input and reads at times chosen by the test.
class RawClient {
 public:
  explicit RawClient(uint16_t port, const std::string& host = "127.0.0.1") {
    socket_.connect({boost::asio::ip::make_address(host), port});
  }
  void Send(const std::string& text) {
    boost::system::error_code ignored;
    boost::asio::write(socket_, boost::asio::buffer(text), ignored);
  }
  // Reads until the server closes.
  std::string ReadAll() {
    boost::system::error_code error;
    boost::asio::read(socket_, boost::asio::dynamic_buffer(unread_), error);
    return std::exchange(unread_, {});
  }
  // Returns all bytes up to and including `end`; keeps the remaining bytes.
  std::string ReadUntil(const std::string& end) {
    boost::system::error_code error;
    const size_t size =
        boost::asio::read_until(socket_, boost::asio::dynamic_buffer(unread_), end, error);
    std::string text = unread_.substr(0, size);
    unread_.erase(0, size);
    return text;
  }
  void Close() { socket_.close(); }

 private:
  boost::asio::io_context io_;
  boost::asio::ip::tcp::socket socket_{io_};
  std::string unread_;
};

}  // namespace berth::http
