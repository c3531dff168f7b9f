// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "http/client/transport.h"

namespace berth::http {

// Waits until a condition holds. Fails after a timeout that no healthy test reaches.
bool Eventually(const std::function<bool()>& condition,
                std::chrono::milliseconds limit = std::chrono::seconds(10));

// StubRequest is a request received by a stub server, with the subject of the client certificate.
struct StubRequest : Request {
  std::string client_subject;
};

// StubReply sends the response to one request, in pieces if needed.
class StubReply {
 public:
  virtual ~StubReply() = default;

  // Sends the response in one piece.
  virtual void Send(int code, const std::string& body, const Headers& headers = {}) = 0;

  // Begin, Chunk and End send the response in pieces. Each piece is on the wire when the call
  // returns.
  virtual void Begin(int code, const Headers& headers = {}) = 0;
  virtual void Chunk(const std::string& bytes) = 0;
  virtual void End() = 0;

  // Closes the connection.
  virtual void Close() = 0;

  // Waits until the client has closed the connection or the server stops.
  virtual void WaitForPeer() = 0;
};

// StubServer is a scripted HTTP server for tests. It runs its handler on a thread per connection.
class StubServer {
 public:
  using Handler = std::function<void(const StubRequest&, StubReply&)>;

  struct Tls {
    std::string certificate;  // files
    std::string key;
    std::string client_ca;  // empty: no client certificate is requested
  };

  explicit StubServer(Handler handler, std::optional<Tls> tls = std::nullopt);
  ~StubServer();

  uint16_t port() const;
  std::string url() const;

  // Returns the requests so far, in order of arrival.
  std::vector<StubRequest> requests() const;
  int connections() const;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

// Gate blocks threads until it is opened.
class Gate {
 public:
  void Open() {
    std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void Wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return open_; });
  }

 private:
  std::mutex mutex_;  // guards open_
  std::condition_variable changed_;
  bool open_ = false;
};

}  // namespace berth::http
